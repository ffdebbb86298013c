// Shapes and cells: the coarse grid on which meanings are compared, counted and dealt.
//
// A shape is the four lengths of a hand, clubs first; there are 560, numbered in lexicographic order. A cell
// is a shape and a number of high-card points, 0 to 37. A set of cells is one word a shape, bit p for p
// points.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace bidlab::meaning {

constexpr int shapes = 560;
constexpr int most_points = 37;

using Cells = std::array<std::uint64_t, shapes>;
using Lengths = std::array<std::int8_t, 4>;  // clubs, diamonds, hearts, spades

struct ShapeTable {
    Lengths lengths[shapes];
    std::int16_t first[14][14];  // by clubs and diamonds, the number of the shape without hearts

    constexpr ShapeTable() : lengths{}, first{} {
        int number = 0;
        for (int c = 0; c <= 13; ++c)
            for (int d = 0; c + d <= 13; ++d) {
                first[c][d] = static_cast<std::int16_t>(number);
                for (int h = 0; c + d + h <= 13; ++h)
                    lengths[number++] = {static_cast<std::int8_t>(c), static_cast<std::int8_t>(d),
                                         static_cast<std::int8_t>(h),
                                         static_cast<std::int8_t>(13 - c - d - h)};
            }
    }
};

inline constexpr ShapeTable shape_table;

constexpr int shape_number(int clubs, int diamonds, int hearts) {
    return shape_table.first[clubs][diamonds] + hearts;
}

// The 13 bits of a suit, two lowest, of a hand with bit 13 * suit + rank for each card.
constexpr unsigned holding(std::uint64_t hand, int suit) {
    return static_cast<unsigned>(hand >> 13 * suit) & 0x1fff;
}

// Length and points of each of the 8,192 holdings of a suit: not every processor counts bits in one
// instruction.
struct HoldingTable {
    std::uint8_t length[8192], points[8192];

    constexpr HoldingTable() : length{}, points{} {
        for (unsigned held = 0; held < 8192; ++held) {
            const unsigned honours = held >> 9;  // jack lowest
            length[held] = static_cast<std::uint8_t>(std::popcount(held));
            points[held] = static_cast<std::uint8_t>((honours & 1) + 2 * (honours >> 1 & 1) +
                                                     3 * (honours >> 2 & 1) + 4 * (honours >> 3));
        }
    }
};

inline constexpr HoldingTable holding_table;

// The number of the shape of a hand of 13 cards.
inline int shape_of(std::uint64_t hand) {
    return shape_number(holding_table.length[holding(hand, 0)], holding_table.length[holding(hand, 1)],
                        holding_table.length[holding(hand, 2)]);
}

inline int high_card_points(std::uint64_t hand) {
    return holding_table.points[holding(hand, 0)] + holding_table.points[holding(hand, 1)] +
           holding_table.points[holding(hand, 2)] + holding_table.points[holding(hand, 3)];
}

}  // namespace bidlab::meaning
