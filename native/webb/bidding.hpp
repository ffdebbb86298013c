// Whole auctions of two systems, and what they show.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "batch/batch.hpp"
#include "webb/graph.hpp"

namespace bidlab::webb {

struct Contract {
    std::uint8_t bid, doubled, declarer;  // the bid is 0 where all passed
};

// An auction under way; one object bids one board after another, so that its room is made once.
class Auction {
   public:
    void start(const System& north_south, const System& east_west, int dealer, int vulnerable = 0);
    const Laws& laws() const { return law; }
    const Known& known() const { return boxes; }
    int state(int side) const { return states[side]; }

    // The call of the player whose turn it is. `choose_any` takes hands that would not have made his calls
    // so far, too.
    int choose(const Values& own);
    int choose_any(const Values& own);
    // Sets the bits of all that the next call, and what it shows, depends on: words [state][entry] and,
    // behind them, transitions [state][call and inherited], without the one that the call takes.
    void mark_touched(const Form& form, std::uint64_t* bits);
    // Counts the words that the player's hand comes by on its way to the call.
    void count_words(const Values& own, std::uint32_t* words);
    // Makes a legal call and infers; false where no hand makes all calls of this player, and then it shows
    // nothing, and his earlier ones are not looked at again.
    bool make(int call);
    // Bids on to the end, each seat with its hand; writes the calls where they are wanted.
    Contract bid(const std::array<Values, 4>& hands, std::vector<std::uint8_t>* calls);
    // Makes a call of which its maker said what it shows: of what is known of him, the hands of that box are
    // left, where there are any.
    void make_told(int call, const Box& told);

    // The program at this point for hands of a box, of which others are not looked at.
    const Position& position_for(const Box& own);
    // The hands that the player to call can hold, beside what the others have shown.
    bool possible(Box& own) const;

   private:
    void resolve();
    bool infer(int call, int seat, Box& own);

    const System* systems[2];
    int states[2];
    Laws law;
    Known boxes;
    std::vector<Graph> graphs[4];
    std::size_t open[4];  // how many of a seat's graphs are in use
    Position position, any;
    bool is_resolved, is_any_resolved;
    std::vector<Box> room;
};

// Systems of one form that meet each other.
class Population {
   public:
    Population(const Form& form, std::size_t count, const std::uint32_t* words, const std::uint8_t* links);
    std::size_t size() const { return systems.size(); }
    const Form& form() const { return shape; }
    const System& at(std::size_t number) const { return systems[number]; }
    void replace(std::size_t number, const std::uint32_t* words, const std::uint8_t* links);

    struct Boards {
        std::size_t count;
        const std::int32_t *north_south, *east_west;  // numbers of systems
        const std::uint64_t* hands;                   // [board][seat]
        const std::uint8_t* dealers;
        const std::uint8_t* vulnerable = nullptr;  // a bit a side; none where it is not given
    };
    // Writes contracts and, where they are wanted, the calls; false when it was stopped.
    bool bid(const Boards& boards, int threads, const Watch& watch, Contract* contracts,
             std::vector<std::uint8_t>* calls) const;

   private:
    Form shape;
    std::vector<System> systems;
};

}  // namespace bidlab::webb
