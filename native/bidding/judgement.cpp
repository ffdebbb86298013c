#include "bidding/judgement.hpp"

#include <algorithm>
#include <array>

#include "bidding/outlook.hpp"

namespace bidlab::bidding {

namespace {

// How far below the tricks of a contract the forecast may lie for it to pay in IMPs, between what double
// dummy says of contracts as bid and of those that are doubled when they fail (docs/judgement.md).
struct Margins {
    double game[2] = {0.80, 0.95};  // not vulnerable, vulnerable
    double notrump_game[2] = {0.60, 0.80};
    double slam = 0.36, notrump_slam = 0.50;
    double invite = 0.5;  // below game
    // Over their contract: our tricks short of our contract, and half of theirs over theirs, by vulnerability
    // (none, we, they, both).
    double compete[4] = {1.00, 0.65, 0.80, 0.45};
    double save[4] = {1.30, 0.95, 1.35, 1.00};  // against a game
    double low_penalty = 2.1, game_penalty = 1.8;
};

constexpr Margins margins;

}  // namespace

class Judgement::Judge {
   public:
    Judge(const State& state, const Bank& bank)
        : state_(state), bank_(bank), outlook_(state, bank), me_(static_cast<std::size_t>(state.mover())) {
        partner_ = (me_ + 2) & 3;
        left_ = (me_ + 1) & 3;
        right_ = (me_ + 3) & 3;
        side_ = me_ & 1;
        we_vulnerable_ = state.vulnerable >> side_ & 1;
        they_vulnerable_ = state.vulnerable >> (side_ ^ 1) & 1;
        their_suits_ = state.named[left_] | state.named[right_];
        rank_suits();
        if (state_.last_bid) look_at_last_bid();
    }

    std::vector<JudgedRule> rules() {
        if (!state_.last_bid) {
            stay();
            return std::move(rules_);
        }
        if (is_ours_)
            over_ours();
        else
            over_theirs();
        return std::move(rules_);
    }

    Clauses forecast_hands(const Forecast& forecast, int call) const {
        if (!state_.last_bid || !is_open()) return {};
        if (forecast.kind == Forecast::doubles) return call == dbl && !is_ours_ ? penalising() : Clauses{};
        if (!is_bid(call) || !can_bid(level_of(call), strain_of(call))) return {};
        if (is_ours_ && is_game(state_.last_bid) && level_of(call) < 6) return {};
        if (forecast.strain == 4) {
            const int points = outlook_.hcp_for(forecast.tricks);
            if (state_.agreed[side_] >= 2 || points > outlook_.me().hcp.most) return {};
            Clause clause;
            return {add_hcp(clause, points)};
        }
        const int suit = forecast.strain;
        if (!is_playable(suit)) return {};
        if (forecast.kind == Forecast::contests)
            return is_ours_ || is_asked_by_double() || level_of(call) > 5 ? Clauses{}
                                                                          : contending(level_of(call), suit);
        const double trumps = level_of(call) > 4 ? 8 : 7.6;
        return steps(suit, trumps,
                     [&](int length) { return outlook_.support_for(suit, length, forecast.tricks); });
    }

    void skip(const Forecast& forecast, int call) {
        const auto which = static_cast<std::size_t>(call);
        if (forecast.kind == Forecast::makes && forecast.strain < 4) taken_from_[which] = forecast.tricks;
        if (forecast.kind == Forecast::contests || forecast.kind == Forecast::doubles)
            is_taken_[which] = true;
    }

   private:
    static constexpr std::array<double, calls> filled(double value) {
        std::array<double, calls> all{};
        all.fill(value);
        return all;
    }

    void look_at_last_bid() {
        level_ = level_of(state_.last_bid);
        strain_ = strain_of(state_.last_bid);
        is_ours_ = ((state_.last_bidder ^ me_) & 1) == 0;
        is_forced_ = state_.is_forced() || state_.is_left_nowhere();
    }

    // Whether another contract of ours is thought of at all.
    bool is_open() const {
        if (is_forced_) return true;
        const bool is_partners = state_.last_bidder == partner_;
        if (is_ours_) return is_partners && level_ < 6 && !last_of_partner().signs_off;
        return !(state_.last_call[partner_] == dbl && state_.doubled && last_of_partner().penalty);
    }

    // Suits, those that partner is expected to be longest in first.
    void rank_suits() {
        std::sort(suits_.begin(), suits_.end(), [&](int a, int b) {
            const double one = outlook_.partner().length[a].mean + outlook_.me().length[a].mean;
            const double other = outlook_.partner().length[b].mean + outlook_.me().length[b].mean;
            return one != other ? one > other : a > b;
        });
    }

