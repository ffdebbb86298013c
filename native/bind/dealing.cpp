#include "dealing/dealing.hpp"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>

#include "bind/bind.hpp"

namespace nb = nanobind;

namespace {

using DealArray = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, 4>>;

DealArray deal(std::uint64_t seed, std::uint64_t first, std::size_t count) {
    auto deals = std::make_unique<bidlab::DealBits[]>(count);
    {
        nb::gil_scoped_release released;
        bidlab::deal_batch(seed, first, count, deals.get());
    }
    bidlab::DealBits* data = deals.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bidlab::DealBits*>(p); });
    return DealArray(data, {count, 4}, owner);
}

}  // namespace

void bind_dealing(nb::module_& m) {
    m.def("deal", &deal, nb::arg("seed"), nb::arg("first"), nb::arg("count"),
          "uint64 [count, 4]: the hands N E S W of deals first, first + 1 .. of a seed, 52 bits each.");
}
