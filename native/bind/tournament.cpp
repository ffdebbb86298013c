#include "webb/tournament.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/bind.hpp"
#include "bind/rates.hpp"
#include "webb/scoring.hpp"

namespace nb = nanobind;
namespace wb = bidlab::webb;

namespace {

void make_deals(wb::Deals* self, const Array<std::uint64_t, -1, 4>& hands,
                const Array<std::uint8_t, -1, 5, 4>& tables) {
    if (hands.shape(0) != tables.shape(0) || hands.shape(0) < 1)
        throw std::invalid_argument("one deal or more, with a table each, are wanted");
    if (hands.shape(0) >> 31) throw std::invalid_argument("fewer than 2^31 deals are wanted");
    for (std::size_t i = 0; i < hands.size(); ++i)
        if (hands.data()[i] >> 52 || std::popcount(hands.data()[i]) != 13)
            throw std::invalid_argument("hand " + std::to_string(i) + " has not 13 of the 52 cards");
    if (std::any_of(tables.data(), tables.data() + tables.size(), [](std::uint8_t n) { return n > 13; }))
        throw std::invalid_argument("tables of 0 to 13 tricks are wanted");
    new (self) wb::Deals{{hands.data(), hands.data() + hands.size()},
                         {tables.data(), tables.data() + tables.size()}};
}

using Words = Array<std::uint32_t, -1, -1, -1>;
using Links = Array<std::uint8_t, -1, -1, wb::transitions>;

std::vector<wb::Genome> genomes(const wb::Form& form, const Words& words, const Links& links) {
    const std::size_t count = words.shape(0);
    if (static_cast<int>(words.shape(1)) != form.states || static_cast<int>(words.shape(2)) != form.entries ||
        links.shape(0) != count || static_cast<int>(links.shape(1)) != form.states)
        throw std::invalid_argument("systems of one form are wanted");
    if (std::any_of(links.data(), links.data() + links.size(), [&](int to) { return to >= form.states; }))
        throw std::invalid_argument("a transition leads to no state");
    std::vector<wb::Genome> all;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t* word = words.data() + i * form.words();
        const std::uint8_t* link = links.data() + i * form.links();
        all.push_back({{word, word + form.words()}, {link, link + form.links()}});
    }
    return all;
}

template <typename To, typename Numbers>
nb::object array_of(const Numbers& numbers) {
    auto out = std::make_unique<To[]>(numbers.size());
    std::ranges::copy(numbers, out.get());
    return owned(std::move(out), numbers.size());
}

nb::tuple exported(const wb::Form& form, const wb::Standing& standing) {
    const std::size_t count = standing.genomes.size();
    auto words = std::make_unique<std::uint32_t[]>(count * form.words());
    auto links = std::make_unique<std::uint8_t[]>(count * form.links());
    for (std::size_t i = 0; i < count; ++i) {
        std::ranges::copy(standing.genomes[i].words, words.get() + i * form.words());
        std::ranges::copy(standing.genomes[i].links, links.get() + i * form.links());
    }
    return nb::make_tuple(owned(std::move(words), count, form.states, form.entries),
                          owned(std::move(links), count, form.states, wb::transitions),
                          array_of<std::int64_t>(standing.fitness), array_of<std::int32_t>(standing.pushes),
                          array_of<std::int64_t>(standing.ages), array_of<std::uint64_t>(standing.tally));
}

wb::Rules rules_of(std::uint64_t seed, std::int64_t threshold, std::int64_t push_penalty,
                   const Array<std::uint32_t, wb::operators>& weights, int contest, const wb::Rates& rates) {
    wb::Rules rules{seed, threshold, push_penalty, {}, static_cast<std::uint32_t>(contest), rates};
    std::copy_n(weights.data(), wb::operators, rules.weights.begin());
    std::uint64_t all = 0;
    for (const std::uint32_t weight : rules.weights) all += weight;
    if (all < 1 || all >> 32) throw std::invalid_argument("weights that add up to 1 to 2^32 - 1 are wanted");
    if (contest < 1) throw std::invalid_argument("a contest of 1 or more parents is wanted");
    return rules;
}

