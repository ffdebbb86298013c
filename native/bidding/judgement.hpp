// Judgement: rules for what no written rule covers, from what is known of the four hands.
//
// The tricks of a side are estimated by regressions on solved deals; partner's part of them is what the calls
// let one expect, given one's own cards. So for each sensible call there is a threshold on the own hand above
// which it is right, and these thresholds are the rules. Woolever wished for four evaluations (2001, section
// 6.5): contract, preempt, save, penalty; each rule says which of them it comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bidding/conditions.hpp"
#include "bidding/knowledge.hpp"
#include "bidding/state.hpp"

namespace bidlab::bidding {

enum class Kind : std::int8_t {
    stay,  // pass: nothing better
    slam,  // contract evaluation
    game,
    invite,
    part,     // a better part-score
    compete,  // total trumps
    preempt,
    save,
    penalty,
    takeout,
    answer,          // partner may not be passed
    escape,          // from a doubled contract
    second_thought,  // of a rule: by what calls and passes came to on solved deals
};

struct JudgedRule {
    int call = pass;
    Kind kind = Kind::stay;
    bool is_any = false;  // any hand
    Clauses clauses;
    Effects effects;
    int strain = -1;                             // of the estimate
    double tricks = 0;                           // the tricks that are wanted in it
    double partner_hcp = 0, partner_length = 0;  // what partner is taken for
};

// What a rule of a system's text leaves to a forecast: enough tricks in a strain, enough to bid on in it over
// theirs, or enough to double theirs.
struct Forecast {
    enum Kind : std::int8_t { none, makes, contests, doubles };
    Kind kind = none;
    std::int8_t strain = 0;  // of no double
    float tricks = 0;        // that are wanted
};

// The judgement of the player to call. State and bank must outlive it.
class Judgement {
   public:
    Judgement(const State& state, const Bank& bank);
    ~Judgement();
    Judgement(const Judgement&) = delete;
    Judgement& operator=(const Judgement&) = delete;

    // His hands that fulfil a forecast of a call; none where a contract is not thought of: partner has signed
    // off or doubled for penalty, my own bid came back to me, the suit cannot be ours, notrump where a major
    // is agreed, another game over our own.
    Clauses forecast_hands(const Forecast& forecast, int call);
    // Says that all hands of such a forecast have been taken by a rule: they are not thought of again.
    void skip(const Forecast& forecast, int call);
    // His rules, the last one for any hand.
    std::vector<JudgedRule> rules();

   private:
    class Judge;
    std::unique_ptr<Judge> judge_;
};

}  // namespace bidlab::bidding
