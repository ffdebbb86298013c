// Cards as the search sees them: four suits of sixteen bits, so that one word holds a hand.
//
// Bit 16 * suit + rank is set when the card is there; rank 0 is the two, rank 12 the ace, bits 13 to 15 of a
// suit are always clear and stop carries. Suits are renamed for each strain so that trumps are suit 3.
// Lengths have the same shape: nibble 4 * suit + seat counts the cards of one hand in one suit.
//
// The kernel is compiled once for each kind of processor, each time in a namespace of its own, so that no
// function of one kind can be linked in place of another's.
#pragma once

#include <bit>
#include <cstdint>

#include "processor/processor.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {

using Cards = std::uint64_t;

constexpr Cards full_pack = 0x1fff'1fff'1fff'1fffu;
constexpr int trumps = 3;  // the suit, where there are trumps

constexpr int partner_of(int seat) { return seat ^ 2; }
constexpr int next_of(int seat) { return (seat + 1) & 3; }
constexpr int previous_of(int seat) { return (seat + 3) & 3; }
constexpr bool are_opponents(int seat, int other) { return (seat ^ other) & 1; }

constexpr int larger(int a, int b) { return a > b ? a : b; }
constexpr int smaller(int a, int b) { return a < b ? a : b; }

constexpr unsigned suit_bits(Cards cards, int suit) { return (cards >> (16 * suit)) & 0x1fff; }
constexpr Cards suit_field(int suit) { return Cards{0x1fff} << (16 * suit); }
constexpr int suit_of(Cards card) { return __builtin_ctzll(card) >> 4; }
constexpr Cards lowest(Cards cards) { return cards & (0 - cards); }
constexpr Cards highest(Cards cards) { return cards ? Cards{1} << (63 - std::countl_zero(cards)) : 0; }

constexpr unsigned suit_lengths(std::uint64_t lengths, int suit) { return (lengths >> (16 * suit)) & 0xffff; }
constexpr int of_seat(unsigned suit_lengths, int seat) { return (suit_lengths >> (4 * seat)) & 15; }
constexpr std::uint64_t one_card(int suit, int seat) { return std::uint64_t{1} << (16 * suit + 4 * seat); }

// Of a hand's cards, the lowest of each run of equals: cards between which nothing stands that is still
// `present` and in another hand. The sum carries each card up through the ranks that are gone to the next one
// that is there; a card of the hand that is reached so is not the lowest of its run.
constexpr Cards lowest_of_runs(Cards hand, Cards present) {
    const Cards gone = full_pack & ~present;
    return hand & ~(gone + (hand << 1));
}

// The highest card of the run of equals that starts at `card`; `held` are the hand's cards of that suit.
constexpr Cards top_of_run(Cards card, Cards held, Cards present) {
    const Cards others_above = present & ~held & (0 - card);
    return highest(held & (lowest(others_above) - 1));
}

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
