// What is known of a hand: the least and the most of its strength and of its lengths.
//
// Numbers come in 16 lanes: in lane f the least of feature f, in lane f + 8 its most, negated. So every bound
// is a "number in this lane is at least", the hull of two boxes is a minimum over the lanes, and a question
// and its opposite differ in one bit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace bidlab::webb {

constexpr int features = 5;                       // strength, clubs, diamonds, hearts, spades
constexpr int negated = 8;                        // added to a feature: the lane of its most
constexpr int most_strength = 449;                // of AKQJ.AKQ.AKQ.AKQ, in steps of 5/64
constexpr int least_deck = 510, most_deck = 513;  // four rounded strengths add up to something between

using Lanes = std::array<std::int16_t, 16>;

// The values of a hand of 13 cards, and the same negated.
struct alignas(16) Values {
    Lanes lanes{};
};
Values values_of(std::uint64_t hand);

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
    Lanes lanes{0, 0, 0, 0, 0, 0, 0, 0, -most_strength, -13, -13, -13, -13};

    bool operator==(const Box& other) const {
        using Words = std::array<std::uint64_t, 4>;
        const auto one = std::bit_cast<Words>(lanes), two = std::bit_cast<Words>(other.lanes);
        return !((one[0] ^ two[0]) | (one[1] ^ two[1]) | (one[2] ^ two[2]) | (one[3] ^ two[3]));
    }
    int least(int feature) const { return lanes[static_cast<std::size_t>(feature)]; }
    int most(int feature) const { return -lanes[static_cast<std::size_t>(feature + negated)]; }
    // Whether all hands of the box pass a test.
    bool is_certain(const Test& test) const { return lanes[test.lane] >= test.bound; }

    // Leaves the hands that pass a test; false where there are none.
    bool narrow(const Test& test) {
        if (is_certain(test)) return true;
        if (test.bound + lanes[test.lane ^ negated] > 0) return false;
        lanes[test.lane] = test.bound;
        return test.lane % negated == 0 || tighten();
    }

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
        for (std::size_t i = 1; i < features; ++i) {
            const auto low = static_cast<std::int16_t>(13 - mosts - lanes[i + negated]);
            const auto high = static_cast<std::int16_t>(leasts - 13 - lanes[i]);
            lanes[i] = std::max(lanes[i], low);
            lanes[i + negated] = std::max(lanes[i + negated], high);
        }
        return true;
    }
};

}  // namespace bidlab::webb
