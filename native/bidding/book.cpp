#include "bidding/book.hpp"

#include <algorithm>
#include <bit>

namespace bidlab::bidding {

namespace {

int packed(const Estimate& hcp) { return hcp.least << 8 | hcp.most; }

int packed_lengths(const Summary& of, bool most) {
    int word = 0;
    for (int suit = 0; suit < 4; ++suit)
        word |= (most ? of.length[suit].most : of.length[suit].least) << 4 * suit;
    return word;
}

// Their suits, three bits each, the one bid last in the highest place.
int packed_suits(const State& state, int left, int right) {
    const int shown =
        state.named[static_cast<std::size_t>(left)] | state.named[static_cast<std::size_t>(right)];
    const int last = state.suit[static_cast<std::size_t>(right)] >= 0
                         ? state.suit[static_cast<std::size_t>(right)]
                         : state.suit[static_cast<std::size_t>(left)];
    int word = 0, count = 0;
    const auto add = [&](int suit) { word |= suit << 3 * count++; };
    for (int suit = 0; suit < 4; ++suit)
        if ((shown >> suit & 1) && suit != last) add(suit);
    if (last >= 0) add(last);
    while (count < 4) add(7);
    return word;
}

// What an unexpected call may show: a suit that is bid, four cards.
Cells natural_hands(int call) {
    Cells cells = every_cell();
    if (is_bid(call) && strain_of(call) < 4)
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
            if (meaning::shape_table.lengths[shape][static_cast<std::size_t>(strain_of(call))] < 4)
                cells[shape] = 0;
    return cells;
}

// What several rules that make one call do together.
Effects together(const Effects& a, const Effects& b) {
    Effects both = a;
    both.forcing = std::max(a.forcing, b.forcing);
    if (a.agrees != b.agrees) both.agrees = -1;
    if (a.asks < 0) both.asks = b.asks;
    if (a.transfers < 0) both.transfers = b.transfers;
    both.invites = a.invites && b.invites;
    both.signs_off = a.signs_off && b.signs_off;
    both.artificial = a.artificial || b.artificial;
    both.takeout = a.takeout || b.takeout;
    both.penalty = a.penalty && b.penalty;
    return both;
}

std::uint64_t cursor_key(int cursor, int list, int call) {
    return static_cast<std::uint64_t>(cursor) << 38 | static_cast<std::uint64_t>(list) << 6 |
           static_cast<std::uint64_t>(call);
}

}  // namespace

Fields fields_of(const State& state, const Bank& bank) {
    Fields f{};
    const int me = state.mover();
    const auto at = [&](int i) { return static_cast<std::size_t>((me + i) & 3); };
    const int places[4] = {0, 2, 1, 3};  // me, partner, left, right as the fields have them
    for (int i = 0; i < 4; ++i) {
        const Summary& of = bank.summary(state.known[at(places[i])]);
        f[static_cast<std::size_t>(3 * i)] = packed(of.hcp);
        f[static_cast<std::size_t>(3 * i + 1)] = packed_lengths(of, false);
        f[static_cast<std::size_t>(3 * i + 2)] = packed_lengths(of, true);
    }
    const std::size_t side = at(0) & 1, partner = at(2), right = at(3), left = at(1);
    const Effects& last = state.effects[partner];
    f[seat] = me + 1;
    f[we_vulnerable] = state.vulnerable >> side & 1;
    f[they_vulnerable] = state.vulnerable >> (side ^ 1) & 1;
    f[last_bid] = state.last_bid;
    f[agreed] = state.agreed[side];
    f[asked] = last.asks;
    f[transferred] = last.transfers;
    f[my_suit] = state.suit[at(0)];
    f[partner_suit] = state.suit[partner];
    f[our_suits] = packed_suits(state, static_cast<int>(at(0)), static_cast<int>(partner));
    f[their_suits] = packed_suits(state, static_cast<int>(left), static_cast<int>(right));
    f[is_game_forced] = state.game_forced[side];
    f[is_forced] = state.is_forced();
    f[is_invited] = last.invites;
    f[is_signed_off] = last.signs_off;
    f[is_artificial] = last.artificial;
    f[is_contested] = state.has_bid[left] || state.has_bid[right];
    f[is_doubled] = state.last_call[right] == dbl || state.last_call[right] == redbl;
    f[is_overcalled] = state.last_call[right] >= first_bid;
    f[we_opened] = state.opener >= 0 && static_cast<std::size_t>(state.opener & 1) == side;
    f[they_opened] = state.opener >= 0 && static_cast<std::size_t>(state.opener & 1) != side;
    f[i_passed] = state.passed[at(0)];
    f[partner_passed] = state.passed[partner];
    f[partner_has_bid] = state.has_bid[partner];
    f[i_have_bid] = state.has_bid[at(0)];
    f[is_below_game] = !state.last_bid || !is_game(state.last_bid);
    const Summary& expected = bank.summary(state.known[partner]);
    f[partner_mean] = static_cast<std::int32_t>(expected.hcp.mean + 0.5);
    for (int suit = 0; suit < 4; ++suit) {
        f[partner_worth] |= static_cast<std::int32_t>(expected.hcp.mean + expected.support[suit] + 0.5)
                            << 6 * suit;
        f[partner_likely] |= static_cast<std::int32_t>(expected.length[suit].mean + 0.4) << 4 * suit;
    }
    return f;
}

void Book::reset() {
    nodes_.clear();
    bank_.clear();
    clauses_.clear();
    wanted_.clear();
    fresh_ = -1;
    ++generation_;
    for (int vulnerable = 0; vulnerable < 4; ++vulnerable) {
        Node node;
        node.state.vulnerable = static_cast<std::uint8_t>(vulnerable);
        nodes_.push_back(std::move(node));
    }
}

bool Book::trim() {
    // A set of cells weighs as much as two nodes.
    if (nodes_.size() + 2 * bank_.size() <= most_nodes_ && !bank_.is_full()) return false;
    reset();
    return true;
}

int Book::add_list(std::vector<WrittenRule> rules) {
    lists_.push_back(std::move(rules));
    return static_cast<int>(lists_.size()) - 1;
}

int Book::add_said(const Cells& cells) {
    said_.push_back(cells);
    return static_cast<int>(said_.size());
}

int Book::number_of_said(const Cells& cells) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const std::uint64_t row : cells) hash = (std::rotl(hash, 23) ^ row) * 0xff51afd7ed558ccd;
    const auto [first, last] = said_numbers_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (said_[static_cast<std::size_t>(it->second - 1)] == cells) return it->second;
    const int made = add_said(cells);
    said_numbers_.emplace(hash, made);
    return made;
}

