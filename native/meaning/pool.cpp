#include "meaning/pool.hpp"

namespace bidlab {

HandCounts::HandCounts(std::uint64_t pool, std::uint64_t denied) {
    for (int suit = 0; suit < 4; ++suit) {
        const unsigned allowed = honours_of(pool & ~denied, suit);
        const int spots = std::popcount(spots_of(pool, suit));
        for (unsigned honours = 0; honours < 16; ++honours) {
            if (honours & ~allowed) continue;
            const int held = std::popcount(honours);
            for (int chosen = 0; chosen <= spots; ++chosen)
                suit_[suit][held + chosen][honour_points(honours)] += choose(spots, chosen);
        }
    }
}

HandCounts::ByPoints HandCounts::by_points(const Lengths& lengths) const {
    std::uint64_t two[2][21] = {};  // minors, majors
    for (std::size_t half = 0; half < 2; ++half) {
        const auto& one = suit_[2 * half][lengths[2 * half]];
        const auto& other = suit_[2 * half + 1][lengths[2 * half + 1]];
        for (int p = 0; p <= 10; ++p)
            for (int q = 0; one[p] && q <= 10; ++q) two[half][p + q] += one[p] * other[q];
    }
    ByPoints ways{};
    for (std::size_t p = 0; p <= 20; ++p)
        for (std::size_t q = 0; two[0][p] && q <= 20; ++q) ways[p + q] += two[0][p] * two[1][q];
    return ways;
}

void cell_counts(std::uint64_t pool, std::uint64_t (*out)[meaning::most_points + 1]) {
    const HandCounts counts(pool, 0);
    for (int shape = 0; shape < meaning::shapes; ++shape) {
        const HandCounts::ByPoints ways = counts.by_points(meaning::shape_table.lengths[shape]);
        for (std::size_t p = 0; p <= meaning::most_points; ++p) out[shape][p] = ways[p];
    }
}

}  // namespace bidlab
