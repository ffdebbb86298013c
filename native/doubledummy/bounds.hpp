// Bounds without searching: tricks that are sure to be won or lost, and the cards that make them so.
//
// Each proof uses only suit lengths (which the table's key holds) and the owners of the cards from the top of
// a suit down to the lowest it names in `ranks`, so that it holds in every position that agrees on those.
#pragma once

#include "doubledummy/search.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {

// How many of the highest cards of a suit one seat holds, at most `most`.
inline int run_of(std::uint32_t owners, int seat, int most) {
    // The lowest bit belongs to no card; set, it spares the case of zero.
    const std::uint32_t others = (owners ^ static_cast<std::uint32_t>(seat) * 0x5555'5555u) | 1;
    return smaller(most, __builtin_clz(others) >> 1);
}

// Lengths turned so that in each suit the nibbles are those of `seat`, his left, his partner and his right.
constexpr std::uint64_t seen_from(std::uint64_t lengths, int seat) {
    constexpr std::uint64_t every_suit = 0x0001'0001'0001'0001u;
    const int turn = 4 * seat;
    const std::uint64_t kept = every_suit * (0xffffu >> turn);
    return (lengths >> turn & kept) | (lengths << (16 - turn) & ~kept);
}

// Lengths of one suit, seen from one seat.
struct SuitLengths {
    int own, left, partner, right;

    explicit SuitLengths(unsigned turned)
        : own(turned & 15), left(turned >> 4 & 15), partner(turned >> 8 & 15), right(turned >> 12) {}
    SuitLengths(std::uint64_t lengths, int suit, int seat)
        : SuitLengths(suit_lengths(seen_from(lengths, seat), suit)) {}
    int opponents() const { return larger(left, right); }
    int side() const { return larger(own, partner); }
};

// More tricks than that are seldom sure, and asking costs more than searching on.
constexpr int most_sure = 5;

// Whether the leader's side can cash at least k tricks from the top, the leader first: its own winners in
// every suit; then trumps that are high in partner's hand whoever is on lead; then, across in a suit where
// partner has a winner or a ruff, partner's winners. An opponent with trumps always follows to what is
// counted: rounds of a side suit end before he is void, unless trumps are drawn first.
template <bool Trump>
bool Search::has_sure_tricks(int leader, int k, const SuitOwners& position, Cards& ranks) const {
    if (k > most_sure) return false;
    const int partner = partner_of(leader);
    const std::uint64_t turned = seen_from(lengths_, leader);
    int tricks = 0;          // of the leader, and of trumps that win by themselves
    int side_tricks = 0;     // of these, in side suits
    int partners = 0;        // partner's winners in side suits
    bool can_cross = false;  // the leader has a card left for a suit where partner has a winner
    bool can_ruff = false;   // ... or that partner can ruff
    // Down to which card of each suit they are named, counted from the top: four bits a suit.
    unsigned used = 0, partners_used = 0;

    // Trumps. `idle`: cards partner can throw on the leader's side-suit winners without ruffing them.
    bool ruffed_left = false, ruffed_right = false, opponents_have_trumps = false;
    int idle = 0, ruffs = 0, high_trumps = 0;
    unsigned high_trumps_used = 0;
    if constexpr (Trump) {
        const SuitLengths trump(suit_lengths(turned, trumps));
        opponents_have_trumps = trump.opponents() > 0;
        if (!opponents_have_trumps) {
            // Every trump of the longer hand takes a trick of its own.
            tricks = trump.side();
            if (tricks >= k) return ranks = 0, true;
            if (trump.own >= trump.partner) ruffs = trump.partner;
        } else {
            ruffed_left = trump.left > 0;
            ruffed_right = trump.right > 0;
            idle = left_ - trump.partner;
            ruffs = trump.partner;
            const std::uint32_t owners = position.of[trumps];
            if (!are_opponents(position.top(trumps), leader)) {
                const int own = run_of(owners, leader, trump.own);
                const int rounds = larger(trump.opponents(), trump.partner);
                const int cashed = own >= rounds ? trump.own : own;
                const int needed = own >= rounds ? rounds : own;
                if (cashed >= k) return ranks = nth(trumps, smaller(needed, k)), true;
                tricks = cashed;
                used = static_cast<unsigned>(needed) << 4 * trumps;
                if (cashed >= trump.opponents()) ruffed_left = ruffed_right = false;
                high_trumps =
                    trump.partner > own ? run_of(owners << 2 * own, partner, trump.partner - own) : 0;
                if (high_trumps) {
                    high_trumps_used = static_cast<unsigned>(own + high_trumps) << 4 * trumps;
                    can_cross = trump.own > own;
                }
                idle -= larger(0, cashed - trump.partner);
                ruffs = larger(0, trump.partner - own - high_trumps);
            }
        }
    }

    for (int suit = Trump ? 2 : 3; suit >= 0; --suit) {
        const unsigned counts = suit_lengths(turned, suit);
        if (!(counts & 0x0f0f)) continue;  // the side has none
        const SuitLengths length(counts);
        const std::uint32_t owners = position.of[suit];
        int safe = 15;  // rounds before an opponent ruffs
        if constexpr (Trump) {
            if (ruffed_left) safe = length.left;
            if (ruffed_right) safe = smaller(safe, length.right);
        }
        if (are_opponents(position.top(suit), leader)) {
            if (Trump && length.own && !length.partner && ruffs && safe > 0) can_ruff = true;
            continue;
        }
        const int own = run_of(owners, leader, length.own);
        const int rounds = larger(length.opponents(), length.partner);
        const int cashed = smaller(safe, own >= rounds ? length.own : own);
        int needed = smaller(cashed, own >= rounds ? rounds : own);
        if (cashed) {
            if (tricks + cashed >= k) {
                if (needed > k - tricks && own >= k - tricks) needed = k - tricks;
                return ranks = named(used | static_cast<unsigned>(needed) << 4 * suit), true;
            }
            tricks += cashed;
            side_tricks += cashed;
            used |= static_cast<unsigned>(needed) << 4 * suit;
        }
        if (Trump && !length.partner && length.own > cashed && ruffs && safe > cashed) can_ruff = true;
        if (cashed >= own && length.partner > own) {
            const int run = run_of(owners << 2 * own, partner, length.partner - own);
            const bool run_out = own + run >= larger(length.opponents(), length.own);
            const int more = smaller(safe - own, run_out ? length.partner - own : run);
            if (more > 0) {
                partners += more;
                partners_used |= static_cast<unsigned>(own + run) << 4 * suit;
                if (length.own > own && run) can_cross = true;
            }
        }
    }

    if constexpr (Trump) {
        if (opponents_have_trumps && idle < side_tricks) return false;
        if (high_trumps) {
            tricks += high_trumps;
            used = (used & ~(15u << 4 * trumps)) | high_trumps_used;
            if (tricks >= k) return ranks = named(used), true;
        }
        if (can_ruff) {
            can_cross = true;
            if (++tricks >= k) return ranks = named(used), true;
        }
        if (opponents_have_trumps && idle - partners < side_tricks) return false;
    }
    if (can_cross && tricks + partners >= k) return ranks = named(used) | named(partners_used), true;
    return false;
}

// Whether the opponents of the side on lead are sure of so many tricks that it cannot take k.
template <bool Trump>
bool Search::must_lose(int leader, int k, const SuitOwners& position, Cards& ranks) const {
    const int lost = left_ - k + 1;  // tricks they need
    if (Trump && suit_lengths(lengths_, trumps)) {
        const SuitLengths trump(lengths_, trumps, leader);
        if (!trump.side()) return trump.opponents() >= lost ? (ranks = 0, true) : false;
        const std::uint32_t owners = position.of[trumps];
        const int top = static_cast<int>(owners >> 30);
        const unsigned counts = suit_lengths(lengths_, trumps);
        const int run = run_of(owners, top, of_seat(counts, top));
        if (are_opponents(top, leader)) return run >= lost ? (ranks = nth(trumps, lost), true) : false;
        if (run >= trump.own + trump.partner + trump.left + trump.right) return false;
        // Their trumps that are next: each of ours above takes one of them at most.
        const std::uint32_t below = owners << 2 * run;
        const int next = static_cast<int>(below >> 30);
        if (!are_opponents(next, leader)) return false;
        const int held = of_seat(counts, next);
        const int next_run = run_of(below, next, held);
        if (next_run - run >= lost) return ranks = nth(trumps, 2 * run + lost), true;
        // A guarded second-best behind the best: in the first trick to which its holder plays a trump and
        // does not lead (leading means having won one), the best is played before it or not at all.
        if (lost == 1 && run == 1 && next == next_of(top) && held > next_run)
            return ranks = nth(trumps, 2), true;
        return false;
    }
    if (lost > 1) return false;
    // All the tricks are wanted: a suit whose best card is theirs cannot be led, and the others do not last.
    int leads = 0;
    Cards theirs = 0;
    for (int suit = 0; suit < 4; ++suit) {
        if (!suit_lengths(lengths_, suit)) continue;
        if (are_opponents(position.top(suit), leader))
            theirs |= nth(suit, 1);
        else
            leads += SuitLengths(lengths_, suit, leader).side();
    }
    return leads < left_ ? (ranks = theirs, true) : false;
}

// Of the candidates, those that are left when leads are taken out that an opponent wins with the best card of
// the suit and then cashes enough; what mattered in these joins `ranks`.
template <bool Trump>
Cards Search::refuted_leads(int leader, int k, const SuitOwners& position, Cards candidates,
                            Cards& ranks) const {
    const int lost = left_ - k + 1;
    if (lost > most_sure) return candidates;
    const int partner = partner_of(leader);
    const bool partner_ruffs = Trump && of_seat(suit_lengths(lengths_, trumps), partner);
    int cashes[4] = {-1, -1, -1, -1};  // by seat: not asked, no, yes
    Cards used[4] = {};
    for (int suit = 0; suit < 4; ++suit) {
        if (!(candidates & suit_field(suit))) continue;
        const int top = position.top(suit);
        if (!are_opponents(top, leader)) continue;
        if (partner_ruffs && suit != trumps && !of_seat(suit_lengths(lengths_, suit), partner)) continue;
        if (cashes[top] < 0)
            cashes[top] = lost == 1 || has_sure_tricks<Trump>(top, lost, position, used[top]);
        if (!cashes[top]) continue;
        ranks |= used[top] | nth(suit, 1);
        candidates &= ~suit_field(suit);
    }
    return candidates;
}

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
