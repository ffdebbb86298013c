// Cards that are still to be dealt, and in how many ways a hand can get some of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "meaning/shapes.hpp"

namespace bidlab {

using meaning::Lengths;

constexpr int pack_points = 40;

// In how many ways k of n cards can be chosen.
struct Binomials {
    std::uint64_t of[53][53];

    constexpr Binomials() : of{} {
        for (int n = 0; n <= 52; ++n) {
            of[n][0] = 1;
            for (int k = 1; k <= n; ++k) of[n][k] = of[n - 1][k - 1] + (k < n ? of[n - 1][k] : 0);
        }
    }
};

inline constexpr Binomials binomials;

constexpr std::uint64_t choose(int n, int k) { return k < 0 || k > n ? 0 : binomials.of[n][k]; }

// Honours of a suit as four bits: jack 0, queen 1, king 2, ace 3. What they count is by bit 1 2 3 4.
constexpr int honour_points(unsigned honours) {
    return static_cast<int>((honours & 1) + (honours >> 1 & 1) * 2 + (honours >> 2 & 1) * 3 +
                            (honours >> 3 & 1) * 4);
}

constexpr unsigned honours_of(std::uint64_t cards, int suit) { return meaning::holding(cards, suit) >> 9; }
constexpr unsigned spots_of(std::uint64_t cards, int suit) { return meaning::holding(cards, suit) & 0x1ff; }

inline Lengths lengths_of(std::uint64_t cards) {
    Lengths lengths{};
    for (int suit = 0; suit < 4; ++suit)
        lengths[static_cast<std::size_t>(suit)] =
            static_cast<std::int8_t>(std::popcount(meaning::holding(cards, suit)));
    return lengths;
}

// The bits 0 .. count - 1.
constexpr std::uint64_t low_bits(int count) {
    return count <= 0 ? 0 : ~std::uint64_t{0} >> (64 - (count < 64 ? count : 64));
}

// One hand drawn from a pool: its number of possibilities by lengths and points.
class HandCounts {
   public:
    using ByPoints = std::array<std::uint64_t, pack_points + 1>;

    // Honours among `denied` do not go to this hand.
    HandCounts(std::uint64_t pool, std::uint64_t denied);

    ByPoints by_points(const Lengths& lengths) const;

   private:
    std::uint64_t suit_[4][14][11] = {};  // by length and points
};

// How many hands of 13 cards from the pool lie in each cell.
void cell_counts(std::uint64_t pool, std::uint64_t (*out)[meaning::most_points + 1]);

}  // namespace bidlab