    const Effects& last_of_partner() const { return state_.effects[partner_]; }
    bool is_theirs(int suit) const { return their_suits_ >> suit & 1; }
    // The cheapest level at which a strain can be bid.
    int cheapest(int strain) const { return strain > strain_ ? level_ : level_ + 1; }
    bool can_bid(int level, int strain) const {
        return level <= 7 && bid_of(level, strain) > state_.last_bid;
    }
    // A suit that our side may play in.
    bool is_playable(int suit) const {
        const int agreed = state_.agreed[side_];
        if (agreed >= 0) return suit == agreed;
        return !is_theirs(suit) || (state_.named[partner_] >> suit & 1);
    }

    JudgedRule& emit(int call, Kind kind, Clauses clauses, int strain = -1, double tricks = 0) {
        JudgedRule rule;
        rule.call = call;
        rule.kind = kind;
        rule.clauses = std::move(clauses);
        rule.strain = strain;
        rule.tricks = tricks;
        rule.partner_hcp = outlook_.partner_hcp(outlook_.me().hcp.mean);
        if (strain >= 0 && strain < 4)
            rule.partner_length = outlook_.partner_length(strain, outlook_.me().length[strain].mean);
        rules_.push_back(std::move(rule));
        return rules_.back();
    }

    void any(int call, Kind kind) { emit(call, kind, {}).is_any = true; }
    void stay() { any(pass, Kind::stay); }

    // Whether the own hand can be worth so many support points, by what it has shown: shortness adds ten at
    // most.
    bool can_be_worth(int points) const {
        return points <= std::min(outlook_.me().hcp.most + 10, meaning::most_points);
    }

    // The hands with enough points for their number of trumps: fewer points with more trumps, in three steps
    // at most, since people read them.
    template <typename PointsFor>
    Clauses steps(int suit, double trumps, const PointsFor& points_for, int shortest = 0) const {
        Clauses clauses;
        int before = 99;
        const Estimate& own = outlook_.me().length[suit];
        for (int length = std::max(own.least, shortest);
             length <= std::min(own.most, 9) && clauses.size() < 3; ++length) {
            if (outlook_.together(suit, length) < trumps) continue;
            const int points = points_for(length);
            if (points >= before || !can_be_worth(points)) continue;
            Clause clause;
            add_length(clause, suit, length);
            if (points > 0) add_support(clause, suit, points);
            clauses.push_back(clause);
            before = points;
        }
        return clauses;
    }

    // A bid with hands that have so many tricks and trumps together with partner's.
    void bid_suit(int level, int suit, Kind kind, double tricks, double trumps) {
        if (!can_bid(level, suit) ||
            tricks > taken_from_[static_cast<std::size_t>(bid_of(level, suit))] - 0.001)
            return;
        Clauses clauses =
            steps(suit, trumps, [&](int length) { return outlook_.support_for(suit, length, tricks); });
        if (!clauses.empty()) {
            JudgedRule& rule = emit(bid_of(level, suit), kind, std::move(clauses), suit, tricks);
            rule.effects.invites = kind == Kind::invite;
        }
    }

    // A clause for notrump: stoppers in their suits, unless partner has bid it.
    Clause stopped() const {
        Clause clause;
        for (int suit = 0; suit < 4; ++suit)
            if (is_theirs(suit) && !state_.notrump[partner_]) add_stopper(clause, suit);
        return clause;
    }

    void bid_notrump(int level, Kind kind, double tricks) {
        if (!can_bid(level, 4)) return;
        const int points = outlook_.hcp_for(tricks);
        if (points > outlook_.me().hcp.most) return;
        Clause clause = stopped();
        add_hcp(clause, points);
        JudgedRule& rule = emit(bid_of(level, 4), kind, {clause}, 4, tricks);
        rule.effects.invites = kind == Kind::invite;
    }

    // Contract evaluation.

    void bid_slam() {
        for (const int suit : suits_)
            if (is_playable(suit)) bid_suit(6, suit, Kind::slam, 12 - margins.slam, 8);
        if (state_.agreed[side_] < 0) bid_notrump(6, Kind::slam, 12 - margins.notrump_slam);
    }

    void bid_game() {
        const double margin = margins.game[we_vulnerable_];
        for (const int suit : suits_)
            if (suit >= 2 && is_playable(suit)) bid_suit(4, suit, Kind::game, 10 - margin, 7.6);
        if (state_.agreed[side_] < 2) bid_notrump(3, Kind::game, 9 - margins.notrump_game[we_vulnerable_]);
        for (const int suit : suits_)
            if (suit < 2 && is_playable(suit)) bid_suit(5, suit, Kind::game, 11 - margin, 8);
    }

