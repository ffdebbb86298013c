#include "dealing/dealing.hpp"

#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <memory>

#include "bind/bind.hpp"
#include "bind/watch.hpp"
#include "dealing/conditional.hpp"

namespace nb = nanobind;
namespace mg = bidlab::meaning;

namespace {

using DealArray = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, 4>>;
using KnownArray = nb::ndarray<const std::uint64_t, nb::shape<4>, nb::c_contig, nb::device::cpu>;

DealArray owned(std::unique_ptr<bidlab::DealBits[]> deals, std::size_t count) {
    bidlab::DealBits* data = deals.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bidlab::DealBits*>(p); });
    return DealArray(data, {count, 4}, owner);
}

DealArray deal(std::uint64_t seed, std::uint64_t first, std::size_t count) {
    auto deals = std::make_unique<bidlab::DealBits[]>(count);
    {
        nb::gil_scoped_release released;
        bidlab::deal_batch(seed, first, count, deals.get());
    }
    return owned(std::move(deals), count);
}

void make_dealer(bidlab::ConditionalDealer* self, const KnownArray& known, const nb::sequence& conditions,
                 bool wants_tables) {
    if (nb::len(conditions) != 4) throw nb::value_error("four conditions are wanted, N E S W");
    bidlab::ConditionalDealer::Conditions seats{};
    std::array<nb::object, 4> objects;  // alive until the dealer has its copies
    for (std::size_t seat = 0; seat < 4; ++seat) {
        objects[seat] = conditions[seat];
        if (!objects[seat].is_none()) seats[seat] = nb::cast<const mg::Condition*>(objects[seat]);
    }
    std::array<std::uint64_t, 4> cards{};
    std::copy_n(known.data(), 4, cards.begin());
    const nb::gil_scoped_release released;
    new (self) bidlab::ConditionalDealer(cards, seats, wants_tables);
}

DealArray deal_conditionally(bidlab::ConditionalDealer& dealer, std::uint64_t seed, std::uint64_t first,
                             std::size_t count, int threads, const nb::object& progress) {
    auto deals = std::make_unique<bidlab::DealBits[]>(count);
    watched(progress, [&](const bidlab::Watch& watch) {
        dealer.deal(seed, first, count, threads, watch, deals.get());
    });
    return owned(std::move(deals), count);
}

// A number of up to 128 bits.
nb::object whole(bidlab::Wide number) {
    const nb::int_ high(static_cast<std::uint64_t>(number >> 64));
    const nb::int_ low(static_cast<std::uint64_t>(number));
    return (high << nb::int_(64)) | low;
}

}  // namespace

void bind_dealing(nb::module_& m) {
    using Dealer = bidlab::ConditionalDealer;
    m.def("deal", &deal, nb::arg("seed"), nb::arg("first"), nb::arg("count"),
          "uint64 [count, 4]: the hands N E S W of deals first, first + 1 .. of a seed, 52 bits each.");
    nb::class_<Dealer>(m, "ConditionalDealer",
                       "Deals evenly among those that fulfil conditions on the seats.")
        .def("__init__", &make_dealer, nb::arg("known"), nb::arg("conditions"),
             nb::arg("wants_tables") = false)
        .def("deal", &deal_conditionally, nb::arg("seed"), nb::arg("first"), nb::arg("count"),
             nb::arg("threads") = 1, nb::arg("progress") = nb::none())
        .def_prop_ro("is_impossible", &Dealer::is_impossible)
        .def_prop_ro("method",
                     [](const Dealer& dealer) { return dealer.has_tables() ? "tables" : "rejection"; })
        .def_prop_ro("count", [](const Dealer& dealer) { return whole(dealer.count()); })
        .def_prop_ro("is_exact_count", &Dealer::is_exact_count)
        .def_prop_ro("completions", [](const Dealer& dealer) { return whole(dealer.completions()); })
        .def_prop_ro("tries", &Dealer::tries)
        .def_prop_ro("dealt", &Dealer::dealt);
}
