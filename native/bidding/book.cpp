#include "bidding/book.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "bidding/unexpected.hpp"

namespace bidlab::bidding {

namespace {

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

// Of some cells those in which hands may fulfil a condition, and of others those in which all do.
void keep_cells(const meaning::Condition& condition, const Cells& may, const Cells& must, Cells& possible,
                Cells& certain) {
    set_common(may, condition.possible(), possible);
    set_common(must, condition.certain(), certain);
}

std::uint64_t call_key(int number, int call) {
    return static_cast<std::uint64_t>(number) << 6 | static_cast<std::uint64_t>(call);
}

std::uint64_t cursor_key(int cursor, int making, int call) {
    return static_cast<std::uint64_t>(cursor) << 38 | call_key(making, call);
}

}  // namespace

// What a call does, by the rules that make it: those of the text where there are any. Where judgement makes
// the call too, the hand may be stronger than the text thought of: then it does not sign off.
Effects effects_of(const std::vector<Rule>& rules, int call) {
    Effects of[2];  // by Rule::From
    bool is_there[2] = {};
    for (const Rule& rule : rules)
        if (rule.call == call) {
            of[rule.from] = is_there[rule.from] ? together(of[rule.from], rule.effects) : rule.effects;
            is_there[rule.from] = true;
        }
    if (!is_there[Rule::written]) return of[Rule::judged];
    if (is_there[Rule::judged]) of[Rule::written].signs_off = false;
    return of[Rule::written];
}

Fields fields_of(const State& state, const Bank& bank) {
    Fields f{};
    const int me = state.mover();
    const auto at = [&](int i) { return static_cast<std::size_t>((me + i) & 3); };
    constexpr int places[4] = {0, 2, 1, 3};  // me, partner, left, right as the fields have them
    constexpr int player = partner_least_hcp - me_least_hcp;
    for (int i = 0; i < 4; ++i) {
        const Summary& of = bank.summary(state.known[at(places[i])]);
        std::int32_t* to = f.data() + player * i;
        to[me_least_hcp] = of.hcp.least;
        to[me_most_hcp] = of.hcp.most;
        for (int suit = 0; suit < 4; ++suit) {
            to[me_least + suit] = of.length[suit].least;
            to[me_most + suit] = of.length[suit].most;
        }
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
    f[our_suits] = state.named[at(0)] | state.named[partner];
    f[their_suits] = state.named[left] | state.named[right];
    f[unbid_suits] = 15 & ~(f[our_suits] | f[their_suits]);
    f[their_suit] = state.suit[right] >= 0 ? state.suit[right] : state.suit[left];
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
        const auto at_suit = static_cast<std::size_t>(suit);
        f[partner_worth + at_suit] =
            static_cast<std::int32_t>(expected.hcp.mean + expected.support[suit] + 0.5);
        f[partner_likely + at_suit] = static_cast<std::int32_t>(expected.length[suit].mean + 0.4);
    }
    return f;
}

Book::Book(std::size_t most_nodes) : most_nodes_(most_nodes) {
    part_rules_.number_of({});  // 0: no rules
    reset();
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
    // A set of cells weighs as much as three nodes.
    if (nodes_.size() + 3 * bank_.size() <= most_nodes_) return false;
    reset();
    return true;
}

int Book::add_rule(const WrittenRule& rule) {
    written_.push_back(rule);
    written_calls_.push_back(rule.call);
    if (rule.condition) written_.back().outline = Outline(rule.condition->possible());
    return static_cast<int>(written_.size()) - 1;
}

void Book::set_parts(int cursor, std::vector<int> parts) {
    const auto at = static_cast<std::size_t>(cursor);
    if (parts_.size() <= at) parts_.resize(at + 1);
    for (const int part : parts)
        if (first_look_.size() <= static_cast<std::size_t>(part))
            first_look_.resize(static_cast<std::size_t>(part) + 1, -1);
    parts_[at] = std::move(parts);
}

int Book::number_of_said(const Cells& cells) {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const std::uint64_t row : cells) hash = (std::rotl(hash, 23) ^ row) * 0xff51afd7ed558ccd;
    const auto [first, last] = said_numbers_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (said_[static_cast<std::size_t>(it->second - 1)] == cells) return it->second;
    said_.push_back(cells);
    const int made = static_cast<int>(said_.size());
    said_numbers_.emplace(hash, made);
    return made;
}

