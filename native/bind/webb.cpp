#include <nanobind/stl/optional.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/bind.hpp"
#include "bind/rates.hpp"
#include "bind/watch.hpp"
#include "webb/bidding.hpp"
#include "webb/operators.hpp"

namespace nb = nanobind;
namespace wb = bidlab::webb;

namespace {

void check_hands(const std::uint64_t* hands, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (hands[i] >> 52 || std::popcount(hands[i]) != 13)
            throw std::invalid_argument("hand " + std::to_string(i) + " has not 13 of the 52 cards");
}

void check_links(const std::uint8_t* links, std::size_t count, int states) {
    if (std::any_of(links, links + count, [=](std::uint8_t state) { return state >= states; }))
        throw std::invalid_argument("a transition leads to no state: 0 to " + std::to_string(states - 1) +
                                    " are wanted");
}

void make_population(wb::Population* self, const Array<std::uint32_t, -1, -1, -1>& words,
                     const Array<std::uint8_t, -1, -1, wb::transitions>& links, int inheritance,
                     std::uint32_t options) {
    const std::size_t count = words.shape(0), states = words.shape(1), entries = words.shape(2);
    if (links.shape(0) != count || links.shape(1) != states)
        throw std::invalid_argument("transitions of every state are wanted");
    if (states < 1 || states > wb::most_states || entries < 1 || entries > wb::most_entries)
        throw std::invalid_argument("1 to 64 states of 1 to 64 entries are wanted");
    if (inheritance < 0 || inheritance > wb::most_inheritance)
        throw std::invalid_argument("an inheritance of 0 to 15 programs is wanted");
    if (options & ~wb::option::all) throw std::invalid_argument("an option that there is not");
    check_links(links.data(), links.size(), static_cast<int>(states));
    const wb::Form form{static_cast<int>(states), static_cast<int>(entries), inheritance, options};
    new (self) wb::Population(form, count, words.data(), links.data());
}

const wb::System& member(const wb::Population& population, std::int64_t number) {
    if (number < 0 || static_cast<std::size_t>(number) >= population.size())
        throw std::invalid_argument("no system " + std::to_string(number) + ": there are " +
                                    std::to_string(population.size()));
    return population.at(static_cast<std::size_t>(number));
}

void replace(wb::Population& population, std::int64_t number, const Array<std::uint32_t, -1, -1>& words,
             const Array<std::uint8_t, -1, wb::transitions>& links) {
    member(population, number);
    const wb::Form& form = population.form();
    if (words.size() != form.words() || static_cast<int>(words.shape(0)) != form.states ||
        links.size() != form.links())
        throw std::invalid_argument("a system of the population's form is wanted");
    check_links(links.data(), links.size(), form.states);
    population.replace(static_cast<std::size_t>(number), words.data(), links.data());
}

using Numbers = Array<std::int32_t, -1>;
using Hands = Array<std::uint64_t, -1, 4>;
using Bytes = Array<std::uint8_t, -1>;
using MaybeBytes = std::optional<Bytes>;

wb::Population::Boards boards_of(const wb::Population& population, const Numbers& north_south,
                                 const Numbers& east_west, const Hands& hands, const Bytes& dealers,
                                 const MaybeBytes& vulnerable) {
    const std::size_t count = hands.shape(0);
    if (north_south.shape(0) != count || east_west.shape(0) != count || dealers.shape(0) != count ||
        (vulnerable && vulnerable->shape(0) != count))
        throw std::invalid_argument("two systems and a dealer for every board are wanted");
    check_hands(hands.data(), hands.size());
    for (std::size_t i = 0; i < count; ++i) {
        member(population, north_south.data()[i]);
        member(population, east_west.data()[i]);
        if (dealers.data()[i] > 3) throw std::invalid_argument("dealers from 0 to 3 are wanted");
    }
    return {count,        north_south.data(), east_west.data(),
            hands.data(), dealers.data(),     vulnerable ? vulnerable->data() : nullptr};
}

nb::object bid(const wb::Population& population, const Numbers& north_south, const Numbers& east_west,
               const Hands& hands, const Bytes& dealers, int threads, const MaybeBytes& vulnerable) {
    const auto boards = boards_of(population, north_south, east_west, hands, dealers, vulnerable);
    auto contracts = std::make_unique<wb::Contract[]>(boards.count);
    watched(nb::none(), [&](const bidlab::Watch& watch) {
        population.bid(boards, threads, watch, contracts.get(), nullptr);
    });
    auto out = std::make_unique<std::uint8_t[]>(3 * boards.count);
    for (std::size_t i = 0; i < boards.count; ++i) {
        const auto& [last, doubled, declarer] = contracts[i];
        out[3 * i] = last, out[3 * i + 1] = doubled, out[3 * i + 2] = declarer;
    }
    return owned(std::move(out), boards.count, 3);
}

nb::tuple auctions(const wb::Population& population, const Numbers& north_south, const Numbers& east_west,
                   const Hands& hands, const Bytes& dealers, int threads, const MaybeBytes& vulnerable) {
    const auto boards = boards_of(population, north_south, east_west, hands, dealers, vulnerable);
    std::vector<wb::Contract> contracts(boards.count);
    std::vector<std::vector<std::uint8_t>> calls(boards.count);
    watched(nb::none(), [&](const bidlab::Watch& watch) {
        population.bid(boards, threads, watch, contracts.data(), calls.data());
    });
    auto starts = std::make_unique<std::int64_t[]>(boards.count + 1);
    for (std::size_t i = 0; i < boards.count; ++i)
        starts[i + 1] = starts[i] + static_cast<std::int64_t>(calls[i].size());
    const auto all = static_cast<std::size_t>(starts[boards.count]);
    auto flat = std::make_unique<std::uint8_t[]>(all);
    for (std::size_t i = 0; i < boards.count; ++i)
        std::copy(calls[i].begin(), calls[i].end(), flat.get() + starts[i]);
    return nb::make_tuple(owned(std::move(starts), boards.count + 1), owned(std::move(flat), all));
}

wb::Auction started(const wb::Population& population, int north_south, int east_west, int dealer,
                    int vulnerable) {
    if (dealer < 0 || dealer > 3) throw std::invalid_argument("a dealer from 0 to 3 is wanted");
    wb::Auction auction;
    auction.start(member(population, north_south), member(population, east_west), dealer, vulnerable);
    return auction;
}

bool make(wb::Auction& auction, int call) {
    if (auction.laws().is_ended() || !auction.laws().is_legal(call))
        throw std::invalid_argument("call " + std::to_string(call) + ", number " +
                                    std::to_string(auction.laws().count) + " of the auction, is illegal");
    return auction.make(call);
}

nb::tuple follow(const wb::Population& population, int north_south, int east_west, int dealer,
                 const Bytes& calls, int vulnerable) {
    wb::Auction auction = started(population, north_south, east_west, dealer, vulnerable);
    const std::size_t count = calls.shape(0);
    const int features = population.form().options ? wb::features : wb::lengths_end;
    const auto numbers = static_cast<std::size_t>(4 * features * 2);
    auto known = std::make_unique<std::int16_t[]>((count + 1) * numbers);
    auto made = std::make_unique<bool[]>(count);
    auto states = std::make_unique<std::uint8_t[]>(2 * (count + 1));
    for (std::size_t at = 0;; ++at) {
        std::int16_t* out = known.get() + at * numbers;
        for (const wb::Box& box : auction.known())
            for (int i = 0; i < features; ++i) {
                *out++ = static_cast<std::int16_t>(box.least(i));
                *out++ = static_cast<std::int16_t>(box.most(i));
            }
        for (int side = 0; side < 2; ++side)
            states[2 * at + static_cast<std::size_t>(side)] = static_cast<std::uint8_t>(auction.state(side));
        if (at == count) break;
        made[at] = make(auction, calls.data()[at]);
    }
    return nb::make_tuple(owned(std::move(known), count + 1, 4, features, 2), owned(std::move(made), count),
                          owned(std::move(states), count + 1, 2));
}

nb::object decide(const wb::Population& population, int north_south, int east_west, int dealer,
                  const Bytes& calls, const Array<std::uint64_t, -1>& hands, int vulnerable) {
    wb::Auction auction = started(population, north_south, east_west, dealer, vulnerable);
    check_hands(hands.data(), hands.size());
    for (std::size_t i = 0; i < calls.shape(0); ++i) make(auction, calls.data()[i]);
    if (auction.laws().is_ended()) throw std::invalid_argument("the auction is over: nobody is to call");
    auto out = std::make_unique<std::uint8_t[]>(hands.size());
    {
        const nb::gil_scoped_release released;
        for (std::size_t i = 0; i < hands.size(); ++i)
            out[i] = static_cast<std::uint8_t>(auction.choose_any(wb::values_of(hands.data()[i], true)));
    }
    return owned(std::move(out), hands.size());
}

nb::object values(const Array<std::uint64_t, -1>& hands, bool all) {
    check_hands(hands.data(), hands.size());
    const std::size_t count = all ? 4 * wb::negated : wb::lengths_end;
    auto out = std::make_unique<std::int16_t[]>(count * hands.size());
    for (std::size_t i = 0; i < hands.size(); ++i) {
        const wb::Values own = wb::values_of(hands.data()[i], all);
        for (std::size_t f = 0; f < count; ++f) out[count * i + f] = own.lanes[f / 8 * 16 + f % 8];
    }
    return owned(std::move(out), hands.size(), count);
}

using Words = Array<std::uint32_t, -1, -1>;
using Links = Array<std::uint8_t, -1, wb::transitions>;

wb::Genome genome(const wb::Form& form, const Words& words, const Links& links) {
    if (words.size() != form.words() || static_cast<int>(words.shape(0)) != form.states ||
        links.size() != form.links())
        throw std::invalid_argument("two systems of one form are wanted");
    check_links(links.data(), links.size(), form.states);
    return {{words.data(), words.data() + words.size()}, {links.data(), links.data() + links.size()}};
}

nb::tuple offspring(int how, const Words& words, const Links& links, const Words& other_words,
                    const Links& other_links, std::uint64_t seed, std::uint64_t number, int low, int medium) {
    const wb::Rates rates = rates_of(low, medium);
    if (how < 0 || how >= wb::operators) throw std::invalid_argument("operators 0 to 8 are wanted");
    const wb::Form form{static_cast<int>(words.shape(0)), static_cast<int>(words.shape(1)), 0};
    if (form.states < 1 || form.states > wb::most_states || form.entries < 1 ||
        form.entries > wb::most_entries)
        throw std::invalid_argument("1 to 64 states of 1 to 64 entries are wanted");
    bidlab::Generator random(seed, number);
    const wb::Genome child = wb::offspring(static_cast<wb::Operator>(how), form, genome(form, words, links),
                                           genome(form, other_words, other_links), rates, random);
    auto entries = std::make_unique<std::uint32_t[]>(form.words());
    auto to = std::make_unique<std::uint8_t[]>(form.links());
    std::ranges::copy(child.words, entries.get());
    std::ranges::copy(child.links, to.get());
    return nb::make_tuple(owned(std::move(entries), form.states, form.entries),
                          owned(std::move(to), form.states, wb::transitions));
}

}  // namespace

