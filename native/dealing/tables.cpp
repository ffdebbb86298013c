#include "dealing/tables.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace bidlab {
namespace {

// The honours that no seat of the rest may hold; none where anybody there is free.
std::uint64_t denied_to(const std::vector<OpenSeat>& rest) {
    std::uint64_t denied = rest.empty() ? 0 : ~std::uint64_t{0};
    for (const OpenSeat& seat : rest) denied &= seat.denied;
    return denied;
}

// Bit p + q for every bit p of one and q of the other.
std::uint64_t sums(std::uint64_t one, std::uint64_t other) {
    if (std::popcount(one) > std::popcount(other)) std::swap(one, other);
    std::uint64_t result = 0;
    for (; one; one &= one - 1) result |= other << std::countr_zero(one);
    return result;
}

TwoSuits two_suits(const Option& one, const Option& other, std::size_t suit) {
    return {one.get[suit], other.get[suit], one.get[suit + 1], other.get[suit + 1]};
}

// Ways in one row of a table over the columns whose bits are set.
std::uint64_t row_sum(const PointSums& table, int row, std::uint64_t columns) {
    std::uint64_t sum = 0;
    while (columns) {
        const int left = std::countr_zero(columns);
        const int right = left + std::countr_one(columns >> left);
        sum += table.rectangle(row, row + 1, left, right);
        columns &= ~low_bits(right);
    }
    return sum;
}

}  // namespace

// The ways in the majors that go with these points in the minors.
std::uint64_t Tables::Grid::region(int minor1, int minor2) const {
    std::uint64_t sum = 0;
    // Where the rest excludes nothing, each run of points of hand 1 by each of hand 2 is a rectangle.
    if (!~allowed) {
        for (int i = 0; i < one.runs; ++i) {
            const Run rows = one.run[static_cast<std::size_t>(i)];
            const int top = std::max(rows.first - minor1, 0);
            const int bottom = std::min(rows.last - minor1 + 1, majors.rows());
            if (top >= bottom) continue;
            for (int j = 0; j < other.runs; ++j) {
                const Run columns = other.run[static_cast<std::size_t>(j)];
                const int left = std::max(columns.first - minor2, 0);
                const int right = std::min(columns.last - minor2 + 1, majors.columns());
                if (left < right) sum += majors.rectangle(top, bottom, left, right);
            }
        }
        return sum;
    }
    for (std::uint64_t rows = open_rows(minor1); rows; rows &= rows - 1) {
        const int row = std::countr_zero(rows);
        sum += row_sum(majors, row, open_columns(minor1, minor2, row));
    }
    return sum;
}

Wide Tables::Grid::weight() const {
    Wide sum = 0;
    for (const PointPair& points : minors)
        sum += static_cast<Wide>(points.ways) * region(points.points1, points.points2);
    return sum;
}

Tables::Tables(std::uint64_t pool, OpenSeat first, OpenSeat second, std::vector<OpenSeat> rest, Rest kind)
    : pool_(pool),
      pool_points_(meaning::high_card_points(pool)),
      first_(std::move(first)),
      second_(std::move(second)),
      rest_(std::move(rest)),
      kind_(kind),
      suits_(pool, {first_.denied, second_.denied, kind == Rest::free ? 0 : denied_to(rest_)}),
      remainder_by_key_(14 * 14 * 14 * 14, -1) {
    for (std::size_t i = 0; i < first_.options.size(); ++i)
        for (std::size_t j = 0; j < second_.options.size(); ++j) add_pair(i, j);
}

