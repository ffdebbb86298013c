// Populations that play against each other and change as they do (Woolever 2001, chapter 4).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "webb/bidding.hpp"
#include "webb/operators.hpp"

namespace bidlab::webb {

// Solved deals, in the order in which a library has them.
struct Deals {
    std::vector<std::uint64_t> hands;  // [deal][seat]
    std::vector<std::uint8_t> tricks;  // [deal][strain C D H S NT][declarer]

    std::size_t size() const { return hands.size() / 4; }
};

// One board of a tournament: a deal, and the number that dealer and vulnerability follow from (law 2).
struct Board {
    std::uint32_t deal, number;  // the number counts from 0

    int dealer() const { return number & 3; }
    int vulnerable() const { return (number + (number >> 2 & 3)) & 3; }  // bit 0 North-South, 1 East-West
};

// The boards of a seed: the deals in an order of its own, again and again, each time in another order. In
// pass p deal d is board d + p, so that in sixteen passes it comes with every dealer at every vulnerability.
class BoardOrder {
   public:
    BoardOrder(std::uint64_t seed, std::size_t deals) : seed_(seed), deals_(deals) {}
    Board at(std::uint64_t number);

   private:
    std::uint64_t seed_, deals_;
    std::uint64_t pass_ = ~std::uint64_t{0}, factor_ = 1, shift_ = 0;
};

// What a tournament is played by.
struct Rules {
    std::uint64_t seed;
    std::int64_t threshold;                        // IMPs; a member that has fewer is replaced
    std::int64_t push_penalty;                     // 1/256 IMPs, for each push in a row before this one
    std::array<std::uint32_t, operators> weights;  // how often each operator is taken
    std::uint32_t contest;                         // a parent is the fittest of so many; 1: any member
    Rates rates;
};

// How often something happened, since the beginning.
enum Count : int {
    boards_played,  // by members: two at a table
    pushes_made,    // by members
    ages_ended,     // boards that replaced members had played, together
    first_operator,
    migrants = first_operator + operators,
    counts,
};

// The members as they stand, best first after each round.
struct Standing {
    std::vector<Genome> genomes;
    std::vector<std::int64_t> fitness;  // 1/(256 N) IMPs, of N members
    std::vector<std::int32_t> pushes;   // in a row, until now
    std::vector<std::int64_t> ages;     // boards played
    std::uint64_t turn = 0;             // turns played
    std::array<std::uint64_t, counts> tally{};
};

// Where replacements may come from beside the members, and how often: so many of 2^32.
struct Migration {
    std::vector<Genome> from;
    std::uint64_t rate = 0;
};

// Plays so many turns. The result depends on the arguments alone, not on the number of threads.
void play(const Deals& deals, const Form& form, const Rules& rules, const Migration& migration,
          std::uint64_t turns, int threads, Standing& standing);

}  // namespace bidlab::webb
