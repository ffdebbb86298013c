// The sums of one panel of sixteen units: what the processor has for them, or plain code.
//
// Several of these stand side by side in registers. They are members, not elements of an array, since GCC 12
// keeps arrays of them in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "processor/processor.hpp"

#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

namespace bidlab::network::BIDLAB_PROCESSOR {

// Two neighbouring activations as one word, first at the lower address.
inline std::int32_t pair_at(const std::int16_t* activations) {
    std::int32_t pair;
    std::memcpy(&pair, activations, sizeof pair);
    return pair;
}

#if defined(__AVX2__)

struct Sums {
    static constexpr int side_by_side = 6;  // 12 of the 16 registers
    __m256i low, high;

    static __m256i read(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
    void load(const std::int32_t* from) {
        low = read(from);
        high = read(from + 8);
    }
    // Adds for each unit the products of two weights, one after the other, with two activations.
    void add(const std::int16_t* weights, std::int32_t pair) {
        const __m256i both = _mm256_set1_epi32(pair);
        low = _mm256_add_epi32(low, _mm256_madd_epi16(read(weights), both));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(read(weights + 16), both));
    }
    void store(std::int32_t* to) const {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), low);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), high);
    }
};

#elif defined(__SSE2__)

struct Sums {
    static constexpr int side_by_side = 3;
    __m128i a, b, c, d;

    static __m128i read(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
    void load(const std::int32_t* from) {
        a = read(from);
        b = read(from + 4);
        c = read(from + 8);
        d = read(from + 12);
    }
    void add(const std::int16_t* weights, std::int32_t pair) {
        const __m128i both = _mm_set1_epi32(pair);
        a = _mm_add_epi32(a, _mm_madd_epi16(read(weights), both));
        b = _mm_add_epi32(b, _mm_madd_epi16(read(weights + 8), both));
        c = _mm_add_epi32(c, _mm_madd_epi16(read(weights + 16), both));
        d = _mm_add_epi32(d, _mm_madd_epi16(read(weights + 24), both));
    }
    void store(std::int32_t* to) const {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), a);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 4), b);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 8), c);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 12), d);
    }
};

#else

struct Sums {
    static constexpr int side_by_side = 2;
    std::int32_t of[16];

    void load(const std::int32_t* from) { std::memcpy(of, from, sizeof of); }
    void add(const std::int16_t* weights, std::int32_t pair) {
        std::int16_t activations[2];
        std::memcpy(activations, &pair, sizeof activations);
        for (int i = 0; i < 16; ++i)
            of[i] += weights[2 * i] * activations[0] + weights[2 * i + 1] * activations[1];
    }
    void store(std::int32_t* to) const { std::memcpy(to, of, sizeof of); }
};

#endif

// The sums of a few rows in one panel, or of one row in a few panels.
template <int count>
struct Several {
    Sums first;
    Several<count - 1> rest;

    void load(const std::int32_t* from) {
        first.load(from);
        rest.load(from + 16);
    }
    // Rows with a pair each, and the same weights.
    void add_rows(const std::int16_t* weights, const std::int32_t* pairs) {
        first.add(weights, *pairs);
        rest.add_rows(weights, pairs + 1);
    }
    // Panels that lie so far apart, with the same pair.
    void add_panels(const std::int16_t* weights, std::size_t apart, std::int32_t pair) {
        first.add(weights, pair);
        rest.add_panels(weights + apart, apart, pair);
    }
    void store(std::int32_t* to) const {
        first.store(to);
        rest.store(to + 16);
    }
};

template <>
struct Several<0> {
    void load(const std::int32_t*) {}
    void add_rows(const std::int16_t*, const std::int32_t*) {}
    void add_panels(const std::int16_t*, std::size_t, std::int32_t) {}
    void store(std::int32_t*) const {}
};

}  // namespace bidlab::network::BIDLAB_PROCESSOR
