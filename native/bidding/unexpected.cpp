#include "bidding/unexpected.hpp"

#include <algorithm>

namespace bidlab::bidding {

namespace {

// What the two partners have done, from the side of the player to call.
struct Side {
    std::size_t me, partner, left, right;
    int agreed;
    unsigned suits, theirs;  // that either of us, or of them, has bid naturally, a bit each

    explicit Side(const State& state)
        : me(static_cast<std::size_t>(state.mover())),
          partner((me + 2) & 3),
          left((me + 1) & 3),
          right((me + 3) & 3),
          agreed(state.agreed[me & 1]),
          suits(static_cast<unsigned>(state.named[me] | state.named[partner])),
          theirs(static_cast<unsigned>(state.named[left] | state.named[right])) {}
};

bool names_suit(int call) { return is_bid(call) && strain_of(call) < 4; }

// Their suit asks for more; another suit above three of the agreed one is on the way to slam, unless it is a
// game that could be meant.
bool is_cue_bid(const State& state, const Side& side, int call) {
    if (!names_suit(call) || state.effects[side.partner].signs_off) return false;
    const bool is_ours = side.suits >> strain_of(call) & 1;
    if (side.theirs >> strain_of(call) & 1 && !is_ours) return state.has_bid[side.partner];
    if (side.agreed < 0 || strain_of(call) == side.agreed) return false;
    const bool is_game = level_of(call) == 4 && game_level(strain_of(call)) == 4;
    return call > bid_of(3, side.agreed) && !(is_ours && is_game);
}

// A new suit by a side that is left alone, opposite a partner who has bid and may have more to say: not in
// answer to him, nor where he has signed off.
bool is_new_suit(const State& state, const Side& side, int call) {
    const Effects& last = state.effects[side.partner];
    return names_suit(call) && !(side.suits >> strain_of(call) & 1) && state.has_bid[side.partner] &&
           !state.has_bid[side.left] && !state.has_bid[side.right] && !state.passed[side.me] &&
           !last.signs_off && !last.forcing;
}

}  // namespace

int natural_length(const State& state, const Bank& bank, int call) {
    const Side side(state);
    if (!names_suit(call) || is_cue_bid(state, side, call)) return 0;
    const unsigned suit = 1u << strain_of(call);
    if (state.named[side.me] & suit) {  // once more: a card more than was known
        const auto at = static_cast<std::size_t>(strain_of(call));
        return std::clamp(bank.summary(state.known[side.me]).length[at].least + 1, 5, 6);
    }
    if (state.named[side.partner] & suit) return 3;
    if (state.has_bid[side.me] || state.has_bid[side.partner]) return 4;
    return std::clamp(3 + level_of(call), 4, 6);  // the side's first bid
}

Cells natural_hands(const State& state, const Bank& bank, int call) {
    Cells cells = every_cell();
    if (const int least = natural_length(state, bank, call))
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
            if (meaning::shape_table.lengths[shape][static_cast<std::size_t>(strain_of(call))] < least)
                cells[shape] = 0;
    return cells;
}

Effects natural_effects(const State& state, int call) {
    const Side side(state);
    Effects found;
    found.artificial = is_cue_bid(state, side, call);
    found.forcing = found.artificial || is_new_suit(state, side, call) ? 1 : 0;
    return found;
}

}  // namespace bidlab::bidding
