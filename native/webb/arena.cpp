#include "webb/arena.hpp"

#include <algorithm>
#include <cstdlib>

#include "webb/scoring.hpp"

namespace bidlab::webb {
namespace {

// Bids a board to its end; marks what the calls of a side, or of both, depend on.
Contract traced(Auction& auction, const std::array<Values, 4>& hands, const Form& form, int sides,
                std::uint64_t* touched) {
    while (!auction.laws().is_ended()) {
        const int seat = auction.laws().seat(), state = auction.state(seat & 1);
        const int call = auction.choose(hands[static_cast<std::size_t>(seat)]);
        if (sides >> (seat & 1) & 1) {
            auction.mark_touched(form, touched);
            const std::size_t number = form.words() + static_cast<std::size_t>(state * transitions + call);
            touched[number / 64] |= std::uint64_t{1} << number % 64;
        }
        auction.make(call);
    }
    const Laws& laws = auction.laws();
    return {laws.last_bid, laws.doubled, static_cast<std::uint8_t>(laws.declarer())};
}

// From North-South's side, less par, in IMPs.
int imps_of(const Contract& contract, const SolvedBoards& boards, std::size_t board) {
    int score = 0;
    if (contract.bid) {
        const int strain = (contract.bid - first_bid) % 5, side = contract.declarer & 1;
        const int tricks =
            boards.tricks[20 * board + static_cast<std::size_t>(4 * strain + contract.declarer)];
        score = contract_score(contract.bid, contract.doubled, boards.vulnerable[board] >> side & 1, tricks);
        if (side) score = -score;
    }
    return imps(score - boards.par[board]);
}

}  // namespace

int par_score(const std::uint8_t* tricks, int dealer, int vulnerable) {
    constexpr int worst = -10'000;
    int best[2] = {worst, worst};
    for (int bid = calls - 1; bid >= first_bid; --bid)
        for (int turn = 0; turn < 4; ++turn) {
            const int seat = (dealer + turn) & 3, side = seat & 1;
            const int taken = tricks[4 * ((bid - first_bid) % 5) + seat];
            const int doubled = taken < (bid - first_bid) / 5 + 7;
            const int gain = contract_score(bid, doubled, vulnerable >> side & 1, taken);
            best[side] = std::max(best[side], std::min(gain, -best[1 - side]));
        }
    return std::max(best[0], std::min(0, -best[1]));
}

Usage usage_of(const System& system, const Form& form, const SolvedBoards& boards) {
    Usage found{std::vector<std::uint32_t>(form.words()), std::vector<std::uint32_t>(form.links())};
    Auction auction;
    for (std::size_t board = 0; board < boards.count; ++board) {
        auction.start(system, system, boards.dealers[board], boards.vulnerable[board]);
        std::array<Values, 4> values;
        for (std::size_t seat = 0; seat < 4; ++seat)
            values[seat] = values_of(boards.hands[4 * board + seat], form.options);
        while (!auction.laws().is_ended()) {
            const int seat = auction.laws().seat(), state = auction.state(seat & 1);
            const Values& own = values[static_cast<std::size_t>(seat)];
            auction.count_words(own, found.words.data());
            const int call = auction.choose(own);
            ++found.links[static_cast<std::size_t>(state * transitions + call)];
            auction.make(call);
        }
    }
    return found;
}

bool measure(const Population& systems, const Population& opponents, const SolvedBoards& boards,
             std::size_t entrants, const Entrant* who, int threads, const Watch& watch, std::int8_t* out,
             const Extras& extras) {
    constexpr std::size_t block = 64;
    std::vector<Auction> auctions(thread_count(threads));
    const std::size_t width = touched_words(systems.form());
    const bool wants_all = systems.form().options | opponents.form().options;
    // Entrants share a block of boards, whose hands are looked at once.
    constexpr std::size_t group = 16;
    const std::size_t blocks = (boards.count + block - 1) / block, groups = (entrants + group - 1) / group;
    const auto work = [&](std::size_t worker, std::size_t item, const std::atomic<bool>&) {
        Auction& auction = auctions[worker];
        const std::size_t from = item / groups * block, to = std::min(boards.count, from + block);
        const std::size_t first = item % groups * group, last = std::min(entrants, first + group);
        for (std::size_t board = from; board < to; ++board) {
            std::array<Values, 4> values;
            for (std::size_t seat = 0; seat < 4; ++seat)
                values[seat] = values_of(boards.hands[4 * board + seat], wants_all);
            for (std::size_t i = first; i < last; ++i) {
                const std::size_t place = i * boards.count + board;
                if (extras.skips && extras.skips[place]) continue;
                const System& own = systems.at(static_cast<std::size_t>(who[i].system));
                const bool is_alone = who[i].against < 0;
                const System& other = is_alone ? own : opponents.at(static_cast<std::size_t>(who[i].against));
                const bool is_turned = !is_alone && board & 1;
                auction.start(is_turned ? other : own, is_turned ? own : other, boards.dealers[board],
                              boards.vulnerable[board]);
                const int sides = is_alone ? 3 : is_turned ? 2 : 1;
                const Contract contract = extras.touched ? traced(auction, values, systems.form(), sides,
                                                                  extras.touched + place * width)
                                                         : auction.bid(values, nullptr);
                const int found = imps_of(contract, boards, board);
                const int result = is_alone ? -std::abs(found) : is_turned ? -found : found;
                out[place] = static_cast<std::int8_t>(result);
            }
        }
    };
    return run_batch(blocks * groups, 1, auctions.size(), watch, work);
}

}  // namespace bidlab::webb
