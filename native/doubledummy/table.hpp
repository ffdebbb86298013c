// The transposition table: what is known of positions at the start of a trick.
//
// Positions with the same sixteen suit lengths and the same hand on lead share a bucket. An entry of a bucket
// holds who owns the highest cards of each suit, down to the lowest whose rank mattered (Ginsberg's partition
// search), and bounds on the tricks of the side on lead; it answers for every position that agrees so far.
// Nothing in it refers to a deal: what one deal has taught holds for the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "doubledummy/cards.hpp"

namespace bidlab::doubledummy::BIDLAB_PROCESSOR {

// Owners of the cards that are left, two bits each, the highest card of a suit in the highest bits of its 32,
// at most 26 of them: `high` holds suits 3 and 2, `low` suits 1 and 0.
struct Owners {
    std::uint64_t high, low;
};

// The six lowest bits of a suit's 32 are free: those of suit 0 hold the least number of tricks that the side
// on lead takes, those of suit 1 the most. The mask is zero there.
struct Entry {
    Owners owners;
    Owners mask;

    bool covers(const Owners& position) const {
        return (((owners.high ^ position.high) & mask.high) | ((owners.low ^ position.low) & mask.low)) == 0;
    }
    int least() const { return static_cast<int>(owners.low & 15); }
    int most() const { return static_cast<int>(owners.low >> 32 & 15); }
    void set_bounds(int least, int most) {
        constexpr std::uint64_t bounds = 15 | std::uint64_t{15} << 32;
        owners.low = (owners.low & ~bounds) | static_cast<unsigned>(least) | std::uint64_t(most) << 32;
    }
};

// Who owns the two highest cards of each suit: sixteen bits of the owners, or of a mask.
constexpr unsigned signature(const Owners& owners) {
    return static_cast<unsigned>(owners.high >> 60 | (owners.high >> 28 & 15) << 4 | owners.low >> 60 << 8 |
                                 (owners.low >> 28 & 15) << 12);
}

// The signatures of sixteen entries and which of their bits matter, a line of the cache: a few operations on
// vectors sort out most entries before they are touched.
struct Signatures {
    static constexpr int lanes = 16, per_word = 4;
    // The arena is aligned as malloc aligns, to 16 bytes.
    using Vector [[gnu::vector_size(2 * lanes), gnu::aligned(16)]] = std::uint16_t;
    using Words [[gnu::vector_size(2 * lanes)]] = std::uint64_t;

    Vector owners, masks;

    void set(int place, const Entry& entry) {
        owners[place] = static_cast<std::uint16_t>(signature(entry.owners));
        masks[place] = static_cast<std::uint16_t>(signature(entry.mask));
    }
    // All bits of lane i are set when entry i may cover a position of that signature.
    void candidates(std::uint16_t position, Words& found) const {
        found = reinterpret_cast<Words>(((owners ^ position) & masks) == 0);
    }
};

// A bucket's entries lie in a chunk of the arena: the signatures of all of them, then the entries.
struct Bucket {
    std::uint64_t key;    // 0: none
    std::uint32_t chunk;  // unit of the arena where it begins
    std::uint16_t count;  // entries, the newest last
    std::uint8_t room;    // there is room for 1 << room entries; 0: none
    std::uint8_t move;    // card that last cut off here, no_move: none
};

constexpr std::uint8_t no_move = 63;

// An open hash table of buckets and an arena of chunks. Memory grows by doubling up to a limit; a table that
// reaches it is emptied and goes on.
class Table {
   public:
    explicit Table(std::size_t limit_bytes) : limit_(limit_bytes) {}
    ~Table() { release(); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    void clear() {
        if (bits_ > most_kept_bits)
            release();  // what a hard deal needed would take long to clear for easy ones
        if (!buckets_) start();
        std::memset(static_cast<void*>(buckets_), 0, sizeof(Bucket) << bits_);
        used_ = 0;
        fill_ = 1;  // chunk 0 stands for none
        for (auto& head : free_) head = 0;
    }

    // Never zero. A last nibble of lengths follows from the others and makes room for the hand on lead.
    static std::uint64_t key_of(std::uint64_t lengths, int leader) {
        return (lengths & ~std::uint64_t{0} >> 4) | std::uint64_t(leader + 4) << 60;
    }

    Bucket* find(std::uint64_t key) const {
        for (std::size_t i = slot(key);; i = (i + 1) & mask()) {
            if (buckets_[i].key == key) return &buckets_[i];
            if (buckets_[i].key == 0) return nullptr;
        }
    }

    Signatures* signatures(const Bucket& bucket) const {
        return reinterpret_cast<Signatures*>(arena_ + unit * bucket.chunk);
    }
    Entry* entries(const Bucket& bucket) const {
        return reinterpret_cast<Entry*>(arena_ + unit * (bucket.chunk + signature_units(bucket.room)));
    }

    // Adds what was found out about a position; `move` is the card that cut off, or no_move.
    void add(std::uint64_t key, const Entry& entry, std::uint8_t move) {
        Bucket& bucket = obtain(key);
        if (move != no_move) bucket.move = move;
        if (merge(bucket, entry)) return;
        if (bucket.room == 0 || bucket.count == 1u << bucket.room) {
            if (!has_room(bucket.room + 1)) {
                empty();
                return add(key, entry, move);
            }
            grow(bucket);
        }
        signatures(bucket)[bucket.count / Signatures::lanes].set(bucket.count % Signatures::lanes, entry);
        entries(bucket)[bucket.count++] = entry;
    }

    bool is_started() const { return buckets_ != nullptr; }
    std::size_t bytes() const { return (buckets_ ? sizeof(Bucket) << bits_ : 0) + capacity_ * unit; }
    std::uint64_t times_emptied() const { return times_emptied_; }

   private:
    static constexpr std::size_t unit = sizeof(Entry);  // of the arena
    static constexpr int first_bits = 13, most_kept_bits = 16;

    static constexpr int most_room = 15;
    static constexpr std::size_t first_capacity = std::size_t{1} << 13;  // units

    static std::uint32_t signature_units(int room) {
        constexpr std::uint32_t units_each = sizeof(Signatures) / unit;
        return room < 5 ? units_each : units_each << (room - 4);
    }
    static std::uint32_t units(int room) { return signature_units(room) + (1u << room); }
    std::size_t mask() const { return (std::size_t{1} << bits_) - 1; }
    std::size_t slot(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15u) >> (64 - bits_); }

