#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>

#include "bind/bind.hpp"
#include "meaning/features.hpp"
#include "meaning/pool.hpp"

namespace nb = nanobind;
namespace meaning = bidlab::meaning;

namespace {

using HandBits = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using CellArray = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<meaning::shapes, meaning::most_points + 1>>;
using FeatureArray = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, meaning::features>>;

FeatureArray features(const HandBits& bits) {
    const std::size_t count = bits.shape(0);
    auto rows = std::make_unique<std::int32_t[]>(count * meaning::features);
    {
        const nb::gil_scoped_release released;
        meaning::feature_batch(bits.data(), count, rows.get());
    }
    std::int32_t* data = rows.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    return FeatureArray(data, {count, meaning::features}, owner);
}

CellArray cell_counts(std::uint64_t available) {
    using Row = std::uint64_t[meaning::most_points + 1];
    if (available >> 52) throw nb::value_error("bits beyond the 52 cards");
    auto counts = std::make_unique<Row[]>(meaning::shapes);
    bidlab::cell_counts(available, counts.get());
    Row* data = counts.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Row*>(p); });
    return CellArray(&data[0][0], {meaning::shapes, meaning::most_points + 1}, owner);
}

}  // namespace

void bind_meaning(nb::module_& m) {
    m.def("features", &features, nb::arg("bits"),
          "int32 [hand, feature]: all features of hands of 13 cards, 52 bits each.");
    m.def("cell_counts", &cell_counts, nb::arg("available"),
          "uint64 [560, 38]: the hands of 13 of these cards, by shape and high-card points.");
}
