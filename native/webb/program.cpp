#include "webb/program.hpp"

#include "webb/facts.hpp"

namespace bidlab::webb {
namespace {

constexpr unsigned field(std::uint32_t word, int first, int bits) {
    return word >> first & ((1u << bits) - 1);
}

// The three others of four players; the word has the bidder in its highest bit, then those to his left.
constexpr unsigned others(unsigned players) {
    return (players >> 2 & 1) | (players & 2) | (players << 2 & 4);
}

// The lowest bid of a strain; beyond 7NT where there is none.
int lowest_of(int strain, const Laws& laws) {
    const int lowest = laws.lowest_bid();
    return lowest + (strain + 5 - (lowest - first_bid) % 5) % 5;
}

// A question whether some players surely have at least (at most) a constant of a feature. All four together
// have between `least_total` and `most_total`; out_of_reach where that is unknown.
struct Sum {
    unsigned feature;
    int constant, least_total, most_total;
};

void decode_sum(std::uint32_t word, const Sum& sum, Entry& entry) {
    const bool is_at_most = field(word, 17, 1);
    const unsigned players = field(word, 18, 1) ? 0b1000 : field(word, 19, 4);
    const bool is_own = players & 0b1000;
    // Those who are meant have at least c, or at most c; the rest at most T - c, or at least.
    const int meant = is_at_most ? -sum.constant : sum.constant;
    int rest = is_at_most ? sum.most_total - sum.constant : sum.constant - sum.least_total;
    if (sum.most_total == Entry::out_of_reach) rest = Entry::out_of_reach;
    entry.kind = Entry::decision;
    entry.lane = static_cast<std::uint8_t>(sum.feature + (is_at_most == is_own ? negated : 0));
    entry.mates = static_cast<std::uint8_t>(is_own ? others(players) : others(~players));
    entry.bound = static_cast<std::int16_t>(is_own ? meant : rest);
    entry.opposite = static_cast<std::int16_t>(is_own ? rest : meant);
    if (players == 0b1000) entry.opposite = Entry::out_of_reach;
}

// A question about a number of the bidder that a box does not keep.
void decode_hidden(std::uint32_t word, unsigned lane, int constant, Entry& entry) {
    const bool is_at_most = field(word, 17, 1);
    entry.kind = Entry::hidden;
    entry.lane = static_cast<std::uint8_t>(lane + (is_at_most ? negated : 0));
    entry.bound = static_cast<std::int16_t>(is_at_most ? -constant : constant);
}

void decode_shape(std::uint32_t word, Entry& entry) {
    const auto constant = [word](int bits) { return static_cast<int>(field(word, 8, bits)); };
    switch (field(word, 0, 3)) {
        case 0:
            return decode_hidden(word, longest, constant(4), entry);
        case 1:
            return decode_hidden(word, shortest, constant(2), entry);
        case 2:
            decode_hidden(word & ~(1u << 17), balanced, 1, entry);
            if (field(word, 17, 1)) entry.lane ^= negated, entry.bound = 0;
            return;
        case 3:
            return decode_hidden(word, playing_tricks, constant(5), entry);
        default:
            return decode_hidden(word, lead + field(word, 12, 2), constant(3) - 2, entry);
    }
}

Entry::Suit suit_of(std::uint32_t word, const Form& form) {
    if (!(form.options & option::named_suits) || field(word, 14, 2) < 2) return Entry::as_written;
    return field(word, 14, 2) == 2 ? Entry::partners : Entry::theirs;
}

// Lanes of suits stand beside each other; where the auction names the suit it is that of clubs.
void decode_holding(std::uint32_t word, const Form& form, Entry& entry) {
    entry.suit = suit_of(word, form);
    const unsigned suit = entry.suit == Entry::as_written ? field(word, 12, 2) : 0;
    const auto constant = [word](int bits) { return static_cast<int>(field(word, 8, bits)); };
    switch (field(word, 0, 2)) {
        case 0:
            return decode_hidden(word, stopper + suit, 1 + constant(1), entry);
        case 1:
            return decode_hidden(word, quality + suit, constant(3), entry);
        case 2:
            return decode_hidden(word, support + suit, constant(6), entry);
        default:
            return decode_hidden(word, top_five + suit, constant(3), entry);
    }
}

void decode_length(std::uint32_t word, const Form& form, Entry& entry) {
    entry.suit = suit_of(word, form);
    const unsigned suit = entry.suit == Entry::as_written ? field(word, 12, 2) : 0;
    decode_sum(word, {1 + suit, static_cast<int>(field(word, 8, 4)), 13, 13}, entry);
}

void decode_fact(std::uint32_t word, Fact fact, Entry& entry) {
    const unsigned players = field(word, 19, 4);
    entry.kind = Entry::fact;
    entry.lane = static_cast<std::uint8_t>(fact);
    entry.parameter = static_cast<std::uint8_t>(field(word, 8, 8));
    entry.mates = static_cast<std::uint8_t>(others(players) | (players & 0b1000));
    entry.is_opposite = field(word, 17, 1);
}

// The feature of a sum: strength, or what an option puts in its place.
Sum sum_of(std::uint32_t word, std::uint32_t options) {
    const auto constant = [word](int bits) { return static_cast<int>(field(word, 8, bits)); };
    const unsigned part = field(word, 3, 5);
    if (part == 13 && options & option::controls) return {6, constant(4), most_controls, most_controls};
    if (part == 14 && options & option::points)
        return {5, constant(6), Entry::out_of_reach, Entry::out_of_reach};
    if (part == 15 && options & option::losers)
        return {7, constant(5), Entry::out_of_reach, Entry::out_of_reach};
    return {0, constant(9), least_deck, most_deck};
}

void decode_question(std::uint32_t word, const Form& form, Entry& entry) {
    const unsigned type = field(word, 0, 8);
    const auto is_one = [&](unsigned first, unsigned end, std::uint32_t wanted) {
        return type >= first && type < end && form.options & wanted;
    };
    if (is_one(64, 96, option::bidding))
        decode_fact(word, static_cast<Fact>(type % facts_of_bidding), entry);
    else if (is_one(96, 104, option::vulnerability)) {
        decode_fact(word, Fact::vulnerable, entry);
        entry.parameter = type % 4;
    } else if (type < 128)
        decode_sum(word, sum_of(word, form.options), entry);
    else if (is_one(192, 208, option::shape))
        decode_shape(word, entry);
    else if (is_one(208, 224, option::holdings))
        decode_holding(word, form, entry);
    else
        decode_length(word, form, entry);
}

bool is_fit(std::uint32_t word, const Form& form) {
    return field(word, 4, 4) == 15 && form.options & option::fit;
}

Entry going_to(int entries_ahead) {
    Entry always{};
    always.kind = Entry::decision;
    always.opposite = Entry::out_of_reach;
    always.jump = static_cast<std::uint16_t>(entries_ahead);
    return always;
}

// Whether the bidder and partner surely have so many cards of a suit.
Entry fit_in(unsigned suit, int cards, int jump) {
    Entry asked{};
    decode_sum(0b1010u << 19, {1 + suit, cards, 13, 13}, asked);
    asked.jump = static_cast<std::uint16_t>(jump);
    return asked;
}

// One question a suit, from spades down; each jumps for all of them.
void decode_fit(std::uint32_t word, int jump, std::vector<Decoded>& out) {
    const int cards = 7 + static_cast<int>(field(word, 8, 2));
    const unsigned suits = field(word, 12, 1) ? 2 : 4;
    const bool is_opposite = field(word, 17, 1);
    for (unsigned i = 0; i < suits; ++i)
        out.push_back(
            {fit_in(3 - i, cards, is_opposite ? static_cast<int>(suits - i) + 1 : jump), !is_opposite});
    if (is_opposite) out.push_back({going_to(jump), true});
}

Entry bid_of(std::uint32_t word) {
    Entry bid{};
    bid.kind = static_cast<Entry::Kind>(field(word, 6, 2));
    bid.parameter = static_cast<std::uint8_t>(field(word, 0, 6));
    return bid;
}

// Bids of suits that the hand or the auction names. `lane` of such a bid is a suit, unless partner's is
// meant.
void decode_suit_bid(std::uint32_t word, std::vector<Decoded>& out) {
    Entry bid = bid_of(word);
    bid.kind = Entry::suit_bid;
    if (field(word, 8, 2) == 1) {
        bid.suit = Entry::partners;
        out.push_back({bid, false});
        return;
    }
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned suit = 3 - i;
        bid.lane = static_cast<std::uint8_t>(suit);
        if (field(word, 8, 2) == 2) {
            Entry shorter{};
            decode_hidden(1u << 17, lead + suit, -1, shorter);
            shorter.jump = 2;
            out.push_back({shorter, false});
        } else {
            out.push_back({fit_in(suit, 8, 2), false});
            out.push_back({going_to(2), false});
        }
        out.push_back({bid, false});
    }
}

}  // namespace