Cells Book::said_by(int number, int call) const {
    Cells left = every_cell(), possible, certain, found{};
    for (const Rule& rule : nodes_[static_cast<std::size_t>(number)].rules) {
        cells_of_rule(rule, left, possible, certain);
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
            if (rule.call == call) found[shape] |= possible[shape];
            left[shape] &= ~certain[shape];
        }
    }
    return found;
}

void Book::set_rules(int cursor, const std::vector<std::pair<int, int>>& looked_at, int list) {
    const auto [it, is_new] = first_look_.try_emplace(cursor, static_cast<int>(looks_.size()));
    if (is_new) looks_.emplace_back();
    int at = it->second;
    for (const auto& [field, value] : looked_at) {
        looks_[static_cast<std::size_t>(at)].field = field;
        auto& next = looks_[static_cast<std::size_t>(at)].next;
        const auto found =
            std::find_if(next.begin(), next.end(), [&](const auto& p) { return p.first == value; });
        if (found != next.end()) {
            at = found->second;
            continue;
        }
        const int made = static_cast<int>(looks_.size());
        next.emplace_back(value, made);
        looks_.emplace_back();
        at = made;
    }
    looks_[static_cast<std::size_t>(at)].list = list;
}

void Book::set_cursor(int cursor, int list, int call, int next) {
    cursors_[cursor_key(cursor, list, call)] = next;
}

