#include "dealing/conditional.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace bidlab {
namespace {

constexpr std::uint64_t all_cards = (std::uint64_t{1} << 52) - 1;

// In how many ways the unknown cards can be dealt.
Wide completions_of(const std::array<std::uint64_t, 4>& known) {
    Wide ways = 1;
    int left = 52;
    for (const std::uint64_t hand : known) left -= std::popcount(hand);
    for (const std::uint64_t hand : known) {
        const int need = 13 - std::popcount(hand);
        ways *= choose(left, need);
        left -= need;
    }
    return ways;
}

}  // namespace

ConditionalDealer::ConditionalDealer(const std::array<std::uint64_t, 4>& known, const Conditions& conditions,
                                     bool wants_tables) {
    // 1. What is given.
    for (std::size_t seat = 0; seat < 4; ++seat)
        if (conditions[seat]) conditions_[seat].emplace(*conditions[seat]);
    std::uint64_t seen = 0;
    for (const std::uint64_t hand : known) {
        if (hand & ~all_cards) throw std::invalid_argument("known cards: bits beyond the 52 cards");
        if (hand & seen) throw std::invalid_argument("known cards: a card is in two hands");
        if (std::popcount(hand) > 13) throw std::invalid_argument("known cards: more than 13 in a hand");
        seen |= hand;
    }
    completions_ = completions_of(known);
    // 2. What needs no search: demanded cards, hands that are complete.
    is_impossible_ = !place_demanded(known) || !fill_last_seat();
    if (is_impossible_) {
        is_exact_count_ = true;
        return;
    }
    // 3. Who still gets cards. Plain dealing unless a fixed sample says that it would take long: tables for
    // one hand take a millisecond, for two some more.
    order_seats();
    count_ = completions_of(known_);
    is_exact_count_ = described_.empty();
    const double enough = described_.size() == 1 ? 0.1 : 0.02;
    if (described_.empty() || (!wants_tables && is_found_in_pilot(enough))) return;
    build_tables();
}

// Adds the cards that conditions demand to those known; false if two seats want one, or a seat too many.
bool ConditionalDealer::place_demanded(const std::array<std::uint64_t, 4>& known) {
    known_ = known;
    for (std::size_t seat = 0; seat < 4; ++seat)
        if (conditions_[seat]) known_[seat] |= conditions_[seat]->held();
    std::uint64_t seen = 0;
    for (const std::uint64_t hand : known_) {
        if (hand & seen || std::popcount(hand) > 13) return false;
        seen |= hand;
    }
    pool_ = all_cards & ~seen;
    return true;
}

// Gives all cards to the only seat that needs some; false if a hand that is complete is not admitted.
bool ConditionalDealer::fill_last_seat() {
    const auto is_open = [](std::uint64_t hand) { return std::popcount(hand) < 13; };
    if (std::count_if(known_.begin(), known_.end(), is_open) == 1) {
        *std::find_if(known_.begin(), known_.end(), is_open) |= pool_;
        pool_ = 0;
    }
    for (std::size_t seat = 0; seat < 4; ++seat)
        if (!is_open(known_[seat]) && conditions_[seat] && !conditions_[seat]->admits(known_[seat]))
            return false;
    return true;
}

void ConditionalDealer::order_seats() {
    for (int number = 0; number < 4; ++number) {
        const auto seat = static_cast<std::size_t>(number);
        const int need = 13 - std::popcount(known_[seat]);
        if (need == 0) continue;
        if (conditions_[seat])
            described_.emplace_back(number, &*conditions_[seat], known_[seat], pool_);
        else
            others_.emplace_back(number, need);
    }
    std::stable_sort(described_.begin(), described_.end(), [](const OpenSeat& one, const OpenSeat& other) {
        return one.hand_share < other.hand_share;
    });
}

// Whether plain dealing succeeds in such a share of a fixed sample, which is looked at until that is certain.
bool ConditionalDealer::is_found_in_pilot(double share) const {
    constexpr std::uint64_t seed = 0x70696c6f74, sample = 2000;
    const double wanted = share * static_cast<double>(sample);
    std::uint64_t accepted = 0;
    for (std::uint64_t number = 0; number < sample; ++number) {
        Generator generator(seed, number);
        std::uint64_t hands[4];
        std::copy(known_.begin(), known_.end(), hands);
        accepted += deal_at_random(generator, hands);
        if (static_cast<double>(accepted) >= wanted) return true;
        if (static_cast<double>(accepted + sample - number - 1) < wanted) return false;
    }
    return false;
}

