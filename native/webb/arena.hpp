// Systems measured on solved boards: how far from par they end, alone or against others.
#pragma once

#include <cstdint>
#include <vector>

#include "webb/bidding.hpp"

namespace bidlab::webb {

// Boards with their tricks and par.
struct SolvedBoards {
    std::size_t count;
    const std::uint64_t* hands;  // [board][seat]
    const std::uint8_t* tricks;  // [board][strain C D H S NT][declarer]
    const std::int32_t* par;     // from North-South's side
    const std::uint8_t* dealers;
    const std::uint8_t* vulnerable;  // a bit a side
};

// Par from North-South's side, as bidlab.doubledummy.par has it: what a side can still reach from each bid on
// up, where the other may outbid it and doubles what fails.
int par_score(const std::uint8_t* tricks, int dealer, int vulnerable);

// Who sits where: a system, and its opponents; itself where `against` is negative.
struct Entrant {
    std::int32_t system, against;
};

// What is measured beside the IMPs.
struct Extras {
    const bool* skips = nullptr;       // [entrant][board]: not bid, and its IMPs are 0
    std::uint64_t* touched = nullptr;  // [entrant][board][touched_words]: see Auction::mark_touched
};
// A system that differs from an entrant in nothing that it touched bids the board in the same way.
inline std::size_t touched_words(const Form& form) { return (form.words() + form.links() + 63) / 64; }

// Writes IMPs [entrant][board]. Of a system that meets itself they are minus the distance from par. Else it
// sits North-South on even and East-West on odd boards, and they are its score less par.
bool measure(const Population& systems, const Population& opponents, const SolvedBoards& boards,
             std::size_t entrants, const Entrant* who, int threads, const Watch& watch, std::int8_t* out,
             const Extras& extras = {});

// Counts of a system that meets itself: how often each word was on the way to a call [state][entry], and how
// often each transition was taken [state][transition], the last of a state never.
struct Usage {
    std::vector<std::uint32_t> words, links;
};
Usage usage_of(const System& system, const Form& form, const SolvedBoards& boards);

}  // namespace bidlab::webb