void Book::ask(int node, int call) { wanted_.push_back({node, call}); }

int Book::list_of(const Node& node) const {
    const auto first = first_look_.find(node.cursor);
    if (first == first_look_.end()) return -1;
    const Fields values = fields_of(node.state, bank_);
    int at = first->second;
    while (true) {
        const Look& look = looks_[static_cast<std::size_t>(at)];
        if (look.list >= 0) return look.list;
        if (look.field < 0) return -1;
        const int value = values[static_cast<std::size_t>(look.field)];
        const auto found =
            std::find_if(look.next.begin(), look.next.end(), [&](const auto& p) { return p.first == value; });
        if (found == look.next.end()) return -1;
        at = found->second;
    }
}

void Book::cells_of_rule(const Rule& rule, const Cells& among, Cells& possible, Cells& certain) const {
    if (rule.is_any) {
        possible = certain = among;
    } else if (rule.from == Rule::judged) {
        cells_of(clauses_[rule.clauses], among, possible, certain);
    } else {
        const auto& written =
            lists_[static_cast<std::size_t>(rule.list)][static_cast<std::size_t>(rule.index)];
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
            possible[shape] = written.condition->possible()[shape] & among[shape];
            certain[shape] = written.condition->certain()[shape] & among[shape];
        }
    }
}

// Adds a rule where some hand that is left can fulfil it, and takes its hands away.
void Book::take(Node& node, const Rule& rule, Cells& left) {
    Cells possible, certain;
    cells_of_rule(rule, left, possible, certain);
    if (is_empty(possible)) return;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) left[shape] &= ~certain[shape];
    node.rules.push_back(rule);
    fresh_hands_.push_back(possible);
}

void Book::make_rules(Node& node) {
    Cells left = bank_.cells(node.state.known[static_cast<std::size_t>(node.state.mover())]);
    const auto& list = lists_[static_cast<std::size_t>(node.list)];
    for (std::size_t i = 0; i < list.size() && !is_empty(left); ++i) {
        if (!node.state.is_legal(list[i].call)) continue;
        Rule rule;
        rule.from = Rule::written;
        rule.call = list[i].call;
        rule.is_any = !list[i].condition;
        rule.list = node.list;
        rule.index = static_cast<std::int32_t>(i);
        rule.effects = list[i].effects;
        take(node, rule, left);
    }
    if (!is_empty(left))
        for (JudgedRule& judged : judge(node.state, bank_)) {
            if (!node.state.is_legal(judged.call) || is_empty(left)) continue;
            Rule rule;
            rule.call = static_cast<std::uint8_t>(judged.call);
            rule.kind = judged.kind;
            rule.strain = static_cast<std::int8_t>(judged.strain);
            rule.is_any = judged.is_any;
            rule.effects = judged.effects;
            rule.tricks = static_cast<float>(judged.tricks);
            rule.partner_hcp = static_cast<float>(judged.partner_hcp);
            rule.partner_length = static_cast<float>(judged.partner_length);
            if (!judged.is_any) rule.clauses = clauses_.number_of(judged.clauses);
            take(node, rule, left);
        }
    node.is_ready = true;
}

bool Book::is_ready(int number) {
    Node& node = nodes_[static_cast<std::size_t>(number)];
    if (node.is_ready) return true;
    node.list = list_of(node);
    if (node.list < 0) {
        ask(number, -1);
        return false;
    }
    fresh_ = number;
    fresh_hands_.clear();
    make_rules(node);
    return true;
}

// The hands that make a call at a node, among those that the player can hold.
Cells Book::hands_of(int number, int call) {
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    if (fresh_ != number) {  // as make_rules did, rule by rule
        Cells left = bank_.cells(node.state.known[static_cast<std::size_t>(node.state.mover())]), certain;
        fresh_ = number;
        fresh_hands_.resize(node.rules.size());
        for (std::size_t i = 0; i < node.rules.size(); ++i) {
            cells_of_rule(node.rules[i], left, fresh_hands_[i], certain);
            for (std::size_t shape = 0; shape < meaning::shapes; ++shape) left[shape] &= ~certain[shape];
        }
    }
    Cells found{};
    bool is_there = false;
    for (std::size_t i = 0; i < node.rules.size(); ++i)
        if (node.rules[i].call == call) {
            is_there = true;
            for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
                found[shape] |= fresh_hands_[i][shape];
        }
    return is_there ? found : natural_hands(call);
}

