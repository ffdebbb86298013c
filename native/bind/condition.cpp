#include "meaning/condition.hpp"

#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bind/bind.hpp"
#include "meaning/features.hpp"

namespace nb = nanobind;
namespace mg = bidlab::meaning;

namespace {

template <typename Number, int... Shape>
using Array = nb::ndarray<const Number, nb::shape<Shape...>, nb::c_contig, nb::device::cpu>;

[[noreturn]] void refuse(std::size_t node, const std::string& why) {
    throw std::invalid_argument("node " + std::to_string(node) + ": " + why);
}

// What the kernel relies on: parts lie within their whole, leaves have none, every index exists. The depth is
// limited because a tree is walked by recursion.
void check_tree(const std::vector<mg::Node>& nodes, std::size_t sets) {
    constexpr std::size_t deepest = 500;
    if (nodes.empty()) throw std::invalid_argument("a condition has at least one node");
    if (nodes[0].end != static_cast<std::int64_t>(nodes.size())) refuse(0, "the root does not end the tree");
    std::vector<std::int32_t> ends;  // of the nodes around this one
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const mg::Node& node = nodes[i];
        while (!ends.empty() && ends.back() == static_cast<std::int64_t>(i)) ends.pop_back();
        if (node.end <= static_cast<std::int64_t>(i) || (!ends.empty() && node.end > ends.back()) ||
            (ends.empty() && i > 0))
            refuse(i, "ends outside its whole");
        switch (node.kind) {
            case mg::Node::all:
            case mg::Node::any:
                ends.push_back(node.end);
                if (ends.size() > deepest) refuse(i, "too deep");
                break;
            case mg::Node::range:
            case mg::Node::shape: {
                if (node.end != static_cast<std::int64_t>(i) + 1) refuse(i, "a leaf has no parts");
                const auto known =
                    node.kind == mg::Node::range ? mg::features : static_cast<std::int64_t>(sets);
                if (node.index < 0 || node.index >= known) refuse(i, "index out of range");
                break;
            }
            default:
                refuse(i, "unknown kind");
        }
    }
}

void make(mg::Condition* self, const Array<std::int32_t, -1, 5>& nodes, const Array<double, -1>& scales,
          const Array<std::uint64_t, -1, 9>& sets, const Array<float, -1, mg::shapes>& misfits,
          const Array<std::uint64_t, mg::shapes>& possible, const Array<std::uint64_t, mg::shapes>& certain) {
    std::vector<mg::Node> tree(nodes.shape(0));
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const std::int32_t* row = nodes.data() + 5 * i;
        tree[i] = {row[0], row[1], row[2], row[3], row[4]};
    }
    if (scales.shape(0) != tree.size()) throw std::invalid_argument("one scale a node is wanted");
    if (misfits.shape(0) != sets.shape(0)) throw std::invalid_argument("misfits for each set are wanted");
    check_tree(tree, sets.shape(0));
    std::vector<mg::Condition::ShapeSet> shape_sets(sets.shape(0));
    std::vector<mg::Condition::ShapeMisfits> shape_misfits(misfits.shape(0));
    for (std::size_t i = 0; i < shape_sets.size(); ++i) {
        std::copy_n(sets.data() + 9 * i, 9, shape_sets[i].begin());
        std::copy_n(misfits.data() + mg::shapes * i, mg::shapes, shape_misfits[i].begin());
    }
    mg::Cells possible_cells, certain_cells;
    std::copy_n(possible.data(), mg::shapes, possible_cells.begin());
    std::copy_n(certain.data(), mg::shapes, certain_cells.begin());
    new (self) mg::Condition(std::move(tree), {scales.data(), scales.data() + scales.shape(0)},
                             std::move(shape_sets), std::move(shape_misfits), possible_cells, certain_cells);
}

// One number a hand.
template <typename Number, typename Measure>
nb::ndarray<nb::numpy, Number, nb::shape<-1>> measured(const Array<std::uint64_t, -1>& bits,
                                                       const Measure& measure) {
    const std::size_t count = bits.shape(0);
    auto numbers = std::make_unique<Number[]>(count);
    {
        const nb::gil_scoped_release released;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t hand = bits.data()[i];
            if (hand >> 52 || std::popcount(hand) != 13)
                throw std::invalid_argument("hand " + std::to_string(i) + " has not 13 of the 52 cards");
            numbers[i] = measure(hand);
        }
    }
    Number* first = numbers.release();
    nb::capsule owner(first, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
    return nb::ndarray<nb::numpy, Number, nb::shape<-1>>(first, {count}, owner);
}

}  // namespace

void bind_condition(nb::module_& m) {
    nb::class_<mg::Condition>(m, "Condition", "A condition on one hand: a tree of tests, and its cells.")
        .def("__init__", &make, nb::arg("nodes"), nb::arg("scales"), nb::arg("sets"), nb::arg("misfits"),
             nb::arg("possible"), nb::arg("certain"))
        .def(
            "admits",
            [](const mg::Condition& condition, const Array<std::uint64_t, -1>& bits) {
                return measured<bool>(bits, [&](std::uint64_t hand) { return condition.admits(hand); });
            },
            nb::arg("bits"))
        .def(
            "misfit",
            [](const mg::Condition& condition, const Array<std::uint64_t, -1>& bits) {
                return measured<double>(bits, [&](std::uint64_t hand) { return condition.misfit(hand); });
            },
            nb::arg("bits"));
}
