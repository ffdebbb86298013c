// What a call is taken for that no rule of a system makes: natural, and forcing where a natural call forces.
#pragma once

#include "bidding/knowledge.hpp"
#include "bidding/state.hpp"

namespace bidlab::bidding {

// The fewest cards of its suit that a call of the player to call shows; 0 where it shows no suit.
int natural_length(const State& state, const Bank& bank, int call);

// The hands with so many cards of the suit.
Cells natural_hands(const State& state, const Bank& bank, int call);

Effects natural_effects(const State& state, int call);

}  // namespace bidlab::bidding
