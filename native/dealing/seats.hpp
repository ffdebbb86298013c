// A seat that still gets cards, and what its condition says of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dealing/random.hpp"
#include "meaning/condition.hpp"
#include "meaning/pool.hpp"

namespace bidlab {

// Points from first to last.
struct Run {
    std::int8_t first, last;
};

// One shape that a hand may have: the cards still to get in each suit, and the points still to get.
struct Option {
    Lengths get;
    std::uint64_t points;  // bit p: p points are allowed, and some hand has them
    int runs;
    std::array<Run, 20> run;  // the allowed points again; they may run on over points that no hand has
};

struct OpenSeat {
    // Without a condition (null) every hand is allowed.
    OpenSeat(int number, const meaning::Condition* condition, std::uint64_t known, std::uint64_t pool);

    // A seat that takes what comes; nothing is counted for it.
    OpenSeat(int number, int need) : number(number), need(need) {}

    // Nobody: a second hand that gets no cards.
    OpenSeat() { options.push_back({{}, 1, 1, {Run{0, 0}}}); }

    // The points still to get that are allowed if so many cards of each suit come to the known ones.
    std::uint64_t points_with(const Lengths& get) const {
        return points_by_shape[static_cast<std::size_t>(meaning::shape_number(
            known_lengths[0] + get[0], known_lengths[1] + get[1], known_lengths[2] + get[2]))];
    }

    int number = -1;
    int need = 0;              // cards still to get
    std::uint64_t denied = 0;  // honours that the condition excludes
    Lengths known_lengths{};
    std::vector<Option> options;
    std::vector<std::uint64_t> points_by_shape;  // Option::points by the number of the whole hand's shape
    double hand_share = 1;   // of the hands that the seat could get, those in the condition's cells
    double point_share = 1;  // the same among hands of the shapes in these cells
};

// So many of the cards, every choice equally likely.
std::uint64_t random_cards(Generator& generator, std::uint64_t cards, int count);

}  // namespace bidlab
