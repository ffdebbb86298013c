#include "network/kernels.hpp"

#include "network/sums.hpp"

namespace bidlab::network::BIDLAB_PROCESSOR {

namespace {

// Pairs of inputs that are summed for all rows before the next: their weights in one panel, about 16 KiB,
// stay in the cache.
constexpr std::size_t slice = 256;

std::int32_t least(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
std::size_t least_of(std::size_t a, std::size_t b) { return a < b ? a : b; }
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

// A few rows that are summed side by side, without the pairs of inputs that are zero in all of them: after a
// ReLU many are. Each pair that is left has 1 + rows words: where its weights begin in a panel, and the
// activations of the rows.
struct Group {
    std::int32_t* words;
    std::size_t pairs;
};

template <int rows>
Group gather(const std::int16_t* in, std::size_t inputs, std::int32_t* words) {
    std::int32_t* next = words;
    for (std::size_t input = 0; input < inputs; input += 2) {
        std::int32_t any = 0;
        next[0] = static_cast<std::int32_t>(input * panel);
        for (int row = 0; row < rows; ++row) any |= next[1 + row] = pair_at(in + row * inputs + input);
        next += any ? 1 + rows : 0;
    }
    return {words, static_cast<std::size_t>(next - words) / (1 + rows)};
}

// Adds to the sums of one panel for the rows of a group, from one pair to another: each weight is read once.
template <int rows>
void add_up(const Group& group, std::size_t begin, std::size_t end, const std::int16_t* weights,
            std::int32_t* sums) {
    Several<rows> several;
    several.load(sums);
    const std::int32_t* last = group.words + end * (1 + rows);
    for (const std::int32_t* word = group.words + begin * (1 + rows); word != last; word += 1 + rows)
        several.add_rows(weights + *word, word + 1);
    several.store(sums);
}

// The sums of a few panels for a single row.
template <int panels>
void add_up_panels(const Group& group, const Layer& layer, std::size_t unit, std::int32_t* sums) {
    const std::int16_t* weights = layer.weights + unit * layer.inputs;
    Several<panels> several;
    several.load(layer.units.bias + unit);
    for (std::size_t i = 0; i < group.pairs; ++i)
        several.add_panels(weights + group.words[2 * i], panel * layer.inputs, group.words[2 * i + 1]);
    several.store(sums);
}

// What is done with groups of 1 .. 6 rows.
struct Adder {
    Group (*gather)(const std::int16_t* in, std::size_t inputs, std::int32_t* words);
    void (*add_up)(const Group& group, std::size_t begin, std::size_t end, const std::int16_t* weights,
                   std::int32_t* sums);
};
constexpr Adder adders[] = {{&gather<1>, &add_up<1>}, {&gather<2>, &add_up<2>}, {&gather<3>, &add_up<3>},
                            {&gather<4>, &add_up<4>}, {&gather<5>, &add_up<5>}, {&gather<6>, &add_up<6>}};
constexpr std::size_t together = Sums::side_by_side;
static_assert(together <= 6);

// Calls done(0, unit, sums) for every panel of a single row.
template <typename Done>
void row_sums(const Layer& layer, const std::int16_t* in, std::int32_t* words, const Done& done) {
    constexpr std::size_t most = together > 4 ? 4 : 2;  // panels: enough to keep the processor busy
    std::int32_t sums[most * panel];
    const Group group = gather<1>(in, layer.inputs, words);
    for (std::size_t unit = 0; unit < layer.units.count;) {
        const std::size_t taken = layer.units.count - unit < most * panel ? 1 : most;
        (taken == 1 ? add_up_panels<1> : add_up_panels<most>)(group, layer, unit, sums);
        for (std::size_t i = 0; i < taken; ++i, unit += panel) done(0, unit, sums + i * panel);
    }
}

// Calls done(row, unit, sums) for every panel of every row.
template <typename Done>
void all_sums(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int32_t* words,
              const Done& done) {
    if (rows == 1) return row_sums(layer, in, words, done);
    Group groups[most_rows / together + 1];
    std::size_t most_pairs = 0;
    for (std::size_t row = 0; row < rows; row += together) {
        Group& group = groups[row / together];
        group = adders[least_of(rows - row, together) - 1].gather(in + row * layer.inputs, layer.inputs,
                                                                  words + row * layer.inputs);
        if (most_pairs < group.pairs) most_pairs = group.pairs;
    }
    std::int32_t sums[most_rows * panel];
    for (std::size_t unit = 0; unit < layer.units.count; unit += panel) {
        for (std::size_t row = 0; row < rows; ++row)
            std::memcpy(sums + row * panel, layer.units.bias + unit, panel * sizeof *sums);
        for (std::size_t begin = 0; begin < most_pairs; begin += slice)
            for (std::size_t row = 0; row < rows; row += together) {
                const Group& group = groups[row / together];
                if (begin < group.pairs)
                    adders[least_of(rows - row, together) - 1].add_up(
                        group, begin, least_of(begin + slice, group.pairs),
                        layer.weights + unit * layer.inputs, sums + row * panel);
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

void later(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int32_t* words,
           std::int16_t* out) {
    all_sums(layer, in, rows, words, [&](std::size_t row, std::size_t unit, const std::int32_t* sums) {
        finish(layer, unit, sums, in + row * layer.inputs + unit, out + row * layer.units.count + unit);
    });
}

void sums(const Layer& layer, const std::int16_t* in, std::size_t rows, std::int32_t* words,
          std::int32_t* out) {
    all_sums(layer, in, rows, words, [&](std::size_t row, std::size_t unit, const std::int32_t* found) {
        std::memcpy(out + row * layer.units.count + unit, found, panel * sizeof *out);
    });
}

}  // namespace

const Kernels kernels{&first, &later, &sums};

}  // namespace bidlab::network::BIDLAB_PROCESSOR
