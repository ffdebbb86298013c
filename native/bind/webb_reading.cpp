// Reading WEBB's systems: what their programs ask at a point of an auction, and all points that can come up.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/bind.hpp"
#include "bind/watch.hpp"
#include "webb/sequences.hpp"

namespace nb = nanobind;
namespace wb = bidlab::webb;

namespace {

using Hands = Array<std::uint64_t, -1>;
using Calls = Array<std::uint8_t, -1, -1>;
using Sides = Array<std::uint8_t, -1>;  // bit 0: the dealer's side
using Said = Array<std::int32_t, -1, -1>;
using Told = Array<std::int16_t, -1, wb::features, 2>;

const wb::System& member(const wb::Population& population, std::int64_t number) {
    if (number < 0 || static_cast<std::size_t>(number) >= population.size())
        throw std::invalid_argument("no system " + std::to_string(number) + ": there are " +
                                    std::to_string(population.size()));
    return population.at(static_cast<std::size_t>(number));
}

void check_hands(const std::uint64_t* hands, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        if (hands[i] >> 52 || std::popcount(hands[i]) != 13)
            throw std::invalid_argument("hand " + std::to_string(i) + " has not 13 of the 52 cards");
}

// A box of least and most values, as Python has it.
wb::Box box_of(const std::int16_t* numbers) {
    wb::Box box;
    for (std::size_t i = 0; i < wb::features; ++i) {
        box.lanes[i] = std::max(box.lanes[i], numbers[2 * i]);
        box.lanes[i + wb::negated] =
            std::max(box.lanes[i + wb::negated], static_cast<std::int16_t>(-numbers[2 * i + 1]));
    }
    return box;
}

void write_box(const wb::Box& box, std::int16_t* out) {
    for (int i = 0; i < wb::features; ++i) {
        *out++ = static_cast<std::int16_t>(box.least(i));
        *out++ = static_cast<std::int16_t>(box.most(i));
    }
}

// Auctions in step, each as one system reads it: its own calls by its program, and others' where they were
// told.
struct Auctions {
    const wb::System& system;
    const Sides& vulnerable;
    const Calls& calls;
    const Said& said;
    const Told& told;

    Auctions(const wb::System& read_by, const Sides& sides, const Calls& made, const Said& numbers,
             const Told& boxes)
        : system(read_by), vulnerable(sides), calls(made), said(numbers), told(boxes) {
        if (vulnerable.shape(0) != calls.shape(0))
            throw std::invalid_argument("who is vulnerable in every auction is wanted");
        if (said.shape(0) != calls.shape(0) || said.shape(1) != calls.shape(1))
            throw std::invalid_argument("a number of what was said for every call is wanted");
        for (std::size_t i = 0; i < said.size(); ++i)
            if (said.data()[i] >= static_cast<std::int64_t>(told.shape(0)))
                throw std::invalid_argument("a call was said to show a box that is not there");
    }

