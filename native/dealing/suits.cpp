#include "dealing/suits.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "meaning/pool.hpp"

namespace bidlab {

PointSums::PointSums(const std::uint64_t (&ways)[21][21]) {
    for (int i = 0; i < 21; ++i)
        for (int j = 0; j < 21; ++j)
            if (ways[i][j]) rows_ = i + 1, columns_ = j >= columns_ ? j + 1 : columns_;
    const int width = columns_ + 1;
    sums_.assign(static_cast<std::size_t>((rows_ + 1) * width), 0);
    for (int i = 0; i < rows_; ++i) {
        std::uint64_t in_row = 0;
        for (int j = 0; j < columns_; ++j) {
            in_row += ways[i][j];
            const auto at = static_cast<std::size_t>((i + 1) * width + j + 1);
            sums_[at] = sums_[at - static_cast<std::size_t>(width)] + in_row;
        }
    }
}

SuitTables::SuitTables(std::uint64_t pool, const std::array<std::uint64_t, 3>& denied)
    : pool_(pool),
      suits_(4 * 14 * 14),
      minors_by_key_(14 * 14 * 14 * 14, -1),
      majors_by_key_(minors_by_key_) {
    for (int suit = 0; suit < 4; ++suit) {
        const int size = std::popcount(meaning::holding(pool, suit));
        for (int length1 = 0; length1 <= size; ++length1)
            for (int length2 = 0; length1 + length2 <= size; ++length2)
                make_suit(suit, length1, length2, denied);
    }
}

void SuitTables::make_suit(int suit, int length1, int length2, const std::array<std::uint64_t, 3>& denied) {
    const unsigned honours = honours_of(pool_, suit);
    const int spots = std::popcount(spots_of(pool_, suit));
    Suit& made = suits_[static_cast<std::size_t>((suit * 14 + length1) * 14 + length2)];
    made.begin = static_cast<std::uint32_t>(placements_.size());
    const unsigned open1 = honours & ~honours_of(denied[0], suit);
    const unsigned open2 = honours & ~honours_of(denied[1], suit);
    const unsigned open3 = honours & ~honours_of(denied[2], suit);
    for (unsigned to1 = 0; to1 < 16; ++to1) {
        if (to1 & ~open1) continue;
        for (unsigned to2 = 0; to2 < 16; ++to2) {
            const unsigned to3 = honours & ~to1 & ~to2;
            if (to2 & ~(open2 & ~to1) || to3 & ~open3) continue;
            const int spots1 = length1 - std::popcount(to1), spots2 = length2 - std::popcount(to2);
            if (spots1 < 0 || spots2 < 0 || spots1 + spots2 > spots) continue;
            const auto ways =
                static_cast<std::uint32_t>(choose(spots, spots1) * choose(spots - spots1, spots2));
            const int points1 = honour_points(to1), points2 = honour_points(to2);
            placements_.push_back({static_cast<std::uint8_t>(to1), static_cast<std::uint8_t>(to2),
                                   static_cast<std::uint8_t>(points1), static_cast<std::uint8_t>(points2),
                                   ways});
            made.ways[points1][points2] += ways;
            made.most1 = std::max(made.most1, points1);
            made.most2 = std::max(made.most2, points2);
        }
    }
    made.end = static_cast<std::uint32_t>(placements_.size());
}

void SuitTables::combine(int first, const TwoSuits& lengths, std::uint64_t (&ways)[21][21]) const {
    const Suit& one = suit(first, lengths.first1, lengths.first2);
    const Suit& other = suit(first + 1, lengths.second1, lengths.second2);
    for (int a = 0; a <= one.most1; ++a)
        for (int b = 0; b <= one.most2; ++b) {
            if (!one.ways[a][b]) continue;
            const std::uint64_t factor = one.ways[a][b];
            for (int i = 0; i <= other.most1; ++i)
                for (int j = 0; j <= other.most2; ++j) ways[a + i][b + j] += factor * other.ways[i][j];
        }
}

int SuitTables::make_minors(const TwoSuits& lengths) {
    std::int32_t& number = minors_by_key_[static_cast<std::size_t>(lengths.key())];
    if (number >= 0) return number;
    std::uint64_t ways[21][21] = {};
    combine(0, lengths, ways);
    std::vector<PointPair> pairs;
    for (int i = 0; i < 21; ++i)
        for (int j = 0; j < 21; ++j)
            if (ways[i][j]) pairs.push_back({i, j, ways[i][j]});
    // A draw walks this list: the likely ones first.
    std::sort(pairs.begin(), pairs.end(), [](const PointPair& one, const PointPair& other) {
        return std::tie(other.ways, one.points1, one.points2) <
               std::tie(one.ways, other.points1, other.points2);
    });
    minors_.push_back(std::move(pairs));
    return number = static_cast<std::int32_t>(minors_.size() - 1);
}

int SuitTables::make_majors(const TwoSuits& lengths) {
    std::int32_t& number = majors_by_key_[static_cast<std::size_t>(lengths.key())];
    if (number >= 0) return number;
    std::uint64_t ways[21][21] = {};
    combine(2, lengths, ways);
    majors_.emplace_back(ways);
    return number = static_cast<std::int32_t>(majors_.size() - 1);
}

std::array<Placement, 2> SuitTables::placements(int first, const TwoSuits& lengths, int points1, int points2,
                                                std::uint64_t choice) const {
    const Suit& other = suit(first + 1, lengths.second1, lengths.second2);
    std::array<Placement, 2> chosen{};
    // 1. The placement in the first suit, each with the ways that the second suit has for the points left.
    int left1 = 0, left2 = 0;
    std::uint64_t ways = 0;
    for (const Placement& placed : placements_of(suit(first, lengths.first1, lengths.first2))) {
        left1 = points1 - placed.points1, left2 = points2 - placed.points2;
        if (left1 < 0 || left2 < 0 || left1 + left2 > 10) continue;
        ways = other.ways[left1][left2];
        chosen[0] = placed;
        if (choice < ways * placed.ways) break;
        choice -= ways * placed.ways;
    }
    // 2. The placement in the second suit; which of the spot cards are meant is left to another draw.
    choice %= ways;
    for (const Placement& placed : placements_of(other)) {
        if (placed.points1 != left1 || placed.points2 != left2) continue;
        chosen[1] = placed;
        if (choice < placed.ways) break;
        choice -= placed.ways;
    }
    return chosen;
}

}  // namespace bidlab
