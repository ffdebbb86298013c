#include "network/network.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>

#include "bind/bind.hpp"
#include "bind/watch.hpp"
#include "doubledummy/guessing.hpp"
#include "network/observation.hpp"

namespace nb = nanobind;
namespace nw = bidlab::network;
namespace dd = bidlab::doubledummy;

namespace {

using Weights = nb::ndarray<const std::int16_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Hands = nb::ndarray<const std::uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Deals = nb::ndarray<const std::uint64_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Calls = nb::ndarray<const std::uint8_t, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t outputs_of_bidder = 39;  // 38 logits and the value

nw::Given given(const Weights& weights, const Numbers& bias, const Numbers& shift, int carry = -1) {
    if (bias.shape(0) != weights.shape(0) || shift.shape(0) != weights.shape(0))
        throw nb::value_error("a bias and a shift for every unit are wanted");
    return {weights.data(), bias.data(), shift.data(), weights.shape(0), weights.shape(1), carry};
}

void make_network(nw::Network* self, const Weights& first, const Numbers& first_bias,
                  const Numbers& first_shift, const Weights& head, const Numbers& head_bias,
                  const Numbers& head_shift, bool plain) {
    const bool bids = first.shape(1) == nw::observed && head.shape(0) == outputs_of_bidder;
    const bool guesses = first.shape(1) == dd::guess_inputs && head.shape(0) == dd::guess_outputs;
    if (!(bids || guesses) || head.shape(1) != first.shape(0))
        throw nb::value_error("480 inputs and 39 outputs, or 208 and 14, of one width are wanted");
    new (self) nw::Network(given(first, first_bias, first_shift), given(head, head_bias, head_shift), plain);
}

void add_layer(nw::Network& network, const Weights& weights, const Numbers& bias, const Numbers& shift,
               int carry) {
    if (weights.shape(0) != network.width() || weights.shape(1) != network.width())
        throw nb::value_error("a layer of the network's width is wanted");
    network.add_layer(given(weights, bias, shift, carry));
}

nw::Views viewed(const Hands& hands, const Calls& calls, const Bytes& dealers, const Bytes& vulnerable) {
    const std::size_t count = hands.shape(0);
    if (calls.shape(0) != count || dealers.shape(0) != count || vulnerable.shape(0) != count)
        throw nb::value_error("as many auctions, dealers and vulnerabilities as hands are wanted");
    if (std::any_of(calls.data(), calls.data() + calls.size(), [](std::uint8_t call) { return call > 37; }))
        throw nb::value_error("calls from 0 to 37 are wanted");
    return {hands.data(), calls.data(), dealers.data(), vulnerable.data(), calls.shape(1)};
}

// An array that Python owns.
template <typename Number>
nb::object owned(std::unique_ptr<Number[]> numbers, std::size_t rows, std::size_t columns) {
    Number* raw = numbers.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, Number>(raw, {rows, columns}, owner));
}

nb::object observations(const Hands& hands, const Calls& calls, const Bytes& dealers,
                        const Bytes& vulnerable) {
    const nw::Views views = viewed(hands, calls, dealers, vulnerable);
    const std::size_t count = hands.shape(0);
    auto bits = std::make_unique<std::uint8_t[]>(count * nw::observed);
    for (std::size_t view = 0; view < count; ++view) {
        std::uint16_t numbers[nw::observed];
        const int set = nw::observe(views, view, numbers);
        for (int i = 0; i < set; ++i) bits[view * nw::observed + numbers[i]] = 1;
    }
    return owned(std::move(bits), count, nw::observed);
}

nb::object evaluate(const nw::Network& network, const Hands& hands, const Calls& calls, const Bytes& dealers,
                    const Bytes& vulnerable, int threads) {
    const nw::Views views = viewed(hands, calls, dealers, vulnerable);
    const std::size_t count = hands.shape(0);
    if (network.inputs() != nw::observed) throw nb::value_error("a network that bids is wanted");
    auto out = std::make_unique<std::int64_t[]>(count * network.outputs());
    const nw::Observe see = [&](std::size_t row, std::uint16_t* bits) {
        return nw::observe(views, row, bits);
    };
    watched(nb::none(),
            [&](const bidlab::Watch& watch) { network.evaluate(see, count, threads, watch, out.get()); });
    return owned(std::move(out), count, network.outputs());
}

// The sums of a network that guesses tricks: one question a row, a deal, a strain and a declarer.
nb::object guess(const nw::Network& network, const Deals& deals, const Bytes& strains,
                 const Bytes& declarers) {
    const std::size_t count = deals.shape(0);
    if (network.inputs() != dd::guess_inputs) throw nb::value_error("a network that guesses is wanted");
    if (deals.shape(1) != 4 || strains.shape(0) != count || declarers.shape(0) != count)
        throw nb::value_error("four hands, a strain and a declarer for each question are wanted");
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t* hands = deals.data() + 4 * i;
        const bool is_deal = std::all_of(
            hands, hands + 4, [](std::uint64_t hand) { return !(hand >> 52) && std::popcount(hand) == 13; });
        if (!is_deal || strains.data()[i] > 4 || declarers.data()[i] > 3)
            throw nb::value_error("hands of 13 cards, strains 0 to 4 and declarers 0 to 3 are wanted");
    }
    auto out = std::make_unique<std::int64_t[]>(count * network.outputs());
    const nw::Observe see = [&](std::size_t row, std::uint16_t* bits) {
        return dd::observe_deal(deals.data() + 4 * row, strains.data()[row], declarers.data()[row], bits);
    };
    watched(nb::none(),
            [&](const bidlab::Watch& watch) { network.evaluate(see, count, 1, watch, out.get()); });
    return owned(std::move(out), count, network.outputs());
}

}  // namespace

void bind_network(nb::module_& m) {
    m.def("observations", &observations, nb::arg("hands"), nb::arg("calls"), nb::arg("dealers"),
          nb::arg("vulnerable"), "uint8 [view, 480]: what networks are shown.");
    nb::class_<nw::Network>(m, "Network",
                            "A network in whole numbers; sums are kept in bounds by the caller.")
        .def("__init__", &make_network, nb::arg("first"), nb::arg("first_bias"), nb::arg("first_shift"),
             nb::arg("head"), nb::arg("head_bias"), nb::arg("head_shift"), nb::arg("plain") = false)
        .def("add_layer", &add_layer, nb::arg("weights"), nb::arg("bias"), nb::arg("shift"), nb::arg("carry"))
        .def("evaluate", &evaluate, nb::arg("hands"), nb::arg("calls"), nb::arg("dealers"),
             nb::arg("vulnerable"), nb::arg("threads") = 1)
        .def("guess", &guess, nb::arg("deals"), nb::arg("strains"), nb::arg("declarers"));
}
