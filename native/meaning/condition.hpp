// A condition on one hand, compiled: tested and measured for any number of hands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meaning/shapes.hpp"

namespace bidlab::meaning {

// A tree in prefix order. `all` and `any` are followed by their parts, up to `end`.
struct Node {
    enum Kind : std::int32_t { all, any, range, shape };
    std::int32_t kind;
    std::int32_t end;    // the node after this one and its parts
    std::int32_t index;  // range: the feature; shape: which set of shapes
    std::int32_t least;  // range: least and most of the feature
    std::int32_t most;
};

class Condition {
   public:
    // Sets of shapes hold bit s % 64 of word s / 64 for shape s; misfits one number a shape.
    using ShapeSet = std::array<std::uint64_t, 9>;
    using ShapeMisfits = std::array<float, shapes>;

    Condition(std::vector<Node> nodes, std::vector<double> scales, std::vector<ShapeSet> sets,
              std::vector<ShapeMisfits> misfits, const Cells& possible, const Cells& certain);

    // Whether a hand of 13 cards fulfils the condition.
    bool admits(std::uint64_t hand) const { return admits(hand, shape_of(hand), high_card_points(hand)); }
    // The same where shape and points of the hand are known.
    bool admits(std::uint64_t hand, int shape, int points) const {
        const std::uint64_t bit = std::uint64_t{1} << points;
        if (!(possible_[static_cast<std::size_t>(shape)] & bit)) return false;
        return (certain_[static_cast<std::size_t>(shape)] & bit) || holds(0, hand, shape);
    }

    // How far a hand is from fulfilling it: 0 where it does.
    double misfit(std::uint64_t hand) const { return distance(0, hand, shape_of(hand)); }

    // Cells outside which no hand fulfils the condition, and cells of which every hand does.
    const Cells& possible() const { return possible_; }
    const Cells& certain() const { return certain_; }

    // Cards that every hand that fulfils it holds, and honours (ace to jack) that none does.
    std::uint64_t held() const { return held_; }
    std::uint64_t denied() const { return denied_; }

   private:
    bool holds(std::size_t node, std::uint64_t hand, int shape) const;
    double distance(std::size_t node, std::uint64_t hand, int shape) const;

    std::vector<Node> nodes_;
    std::vector<double> scales_;
    std::vector<ShapeSet> sets_;
    std::vector<ShapeMisfits> misfits_;
    Cells possible_, certain_;
    std::uint64_t held_ = 0, denied_ = 0;
};

}  // namespace bidlab::meaning
