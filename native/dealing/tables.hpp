// Exact weights for dealing two hands by shape and points at once, and what is left to the others.
//
// Hands 1 and 2 are the two most narrowly described. For each pair of their shapes the number of ways to deal
// both is counted, honour by honour; the rest of the table is one of three:
//   free    nobody there is described: the cards left are split at random;
//   single  one described seat gets all that is left, so that its shape and points follow from the two hands;
//   double  two seats, one or both described. Which shapes they can have given the points left is counted
//           with all cards taken as equal, which is too many; a draw whose points turn out wrong fails.
#pragma once

#include <cstdint>
#include <vector>

#include "dealing/random.hpp"
#include "dealing/seats.hpp"
#include "dealing/suits.hpp"

namespace bidlab {

class Tables {
   public:
    enum class Rest { free, single, two };

    Tables(std::uint64_t pool, OpenSeat first, OpenSeat second, std::vector<OpenSeat> rest, Rest kind);

    // The deals among which a draw chooses evenly, without the ways to split the cards of a free rest.
    Wide total() const { return pairs_.empty() ? 0 : pairs_.back().end; }

    // Adds cards to the seats' known ones. A deal comes out with probability 1 / total() (and the split of a
    // free rest); what is left of 1 is the probability of failing, which only happens with two described
    // seats in the rest.
    bool draw(Generator& generator, std::uint64_t* hands) const;

   private:
    // A shape of the first seat of a double rest.
    struct Split {
        Lengths get;
        std::uint64_t sums;  // bit x: the points work out if hands 1 and 2 together have x
        std::uint64_t ways;  // to choose its cards among those left
    };

    // What the rest allows if it gets so many cards of each suit.
    struct Remainder {
        std::uint64_t allowed = 0;                 // bit x: hands 1 and 2 together may have x points
        std::uint64_t ways[pack_points + 1] = {};  // double rest: by x, the sum over its splits
        std::vector<Split> splits;
    };

    struct Pair {
        Wide end;               // sum of the weights up to and with this pair's
        std::uint64_t scale;    // most ways of the remainder
        std::uint64_t allowed;  // as Remainder's; all bits where it excludes nothing
        std::uint16_t option1, option2;
        std::int32_t minors, majors, remainder;
    };

    // A point of the tables of one pair: points in the minors, and in the majors.
    struct Cell {
        int minor1, minor2, major1, major2;
        std::uint64_t minor_choice, major_choice;  // among the ways to have them
    };

    // All ways of one pair: points in the minors by points in the majors.
    struct Grid {
        const std::vector<PointPair>& minors;
        const PointSums& majors;
        const Option &one, &other;
        std::uint64_t allowed;  // as Pair's

        Wide weight() const;
        std::uint64_t region(int minor1, int minor2) const;
        Cell cell(Wide choice) const;

        // Points in the majors that are open to hand 1, and to hand 2 beside them.
        std::uint64_t open_rows(int minor1) const { return one.points >> minor1 & low_bits(majors.rows()); }
        std::uint64_t open_columns(int minor1, int minor2, int row) const {
            const std::uint64_t columns = other.points >> minor2 & low_bits(majors.columns());
            return ~allowed ? columns & allowed >> (minor1 + minor2 + row) : columns;
        }
    };

    Grid grid(const Pair& pair) const;
    void add_pair(std::size_t first, std::size_t second);
    int make_remainder(const Lengths& left);
    Remainder single_remainder(const Lengths& left) const;
    Remainder double_remainder(const Lengths& left) const;
    std::uint64_t mirrored(std::uint64_t points) const;

    void deal_halves(Generator& generator, const Pair& pair, const Cell& cell, std::uint64_t* two) const;
    void deal_rest(Generator& generator, std::uint64_t left, const Split* split, std::uint64_t* hands) const;
    const Split* find_split(const Pair& pair, const Cell& cell, std::uint64_t choice) const;

    std::uint64_t pool_;
    int pool_points_;
    OpenSeat first_, second_;
    std::vector<OpenSeat> rest_;
    Rest kind_;
    SuitTables suits_;
    std::vector<Pair> pairs_;
    std::vector<std::int32_t> remainder_by_key_;  // -1: not made yet
    std::vector<Remainder> remainders_;
};

}  // namespace bidlab