    // One level below game, where partner can still have more or less.
    void invite() {
        const Estimate& partner = outlook_.partner().hcp;
        if (partner.most - partner.least < 3 || last_of_partner().invites) return;
        const double margin = margins.game[we_vulnerable_] + margins.invite;
        for (const int suit : suits_)
            if (suit >= 2 && is_playable(suit)) bid_suit(3, suit, Kind::invite, 10 - margin, 7.6);
        if (state_.agreed[side_] < 2)
            bid_notrump(2, Kind::invite, 9 - margins.notrump_game[we_vulnerable_] - margins.invite);
    }

    // Over our own side's bid.

    void over_ours() {
        if (!is_forced_ && state_.last_bidder != partner_) return after_own_bid();
        if (!is_open()) return stay();
        bid_slam();
        if (!is_game(state_.last_bid)) {
            bid_game();
            if (state_.doubled) raise_over_double();
            invite();
            better_part();
            new_suit();
        }
        if (is_forced_)
            answer();
        else
            stay();
    }

    // My bid came back to me, doubled or after partner's pass: only an escape is thought of.
    void after_own_bid() {
        if (state_.doubled == 1) escape();
        stay();
    }

    // From partner's suit to a better one.
    void better_part() {
        if (is_forced_ || state_.agreed[side_] >= 0 || last_of_partner().artificial) return;
        for (const int suit : suits_) {
            if (suit == strain_ || is_theirs(suit)) continue;
            const int to = cheapest(suit), dearer = to - level_;
            if (to > 3) continue;
            Clauses clauses;
            for (int here = 0; here <= 3; ++here) {  // cards in partner's suit
                const double now = strain_ == 4 ? 6.6 : outlook_.together(strain_, here);
                const double wanted = std::max(now + 1 + dearer, 7.5);
                int own = outlook_.me().length[suit].least;
                while (own <= 8 && outlook_.together(suit, own) < wanted) ++own;
                const int least = outlook_.partner().length[suit].mean >= 4 ? 2 : strain_ == 4 ? 5 : 6;
                own = std::max(own, least);
                if (own > 8) continue;
                Clause clause;
                add_length(clause, suit, own);
                if (strain_ < 4) add_length(clause, strain_, 0, here);
                clauses.push_back(clause);
                if (strain_ == 4) break;
            }
            if (!clauses.empty()) emit(bid_of(to, suit), Kind::part, std::move(clauses), suit);
        }
    }

    // A suit of one's own that was not shown yet.
    void new_suit() {
        if (state_.agreed[side_] >= 0 || state_.notrump[partner_]) return;
        for (const int suit : suits_) {
            const int to = cheapest(suit);
            if (to > 3 || is_theirs(suit) || state_.named[me_] >> suit & 1) continue;
            if (state_.named[partner_] >> suit & 1) continue;
            Clause clause;
            add_length(clause, suit, to == 1 ? 4 : 5);
            constexpr int points[4] = {0, 6, 10, 13};
            add_hcp(clause, points[to]);
            emit(bid_of(to, suit), Kind::part, {clause}, suit);
        }
    }

    void escape() {
        for (const int suit : suits_) {
            const int to = cheapest(suit);
            if (to > 4 || suit == strain_ || is_theirs(suit)) continue;
            Clauses clauses;
            for (int here = 0; here <= 2 && strain_ < 4; ++here) {
                if (outlook_.together(strain_, here) > 6.5) continue;
                Clause clause;
                add_length(clause, suit, std::max(5, outlook_.me().length[suit].least + 1));
                add_length(clause, strain_, 0, here);
                clauses = {clause};
            }
            if (!clauses.empty()) emit(bid_of(to, suit), Kind::escape, std::move(clauses), suit);
        }
    }

    // Partner may not be passed: the most natural call that is left.
    void answer() {
        const int transfers = last_of_partner().transfers;
        if (transfers >= 0 && can_bid(cheapest(transfers), transfers))
            return any(bid_of(cheapest(transfers), transfers), Kind::answer);
        const int agreed = state_.agreed[side_];
        if (agreed < 0) {
            raise_or_rebid();
            if (cheapest(4) <= 3) emit(bid_of(cheapest(4), 4), Kind::answer, {stopped()}, 4);
        }
        any(last_resort(agreed), Kind::answer);
    }

