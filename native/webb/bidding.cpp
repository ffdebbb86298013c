#include "webb/bidding.hpp"

#include <algorithm>

namespace bidlab::webb {

void Auction::start(const System& north_south, const System& east_west, int dealer, int vulnerable) {
    systems[0] = &north_south;
    systems[1] = &east_west;
    states[0] = states[1] = 0;
    law = {};
    law.dealer = static_cast<std::uint8_t>(dealer);
    law.vulnerable = static_cast<std::uint8_t>(vulnerable);
    boxes.fill({});
    std::fill_n(open, 4, 0);
    is_resolved = is_any_resolved = false;
}

void Auction::resolve() {
    if (is_resolved) return;
    const int seat = law.seat();
    const auto& own = boxes[static_cast<std::size_t>(seat)];
    position.resolve(*systems[seat & 1], states[seat & 1], law, boxes, own);
    is_resolved = true;
}

int Auction::choose(const Values& own) {
    resolve();
    return position.choose(own);
}

int Auction::choose_any(const Values& own) {
    const int side = law.seat() & 1;
    if (!is_any_resolved) any.resolve(*systems[side], states[side], law, boxes, {});
    is_any_resolved = true;
    return any.choose(own);
}

void Auction::mark_touched(const Form& form, std::uint64_t* bits) {
    resolve();
    const int side = law.seat() & 1;
    const System& own = *systems[side];
    const auto mark = [bits](std::size_t number) { bits[number / 64] |= std::uint64_t{1} << number % 64; };
    position.visit_reached([&](std::size_t at) { mark(own.source(states[side], at)); });
    for (int program = 0, state = states[side]; program < form.inheritance; ++program) {
        mark(form.words() + static_cast<std::size_t>(state * transitions + calls));
        state = own.next(state, calls);
    }
}

void Auction::count_words(const Values& own, std::uint32_t* words) {
    resolve();
    const int side = law.seat() & 1;
    position.walk(own, [&](std::size_t at) { ++words[systems[side]->source(states[side], at)]; });
}

bool Auction::infer(int call, int seat, Box& own) {
    std::vector<Graph>& kept = graphs[seat];
    std::size_t& count = open[seat];
    if (kept.size() == count) kept.emplace_back();
    if (!position.infer(call, own, kept[count])) return false;
    count += kept[count].is_open();
    // Until no graph tells more; those with one way left have told all.
    std::size_t silent = 0;
    for (std::size_t at = 0; silent < count; at = at + 1 < count ? at + 1 : 0) {
        const Box before = own;
        if (kept[at].is_open() && !kept[at].narrow(own, room)) return false;
        silent = own == before ? silent + 1 : 0;
    }
    return true;
}

bool Auction::make(int call) {
    resolve();
    const int seat = law.seat();
    Box shown = boxes[static_cast<std::size_t>(seat)];
    const bool is_made = infer(call, seat, shown);
    if (is_made)
        boxes[static_cast<std::size_t>(seat)] = shown;
    else
        open[seat] = 0;
    states[seat & 1] = systems[seat & 1]->next(states[seat & 1], call);
    law.make(call);
    is_resolved = is_any_resolved = false;
    return is_made;
}

Contract Auction::bid(const std::array<Values, 4>& hands, std::vector<std::uint8_t>* calls) {
    Laws laws = law;
    while (!laws.is_ended()) {
        const int call = choose(hands[static_cast<std::size_t>(laws.seat())]);
        laws.make(call);
        if (!laws.is_ended()) make(call);  // nobody needs what the last call shows
        if (calls) calls->push_back(static_cast<std::uint8_t>(call));
    }
    return {laws.last_bid, laws.doubled, static_cast<std::uint8_t>(laws.declarer())};
}

void Auction::make_told(int call, const Box& told) {
    const int seat = law.seat();
    Box both = boxes[static_cast<std::size_t>(seat)];
    bool is_held = true;
    for (std::uint8_t lane = 0; lane < 16 && is_held; ++lane)
        if (lane % negated < lengths_end) is_held = both.narrow({lane, told.lanes[lane]});
    if (is_held) boxes[static_cast<std::size_t>(seat)] = both;
    states[seat & 1] = systems[seat & 1]->next(states[seat & 1], call);
    law.make(call);
    is_resolved = is_any_resolved = false;
}

const Position& Auction::position_for(const Box& own) {
    const int side = law.seat() & 1;
    any.resolve(*systems[side], states[side], law, boxes, own);
    is_any_resolved = false;
    return any;
}

bool Auction::possible(Box& own) const {
    const auto seat = static_cast<std::size_t>(law.seat());
    own = boxes[seat];
    for (int feature = 0; feature < lengths_end; ++feature) {
        int least = 0, most = 0;
        for (std::size_t other = 0; other < 4; ++other)
            if (other != seat) least += boxes[other].least(feature), most += boxes[other].most(feature);
        const int fewest = (feature ? 13 : least_deck) - most, longest = (feature ? 13 : most_deck) - least;
        if (!own.narrow({static_cast<std::uint8_t>(feature), static_cast<std::int16_t>(fewest)}) ||
            !own.narrow({static_cast<std::uint8_t>(feature + negated), static_cast<std::int16_t>(-longest)}))
            return false;
    }
    return true;
}

Population::Population(const Form& form, std::size_t count, const std::uint32_t* words,
                       const std::uint8_t* links)
    : shape(form) {
    systems.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        systems.emplace_back(form, words + i * form.words(), links + i * form.links());
}

void Population::replace(std::size_t number, const std::uint32_t* words, const std::uint8_t* links) {
    systems[number] = System(shape, words, links);
}

bool Population::bid(const Boards& boards, int threads, const Watch& watch, Contract* contracts,
                     std::vector<std::uint8_t>* calls) const {
    constexpr std::size_t block = 64;  // boards that a thread takes at once
    std::vector<Auction> auctions(thread_count(threads));
    const auto bid_board = [&](Auction& auction, std::size_t board) {
        auction.start(systems[static_cast<std::size_t>(boards.north_south[board])],
                      systems[static_cast<std::size_t>(boards.east_west[board])], boards.dealers[board],
                      boards.vulnerable ? boards.vulnerable[board] : 0);
        std::array<Values, 4> values;
        for (std::size_t seat = 0; seat < 4; ++seat)
            values[seat] = values_of(boards.hands[4 * board + seat], shape.options);
        contracts[board] = auction.bid(values, calls ? &calls[board] : nullptr);
    };
    return run_batch((boards.count + block - 1) / block, 1, auctions.size(), watch,
                     [&](std::size_t worker, std::size_t item, const std::atomic<bool>&) {
                         const std::size_t end = std::min(boards.count, (item + 1) * block);
                         for (std::size_t board = item * block; board < end; ++board)
                             bid_board(auctions[worker], board);
                     });
}

}  // namespace bidlab::webb
