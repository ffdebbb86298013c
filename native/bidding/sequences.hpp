// Sequences of numbers that came up, each kept once, with a number of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bidding/slots.hpp"

namespace bidlab::bidding {

class Sequences {
   public:
    // The number of a sequence, from 0 on in the order in which they came up, and whether it is new.
    std::pair<int, bool> number_of(std::span<const int> sequence) {
        const auto found = slots_.number_of(hash_of(sequence), size(), [&](int other) {
            return std::ranges::equal((*this)[other], sequence);
        });
        if (found.second) {
            numbers_.insert(numbers_.end(), sequence.begin(), sequence.end());
            ends_.push_back(numbers_.size());
        }
        return found;
    }

    std::span<const int> operator[](int number) const {
        const auto at = static_cast<std::size_t>(number);
        return std::span(numbers_).subspan(ends_[at], ends_[at + 1] - ends_[at]);
    }

    std::size_t size() const { return ends_.size() - 1; }

   private:
    static std::uint32_t hash_of(std::span<const int> sequence) {
        std::uint64_t hash = sequence.size();
        for (const int number : sequence)
            hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15 + (hash >> 29);
        return static_cast<std::uint32_t>(hash >> 32);
    }

    Slots<std::uint32_t> slots_;        // where they are found
    std::vector<int> numbers_;          // of one after the other
    std::vector<std::size_t> ends_{0};  // where they end; 0 before the first
};

}  // namespace bidlab::bidding