void decode(std::uint32_t word, const Form& form, std::vector<Decoded>& out) {
    if (field(word, 31, 1)) {
        const int jump = 1 + static_cast<int>(field(word, 24, 7)) % form.entries;
        if (is_fit(word, form)) return decode_fit(word, jump, out);
        Entry entry{};
        decode_question(word, form, entry);
        entry.jump = static_cast<std::uint16_t>(jump);
        out.push_back({entry, true});
    } else if (form.options & option::suit_bids && field(word, 6, 2) == Entry::relative &&
               field(word, 8, 2)) {
        decode_suit_bid(word, out);
    } else {
        out.push_back({bid_of(word), false});
    }
}

int Entry::call(const Laws& laws, int named) const {
    int bid = no_bid;
    switch (kind) {
        case direct:
            bid = first_bid + parameter % 35;
            return bid > laws.last_bid ? bid : no_bid;
        case relative:
            bid = lowest_of(parameter % 8 % 5, laws) + 5 * (parameter / 8 % 4);
            break;
        case suit_bid: {
            if (named < 0) return no_bid;
            // 0-3 as a relative bid, 4-6 levels two to four, 7 game, or with bits 3-4 levels five to seven.
            const int level = parameter % 8, high = parameter / 8 % 4;
            if (level < 4) {
                bid = lowest_of(named, laws) + 5 * (parameter / 8 % 4);
                break;
            }
            bid = first_bid + named + 5 * (level < 7 ? level - 3 : high ? high + 3 : named < 2 ? 4 : 3);
            return bid > laws.last_bid ? bid : no_bid;
        }
        case steps: {
            const int step = parameter % 8 - laws.is_free();
            bid = step < 0 ? pass : laws.lowest_bid() + step;
            break;
        }
        case pass_or_double:
            if (parameter % 2) return pass;
            return laws.is_legal(dbl) ? dbl : laws.is_legal(redbl) ? redbl : no_bid;
        default:
            break;
    }
    return bid < calls ? bid : no_bid;
}

