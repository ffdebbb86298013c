// A network that bids: from views of tables to the logits of the 38 calls and the value, in whole numbers.
//
// Layers of one width with ReLU, then two heads. It is made from weights that were rounded to 16 bits; what a
// view gives depends on nothing but the view (see kernels.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "batch/batch.hpp"
#include "network/kernels.hpp"
#include "network/observation.hpp"

namespace bidlab::network {

constexpr int outputs = 39;  // 38 logits and the value

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

    // Writes [view][output]: the logits are their sums shifted left by the head's `shift`, all on one scale.
    // False when it was stopped.
    bool evaluate(const Views& views, std::size_t count, int threads, const Watch& watch,
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
    void evaluate_rows(const Views& views, std::size_t begin, std::size_t rows, std::int64_t* out) const;

    const Kernels* kernels;
    std::size_t given_width;
    Kept first, head;
    std::vector<Kept> layers;
};

}  // namespace bidlab::network
