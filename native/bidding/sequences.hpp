// Sequences of numbers that came up, each kept once, with a number of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bidlab::bidding {

class Sequences {
   public:
    // The number of a sequence, from 0 on in the order in which they came up, and whether it is new.
    std::pair<int, bool> number_of(std::span<const int> sequence) {
        if (2 * (size() + 1) > slots_.size()) spread(2 * slots_.size());
        const std::uint32_t hash = hash_of(sequence);
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash & last;
        for (; slots_[at].number >= 0; at = (at + 1) & last)
            if (slots_[at].hash == hash && std::ranges::equal((*this)[slots_[at].number], sequence))
                return {slots_[at].number, false};
        slots_[at] = {hash, static_cast<std::int32_t>(size())};
        numbers_.insert(numbers_.end(), sequence.begin(), sequence.end());
        ends_.push_back(numbers_.size());
        return {slots_[at].number, true};
    }

    std::span<const int> operator[](int number) const {
        const auto at = static_cast<std::size_t>(number);
        return std::span(numbers_).subspan(ends_[at], ends_[at + 1] - ends_[at]);
    }

    std::size_t size() const { return ends_.size() - 1; }

   private:
    struct Slot {
        std::uint32_t hash = 0;
        std::int32_t number = -1;  // -1: free
    };

    static std::uint32_t hash_of(std::span<const int> sequence) {
        std::uint64_t hash = sequence.size();
        for (const int number : sequence)
            hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15 + (hash >> 29);
        return static_cast<std::uint32_t>(hash >> 32);
    }

    void spread(std::size_t slots) {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
        for (const Slot& slot : old) {
            if (slot.number < 0) continue;
            std::size_t at = slot.hash & (slots - 1);
            while (slots_[at].number >= 0) at = (at + 1) & (slots - 1);
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_ =
        std::vector<Slot>(1 << 10);     // where they are found by their hash: a power of two
    std::vector<int> numbers_;          // of one after the other
    std::vector<std::size_t> ends_{0};  // where they end; 0 before the first
};

}  // namespace bidlab::bidding
