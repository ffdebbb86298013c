// Which lead to try first.
#pragma once

#include "doubledummy/search.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {

// Weights of a lead, found by counting the nodes of random deals (docs/double-dummy.md). By kind of suit: one
// at notrump, a side suit, trumps; then by seats as the leader sees them: himself, left, partner, right.
namespace weight {
// Whose the best card is, and whose the second-best; the same, where the suit has one card.
constexpr std::int8_t owners[3][4][4] = {
    {{-13, -7, -13, -17}, {19, 7, 35, 8}, {38, 24, 26, 22}, {2, 2, 21, -10}},
    {{-3, -7, -1, -17}, {18, 6, 36, 4}, {40, 37, 36, 34}, {-1, 4, 16, 2}},
    {{-17, -13, -10, -17}, {18, 0, 22, -2}, {30, 29, 19, 14}, {-2, 14, 12, -6}}};
// A card of each seat.
constexpr std::int8_t length[3][4] = {{2, 0, 6, 0}, {1, -1, 4, 0}, {1, 0, 3, 0}};
constexpr std::int8_t own_winner[3] = {29, 37, 37};  // led, and not a lower card
constexpr int partner_ruffs = 23, left_ruffs = -68, right_ruffs = -60, soon_ruffed = -4;
constexpr int favour = 20;  // to a suit that was always the good lead of late
constexpr int own_singleton = 4, partners_singleton = 8, trumps_drawn = -30;
}  // namespace weight

template <bool Trump>
constexpr int kind_of(int suit) {
    return !Trump ? 0 : suit == trumps ? 2 : 1;
}

// What a lead of the suit promises, without the winner that the leader may have in it.
template <bool Trump>
int Search::promise_of_suit(int leader, int suit, const SuitOwners& position) const {
    const std::uint64_t turned = seen_from(lengths_, leader);
    const SuitLengths length(suit_lengths(turned, suit));
    const int top = (position.top(suit) - leader) & 3;
    const bool is_single = length.own + length.left + length.partner + length.right == 1;
    const int second = is_single ? top : (static_cast<int>(position.of[suit] >> 28 & 3) - leader) & 3;
    const std::int8_t* const each = weight::length[kind_of<Trump>(suit)];

    int promise = weight::owners[kind_of<Trump>(suit)][top][second] + each[0] * length.own +
                  each[1] * length.left + each[2] * length.partner + each[3] * length.right;
    if (Trump && suit != trumps) {
        const SuitLengths trump(suit_lengths(turned, trumps));
        if (!length.partner && trump.partner && (length.right || !trump.right))
            promise += weight::partner_ruffs;
        if (!length.left && trump.left) promise += weight::left_ruffs;
        if (!length.right && trump.right) promise += weight::right_ruffs;
        if ((length.left == 1 && trump.left) || (length.right == 1 && trump.right))
            promise += weight::soon_ruffed;
        if (length.own == 1 && trump.own) promise += weight::own_singleton;
        if (length.partner == 1 && trump.partner) promise += weight::partners_singleton;
    } else if (Trump && !length.opponents()) {
        promise += weight::trumps_drawn;
    }
    return promise;
}

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