void ConditionalDealer::build_tables() {
    std::vector<OpenSeat> seats = described_, rest = others_;
    auto kind = Tables::Rest::free;
    if (seats.size() > 2) {
        kind = seats.size() + rest.size() == 3 ? Tables::Rest::single : Tables::Rest::two;
        // In a double rest points are what fails, so that the seats with the narrowest points are counted
        // exactly; a single rest never fails, and fewer shapes make fewer pairs.
        std::stable_sort(seats.begin(), seats.end(), [&](const OpenSeat& one, const OpenSeat& other) {
            if (kind == Tables::Rest::two) return one.point_share < other.point_share;
            return one.options.size() < other.options.size();
        });
        std::vector<OpenSeat> left(seats.begin() + 2, seats.end());
        for (const OpenSeat& seat : rest)
            left.emplace_back(seat.number, nullptr, known_[static_cast<std::size_t>(seat.number)], pool_);
        rest = std::move(left);
    }
    Wide splits = 1;
    if (kind == Tables::Rest::free) {
        int left = 0;
        for (const OpenSeat& seat : rest) left += seat.need;
        for (const OpenSeat& seat : rest) {
            splits *= choose(left, seat.need);
            left -= seat.need;
        }
    }
    tables_.emplace(pool_, seats[0], seats.size() > 1 ? seats[1] : OpenSeat(), std::move(rest), kind);
    count_ = tables_->total() * splits;
    is_impossible_ = count_ == 0;
    is_exact_count_ = kind != Tables::Rest::two || is_impossible_;
}

bool ConditionalDealer::deal_at_random(Generator& generator, std::uint64_t* hands) const {
    std::uint64_t left = pool_;
    for (const OpenSeat& seat : described_) {
        const std::uint64_t cards = random_cards(generator, left, seat.need);
        hands[seat.number] |= cards;
        left ^= cards;
        if (!conditions_[static_cast<std::size_t>(seat.number)]->admits(hands[seat.number])) return false;
    }
    for (const OpenSeat& seat : others_) {
        const std::uint64_t cards = random_cards(generator, left, seat.need);
        hands[seat.number] |= cards;
        left ^= cards;
    }
    return true;
}

// One try. Every deal that fulfils the conditions is as likely as any other; a failed try says nothing about
// the next, so that trying again keeps them equally likely.
bool ConditionalDealer::attempt(Generator& generator, std::uint64_t* hands) const {
    std::copy(known_.begin(), known_.end(), hands);
    if (!tables_) return deal_at_random(generator, hands);
    if (!tables_->draw(generator, hands)) return false;
    return std::all_of(described_.begin(), described_.end(), [&](const OpenSeat& seat) {
        return conditions_[static_cast<std::size_t>(seat.number)]->admits(hands[seat.number]);
    });
}

// Leaves the deal unfinished if it was stopped.
void ConditionalDealer::deal_one(std::uint64_t seed, std::uint64_t number, const std::atomic<bool>& stop,
                                 DealBits& out) {
    Generator generator(seed, number);
    std::uint64_t tries = 1;
    while (!attempt(generator, out.hand)) {
        if (tries == most_tries)
            throw DealNotFound("no deal that fulfils the conditions was found in " + std::to_string(tries) +
                               " tries");
        if (tries++ % 1024 == 0 && stop) return;
    }
    tries_ += tries;
    ++dealt_;
}

bool ConditionalDealer::deal(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads,
                             const Watch& watch, DealBits* out) {
    if (is_impossible_) throw std::domain_error("no deal fulfils the conditions");
    constexpr std::size_t portion = 64;
    return run_batch(count, portion, thread_count(threads), watch,
                     [&](std::size_t, std::size_t i, const std::atomic<bool>& stop) {
                         deal_one(seed, first + i, stop, out[i]);
                     });
}

}  // namespace bidlab