Cells Book::said_by(int number, int call) const {
    Cells left = every_cell(), found{};
    const Outline outline(left);
    Hands hands;
    for (const Rule& rule : nodes_[static_cast<std::size_t>(number)].rules) {
        cells_of_rule(rule, left, outline, hands);
        if (rule.call == call) add_cells(found, hands.possible);
        take_cells(left, hands.certain);
    }
    return found;
}

int& Book::Look::room_for(int value) {
    if (value < least) {
        next.insert(next.begin(), static_cast<std::size_t>(least - value), -1);
        least = value;
    }
    const auto place = static_cast<std::size_t>(value - least);
    if (next.size() <= place) next.resize(place + 1, -1);
    return next[place];
}

void Book::set_rules(int part, const std::vector<std::pair<int, int>>& looked_at,
                     const std::vector<int>& rules) {
    int* to = &first_look_[static_cast<std::size_t>(part)];
    for (const auto& [field, value] : looked_at) {
        if (*to < 0) {
            *to = static_cast<int>(looks_.size());
            looks_.push_back({field, value, {}});
        }
        to = &looks_[static_cast<std::size_t>(*to)].room_for(value);
    }
    *to = -2 - part_rules_.number_of(rules).first;
}

void Book::set_cursor(int cursor, int list, int call, int next) {
    cursors_[cursor_key(cursor, making(list, call), call)] = next;
}

int Book::making(int list, int call) {
    making_rules_.clear();
    for (const int rule : lists_[static_cast<std::size_t>(list)])
        if (written_calls_[static_cast<std::size_t>(rule)] == call) making_rules_.push_back(rule);
    if (making_rules_.empty()) return 0;
    if (making_rules_.size() == 1) return 1 + 2 * making_rules_.front();
    return 2 + 2 * making_numbers_.number_of(making_rules_).first;
}

void Book::ask(int node, int call) { wanted_.push_back({node, call}); }

int Book::part_at(int part, const Fields& values) const {
    int at = first_look_[static_cast<std::size_t>(part)];
    while (at >= 0) {
        const Look& look = looks_[static_cast<std::size_t>(at)];
        at = look.at(values[static_cast<std::size_t>(look.field)]);
    }
    return -2 - at;
}

bool Book::is_known(int number, int part) const {
    return part_at(part, fields_of(node(number).state, bank_)) >= 0;
}

int Book::list_of(int number) {
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const Fields values = fields_of(node.state, bank_);
    found_.clear();
    bool is_known = true;
    for (const int part : parts_[static_cast<std::size_t>(node.cursor)]) {
        const int rules = part_at(part, values);
        if (rules < 0) {
            ask(number, -1 - part);
            is_known = false;
        } else if (rules) {
            found_.push_back(rules);
        }
    }
    return is_known ? composed(found_) : -1;
}

// The list of the rules of some parts, in the order in which they are tried, each rule once.
int Book::composed(const std::vector<int>& parts) {
    const auto [number, is_new] = composed_.number_of(parts);
    if (!is_new) return composed_lists_[static_cast<std::size_t>(number)];
    std::vector<int> rules;
    for (const int part : parts)
        for (const int rule : part_rules_[part])
            if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
    std::stable_sort(rules.begin(), rules.end(), [&](int a, int b) {
        return written_[static_cast<std::size_t>(a)].order < written_[static_cast<std::size_t>(b)].order;
    });
    const auto [list, is_other] = list_numbers_.number_of(rules);
    if (is_other) lists_.push_back(std::move(rules));
    composed_lists_.push_back(list);
    return list;
}