    void raise_or_rebid() {
        for (const int suit : suits_) {
            const int to = cheapest(suit);
            if (to > 4 || is_theirs(suit)) continue;
            const bool is_partners = state_.named[partner_] >> suit & 1;
            int own = is_partners ? 2 : to <= 2 ? 5 : 6;
            while (own < 8 && outlook_.together(suit, own) < 7.5) ++own;
            if (own >= 8) continue;
            Clause clause;
            add_length(clause, suit, own);
            emit(bid_of(to, suit), Kind::answer, {clause}, suit);
        }
    }

    // The cheapest bid in the best strain that is known; a pass only where there is none.
    int last_resort(int agreed) const {
        if (agreed >= 0 && can_bid(cheapest(agreed), agreed)) return bid_of(cheapest(agreed), agreed);
        for (const int suit : suits_)
            if (!is_theirs(suit) && cheapest(suit) <= 7 && outlook_.partner().length[suit].mean >= 3.5)
                return bid_of(cheapest(suit), suit);
        if (can_bid(cheapest(4), 4) && cheapest(4) <= 3) return bid_of(cheapest(4), 4);
        for (const int suit : suits_)
            if (!is_theirs(suit) && can_bid(cheapest(suit), suit)) return bid_of(cheapest(suit), suit);
        return pass;
    }

    // Over their bid.

    void over_theirs() {
        if (!is_open()) return stay();
        if (is_asked_by_double()) return answer_double();
        bid_slam();
        bid_game();
        penalise();
        preempt();
        compete();
        if (state_.passes >= 2) reopen();
        stay();
    }

    bool is_asked_by_double() const {
        return state_.last_call[partner_] == dbl && state_.doubled && state_.last_call[right_] == pass;
    }

    // Partner's double asks for a suit; long trumps leave it in.
    void answer_double() {
        if (strain_ < 4) {
            Clause clause;
            add_length(clause, strain_, level_ == 1 ? 6 : 5);
            add_stopper(clause, strain_);
            emit(pass, Kind::penalty, {clause}, strain_);
        }
        bid_game();
        for (int cards = 5; cards >= 3; --cards)
            for (const int suit : {3, 2, 1, 0}) {
                if (is_theirs(suit) || (strain_ == suit)) continue;
                const int to = cheapest(suit);
                if (to > 4) continue;
                Clause clause;
                add_length(clause, suit, cards);
                emit(bid_of(to, suit), Kind::answer, {clause}, suit);
            }
        any(pass, Kind::penalty);  // nothing but their suit: it stays doubled
    }

    // Penalty evaluation: they are expected to fail by enough.
    void penalise() {
        if (is_taken_[dbl]) return;
        Clauses clauses = penalising();
        if (clauses.empty()) return;
        JudgedRule& rule = emit(dbl, Kind::penalty, std::move(clauses), strain_, allowed_tricks());
        rule.effects.penalty = true;
    }

    // The tricks that they may make at most in a contract that is doubled.
    double allowed_tricks() const {
        return level_ + 6 - (is_game(state_.last_bid) ? margins.game_penalty : margins.low_penalty);
    }

    // The hands that double their bid.
    Clauses penalising() const {
        if (!state_.is_legal(dbl) || is_asked_by_double() || !is_meant(state_, bank_)) return {};
        const double allowed = allowed_tricks();
        Clauses clauses;
        if (strain_ == 4) {
            const int points = outlook_.hcp_against(4, 0, allowed);
            if (points <= std::min(25, outlook_.me().hcp.most)) {
                Clause clause;
                clauses.push_back(add_hcp(clause, points));
            }
        } else {
            int before = 99;
            for (int length = is_game(state_.last_bid) ? 2 : 4; length <= 7; ++length) {
                const int points = std::max(outlook_.hcp_against(strain_, length, allowed), 5);
                if (points >= before || points > std::min(25, outlook_.me().hcp.most)) continue;
                Clause clause;
                add_length(clause, strain_, length);
                clauses.push_back(add_hcp(clause, points));
                before = points;
            }
        }
        return clauses;
    }

    // Preempt evaluation: at once as high as our trumps go, with little defence, if the price is right.
    void preempt() {
        if (state_.passes) return;
        for (const int suit : suits_)
            if (is_playable(suit) && outlook_.partner().length[suit].mean >= 4.5)
                for (int to = 4; to > cheapest(suit); --to) jump_to(to, suit);
    }

    void jump_to(int to, int suit) {
        const double price = we_vulnerable_ ? 1.3 : they_vulnerable_ ? 2.2 : 1.8;
        Clauses clauses = steps(
            suit, to + 5.7, [&](int length) { return outlook_.support_for(suit, length, to + 6 - price); });
        for (Clause& clause : clauses) add_hcp(clause, 0, 9);
        if (!clauses.empty() && can_bid(to, suit))
            emit(bid_of(to, suit), Kind::preempt, std::move(clauses), suit, to + 6 - price);
    }

