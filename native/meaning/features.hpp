// What can be counted in a hand: points, lengths, tricks, stoppers ... each a small integer with a number.
//
// The numbers are those of bidlab.meaning.features; a test compares the two.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bidlab::meaning {

enum Feature : int {
    hcp,
    points,    // high-card points and one for each card beyond the fourth of a suit
    webb,      // WEBB's weights, in thousandths
    adjusted,  // high-card points as Silveira's classes correct them
    controls,  // ace 2, king 1
    aces,
    kings,
    quick_tricks,  // in halves
    losers,
    playing_tricks,  // in halves
    texture,         // tens, nines and eights less fours, threes and twos
    hand_class,      // 0 preemptive .. 10 forcing opener
    longest,         // length of the longest suit
    shortest,
    major_length,  // length of the longer major
    minor_length,
    first_of_suit,  // from here on 4 * kind + suit
};

enum SuitFeature : int {
    length,
    suit_hcp,
    top_three,  // of ace, king and queen
    top_five,   // of ace to ten
    suit_texture,
    stopper,    // 2 full, 1 half
    key_cards,  // aces, and the king of this suit
    quality,    // 0 none, 1 biddable, 2 rebiddable, 3 good, 4 semi-solid, 5 solid
    support,    // points of a dummy for this suit as trumps
    control,    // 2 first round (ace, void), 1 second round (king, singleton)
    suit_losers,
    suit_features,
};

constexpr int first_card = first_of_suit + 4 * suit_features;  // from here on: 1 if the card is held
constexpr int features = first_card + 52;

// One feature of a hand of 13 cards.
int feature_value(std::uint64_t hand, int feature);

// All features of each hand, hand by hand.
void feature_batch(const std::uint64_t* hands, std::size_t count, std::int32_t* out);

}  // namespace bidlab::meaning