void Tables::add_pair(std::size_t i, std::size_t j) {
    // 1. Lengths: what the two hands leave to the rest.
    const Option &one = first_.options[i], &other = second_.options[j];
    Lengths left = lengths_of(pool_);
    for (std::size_t suit = 0; suit < 4; ++suit) {
        left[suit] = static_cast<std::int8_t>(left[suit] - one.get[suit] - other.get[suit]);
        if (left[suit] < 0) return;
    }
    // 2. Points: those of both hands together that the rest allows.
    Pair pair{0, 1, ~std::uint64_t{0}, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j), 0,
              0, -1};
    if (kind_ != Rest::free) {
        pair.remainder = make_remainder(left);
        const Remainder& remainder = remainders_[static_cast<std::size_t>(pair.remainder)];
        const std::uint64_t reached = sums(one.points, other.points) & low_bits(pool_points_ + 1);
        if (!(reached & remainder.allowed)) return;
        if (reached & ~remainder.allowed) pair.allowed = remainder.allowed;
        if (kind_ == Rest::two) {
            pair.scale = 0;
            for (std::uint64_t bits = reached & remainder.allowed; bits; bits &= bits - 1)
                pair.scale = std::max(pair.scale, remainder.ways[std::countr_zero(bits)]);
        }
    }
    // 3. The weight, and the running sum of all.
    pair.minors = suits_.make_minors(two_suits(one, other, 0));
    pair.majors = suits_.make_majors(two_suits(one, other, 2));
    const Wide ways = grid(pair).weight();
    if (!ways) return;
    pair.end = total() + ways * pair.scale;
    pairs_.push_back(pair);
}

// Bit pool points - p for every bit p: from what the rest has to what hands 1 and 2 have.
std::uint64_t Tables::mirrored(std::uint64_t points) const {
    std::uint64_t result = 0;
    for (points &= low_bits(pool_points_ + 1); points; points &= points - 1)
        result |= std::uint64_t{1} << (pool_points_ - std::countr_zero(points));
    return result;
}

int Tables::make_remainder(const Lengths& left) {
    std::int32_t& number =
        remainder_by_key_[static_cast<std::size_t>(TwoSuits{left[0], left[1], left[2], left[3]}.key())];
    if (number >= 0) return number;
    remainders_.push_back(kind_ == Rest::single ? single_remainder(left) : double_remainder(left));
    return number = static_cast<std::int32_t>(remainders_.size() - 1);
}

Tables::Remainder Tables::single_remainder(const Lengths& left) const {
    Remainder remainder;
    remainder.allowed = mirrored(rest_[0].points_with(left));
    return remainder;
}

Tables::Remainder Tables::double_remainder(const Lengths& left) const {
    Remainder remainder;
    for (const Option& option : rest_[0].options) {
        Lengths other{};
        std::uint64_t ways = 1;
        for (std::size_t suit = 0; suit < 4; ++suit) {
            other[suit] = static_cast<std::int8_t>(left[suit] - option.get[suit]);
            ways *= choose(left[suit], option.get[suit]);
        }
        if (!ways) continue;
        const std::uint64_t reached = mirrored(sums(option.points, rest_[1].points_with(other)));
        if (!reached) continue;
        remainder.splits.push_back({option.get, reached, ways});
        remainder.allowed |= reached;
        for (std::uint64_t bits = reached; bits; bits &= bits - 1)
            remainder.ways[std::countr_zero(bits)] += ways;
    }
    return remainder;
}

Tables::Grid Tables::grid(const Pair& pair) const {
    return {suits_.minors(pair.minors), suits_.majors(pair.majors), first_.options[pair.option1],
            second_.options[pair.option2], pair.allowed};
}

// The cell in which way number `choice` lies.
Tables::Cell Tables::Grid::cell(Wide choice) const {
    // 1. Points in the minors.
    std::uint64_t in_region = 0;
    int minor1 = 0, minor2 = 0;
    for (const PointPair& points : minors) {
        minor1 = points.points1, minor2 = points.points2;
        in_region = region(minor1, minor2);
        const Wide ways = static_cast<Wide>(points.ways) * in_region;
        if (choice < ways) break;
        choice -= ways;
    }
    // 2. Points in the majors: the row, then the column. Both parts of the number are even by themselves.
    const auto minor_choice = static_cast<std::uint64_t>(choice / in_region);
    auto left = static_cast<std::uint64_t>(choice % in_region);
    for (std::uint64_t rows = open_rows(minor1); rows; rows &= rows - 1) {
        const int row = std::countr_zero(rows);
        std::uint64_t columns = open_columns(minor1, minor2, row);
        const std::uint64_t in_row = row_sum(majors, row, columns);
        if (left >= in_row) {
            left -= in_row;
            continue;
        }
        for (;; columns &= columns - 1) {
            const int column = std::countr_zero(columns);
            const std::uint64_t ways = majors.rectangle(row, row + 1, column, column + 1);
            if (left < ways) return {minor1, minor2, row, column, minor_choice, left};
            left -= ways;
        }
    }
    return {};  // not reached: the rows hold in_region ways together
}