// The outline is that of the cells, or a wider one.
void Book::cells_of_rule(const Rule& rule, const Cells& among, const Outline& outline, Hands& hands) const {
    if (rule.is_any) {
        hands.possible = hands.certain = among;
        return;
    }
    const meaning::Condition* condition = condition_of(rule);
    if (rule.clauses) {
        if (!cells_of(clauses_[rule.clauses], among, outline, hands.possible, hands.certain)) {
            hands.possible.fill(0);
            hands.certain.fill(0);
        } else if (condition) {
            keep_cells(*condition, hands.possible, hands.certain, hands.possible, hands.certain);
        }
    } else if (condition) {
        keep_cells(*condition, among, among, hands.possible, hands.certain);
    } else {
        hands.possible = hands.certain = among;
    }
}

Clauses Book::forecast_at(int number, int rule) const {
    const WrittenRule& written = written_[static_cast<std::size_t>(rule)];
    return Judgement(node(number).state, bank_).forecast_hands(written.forecast, written.call);
}

// Room for the hands of one more rule; it is used again unless a rule has taken it.
Book::Hands& Book::spare_hands() {
    if (hands_taken_ == hands_.size()) hands_.push_back(std::make_unique_for_overwrite<Hands>());
    return *hands_[hands_taken_];
}

// A rule has taken them: they are those of the last rule.
void Book::keep_spare_hands() {
    fresh_hands_.push_back(hands_[hands_taken_].get());
    ++hands_taken_;
}

// Adds a rule where some hand that is left can fulfil it, and takes its hands away; whether it did.
bool Book::take(Node& node, const Rule& rule, Open& open) {
    cells_of_rule(rule, open.left, open.outline, spare_hands());
    return taken(node, rule, open);
}

// The same of a written rule with a forecast, whose clauses are kept only if it is taken.
bool Book::take_foreseen(Node& node, const Rule& rule, const Clauses& clauses, Open& open) {
    Hands& hands = spare_hands();
    if (!cells_of(clauses, open.left, open.outline, hands.possible, hands.certain)) return false;
    if (const meaning::Condition* condition = written_[static_cast<std::size_t>(rule.written_as)].condition)
        keep_cells(*condition, hands.possible, hands.certain, hands.possible, hands.certain);
    if (!taken(node, rule, open)) return false;
    node.rules.back().clauses = clauses_.add(clauses);
    return true;
}

bool Book::take_judged(Node& node, const JudgedRule& judged, Open& open) {
    Hands& hands = spare_hands();
    if (judged.is_any)
        hands.possible = hands.certain = open.left;
    else if (!cells_of(judged.clauses, open.left, open.outline, hands.possible, hands.certain))
        return false;
    Rule rule;
    rule.call = static_cast<std::uint8_t>(judged.call);
    rule.kind = judged.kind;
    rule.strain = static_cast<std::int8_t>(judged.strain);
    rule.is_any = judged.is_any;
    rule.effects = judged.effects;
    rule.tricks = static_cast<float>(judged.tricks);
    rule.partner_hcp = static_cast<float>(judged.partner_hcp);
    rule.partner_length = static_cast<float>(judged.partner_length);
    if (!taken(node, rule, open)) return false;
    if (!judged.is_any) node.rules.back().clauses = clauses_.add(judged.clauses);
    return true;
}

// The rule whose hands are in the room that is spare, if there are any.
bool Book::taken(Node& node, const Rule& rule, Open& open) {
    Hands& hands = spare_hands();
    hands.points = points_in(hands.possible);
    if (!hands.points) return false;
    open.outline.take_away(open.left, hands.certain);
    keep_spare_hands();
    node.rules.push_back(rule);
    return true;
}

