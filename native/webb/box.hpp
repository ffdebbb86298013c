// What is known of a hand: the least and the most of its strength, of its lengths and of three more numbers.
//
// Numbers come in 16 lanes: in lane f the least of feature f, in lane f + 8 its most, negated. So every bound
// is a "number in this lane is at least", the hull of two boxes is a minimum over the lanes, and a question
// and its opposite differ in one bit. Hands have further lanes, in the same pairs, which a box does not keep.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace bidlab::webb {

constexpr int features = 8;         // strength, clubs, diamonds, hearts, spades, points, controls, losers
constexpr int lengths_end = 5;      // features 1 to 4 are lengths
constexpr int negated = 8;          // added to a feature: the lane of its most
constexpr int most_strength = 449;  // of AKQJ.AKQ.AKQ.AKQ, in steps of 5/64
constexpr int least_deck = 510, most_deck = 513;  // four rounded strengths add up to something between

constexpr int most_points = 37, most_controls = 12, most_losers = 12;

// Lanes of what a box does not keep; those of a suit are this and the suit.
enum Lane : int {
    longest = 16,
    shortest = 17,
    balanced = 18,        // 1: 4-3-3-3, 4-4-3-2 or 5-3-3-2
    playing_tricks = 19,  // in halves
    lead = 20,            // of a suit: how much longer than the longest other one
    stopper = 32,
    quality = 36,
    support = 48,
    top_five = 52,
};

using Lanes = std::array<std::int16_t, 16>;

// The values of a hand of 13 cards, and the same negated.
struct alignas(16) Values {
    std::array<std::int16_t, 64> lanes{};
};
// Strength and lengths; the other lanes are 0 unless all are asked for.
Values values_of(std::uint64_t hand, bool all = false);

// A question about one value of the player who calls, as everybody at the table can work it out: is the
// number in this lane at least the bound?
struct Test {
    std::uint8_t lane;
    std::int16_t bound;

    bool holds(const Values& own) const { return own.lanes[lane] >= bound; }
    Test opposite() const {
        return {static_cast<std::uint8_t>(lane ^ negated), static_cast<std::int16_t>(1 - bound)};
    }
};

struct alignas(16) Box {
    Lanes lanes{
        0,           0, 0, 0, 0, 0, 0, 0, -most_strength, -13, -13, -13, -13, -most_points, -most_controls,
        -most_losers};

    bool operator==(const Box& other) const {
        using Words = std::array<std::uint64_t, 4>;
        const auto one = std::bit_cast<Words>(lanes), two = std::bit_cast<Words>(other.lanes);
        return !((one[0] ^ two[0]) | (one[1] ^ two[1]) | (one[2] ^ two[2]) | (one[3] ^ two[3]));
    }
    int least(int feature) const { return lanes[static_cast<std::size_t>(feature)]; }
    int most(int feature) const { return -lanes[static_cast<std::size_t>(feature + negated)]; }
    // Whether all hands of the box pass a test.
    bool is_certain(const Test& test) const { return lanes[test.lane] >= test.bound; }

    // Leaves the hands that pass a test; false where there are none. Of numbers that a box does not keep it
    // leaves more hands, those whose lengths could pass.
    bool narrow(const Test& test) {
        if (test.lane >= 16) return narrow_lengths(test);
        if (is_certain(test)) return true;
        if (test.bound + lanes[test.lane ^ negated] > 0) return false;
        lanes[test.lane] = test.bound;
        const int feature = test.lane % negated;
        return feature == 0 || feature >= lengths_end || tighten();
    }
    bool narrow_lengths(const Test& test);

    // The smallest box around two.
    static Box hull(const Box& one, const Box& other) {
        Box both;
        for (std::size_t i = 0; i < 16; ++i) both.lanes[i] = std::min(one.lanes[i], other.lanes[i]);
        return both;
    }

    // Leaves lengths that some hand of 13 cards has (section 3.2.2): each is at most what the leasts of the
    // others leave of 13, and at least what their mosts leave. All bounds are reached then.
    bool tighten() {
        const int leasts = lanes[1] + lanes[2] + lanes[3] + lanes[4];
        const int mosts = -(lanes[9] + lanes[10] + lanes[11] + lanes[12]);
        if (leasts > 13 || mosts < 13) return false;
        for (std::size_t i = 1; i < lengths_end; ++i) {
            const auto low = static_cast<std::int16_t>(13 - mosts - lanes[i + negated]);
            const auto high = static_cast<std::int16_t>(leasts - 13 - lanes[i]);
            lanes[i] = std::max(lanes[i], low);
            lanes[i + negated] = std::max(lanes[i + negated], high);
        }
        return true;
    }
};

}  // namespace bidlab::webb
