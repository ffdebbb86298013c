// Batches of double-dummy questions, answered by engines on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "batch/batch.hpp"
#include "doubledummy/engine.hpp"

namespace bidlab::doubledummy {

constexpr std::uint8_t unknown = 255;  // not asked for, or the budget was spent

// One contract of one deal. With `needed` 0 the answer is the number of declarer's tricks, else 1 or 0:
// whether he takes so many.
struct Question {
    Hands hands;
    int strain;
    int declarer;
    int needed;
};

// A position in the play: the hands without the cards of the trick.
struct Position {
    Hands hands;
    int strain;
    Trick trick;
};

// One batch at a time: a second one, from another thread or from the watch, is refused (std::runtime_error).
class Solver {
   public:
    // Tables of all threads together stay below `limit_bytes`, but for the 0.4 MB that each of them (warm,
    // five a thread) begins with. Warm, they are kept from batch to batch and from deal to deal, which pays
    // when more is asked about a deal.
    Solver(int threads, std::size_t limit_bytes, bool warm);
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    // Declarers' tricks, 20 a deal [strain, declarer], for the strains and declarers whose bits are set. A
    // deal may cost `nodes` a strain. False when it was stopped.
    bool solve(const Hands* deals, std::size_t count, unsigned strains, unsigned declarers,
               std::uint64_t nodes, const Watch& watch, std::uint8_t* out);

    bool answer(const Question* questions, std::size_t count, std::uint64_t nodes, const Watch& watch,
                std::uint8_t* out);

    // 52 a position [13 * suit + rank]: the tricks, of those to come, that the side of the player to move
    // takes if he plays that card; unknown for a card that he cannot play.
    bool card_values(const Position* positions, std::size_t count, std::uint64_t nodes, const Watch& watch,
                     std::uint8_t* out);

    Effort effort() const;
    int threads() const { return static_cast<int>(engines_.size()); }

   private:
    using Work = std::function<void(Engine&, std::size_t)>;
    bool run(std::size_t count, std::uint64_t nodes, const Watch& watch, const Work& work);

    std::vector<std::unique_ptr<Engine>> engines_;
    std::atomic<bool> is_busy_{false};
    bool warm_;
};

}  // namespace bidlab::doubledummy
