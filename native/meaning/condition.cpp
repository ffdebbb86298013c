#include "meaning/condition.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "meaning/features.hpp"

namespace bidlab::meaning {

Condition::Condition(std::vector<Node> nodes, std::vector<double> scales, std::vector<ShapeSet> sets,
                     std::vector<ShapeMisfits> misfits, const Cells& possible, const Cells& certain)
    : nodes_(std::move(nodes)),
      scales_(std::move(scales)),
      sets_(std::move(sets)),
      misfits_(std::move(misfits)),
      possible_(possible),
      certain_(certain) {
    // Cards named at the root, alone or among the parts of an `all`.
    const std::size_t begin = nodes_[0].kind == Node::all ? 1 : 0;
    const auto end = static_cast<std::size_t>(nodes_[0].end);
    for (std::size_t i = begin; i < end; i = static_cast<std::size_t>(nodes_[i].end)) {
        const Node& node = nodes_[i];
        if (node.kind != Node::range || node.index < first_card) continue;
        const std::uint64_t card = std::uint64_t{1} << (node.index - first_card);
        if (node.least >= 1) held_ |= card;
        if (node.most <= 0) denied_ |= card;
    }
}

bool Condition::holds(std::size_t at, std::uint64_t hand, int shape) const {
    const Node& node = nodes_[at];
    const auto end = static_cast<std::size_t>(node.end);
    switch (node.kind) {
        case Node::range: {
            const int value = feature_value(hand, node.index);
            return node.least <= value && value <= node.most;
        }
        case Node::shape:
            return sets_[static_cast<std::size_t>(node.index)][static_cast<std::size_t>(shape / 64)] >>
                       shape % 64 &
                   1;
        case Node::all:
            for (std::size_t i = at + 1; i < end; i = static_cast<std::size_t>(nodes_[i].end))
                if (!holds(i, hand, shape)) return false;
            return true;
        default:
            for (std::size_t i = at + 1; i < end; i = static_cast<std::size_t>(nodes_[i].end))
                if (holds(i, hand, shape)) return true;
            return false;
    }
}

double Condition::distance(std::size_t at, std::uint64_t hand, int shape) const {
    const Node& node = nodes_[at];
    const auto end = static_cast<std::size_t>(node.end);
    switch (node.kind) {
        case Node::range: {
            const int value = feature_value(hand, node.index);
            return std::max({0, node.least - value, value - node.most}) * scales_[at];
        }
        case Node::shape:
            return misfits_[static_cast<std::size_t>(node.index)][static_cast<std::size_t>(shape)];
        case Node::all: {
            double sum = 0;
            for (std::size_t i = at + 1; i < end; i = static_cast<std::size_t>(nodes_[i].end))
                sum += distance(i, hand, shape);
            return sum;
        }
        default: {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t i = at + 1; i < end; i = static_cast<std::size_t>(nodes_[i].end))
                least = std::min(least, distance(i, hand, shape));
            return least;
        }
    }
}

}  // namespace bidlab::meaning