void Book::make_rules(Node& node) {
    const int known = node.state.known[static_cast<std::size_t>(node.state.mover())];
    Open open{bank_.cells(known), bank_.outline(known)};
    Judgement judgement(node.state, bank_);
    const bool is_contest = reviewer_ && is_reviewed(node.state);
    std::optional<std::size_t> first;  // rule of which there may be second thoughts
    const auto note = [&](const Rule& rule) {
        if (is_contest && !first && (rule.call == pass || is_foreseen(rule) || is_doubtful(rule)))
            first = node.rules.size();
    };
    for (const int number : lists_[static_cast<std::size_t>(node.list)]) {
        const WrittenRule& written = written_[static_cast<std::size_t>(number)];
        if (!node.state.is_legal(written.call)) continue;
        if (written.condition && !written.outline.meets(open.outline)) continue;
        Rule rule;
        rule.from = Rule::written;
        rule.call = written.call;
        rule.is_any = !written.condition && !written.forecast.kind;
        rule.written_as = number;
        rule.effects = written.effects;
        note(rule);
        if (written.forecast.kind) {
            const Clauses clauses = judgement.forecast_hands(written.forecast, written.call);
            if (!written.condition) judgement.skip(written.forecast, written.call);
            take_foreseen(node, rule, clauses, open);
        } else {
            take(node, rule, open);
        }
        if (!open.outline.points) break;
    }
    if (open.outline.points) {
        note(Rule{});
        for (const JudgedRule& judged : judgement.rules())
            if (node.state.is_legal(judged.call) && take_judged(node, judged, open) && !open.outline.points)
                break;
    }
    if (first) review_rules(node, *first);
    node.is_ready = true;
}

bool Book::is_ready(int number) {
    Node& node = nodes_[static_cast<std::size_t>(number)];
    if (node.is_ready) return true;
    node.list = list_of(number);
    if (node.list < 0) return false;
    begin_hands(number);
    make_rules(node);
    return true;
}

// Forgets the hands of the rules of another node.
void Book::begin_hands(int number) {
    fresh_ = number;
    fresh_hands_.clear();
    hands_taken_ = 0;
}

// The number of rules of a node up to the last one that makes a call; 0 where none does.
std::size_t Book::rules_to(int number, int call) const {
    const auto& rules = node(number).rules;
    std::size_t count = rules.size();
    while (count && rules[count - 1].call != call) --count;
    return count;
}

// The hands of the first rules of a node that make a call, among those that the player can hold.
Cells Book::fresh_hands_of(const Node& node, int call, std::size_t count) const {
    Cells found = fresh_hands_[count - 1]->possible;
    for (std::size_t i = 0; i + 1 < count; ++i)
        if (node.rules[i].call == call) add_cells(found, fresh_hands_[i]->possible);
    return found;
}

// As make_rules did, rule by rule.
Cells Book::hands_again(const Node& node, int call, std::size_t count) const {
    const int known = node.state.known[static_cast<std::size_t>(node.state.mover())];
    Cells left = bank_.cells(known), found{};
    const Outline& outline = bank_.outline(known);
    Hands hands;
    for (std::size_t i = 0; i < count; ++i) {
        const Rule& rule = node.rules[i];
        const meaning::Condition* condition = condition_of(rule);
        const bool is_bare = condition && !rule.clauses;  // its cells are those of the condition
        if (!is_bare) cells_of_rule(rule, left, outline, hands);
        if (rule.call == call) {
            if (is_bare) set_common(left, condition->possible(), hands.possible);
            add_cells(found, hands.possible);
        }
        take_cells(left, is_bare ? condition->certain() : hands.certain);
    }
    return found;
}

// The lines of the text that make a call at a node, whether or not a hand that is known of can fulfil them;
// those that ask for a forecast say little.
std::vector<const WrittenRule*> Book::lines_of(const Node& node, int call) const {
    std::vector<const WrittenRule*> found;
    for (const int number : lists_[static_cast<std::size_t>(node.list)]) {
        const WrittenRule& written = written_[static_cast<std::size_t>(number)];
        if (written.call == call && !written.forecast.kind) found.push_back(&written);
    }
    return found;
}

// What is known after a call that no hand as known makes: what the text says of it, if that can be, else its
// suit.
int Book::known_unexpected(const Node& node, int call, int known) {
    Cells shown{};
    for (const WrittenRule* line : lines_of(node, call))
        add_cells(shown, line->condition ? line->condition->possible() : every_cell());
    keep_common(shown, bank_.cells(known));
    if (!is_empty(shown)) return bank_.number_of(shown);
    return known_with(known, natural_hands(node.state, bank_, call));
}

// What a call does at a node.
Effects Book::effects_at(const Node& node, int call) const {
    const auto& rules = node.rules;
    if (std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.call == call; }))
        return effects_of(rules, call);
    const auto lines = lines_of(node, call);
    if (lines.empty()) return natural_effects(node.state, call);
    Effects found = lines.front()->effects;
    for (const WrittenRule* line : lines) found = together(found, line->effects);
    return found;
}

