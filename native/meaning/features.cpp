// Features are read off tables with one entry for each of the 8,192 holdings of a suit, so that a condition
// pays four look-ups for what it asks and nothing for the rest. Where Silveira's thesis leaves a definition
// open the choice is bidlab's; docs/meaning.md says which are whose.
#include "meaning/features.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "meaning/shapes.hpp"

namespace bidlab::meaning {
namespace {

constexpr unsigned holdings = 1 << 13;
constexpr unsigned ace = 1 << 12, king = 1 << 11, queen = 1 << 10, jack = 1 << 9, ten = 1 << 8;
constexpr unsigned high_spots = 0b111 << 6;  // ten, nine, eight
constexpr unsigned low_spots = 0b111;        // four, three, two

constexpr int count(unsigned held, unsigned cards) { return std::popcount(held & cards); }
constexpr int cards_in(unsigned held) { return std::popcount(held); }
constexpr bool has(unsigned held, unsigned cards) { return (held & cards) == cards; }

int points_in(unsigned held) {
    return 4 * count(held, ace) + 3 * count(held, king) + 2 * count(held, queen) + count(held, jack);
}

int webb_in(unsigned held) {
    constexpr int weights[13] = {0, 0, 0, 0, 0, 17, 69, 156, 371, 822, 1544, 2740, 4280};
    int sum = 0;
    for (int rank = 0; rank < 13; ++rank)
        if (held >> rank & 1) sum += weights[rank];
    return sum;
}

// In halves.
int quick_tricks_in(unsigned held) {
    if (held & ace) return held & king ? 4 : held & queen ? 3 : 2;
    if (held & king) return held & queen ? 2 : cards_in(held) >= 2 ? 1 : 0;
    return 0;
}

// One for each of ace, king and queen that is not held, of as many as the suit has cards.
int losers_in(unsigned held) {
    const int missing[3] = {!(held & ace), !(held & king), !(held & queen)};
    int sum = 0;
    for (int i = 0; i < std::min(3, cards_in(held)); ++i) sum += missing[i];
    return sum;
}

// Halves of a trick that honours take in the first three rounds: the first line that is held.
int top_tricks_in(unsigned held) {
    struct Line {
        unsigned cards;
        int halves;
    };
    constexpr Line lines[] = {
        {ace | king | queen, 6},
        {ace | king | jack, 5},
        {ace | queen | jack, 5},
        {ace | king, 4},
        {ace | queen | ten, 4},
        {king | queen | jack, 4},
        {ace | queen, 3},
        {ace | jack | ten, 3},
        {king | queen, 3},
        {ace, 2},
        {king | jack, 2},
        {queen | jack | ten, 2},
        {king, 1},
        {queen | jack, 1},
    };
    constexpr Line of_two[] = {{ace | king, 4}, {ace | queen, 3}, {ace, 2}, {king | queen, 2}, {king, 1}};
    const int length = cards_in(held);
    if (length < 2) return held & ace ? 2 : 0;
    if (length == 2) {
        for (const Line& line : of_two)
            if (has(held, line.cards)) return line.halves;
        return 0;
    }
    for (const Line& line : lines)
        if (has(held, line.cards)) return line.halves;
    return 0;
}

int stopper_in(unsigned held) {
    const int length = cards_in(held);
    if (held & ace || (held & king && length >= 2) || (held & queen && length >= 3) ||
        (has(held, jack | ten) && length >= 4))
        return 2;
    return held & king || (held & queen && length == 2) || (held & jack && length >= 3);
}

bool is_good(unsigned held) {
    return cards_in(held) >= 5 &&
           (count(held, ace | king | queen) >= 2 || count(held, ace | king | queen | jack | ten) >= 3);
}

int quality_of(unsigned held) {
    const int length = cards_in(held);
    const bool three_on_top = has(held, ace | king | queen);
    if ((length >= 6 && three_on_top && held & jack) || (length >= 7 && three_on_top)) return 5;
    const bool three_and_ten = held & ten && count(held, ace | king | queen | jack) == 3;
    if (length >= 6 && (three_on_top || three_and_ten)) return 4;
    if (is_good(held)) return 3;
    if (length >= 6) return 2;
    return length >= 4 && held & (ace | king | queen | jack);
}

int control_in(unsigned held) {
    if (held & ace || !held) return 2;
    return held & king || cards_in(held) == 1;
}

// Half points that honours lose in a short suit: a lone king, queen or jack, and queens and jacks in
// doubletons but for ace and queen.
int short_honours_in(unsigned held) {
    const int length = cards_in(held);
    if (length == 1) return held & (king | queen | jack) ? -2 : 0;
    if (length != 2 || held == (ace | queen)) return 0;
    return held == (queen | jack) ? -2 : held & (queen | jack) ? -1 : 0;
}

using Column = std::array<std::int8_t, holdings>;

struct Tables {
    std::array<Column, texture + 1> of_hand;  // features that are sums over the suits; webb is apart
    std::array<Column, suit_features> of_suit;
    std::array<std::int16_t, holdings> webb;
    Column short_honours, good_length;  // half points of the correction

