// What the calls of a player have told of the hand: a set of cells, and its sums.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bidding/slots.hpp"
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
std::uint64_t points_in(const Cells& cells);

// Sets with one another: all of either, what both have, what the first has and the second has not.
void add_cells(Cells& to, const Cells& cells);
void keep_common(Cells& of, const Cells& cells);
void set_common(const Cells& one, const Cells& other, Cells& common);
void take_cells(Cells& from, const Cells& cells);

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
    bool operator==(const Outline&) const = default;
    bool meets(const Outline& other) const;
    bool has(std::size_t shape, int with_points) const {
        return (points >> with_points & 1) && (shapes[shape / 64] & shape_bit(shape));
    }
    // The number of shapes.
    std::size_t size() const {
        std::size_t sum = 0;
        for (const std::uint64_t word : shapes) sum += static_cast<std::size_t>(std::popcount(word));
        return sum;
    }
    // Takes cells away from those of which it is the outline.
    void take_away(Cells& cells, const Cells& taken);
    // Calls f(shape) for each shape.
    template <typename F>
    void each_shape(F f) const {
        for (std::size_t word = 0; word < shapes.size(); ++word)
            for (std::uint64_t left = shapes[word]; left; left &= left - 1)
                f(shape_of_bit(word, std::countr_zero(left)));
    }
};

// Sets of cells that came up, each kept once, with a number.
class Bank {
   public:
    Bank() { clear(); }

    int number_of(const Cells& cells);
    Cells cells(int number) const;
    const Summary& summary(int number) const { return entry(number).summary; }
    const Outline& outline(int number) const { return entry(number).outline; }
    std::size_t size() const { return size_; }
    void clear();  // every hand keeps number 0

   private:
    // Of a set only the rows with cells in them are kept, in the order in which its outline names their
    // shapes: 38 bits each, the lower 32 of all of them, then a byte each for the others.
    struct Entry {
        Summary summary;
        Outline outline;
        const std::byte* rows;
    };
    static constexpr std::size_t chunk = 1024;          // entries
    static constexpr std::size_t page_size = 1u << 20;  // bytes

    const Entry& entry(int number) const {
        const auto at = static_cast<std::size_t>(number);
        return chunks_[at / chunk][at % chunk];
    }
    bool is_kept(const Entry& entry, const Outline& outline, const Cells& cells) const;
    const std::byte* keep_rows(const Outline& outline, const Cells& cells);
    std::byte* room_for(std::size_t bytes);

    std::vector<std::unique_ptr<Entry[]>> chunks_;
    std::size_t size_ = 0;
    Slots<std::uint64_t> slots_;                       // where sets are found
    std::vector<std::unique_ptr<std::byte[]>> pages_;  // with rows
    std::size_t page_left_ = 0;                        // bytes of the last one
};

}  // namespace bidlab::bidding
