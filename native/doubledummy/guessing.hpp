// What a network that guesses tricks sees: all four hands, from declarer's seat on, trumps first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace bidlab::doubledummy {

constexpr std::size_t guess_inputs = 208, guess_outputs = 14;

// Writes the numbers of the cards held, 52 * (seats after declarer) + 13 * suit + rank, and says how many;
// the suits are trumps and then the others from clubs up.
inline int observe_deal(const std::uint64_t* hands, int strain, int declarer, std::uint16_t* bits) {
    int place[4];
    for (int suit = 0; suit < 4; ++suit) place[suit] = suit < strain && strain < 4 ? suit + 1 : suit;
    if (strain < 4) place[strain] = 0;
    int count = 0;
    for (int after = 0; after < 4; ++after)
        for (std::uint64_t left = hands[(declarer + after) & 3]; left; left &= left - 1) {
            const int card = std::countr_zero(left);
            bits[count++] = static_cast<std::uint16_t>(52 * after + 13 * place[card / 13] + card % 13);
        }
    return count;
}

}  // namespace bidlab::doubledummy
