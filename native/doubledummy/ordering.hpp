// Which lead to try first.
#pragma once

#include "doubledummy/search.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {

// Weights of a lead, found by counting the nodes of a few hundred random deals (docs/double-dummy.md).
namespace weight {
constexpr int under_own_winner = -13, own_winner = 37;  // more than that
constexpr int partners_winner = 30, second_is_own = 4;
constexpr int to_left_winner = 8, left_then_own = 8, left_then_partner = 24;
constexpr int to_right_winner = 2, right_then_partner = 16;
constexpr int own_length = 1, partners_length = 4;
constexpr int trump = -4, trump_when_drawn = -24;
constexpr int partner_ruffs = 15, left_ruffs = -46, right_ruffs = -54;
constexpr int soon_ruffed = -4, own_singleton = 4, partners_singleton = 8;
}  // namespace weight

// What a lead of the suit promises, without the winner that the leader may have in it.
template <bool Trump>
int Search::promise_of_suit(int leader, int suit, const SuitOwners& position) const {
    const std::uint64_t turned = seen_from(lengths_, leader);
    const SuitLengths length(suit_lengths(turned, suit));
    const int partner = partner_of(leader);
    const int top = position.top(suit);
    const int second = static_cast<int>(position.of[suit] >> 28 & 3);

    int promise = weight::own_length * length.own + weight::partners_length * length.partner;
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
    } else if (Trump) {
        promise += weight::trump;
        if (!length.opponents()) promise += weight::trump_when_drawn;
    }
    if (top == leader) {
        promise += weight::under_own_winner;
    } else if (top == partner) {
        promise += weight::partners_winner;
        if (second == leader) promise += weight::second_is_own;
    } else if (top == next_of(leader)) {
        promise += weight::to_left_winner;
        if (second == leader) promise += weight::left_then_own;
        // A suit of one card has no second; North's number stands there.
        if (second == partner && length.partner) promise += weight::left_then_partner;
    } else {
        promise += weight::to_right_winner;
        if (second == partner && length.partner) promise += weight::right_then_partner;
    }
    return promise;
}

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
