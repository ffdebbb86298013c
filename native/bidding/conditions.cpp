#include "bidding/conditions.hpp"

#include <algorithm>

#include "meaning/features.hpp"
#include "meaning/pool.hpp"

namespace bidlab::bidding {

namespace {

constexpr int suit_feature(int kind, int suit) { return meaning::first_of_suit + 4 * kind + suit; }

// The bits of points from least to most.
constexpr std::uint64_t run(int least, int most) {
    return low_bits(most + 1) & ~low_bits(std::max(least, 0));
}

// The points with which hands of a shape may fulfil a clause; `is_sure` turns false where shape and points do
// not decide it.
std::uint64_t row_of(const Clause& clause, std::size_t shape, bool& is_sure) {
    std::uint64_t row = low_bits(meaning::most_points + 1);
    for (int i = 0; i < clause.count && row; ++i) {
        const Test& test = clause.tests[i];
        if (test.feature == meaning::hcp) {
            row &= run(test.least, test.most);
            continue;
        }
        const int kind = (test.feature - meaning::first_of_suit) >> 2;
        const int suit = (test.feature - meaning::first_of_suit) & 3;
        const int cards = meaning::shape_table.lengths[shape][static_cast<std::size_t>(suit)];
        if (kind == meaning::length) {
            if (cards < test.least || cards > test.most) return 0;
        } else if (kind == meaning::support) {
            const int bonus = shortness(static_cast<int>(shape), suit);
            row &= run(test.least - bonus, std::min(test.most - bonus, meaning::most_points));
        } else {  // a stopper: a card at least, and a point
            if (cards == 0) return 0;
            row &= ~std::uint64_t{1};
            is_sure = false;
        }
    }
    return row;
}

std::uint64_t hash_of(const Clauses& clauses) {
    std::uint64_t hash = clauses.size();
    for (const Clause& clause : clauses)
        for (int i = 0; i <= clause.count; ++i) {
            const Test& test = clause.tests[std::min(i, Clause::longest - 1)];
            const auto word = i == clause.count
                                  ? 77u
                                  : static_cast<unsigned>(static_cast<std::uint8_t>(test.feature)) |
                                        static_cast<unsigned>(test.least + 64) << 8 |
                                        static_cast<unsigned>(test.most + 64) << 16;
            hash = (hash ^ word) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 29;
        }
    return hash;
}

}  // namespace

Clause& Clause::with(int feature, int least, int most) {
    if (count < longest)
        tests[count++] = {static_cast<std::int8_t>(feature), static_cast<std::int8_t>(least),
                          static_cast<std::int8_t>(most)};
    return *this;
}

bool Clause::operator==(const Clause& other) const {
    return count == other.count && std::equal(tests, tests + count, other.tests);
}

Clause& add_hcp(Clause& clause, int least, int most) { return clause.with(meaning::hcp, least, most); }
Clause& add_length(Clause& clause, int suit, int least, int most) {
    return clause.with(suit_feature(meaning::length, suit), least, most);
}
Clause& add_support(Clause& clause, int suit, int least) {
    return clause.with(suit_feature(meaning::support, suit), least, 47);
}
Clause& add_stopper(Clause& clause, int suit) {
    return clause.with(suit_feature(meaning::stopper, suit), 2, 2);
}

bool holds(const Clauses& clauses, std::uint64_t hand) {
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return std::all_of(clause.tests, clause.tests + clause.count, [&](const Test& test) {
            const int value = meaning::feature_value(hand, test.feature);
            return test.least <= value && value <= test.most;
        });
    });
}

void cells_of(const Clauses& clauses, const Cells& among, Cells& possible, Cells& certain) {
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        std::uint64_t may = 0, must = 0;
        if (among[shape])
            for (const Clause& clause : clauses) {
                bool is_sure = true;
                const std::uint64_t row = row_of(clause, shape, is_sure) & among[shape];
                may |= row;
                if (is_sure) must |= row;
            }
        possible[shape] = may;
        certain[shape] = must;
    }
}

int ClauseBank::number_of(const Clauses& clauses) {
    const std::uint64_t hash = hash_of(clauses);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (kept_[static_cast<std::size_t>(it->second)] == clauses) return it->second;
    const int number = static_cast<int>(kept_.size());
    kept_.push_back(clauses);
    by_hash_.emplace(hash, number);
    return number;
}

}  // namespace bidlab::bidding
