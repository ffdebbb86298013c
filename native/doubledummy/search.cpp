#include "doubledummy/search.hpp"

#include <cstring>

#include "doubledummy/bounds.hpp"
#include "doubledummy/ordering.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {
namespace {

// A run of equal cards of one hand, of which one is played for all.
struct Run {
    Cards bottom, top, played;
    Cards held;   // the hand's cards of the suit
    Cards field;  // the suit
};

// A move failed: strikes out the moves that fail with it and adds what mattered.
inline void note_failure(const Run& run, Cards ranks, Cards& untried, Cards& gathered) {
    const Cards mattered = lowest(ranks & run.field);
    const Cards small = mattered - 1;  // every card when none mattered
    if (run.played & small) untried &= ~(run.field & small);
    if (run.bottom != run.top) {
        if (run.played == run.top) {
            if (ranks & run.top) ranks |= run.bottom;
        } else if (!(ranks & run.bottom) && mattered > run.bottom && mattered <= run.top) {
            // Had a higher one been played, the next lower one would have stood where this one matters.
            ranks |= highest(run.held & small);
        }
    }
    gathered |= ranks;
}

// A move succeeded: what mattered, in the way of playing the run that needs least. Where its top was played
// and did not win, its lowest would have done as well and left the higher ones.
inline Cards ranks_of_success(const Run& run, Cards ranks) {
    if (run.bottom == run.top || run.played != run.top || (ranks & run.top)) return ranks;
    const Cards mattered = lowest(ranks & run.field);
    if (mattered < run.bottom || mattered >= run.top) return ranks;
    return (ranks & ~run.field) | lowest(run.held & ~((mattered << 1) - 1));
}

}  // namespace

RankTable::RankTable() {
    for (unsigned set = 0; set < 8192; ++set) {
        nth_highest[set] = 0;
        int k = 0;
        for (int rank = 12; rank >= 0; --rank)
            if (set >> rank & 1) nth_highest[set] |= std::uint64_t(rank) << (4 * k++);
    }
}

inline SuitOwners Search::owners() const {
    return {owner_codes_[0][suit_bits(all_, 0)], owner_codes_[1][suit_bits(all_, 1)],
            owner_codes_[2][suit_bits(all_, 2)], owner_codes_[3][suit_bits(all_, 3)]};
}

template <bool Trump>
Answer Search::last_trick(int leader) const {
    Cards best = hand_[leader];
    int winner = 0;
    bool ranked = false;
    for (int i = 1; i < 4; ++i) {
        const Cards card = hand_[(leader + i) & 3];
        if (suit_of(card) == suit_of(best)) {
            ranked = true;
            if (card > best) best = card, winner = i;
        } else if (Trump && suit_of(card) == trumps) {
            best = card, winner = i, ranked = false;
        }
    }
    return {ranked ? best : 0, (winner & 1) == 0};
}

template <bool Trump>
Answer Search::lead(int leader, int k) {
    ++trick_starts_;
    if (++nodes_ >= check_at_) check_stop();
    if (left_ == 1) return last_trick<Trump>(leader);
    return is_symmetric_ ? ask<Trump, true>(leader, k) : ask<Trump, false>(leader, k);
}

