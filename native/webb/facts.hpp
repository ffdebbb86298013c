// What everybody sees of an auction, as questions of programs.
#pragma once

#include "webb/laws.hpp"

namespace bidlab::webb {

enum class Fact : int {
    acted,        // one of the players called something else than pass
    at_least,     // the last bid is at least 1C + parameter mod 35
    strain,       // the last bid is in strain parameter mod 5
    last_bidder,  // one of the players made it
    named,        // one of the players bid strain parameter mod 5
    level,        // its level is at least 1 + parameter mod 7
    doubled,      // it is doubled or redoubled
    free,         // the right-hand opponent did not pass
    again,        // the bidder has called before
    opener,       // one of the players made the first bid
    vulnerable,   // parameter mod 4: we are, they are, only we, only they
};
constexpr int facts_of_bidding = 10;

// `players` are relative to the one who is to call: bit 0 left-hand opponent, 1 partner, 2 right-hand
// opponent, 3 himself.
bool is_fact(Fact fact, int parameter, unsigned players, const Laws& laws);

}  // namespace bidlab::webb