System::System(const Form& form, const std::uint32_t* words, const std::uint8_t* given)
    : form_options(form.options), links(given, given + form.links()) {
    std::vector<Decoded> row;
    std::vector<std::size_t> begins;  // of the words
    std::vector<std::uint16_t> numbers;
    for (int state = 0; state < form.states; ++state) {
        starts.push_back(rows.size());
        row.clear(), begins.clear(), numbers.clear();
        int at = state;
        for (int program = 0; program <= form.inheritance; ++program, at = next(at, calls))
            for (int i = 0; i < form.entries; ++i) {
                begins.push_back(row.size());
                numbers.push_back(static_cast<std::uint16_t>(at * form.entries + i));
                decode(words[at * form.entries + i], form, row);
            }
        for (std::size_t word = 0, i = 0; i < row.size(); ++i) {
            if (word + 1 < begins.size() && begins[word + 1] == i) ++word;
            Entry& entry = row[i].entry;
            if (row[i].is_far) {
                const std::size_t to = word + entry.jump;
                entry.jump = static_cast<std::uint16_t>((to < begins.size() ? begins[to] : row.size()) - i);
            }
            rows.push_back(entry);
            sources.push_back(numbers[word]);
        }
    }
    starts.push_back(rows.size());
}

}  // namespace bidlab::webb
