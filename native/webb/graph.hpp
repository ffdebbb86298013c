// A program at one point of an auction: the call it chooses, and what a call shows (Woolever 2001, 3.4).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "webb/box.hpp"
#include "webb/program.hpp"

namespace bidlab::webb {

using Known = std::array<Box, 4>;  // by seat

// What a call left open, for when more is known of its player: decisions that have a way to the call, the
// later ones first, with their tests as they were then.
class Graph {
   public:
    enum : std::int16_t { nowhere = -2, the_call = -1 };
    struct Node {
        std::int16_t jump, next;  // numbers of nodes before it, or of the above
        Test test;
    };

    void clear() { nodes.clear(), forks = 0; }
    // A decision, or what is left of it; its number, or that of the node which stands for it.
    std::int16_t add(const Node& node);
    bool is_open() const { return forks > 0; }
    // Graph interference: leaves of a box the hands that make the call; false where there are none. Ways that
    // no hand takes any more are pruned for good. The walk is saved where nothing is new.
    bool narrow(Box& known, std::vector<Box>& room);

   private:
    std::vector<Node> nodes;
    int forks = 0;  // decisions with two ways left
    Box seen;       // what was known at the last walk

    friend class Position;
};

// The row of a state as everybody at the table sees it: bids are calls, decisions are tests of the player's
// hand. Only entries that a hand of the player can reach are looked at.
class Position {
   public:
    // `own` is what is known of the player to call; the whole box where hands of any kind are to be tried.
    void resolve(const System& system, int state, const Laws& laws, const Known& known, const Box& own);
    int choose(const Values& own) const {
        return walk(own, [](std::size_t) {});
    }
    // The same, and visit(at) is called for every entry on the way.
    template <typename Visit>
    int walk(const Values& own, const Visit& visit) const {
        for (std::size_t at = 0;;) {
            const Node& node = nodes[at];
            if (at < length) visit(at);
            if (node.kind == call) return node.call;
            const bool jumps = node.kind == jump || (node.kind == fork && node.test.holds(own));
            at = jumps ? node.target : at + 1;
        }
    }
    // Calls visit(at) for every entry that the choice, or what it shows, depends on.
    template <typename Visit>
    void visit_reached(const Visit& visit) const {
        for (std::size_t at = 0; at < length && at <= last; ++at)
            if (reached[at]) visit(at);
    }
    // Feature inferencing: the box of the hands that make a call, among those of `own` as it was resolved;
    // false where there are none. What it leaves open goes into the graph.
    bool infer(int call, Box& own, Graph& graph);
    // What was resolved, as it is read: calls, and tests that some hands pass and some do not, each with the
    // numbers of the steps that follow. The first step is number 0; later ones stand behind earlier ones.
    struct Step {
        std::int16_t call;  // -1: a test
        std::int16_t lane, bound, jump, next;
    };
    std::vector<Step> steps() const;

   private:
    // Where an entry may lead, a bit for each way; a call leads nowhere.
    enum Kind : std::uint8_t { call = 0, next = 1, jump = 2, fork = next | jump };
    struct Node {
        Kind kind;
        std::uint8_t call;
        std::uint16_t target;  // of a jump
        Test test;
    };
    void add_up(int seat, const Known& known);
    void name_suits(int seat, const Known& known);
    Node of_decision(const Entry& entry, std::size_t at, const Box& own) const;
    Node of_other(const Entry& entry, std::size_t at, const Laws& laws, const Box& own) const;
    void reach(std::size_t at, bool is_reached) {
        reached[at] |= is_reached;
        last = std::max(last, is_reached ? at : 0);
    }

    alignas(16) std::array<Lanes, 8> sums;
    int suits[3] = {};        // that the auction names, by Entry::Suit; -1: none
    std::size_t length = 0;   // of the row
    std::vector<Node> nodes;  // by number of the entry; the last is the pass behind the row
    std::vector<std::uint8_t> reached;
    std::size_t last = 0;               // entry that was reached
    bool is_forced = false;             // all hands make the same call
    std::vector<Box> boxes;             // of the hands that come to the call from an entry
    std::vector<std::int16_t> numbers;  // of an entry's node in the graph
};

}  // namespace bidlab::webb
