// The laws' part of an auction: what may be called, when it ends, the contract.
#pragma once

#include <cstdint>

namespace bidlab::webb {

// Calls: pass 0, double 1, redouble 2, then 1C = 3 .. 7NT = 37.
enum : int { pass = 0, dbl = 1, redbl = 2, first_bid = 3, calls = 38, no_bid = -1 };

// Seats are N 0 .. W 3; a side is seat & 1.
struct Laws {
    std::uint16_t count = 0;  // of calls
    std::uint8_t dealer = 0;
    std::uint8_t last_bid = 0;  // 0: none
    std::uint8_t last_bidder = 0;
    std::uint8_t doubled = 0;     // 1 doubled, 2 redoubled
    std::uint8_t passes = 0;      // since the last call that was none
    std::uint8_t vulnerable = 0;  // a bit a side
    std::uint8_t opener = 4;      // who made the first bid; 4: nobody
    std::uint8_t acted = 0;       // who called something else than pass, a bit a seat
    std::uint8_t named[4] = {};   // by seat: the strains that it bid, a bit each
    // Who of each side named a strain first, and so declares it; 4: nobody.
    std::uint8_t first[2][5] = {{4, 4, 4, 4, 4}, {4, 4, 4, 4, 4}};

    int seat() const { return (dealer + count) & 3; }
    bool is_ended() const { return passes >= (last_bid ? 3 : 4); }
    // Whether the opponent before made a call other than pass, so that partner has another turn anyway.
    bool is_free() const { return count && !passes; }
    bool is_ours() const { return !((last_bidder ^ seat()) & 1); }
    int lowest_bid() const { return last_bid ? last_bid + 1 : first_bid; }

    bool is_legal(int call) const {
        if (call == pass) return true;
        if (call == dbl) return last_bid && !doubled && !is_ours();
        if (call == redbl) return doubled == 1 && is_ours();
        return call > last_bid && call < calls;
    }

    void make(int call) {
        if (call == pass) {
            ++passes;
        } else {
            passes = 0;
            acted = static_cast<std::uint8_t>(acted | 1 << seat());
            if (call >= first_bid)
                bid(call);
            else
                doubled = static_cast<std::uint8_t>(call);
        }
        ++count;
    }

    int declarer() const { return last_bid ? first[last_bidder & 1][(last_bid - first_bid) % 5] : 0; }

   private:
    void bid(int call) {
        last_bid = static_cast<std::uint8_t>(call);
        last_bidder = static_cast<std::uint8_t>(seat());
        doubled = 0;
        const int strain = (call - first_bid) % 5;
        named[last_bidder] = static_cast<std::uint8_t>(named[last_bidder] | 1 << strain);
        if (opener == 4) opener = last_bidder;
        std::uint8_t& declares = first[last_bidder & 1][strain];
        if (declares == 4) declares = last_bidder;
    }
};

}  // namespace bidlab::webb
