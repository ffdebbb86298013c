#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bind/bind.hpp"
#include "bind/watch.hpp"
#include "doubledummy/solver.hpp"
#include "processor/processor.hpp"

namespace nb = nanobind;
namespace dd = bidlab::doubledummy;

namespace {

using Bits = nb::ndarray<const std::uint64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Moves = nb::ndarray<const std::int8_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

// From 13 bits a suit to 16.
dd::Hands spread(const std::uint64_t* bits) {
    dd::Hands hands{};
    for (int seat = 0; seat < 4; ++seat)
        for (int suit = 0; suit < 4; ++suit)
            hands.of[seat] |= (bits[seat] >> 13 * suit & 0x1fff) << 16 * suit;
    return hands;
}

std::vector<dd::Hands> spread(const Bits& bits) {
    std::vector<dd::Hands> deals(bits.shape(0));
    for (std::size_t i = 0; i < deals.size(); ++i) deals[i] = spread(bits.data() + 4 * i);
    return deals;
}

// An array of bytes that Python owns.
template <typename... Shape>
nb::object owned(std::unique_ptr<std::uint8_t[]> bytes, Shape... shape) {
    std::uint8_t* data = bytes.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint8_t*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, {static_cast<std::size_t>(shape)...}, owner));
}

nb::object solve(dd::Solver& solver, const Bits& bits, unsigned strains, unsigned declarers,
                 std::uint64_t nodes, const nb::object& progress) {
    const std::vector<dd::Hands> deals = spread(bits);
    auto tables = std::make_unique<std::uint8_t[]>(20 * deals.size());
    watched(progress, [&](const bidlab::Watch& watch) {
        solver.solve(deals.data(), deals.size(), strains, declarers, nodes, watch, tables.get());
    });
    return owned(std::move(tables), deals.size(), 5, 4);
}

nb::object answer(dd::Solver& solver, const Bits& bits, const Bytes& strains, const Bytes& declarers,
                  const Bytes& needed, std::uint64_t nodes, const nb::object& progress) {
    std::vector<dd::Question> questions(bits.shape(0));
    for (std::size_t i = 0; i < questions.size(); ++i)
        questions[i] = {spread(bits.data() + 4 * i), strains.data()[i], declarers.data()[i],
                        needed.data()[i]};
    auto answers = std::make_unique<std::uint8_t[]>(questions.size());
    watched(progress, [&](const bidlab::Watch& watch) {
        solver.answer(questions.data(), questions.size(), nodes, watch, answers.get());
    });
    return owned(std::move(answers), questions.size());
}

nb::object card_values(dd::Solver& solver, const Bits& bits, const Bytes& strains, const Bytes& leaders,
                       const Moves& played, std::uint64_t nodes, const nb::object& progress) {
    std::vector<dd::Position> positions(bits.shape(0));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        dd::Trick trick{leaders.data()[i], 0, {}};
        for (int j = 0; j < 3; ++j) {
            const int card = played.data()[3 * i + j];
            if (card >= 0) trick.cards[trick.count++] = 16 * (card / 13) + card % 13;
        }
        positions[i] = {spread(bits.data() + 4 * i), strains.data()[i], trick};
    }
    auto values = std::make_unique<std::uint8_t[]>(52 * positions.size());
    watched(progress, [&](const bidlab::Watch& watch) {
        solver.card_values(positions.data(), positions.size(), nodes, watch, values.get());
    });
    return owned(std::move(values), positions.size(), 52);
}

nb::dict effort(const dd::Solver& solver) {
    const dd::Effort effort = solver.effort();
    nb::dict figures;
    figures["nodes"] = effort.nodes;
    figures["trick_starts"] = effort.trick_starts;
    figures["lookups"] = effort.lookups;
    figures["hits"] = effort.hits;
    figures["times_thinned"] = effort.times_thinned;
    figures["bytes"] = effort.bytes;
    return figures;
}

}  // namespace

void bind_doubledummy(nb::module_& m) {
    m.def("processor_kind", &bidlab::processor_kind, "The best kind of code that runs here.");
    nb::class_<dd::Solver>(m, "Solver", "Engines and their tables; arrays are checked by the caller.")
        .def(nb::init<int, std::size_t, bool>(), nb::arg("threads"), nb::arg("memory"), nb::arg("warm"))
        .def("solve", &solve, nb::arg("bits"), nb::arg("strains"), nb::arg("declarers"), nb::arg("nodes"),
             nb::arg("progress").none())
        .def("answer", &answer, nb::arg("bits"), nb::arg("strains"), nb::arg("declarers"), nb::arg("needed"),
             nb::arg("nodes"), nb::arg("progress").none())
        .def("card_values", &card_values, nb::arg("bits"), nb::arg("strains"), nb::arg("leaders"),
             nb::arg("played"), nb::arg("nodes"), nb::arg("progress").none())
        .def("effort", &effort)
        .def_prop_ro("threads", &dd::Solver::threads);
}
