#include "webb/program.hpp"

namespace bidlab::webb {
namespace {

constexpr unsigned field(std::uint32_t word, int first, int bits) {
    return word >> first & ((1u << bits) - 1);
}

// The three others of four players; the word has the bidder in its highest bit, then those to his left.
constexpr unsigned others(unsigned players) {
    return (players >> 2 & 1) | (players & 2) | (players << 2 & 4);
}

void decode_decision(std::uint32_t word, Entry& entry) {
    const bool is_length = field(word, 7, 1), is_at_most = field(word, 17, 1);
    const unsigned feature = is_length ? 1 + field(word, 12, 2) : 0;
    const int constant = static_cast<int>(field(word, 8, is_length ? 4 : 9));
    const unsigned players = field(word, 18, 1) ? 0b1000 : field(word, 19, 4);
    const bool is_own = players & 0b1000;
    // Those who are meant have at least c, or at most c; the rest at most T - c, or at least.
    const int meant = is_at_most ? -constant : constant;
    const int rest =
        is_at_most ? (is_length ? 13 : most_deck) - constant : constant - (is_length ? 13 : least_deck);
    entry.lane = static_cast<std::uint8_t>(feature + (is_at_most == is_own ? negated : 0));
    entry.mates = static_cast<std::uint8_t>(is_own ? others(players) : others(~players));
    entry.bound = static_cast<std::int16_t>(is_own ? meant : rest);
    entry.opposite = static_cast<std::int16_t>(is_own ? rest : meant);
    if (players == 0b1000) entry.opposite = Entry::out_of_reach;
}

}  // namespace

Entry decoded(std::uint32_t word, int entries) {
    Entry entry{};
    if (!field(word, 31, 1)) {
        entry.kind = static_cast<Entry::Kind>(field(word, 6, 2));
        entry.parameter = static_cast<std::uint8_t>(field(word, 0, 6));
        return entry;
    }
    entry.kind = Entry::decision;
    entry.jump = static_cast<std::uint8_t>(1 + field(word, 24, 7) % static_cast<unsigned>(entries));
    decode_decision(word, entry);
    return entry;
}

int Entry::call(const Laws& laws) const {
    int bid = no_bid;
    switch (kind) {
        case direct:
            bid = first_bid + parameter % 35;
            return bid > laws.last_bid ? bid : no_bid;
        case relative: {
            const int lowest = laws.lowest_bid(), strain = parameter % 8 % 5;
            const int above = (strain + 5 - (lowest - first_bid) % 5) % 5;
            bid = lowest + above + 5 * (parameter / 8 % 4);
            break;
        }
        case steps: {
            const int step = parameter % 8 - laws.is_free();
            bid = step < 0 ? pass : laws.lowest_bid() + step;
            break;
        }
        case pass_or_double:
            if (parameter % 2) return pass;
            return laws.is_legal(dbl) ? dbl : laws.is_legal(redbl) ? redbl : no_bid;
        case decision:
            break;
    }
    return bid < calls ? bid : no_bid;
}

System::System(const Form& form, const std::uint32_t* words, const std::uint8_t* given)
    : length(form.row()), links(given, given + form.links()) {
    rows.reserve(static_cast<std::size_t>(form.states * length));
    for (int state = 0; state < form.states; ++state) {
        int at = state;
        for (int program = 0; program <= form.inheritance; ++program, at = next(at, calls))
            for (int i = 0; i < form.entries; ++i)
                rows.push_back(decoded(words[at * form.entries + i], form.entries));
    }
}

}  // namespace bidlab::webb
