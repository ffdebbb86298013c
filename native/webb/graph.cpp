#include "webb/graph.hpp"

#include <algorithm>

#include "webb/facts.hpp"

namespace bidlab::webb {
std::int16_t Graph::add(const Node& node) {
    forks += node.jump != nowhere && node.next != nowhere;
    nodes.push_back(node);
    return static_cast<std::int16_t>(nodes.size() - 1);
}

bool Graph::narrow(Box& known, std::vector<Box>& room) {
    if (seen == known) return true;
    seen = known;
    if (room.size() < nodes.size()) room.resize(nodes.size());
    const auto box_of = [&](std::int16_t number) -> const Box& {
        return number == the_call ? known : room[static_cast<std::size_t>(number)];
    };
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        Node& node = nodes[at];
        Box both[2];
        const auto way = [&](std::int16_t& to, const Test& test, Box& box) {
            if (to >= 0 && nodes[static_cast<std::size_t>(to)].jump == nowhere &&
                nodes[static_cast<std::size_t>(to)].next == nowhere)
                to = nowhere;
            if (to == nowhere) return false;
            box = box_of(to);
            if (!box.narrow(test)) to = nowhere;
            return to != nowhere;
        };
        const bool was_fork = node.jump != nowhere && node.next != nowhere;
        const bool jumps = way(node.jump, node.test, both[0]);
        const bool goes_on = way(node.next, node.test.opposite(), both[1]);
        if (was_fork && !(jumps && goes_on)) --forks;
        if (jumps || goes_on) room[at] = jumps && goes_on ? Box::hull(both[0], both[1]) : both[jumps ? 0 : 1];
    }
    // The root comes last.
    const bool is_left = nodes.back().jump != nowhere || nodes.back().next != nowhere;
    if (is_left) known = room[nodes.size() - 1];
    return is_left;
}

// The sums over each set of the three others, by set.
void Position::add_up(int seat, const Known& known) {
    sums[0] = {};
    for (std::size_t player = 0; player < 3; ++player) {
        const Lanes& own = known[(static_cast<std::size_t>(seat) + 1 + player) & 3].lanes;
        for (std::size_t set = 0; set < std::size_t{1} << player; ++set)
            for (std::size_t i = 0; i < 16; ++i)
                sums[set | std::size_t{1} << player][i] = static_cast<std::int16_t>(sums[set][i] + own[i]);
    }
}

// Without branches, which no processor could foresee here.
Position::Node Position::of_decision(const Entry& entry, std::size_t at, const Box& own) const {
    const auto target = static_cast<std::uint16_t>(std::min(at + entry.jump, length));
    const int mates = sums[entry.mates][entry.lane];
    const Test test{entry.lane, static_cast<std::int16_t>(entry.bound - mates)};
    const bool is_always = sums[entry.mates ^ 7][entry.lane ^ negated] >= entry.opposite;
    const bool is_true = is_always | own.is_certain(test);
    const bool is_false = !is_true & own.is_certain(test.opposite());
    return {static_cast<Kind>((is_true ? 0 : next) | (is_false ? 0 : jump)), 0, target, test};
}

// The suit in which partner, or one opponent, is known to have most cards, of at least three; the higher of
// two.
void Position::name_suits(int seat, const Known& known) {
    const auto longest_of = [&](std::initializer_list<int> players) {
        int suit = -1, most = 3;
        for (int i = 0; i < 4; ++i)
            for (const int player : players)
                if (const int least = known[static_cast<std::size_t>(seat + player) & 3].least(1 + i);
                    least >= most)
                    suit = i, most = least;
        return suit;
    };
    suits[Entry::partners] = longest_of({2});
    suits[Entry::theirs] = longest_of({1, 3});
}

// Entries that only systems with options have.
Position::Node Position::of_other(const Entry& given, std::size_t at, const Laws& laws,
                                  const Box& own) const {
    const auto target = static_cast<std::uint16_t>(std::min(at + given.jump, length));
    if (given.kind == Entry::fact) {
        const bool is_true =
            is_fact(static_cast<Fact>(given.lane), given.parameter, given.mates, laws) != given.is_opposite;
        return {is_true ? jump : next, 0, target, {}};
    }
    if (given.suit == Entry::as_written) return {fork, 0, target, {given.lane, given.bound}};
    const int suit = suits[given.suit];
    if (suit < 0) return {next, 0, target, {}};
    Entry entry = given;
    entry.lane = static_cast<std::uint8_t>(entry.lane + suit);
    if (entry.kind == Entry::decision) return of_decision(entry, at, own);
    return {fork, 0, target, {entry.lane, entry.bound}};
}