// What is known of a player's hand after a call at a node.
int Book::known_after(int number, int call, int said) {
    const State& state = node(number).state;
    const int known = state.known[static_cast<std::size_t>(state.mover())];
    if (said) return known_with(known, said_[static_cast<std::size_t>(said - 1)]);
    const std::size_t count = rules_to(number, call);
    if (!count) return known_unexpected(node(number), call, known);
    // Hands of rules are among those that were known.
    const Cells shown =
        fresh_ == number ? fresh_hands_of(node(number), call, count) : hands_again(node(number), call, count);
    return is_empty(shown) ? known : bank_.number_of(shown);
}

// What was known of a hand and what a call shows; where they do not meet the last call is believed.
int Book::known_with(int known, const Cells& shown) {
    Cells both = bank_.cells(known);
    keep_common(both, shown);
    if (!is_empty(both)) return bank_.number_of(both);
    return is_empty(shown) ? known : bank_.number_of(shown);
}

// A call that ends the auction tells nobody anything any more: its hands are left out until somebody looks.
State Book::next_state(int number, int call, int said) {
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const auto mover = static_cast<std::size_t>(node.state.mover());
    Effects effects = said ? Effects{} : effects_at(node, call);
    if (said && is_bid(call) && strain_of(call) < 4)
        effects.artificial =
            summary_of(said_[static_cast<std::size_t>(said - 1)]).length[strain_of(call)].least < 3;
    State next = node.state.after(call, effects, unsettled);
    if (!next.is_ended()) next.known[mover] = known_after(number, call, said);
    return next;
}

const Book::Node& Book::settled(int number) {
    const Node& made = node(number);
    if (!made.state.is_ended()) return made;
    const auto mover = static_cast<std::size_t>(node(made.parent).state.mover());
    if (made.state.known[mover] == unsettled) {
        const auto& siblings = node(made.parent).children;
        const auto key = std::find_if(siblings.begin(), siblings.end(), [&](const auto& one) {
                             return one.second == number;
                         })->first;
        const int known = known_after(made.parent, made.call, static_cast<int>(key >> 6));
        nodes_[static_cast<std::size_t>(number)].state.known[mover] = known;
    }
    return node(number);
}