    // Follows one of them; the place of a call that is illegal, or -1.
    int follow(std::size_t number, wb::Auction& auction) const {
        auction.start(system, system, 0, vulnerable.data()[number]);
        const std::size_t length = calls.shape(1);
        for (std::size_t place = 0; place < length; ++place) {
            const int call = calls.data()[number * length + place];
            const int box = said.data()[number * length + place];
            if (auction.laws().is_ended() || !auction.laws().is_legal(call)) return static_cast<int>(place);
            if (box < 0)
                auction.make(call);
            else
                auction.make_told(call, box_of(told.data() + 2 * wb::features * box));
        }
        return auction.laws().is_ended() ? static_cast<int>(length) : -1;
    }
};

[[noreturn]] void refuse(int place) {
    throw std::invalid_argument("call number " + std::to_string(place) + " of an auction is illegal");
}

nb::tuple decide(const wb::Population& population, int number, const Sides& vulnerable, const Calls& calls,
                 const Said& said, const Told& told, const Hands& hands) {
    const Auctions all(member(population, number), vulnerable, calls, said, told);
    const std::size_t count = hands.shape(0);
    if (calls.shape(0) != count) throw std::invalid_argument("an auction for every hand is wanted");
    check_hands(hands.data(), count);
    const bool wants_all = population.form().options;
    auto made = std::make_unique<std::uint8_t[]>(count);
    auto shown = std::make_unique<std::int16_t[]>(2 * wb::features * count);
    int wrong = -1;
    {
        const nb::gil_scoped_release released;
        wb::Auction auction;
        for (std::size_t i = 0; i < count && wrong < 0; ++i) {
            wrong = all.follow(i, auction);
            if (wrong >= 0) break;
            const auto seat = static_cast<std::size_t>(auction.laws().seat());
            const int call = auction.choose_any(wb::values_of(hands.data()[i], wants_all));
            made[i] = static_cast<std::uint8_t>(call);
            auction.make(call);
            write_box(auction.known()[seat], shown.get() + 2 * wb::features * i);
        }
    }
    if (wrong >= 0) refuse(wrong);
    return nb::make_tuple(owned(std::move(made), count), owned(std::move(shown), count, wb::features, 2));
}

constexpr std::size_t step_numbers = 5;

void write_steps(const std::vector<wb::Position::Step>& steps, std::int16_t* out) {
    for (const auto& [call, lane, bound, jump, next] : steps)
        for (const std::int16_t one : {call, lane, bound, jump, next}) *out++ = one;
}

nb::tuple position(const wb::Population& population, int number, const Sides& vulnerable, const Calls& calls,
                   const Said& said, const Told& told, bool any_hand) {
    const Auctions all(member(population, number), vulnerable, calls, said, told);
    if (calls.shape(0) != 1) throw std::invalid_argument("one auction is wanted");
    wb::Auction auction;
    if (const int wrong = all.follow(0, auction); wrong >= 0) refuse(wrong);
    auto known = std::make_unique<std::int16_t[]>(8 * wb::features);
    for (std::size_t seat = 0; seat < 4; ++seat)
        write_box(auction.known()[seat], known.get() + 2 * wb::features * seat);
    const int seat = auction.laws().seat();
    const wb::Box own = any_hand ? wb::Box{} : auction.known()[static_cast<std::size_t>(seat)];
    const auto steps = auction.position_for(own).steps();
    auto out = std::make_unique<std::int16_t[]>(step_numbers * steps.size());
    write_steps(steps, out.get());
    return nb::make_tuple(owned(std::move(out), steps.size(), step_numbers),
                          owned(std::move(known), 4, wb::features, 2), auction.state(seat & 1));
}

nb::object sequences(const wb::Population& population, int number, std::size_t most, int vulnerable) {
    const wb::System& system = member(population, number);
    std::vector<wb::Reached> found;
    {
        const nb::gil_scoped_release released;
        found = wb::reached(system, most, vulnerable);
    }
    if (found.empty()) return nb::none();
    const std::size_t count = found.size();
    auto parents = std::make_unique<std::int32_t[]>(count);
    auto calls = std::make_unique<std::uint8_t[]>(count);
    auto states = std::make_unique<std::uint8_t[]>(count);
    auto own = std::make_unique<std::int16_t[]>(2 * wb::features * count);
    auto starts = std::make_unique<std::int64_t[]>(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        parents[i] = found[i].parent, calls[i] = found[i].call, states[i] = found[i].state;
        write_box(found[i].own, own.get() + 2 * wb::features * i);
        starts[i + 1] = starts[i] + static_cast<std::int64_t>(found[i].steps.size());
    }
    const auto steps = static_cast<std::size_t>(starts[count]);
    auto out = std::make_unique<std::int16_t[]>(step_numbers * steps);
    for (std::size_t i = 0; i < count; ++i)
        write_steps(found[i].steps, out.get() + step_numbers * static_cast<std::size_t>(starts[i]));
    return nb::make_tuple(owned(std::move(parents), count), owned(std::move(calls), count),
                          owned(std::move(states), count), owned(std::move(own), count, wb::features, 2),
                          owned(std::move(starts), count + 1), owned(std::move(out), steps, step_numbers));
}

// Whole auctions of two systems, which may be of different forms; the first sits North-South where it is said
// so.
nb::object auctions(const wb::Population& one, int number, const wb::Population& other, int other_number,
                    const Array<std::uint64_t, -1, 4>& hands, const Array<std::uint8_t, -1>& dealers,
                    const Sides& vulnerable, const Array<bool, -1>& is_first_north_south, int threads) {
    const wb::System &first = member(one, number), &second = member(other, other_number);
    const std::size_t count = hands.shape(0);
    if (dealers.shape(0) != count || vulnerable.shape(0) != count || is_first_north_south.shape(0) != count)
        throw std::invalid_argument("a dealer, vulnerability and a side for every board are wanted");
    const bool wants_all = one.form().options | other.form().options;
    check_hands(hands.data(), hands.size());
    std::vector<std::vector<std::uint8_t>> calls(count);
    std::vector<wb::Auction> at(bidlab::thread_count(threads));
    const auto bid = [&](wb::Auction& auction, std::size_t board) {
        const bool is_first = is_first_north_south.data()[board];
        auction.start(is_first ? first : second, is_first ? second : first, dealers.data()[board] & 3,
                      vulnerable.data()[board]);
        while (!auction.laws().is_ended()) {
            const auto seat = static_cast<std::size_t>(auction.laws().seat());
            const int call = auction.choose(wb::values_of(hands.data()[4 * board + seat], wants_all));
            calls[board].push_back(static_cast<std::uint8_t>(call));
            auction.make(call);
        }
    };
    watched(nb::none(), [&](const bidlab::Watch& watch) {
        bidlab::run_batch(
            count, 64, at.size(), watch,
            [&](std::size_t worker, std::size_t board, const std::atomic<bool>&) { bid(at[worker], board); });
    });
    std::size_t longest = 0;
    for (const auto& made : calls) longest = std::max(longest, made.size());
    auto out = std::make_unique<std::uint8_t[]>(longest * count);
    std::fill_n(out.get(), longest * count, std::uint8_t{255});
    for (std::size_t i = 0; i < count; ++i) std::ranges::copy(calls[i], out.get() + longest * i);
    return owned(std::move(out), count, longest);
}

}  // namespace

