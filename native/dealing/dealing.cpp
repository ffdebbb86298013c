#include "dealing/dealing.hpp"

#include <bit>

namespace bidlab {
namespace {

// Steele, Lea and Flood's SplitMix64: turns numbers that differ in one bit into unrelated words.
struct SplitMix {
    std::uint64_t state;

    std::uint64_t next() {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
};

// Blackman and Vigna's xoshiro256++, 64 bits a step, its state filled from seed and deal number.
class Generator {
   public:
    Generator(std::uint64_t seed, std::uint64_t number) {
        SplitMix by_seed{seed};
        SplitMix by_number{by_seed.next() ^ number};
        for (auto& word : state_) word = by_number.next() ^ by_seed.next();
    }

    std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // A number below bound, each equally likely: the high half of a 32 by 32 bit product, drawn again
    // in the rare case that would favour some of them (Lemire 2019).
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = (next() >> 32) * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t reject = -bound % bound;
            while (static_cast<std::uint32_t>(product) < reject) product = (next() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

   private:
    std::uint64_t state_[4];
};

}  // namespace

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
