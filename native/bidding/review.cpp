// Second thoughts of a book: the rules of a position, weighed against a pass.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "bidding/book.hpp"
#include "bidding/outlook.hpp"
#include "meaning/pool.hpp"

namespace bidlab::bidding {

namespace {

int suit_of(int bid) { return is_bid(bid) && strain_of(bid) < 4 ? strain_of(bid) : -1; }

// Points from so many on, by cards in the suit that is bid: 0-2, 3, 4, 5, 6, 7 or more.
Thinkable from_points(const std::array<int, Worth::lengths>& least) {
    Thinkable found{};
    for (std::size_t kind = 0; kind < Worth::lengths; ++kind) found[kind] = ~low_bits(least[kind]);
    return found;
}

// Eight points double for penalty. A suit that partner has is bid with seven trumps together, eight from game
// on; who has been silent has no suit, whatever is left for him. One's own suit has five cards, six from the
// four level on, and four where our side opened and one is enough; with five of them there are eight points
// while partner is silent, and some where he is not. A slam is bid over their game only, in a suit that
// partner has.
Thinkable calling(int call, const State& state, const Bank& bank) {
    constexpr int never = 63;
    if (!is_bid(call)) return from_points({8, 8, 8, 8, 8, 8});
    constexpr double together[8] = {0, 7, 7, 7.5, 8, 8, 8, 8};
    const int partner = (state.mover() + 2) & 3;
    const Summary& shown = bank.summary(state.known[static_cast<std::size_t>(partner)]);
    const double partners = shown.length[strain_of(call)].mean;
    const int level = level_of(call);
    const bool has_partner_bid = state.has_bid[static_cast<std::size_t>(partner)];
    std::array<int, Worth::lengths> least{};
    if (level >= 6 && (((state.last_bidder ^ state.mover()) & 1) == 0 || level_of(state.last_bid) < 4))
        return from_points({never, never, never, never, never, never});
    if (has_partner_bid && partners >= 3.4) {
        const int cards = static_cast<int>(std::ceil(together[level] - partners));
        for (int kind = 0; kind < Worth::lengths; ++kind)
            if (kind + 2 < cards) least[static_cast<std::size_t>(kind)] = never;
        return from_points(least);
    }
    if (level >= 6) return from_points({never, never, never, never, never, never});
    if (level >= 4) return from_points({never, never, never, never, 0, 0});
    if (has_partner_bid) {
        const bool we_opened = ((state.opener ^ state.mover()) & 1) == 0;
        return from_points({never, never, level == 1 && we_opened ? 6 : never, 5, 4, 0});
    }
    const int higher = level == 1 ? 0 : 1;
    return from_points({never, never, never, 8 + higher, 6 + higher, 4});
}

// A pass is for hands that have said all they have: not for seven cards in the suit, or for more than a
// strong opening.
constexpr Thinkable passing = [] {
    Thinkable found{};
    for (std::size_t kind = 0; kind + 1 < Worth::lengths; ++kind) found[kind] = low_bits(18);
    return found;
}();

// What calls are worth at a node, each asked of the network once.
class Worths {
   public:
    Worths(const Reviewer& reviewer, const State& state, const Bank& bank)
        : reviewer_(reviewer), state_(state), bank_(bank) {}

    bool has(int call) const { return found_[static_cast<std::size_t>(call)].has_value(); }
    const Worth& of(int call) {
        std::optional<Worth>& worth = found_[static_cast<std::size_t>(call)];
        if (!worth) worth = reviewer_.worth(question_of(state_, bank_, call));
        return *worth;
    }
    // The hands that win more than a limit by a call, or less.
    Sieve sieve(int call, double limit, bool is_less) {
        const Thinkable thinkable = is_less ? passing : calling(call, state_, bank_);
        return Sieve(of(call), suit_of(call), suit_of(state_.last_bid), limit, is_less, thinkable);
    }
    // What the mean hand of the player wins.
    double mean(int call) {
        const Summary& own = bank_.summary(state_.known[static_cast<std::size_t>(state_.mover())]);
        return of(call).mean(own, suit_of(call), suit_of(state_.last_bid));
    }