    void release() {
        std::free(buckets_);
        std::free(arena_);
        buckets_ = nullptr;
        arena_ = nullptr;
        capacity_ = 0;
    }
    void start() {
        release();  // what an earlier start got before memory ran out
        bits_ = first_bits;
        arena_ = static_cast<std::byte*>(allocate(nullptr, first_capacity * unit));
        capacity_ = first_capacity;
        buckets_ = static_cast<Bucket*>(allocate(nullptr, sizeof(Bucket) << bits_));
    }
    static void* allocate(void* old, std::size_t bytes) {
        void* memory = std::realloc(old, bytes);
        if (!memory) throw std::bad_alloc();
        return memory;
    }

    Bucket& obtain(std::uint64_t key) {
        if (Bucket* found = find(key)) return *found;
        if (used_ * 2 >= mask()) widen();
        std::size_t i = slot(key);
        while (buckets_[i].key) i = (i + 1) & mask();
        ++used_;
        buckets_[i] = Bucket{key, 0, 0, 0, no_move};
        return buckets_[i];
    }

    void empty() {
        ++times_emptied_;
        clear();
    }

    void widen() {
        if (bytes() + (sizeof(Bucket) << (bits_ + 1)) > limit_) return empty();
        Bucket* const old = buckets_;
        const std::size_t count = std::size_t{1} << bits_;
        buckets_ = static_cast<Bucket*>(allocate(nullptr, sizeof(Bucket) << (bits_ + 1)));
        ++bits_;
        std::memset(static_cast<void*>(buckets_), 0, sizeof(Bucket) << bits_);
        for (std::size_t b = 0; b < count; ++b) {
            if (!old[b].key) continue;
            std::size_t i = slot(old[b].key);
            while (buckets_[i].key) i = (i + 1) & mask();
            buckets_[i] = old[b];
        }
        std::free(old);
    }

    // Whether a chunk can be had without passing the limit of memory.
    bool has_room(int room) const {
        if ((room <= most_room && free_[room]) || fill_ + units(room) <= capacity_) return true;
        return fill_ + units(room) <= 2 * capacity_ && bytes() + capacity_ * unit <= limit_;
    }

    // A chunk, from those given back or from the end of the arena.
    std::uint32_t take(int room) {
        if (const std::uint32_t given_back = free_[room]) {
            std::memcpy(&free_[room], arena_ + unit * given_back, sizeof free_[room]);
            return given_back;
        }
        const std::size_t index = fill_;
        fill_ += units(room);
        if (fill_ > capacity_) {
            arena_ = static_cast<std::byte*>(allocate(arena_, 2 * capacity_ * unit));
            capacity_ *= 2;
        }
        return static_cast<std::uint32_t>(index);
    }
    void give_back(std::uint32_t chunk, int room) {
        std::memcpy(arena_ + unit * chunk, &free_[room], sizeof free_[room]);
        free_[room] = chunk;
    }

    // Moves the bucket's entries to a chunk of twice the size; one that is as large as can be starts anew.
    void grow(Bucket& bucket) {
        if (bucket.room == most_room) {
            bucket.count = 0;
            return;
        }
        Bucket larger_one = bucket;
        larger_one.room = static_cast<std::uint8_t>(bucket.room + 1);
        larger_one.chunk = take(larger_one.room);
        if (bucket.room) {
            std::memcpy(static_cast<void*>(signatures(larger_one)), signatures(bucket),
                        unit * signature_units(bucket.room));
            std::memcpy(static_cast<void*>(entries(larger_one)), entries(bucket), unit << bucket.room);
            give_back(bucket.chunk, bucket.room);
        }
        bucket = larger_one;
    }

    // Whether one of the newest entries has the same pattern and took in the new bounds.
    bool merge(const Bucket& bucket, const Entry& entry) const {
        constexpr int newest = 4;
        Entry* const all = entries(bucket);
        for (int i = bucket.count - 1; i >= 0 && i >= bucket.count - newest; --i) {
            Entry& old = all[i];
            if (old.mask.high != entry.mask.high || old.mask.low != entry.mask.low ||
                !old.covers(entry.owners))
                continue;
            old.set_bounds(larger(old.least(), entry.least()), smaller(old.most(), entry.most()));
            return true;
        }
        return false;
    }

    std::size_t limit_;
    Bucket* buckets_ = nullptr;
    std::byte* arena_ = nullptr;
    int bits_ = 0;
    std::size_t used_ = 0;      // buckets
    std::size_t capacity_ = 0;  // of the arena, in units
    std::size_t fill_ = 1;
    std::uint32_t free_[most_room + 1] = {};  // chunks given back, by room; each begins with the next one
    std::uint64_t times_emptied_ = 0;
};

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