void bind_webb_reading(nb::module_& m) {
    m.def(
        "webb_decide", &decide, nb::arg("population"), nb::arg("number"), nb::arg("vulnerable"),
        nb::arg("calls"), nb::arg("said"), nb::arg("told"), nb::arg("hands"),
        "For auctions in step [table, call]: the next call of each hand, and what is known of it then "
        "[table, "
        "feature, least and most]. `said` is -1 where the system reads a call itself, else a row of `told`.");
    m.def("webb_position", &position, nb::arg("population"), nb::arg("number"), nb::arg("vulnerable"),
          nb::arg("calls"), nb::arg("said"), nb::arg("told"), nb::arg("any_hand"),
          "Of one auction: the program's steps [step, call or -1, lane, bound, jump, next], what is known of "
          "the four from the dealer on, and the state of the side to call.");
    m.def("webb_auctions", &auctions, nb::arg("one"), nb::arg("number"), nb::arg("other"),
          nb::arg("other_number"), nb::arg("hands"), nb::arg("dealers"), nb::arg("vulnerable"),
          nb::arg("is_first_north_south"), nb::arg("threads") = 1,
          "uint8 [board, call]: whole auctions of two systems, 255 after the end.");
    m.def(
        "webb_sequences", &sequences, nb::arg("population"), nb::arg("number"), nb::arg("most"),
        nb::arg("vulnerable") = 0,
        "Every point that some deal may reach with the system at all four seats: parents, calls, states, own "
        "boxes, where steps start, steps. None where there are more than `most`.");
}
