// Systems as WEBB has them: states with programs, decoded once (Woolever 2001, chapter 3).
//
// An entry is a word of 32 bits; docs/evolution.md has the reasons.
//
//   decision  31     1
//             24-30  jump: 1 + field mod E entries ahead, of programs with E entries
//             19-22  whose: right-hand opponent, partner, left-hand opponent, the bidder
//             18     the bidder's alone
//             17     0 at least, 1 at most
//             8-16   constant of strength, in steps of 5/64
//             8-11   constant of a length; 12-13 its suit
//             0-7    type: 0-127 strength, 128-255 length
//   bid       31     0
//             6-7    kind: direct, relative, steps, pass or double
//             0-5    parameter
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webb/laws.hpp"

namespace bidlab::webb {

constexpr int most_states = 64, most_entries = 64, most_inheritance = 15;
constexpr int transitions = calls + 1;  // the last is the state that is inherited from

// What all systems of a population have in common.
struct Form {
    int states, entries, inheritance;

    int row() const { return entries * (inheritance + 1); }
    std::size_t words() const { return static_cast<std::size_t>(states * entries); }
    std::size_t links() const { return static_cast<std::size_t>(states * transitions); }
};

struct Entry {
    enum Kind : std::uint8_t { direct, relative, steps, pass_or_double, decision };

    Kind kind;
    std::uint8_t parameter;  // of a bid
    std::uint8_t feature;    // 0 strength, 1 clubs .. 4 spades
    std::uint8_t players;    // bit 0 the bidder, 1 his left, 2 partner, 3 his right
    bool is_at_most;
    std::uint8_t jump;
    std::int16_t constant;

    // The call of a bid where the auction stands, or no_bid.
    int call(const Laws& laws) const;
};

Entry decoded(std::uint32_t word, int entries);

// A system that runs: for each state the row of entries of its own program and those that it inherits.
class System {
   public:
    // words [state][entry], links [state][transition]
    System(const Form& form, const std::uint32_t* words, const std::uint8_t* links);

    const Entry* row(int state) const { return rows.data() + static_cast<std::size_t>(state * length); }
    int row_length() const { return length; }
    int next(int state, int call) const {
        return links[static_cast<std::size_t>(state * transitions + call)];
    }

   private:
    int length;
    std::vector<Entry> rows;
    std::vector<std::uint8_t> links;
};

}  // namespace bidlab::webb