void Position::resolve(const System& system, int state, const Laws& laws, const Known& known,
                       const Box& own) {
    length = system.row_length(state);
    if (nodes.size() <= length) {
        nodes.resize(length + 1);
        boxes.resize(length + 1);
        numbers.resize(length + 1);
    }
    add_up(laws.seat(), known);
    if (system.options()) name_suits(laws.seat(), known);
    reached.assign(length + 2, false);
    last = 0;
    is_forced = true;
    reach(0, true);
    const Entry* row = system.row(state);
    for (std::size_t at = 0; at <= last; ++at) {
        if (!reached[at]) continue;
        if (at == length) {
            nodes[at] = {call, pass, 0, {}};
            break;
        }
        Node& node = nodes[at];
        const Entry& entry = row[at];
        if (entry.is_question()) {
            const bool is_plain = entry.kind == Entry::decision && entry.suit == Entry::as_written;
            node = is_plain ? of_decision(entry, at, own) : of_other(entry, at, laws, own);
            is_forced &= node.kind != fork;
        } else {
            const int made =
                entry.call(laws, entry.suit == Entry::partners ? suits[Entry::partners] : entry.lane);
            node = {made == no_bid ? next : call, static_cast<std::uint8_t>(made), 0, {}};
        }
        reach(at + 1, node.kind & next);
        reach(node.target, node.kind & jump);
    }
}

std::vector<Position::Step> Position::steps() const {
    // Entries with one way stand for where it leads.
    const auto end = [&](std::size_t at) {
        while (nodes[at].kind == next || nodes[at].kind == jump)
            at = nodes[at].kind == jump ? nodes[at].target : at + 1;
        return at;
    };
    std::vector<std::int16_t> number(last + 2, -1);
    std::vector<std::size_t> order;
    number[end(0)] = 0;
    for (std::size_t at = end(0); at <= last; ++at) {
        if (number[at] < 0) continue;
        number[at] = static_cast<std::int16_t>(order.size());
        order.push_back(at);
        if (nodes[at].kind == fork) number[end(at + 1)] = number[end(nodes[at].target)] = 0;
    }
    std::vector<Step> found;
    for (const std::size_t at : order) {
        const Node& node = nodes[at];
        if (node.kind == call)
            found.push_back({node.call, 0, 0, 0, 0});
        else
            found.push_back(
                {-1, node.test.lane, node.test.bound, number[end(node.target)], number[end(at + 1)]});
    }
    return found;
}

bool Position::infer(int made, Box& own, Graph& graph) {
    graph.clear();
    if (is_forced) return made == choose({});
    graph.seen = own;
    for (std::size_t at = last + 1; at-- > 0;) {
        if (!reached[at]) continue;
        const Node& node = nodes[at];
        std::int16_t& number = numbers[at] = Graph::nowhere;
        if (node.kind == call) {
            if (node.call != made) continue;
            number = Graph::the_call;
            boxes[at] = own;
        } else if (node.kind != fork) {
            const std::size_t to = node.kind == jump ? node.target : at + 1;
            number = numbers[to];
            if (number != Graph::nowhere) boxes[at] = boxes[to];
        } else {
            Box jumped, gone_on;
            const auto way = [&](std::size_t to, const Test& test, Box& box) -> std::int16_t {
                if (numbers[to] == Graph::nowhere) return Graph::nowhere;
                box = boxes[to];
                return box.narrow(test) ? numbers[to] : Graph::nowhere;
            };
            const Graph::Node kept{way(node.target, node.test, jumped),
                                   way(at + 1, node.test.opposite(), gone_on), node.test};
            if (kept.jump == Graph::nowhere && kept.next == Graph::nowhere) continue;
            if (kept.next == Graph::nowhere)
                boxes[at] = jumped;
            else
                boxes[at] = kept.jump == Graph::nowhere ? gone_on : Box::hull(jumped, gone_on);
            number = graph.add(kept);
        }
    }
    if (numbers[0] == Graph::nowhere) return false;
    own = boxes[0];
    return true;
}

}  // namespace bidlab::webb
