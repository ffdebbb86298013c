// What the calls of a player have told of the hand: a set of cells, and its sums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "meaning/shapes.hpp"

namespace bidlab::bidding {

using meaning::Cells;

// A number that is not known: how far it can lie, what to expect and how surely.
struct Estimate {
    int least = 0, most = 0;
    double mean = 0, variance = 0;
};

// Of the hands of a set of cells, each hand as likely as any other.
struct Summary {
    Estimate hcp;
    Estimate length[4];  // clubs .. spades
    double support[4];   // mean of what a dummy's shortness is worth with this suit as trumps
    double hands = 0;    // how many there are
};

// What shortness is worth in a hand of a shape with a suit as trumps: the feature `support` less the points.
struct ShortnessTable {
    std::int8_t worth[meaning::shapes][4];

    constexpr ShortnessTable() : worth{} {
        constexpr int by_length[3][3] = {{0, 0, 0}, {3, 2, 1}, {5, 3, 1}};
        for (int shape = 0; shape < meaning::shapes; ++shape) {
            const meaning::Lengths& lengths = meaning::shape_table.lengths[shape];
            for (std::size_t trumps = 0; trumps < 4; ++trumps) {
                const int* of = by_length[lengths[trumps] < 3 ? 0 : lengths[trumps] == 3 ? 1 : 2];
                for (std::size_t suit = 0; suit < 4; ++suit)
                    if (suit != trumps && lengths[suit] < 3)
                        worth[shape][trumps] =
                            static_cast<std::int8_t>(worth[shape][trumps] + of[lengths[suit]]);
            }
        }
    }
};

inline constexpr ShortnessTable shortness_table;

inline int shortness(std::size_t shape, int trumps) { return shortness_table.worth[shape][trumps]; }

Summary summary_of(const Cells& cells);

// The cells in which there is a hand at all.
const Cells& every_cell();

// The points that come up in some cells.
inline std::uint64_t points_in(const Cells& cells) {
    std::uint64_t any = 0;
    for (const std::uint64_t row : cells) any |= row;
    return any;
}

inline bool is_empty(const Cells& cells) { return !points_in(cells); }

// Sets of shapes: 64 shapes a word, those with the same rest by four together in 16 bits, as they are found
// fastest.
constexpr std::uint64_t shape_bit(std::size_t shape) {
    return std::uint64_t{1} << (16 * (shape % 4) + shape % 64 / 4);
}
constexpr std::size_t shape_of_bit(std::size_t word, int bit) {
    return 64 * word + 4 * static_cast<std::size_t>(bit & 15) + static_cast<std::size_t>(bit >> 4);
}

// A rough outline of a set of cells: the points that come up in it, and the shapes. Two sets whose outlines
// do not meet have no cell in common, and that is quickly seen.
struct Outline {
    std::uint64_t points = 0;
    std::array<std::uint64_t, 9> shapes{};

    explicit Outline() = default;
    explicit Outline(const Cells& cells);
    bool meets(const Outline& other) const;
    bool has(std::size_t shape, int with_points) const {
        return (points >> with_points & 1) && (shapes[shape / 64] & shape_bit(shape));
    }
    // Takes cells away from those of which it is the outline.
    void take_away(Cells& cells, const Cells& taken);
};

// Sets of cells that came up, each kept once, with a number.
class Bank {
   public:
    Bank() { clear(); }

    int number_of(const Cells& cells);
    Cells cells(int number) const;
    const Summary& summary(int number) const { return entry(number).summary; }
    std::size_t size() const { return size_; }
    void clear();  // every hand keeps number 0

   private:
    // Few different rows come up: a set is a number of a row for each shape, half of the rows themselves.
    struct Entry {
        std::array<std::uint32_t, meaning::shapes> rows;
        Summary summary;
    };
    struct Slot {
        std::uint64_t hash = 0;
        std::int32_t number = -1;  // of a set; -1: free
    };
    static constexpr std::size_t chunk = 64;

    const Entry& entry(int number) const {
        const auto at = static_cast<std::size_t>(number);
        return chunks_[at / chunk][at % chunk];
    }
    bool is_kept(const Entry& entry, const Cells& cells) const;
    void spread_sets(std::size_t slots);
    std::uint32_t row_number(std::uint64_t row);
    void spread_rows(std::size_t slots);

    std::vector<std::unique_ptr<Entry[]>> chunks_;
    std::size_t size_ = 0;
    std::vector<Slot> slots_;  // where sets are found by their hash: a power of two
    std::vector<std::uint64_t> rows_;
    // Where rows are found: a power of two of slots, each with a row's number or 0, the row of no cells,
    // which is known without looking. Looked up by the hundred for each set, so that a map would take a tenth
    // of the time of bidding.
    std::vector<std::uint32_t> row_slots_;
};

}  // namespace bidlab::bidding
