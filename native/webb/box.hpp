// What is known of a hand: the least and the most of its strength and of its lengths.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace bidlab::webb {

constexpr int features = 5;                       // strength, clubs, diamonds, hearts, spades
constexpr int most_strength = 449;                // of AKQJ.AKQ.AKQ.AKQ, in steps of 5/64
constexpr int least_deck = 510, most_deck = 513;  // four rounded strengths add up to something between

using Values = std::array<std::int16_t, features>;

// The values of a hand of 13 cards.
Values values_of(std::uint64_t hand);

// A question about one value of the player who calls, as everybody at the table can work it out.
struct Test {
    enum Kind : std::uint8_t { at_least, at_most };

    Kind kind;
    std::uint8_t feature;
    std::int16_t bound;

    bool holds(const Values& own) const {
        return kind == at_least ? own[feature] >= bound : own[feature] <= bound;
    }
    Test opposite() const {
        if (kind == at_least) return {at_most, feature, static_cast<std::int16_t>(bound - 1)};
        return {at_least, feature, static_cast<std::int16_t>(bound + 1)};
    }
};

// Lanes 0 to 4 are features, the others 0. The mosts are negated, so that a hull is one minimum over all
// lanes.
struct alignas(16) Box {
    std::array<std::int16_t, 8> least{};
    std::array<std::int16_t, 8> negated{-most_strength, -13, -13, -13, -13};

    bool operator==(const Box&) const = default;
    int most(int feature) const { return -negated[static_cast<std::size_t>(feature)]; }
    bool has(const Values& own) const {
        for (std::size_t i = 0; i < features; ++i)
            if (own[i] < least[i] || own[i] > -negated[i]) return false;
        return true;
    }
    // Whether no value or every value of the box passes the test.
    bool is_certain(const Test& test) const {
        const auto i = test.feature;
        return test.kind == Test::at_least ? least[i] >= test.bound : -negated[i] <= test.bound;
    }

    // Leaves the hands that pass a test; false where there are none.
    bool narrow(const Test& test) {
        const auto i = test.feature;
        auto& bound = test.kind == Test::at_least ? least[i] : negated[i];
        const int wanted = test.kind == Test::at_least ? test.bound : -test.bound;
        if (wanted <= bound) return true;
        bound = static_cast<std::int16_t>(wanted);
        return least[i] + negated[i] <= 0 && (!i || tighten());
    }

    // The smallest box around two.
    static Box hull(const Box& one, const Box& other) {
        Box both;
        for (std::size_t i = 0; i < 8; ++i) {
            both.least[i] = std::min(one.least[i], other.least[i]);
            both.negated[i] = std::min(one.negated[i], other.negated[i]);
        }
        return both;
    }

    // Leaves lengths that some hand of 13 cards has (section 3.2.2): each is at most what the leasts of the
    // others leave of 13, and at least what their mosts leave. All bounds are reached then.
    bool tighten() {
        const int leasts = least[1] + least[2] + least[3] + least[4];
        const int mosts = -negated[1] - negated[2] - negated[3] - negated[4];
        if (leasts > 13 || mosts < 13) return false;
        for (std::size_t i = 1; i < features; ++i) {
            const int low = 13 - (mosts + negated[i]), high = 13 - (leasts - least[i]);
            least[i] = static_cast<std::int16_t>(std::max<int>(least[i], low));
            negated[i] = static_cast<std::int16_t>(std::max<int>(negated[i], -high));
        }
        return true;
    }
};

}  // namespace bidlab::webb
