// Conditions that judgement writes: alternatives of a few ranges each, short enough to be kept by the
// thousand.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bidding/knowledge.hpp"

namespace bidlab::bidding {

// A feature of the hand (its number in meaning/features.hpp) from least to most.
struct Test {
    std::int8_t feature = 0, least = 0, most = 0;

    bool operator==(const Test&) const = default;
};

// Tests that hold together.
struct Clause {
    static constexpr int longest = 8;
    Test tests[longest];
    std::int8_t count = 0;

    Clause& with(int feature, int least, int most);
    bool operator==(const Clause& other) const;
};

using Clauses = std::vector<Clause>;  // one of them must hold; none at all: no hand

// The tests by name.
Clause& add_hcp(Clause& clause, int least, int most = meaning::most_points);
Clause& add_length(Clause& clause, int suit, int least, int most = 13);
Clause& add_support(Clause& clause, int suit, int least);
Clause& add_stopper(Clause& clause, int suit);

// The clauses that hold where one of each list does.
Clauses both(const Clauses& one, const Clauses& other);

bool holds(const Clauses& clauses, std::uint64_t hand);

// How far a hand is from fulfilling the nearest clause, in usual differences of its features.
double misfit(const Clauses& clauses, std::uint64_t hand, const double* spreads);

// Among some cells, whose outline is given, those outside which no hand fulfils the clauses, and those where
// every hand does. False, with nothing written, where it is quickly seen that there are none.
bool cells_of(const Clauses& clauses, const Cells& among, const Outline& outline, Cells& possible,
              Cells& certain);

// Clauses that came up, each list kept once, with a number.
class ClauseBank {
   public:
    int number_of(const Clauses& clauses);
    const Clauses& operator[](int number) const { return kept_[static_cast<std::size_t>(number)]; }
    void clear() {
        kept_.clear();
        by_hash_.clear();
    }

   private:
    std::vector<Clauses> kept_;
    std::unordered_multimap<std::uint64_t, int> by_hash_;
};

}  // namespace bidlab::bidding
