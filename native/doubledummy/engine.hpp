// What a search engine does, whatever processor it was compiled for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace bidlab::doubledummy {

constexpr int notrump = 4;  // strains: clubs 0 .. spades 3

// Four hands, bit 16 * suit + rank (two 0 .. ace 12); clubs 0 .. spades 3.
struct Hands {
    std::uint64_t of[4];  // N E S W
};

// The trick in progress: who leads it and the cards played so far, in order, as bit numbers. The hands of a
// position do not hold these cards any more.
struct Trick {
    int leader = 0;
    int count = 0;
    int cards[3] = {};
};

// Work done, for benchmarks and for budgets: figures without noise.
struct Effort {
    std::uint64_t nodes = 0;          // positions looked at
    std::uint64_t trick_starts = 0;   // of these, at the start of a trick
    std::uint64_t lookups = 0;        // of these, asked of the table
    std::uint64_t hits = 0;           // of these, answered by it
    std::uint64_t times_thinned = 0;  // tables that ran into the memory limit
    std::size_t bytes = 0;            // memory of the tables now
};

// Thrown out of a search whose budget is spent or that was asked to stop; the engine stays usable.
struct Stopped {
    bool by_budget;
};

class Engine {
   public:
    virtual ~Engine() = default;

    // Sets the cards of a position. Each hand holds as many as there are tricks to come, less one for those
    // who have played to the trick.
    virtual void set_hands(const Hands& hands) = 0;
    // Sets the strain. Cold, the table is emptied; warm, what was learnt in this strain is kept.
    virtual void set_strain(int strain, bool warm) = 0;
    // Whether the side that leads the trick takes at least `tricks` of those to come, this one included.
    virtual bool takes(const Trick& trick, int tricks) = 0;
    virtual Effort effort() const = 0;

    // How many nodes may be searched from now on.
    virtual void set_budget(std::uint64_t nodes) = 0;

    // A flag to look at now and then: set, it ends the search.
    const std::atomic<bool>* stop = nullptr;
};

// An engine for the processor it runs on, with tables of at most so many bytes.
std::unique_ptr<Engine> make_engine(std::size_t limit_bytes);

}  // namespace bidlab::doubledummy