// The split of a double rest that `choice` names, or none if there are not so many with these points.
const Tables::Split* Tables::find_split(const Pair& pair, const Cell& cell, std::uint64_t choice) const {
    const Remainder& remainder = remainders_[static_cast<std::size_t>(pair.remainder)];
    const int points = cell.minor1 + cell.minor2 + cell.major1 + cell.major2;
    if (choice >= remainder.ways[points]) return nullptr;
    for (const Split& split : remainder.splits) {
        if (!(split.sums >> points & 1)) continue;
        if (choice < split.ways) return &split;
        choice -= split.ways;
    }
    return nullptr;  // not reached
}

bool Tables::draw(Generator& generator, std::uint64_t* hands) const {
    // 1. Shapes of hands 1 and 2, in proportion to their weights.
    Wide choice = generator.below(total());
    const auto pair = std::upper_bound(pairs_.begin(), pairs_.end(), choice,
                                       [](Wide number, const Pair& p) { return number < p.end; });
    if (pair != pairs_.begin()) choice -= std::prev(pair)->end;
    // 2. Points of both by suits, and the shapes of a double rest. A pair weighs its ways times `scale`;
    // points that leave the rest fewer splits than that fail in proportion, so that every (cards of both
    // hands, split, cards of the split) keeps the same probability of one in the total.
    const Cell cell = grid(*pair).cell(choice / pair->scale);
    const Split* split = nullptr;
    if (kind_ == Rest::two) {
        split = find_split(*pair, cell, static_cast<std::uint64_t>(choice % pair->scale));
        if (!split) return false;
    }
    // 3. Their cards, and everybody else's.
    std::uint64_t two[2] = {};
    deal_halves(generator, *pair, cell, two);
    if (first_.number >= 0) hands[first_.number] |= two[0];
    if (second_.number >= 0) hands[second_.number] |= two[1];
    deal_rest(generator, pool_ & ~two[0] & ~two[1], split, hands);
    return true;
}

void Tables::deal_halves(Generator& generator, const Pair& pair, const Cell& cell, std::uint64_t* two) const {
    const Option &one = first_.options[pair.option1], &other = second_.options[pair.option2];
    for (int half = 0; half < 4; half += 2) {
        const TwoSuits lengths = two_suits(one, other, static_cast<std::size_t>(half));
        const auto placed = half == 0
                                ? suits_.placements(0, lengths, cell.minor1, cell.minor2, cell.minor_choice)
                                : suits_.placements(2, lengths, cell.major1, cell.major2, cell.major_choice);
        for (int i = 0; i < 2; ++i) {
            const int suit = half + i, shift = 13 * suit;
            const Placement& honours = placed[static_cast<std::size_t>(i)];
            const int length1 = i ? lengths.second1 : lengths.first1;
            const int length2 = i ? lengths.second2 : lengths.first2;
            std::uint64_t spots = spots_of(pool_, suit);
            const std::uint64_t spots1 =
                random_cards(generator, spots, length1 - std::popcount(honours.honours1));
            spots ^= spots1;
            const std::uint64_t spots2 =
                random_cards(generator, spots, length2 - std::popcount(honours.honours2));
            two[0] |= (std::uint64_t{honours.honours1} << 9 | spots1) << shift;
            two[1] |= (std::uint64_t{honours.honours2} << 9 | spots2) << shift;
        }
    }
}

void Tables::deal_rest(Generator& generator, std::uint64_t left, const Split* split,
                       std::uint64_t* hands) const {
    if (split) {
        for (std::size_t suit = 0; suit < 4; ++suit) {
            const std::uint64_t in_suit = left & std::uint64_t{0x1fff} << 13 * suit;
            hands[rest_[0].number] |= random_cards(generator, in_suit, split->get[suit]);
        }
        hands[rest_[1].number] |= left & ~hands[rest_[0].number];
        return;
    }
    for (const OpenSeat& seat : rest_) {
        const std::uint64_t cards = random_cards(generator, left, seat.need);
        hands[seat.number] |= cards;
        left ^= cards;
    }
}

}  // namespace bidlab
