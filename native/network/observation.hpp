// What a network is shown of a table: 480 bits, all from the view of the player to call (relative places:
// himself 0, left-hand opponent 1, partner 2, right-hand opponent 3):
//
//   0-3      we are not vulnerable, we are; they are not, they are
//   4-7      who passed before the opening, by relative place
//   8-427    for each bid 1C .. 7NT: who made it, who doubled it, who redoubled it (3 x 4)
//   428-479  the player's own cards
//
// The same as in training, bidlab/learning/selfplay/game.py.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bidlab::network {

constexpr int observed = 480;

// Auctions of one length, as the players to call see them.
struct Views {
    const std::uint64_t* hands;      // of the players to call, 52 bits
    const std::uint8_t* calls;       // [view][place], each below 38
    const std::uint8_t* dealers;     // 0 .. 3
    const std::uint8_t* vulnerable;  // bit 0 North-South, bit 1 East-West
    std::size_t length;              // of every auction
};

// Writes the numbers of the bits that are set, in order, and returns how many they are.
int observe(const Views& views, std::size_t view, std::uint16_t bits[observed]);

}  // namespace bidlab::network
