// All auctions that can come about when one system sits at all four seats, for a book that covers them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "webb/bidding.hpp"

namespace bidlab::webb {

// A point of an auction that some deal may reach, and the program there for the hands that its player can
// hold.
struct Reached {
    std::int32_t parent;  // -1: nobody has called
    std::uint8_t call;    // after the parent
    std::uint8_t state;   // of the side to call
    Box own;              // what the player to call can hold
    std::vector<Position::Step> steps;
};

// Every point at which somebody is to call, parents first; empty where there are more than `most`. What is
// known of the four players is looked at one by one and in sum, so that no point is left out that a deal
// reaches, and a few are named that none does. Of vulnerability, bit 0 is the dealer's side.
std::vector<Reached> reached(const System& system, std::size_t most, int vulnerable = 0);

}  // namespace bidlab::webb
