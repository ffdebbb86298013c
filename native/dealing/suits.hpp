// How the cards of the pool can fall to two hands and the rest of the table, one suit and two suits at a
// time.
//
// Once every hand's length in a suit is fixed, the suits are independent. Within a suit only the four honours
// count points, so that their at most 81 placements, each with the ways of dealing the spot cards, say all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bidlab {

// Honours of one suit (four bits, jack lowest) to hands 1 and 2, and the ways to deal the spot cards then.
struct Placement {
    std::uint8_t honours1, honours2;
    std::uint8_t points1, points2;
    std::uint32_t ways;
};

// Points of hands 1 and 2 in two suits, and the ways to get them.
struct PointPair {
    std::int32_t points1, points2;
    std::uint64_t ways;
};

// Ways by points of hands 1 and 2, as sums over all rows and columns before (i, j): a rectangle of any size
// costs four look-ups.
class PointSums {
   public:
    PointSums(const std::uint64_t (&ways)[21][21]);

    int rows() const { return rows_; }        // beyond the most points that hand 1 can have
    int columns() const { return columns_; }  // the same of hand 2

    // Ways with points of hand 1 in [top, bottom) and of hand 2 in [left, right).
    std::uint64_t rectangle(int top, int bottom, int left, int right) const {
        const std::uint64_t *above = row(top), *below = row(bottom);
        return below[right] - below[left] - above[right] + above[left];
    }

   private:
    const std::uint64_t* row(int i) const { return sums_.data() + i * (columns_ + 1); }

    int rows_ = 0, columns_ = 0;
    std::vector<std::uint64_t> sums_;
};

// The lengths of hands 1 and 2 in two suits, lower suit first: 14 values each.
struct TwoSuits {
    int first1, first2, second1, second2;
    int key() const { return ((first1 * 14 + first2) * 14 + second1) * 14 + second2; }
};

class SuitTables {
   public:
    // Honours that are denied to hand 1, hand 2 and the rest are not placed there.
    SuitTables(std::uint64_t pool, const std::array<std::uint64_t, 3>& denied);

    // Tables of two suits are made on first demand, and known by number from then on.
    int make_minors(const TwoSuits& lengths);
    int make_majors(const TwoSuits& lengths);
    const std::vector<PointPair>& minors(int number) const {
        return minors_[static_cast<std::size_t>(number)];
    }
    const PointSums& majors(int number) const { return majors_[static_cast<std::size_t>(number)]; }

    // The placements in suits `suit` and `suit` + 1 that number `choice` of those with the given points
    // names.
    std::array<Placement, 2> placements(int suit, const TwoSuits& lengths, int points1, int points2,
                                        std::uint64_t choice) const;

   private:
    struct Suit {
        std::uint32_t begin = 0, end = 0;  // of its placements
        std::uint32_t ways[11][11] = {};   // by points of hands 1 and 2
        int most1 = 0, most2 = 0;          // points that are reached
    };

    void make_suit(int suit, int length1, int length2, const std::array<std::uint64_t, 3>& denied);
    const Suit& suit(int suit, int length1, int length2) const {
        return suits_[static_cast<std::size_t>((suit * 14 + length1) * 14 + length2)];
    }
    std::span<const Placement> placements_of(const Suit& suit) const {
        return {placements_.data() + suit.begin, placements_.data() + suit.end};
    }
    void combine(int suit, const TwoSuits& lengths, std::uint64_t (&ways)[21][21]) const;

    std::uint64_t pool_;
    std::vector<Suit> suits_;  // [suit, length of hand 1, of hand 2]
    std::vector<Placement> placements_;
    std::vector<std::int32_t> minors_by_key_, majors_by_key_;  // -1: not made yet
    std::vector<std::vector<PointPair>> minors_;
    std::vector<PointSums> majors_;
};

}  // namespace bidlab