    Tables() {
        for (unsigned held = 0; held < holdings; ++held) fill(held);
    }

   private:
    void fill(unsigned held) {
        const auto of = [held](Column& column, int value) { column[held] = static_cast<std::int8_t>(value); };
        const int cards = cards_in(held), beyond_four = std::max(0, cards - 4);
        of(of_hand[hcp], points_in(held));
        of(of_hand[points], points_in(held) + beyond_four);
        of(of_hand[controls], 2 * count(held, ace) + count(held, king));
        of(of_hand[aces], count(held, ace));
        of(of_hand[kings], count(held, king));
        of(of_hand[quick_tricks], quick_tricks_in(held));
        of(of_hand[losers], losers_in(held));
        of(of_hand[playing_tricks], top_tricks_in(held) + 2 * beyond_four);
        of(of_hand[texture], count(held, high_spots) - count(held, low_spots));
        webb[held] = static_cast<std::int16_t>(webb_in(held));
        of(of_suit[length], cards);
        of(of_suit[suit_hcp], points_in(held));
        of(of_suit[top_three], count(held, ace | king | queen));
        of(of_suit[top_five], count(held, ace | king | queen | jack | ten));
        of(of_suit[suit_texture], count(held, high_spots) - count(held, low_spots));
        of(of_suit[stopper], stopper_in(held));
        of(of_suit[quality], quality_of(held));
        of(of_suit[control], control_in(held));
        of(of_suit[suit_losers], losers_in(held));
        of(short_honours, short_honours_in(held));
        of(good_length, is_good(held) ? cards - 4 : 0);
    }
};

const Tables tables;  // made as the library is loaded, before any thread can ask

template <typename Table>
int sum(const Table& column, std::uint64_t hand) {
    return column[holding(hand, 0)] + column[holding(hand, 1)] + column[holding(hand, 2)] +
           column[holding(hand, 3)];
}

int total(std::uint64_t hand, Feature feature) { return sum(tables.of_hand[feature], hand); }

int in_suit(std::uint64_t hand, SuitFeature kind, int suit) {
    return tables.of_suit[kind][holding(hand, suit)];
}

// One trick more than the sum: trumps, the longest suit, run from the fourth card on, other suits from the
// fifth.
int playing_tricks_of(std::uint64_t hand) { return total(hand, playing_tricks) + 2; }

int longer(std::uint64_t hand, int suit, int other) {
    return std::max(in_suit(hand, length, suit), in_suit(hand, length, other));
}

int longest_of(std::uint64_t hand) { return std::max(longer(hand, 0, 1), longer(hand, 2, 3)); }

int shortest_of(std::uint64_t hand) {
    return std::min({in_suit(hand, length, 0), in_suit(hand, length, 1), in_suit(hand, length, 2),
                     in_suit(hand, length, 3)});
}

// Half points for more or fewer quick tricks than hands of so many points have on average, (hcp - 3) / 4.
int quick_trick_correction(std::uint64_t hand) {
    const int surplus = 2 * total(hand, quick_tricks) - (total(hand, hcp) - 3);
    if (surplus >= 4) return 2;
    if (surplus >= 2) return 1;
    return surplus <= -4 ? -2 : surplus <= -2 ? -1 : 0;
}

// Half points by which high-card points are corrected, but for length.
int honour_correction(std::uint64_t hand) {
    const int spots = total(hand, texture);
    const int flat = shortest_of(hand) == 3 ? -1 : 0;  // only 4-3-3-3 has no doubleton
    return sum(tables.short_honours, hand) + quick_trick_correction(hand) +
           (spots >= 3    ? 1
            : spots <= -3 ? -1
                          : 0) +
           flat;
}

// High-card points with a correction of at most two points; a half is dropped towards none.
int corrected(std::uint64_t hand, int halves) {
    return std::max(0, total(hand, hcp) + std::clamp(halves, -4, 4) / 2);
}

int adjusted_of(std::uint64_t hand) {
    return corrected(hand, honour_correction(hand) + sum(tables.good_length, hand));
}

enum Class : int {
    preemptive,
    weak_two,
    very_weak,
    weak,
    minimum,
    invitational,
    minimum_opener,
    intermediate_opener,
    strong_opener,
    very_strong_opener,
    forcing_opener,
};

bool is_good_in(std::uint64_t hand, int suit) { return in_suit(hand, quality, suit) >= 3; }

int longest_suit(std::uint64_t hand) {
    int best = 0;
    for (int suit = 1; suit < 4; ++suit)
        if (in_suit(hand, length, suit) > in_suit(hand, length, best)) best = suit;
    return best;
}

bool is_preemptive(std::uint64_t hand, int suit, int honour_adjusted) {
    const int all = total(hand, hcp), inside = in_suit(hand, suit_hcp, suit);
    // Ten tricks in one hand are a game, whatever the points.
    return honour_adjusted <= 10 && (2 * inside > all || all == 0) && playing_tricks_of(hand) < 20;
}

bool is_weak_two(std::uint64_t hand, int suit, int honour_adjusted) {
    if (suit == 0 || honour_adjusted < 3 || honour_adjusted > 10) return false;
    for (int other = 0; other < 4; ++other)
        if (other != suit && in_suit(hand, length, other) >= 5) return false;
    return in_suit(hand, top_five, suit) >= 3 && total(hand, hcp) - in_suit(hand, suit_hcp, suit) <= 4;
}

// The class by points, among hands that are neither preemptive nor a weak two nor as much as intermediate.
// Values that two classes share are told apart by quick tricks, length and good suits.
Class class_by_points(std::uint64_t hand, int value) {
    const int quick = total(hand, quick_tricks);
    const bool has_good_major = is_good_in(hand, 2) || is_good_in(hand, 3);
    const bool has_good_suit = has_good_major || is_good_in(hand, 0) || is_good_in(hand, 1);
    const bool has_length = longest_of(hand) >= 5;
    if (value >= 13 || total(hand, hcp) >= 13) return minimum_opener;
    if (value == 12 && (quick >= 5 || has_good_major)) return minimum_opener;
    if (value == 11 && (quick >= 6 || has_good_major)) return minimum_opener;
    if (value >= 10 || (value == 9 && (quick >= 3 || has_good_suit))) return invitational;
    if (value >= 7 || (value == 6 && (quick >= 2 || has_length))) return minimum;
    if (value >= 5 || (value == 4 && (quick >= 2 || has_length))) return weak;
    return very_weak;
}

Class class_of(std::uint64_t hand) {
    const int suit = longest_suit(hand), cards = in_suit(hand, length, suit);
    const int halves = honour_correction(hand);
    if (cards >= 7 && is_preemptive(hand, suit, corrected(hand, halves))) return preemptive;
    if (cards == 6 && is_weak_two(hand, suit, corrected(hand, halves))) return weak_two;
    const int value = corrected(hand, halves + sum(tables.good_length, hand));
    if (value >= 22 || playing_tricks_of(hand) >= 18) return forcing_opener;
    if (value >= 20) return very_strong_opener;
    if (value >= 18) return strong_opener;
    return value >= 15 ? intermediate_opener : class_by_points(hand, value);
}

int key_cards_of(std::uint64_t hand, int suit) {
    return total(hand, aces) + (holding(hand, suit) & king ? 1 : 0);
}

int support_of(std::uint64_t hand, int trumps) {
    // By trumps (two or fewer, three, four or more) and by cards of a side suit.
    constexpr int shortness[3][3] = {{0, 0, 0}, {3, 2, 1}, {5, 3, 1}};
    const int* worth = shortness[std::clamp(in_suit(hand, length, trumps) - 2, 0, 2)];
    int value = total(hand, hcp);
    for (int suit = 0; suit < 4; ++suit)
        if (const int cards = in_suit(hand, length, suit); suit != trumps && cards < 3) value += worth[cards];
    return value;
}

int suit_value(std::uint64_t hand, SuitFeature kind, int suit) {
    if (kind == key_cards) return key_cards_of(hand, suit);
    if (kind == support) return support_of(hand, suit);
    return in_suit(hand, kind, suit);
}

int hand_value(std::uint64_t hand, Feature feature) {
    switch (feature) {
        case webb:
            return sum(tables.webb, hand);
        case adjusted:
            return adjusted_of(hand);
        case playing_tricks:
            return playing_tricks_of(hand);
        case hand_class:
            return class_of(hand);
        case longest:
            return longest_of(hand);
        case shortest:
            return shortest_of(hand);
        case major_length:
            return longer(hand, 2, 3);
        case minor_length:
            return longer(hand, 0, 1);
        default:
            return total(hand, feature);
    }
}

}  // namespace

int feature_value(std::uint64_t hand, int feature) {
    if (feature >= first_card) return static_cast<int>(hand >> (feature - first_card) & 1);
    if (feature < first_of_suit) return hand_value(hand, static_cast<Feature>(feature));
    const int place = feature - first_of_suit;
    return suit_value(hand, static_cast<SuitFeature>(place / 4), place % 4);
}

void feature_batch(const std::uint64_t* hands, std::size_t count, std::int32_t* out) {
    for (std::size_t i = 0; i < count; ++i)
        for (int feature = 0; feature < features; ++feature) *out++ = feature_value(hands[i], feature);
}

}  // namespace bidlab::meaning
