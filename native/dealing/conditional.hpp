// Deals from exactly the uniform distribution over those in which every seat fulfils its condition.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "batch/batch.hpp"
#include "dealing/dealing.hpp"
#include "dealing/tables.hpp"
#include "meaning/condition.hpp"

namespace bidlab {

// One deal took more tries than most_tries.
struct DealNotFound : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ConditionalDealer {
   public:
    using Conditions = std::array<const meaning::Condition*, 4>;  // N E S W; null: any hand
    static constexpr std::uint64_t most_tries = 2'000'000;

    // `known` are the cards that each seat holds in any case: at most 13, none of them twice. The conditions
    // are copied. `wants_tables` builds tables where plain dealing would do, to have the exact count.
    ConditionalDealer(const std::array<std::uint64_t, 4>& known, const Conditions& conditions,
                      bool wants_tables);

    // Whether it is certain that no such deal exists. If false there may still be none: what is finer than
    // cells is only tried.
    bool is_impossible() const { return is_impossible_; }
    bool has_tables() const { return tables_.has_value(); }

    // The deals among which a try chooses evenly. If is_exact_count(), these are all deals with every hand in
    // the possible cells of its condition, without the honours that it denies at its root and with all the
    // cards that it demands there; otherwise they are among others.
    Wide count() const { return count_; }
    bool is_exact_count() const { return is_exact_count_; }

    // All deals with the known cards. The frequency of the conditions among them is, as far as the deals
    // dealt so far tell, count() / completions() * dealt() / tries().
    Wide completions() const { return completions_; }
    std::uint64_t tries() const { return tries_; }
    std::uint64_t dealt() const { return dealt_; }

    // Writes deals first .. first + count - 1 of a seed; each depends on the seed, its number and the
    // conditions alone. False when it was stopped; throws DealNotFound.
    bool deal(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, const Watch& watch,
              DealBits* out);

   private:
    bool place_demanded(const std::array<std::uint64_t, 4>& known);
    bool fill_last_seat();
    void order_seats();
    bool is_found_in_pilot(double share) const;
    void build_tables();
    bool attempt(Generator& generator, std::uint64_t* hands) const;
    bool deal_at_random(Generator& generator, std::uint64_t* hands) const;
    void deal_one(std::uint64_t seed, std::uint64_t number, const std::atomic<bool>& stop, DealBits& out);

    std::array<std::optional<meaning::Condition>, 4> conditions_;
    std::array<std::uint64_t, 4> known_{};  // with the cards that the conditions demand
    std::uint64_t pool_ = 0;
    std::vector<OpenSeat> described_;  // open seats with a condition, the narrowest first
    std::vector<OpenSeat> others_;     // open seats without
    std::optional<Tables> tables_;
    bool is_impossible_ = false, is_exact_count_ = false;
    Wide count_ = 0, completions_ = 0;
    std::atomic<std::uint64_t> tries_{0}, dealt_{0};
};

}  // namespace bidlab
