#include "doubledummy/solver.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace bidlab::doubledummy {
namespace {

constexpr unsigned suit_of(const std::uint64_t hand, int suit) { return hand >> (16 * suit) & 0x1fff; }

int tricks_left(const Hands& hands) {
    int most = 0;
    for (const std::uint64_t hand : hands.of) most = std::max(most, std::popcount(hand));
    return most;
}

// A first guess at North's tricks in a strain, from honours and trumps of North-South: a least-squares fit to
// random deals, right in a third of them and one off in most others.
int guessed_tricks(const Hands& hands, int strain) {
    constexpr int weights[13] = {0, 0, 0, 0, 0, 0, 0, 3, 7, 16, 32, 56, 84};  // twentieths of a point
    int points = 0, trumps = 0;
    for (int seat = 0; seat < 4; seat += 2)
        for (int suit = 0; suit < 4; ++suit) {
            const unsigned cards = suit_of(hands.of[seat], suit);
            for (int rank = 7; rank < 13; ++rank) points += (cards >> rank & 1) * weights[rank];
            if (suit == strain) trumps += std::popcount(cards);
        }
    const double guess =
        strain == notrump ? 0.51 / 20 * points - 3.58 : 0.39 / 20 * points + 1.01 * trumps - 7.5;
    return std::clamp(static_cast<int>(guess), 0, 13);
}

// The tricks that the side leading the trick takes of those to come, by zero-window searches from a guess on.
int tricks_of_leader(Engine& engine, const Trick& trick, int left, int guess) {
    int least = 0, most = left;
    int asked = guess;
    while (least < most) {
        asked = std::clamp(asked, least + 1, most);
        if (engine.takes(trick, asked))
            least = asked++;
        else
            most = --asked;
    }
    return least;
}

// Declarers' tricks of one strain; both of a side in a row, because they mostly agree.
void solve_strain(Engine& engine, const Hands& hands, int strain, unsigned declarers, std::uint8_t* out) {
    const int left = tricks_left(hands);
    int north_south = left == 13 ? guessed_tricks(hands, strain) : left / 2;
    bool is_guess = true;
    for (const int declarer : {0, 2, 1, 3}) {
        if (!(declarers >> declarer & 1)) continue;
        // The side on lead has an edge at notrump.
        const int guess = declarer % 2 == 0               ? left - north_south
                          : is_guess || strain != notrump ? north_south
                                                          : north_south + 1;
        const int lost = tricks_of_leader(engine, {(declarer + 1) & 3, 0, {}}, left, guess);
        out[declarer] = static_cast<std::uint8_t>(left - lost);
        if (declarer % 2 == 0)
            north_south = left - lost, is_guess = false;
        else
            north_south = lost - (strain == notrump ? 1 : 0);
    }
}

// The trick and the hands after a card; whether it ended the trick, and then whose side won it.
struct After {
    Hands hands;
    Trick trick;
    int winner = -1;
};

After after_card(const Position& position, int card) {
    After after{position.hands, position.trick, -1};
    Trick& trick = after.trick;
    const int player = (trick.leader + trick.count) & 3;
    after.hands.of[player] &= ~(std::uint64_t{1} << card);
    if (trick.count < 3) {
        trick.cards[trick.count++] = card;
        return after;
    }
    const int cards[4] = {trick.cards[0], trick.cards[1], trick.cards[2], card};
    int best = 0;
    for (int i = 1; i < 4; ++i) {
        const bool same = cards[i] >> 4 == cards[best] >> 4;
        if (same ? cards[i] > cards[best] : cards[i] >> 4 == position.strain) best = i;
    }
    after.winner = (trick.leader + best) & 3;
    trick = {after.winner, 0, {}};
    return after;
}

// The tricks that the player's side takes if he plays the card.
int value_of(Engine& engine, const Position& position, int card, int guess) {
    const int player = (position.trick.leader + position.trick.count) & 3;
    const After after = after_card(position, card);
    const bool won = after.winner >= 0 && (after.winner - player) % 2 == 0;
    const int left = tricks_left(after.hands);  // who has yet to play holds a card for each
    if (left == 0) return won;
    engine.set_hands(after.hands);
    const bool leads = (after.trick.leader - player) % 2 == 0;
    const int wanted = guess - won;
    const int leaders = tricks_of_leader(engine, after.trick, left, leads ? wanted : left - wanted);
    return won + (leads ? leaders : left - leaders);
}

void value_cards(Engine& engine, const Position& position, std::uint8_t* out) {
    const Trick& trick = position.trick;
    const int player = (trick.leader + trick.count) & 3;
    std::uint64_t playable = position.hands.of[player];
    if (trick.count) {
        const std::uint64_t led = playable & std::uint64_t{0x1fff} << (16 * (trick.cards[0] >> 4));
        if (led) playable = led;
    }
    std::uint64_t others = 0;
    for (int seat = 0; seat < 4; ++seat)
        if (seat != player) others |= position.hands.of[seat];
    for (int i = 0; i < trick.count; ++i) others |= std::uint64_t{1} << trick.cards[i];
    int value = tricks_left(position.hands) / 2;
    for (int suit = 3; suit >= 0; --suit) {
        bool is_equal = false;  // to the card above it
        for (int card = 16 * suit + 12; card >= 16 * suit; --card) {
            if (others >> card & 1) is_equal = false;
            if (!(playable >> card & 1)) continue;
            if (!is_equal) value = value_of(engine, position, card, value);
            out[13 * suit + card % 16] = static_cast<std::uint8_t>(value);
            is_equal = true;
        }
    }
}

}  // namespace