int Book::child(int number, int call, int said) {
    const std::uint32_t key = static_cast<std::uint32_t>(said) << 6 | static_cast<std::uint32_t>(call);
    for (const auto& [known, child] : nodes_[static_cast<std::size_t>(number)].children)
        if (known == key) return child;
    if (!is_ready(number)) return -1;
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const auto cursor = cursors_.find(cursor_key(node.cursor, making(node.list, call), call));
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

// The condition of the text that a rule has, if any.
const meaning::Condition* Book::condition_of(const Rule& rule) const {
    return rule.written_as < 0 ? nullptr : written_[static_cast<std::size_t>(rule.written_as)].condition;
}

// Outlines of conditions lie close together and shut out most hands: the cells of all conditions do not fit
// in a cache.
bool Book::holds(const Rule& rule, const CountedHand& hand) const {
    if (rule.clauses && !bidding::holds(clauses_[rule.clauses], hand)) return false;
    if (rule.written_as < 0) return true;
    const WrittenRule& written = written_[static_cast<std::size_t>(rule.written_as)];
    return !written.condition ||
           (written.outline.has(hand.shape, hand.points) &&
            written.condition->admits(hand.cards, static_cast<int>(hand.shape), hand.points));
}

int Book::choice(int number, std::uint64_t cards) const {
    const auto& rules = nodes_[static_cast<std::size_t>(number)].rules;
    const CountedHand hand(cards);
    for (std::size_t i = 0; i + 1 < rules.size(); ++i)
        if (holds(rules[i], hand)) return static_cast<int>(i);
    return static_cast<int>(rules.size()) - 1;
}

double Book::misfit(const Rule& rule, std::uint64_t hand, const double* spreads) const {
    if (rule.is_any) return 0;
    double sum = rule.clauses ? bidding::misfit(clauses_[rule.clauses], hand, spreads) : 0;
    if (const meaning::Condition* condition = condition_of(rule)) sum += condition->misfit(hand);
    return sum;
}

std::vector<double> Book::rule_misfits(int number, std::uint64_t hand, const double* spreads) const {
    std::vector<double> found;
    for (const Rule& rule : nodes_[static_cast<std::size_t>(number)].rules)
        found.push_back(misfit(rule, hand, spreads));
    return found;
}

double Book::call_misfit(int number, int call, std::uint64_t hand, const double* spreads,
                         bool only_whether) const {
    // A hand that an earlier rule takes would have made another call, however well it fits this one.
    constexpr double taken_earlier = 0.25;
    const auto& rules = nodes_[static_cast<std::size_t>(number)].rules;
    if (rules[static_cast<std::size_t>(choice(number, hand))].call == call) return 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (const Rule& rule : rules)
        if (rule.call == call) nearest = only_whether ? 0 : std::min(nearest, misfit(rule, hand, spreads));
    if (nearest < std::numeric_limits<double>::infinity()) return nearest + taken_earlier;
    // No rule makes it: by its suit.
    const int length = natural_length(node(number).state, bank_, call);
    if (!length) return 0;
    Clause natural;
    add_length(natural, strain_of(call), length);
    return bidding::misfit(ClausesView(&natural, 1), hand, spreads);
}

// Boards that are at the same node are bid on together: its rules are looked at once, and all its children
// are made while the hands of its rules are at hand.
std::size_t Book::bid(std::size_t boards, const std::uint64_t* hands, const std::uint8_t* dealers,
                      const std::uint8_t* vulnerable, std::int32_t* nodes) {
    for (std::size_t i = 0; i < boards; ++i)
        if (nodes[i] < 0) {
            const unsigned sides = vulnerable[i];  // bit 0 is the dealer's side
            nodes[i] = root(static_cast<int>(dealers[i] & 1 ? (sides >> 1 | (sides & 1) << 1) : sides));
        }
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < boards; ++i)
        if (!node(nodes[i]).state.is_ended()) order.push_back(static_cast<std::uint32_t>(i));
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return std::pair(nodes[a], a) < std::pair(nodes[b], b); });
    std::vector<Group> waiting;
    for (auto first = order.begin(); first != order.end();) {
        const auto last = std::find_if(first, order.end(), [&](auto i) { return nodes[i] != nodes[*first]; });
        waiting.push_back({nodes[*first], {first, last}});
        first = last;
    }
    std::size_t going = 0;
    while (!waiting.empty()) {
        const Group group = waiting.back();
        waiting.pop_back();
        for (const std::uint32_t i : group.boards) nodes[i] = group.node;
        if (!node(group.node).state.is_ended()) going += bid_on(group, hands, dealers, waiting);
    }
    return going;
}

// One call at each board of a group: adds the groups that it falls into. The number of boards that a question
// has stopped.
std::size_t Book::bid_on(const Group& group, const std::uint64_t* hands, const std::uint8_t* dealers,
                         std::vector<Group>& waiting) {
    if (!is_ready(group.node)) return group.boards.size();
    const unsigned place = node(group.node).state.place;
    const auto& rules = node(group.node).rules;
    by_call_.clear();
    for (const std::uint32_t i : group.boards) {
        const std::uint64_t hand = hands[4 * std::size_t{i} + ((dealers[i] + place) & 3)];
        by_call_.emplace_back(rules[static_cast<std::size_t>(choice(group.node, hand))].call, i);
    }
    std::sort(by_call_.begin(), by_call_.end());
    std::size_t stopped = 0;
    for (std::size_t first = 0, last = 0; first < by_call_.size(); first = last) {
        const int call = by_call_[first].first;
        for (; last < by_call_.size() && by_call_[last].first == call; ++last)
            group.boards[last] = by_call_[last].second;
        const int next = child(group.node, call, 0);
        if (next < 0)
            stopped += last - first;
        else
            waiting.push_back({next, group.boards.subspan(first, last - first)});
    }
    return stopped;
}

}  // namespace bidlab::bidding
