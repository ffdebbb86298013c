#include "bidding/outlook.hpp"

#include <algorithm>

namespace bidlab::bidding {

namespace {

// Partner's share of what the three other hands have more or less than expected.
double share(double own, double others) { return own + others > 1e-9 ? own / (own + others) : 1.0 / 3; }

double within(const Estimate& estimate, double value) {
    return std::clamp(value, static_cast<double>(estimate.least), static_cast<double>(estimate.most));
}

// The least whole number from 0 to most + 1 for which a question that turns true once is true.
template <typename Question>
int least_for(int most, const Question& is_enough) {
    int low = 0, high = most + 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (is_enough(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

constexpr int most_support = 47;

double suit_tricks(double points, double trumps) {
    const TrickModel& m = trick_model;
    return m.suit_base + m.suit_points * points + m.trumps_to_eight * std::min(trumps, 8.0) +
           m.trumps_over_eight * std::max(trumps - 8, 0.0);
}

}  // namespace

bool is_meant(const State& state, const Bank& bank) {
    const int strain = strain_of(state.last_bid);
    if (strain == 4) return true;
    const auto cards = [&](int seats) {
        const int known = state.known[static_cast<std::size_t>((state.mover() + seats) & 3)];
        return bank.summary(known).length[strain].mean;
    };
    return cards(1) + cards(3) >= 7;
}

Outlook::Outlook(const State& state, const Bank& bank) {
    for (int i = 0; i < 4; ++i)
        seats_[i] = &bank.summary(state.known[static_cast<std::size_t>((state.mover() + i) & 3)]);
    hcp_sum_ = left().hcp.mean + partner().hcp.mean + right().hcp.mean;
    hcp_share_ = share(partner().hcp.variance, left().hcp.variance + right().hcp.variance);
    for (int suit = 0; suit < 4; ++suit) {
        length_sum_[suit] =
            left().length[suit].mean + partner().length[suit].mean + right().length[suit].mean;
        length_share_[suit] = share(partner().length[suit].variance,
                                    left().length[suit].variance + right().length[suit].variance);
    }
}

double Outlook::partner_hcp(double own) const {
    return within(partner().hcp, partner().hcp.mean + (40 - own - hcp_sum_) * hcp_share_);
}

double Outlook::partner_length(int suit, double own) const {
    const Estimate& length = partner().length[suit];
    return within(length, length.mean + (13 - own - length_sum_[suit]) * length_share_[suit]);
}

double Outlook::tricks(int suit, int own_length, int own_support) const {
    // Shortness is a point or so of a dummy's support; the rest are high-card points, that partner lacks.
    const double theirs = partner_hcp(own_support - 1) + partner().support[suit];
    return suit_tricks(own_support + theirs, together(suit, own_length));
}

double Outlook::notrump_tricks(int own_hcp) const {
    return trick_model.notrump_base + trick_model.notrump_points * (own_hcp + partner_hcp(own_hcp));
}

double Outlook::their_tricks(int strain, int own_length, int own_hcp) const {
    const double points = 40 - own_hcp - partner_hcp(own_hcp);
    if (strain == 4) return trick_model.notrump_base + trick_model.notrump_points * points;
    const double short_suits = left().support[strain] + right().support[strain];
    return suit_tricks(points + short_suits, 13 - together(strain, own_length));
}

int Outlook::support_for(int suit, int own_length, double wanted) const {
    return least_for(most_support, [&](int support) { return tricks(suit, own_length, support) >= wanted; });
}

int Outlook::hcp_for(double wanted) const {
    return least_for(meaning::most_points, [&](int hcp) { return notrump_tricks(hcp) >= wanted; });
}

int Outlook::hcp_against(int strain, int own_length, double allowed) const {
    return least_for(meaning::most_points,
                     [&](int hcp) { return their_tricks(strain, own_length, hcp) <= allowed; });
}

}  // namespace bidlab::bidding