Solver::Solver(int threads, std::size_t limit_bytes, bool warm) : warm_(warm) {
    const std::size_t count = thread_count(threads);
    for (std::size_t i = 0; i < count; ++i) engines_.push_back(make_engine(limit_bytes / count));
}

Effort Solver::effort() const {
    Effort sum;
    for (const auto& engine : engines_) {
        const Effort effort = engine->effort();
        sum.nodes += effort.nodes;
        sum.trick_starts += effort.trick_starts;
        sum.lookups += effort.lookups;
        sum.hits += effort.hits;
        sum.times_thinned += effort.times_thinned;
        sum.bytes += effort.bytes;
    }
    return sum;
}

bool Solver::run(std::size_t count, std::uint64_t nodes, const Watch& watch, const Work& work) {
    if (is_busy_.exchange(true)) throw std::runtime_error("the solver is busy");
    const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> released(
        &is_busy_, [](std::atomic<bool>* busy) { *busy = false; });
    return run_batch(count, 1, engines_.size(), watch,
                     [&](std::size_t worker, std::size_t item, const std::atomic<bool>& stop) {
                         Engine& engine = *engines_[worker];
                         engine.stop = &stop;
                         engine.set_budget(nodes);
                         try {
                             work(engine, item);
                         } catch (const Stopped&) {
                             // By the budget, so that the item stays unknown; or all are stopping.
                         }
                     });
}

bool Solver::solve(const Hands* deals, std::size_t count, unsigned strains, unsigned declarers,
                   std::uint64_t nodes, const Watch& watch, std::uint8_t* out) {
    std::fill(out, out + 20 * count, unknown);
    std::vector<int> asked;
    for (int strain = 0; strain < 5; ++strain)
        if (strains >> strain & 1) asked.push_back(strain);
    if (asked.empty()) return true;
    // A deal is done when its strains are.
    const Watch by_deal = [&](std::size_t done) { return watch(done / asked.size()); };
    return run(count * asked.size(), nodes, by_deal, [&](Engine& engine, std::size_t item) {
        const std::size_t deal = item / asked.size();
        const int strain = asked[item % asked.size()];
        engine.set_hands(deals[deal]);
        engine.set_strain(strain, warm_);
        solve_strain(engine, deals[deal], strain, declarers, out + 20 * deal + 4 * strain);
    });
}

bool Solver::answer(const Question* questions, std::size_t count, std::uint64_t nodes, const Watch& watch,
                    std::uint8_t* out) {
    std::fill(out, out + count, unknown);
    return run(count, nodes, watch, [&](Engine& engine, std::size_t item) {
        const Question& question = questions[item];
        const int left = tricks_left(question.hands);
        engine.set_hands(question.hands);
        engine.set_strain(question.strain, warm_);
        if (question.needed) {
            // Declarer takes so many unless the defence takes the rest and one more.
            const Trick lead{(question.declarer + 1) & 3, 0, {}};
            out[item] = !engine.takes(lead, left - question.needed + 1);
        } else {
            std::uint8_t tricks[4];
            solve_strain(engine, question.hands, question.strain, 1u << question.declarer, tricks);
            out[item] = tricks[question.declarer];
        }
    });
}

bool Solver::card_values(const Position* positions, std::size_t count, std::uint64_t nodes,
                         const Watch& watch, std::uint8_t* out) {
    std::fill(out, out + 52 * count, unknown);
    return run(count, nodes, watch, [&](Engine& engine, std::size_t item) {
        engine.set_hands(positions[item].hands);
        engine.set_strain(positions[item].strain, warm_);
        value_cards(engine, positions[item], out + 52 * item);
    });
}

}  // namespace bidlab::doubledummy
