// The sums of a network in whole numbers, compiled once for each kind of processor.
//
// Whole numbers have one right sum, whatever the order of adding: what comes out is the same for one view as
// for thousands, and on every machine. Activations are 0 .. 16383. Whoever makes the weights sees to it that
// no sum leaves 32 bits: the positive weights of a unit, and the negative ones, times 16383, with the bias,
// stay below 2 ** 31, so that every partial sum does too.
//
// Units stand in panels of 16; rows of activations are padded with zeros to a multiple of that.
#pragma once

#include <cstddef>
#include <cstdint>

#include "processor/processor.hpp"

namespace bidlab::network {

constexpr int panel = 16;
constexpr std::size_t most_rows = 96;  // at once: their activations stay in the cache
constexpr std::int32_t top = 16383;    // the largest activation; more is cut

// How a sum becomes an activation: shifted right (the bias holds the half that rounds), cut to 0 .. 16383.
struct Units {
    std::size_t count;  // padded
    const std::int32_t* bias;
    const std::int32_t* shift;  // 0 .. 30
};

// The first layer: [bit][unit].
struct First {
    Units units;
    const std::int16_t* weights;
};

// A later layer: [panel of units][pair of inputs][unit][input of the pair].
struct Layer {
    Units units;
    const std::int16_t* weights;
    std::size_t inputs;  // padded
    int carry;  // -1, or what comes in is shifted right by so many, rounded, and added to what goes out
};

struct Kernels {
    // One row of the first layer: the weights of the bits that are set are added.
    void (*first)(const First& layer, const std::uint16_t* bits, int count, std::int16_t* out);
    // Rows of a later layer, [row][unit], no more than most_rows. `words` has room to work in: rows * inputs.
    void (*later)(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int32_t* words,
                  std::int16_t* out);
    // The bare sums of rows.
    void (*sums)(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int32_t* words,
                 std::int32_t* out);
};

namespace baseline {
extern const Kernels kernels;
}
namespace x86_64_v3 {
extern const Kernels kernels;  // where it is compiled
}

}  // namespace bidlab::network
