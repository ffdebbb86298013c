// The book of a system: every position that came up, with its rules, made when it is first reached.
//
// A node is an auction as one system reads it. Its written rules come from outside. They are those of several
// parts of the text, which the cursor names. The rules of a part are asked for by what its text looked at
// (one field of the state after the other), and kept in a trie of those values, so that the same question is
// not asked twice, wherever the part comes up again. What they leave open is judged here. So most new nodes
// cost no question at all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bidding/conditions.hpp"
#include "bidding/judgement.hpp"
#include "bidding/knowledge.hpp"
#include "bidding/reviewer.hpp"
#include "bidding/sequences.hpp"
#include "bidding/state.hpp"
#include "meaning/condition.hpp"

namespace bidlab::bidding {

// What rules may look at, in the order of bidlab.systems.book.FIELDS.
enum Field : int {
    me_least_hcp,
    me_most_hcp,
    me_least,  // of clubs; diamonds, hearts and spades follow
    me_most = me_least + 4,
    partner_least_hcp = me_most + 4,
    partner_most_hcp,
    partner_least,
    partner_most = partner_least + 4,
    left_least_hcp = partner_most + 4,
    left_most_hcp,
    left_least,
    left_most = left_least + 4,
    right_least_hcp = left_most + 4,
    right_most_hcp,
    right_least,
    right_most = right_least + 4,
    seat = right_most + 4,
    we_vulnerable,
    they_vulnerable,
    last_bid,
    agreed,
    asked,
    transferred,
    my_suit,
    partner_suit,
    our_suits,  // a bit a suit
    their_suits,
    unbid_suits,  // that neither side has bid
    their_suit,   // the last that they showed
    is_game_forced,
    is_forced,
    is_invited,
    is_signed_off,
    is_artificial,
    is_contested,
    is_doubled,
    is_overcalled,
    we_opened,
    they_opened,
    i_passed,
    partner_passed,
    partner_has_bid,
    i_have_bid,
    is_below_game,
    partner_mean,                        // expected points, rounded
    partner_worth,                       // with the shortness that supports clubs, and each suit after it
    partner_likely = partner_worth + 4,  // expected lengths, 0.6 of a card counted as one
    fields = partner_likely + 4,
};

using Fields = std::array<std::int32_t, fields>;

Fields fields_of(const State& state, const Bank& bank);

// A rule of a system's text, made absolute.
struct WrittenRule {
    const meaning::Condition* condition = nullptr;  // null: any hand
    std::uint8_t call = 0;
    Effects effects;
    std::int64_t order = 0;  // rules of all parts are tried in this order
    Outline outline;         // of the condition
    Forecast forecast;       // what the hand must fulfil besides, at each node other clauses
};

// A rule of a position.
struct Rule {
    enum From : std::int8_t { written, judged };
    From from = judged;
    std::uint8_t call = 0;
    Kind kind = Kind::stay;
    std::int8_t strain = -1;
    bool is_any = false;
    std::int32_t written_as = -1;  // number of a written rule; of a second thought: the one that it is about
    ClauseStore::Place clauses;    // of a judged one, or of a written one's forecast
    float tricks = 0, partner_hcp = 0, partner_length = 0;
    Effects effects;
};

// What a call does, by the rules that make it.
Effects effects_of(const std::vector<Rule>& rules, int call);

class Book {
   public:
    explicit Book(std::size_t most_nodes);
    Book(const Book&) = delete;
    Book& operator=(const Book&) = delete;

    // Written rules: each once; those of a part where these values are looked at; the parts of a cursor.
    int add_rule(const WrittenRule& rule);
    void set_rules(int part, const std::vector<std::pair<int, int>>& looked_at,
                   const std::vector<int>& rules);
    void set_parts(int cursor, std::vector<int> parts);
    void set_cursor(int cursor, int list, int call, int next);
    // Second thoughts in competition. All nodes are dropped.
    void review(Reviewer reviewer, const Margins& margins);
    // The hands that fulfil the forecast of a written rule at a node.
    Clauses forecast_at(int node, int rule) const;
    // The rules of a list in order.
    const std::vector<int>& list(int number) const { return lists_[static_cast<std::size_t>(number)]; }
    // The number of a set of hands that a call was said to show, for `said` below: from 1 on, the same for
    // the same set.
    int number_of_said(const Cells& cells);
    // What a call at a ready node says by itself, whatever was known of the player before.
    Cells said_by(int node, int call) const;
    // Grows whenever nodes are dropped.
    int generation() const { return generation_; }

    // What is missing to go on: the rules of a part at a node, or the cursor after a call at a node.
    struct Wanted {
        int node, call;  // -1 - part: the rules of that part
    };
    // Whether the rules of a part are known for the state of a node.
    bool is_known(int node, int part) const;

    // The node after a call, or -1 with the question noted; said 0: read by this system.
    int child(int node, int call, int said);
    // Whether the rules of a node are there, made now if need be; else the question is noted.
    bool is_ready(int node);
    int root(int vulnerable) const { return vulnerable; }

    // The first rule of a ready node that a hand fulfils; the last one if there is none.
    int choice(int node, std::uint64_t hand) const;

    // How far a hand is from each rule of a ready node, and from making a call there: 0 where it does.
    // Misfits are those of meaning::Condition; `spreads` are the usual differences by feature.
    std::vector<double> rule_misfits(int node, std::uint64_t hand, const double* spreads) const;
    double call_misfit(int node, int call, std::uint64_t hand, const double* spreads,
                       bool only_whether) const;

    // Bids boards on from the nodes they have reached (-1: not begun) until they end or a question stops
    // them. Hands by seat N E S W, bits of vulnerability 1 North-South, 2 East-West. The number that did not
    // end.
    std::size_t bid(std::size_t boards, const std::uint64_t* hands, const std::uint8_t* dealers,
                    const std::uint8_t* vulnerable, std::int32_t* nodes);

