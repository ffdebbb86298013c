#include "webb/box.hpp"

#include <bit>

#include "meaning/features.hpp"

namespace bidlab::webb {
namespace {

struct Holding {
    std::uint16_t thousandths;
    std::uint8_t length;
};

struct Holdings {
    std::array<Holding, 1 << 13> of;

    Holdings() {
        for (std::uint32_t held = 0; held < of.size(); ++held) {
            of[held].thousandths = static_cast<std::uint16_t>(meaning::feature_value(held, meaning::webb));
            of[held].length = static_cast<std::uint8_t>(std::popcount(held));
        }
    }
};

}  // namespace

Values values_of(std::uint64_t hand) {
    static const Holdings holdings;
    Values values;
    Lanes& lanes = values.lanes;
    int thousandths = 0;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const Holding& held = holdings.of[hand >> 13 * suit & 0x1fff];
        lanes[1 + suit] = held.length;
        thousandths += held.thousandths;
    }
    // To the nearest 78.125; none is halfway, as 16 times a whole number is even.
    lanes[0] = static_cast<std::int16_t>((16 * thousandths + 625) / 1250);
    for (std::size_t i = 0; i < features; ++i) lanes[i + negated] = static_cast<std::int16_t>(-lanes[i]);
    return values;
}

}  // namespace bidlab::webb
