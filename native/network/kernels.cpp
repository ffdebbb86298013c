#include "network/kernels.hpp"

#include "network/sums.hpp"

namespace bidlab::network::BIDLAB_PROCESSOR {

namespace {

// Inputs that are summed for all rows before the next: their weights in one panel, 16 KiB, stay in the cache.
constexpr std::size_t slice = 512;

std::int32_t least(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
std::int32_t most(std::int32_t a, std::int32_t b) { return a < b ? b : a; }

std::int32_t activation(std::int32_t sum, std::int32_t shift) { return least(most(sum >> shift, 0), top); }

// Sixteen activations of one row, from their sums. `in` is what came in at the same places.
void finish(const Layer& layer, std::size_t unit, const std::int32_t* sums, const std::int16_t* in,
            std::int16_t* out) {
    const std::int32_t* shift = layer.units.shift + unit;
    if (layer.carry < 0) {
        for (int i = 0; i < panel; ++i) out[i] = static_cast<std::int16_t>(activation(sums[i], shift[i]));
        return;
    }
    const std::int32_t half = (1 << layer.carry) >> 1;
    for (int i = 0; i < panel; ++i) {
        const std::int32_t carried = (in[i] + half) >> layer.carry;
        out[i] = static_cast<std::int16_t>(least(activation(sums[i], shift[i]) + carried, top));
    }
}

// Adds to the sums of one panel for a few rows side by side: each weight is read once for all of them.
template <int rows>
void add_up(const std::int16_t* weights, std::size_t inputs, const std::int16_t* in, std::size_t apart,
            std::int32_t* sums) {
    Several<rows> several;
    several.load(sums);
    for (std::size_t input = 0; input < inputs; input += 2)
        several.add_rows(weights + input * panel, in + input, apart);
    several.store(sums);
}

using AddUp = void (*)(const std::int16_t*, std::size_t, const std::int16_t*, std::size_t, std::int32_t*);
constexpr AddUp adders[] = {&add_up<1>, &add_up<2>, &add_up<3>, &add_up<4>, &add_up<5>, &add_up<6>};
static_assert(Sums::side_by_side <= 6);

// The pairs of one row that are not both zero: after a ReLU somewhat more than half of them.
struct Pairs {
    static constexpr std::size_t most_inputs = 2048;

    std::size_t count = 0;
    std::int32_t values[most_inputs / 2];
    std::uint32_t weights[most_inputs / 2];  // where those of the pair begin in a panel

    Pairs(const std::int16_t* in, std::size_t inputs) {
        for (std::size_t input = 0; input < inputs; input += 2) {
            values[count] = pair_at(in + input);
            weights[count] = static_cast<std::uint32_t>(input * panel);
            count += values[count] != 0;
        }
    }
};

// The sums of some panels for one row, over its pairs: most of the time goes to reading weights, and those
// of a zero need not be read.
template <int panels>
void add_up_pairs(const Pairs& pairs, const Layer& layer, std::size_t unit, std::int32_t* sums) {
    const std::int16_t* weights = layer.weights + unit * layer.inputs;
    Several<panels> several;
    several.load(layer.units.bias + unit);
    for (std::size_t i = 0; i < pairs.count; ++i)
        several.add_panels(weights + pairs.weights[i], panel * layer.inputs, pairs.values[i]);
    several.store(sums);
}

// Calls done(0, unit, sums) for every panel of a single row.
template <typename Done>
void row_sums(const Layer& layer, const std::int16_t* in, const Done& done) {
    constexpr int together = Sums::side_by_side > 4 ? 4 : 2;  // panels: enough to keep the processor busy
    std::int32_t sums[together * panel];
    const Pairs pairs(in, layer.inputs);
    const std::size_t units = layer.units.count;
    for (std::size_t unit = 0; unit < units;) {
        const std::size_t taken = units - unit < together * panel ? 1 : together;
        (taken == 1 ? add_up_pairs<1> : add_up_pairs<together>)(pairs, layer, unit, sums);
        for (std::size_t i = 0; i < taken; ++i, unit += panel) done(0, unit, sums + i * panel);
    }
}

// Calls done(row, unit, sums) for every panel of every row.
template <typename Done>
void all_sums(const Layer& layer, const std::int16_t* in, std::size_t rows, const Done& done) {
    const std::size_t inputs = layer.inputs;
    if (rows == 1 && inputs <= Pairs::most_inputs) return row_sums(layer, in, done);
    std::int32_t sums[most_rows * panel];
    for (std::size_t unit = 0; unit < layer.units.count; unit += panel) {
        for (std::size_t row = 0; row < rows; ++row)
            std::memcpy(sums + row * panel, layer.units.bias + unit, panel * sizeof *sums);
        for (std::size_t begin = 0; begin < inputs; begin += slice) {
            const std::int16_t* weights = layer.weights + unit * inputs + begin * panel;
            const std::size_t width = inputs - begin < slice ? inputs - begin : slice;
            for (std::size_t row = 0; row < rows; row += Sums::side_by_side) {
                const std::size_t left = rows - row;
                const std::size_t taken = left < Sums::side_by_side ? left : Sums::side_by_side;
                adders[taken - 1](weights, width, in + row * inputs + begin, inputs, sums + row * panel);
            }
        }
        for (std::size_t row = 0; row < rows; ++row) done(row, unit, sums + row * panel);
    }
}

void first(const First& layer, const std::uint16_t* bits, int count, std::int16_t* out) {
    for (std::size_t unit = 0; unit < layer.units.count; unit += panel) {
        std::int32_t sums[panel];
        for (int i = 0; i < panel; ++i) sums[i] = layer.units.bias[unit + i];
        for (int bit = 0; bit < count; ++bit) {
            const std::int16_t* weights = layer.weights + bits[bit] * layer.units.count + unit;
            for (int i = 0; i < panel; ++i) sums[i] += weights[i];
        }
        for (int i = 0; i < panel; ++i)
            out[unit + i] = static_cast<std::int16_t>(activation(sums[i], layer.units.shift[unit + i]));
    }
}

void later(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int16_t* out) {
    all_sums(layer, in, rows, [&](std::size_t row, std::size_t unit, const std::int32_t* sums) {
        finish(layer, unit, sums, in + row * layer.inputs + unit, out + row * layer.units.count + unit);
    });
}

void sums(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int32_t* out) {
    all_sums(layer, in, rows, [&](std::size_t row, std::size_t unit, const std::int32_t* found) {
        std::memcpy(out + row * layer.units.count + unit, found, panel * sizeof *out);
    });
}

}  // namespace

const Kernels kernels{&first, &later, &sums};

}  // namespace bidlab::network::BIDLAB_PROCESSOR