    struct Node {
        State state;
        std::int32_t cursor = 0, list = -1, parent = -1;
        std::int16_t call = -1;
        bool is_ready = false;
        std::vector<Rule> rules;
        std::vector<std::pair<std::uint32_t, std::int32_t>> children;  // by call and said
    };

    // At the end of an auction the hands of the player who called last are left out: see `settled`.
    const Node& node(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
    // The same with the hands of all four.
    const Node& settled(int number);
    std::size_t size() const { return nodes_.size(); }
    const Bank& bank() const { return bank_; }
    ClausesView clauses(const Rule& rule) const { return clauses_[rule.clauses]; }
    const std::vector<Wanted>& wanted() const { return wanted_; }
    void clear_wanted() { wanted_.clear(); }
    // Drops all nodes where there are too many; numbers of nodes are void then.
    bool trim();

   private:
    // Boards that are at the same node, by their numbers.
    struct Group {
        int node;
        std::span<std::uint32_t> boards;
    };
    std::size_t bid_on(const Group& group, const std::uint64_t* hands, const std::uint8_t* dealers,
                       std::vector<Group>& waiting);
    void reset();
    void ask(int node, int call);
    int list_of(int number);                            // -1: unknown, and asked for
    int part_at(int part, const Fields& values) const;  // -1: unknown
    int composed(const std::vector<int>& parts);
    // The number of the rules of a list that make a call: where sequences lead depends on no others. 0: none;
    // odd: one rule; even: several.
    int making(int list, int call);
    void make_rules(Node& node);
    // The hands of a rule among some: outside the first no hand fulfils it, in the second every hand does.
    struct Hands {
        Cells possible, certain;
        std::uint64_t points;  // that come up in the first
    };
    // The hands that the rules of a node have left, while it is made.
    struct Open {
        Cells left;
        Outline outline;
    };
    Hands& spare_hands();
    void keep_spare_hands();
    void begin_hands(int number);
    bool take(Node& node, const Rule& rule, Open& open);
    bool take_foreseen(Node& node, const Rule& rule, const Clauses& clauses, Open& open);
    bool take_judged(Node& node, const JudgedRule& judged, Open& open);
    bool taken(Node& node, const Rule& rule, Open& open);
    void cells_of_rule(const Rule& rule, const Cells& among, const Outline& outline, Hands& hands) const;
    // Second thoughts (review.cpp) on the rules of a node from one on.
    bool is_reviewed(const State& state) const;
    bool is_foreseen(const Rule& rule) const;
    bool is_plain(const std::vector<Rule>& rules, int call) const;
    bool is_doubtful(const Rule& rule) const;
    void review_rules(Node& node, std::size_t first);
    void think_again(Node& node, const Rule& about, int call, const Sieve& sieve, Hands& hands);
    const meaning::Condition* condition_of(const Rule& rule) const;
    bool holds(const Rule& rule, const CountedHand& hand) const;
    double misfit(const Rule& rule, std::uint64_t hand, const double* spreads) const;
    static constexpr std::int32_t unsettled = -1;  // hands that nobody has looked at
    std::size_t rules_to(int number, int call) const;
    Cells fresh_hands_of(const Node& node, int call, std::size_t count) const;
    Cells hands_again(const Node& node, int call, std::size_t count) const;
    std::vector<const WrittenRule*> lines_of(const Node& node, int call) const;
    Effects effects_at(const Node& node, int call) const;
    int known_unexpected(const Node& node, int call, int known);
    int known_after(int number, int call, int said);
    int known_with(int known, const Cells& shown);
    State next_state(int number, int call, int said);

    // A field that a part of the text looks at, and where that leads: the number of another look; or that of
    // rules r as -2 - r; -1: not known.
    struct Look {
        int field, least;       // value that has come up
        std::vector<int> next;  // by value from the least on

        int at(int value) const {
            const auto place = static_cast<std::size_t>(value - least);  // far too large for less than that
            return place < next.size() ? next[place] : -1;
        }
        int& room_for(int value);
    };

    std::size_t most_nodes_;
    std::vector<Node> nodes_;
    Bank bank_;
    ClauseStore clauses_;
    std::vector<WrittenRule> written_;
    std::vector<std::uint8_t> written_calls_;  // theirs, close together
    std::vector<int> making_rules_;            // room to work in
    Sequences part_rules_;                     // rules of parts; 0: none
    std::vector<std::vector<int>> lists_;      // rules of nodes, in the order they are tried
    Sequences list_numbers_, making_numbers_;
    Sequences composed_;                   // numbers of rules of parts
    std::vector<int> composed_lists_;      // by their number, the list
    std::vector<int> found_;               // room to work in
    std::vector<std::vector<int>> parts_;  // by cursor
    std::vector<Look> looks_;
    std::vector<int> first_look_;  // by part, as `Look::next`
    std::unordered_map<std::uint64_t, int> cursors_;
    std::vector<Cells> said_;
    std::unordered_multimap<std::uint64_t, int> said_numbers_;
    int generation_ = 0;
    std::vector<Wanted> wanted_;
    std::optional<Reviewer> reviewer_;
    Margins margins_;
    // The hands of each rule of the node that was made last: its child is usually wanted next.
    int fresh_ = -1;
    std::vector<Hands*> fresh_hands_;
    std::vector<std::unique_ptr<Hands>> hands_;  // room for them, taken from the front
    std::size_t hands_taken_ = 0;
    std::vector<std::pair<std::uint8_t, std::uint32_t>> by_call_;  // boards of a group, as they are sorted
};

}  // namespace bidlab::bidding
