// A network in whole numbers, from bits to sums: one that bids, or one that guesses tricks.
//
// Layers of one width with ReLU, then a head. It is made from weights that were rounded to 16 bits; what a
// row of bits gives depends on nothing but the row (see kernels.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "batch/batch.hpp"
#include "network/kernels.hpp"

namespace bidlab::network {

// Writes the numbers of the bits that are set in a row, and says how many.
using Observe = std::function<int(std::size_t row, std::uint16_t* bits)>;

// The numbers of a layer as they are given: weights [unit][input].
struct Given {
    const std::int16_t* weights;
    const std::int32_t* bias;
    const std::int32_t* shift;
    std::size_t units, inputs;
    int carry = -1;
};

class Network {
   public:
    // The first layer and the head; the layers between are added. With `plain` it keeps to instructions that
    // every processor has.
    Network(const Given& first, const Given& head, bool plain);
    void add_layer(const Given& layer);  // of that width
    std::size_t width() const { return given_width; }
    std::size_t inputs() const { return given_inputs; }
    std::size_t outputs() const { return given_outputs; }

    // Writes [row][output]: the sums of the head shifted left by its `shift`, all on one scale. False when it
    // was stopped.
    bool evaluate(const Observe& observe, std::size_t count, int threads, const Watch& watch,
                  std::int64_t* out) const;

   private:
    // Numbers padded to whole panels, in the order that the kernels read them.
    struct Kept {
        std::vector<std::int16_t> weights;
        std::vector<std::int32_t> bias, shift;
        std::size_t units, inputs;
        int carry;

        Units view() const { return {units, bias.data(), shift.data()}; }
        Layer layer() const { return {view(), weights.data(), inputs, carry}; }
    };
    static Kept kept(const Given& given);
    static Kept in_panels(const Given& given);
    void evaluate_rows(const Observe& observe, std::size_t begin, std::size_t rows, std::int64_t* out) const;

    const Kernels* kernels;
    std::size_t given_width, given_inputs, given_outputs;
    Kept first, head;
    std::vector<Kept> layers;
};

}  // namespace bidlab::network
