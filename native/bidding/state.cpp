#include "bidding/state.hpp"

namespace bidlab::bidding {

bool State::is_legal(int call) const {
    if (call == pass) return true;
    const bool is_ours = last_bid && ((last_bidder ^ place) & 1) == 0;
    if (call == dbl) return last_bid && !is_ours && doubled == 0;
    if (call == redbl) return last_bid && is_ours && doubled == 1;
    return call > last_bid;
}

bool State::is_forced() const {
    if (!last_bid) return false;
    const int me = mover(), partner = (me + 2) & 3, right = (me + 3) & 3;
    const bool is_ours = ((last_bidder ^ me) & 1) == 0;
    const bool is_quiet = last_call[static_cast<std::size_t>(right)] <= pass;
    const Effects& last = effects[static_cast<std::size_t>(partner)];
    if (last_call[static_cast<std::size_t>(partner)] > pass && last.forcing && !last.signs_off) {
        if (is_quiet) return true;
        // A double leaves partner in a suit that was never meant.
        if (is_ours && doubled == 1 && last.artificial) return passes == 0;
    }
    return game_forced[static_cast<std::size_t>(me & 1)] && !is_game(last_bid) && is_ours && is_quiet;
}

bool State::is_left_nowhere() const {
    const auto partner = static_cast<std::size_t>((place + 2) & 3),
               right = static_cast<std::size_t>((place + 3) & 3);
    return is_bid(last_call[partner]) && effects[partner].artificial && !effects[partner].signs_off &&
           last_call[right] == pass;
}

State State::after(int call, const Effects& done, int hands) const {
    State next = *this;
    const int me = mover(), side = me & 1;
    const auto seat = static_cast<std::size_t>(me);
    next.place = static_cast<std::uint8_t>(place + 1);
    next.known[seat] = hands;
    next.last_call[seat] = static_cast<std::int8_t>(call);
    next.effects[seat] = done;
    if (call == pass) {
        next.passes = static_cast<std::uint8_t>(passes + 1);
        if (!last_bid) next.passed[seat] = true;
    } else {
        next.passes = 0;
        next.has_bid[seat] = true;
        if (call == dbl) next.doubled = 1;
        if (call == redbl) next.doubled = 2;
    }
    if (is_bid(call)) {
        if (!last_bid) next.opener = static_cast<std::int8_t>(me);
        next.last_bid = static_cast<std::uint8_t>(call);
        next.last_bidder = static_cast<std::uint8_t>(me);
        next.doubled = 0;
        if (!done.artificial) {
            if (strain_of(call) < 4) {
                next.suit[seat] = static_cast<std::int8_t>(strain_of(call));
                next.named[seat] = static_cast<std::uint8_t>(named[seat] | 1 << strain_of(call));
            } else {
                next.notrump[seat] = true;
            }
        }
    }
    if (done.transfers >= 0) {
        next.suit[seat] = done.transfers;
        next.named[seat] = static_cast<std::uint8_t>(next.named[seat] | 1 << done.transfers);
    }
    if (done.agrees >= 0) next.agreed[static_cast<std::size_t>(side)] = done.agrees;
    if (done.forcing == 2) next.game_forced[static_cast<std::size_t>(side)] = true;
    return next;
}

}  // namespace bidlab::bidding
