// What the player to call can expect: tricks of both sides as a function of the own hand.
#pragma once

#include "bidding/knowledge.hpp"
#include "bidding/state.hpp"

namespace bidlab::bidding {

// Tricks of a side in a suit and in notrump, fitted on solved deals (docs/judgement.md).
struct TrickModel {
    double suit_base = -7.758, suit_points = 0.367, trumps_to_eight = 0.915, trumps_over_eight = 0.374;
    double notrump_base = -4.386, notrump_points = 0.519;
};

inline constexpr TrickModel trick_model;

// Whether the opponents may mean to play in their last bid: notrump, or a suit of which they have seven cards
// together on the average. Nobody doubles a transfer for penalty.
bool is_meant(const State& state, const Bank& bank);

class Outlook {
   public:
    Outlook(const State& state, const Bank& bank);

    const Summary& me() const { return *seats_[0]; }
    const Summary& left() const { return *seats_[1]; }
    const Summary& partner() const { return *seats_[2]; }
    const Summary& right() const { return *seats_[3]; }

    // What partner has, with so much in the own hand.
    double partner_hcp(double own) const;
    double partner_length(int suit, double own) const;
    double together(int suit, double own) const { return own + partner_length(suit, own); }

    // Tricks of our side: with own trumps and own points as a dummy for them; with own high-card points.
    double tricks(int suit, int own_length, int own_support) const;
    double notrump_tricks(int own_hcp) const;
    // Tricks of their side.
    double their_tricks(int strain, int own_length, int own_hcp) const;

    // The least own points for so many tricks: support points with so many trumps; high-card points.
    int support_for(int suit, int own_length, double tricks) const;
    int hcp_for(double notrump_tricks) const;
    // The least high-card points that leave them at most so many tricks; 38: none.
    int hcp_against(int strain, int own_length, double their_tricks) const;

   private:
    const Summary* seats_[4];     // me, left, partner, right
    double hcp_sum_, hcp_share_;  // of the three others: expected sum, partner's share of the variance
    double length_sum_[4], length_share_[4];
};

}  // namespace bidlab::bidding
