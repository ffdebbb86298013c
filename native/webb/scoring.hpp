// What contracts score (law 77), and IMPs (law 78B).
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>

#include "webb/laws.hpp"

namespace bidlab::webb {

// The score of a contract from declarer's side: the bid as a call, doubled 0 to 2.
constexpr int contract_score(int bid, int doubled, bool is_vulnerable, int tricks) {
    const int level = (bid - first_bid) / 5 + 1, strain = (bid - first_bid) % 5;
    const int over = tricks - level - 6;
    if (over < 0) {
        const int down = -over;
        if (!doubled) return -down * (is_vulnerable ? 100 : 50);
        // Doubled undertricks cost 300 each, the first ones less.
        const int cheaper = is_vulnerable ? 100 : down == 1 ? 200 : down == 2 ? 300 : 400;
        return -(300 * down - cheaper) * doubled;
    }
    const int a_trick = strain < 2 ? 20 : 30;
    const int tricks_bid = (level * a_trick + (strain == 4 ? 10 : 0)) << doubled;
    int score = tricks_bid + (tricks_bid < 100 ? 50 : is_vulnerable ? 500 : 300);
    if (level == 6) score += is_vulnerable ? 750 : 500;
    if (level == 7) score += is_vulnerable ? 1500 : 1000;
    const int an_overtrick = doubled ? (is_vulnerable ? 200 : 100) * doubled : a_trick;
    return score + 50 * doubled + over * an_overtrick;
}

constexpr int imps(int points) {
    constexpr std::array<int, 24> steps = {20,   50,   90,   130,  170,  220,  270,  320,
                                           370,  430,  500,  600,  750,  900,  1100, 1300,
                                           1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000};
    const int size = points < 0 ? -points : points;
    const int count = static_cast<int>(std::upper_bound(steps.begin(), steps.end(), size) - steps.begin());
    return points < 0 ? -count : count;
}

}  // namespace bidlab::webb