void bind_webb(nb::module_& m) {
    m.def("webb_values", &values, nb::arg("hands"), nb::arg("all") = false,
          "int16 [hand, 5]: strength in steps of 5/64, clubs, diamonds, hearts, spades; or [hand, 32], all "
          "that "
          "options ask about, in the order of native/webb/box.hpp.");
    m.def("webb_offspring", &offspring, nb::arg("how"), nb::arg("words"), nb::arg("transitions"),
          nb::arg("other_words"), nb::arg("other_transitions"), nb::arg("seed"), nb::arg("number"),
          nb::arg("low") = wb::Rates{}.low, nb::arg("medium") = wb::Rates{}.medium,
          "Words and transitions of a child, by number of the operator.");
    nb::class_<wb::Population>(m, "WebbPopulation", "WEBB's systems of one form, decoded.")
        .def("__init__", &make_population, nb::arg("words"), nb::arg("transitions"), nb::arg("inheritance"),
             nb::arg("options") = 0)
        .def("__len__", &wb::Population::size)
        .def("replace", &replace, nb::arg("number"), nb::arg("words"), nb::arg("transitions"))
        .def("bid", &bid, nb::arg("ns"), nb::arg("ew"), nb::arg("hands"), nb::arg("dealers"),
             nb::arg("threads") = 1, nb::arg("vulnerable") = nb::none(),
             "uint8 [board, 3]: the last bid or 0, doubled, declarer.")
        .def("auctions", &auctions, nb::arg("ns"), nb::arg("ew"), nb::arg("hands"), nb::arg("dealers"),
             nb::arg("threads") = 1, nb::arg("vulnerable") = nb::none(),
             "Where each board's calls start, and all calls in a row.")
        .def("follow", &follow, nb::arg("ns"), nb::arg("ew"), nb::arg("dealer"), nb::arg("calls"),
             nb::arg("vulnerable") = 0,
             "After each call: what is known [.., seat, feature, least and most], whether a hand makes it, "
             "and the states of the sides.")
        .def("decide", &decide, nb::arg("ns"), nb::arg("ew"), nb::arg("dealer"), nb::arg("calls"),
             nb::arg("hands"), nb::arg("vulnerable") = 0, "The next call of each hand.");
}