    // Partner's suit was doubled for takeout: raise it by total trumps before they find theirs.
    void raise_over_double() {
        if (strain_ == 4 || last_of_partner().artificial || outlook_.partner().length[strain_].mean < 4.5)
            return;
        preempt();
        const int to = level_ + 1;
        if (to > 3) return;
        bid_suit(to, strain_, Kind::compete, to + 6 - (we_vulnerable_ ? 1.0 : 1.4), to + 5.6);
    }

    // Save evaluation and competition: what our contract costs against what theirs is worth. Our tricks short
    // of it and half of theirs over theirs decide, together with the number of our trumps.
    void compete() {
        const Kind kind = is_game(state_.last_bid) ? Kind::save : Kind::compete;
        for (const int suit : suits_) {
            const int to = cheapest(suit);
            if (!is_playable(suit) || to > 5 || is_taken_[static_cast<std::size_t>(bid_of(to, suit))])
                continue;
            Clauses clauses = contending(to, suit);
            if (!clauses.empty())
                emit(bid_of(to, suit), kind, std::move(clauses), suit, to + 6 - margin_over_theirs());
        }
    }

    double margin_over_theirs() const {
        const int vulnerable = (we_vulnerable_ ? 1 : 0) + (they_vulnerable_ ? 2 : 0);
        if (is_game(state_.last_bid)) return margins.save[vulnerable];
        return margins.compete[vulnerable] + (level_ == 1 ? 0.5 : level_ == 3 ? -0.25 : 0);
    }

    // The hands that bid on in a suit over their bid.
    Clauses contending(int to, int suit) const {
        const bool is_partners = outlook_.partner().length[suit].mean >= 4;
        const bool is_shown = state_.named[me_] >> suit & 1;
        if (!is_partners && state_.has_bid[me_] && !is_shown && to > 2) return {};
        const double least = is_game(state_.last_bid) ? 8.6 : to + 5.0;
        const double trumps = std::max(least, is_partners ? 7.6 : 7.0);
        const int shortest = is_partners ? 0 : to <= 2 ? 5 : 6;  // a suit of one's own
        const double margin = margin_over_theirs();
        return steps(
            suit, trumps, [&](int length) { return points_to_contend(to, suit, length, margin); }, shortest);
    }

    int points_to_contend(int to, int suit, int length, double margin) const {
        const double held = strain_ < 4 ? outlook_.me().length[strain_].mean : 0;
        for (int points = 0; points <= 40; ++points) {
            const double ours = outlook_.tricks(suit, length, points) - (to + 6);
            const double theirs =
                outlook_.their_tricks(strain_, static_cast<int>(held), std::max(points - 1, 0)) -
                (level_ + 6);
            if (ours + 0.5 * theirs >= -margin && ours >= -2.5) return points;
        }
        return 41;
    }

    // In the last seat, short in their suit: partner has something.
    void reopen() {
        if (!state_.is_legal(dbl) || strain_ == 4 || level_ > 2 || state_.has_bid[me_]) return;
        Clause clause;
        add_hcp(clause, level_ == 1 ? 9 : 11);
        add_length(clause, strain_, 0, 2);
        for (int suit = 0; suit < 4; ++suit)
            if (!is_theirs(suit) && suit != strain_) add_length(clause, suit, 3);
        JudgedRule& rule = emit(dbl, Kind::takeout, {clause}, strain_);
        rule.effects.takeout = true;
    }

    const State& state_;
    const Bank& bank_;
    Outlook outlook_;
    std::size_t me_, partner_, left_, right_, side_;
    bool we_vulnerable_, they_vulnerable_, is_ours_ = false, is_forced_ = false;
    int their_suits_, level_ = 0, strain_ = 0;
    std::array<int, 4> suits_{3, 2, 1, 0};
    // By call: from how many tricks on its hands are taken already.
    std::array<double, calls> taken_from_ = filled(99.0);
    std::array<bool, calls> is_taken_{};  // by call: all hands that contest or penalise by it
    std::vector<JudgedRule> rules_;
};

Judgement::Judgement(const State& state, const Bank& bank) : judge_(std::make_unique<Judge>(state, bank)) {}

Judgement::~Judgement() = default;

Clauses Judgement::forecast_hands(const Forecast& forecast, int call) {
    return judge_->forecast_hands(forecast, call);
}

void Judgement::skip(const Forecast& forecast, int call) { judge_->skip(forecast, call); }

std::vector<JudgedRule> Judgement::rules() { return judge_->rules(); }

}  // namespace bidlab::bidding
