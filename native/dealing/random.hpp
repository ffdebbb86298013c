// Random numbers by seed and number: the stream of deal n of a seed is the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace bidlab {

// Counts of deals need up to 96 bits.
__extension__ typedef unsigned __int128 Wide;

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

    // The same with words of 64 bits.
    std::uint64_t below(std::uint64_t bound) {
        Wide product = static_cast<Wide>(next()) * bound;
        if (static_cast<std::uint64_t>(product) < bound) {
            const std::uint64_t reject = -bound % bound;
            while (static_cast<std::uint64_t>(product) < reject) product = static_cast<Wide>(next()) * bound;
        }
        return static_cast<std::uint64_t>(product >> 64);
    }

    // Beyond 64 bits there is no product to take the half of: as many bits as the bound has are drawn until
    // they are below it, which takes fewer than two draws on average.
    Wide below(Wide bound) {
        if (bound >> 64 == 0) return below(static_cast<std::uint64_t>(bound));
        const auto top = static_cast<std::uint64_t>((bound - 1) >> 64);
        const std::uint64_t mask = top ? ~std::uint64_t{0} >> std::countl_zero(top) : 0;
        for (;;) {
            const Wide high = next() & mask;
            const Wide drawn = high << 64 | next();
            if (drawn < bound) return drawn;
        }
    }

   private:
    std::uint64_t state_[4];
};

}  // namespace bidlab
