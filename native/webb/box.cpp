#include "webb/box.hpp"

#include <algorithm>
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

// The lanes from `points` on, without their opposites.
void fill_all(std::uint64_t hand, std::array<std::int16_t, 64>& lanes) {
    const auto value = [hand](int feature) {
        return static_cast<std::int16_t>(meaning::feature_value(hand, feature));
    };
    const auto of_suit = [&](meaning::SuitFeature kind, std::size_t suit) {
        return value(meaning::first_of_suit + 4 * kind + static_cast<int>(suit));
    };
    lanes[5] = value(meaning::points);
    lanes[6] = value(meaning::controls);
    lanes[7] = value(meaning::losers);
    lanes[longest] = value(meaning::longest);
    lanes[shortest] = value(meaning::shortest);
    lanes[playing_tricks] = value(meaning::playing_tricks);
    int doubletons = 0;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        doubletons += lanes[1 + suit] == 2;
        std::int16_t other = 0;
        for (std::size_t i = 0; i < 4; ++i)
            if (i != suit) other = std::max(other, lanes[1 + i]);
        lanes[lead + suit] = static_cast<std::int16_t>(lanes[1 + suit] - other);
        lanes[stopper + suit] = of_suit(meaning::stopper, suit);
        lanes[quality + suit] = of_suit(meaning::quality, suit);
        lanes[support + suit] = of_suit(meaning::support, suit);
        lanes[top_five + suit] = of_suit(meaning::top_five, suit);
    }
    lanes[balanced] = lanes[shortest] >= 2 && doubletons <= 1 && lanes[longest] <= 5;
}

}  // namespace

Values values_of(std::uint64_t hand, bool all) {
    static const Holdings holdings;
    Values values;
    auto& lanes = values.lanes;
    int thousandths = 0;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const Holding& held = holdings.of[hand >> 13 * suit & 0x1fff];
        lanes[1 + suit] = held.length;
        thousandths += held.thousandths;
    }
    // To the nearest 78.125; none is halfway, as 16 times a whole number is even.
    lanes[0] = static_cast<std::int16_t>((16 * thousandths + 625) / 1250);
    if (all) fill_all(hand, lanes);
    for (std::size_t group = 0; group < (all ? lanes.size() : 16); group += 16)
        for (std::size_t i = group; i < group + negated; ++i)
            lanes[i + negated] = static_cast<std::int16_t>(-lanes[i]);
    return values;
}

// The bounds on lengths depend on the test alone, so that it does not matter in which order tests come.
bool Box::narrow_lengths(const Test& test) {
    const auto bound = [&](std::size_t lane, int least) {
        lanes[lane] = std::max(lanes[lane], static_cast<std::int16_t>(least));
        return lanes[lane] + lanes[lane ^ negated] <= 0;
    };
    const auto all_bound = [&](std::size_t first, int least) {
        bool is_left = true;
        for (std::size_t i = first; i < first + 4; ++i) is_left &= bound(i, least);
        return is_left;
    };
    constexpr std::size_t leasts = 1, mosts = 1 + negated;
    bool is_left = true;
    if (test.lane == balanced && test.bound == 1)
        is_left = all_bound(leasts, 2) && all_bound(mosts, -5);
    else if (test.lane == longest + negated)
        is_left = all_bound(mosts, test.bound);
    else if (test.lane == shortest)
        is_left = all_bound(leasts, test.bound);
    else if (test.lane >= lead && test.lane < lead + 4 && test.bound >= 0)
        // Three suits that are so much shorter have the rest of the 13 cards.
        is_left = bound(static_cast<std::size_t>(1 + test.lane - lead), (13 + 3 * test.bound + 3) / 4);
    else
        return true;
    return is_left && tighten();
}

}  // namespace bidlab::webb
