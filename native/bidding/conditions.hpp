// Conditions that judgement writes: alternatives of a few ranges each, short enough to be kept by the
// thousand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bidding/knowledge.hpp"
#include "meaning/features.hpp"

namespace bidlab::bidding {

// A feature of the hand (its number in meaning/features.hpp) from least to most.
struct Test {
    std::int8_t feature = 0, least = 0, most = 0;
};

// Tests that hold together.
struct Clause {
    static constexpr int longest = 8;
    Test tests[longest];
    std::int8_t count = 0;

    Clause& with(int feature, int least, int most);
};

using Clauses = std::vector<Clause>;  // one of them must hold; none at all: no hand
using ClausesView = std::span<const Clause>;

// The tests by name.
Clause& add_hcp(Clause& clause, int least, int most = meaning::most_points);
Clause& add_length(Clause& clause, int suit, int least, int most = 13);
Clause& add_support(Clause& clause, int suit, int least);
Clause& add_stopper(Clause& clause, int suit);

// The clauses that hold where one of each list does.
Clauses both(ClausesView one, ClausesView other);

// A hand of 13 cards with what clauses ask for, counted once for the rules of a position.
struct CountedHand {
    std::uint64_t cards;
    std::size_t shape;
    int points;

    explicit CountedHand(std::uint64_t hand);
    // A feature that clauses test.
    int value(int feature) const;

   private:
    std::array<std::int8_t, meaning::first_card> values_;  // by feature: those that most of them test
};

bool holds(ClausesView clauses, const CountedHand& hand);

// How far a hand is from fulfilling the nearest clause, in usual differences of its features.
double misfit(ClausesView clauses, std::uint64_t hand, const double* spreads);

// Among some cells, whose outline is given, those outside which no hand fulfils the clauses, and those where
// every hand does. False, with nothing written, where it is quickly seen that there are none.
bool cells_of(ClausesView clauses, const Cells& among, const Outline& outline, Cells& possible,
              Cells& certain);

// Clauses of many rules, one after the other in memory.
class ClauseStore {
   public:
    // Where a list was put: its first clause, and how many there are. None: not put there.
    struct Place {
        std::int32_t first = -1;
        std::int32_t count = 0;
        explicit operator bool() const { return first >= 0; }
    };

    Place add(ClausesView clauses) {
        const Place place{static_cast<std::int32_t>(kept_.size()), static_cast<std::int32_t>(clauses.size())};
        kept_.insert(kept_.end(), clauses.begin(), clauses.end());
        return place;
    }
    // Good until more are added.
    ClausesView operator[](Place place) const {
        return ClausesView(kept_).subspan(static_cast<std::size_t>(place.first),
                                          static_cast<std::size_t>(place.count));
    }
    void clear() { kept_.clear(); }

   private:
    std::vector<Clause> kept_;
};

}  // namespace bidlab::bidding
