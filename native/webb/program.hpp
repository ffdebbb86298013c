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

#include "webb/box.hpp"
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

// A decision asks whether some players surely have at least (at most) a constant: whether the sum of their
// numbers in one lane has a bound, or that of the others in the lane of the opposite end (section 3.2). The
// bidder is on one of the two sides. So the answer is yes for all his hands where the side without him has
// its bound, and else a test: his own number is at least the bound of his side less what his mates there
// have.
struct Entry {
    enum Kind : std::uint8_t { direct, relative, steps, pass_or_double, decision };
    static constexpr std::int16_t out_of_reach = 0x7fff;

    Kind kind;
    std::uint8_t parameter;  // of a bid
    std::uint8_t lane;       // of the bidder's side
    std::uint8_t mates;      // on his side: bit 0 left-hand opponent, 1 partner, 2 right-hand opponent
    std::uint8_t jump;
    std::int16_t bound;     // of his side
    std::int16_t opposite;  // of the other side, in the other lane

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
