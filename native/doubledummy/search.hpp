// The search: does the side on lead take at least k of the tricks that are left?
//
// A zero-window search with partition search: every answer comes with the set of cards whose rank mattered,
// of which only the lowest of each suit counts. A win by rank makes the winner matter; a position that fails
// gathers what mattered over all its moves. Two facts keep the tree small and are exact:
//
// - Equal cards are tried once. Where the card played won by its rank and the move failed, the lowest of its
// run
//   joins the ranks, since in another position that looks the same down to the winner the run may be broken.
// - A card below all that mattered in its suit when it failed stands for every other such card of the hand.
#pragma once

#include <cstdint>
#include <memory>

#include "doubledummy/cards.hpp"
#include "doubledummy/engine.hpp"
#include "doubledummy/table.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {

constexpr std::uint8_t no_move = 63;

struct Answer {
    Cards ranks;  // that mattered
    bool yes;
};

// Owners of the cards that are left, by suit; as the table wants them, packed.
struct SuitOwners {
    std::uint32_t of[4];

    int top(int suit) const { return static_cast<int>(of[suit] >> 30); }
    Owners packed() const { return {std::uint64_t{of[3]} << 32 | of[2], std::uint64_t{of[1]} << 32 | of[0]}; }
};

// Where the table keeps a position: its key, its owners, and which suit stands at each place there.
struct Place {
    std::uint64_t key;
    Owners owners;
    std::uint8_t suit[4];
};

// The trick so far, as the next player sees it.
struct TrickSoFar {
    Cards best;  // winning card
    int leader;
    int led;      // suit
    int winner;   // 0 .. 3: who played it, counted from the leader
    bool ranked;  // whether it beat another card of its suit
};

// The moves of one player at one node.
struct Moves {
    Cards untried;    // the lowest of each run of equal cards
    Cards ranks = 0;  // that mattered in those that failed
    Answer answer{};  // of the last one
};

// For each set of thirteen ranks, nibble k - 1 is the rank of the k-th highest.
struct RankTable {
    std::uint64_t nth_highest[8192];
    RankTable();
};

class Search final : public Engine {
   public:
    explicit Search(std::size_t limit_bytes);
    ~Search() override;

    void set_hands(const Hands& hands) override;
    void set_strain(int strain, bool warm) override;
    bool takes(const Trick& trick, int tricks) override;
    Effort effort() const override;
    void set_budget(std::uint64_t nodes) override;

   private:
    static constexpr int memory_bits = 17;
    static constexpr int strains = 5;

    static bool has_symmetric_lengths(const Hands& hands);
    void place(int strain);
    void check_stop();

    Cards nth(int suit, int k) const {
        const int rank = static_cast<int>(ranks_->nth_highest[suit_bits(all_, suit)] >> (4 * k - 4) & 15);
        return Cards{1} << (16 * suit + rank);
    }
    // The cards of these numbers from the top, four bits a suit; zero: none.
    Cards named(unsigned counts) const {
        Cards cards = 0;
        for (int suit = 0; counts; ++suit, counts >>= 4)
            if (counts & 15) cards |= nth(suit, static_cast<int>(counts & 15));
        return cards;
    }
    SuitOwners owners() const;

    template <bool Trump>
    Answer root(const Trick& trick, int k);
    template <bool Trump>
    Answer lead(int leader, int k);
    template <bool Trump, bool Symmetric>
    Answer ask(int leader, int k);
    template <bool Trump>
    Answer search_leads(int leader, int k, const SuitOwners& position, int remembered, int& cut);
    template <bool Trump>
    Answer last_trick(int leader) const;
    template <bool Trump, int Pos>
    Answer follow(int k, const TrickSoFar& trick);
    template <bool Trump, int Pos>
    Answer follow_suit(int k, const TrickSoFar& trick, int seat, Cards held);
    template <bool Trump, int Pos>
    Answer discard(int k, const TrickSoFar& trick, int seat);
    template <bool Trump, int Pos>
    bool succeeds(int k, const TrickSoFar& trick, int seat, Cards card, int suit, Cards best, Moves& moves);
    template <bool Trump, int Pos>
    Answer play(int k, const TrickSoFar& trick, int seat, Cards card, int suit);
    template <bool Trump>
    Answer next_trick(int k, const TrickSoFar& trick);
    template <bool Trump>
    Place symmetric_place(int leader, const SuitOwners& position) const;
    template <bool Symmetric>
    bool look_up(const Bucket& bucket, const Place& place, int k, Answer& answer) const;
    template <bool Symmetric>
    bool look_up_part(const Bucket& bucket, const Place& place, int k, Answer& answer) const;
    template <bool Symmetric>
    Cards ranks_of(const Owners& mask, const Place& place) const;
    std::uint8_t& lead_of_side(int leader);
    std::uint8_t& memory_of(const TrickSoFar& trick);
    template <bool Symmetric>
    void store(const Place& place, const Answer& answer, int k);

    template <bool Trump>
    bool has_sure_tricks(int leader, int k, const SuitOwners& position, Cards& ranks) const;
    template <bool Trump>
    bool must_lose(int leader, int k, const SuitOwners& position, Cards& ranks) const;
    template <bool Trump>
    Cards refuted_leads(int leader, int k, const SuitOwners& position, Cards candidates, Cards& ranks) const;
    template <bool Trump>
    int promise_of_suit(int leader, int suit, const SuitOwners& position) const;

    // Position.
    Cards hand_[4];
    Cards all_;
    std::uint64_t lengths_;
    int left_;  // tricks to come, the one in progress included

    Table* table_;
    const RankTable* ranks_;
    const std::uint32_t* owner_codes_[4];  // by suit as renamed, then by the ranks that are left
    std::unique_ptr<std::uint8_t[]>
        memory_;                             // second and third hand's last good card, by a hash of the trick
    std::unique_ptr<std::uint8_t[]> leads_;  // the last good lead, by a hash of the table's key
    std::unique_ptr<std::uint8_t[]> leads_of_side_;  // the same, by the lengths of the leader's side
    int favour_[4][4] = {};  // by leader and suit: how much of late it was the good lead, to 1024
    std::uint64_t nodes_ = 0, trick_starts_ = 0, lookups_ = 0, hits_ = 0;
    std::uint64_t check_at_ = ~std::uint64_t{0};

    Hands hands_{};
    std::unique_ptr<Table> tables_[strains + 1];  // warm ones by strain, and the cold one
    std::unique_ptr<std::uint32_t[]> codes_;      // by real suit: 4 x 8192
    std::size_t limit_;
    bool is_symmetric_ = false;  // suits and seats can be exchanged so that all lengths stay
    int strain_ = notrump;
    int name_of_[4] = {};                        // of a real suit in this strain
    std::uint64_t stop_at_ = ~std::uint64_t{0};  // nodes at which the budget is spent
};

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
