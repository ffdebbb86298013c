#include "webb/facts.hpp"

namespace bidlab::webb {
namespace {

// The seats of players, a bit each.
unsigned seats_of(unsigned players, int seat) {
    const unsigned from_left = players & 7, turned = from_left << 1 | players >> 3;  // himself in bit 0
    return (turned << seat | turned << seat >> 4) & 15;
}

bool is_vulnerable(int parameter, const Laws& laws) {
    const int side = laws.seat() & 1;
    const bool we = laws.vulnerable >> side & 1, they = laws.vulnerable >> (side ^ 1) & 1;
    switch (parameter % 4) {
        case 0:
            return we;
        case 1:
            return they;
        case 2:
            return we && !they;
        default:
            return they && !we;
    }
}

}  // namespace

bool is_fact(Fact fact, int parameter, unsigned players, const Laws& laws) {
    const unsigned seats = seats_of(players, laws.seat());
    const int last = laws.last_bid - first_bid;  // negative: none
    switch (fact) {
        case Fact::acted:
            return seats & laws.acted;
        case Fact::at_least:
            return last >= parameter % 35;
        case Fact::strain:
            return last >= 0 && last % 5 == parameter % 5;
        case Fact::last_bidder:
            return last >= 0 && (seats >> laws.last_bidder & 1);
        case Fact::named: {
            unsigned strains = 0;
            for (unsigned i = 0; i < 4; ++i)
                if (seats >> i & 1) strains |= laws.named[i];
            return strains >> parameter % 5 & 1;
        }
        case Fact::level:
            return last >= 0 && last / 5 >= parameter % 7;
        case Fact::doubled:
            return laws.doubled;
        case Fact::free:
            return laws.is_free();
        case Fact::again:
            return laws.count >= 4;
        case Fact::opener:
            return laws.opener < 4 && (seats >> laws.opener & 1);
        case Fact::vulnerable:
            return is_vulnerable(parameter, laws);
    }
    return false;
}

}  // namespace bidlab::webb
