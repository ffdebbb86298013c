#include "dealing/dealing.hpp"

#include "dealing/random.hpp"

namespace bidlab {

void deal_batch(std::uint64_t seed, std::uint64_t first, std::size_t count, DealBits* out) {
    constexpr std::uint64_t all_cards = (std::uint64_t{1} << 52) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        Generator generator(seed, first + i);
        std::uint8_t pack[52];
        for (int card = 0; card < 52; ++card) pack[card] = static_cast<std::uint8_t>(card);
        std::uint64_t left = all_cards;
        // Shuffle from the top and stop when three hands are dealt: the fourth is what is left.
        int size = 52;
        for (int seat = 0; seat < 3; ++seat) {
            std::uint64_t hand = 0;
            for (int dealt = 0; dealt < 13; ++dealt, --size) {
                const std::uint32_t place = generator.below(static_cast<std::uint32_t>(size));
                hand |= std::uint64_t{1} << pack[place];
                pack[place] = pack[size - 1];
            }
            out[i].hand[seat] = hand;
            left ^= hand;
        }
        out[i].hand[3] = left;
    }
}

}  // namespace bidlab