nb::tuple play(const wb::Deals& deals, const Words& words, const Links& links, int inheritance,
               const Array<std::int64_t, -1>& fitness, const Array<std::int32_t, -1>& pushes,
               const Array<std::int64_t, -1>& ages, const Array<std::uint64_t, wb::counts>& tally,
               std::uint64_t turn, std::uint64_t turns, std::uint64_t seed, std::int64_t threshold,
               std::int64_t push_penalty, const Array<std::uint32_t, wb::operators>& weights, int contest,
               int low, int medium, const Words& migrant_words, const Links& migrant_links,
               std::uint64_t migration, int threads, std::uint32_t options) {
    const std::size_t count = words.shape(0), states = words.shape(1), entries = words.shape(2);
    if (states < 1 || states > wb::most_states || entries < 1 || entries > wb::most_entries)
        throw std::invalid_argument("1 to 64 states of 1 to 64 entries are wanted");
    if (inheritance < 0 || inheritance > wb::most_inheritance)
        throw std::invalid_argument("an inheritance of 0 to 15 programs is wanted");
    if (count < 2) throw std::invalid_argument("a population of two or more is wanted");
    if (fitness.size() != count || pushes.size() != count || ages.size() != count)
        throw std::invalid_argument("fitness, pushes and age of every member are wanted");
    const wb::Form form{static_cast<int>(states), static_cast<int>(entries), inheritance, options};
    wb::Standing standing{genomes(form, words, links),
                          {fitness.data(), fitness.data() + count},
                          {pushes.data(), pushes.data() + count},
                          {ages.data(), ages.data() + count},
                          turn,
                          {}};
    std::copy_n(tally.data(), wb::counts, standing.tally.begin());
    const wb::Rules rules = rules_of(seed, threshold, push_penalty, weights, contest, rates_of(low, medium));
    const wb::Migration from{genomes(form, migrant_words, migrant_links), migration};
    {
        const nb::gil_scoped_release released;
        wb::play(deals, form, rules, from, turns, threads, standing);
    }
    return exported(form, standing);
}

nb::object boards(std::uint64_t seed, std::uint64_t deals, std::uint64_t first, std::size_t count) {
    if (deals < 1 || deals >> 31) throw std::invalid_argument("1 to 2^31 - 1 deals are wanted");
    bidlab::SplitMix seeds{seed};
    wb::BoardOrder order(seeds.next(), deals);
    auto out = std::make_unique<std::uint32_t[]>(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
        const wb::Board board = order.at(first + i);
        out[3 * i] = board.deal;
        out[3 * i + 1] = static_cast<std::uint32_t>(board.dealer());
        out[3 * i + 2] = static_cast<std::uint32_t>(board.vulnerable());
    }
    return owned(std::move(out), count, 3);
}

nb::object scores() {
    auto out = std::make_unique<std::int32_t[]>(2 * 3 * 35 * 14);
    std::int32_t* at = out.get();
    for (const bool is_vulnerable : {false, true})
        for (int doubled = 0; doubled < 3; ++doubled)
            for (int bid = wb::first_bid; bid < wb::calls; ++bid)
                for (int tricks = 0; tricks <= 13; ++tricks)
                    *at++ = wb::contract_score(bid, doubled, is_vulnerable, tricks);
    return owned(std::move(out), 2, 3, 35, 14);
}

}  // namespace

void bind_tournament(nb::module_& m) {
    nb::class_<wb::Deals>(m, "WebbDeals", "Solved deals that tournaments are played on.")
        .def("__init__", &make_deals, nb::arg("hands"), nb::arg("tables"))
        .def("__len__", &wb::Deals::size);
    m.def("webb_play", &play, nb::arg("deals"), nb::arg("words"), nb::arg("transitions"),
          nb::arg("inheritance"), nb::arg("fitness"), nb::arg("pushes"), nb::arg("ages"), nb::arg("tally"),
          nb::arg("turn"), nb::arg("turns"), nb::arg("seed"), nb::arg("threshold"), nb::arg("push_penalty"),
          nb::arg("weights"), nb::arg("contest"), nb::arg("low"), nb::arg("medium"), nb::arg("migrant_words"),
          nb::arg("migrant_transitions"), nb::arg("migration"), nb::arg("threads") = 1,
          nb::arg("options") = 0,
          "Words, transitions, fitness, pushes, ages and tally of a population after so many turns.");
    m.def("webb_boards", &boards, nb::arg("seed"), nb::arg("deals"), nb::arg("first"), nb::arg("count"),
          "uint32 [board, 3]: deal, dealer and vulnerability of boards of a tournament.");
    m.def("webb_scores", &scores, "int32 [vulnerable, doubled, bid, tricks]: scores of declarer's side.");
    m.def(
        "webb_imps", [](int points) { return wb::imps(points); }, nb::arg("points"), "IMPs with their sign.");
}
