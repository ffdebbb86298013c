// Random deals by number: deal i of a seed is the same on every machine, whatever is dealt around it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bidlab {

// Bit 13 * suit + rank of a word is set when the hand holds that card.
struct DealBits {
    std::uint64_t hand[4];  // N E S W
};

// Writes deals first, first + 1 .. first + count - 1 of a seed. Each is drawn uniformly from all
// 53,644,737,765,488,792,839,237,440,000 deals (up to the 256 bits of the generator's state).
void deal_batch(std::uint64_t seed, std::uint64_t first, std::size_t count, DealBits* out);

}  // namespace bidlab
