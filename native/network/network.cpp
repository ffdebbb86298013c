#include "network/network.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace bidlab::network {

namespace {

constexpr std::size_t padded(std::size_t count) { return (count + panel - 1) / panel * panel; }

}  // namespace

Network::Kept Network::kept(const Given& given) {
    Kept layer{{}, {}, {}, padded(given.units), padded(given.inputs), given.carry};
    layer.weights.resize(layer.units * layer.inputs);
    layer.bias.assign(given.bias, given.bias + given.units);
    layer.shift.assign(given.shift, given.shift + given.units);
    layer.bias.resize(layer.units);
    layer.shift.resize(layer.units);
    return layer;
}

Network::Kept Network::in_panels(const Given& given) {
    Kept layer = kept(given);
    for (std::size_t unit = 0; unit < given.units; ++unit)
        for (std::size_t input = 0; input < given.inputs; ++input) {
            const std::size_t pair = unit / panel * (layer.inputs / 2) + input / 2;
            layer.weights[(pair * panel + unit % panel) * 2 + input % 2] =
                given.weights[unit * given.inputs + input];
        }
    return layer;
}

Network::Network(const Given& given_first, const Given& given_head, bool plain)
    : kernels(&baseline::kernels),
      given_width(given_first.units),
      given_inputs(given_first.inputs),
      given_outputs(given_head.units),
      first(kept(given_first)),
      head(in_panels(given_head)) {
#ifdef BIDLAB_HAS_X86_64_V3
    if (!plain && has_x86_64_v3()) kernels = &x86_64_v3::kernels;
#else
    static_cast<void>(plain);
#endif
    for (std::size_t unit = 0; unit < given_first.units; ++unit)
        for (std::size_t bit = 0; bit < given_inputs; ++bit)
            first.weights[bit * first.units + unit] = given_first.weights[unit * given_inputs + bit];
}

void Network::add_layer(const Given& layer) { layers.push_back(in_panels(layer)); }

void Network::evaluate_rows(const Observe& observe, std::size_t begin, std::size_t rows,
                            std::int64_t* out) const {
    std::vector<std::int16_t> in(rows * first.units), next(in.size());
    const auto words = std::make_unique_for_overwrite<std::int32_t[]>(in.size());
    const First first_layer{first.view(), first.weights.data()};
    std::vector<std::uint16_t> bits(given_inputs);
    for (std::size_t row = 0; row < rows; ++row) {
        const int count = observe(begin + row, bits.data());
        kernels->first(first_layer, bits.data(), count, in.data() + row * first.units);
    }
    for (const Kept& layer : layers) {
        kernels->later(layer.layer(), in.data(), rows, words.get(), next.data());
        std::swap(in, next);
    }
    std::vector<std::int32_t> sums(rows * head.units);
    kernels->sums(head.layer(), in.data(), rows, words.get(), sums.data());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < given_outputs; ++i)
            out[row * given_outputs + i] =
                std::int64_t{sums[row * head.units + i]} * (std::int64_t{1} << head.shift[i]);
}

bool Network::evaluate(const Observe& observe, std::size_t count, int threads, const Watch& watch,
                       std::int64_t* out) const {
    const std::size_t workers = thread_count(threads);
    const std::size_t size = std::min(most_rows, std::max<std::size_t>((count + workers - 1) / workers, 1));
    const std::size_t items = (count + size - 1) / size;
    const auto evaluate_item = [&](std::size_t item) {
        const std::size_t begin = item * size;
        evaluate_rows(observe, begin, std::min(size, count - begin), out + begin * given_outputs);
    };
    if (items > 1)
        return run_batch(
            items, 1, workers, watch,
            [&](std::size_t, std::size_t item, const std::atomic<bool>&) { evaluate_item(item); });
    if (items) evaluate_item(0);  // a thread would take longer to start
    return true;
}

}  // namespace bidlab::network