// The table, then the bounds, then the leads.
template <bool Trump, bool Symmetric>
inline Answer Search::ask(int leader, int k) {
    const SuitOwners position = owners();
    Place place;
    if constexpr (Symmetric)
        place = symmetric_place<Trump>(leader, position);
    else
        place = {Table::key_of(lengths_, leader), position.packed(), {0, 1, 2, 3}};
    Answer answer{0, true};
    // The table first: it costs less than the bounds and answers more often.
    ++lookups_;
    if (const Bucket* bucket = table_->find(place.key)) {
        if (look_up<Symmetric>(*bucket, place, k, answer) ||
            (bucket->split && look_up_part<Symmetric>(*bucket, place, k, answer)))
            return ++hits_, answer;
    }
    if (has_sure_tricks<Trump>(leader, k, position, answer.ranks)) return {answer.ranks, true};
    if (must_lose<Trump>(leader, k, position, answer.ranks)) return {answer.ranks, false};
    std::uint8_t& with_these_lengths = leads_[place.key * 0x9e37'79b9'7f4a'7c15u >> (64 - memory_bits)];
    std::uint8_t& with_this_side = lead_of_side(leader);
    int remembered = with_these_lengths;
    if (Symmetric && remembered != no_move) remembered = 16 * place.suit[remembered >> 4] + (remembered & 15);
    if (remembered == no_move) remembered = with_this_side;
    int cut = no_move;
    answer = search_leads<Trump>(leader, k, position, remembered, cut);
    if (cut != no_move) {
        with_this_side = static_cast<std::uint8_t>(cut);
        for (int i = 0; Symmetric && i < 4; ++i)
            if (place.suit[i] == cut >> 4) {
                cut = 16 * i + (cut & 15);
                break;
            }
        with_these_lengths = static_cast<std::uint8_t>(cut);
    }
    store<Symmetric>(place, answer, k);
    return answer;
}

// Whether an entry of the bucket answers.
template <bool Symmetric>
inline bool Search::look_up(const Bucket& bucket, const Place& place, int k, Answer& answer) const {
    const auto sought = static_cast<std::uint16_t>(signature(place.owners));
    const Signatures* const signatures = table_->signatures(bucket);
    const Entry* const entries = table_->entries(bucket);
    if (!bucket.count) return false;
    // From the newest; the lanes behind it in its group hold nothing.
    const int newest = bucket.count - 1;
    std::uint32_t filled =
        ~std::uint32_t{0} >> (32 - Signatures::bits_each * (1 + newest % Signatures::lanes));
    for (int group = newest / Signatures::lanes; group >= 0; --group, filled = ~std::uint32_t{0}) {
        std::uint32_t rest = signatures[group].candidates(sought) & filled;
        while (rest) {
            const int lane = (31 - std::countl_zero(rest)) / Signatures::bits_each;
            rest &= (std::uint32_t{1} << Signatures::bits_each * lane) - 1;
            const Entry& entry = entries[Signatures::lanes * group + lane];
            if (!entry.covers(place.owners)) continue;
            answer.yes = entry.least() >= k;
            if (!answer.yes && entry.most() >= k) continue;
            answer.ranks = ranks_of<Symmetric>(entry.mask, place);
            return true;
        }
    }
    return false;
}

// The same for the part of a split bucket; out of the way, because most are not split.
template <bool Symmetric>
[[gnu::noinline]] bool Search::look_up_part(const Bucket& bucket, const Place& place, int k,
                                            Answer& answer) const {
    const Bucket* const part = table_->find(Table::key_of_part(bucket, place.owners));
    return part && look_up<Symmetric>(*part, place, k, answer);
}

// The lowest card of each suit that a mask reaches down to here.
template <bool Symmetric>
inline Cards Search::ranks_of(const Owners& mask, const Place& place) const {
    const std::uint64_t masks[2] = {mask.low, mask.high};
    Cards ranks = 0;
    for (int i = 0; i < 4; ++i)
        if (const auto of_suit = static_cast<std::uint32_t>(masks[i >> 1] >> 32 * (i & 1)))
            ranks |= nth(Symmetric ? place.suit[i] : i, (32 - std::countr_zero(of_suit)) >> 1);
    return ranks;
}

template <bool Symmetric>
void Search::store(const Place& place, const Answer& answer, int k) {
    SuitOwners mask;
    for (int i = 0; i < 4; ++i) {
        const int suit = Symmetric ? place.suit[i] : i;
        const unsigned ranks = suit_bits(answer.ranks, suit);
        // Ranks down to the lowest that mattered; none: no bits.
        const int count = ranks ? std::popcount(suit_bits(all_, suit) >> std::countr_zero(ranks)) : 0;
        mask.of[i] = static_cast<std::uint32_t>(~(~std::uint64_t{0} >> 2 * count) >> 32);
    }
    Entry entry;
    entry.mask = mask.packed();
    entry.owners = {place.owners.high & entry.mask.high, place.owners.low & entry.mask.low};
    entry.set_bounds(answer.yes ? k : 0, answer.yes ? left_ : k - 1);
    table_->add(place.key, entry);
}

// The place of a position when seats are turned so that the leader comes first and suits are put in order:
// positions that differ only by names then share one.
template <bool Trump>
Place Search::symmetric_place(int leader, const SuitOwners& position) const {
    constexpr std::uint32_t low_bits = 0x5555'5555u;
    const std::uint64_t turned = seen_from(lengths_, leader);
    std::uint64_t order[4];  // lengths, owners and, below them, the suit
    std::uint32_t owners[4];
    for (int suit = 0; suit < 4; ++suit) {
        // Each owner less the leader, modulo four: the low bit changes when the leader is odd, and the high
        // bit with a borrow (leader 1) or a carry (leader 3).
        std::uint32_t code = position.of[suit];
        if (leader & 2) code ^= low_bits << 1;
        if (leader & 1) {
            code ^= low_bits;
            code ^= (code & low_bits) << 1;
        }
        const int count = std::popcount(suit_bits(all_, suit));
        owners[suit] = code & static_cast<std::uint32_t>(~(~std::uint64_t{0} >> 2 * count) >> 32);
        order[suit] = std::uint64_t{suit_lengths(turned, suit)} << 48 | std::uint64_t{owners[suit]} << 16 |
                      static_cast<unsigned>(suit);
    }
    constexpr int sorted = Trump ? 3 : 4;
    for (int i = 1; i < sorted; ++i)
        for (int j = i; j > 0 && order[j - 1] < order[j]; --j) {
            const std::uint64_t other = order[j];
            order[j] = order[j - 1];
            order[j - 1] = other;
        }
    Place place{0, {0, 0}, {}};
    std::uint64_t lengths = 0;
    SuitOwners renamed;
    for (int i = 0; i < 4; ++i) {
        const int suit = static_cast<int>(order[i] & 3);
        place.suit[i] = static_cast<std::uint8_t>(suit);
        renamed.of[i] = owners[suit];
        lengths |= std::uint64_t{suit_lengths(turned, suit)} << 16 * i;
    }
    place.key = Table::key_of(lengths, 0);
    place.owners = renamed.packed();
    return place;
}

template <bool Trump>
Answer Search::search_leads(int leader, int k, const SuitOwners& position, int remembered, int& cut) {
    const Cards own = hand_[leader];
    Moves moves;
    moves.untried = refuted_leads<Trump>(leader, k, position, lowest_of_runs(own, all_), moves.ranks);
    if (!moves.untried) return {moves.ranks, false};
    Cards winners = 0;  // of the leader
    for (int suit = 0; suit < 4; ++suit)
        if (position.top(suit) == leader) winners |= highest(moves.untried & suit_field(suit));
    const auto cuts = [&](Cards card) {
        const int suit = suit_of(card);
        const Cards field = suit_field(suit);
        const TrickSoFar trick{0, leader, suit, 0, false};
        if (!succeeds<Trump, 0>(k, trick, leader, card, suit, all_ & ~own & field, moves)) return false;
        cut = std::countr_zero(top_of_run(card, own & field, all_));
        for (int& share : favour_[leader]) share -= share >> 5;
        favour_[leader][suit] += 32;
        return true;
    };
    if (remembered != no_move && (own >> remembered & 1)) {
        const Cards card =
            highest(moves.untried & suit_field(remembered >> 4) & ((Cards{2} << remembered) - 1));
        if (card && cuts(card)) return moves.answer;
    }
    // The suit that promises most, from its winner if the leader has it and else from its lowest card.
    int promise[4];
    for (int suit = 0; suit < 4; ++suit)
        if (moves.untried & suit_field(suit))
            promise[suit] = promise_of_suit<Trump>(leader, suit, position) +
                            (weight::favour * favour_[leader][suit] >> 10);
    while (moves.untried) {
        Cards best = 0;
        int most = 0;
        for (int suit = 0; suit < 4; ++suit) {
            const Cards cards = moves.untried & suit_field(suit);
            if (!cards) continue;
            const Cards winner = cards & winners;
            const int value = promise[suit] + (winner ? weight::own_winner[kind_of<Trump>(suit)] : 0);
            if (!best || value > most) best = winner ? winner : lowest(cards), most = value;
        }
        if (cuts(best)) return moves.answer;
    }
    return {moves.ranks, false};
}

template <bool Trump>
inline Answer Search::next_trick(int k, const TrickSoFar& trick) {
    const Cards by_rank = trick.ranked ? trick.best : 0;
    const int winner = (trick.leader + trick.winner) & 3;
    Answer answer;
    --left_;
    if ((trick.winner & 1) == 0) {
        answer = k == 1 ? Answer{0, true} : lead<Trump>(winner, k - 1);
    } else if (k > left_) {
        answer = {0, false};
    } else {
        answer = lead<Trump>(winner, left_ - k + 1);
        answer.yes = !answer.yes;
    }
    ++left_;
    answer.ranks |= by_rank;
    return answer;
}

// Plays a card as number Pos of the trick and goes on.
template <bool Trump, int Pos>
inline Answer Search::play(int k, const TrickSoFar& before, int seat, Cards card, int suit) {
    TrickSoFar trick = before;
    if constexpr (Pos == 0) {
        trick.best = card;
    } else if (trick.best & suit_field(suit)) {
        trick.ranked = true;
        if (card > trick.best) trick.best = card, trick.winner = Pos;
    } else if (Trump && suit == trumps) {
        trick.best = card, trick.winner = Pos, trick.ranked = false;
    }
    const std::uint64_t one = one_card(suit, seat);
    hand_[seat] ^= card;
    all_ ^= card;
    lengths_ -= one;
    Answer answer;
    if constexpr (Pos < 3)
        answer = follow<Trump, Pos + 1>(k, trick);
    else
        answer = next_trick<Trump>(k, trick);
    hand_[seat] ^= card;
    all_ ^= card;
    lengths_ += one;
    return answer;
}

// Whether a card, the lowest of its run, gives its player the answer he wants. A card that wins is played
// from the top of its run, one that does not from the bottom: so fewer ranks matter. It wins when it is
// higher than `best` of its suit.
template <bool Trump, int Pos>
inline bool Search::succeeds(int k, const TrickSoFar& trick, int seat, Cards card, int suit, Cards best,
                             Moves& moves) {
    constexpr bool wanted = (Pos & 1) == 0;  // yes for the leader's side
    const Cards field = suit_field(suit), held = hand_[seat] & field;
    const Cards top = top_of_run(card, held, all_ | trick.best);
    const Run run{card, top, card > best ? top : card, held, field};
    moves.answer = play<Trump, Pos>(k, trick, seat, run.played, suit);
    moves.untried &= ~card;
    if (moves.answer.yes == wanted) {
        moves.answer.ranks = ranks_of_success(run, moves.answer.ranks);
        return true;
    }
    note_failure(run, moves.answer.ranks, moves.untried, moves.ranks);
    return false;
}

template <bool Trump, int Pos>
Answer Search::follow(int k, const TrickSoFar& trick) {
    ++nodes_;
    const int seat = (trick.leader + Pos) & 3;
    const Cards held = hand_[seat] & suit_field(trick.led);
    if (!held) return discard<Trump, Pos>(k, trick, seat);
    if (!(held & (held - 1))) return play<Trump, Pos>(k, trick, seat, held, trick.led);
    return follow_suit<Trump, Pos>(k, trick, seat, held);
}

template <bool Trump, int Pos>
inline Answer Search::follow_suit(int k, const TrickSoFar& trick, int seat, Cards held) {
    constexpr bool failed = Pos % 2 == 1;
    constexpr Cards honour = 1 << 9;  // the jack
    const Cards field = suit_field(trick.led);
    const bool can_win = trick.best & field;  // no trump stands on the trick
    const Cards best = can_win ? trick.best : ~Cards{0};
    Moves moves{lowest_of_runs(held, all_ | trick.best)};
    if (!(moves.untried & (moves.untried - 1))) {
        if (succeeds<Trump, Pos>(k, trick, seat, moves.untried, trick.led, best, moves)) return moves.answer;
        return {moves.ranks, failed};
    }
    std::uint8_t* memory = nullptr;
    if constexpr (Pos == 1 || Pos == 2) {
        memory = &memory_of(trick);
        const Cards card = moves.untried & Cards{1} << *memory;
        if (card && succeeds<Trump, Pos>(k, trick, seat, card, trick.led, best, moves)) return moves.answer;
    }
    // The cheapest card that is enough to win, unless the trick is ours already; then from the lowest.
    Cards enough = can_win ? moves.untried & ~(trick.best - 1) : 0;
    bool is_ours = false;
    if constexpr (Pos == 1) {
        const Cards third = hand_[partner_of(trick.leader)] & field;
        const Cards fourth = hand_[previous_of(trick.leader)] & field;
        if (third) enough &= ~(highest(third) - 1);
        if (fourth > (all_ & field & ~fourth) && fourth > trick.best)
            enough = 0;  // partner has the best card
        if (!enough && can_win && held > trick.best && third > held && trick.best >= honour << 16 * trick.led)
            enough = moves.untried & ~(trick.best - 1);
    } else if constexpr (Pos == 2) {
        const Cards fourth = hand_[previous_of(trick.leader)] & field;
        is_ours = can_win && trick.winner == 0 && trick.best > fourth;
        if (fourth) enough &= ~(highest(fourth) - 1);
        if (!enough && can_win && held > trick.best) enough = highest(moves.untried);
    } else {
        is_ours = trick.winner == 1;
    }
    if (is_ours) enough = 0;
    while (moves.untried) {
        const Cards card = lowest(enough ? enough : moves.untried);
        enough = 0;
        if (succeeds<Trump, Pos>(k, trick, seat, card, trick.led, best, moves)) {
            if (memory) *memory = static_cast<std::uint8_t>(std::countr_zero(card));
            return moves.answer;
        }
    }
    return {moves.ranks, failed};
}

template <bool Trump, int Pos>
inline Answer Search::discard(int k, const TrickSoFar& trick, int seat) {
    constexpr bool failed = Pos % 2 == 1;
    Moves moves{lowest_of_runs(hand_[seat], all_ | trick.best)};
    // Only a ruff can win.
    const Cards best = Trump && trick.best & suit_field(trumps) ? trick.best : ~Cards{0};
    if (!(moves.untried & (moves.untried - 1))) {
        if (succeeds<Trump, Pos>(k, trick, seat, moves.untried, suit_of(moves.untried), best, moves))
            return moves.answer;
        return {moves.ranks, failed};
    }
    std::uint8_t* memory = nullptr;
    if constexpr (Pos == 2) {
        memory = &memory_of(trick);
        const Cards card = moves.untried & Cards{1} << *memory;
        if (card && succeeds<Trump, Pos>(k, trick, seat, card, suit_of(card), best, moves))
            return moves.answer;
    }
    // The lowest ruff that wins, unless the trick is ours; then the lowest card of the longest suit.
    Cards ruffs = 0;
    bool is_ours = ((trick.winner ^ Pos) & 1) == 0;
    if constexpr (Trump && Pos < 3) {
        const Cards field = suit_field(trick.led);
        const Cards third = hand_[partner_of(trick.leader)] & field;
        const Cards fourth = hand_[previous_of(trick.leader)] & field;
        if (Pos == 1 && third && fourth > third && fourth > trick.best) is_ours = true;
        if (Pos == 2 && trick.best & field && fourth > trick.best) is_ours = false;
    }
    if (Trump && !is_ours) {
        ruffs = moves.untried & suit_field(trumps);
        if (trick.best & suit_field(trumps)) ruffs &= ~(trick.best - 1);
    }
    while (moves.untried) {
        Cards card = lowest(ruffs);
        ruffs = 0;
        for (int suit = 0, longest = -1; !card || suit; ++suit) {
            if (suit == 4) break;
            const Cards of_suit = moves.untried & suit_field(suit);
            const int length = Trump && suit == trumps ? 0 : of_seat(suit_lengths(lengths_, suit), seat);
            if (of_suit && length > longest) card = lowest(of_suit), longest = length;
        }
        if (succeeds<Trump, Pos>(k, trick, seat, card, suit_of(card), best, moves)) {
            if (memory) *memory = static_cast<std::uint8_t>(std::countr_zero(card));
            return moves.answer;
        }
    }
    return {moves.ranks, failed};
}

inline std::uint8_t& Search::lead_of_side(int leader) {
    const std::uint64_t side = lengths_ & 0x0f0f'0f0f'0f0f'0f0fu << 4 * (leader & 1);
    const std::uint64_t mixed =
        side * 0xd134'2543'de82'ef95u + static_cast<unsigned>(leader) * 0x0123'4567'89ab'cdefu;
    return leads_of_side_[mixed * 0x9e37'79b9'7f4a'7c15u >> (64 - memory_bits)];
}

inline std::uint8_t& Search::memory_of(const TrickSoFar& trick) {
    const std::uint64_t mixed =
        lengths_ ^ trick.best * 0x9e37'79b9'7f4a'7c15u ^ static_cast<unsigned>(4 * trick.led);
    return memory_[mixed * 0xd134'2543'de82'ef95u >> (64 - memory_bits)];
}

template <bool Trump>
Answer Search::root(const Trick& trick, int k) {
    if (trick.count == 0) return lead<Trump>(trick.leader, k);
    TrickSoFar so_far{Cards{1} << trick.cards[0], trick.leader, trick.cards[0] >> 4, 0, false};
    for (int i = 1; i < trick.count; ++i) {
        const Cards card = Cards{1} << trick.cards[i];
        if (suit_of(card) == suit_of(so_far.best)) {
            so_far.ranked = true;
            if (card > so_far.best) so_far.best = card, so_far.winner = i;
        } else if (Trump && suit_of(card) == trumps) {
            so_far.best = card, so_far.winner = i, so_far.ranked = false;
        }
    }
    return trick.count == 1   ? follow<Trump, 1>(k, so_far)
           : trick.count == 2 ? follow<Trump, 2>(k, so_far)
                              : follow<Trump, 3>(k, so_far);
}

Search::Search(std::size_t limit_bytes)
    : memory_(new std::uint8_t[1 << memory_bits]),
      leads_(new std::uint8_t[1 << memory_bits]),
      leads_of_side_(new std::uint8_t[1 << memory_bits]),
      codes_(new std::uint32_t[4 * 8192]),
      limit_(limit_bytes) {
    static const RankTable table;
    ranks_ = &table;
}

Search::~Search() = default;

void Search::set_hands(const Hands& hands) {
    hands_ = hands;
    is_symmetric_ = has_symmetric_lengths(hands);
    for (int suit = 0; suit < 4; ++suit) {
        std::uint32_t owner[13] = {};
        for (int rank = 0; rank < 13; ++rank)
            for (std::uint32_t seat = 0; seat < 4; ++seat)
                if (hands.of[seat] >> (16 * suit + rank) & 1) owner[rank] = seat;
        std::uint32_t* codes = codes_.get() + 8192 * suit;
        codes[0] = 0;
        for (unsigned set = 1; set < 8192; ++set)
            codes[set] = codes[set & (set - 1)] | owner[std::countr_zero(set)]
                                                      << (32 - 2 * std::popcount(set));
    }
}

// Whether the lengths of some hand, suits in any order, are those of all four: then positions come up that
// differ only by the names of seats and suits.
bool Search::has_symmetric_lengths(const Hands& hands) {
    std::uint64_t shapes[4] = {};
    for (int seat = 0; seat < 4; ++seat)
        for (int suit = 0; suit < 4; ++suit)
            shapes[seat] += std::uint64_t{1} << 4 * std::popcount(suit_bits(hands.of[seat], suit));
    return shapes[0] == shapes[1] && shapes[0] == shapes[2] && shapes[0] == shapes[3];
}

// Renames the suits so that trumps come last, and lays out the hands.
void Search::place(int strain) {
    int real[4];
    int count = 0;
    for (int suit = 0; suit < 4; ++suit)
        if (suit != strain) real[count++] = suit;
    if (strain != notrump) real[trumps] = strain;
    all_ = lengths_ = 0;
    left_ = 0;
    for (int seat = 0; seat < 4; ++seat) {
        hand_[seat] = 0;
        for (int suit = 0; suit < 4; ++suit) {
            const Cards cards = suit_bits(hands_.of[seat], real[suit]);
            hand_[seat] |= cards << (16 * suit);
            lengths_ += one_card(suit, seat) * static_cast<unsigned>(std::popcount(cards));
        }
        all_ |= hand_[seat];
        left_ = larger(left_, std::popcount(hand_[seat]));
    }
    for (int suit = 0; suit < 4; ++suit) {
        owner_codes_[suit] = codes_.get() + 8192 * real[suit];
        name_of_[real[suit]] = suit;
    }
}

void Search::set_strain(int strain, bool warm) {
    strain_ = strain;
    std::unique_ptr<Table>& table = tables_[warm ? strain : strains];
    if (!table) table = std::make_unique<Table>(warm ? limit_ / strains : limit_);
    table_ = table.get();
    if (!warm || !table->is_started()) table_->clear();
    // Good moves of another deal or strain are no better than chance.
    for (std::uint8_t* memory : {memory_.get(), leads_.get(), leads_of_side_.get()})
        std::memset(memory, no_move, std::size_t{1} << memory_bits);
    std::memset(favour_, 0, sizeof favour_);
}

bool Search::takes(const Trick& trick, int tricks) {
    place(strain_);
    if (tricks <= 0) return true;
    if (tricks > left_) return false;
    Trick renamed = trick;
    for (int i = 0; i < trick.count; ++i)
        renamed.cards[i] = 16 * name_of_[trick.cards[i] >> 4] + (trick.cards[i] & 15);
    check_at_ = nodes_;
    return (strain_ == notrump ? root<false>(renamed, tricks) : root<true>(renamed, tricks)).yes;
}

void Search::set_budget(std::uint64_t nodes) {
    stop_at_ = nodes < ~std::uint64_t{0} - nodes_ ? nodes_ + nodes : ~std::uint64_t{0};
}

void Search::check_stop() {
    constexpr std::uint64_t interval = 1 << 14;
    if (stop && stop->load(std::memory_order_relaxed)) throw Stopped{false};
    if (nodes_ >= stop_at_) throw Stopped{true};
    check_at_ = nodes_ + (stop_at_ - nodes_ < interval ? stop_at_ - nodes_ : interval);
}

Effort Search::effort() const {
    Effort effort{nodes_, trick_starts_, lookups_, hits_, 0, 0};
    for (const auto& table : tables_)
        if (table) effort.times_thinned += table->times_thinned(), effort.bytes += table->bytes();
    return effort;
}

std::unique_ptr<Engine> make_search(std::size_t limit_bytes) { return std::make_unique<Search>(limit_bytes); }

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