   private:
    const Reviewer& reviewer_;
    const State& state_;
    const Bank& bank_;
    std::array<std::optional<Worth>, calls> found_;
};

}  // namespace

void Book::review(Reviewer reviewer, const Margins& margins) {
    reviewer_ = std::move(reviewer);
    margins_ = margins;
    reset();
}

// Second thoughts are for the fight over a contract: they have bid or doubled, and a pass is possible and
// answers no question.
bool Book::is_reviewed(const State& state) const {
    const auto me = static_cast<std::size_t>(state.mover());
    return state.last_bid && (state.has_bid[(me + 1) & 3] || state.has_bid[(me + 3) & 3]) &&
           !state.game_forced[me & 1] && !state.is_forced() && state.effects[(me + 2) & 3].asks < 0;
}

// Whether the hands of a rule come from a forecast: one of judgement's, or of the text that leaves them to
// it.
bool Book::is_foreseen(const Rule& rule) const {
    return rule.from == Rule::judged || written_[static_cast<std::size_t>(rule.written_as)].forecast.kind;
}

// What asks, or tells of something else than its suit, is not for hands that the text did not think of.
bool Book::is_plain(const std::vector<Rule>& rules, int call) const {
    const Effects effects = effects_of(rules, call);
    if (call == dbl) return effects.penalty;
    return is_bid(call) && strain_of(call) < 4 && !effects.artificial && !effects.forcing &&
           effects.transfers < 0;
}

// What is natural and may be passed can be too much with some of the hands that the text has in mind; what
// asks, forces or tells of other suits cannot be left out without changing what everything else says.
bool Book::is_doubtful(const Rule& rule) const {
    const Effects& effects = rule.effects;
    return !effects.artificial && !effects.takeout && !effects.forcing && effects.transfers < 0;
}

// Before each rule that passes come the calls that are worth more, before each that a forecast made or that
// is natural a pass, for the hands with which it is worth more. No rule after it gets other hands by that:
// what second thoughts take away is what the rule would have taken.
void Book::review_rules(Node& node, std::size_t first) {
    const std::vector<Rule> rules(node.rules.begin() + static_cast<std::ptrdiff_t>(first), node.rules.end());
    const std::vector<Hands*> hands(fresh_hands_.begin() + static_cast<std::ptrdiff_t>(first),
                                    fresh_hands_.end());
    const State& state = node.state;
    Worths worths(*reviewer_, state, bank_);
    // The calls that may take the place of a pass, those first that are worth most.
    std::vector<std::pair<double, int>> plain;
    for (const Rule& rule : node.rules)
        if (rule.call != pass && !worths.has(rule.call) && is_plain(node.rules, rule.call) &&
            (rule.call != dbl || is_meant(state, bank_)))
            plain.emplace_back(-worths.mean(rule.call), rule.call);
    std::sort(plain.begin(), plain.end());
    const bool is_left_alone = ((state.last_bidder ^ state.mover()) & 1) == 0 && !state.doubled;
    node.rules.resize(first);
    fresh_hands_.resize(first);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const Rule& rule = rules[i];
        // Partner's bid that the text passes was the end of a conversation, not of a fight.
        if (rule.call == pass && !(rule.from == Rule::written && is_left_alone)) {
            const double limit = rule.from == Rule::written ? margins_.written_calls : margins_.judged_calls;
            for (const auto& [_, call] : plain)
                think_again(node, rule, call, worths.sieve(call, limit, false), *hands[i]);
        } else if (rule.call != pass && (is_foreseen(rule) || is_doubtful(rule))) {
            const double limit = is_foreseen(rule) ? margins_.judged_passes : margins_.written_passes;
            think_again(node, rule, pass, worths.sieve(rule.call, -limit, true), *hands[i]);
        }
        if (is_empty(hands[i]->possible)) continue;
        node.rules.push_back(rule);
        fresh_hands_.push_back(hands[i]);
    }
}

// A call in place of a rule's for some of its hands, which are then no longer the rule's.
void Book::think_again(Node& node, const Rule& about, int call, const Sieve& sieve, Hands& hands) {
    if (!(sieve.points() & hands.points)) return;
    const Sieve::ByKind there = sieve.there(hands.possible);
    if (!sieve.has_some(there)) return;
    const Clauses clauses = sieve.clauses(there);
    Hands& kept = spare_hands();
    sieve.sift(there, hands.possible, hands.certain, kept.possible, kept.certain);
    Rule rule;
    rule.call = static_cast<std::uint8_t>(call);
    rule.kind = Kind::second_thought;
    rule.written_as = about.written_as;
    rule.clauses = clauses_.add(about.clauses ? both(clauses_[about.clauses], clauses) : clauses);
    node.rules.push_back(rule);
    keep_spare_hands();
}

}  // namespace bidlab::bidding
