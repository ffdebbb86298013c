// The state of an auction: the laws' part of it, and what the calls did (Silveira's state variables).
//
// Seats are counted from the dealer: 0 dealer .. 3. A side is seat & 1.
#pragma once

#include <array>
#include <cstdint>

#include "bidding/knowledge.hpp"

namespace bidlab::bidding {

// Calls: pass 0, double 1, redouble 2, then 1C = 3 .. 7NT = 37.
enum : int { pass = 0, dbl = 1, redbl = 2, first_bid = 3, calls = 38 };

constexpr int level_of(int bid) { return (bid - first_bid) / 5 + 1; }
constexpr int strain_of(int bid) { return (bid - first_bid) % 5; }
constexpr int bid_of(int level, int strain) { return first_bid + 5 * (level - 1) + strain; }
constexpr bool is_bid(int call) { return call >= first_bid; }
constexpr int game_level(int strain) { return strain == 4 ? 3 : strain >= 2 ? 4 : 5; }
constexpr bool is_game(int bid) { return level_of(bid) >= game_level(strain_of(bid)); }

// What a call does beside what it says of the hand; the fields of bidlab.systems.rules.Effects.
struct Effects {
    std::int8_t forcing = 0;     // 1 one round, 2 to game
    std::int8_t agrees = -1;     // a suit
    std::int16_t asks = -1;      // number of what is asked
    std::int8_t transfers = -1;  // a suit
    bool invites = false, signs_off = false, artificial = false, takeout = false, penalty = false;

    bool operator==(const Effects&) const = default;
};

struct State {
    // The laws.
    std::uint8_t place = 0;        // how many calls were made; the player to call is place % 4
    std::uint8_t last_bid = 0;     // 0: none
    std::uint8_t last_bidder = 0;  // whose it is
    std::uint8_t doubled = 0;      // 1 doubled, 2 redoubled
    std::uint8_t passes = 0;       // since the last call that was none
    std::uint8_t vulnerable = 0;   // bit 0 the dealer's side, bit 1 the other
    // What the calls told and did.
    std::array<std::int32_t, 4> known{};                 // numbers of a Bank, by seat
    std::array<std::int8_t, 4> suit{-1, -1, -1, -1};     // of the last natural bid
    std::array<std::uint8_t, 4> named{};                 // suits bid naturally, a bit each
    std::array<bool, 4> has_bid{}, passed{}, notrump{};  // bid or doubled; passed before any bid; bid notrump
    std::array<std::int8_t, 4> last_call{-1, -1, -1, -1};  // by seat
    std::array<Effects, 4> effects{};                      // of the last call, by seat
    std::array<std::int8_t, 2> agreed{-1, -1};             // suit, by side
    std::array<bool, 2> game_forced{};
    std::int8_t opener = -1;

    int mover() const { return place & 3; }
    bool is_ended() const { return passes >= (last_bid ? 3 : 4); }
    bool is_legal(int call) const;
    // Whether the player to call may not pass.
    bool is_forced() const;
    // Whether partner's last call is a bid that names a suit it does not show, and nobody has called since.
    bool is_left_nowhere() const;
    // The state after a call that does this and leaves the player's hand in this set.
    State after(int call, const Effects& effects, int known) const;
};

}  // namespace bidlab::bidding
