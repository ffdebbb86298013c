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
//
// What an option of the form adds takes numbers of types or bits that are unused without it:
//
//   bidding        64-95    a fact of the auction, type mod 10 (facts.hpp); 17: its opposite
//   vulnerability  96-103   type mod 4: we are, they are, only we, only they; 17: its opposite
//   controls       104-111  like strength; constant in bits 8-11
//   points         112-119  constant in bits 8-13
//   losers         120-127  constant in bits 8-12
//   shape          192-207  of the bidder, type mod 8: longest, constant in bits 8-11; shortest, 8-9;
//   balanced;
//                           playing tricks in halves, 8-12; else lead of suit 12-13, constant bits 8-10 less
//                           2
//   holdings       208-223  of the bidder in suit 12-13, type mod 4: stopper, 1 + bit 8; quality, bits 8-10;
//                           support, 8-13; honours, 8-10
//   fit            240-255  the bidder and partner have 7 + bits 8-9 cards of a suit, bit 12: of a major
//   named-suits             the suit of a length or a holding by bits 14-15: 2 partner's, 3 theirs
//   suit-bids               of a relative bid, bits 8-9: 1 partner's suit, 2 the longest suit, 3 a suit with
//                           eight cards of bidder and partner; levels by bits 0-2, 3-4
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webb/box.hpp"
#include "webb/laws.hpp"

namespace bidlab::webb {

constexpr int most_states = 64, most_entries = 64, most_inheritance = 15;
constexpr int transitions = calls + 1;  // the last is the state that is inherited from

// What goes beyond the thesis, a bit each.
namespace option {
enum : std::uint32_t {
    bidding = 1,
    vulnerability = 2,
    controls = 4,
    points = 8,
    losers = 16,
    shape = 32,
    holdings = 64,
    fit = 128,
    named_suits = 256,
    suit_bids = 512,
    all = 1023,
};
}  // namespace option

// What all systems of a population have in common.
struct Form {
    int states, entries, inheritance;
    std::uint32_t options = 0;

    std::size_t words() const { return static_cast<std::size_t>(states * entries); }
    std::size_t links() const { return static_cast<std::size_t>(states * transitions); }
};

// A decision asks whether some players surely have at least (at most) a constant: whether the sum of their
// numbers in one lane has a bound, or that of the others in the lane of the opposite end (section 3.2). The
// bidder is on one of the two sides. So the answer is yes for all his hands where the side without him has
// its bound, and else a test: his own number is at least the bound of his side less what his mates there
// have.
//
// One word may stand for several entries, one behind another.
struct Entry {
    enum Kind : std::uint8_t {
        direct,
        relative,
        steps,
        pass_or_double,
        suit_bid,  // of a suit that the auction names
        decision,
        fact,   // a question that the auction answers
        hidden  // a question about a number of the bidder that a box does not keep
    };
    enum Suit : std::uint8_t { as_written, partners, theirs };
    static constexpr std::int16_t out_of_reach = 0x3fff;

    Kind kind;
    std::uint8_t parameter;  // of a bid, or of a fact
    std::uint8_t lane;       // of the bidder's side; of a fact its number
    std::uint8_t mates;  // on his side: bit 0 left-hand opponent, 1 partner, 2 right-hand opponent; 3 himself
    Suit suit;
    bool is_opposite;       // of a fact
    std::uint16_t jump;     // entries ahead
    std::int16_t bound;     // of his side
    std::int16_t opposite;  // of the other side, in the other lane

    // The call of a bid where the auction stands, or no_bid; `suit` is the one that is named, or -1.
    int call(const Laws& laws, int named) const;
    bool is_question() const { return kind >= decision; }
};

// Appends the entries of a word; jumps that leave the word are in words and have is_far set.
struct Decoded {
    Entry entry;
    bool is_far;
};
void decode(std::uint32_t word, const Form& form, std::vector<Decoded>& out);

// A system that runs: for each state the row of entries of its own program and those that it inherits.
class System {
   public:
    // words [state][entry], links [state][transition]
    System(const Form& form, const std::uint32_t* words, const std::uint8_t* links);

    const Entry* row(int state) const { return rows.data() + starts[static_cast<std::size_t>(state)]; }
    std::size_t row_length(int state) const {
        const auto at = static_cast<std::size_t>(state);
        return starts[at + 1] - starts[at];
    }
    std::uint32_t options() const { return form_options; }
    // The number of the word [state][entry] that an entry of a state's row comes from.
    std::size_t source(int state, std::size_t at) const {
        return sources[starts[static_cast<std::size_t>(state)] + at];
    }
    int next(int state, int call) const {
        return links[static_cast<std::size_t>(state * transitions + call)];
    }

   private:
    std::uint32_t form_options;
    std::vector<std::size_t> starts;  // of the states' rows, and the end
    std::vector<Entry> rows;
    std::vector<std::uint16_t> sources;  // of their entries
    std::vector<std::uint8_t> links;
};

}  // namespace bidlab::webb
