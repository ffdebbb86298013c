// Where things that are kept once, each with a number of its own, are found by a hash of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bidlab::bidding {

template <typename Hash>
class Slots {
   public:
    // The number of the thing with this hash for which is_same(number) holds, and whether it is new: then it
    // gets the number `size`, how many there are.
    template <typename IsSame>
    std::pair<int, bool> number_of(Hash hash, std::size_t size, const IsSame& is_same) {
        if (2 * (size + 1) > slots_.size()) spread(2 * slots_.size());
        const std::size_t last = slots_.size() - 1;
        std::size_t at = hash & last;
        for (; slots_[at].number >= 0; at = (at + 1) & last)
            if (slots_[at].hash == hash && is_same(slots_[at].number)) return {slots_[at].number, false};
        slots_[at] = {hash, static_cast<std::int32_t>(size)};
        return {slots_[at].number, true};
    }

    void clear() { slots_.assign(fewest, Slot()); }

   private:
    struct Slot {
        Hash hash = 0;
        std::int32_t number = -1;  // -1: free
    };

    void spread(std::size_t slots) {
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
        for (const Slot& slot : old) {
            if (slot.number < 0) continue;
            std::size_t at = slot.hash & (slots - 1);
            while (slots_[at].number >= 0) at = (at + 1) & (slots - 1);
            slots_[at] = slot;
        }
    }

    static constexpr std::size_t fewest = 1 << 10;
    std::vector<Slot> slots_ = std::vector<Slot>(fewest);  // a power of two, at most half of them taken
};

}  // namespace bidlab::bidding
