#include "bidding/question.hpp"

#include <algorithm>
#include <cmath>

namespace bidlab::bidding {

namespace {

// Numbers one after the other; all are between about -1 and 2.
class Writer {
   public:
    explicit Writer(Question& question) : question_(question) {}

    void add(double value) { question_[at_++] = static_cast<float>(value); }
    // One of `count` is 1: the one of that number, the last where there are not so many.
    void one_of(int number, int count) {
        for (int i = 0; i < count; ++i) add(number >= 0 && std::min(number, count - 1) == i);
    }
    std::size_t written() const { return at_; }

   private:
    Question& question_;
    std::size_t at_ = 0;
};

int kind_of(int call) { return call < 0 ? -1 : std::min<int>(call, first_bid); }

void add_player(Writer& to, const Summary& of, int suit, int their_suit) {
    to.add(of.hcp.mean / 10);
    to.add(std::sqrt(std::max(of.hcp.variance, 0.0)) / 4);
    to.add(of.hcp.least / 10.0);
    to.add(of.hcp.most / 20.0);
    for (const int one : {suit, their_suit}) {
        const bool is_there = one >= 0 && one < 4;
        to.add(is_there ? of.length[one].mean / 4 : 0);
        to.add(is_there ? std::sqrt(std::max(of.length[one].variance, 0.0)) / 2 : 0);
        to.add(is_there ? of.length[one].least / 4.0 : 0);
    }
    to.add(suit >= 0 && suit < 4 ? of.support[suit] / 3 : 0);
    double longest = 0;
    for (int other = 0; other < 4; ++other)
        if (other != suit && other != their_suit) longest = std::max(longest, of.length[other].mean);
    to.add(longest / 4);
}

}  // namespace

Question question_of(const State& state, const Bank& bank, int call) {
    Question question{};
    Writer to(question);
    const int me = state.mover(), side = me & 1;
    const int suit = is_bid(call) ? strain_of(call) : -1;
    const int over = state.last_bid ? strain_of(state.last_bid) : -1;
    const int level = state.last_bid ? level_of(state.last_bid) : 0;
    // 1. The call, and the bid that it goes over.
    to.one_of(is_bid(call) ? level_of(call) - 1 : -1, 5);
    to.one_of(is_bid(call) ? suit : 5, 6);
    to.add(is_bid(call) ? level_of(call) - (suit > over ? level : level + 1) : 0);
    to.one_of(level - 1, 5);
    to.one_of(over, 5);
    to.add(state.last_bid && ((state.last_bidder ^ me) & 1) == 0);
    to.one_of(state.doubled - 1, 2);
    to.add(state.vulnerable >> side & 1);
    to.add(state.vulnerable >> (side ^ 1) & 1);
    to.one_of(std::min<int>(state.passes, 2), 3);
    to.add(state.place / 16.0);
    to.one_of(state.opener < 0 ? -1 : (state.opener - me) & 3, 4);
    // 2. What each player has done: I, the left, partner, the right.
    for (int i = 0; i < 4; ++i) {
        const auto seat = static_cast<std::size_t>((me + i) & 3);
        const Effects& last = state.effects[seat];
        to.add(state.has_bid[seat]);
        to.add(state.passed[seat]);
        to.add(state.notrump[seat]);
        to.one_of(kind_of(state.last_call[seat]), 4);
        to.add(last.takeout);
        to.add(last.penalty);
        to.add(last.artificial);
        to.add(last.invites || last.forcing);
        to.add(last.signs_off);
        to.add(suit >= 0 && suit < 4 && (state.named[seat] >> suit & 1));
        to.add(over >= 0 && over < 4 && (state.named[seat] >> over & 1));
    }
    // 3. What the sides have agreed.
    const int ours = state.agreed[static_cast<std::size_t>(side)],
              theirs = state.agreed[static_cast<std::size_t>(side ^ 1)];
    to.add(ours >= 0 && ours == suit);
    to.add(ours >= 0 && ours != suit);
    to.add(theirs >= 0);
    to.add(state.game_forced[static_cast<std::size_t>(side)]);
    to.add(state.game_forced[static_cast<std::size_t>(side ^ 1)]);
    // 4. What each has told of the hand.
    for (int i = 0; i < 4; ++i)
        add_player(to, bank.summary(state.known[static_cast<std::size_t>((me + i) & 3)]), suit, over);
    return question;
}

}  // namespace bidlab::bidding