State Book::next_state(int number, int call, int said) {
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const int known = node.state.known[static_cast<std::size_t>(node.state.mover())];
    Effects effects;
    bool is_first = true;
    for (const Rule& rule : node.rules)
        if (rule.call == call && !said) {
            effects = is_first ? rule.effects : together(effects, rule.effects);
            is_first = false;
        }
    const Cells shown = said ? said_[static_cast<std::size_t>(said - 1)] : hands_of(number, call);
    if (said && is_bid(call) && strain_of(call) < 4)
        effects.artificial = summary_of(shown).length[strain_of(call)].least < 3;
    Cells both = bank_.cells(known);
    for (std::size_t i = 0; i < meaning::shapes; ++i) both[i] &= shown[i];
    // Against all that was known: the last call is believed.
    if (is_empty(both)) both = is_empty(shown) ? bank_.cells(known) : shown;
    return node.state.after(call, effects, bank_.number_of(both));
}

int Book::child(int number, int call, int said) {
    const std::uint32_t key = static_cast<std::uint32_t>(said) << 6 | static_cast<std::uint32_t>(call);
    for (const auto& [known, child] : nodes_[static_cast<std::size_t>(number)].children)
        if (known == key) return child;
    if (!is_ready(number)) return -1;
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const auto cursor = cursors_.find(cursor_key(node.cursor, node.list, call));
    if (cursor == cursors_.end()) {
        ask(number, call);
        return -1;
    }
    Node made;
    made.state = next_state(number, call, said);
    made.cursor = cursor->second;
    made.parent = number;
    made.call = static_cast<std::int16_t>(call);
    const int at = static_cast<int>(nodes_.size());
    nodes_.push_back(std::move(made));
    nodes_[static_cast<std::size_t>(number)].children.emplace_back(key, at);
    return at;
}

bool Book::holds(const Rule& rule, std::uint64_t hand) const {
    if (rule.is_any) return true;
    if (rule.from == Rule::judged) return bidding::holds(clauses_[rule.clauses], hand);
    const auto& list = lists_[static_cast<std::size_t>(rule.list)];
    return list[static_cast<std::size_t>(rule.index)].condition->admits(hand);
}

int Book::choice(int number, std::uint64_t hand) const {
    const auto& rules = nodes_[static_cast<std::size_t>(number)].rules;
    for (std::size_t i = 0; i + 1 < rules.size(); ++i)
        if (holds(rules[i], hand)) return static_cast<int>(i);
    return static_cast<int>(rules.size()) - 1;
}

std::size_t Book::bid(std::size_t boards, const std::uint64_t* hands, const std::uint8_t* dealers,
                      const std::uint8_t* vulnerable, std::int32_t* nodes) {
    std::size_t going = 0;
    for (std::size_t i = 0; i < boards; ++i) {
        const unsigned dealer = dealers[i], sides = vulnerable[i];
        // Bit 0 is the dealer's side.
        int at = nodes[i] >= 0 ? nodes[i]
                               : root(static_cast<int>(dealer & 1 ? (sides >> 1 | (sides & 1) << 1) : sides));
        while (!node(at).state.is_ended()) {
            int next = -1;
            if (is_ready(at)) {
                const std::uint64_t hand = hands[4 * i + ((dealer + node(at).state.place) & 3)];
                next = child(at, node(at).rules[static_cast<std::size_t>(choice(at, hand))].call, 0);
            }
            if (next < 0) {
                ++going;
                break;
            }
            at = next;
        }
        nodes[i] = at;
    }
    return going;
}

}  // namespace bidlab::bidding
