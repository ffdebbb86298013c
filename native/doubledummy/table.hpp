// The transposition table: what is known of positions at the start of a trick.
//
// Positions with the same sixteen suit lengths and the same hand on lead share a bucket. An entry of a bucket
// holds who owns the highest cards of each suit, down to the lowest whose rank mattered (Ginsberg's partition
// search), and bounds on the tricks of the side on lead; it answers for every position that agrees so far.
// Nothing in it refers to a deal: what one deal has taught holds for the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __AVX2__
#include <immintrin.h>
#endif

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
    static constexpr int lanes = 16;
    // The arena is aligned as malloc aligns, to 16 bytes.
    using Vector [[gnu::vector_size(2 * lanes), gnu::aligned(16)]] = std::uint16_t;

    Vector owners, masks;

    void set(int place, const Entry& entry) {
        owners[place] = static_cast<std::uint16_t>(signature(entry.owners));
        masks[place] = static_cast<std::uint16_t>(signature(entry.mask));
    }

    // Which entries may cover a position of that signature: `bits_each` bits for each, the first entry
    // lowest.
#ifdef __AVX2__
    static constexpr int bits_each = 2;
    std::uint32_t candidates(std::uint16_t position) const {
        const __m256i apart =
            _mm256_and_si256(reinterpret_cast<__m256i>(owners ^ position), reinterpret_cast<__m256i>(masks));
        return static_cast<std::uint32_t>(
            _mm256_movemask_epi8(_mm256_cmpeq_epi16(apart, _mm256_setzero_si256())));
    }
#else
    static constexpr int bits_each = 1;
    std::uint32_t candidates(std::uint16_t position) const {
        using Words [[gnu::vector_size(2 * lanes)]] = std::uint64_t;
        constexpr Vector own_bit = {1u << 0,  1u << 1,  1u << 2,  1u << 3, 1u << 4,  1u << 5,
                                    1u << 6,  1u << 7,  1u << 8,  1u << 9, 1u << 10, 1u << 11,
                                    1u << 12, 1u << 13, 1u << 14, 1u << 15};
        const Words words =
            reinterpret_cast<Words>(reinterpret_cast<Vector>(((owners ^ position) & masks) == 0) & own_bit);
        std::uint64_t folded = words[0] | words[1] | words[2] | words[3];
        folded |= folded >> 32;
        return static_cast<std::uint32_t>((folded | folded >> 16) & 0xffff);
    }
#endif
};

// A bucket's entries lie in a chunk of the arena: the signatures of all of them, then the entries. One that
// grows long is split by the owners of the best cards of some suits: entries that name all of these are kept
// in buckets of their own, the others stay.
struct Bucket {
    std::uint64_t key;       // 0: none
    std::uint32_t chunk;     // unit of the arena where it begins
    std::uint16_t count;     // entries, the newest last
    std::uint8_t room : 4;   // there is room for 1 << room entries; 0: none
    std::uint8_t split : 4;  // suits by which it is split
};

// An open hash table of buckets and an arena of chunks. Memory grows by doubling up to a limit; a table that
// reaches it is thinned out and goes on.
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

    // Never zero. All hands have as many cards, so that three lengths of the last suit follow from the others
    // and make room: bits 52 to 59 for the parts of a bucket that was split, 60 and 61 for the hand on lead,
    // 62 set, 63 set in such a part.
    static std::uint64_t key_of(std::uint64_t lengths, int leader) {
        return (lengths & ~std::uint64_t{0} >> 12) | std::uint64_t(leader + 4) << 60;
    }
    // The key of the part of a split bucket where entries with these owners of the best cards are.
    static std::uint64_t key_of_part(const Bucket& bucket, const Owners& owners) {
        return bucket.key | is_part | std::uint64_t{tops(owners) & doubled(bucket.split)} << 52;
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

    // Adds what was found out about a position.
    void add(std::uint64_t key, const Entry& entry) {
        for (;;) {
            Bucket* bucket = &obtain(key);
            if (bucket->split) bucket = &place_of(*bucket, entry);
            if (append(*bucket, entry)) return;
        }
    }

    bool is_started() const { return buckets_ != nullptr; }
    std::size_t bytes() const { return (buckets_ ? sizeof(Bucket) << bits_ : 0) + capacity_ * unit; }
    std::uint64_t times_thinned() const { return times_thinned_; }

   private:
    static constexpr std::size_t unit = sizeof(Entry);  // of the arena
    static constexpr int first_bits = 13, most_kept_bits = 16;

    static constexpr int most_room = 15, split_room = 7;
    static constexpr std::uint64_t is_part = std::uint64_t{1} << 63;
    static constexpr std::size_t first_capacity = std::size_t{1} << 13;  // units

    static std::uint32_t signature_units(int room) {
        constexpr std::uint32_t units_each = sizeof(Signatures) / unit;
        return room < 5 ? units_each : units_each << (room - 4);
    }
    static std::uint32_t units(int room) { return signature_units(room) + (1u << room); }
    // Bits of the owners of the best cards, suit 0 lowest.
    static unsigned tops(const Owners& owners) {
        return static_cast<unsigned>((owners.low >> 30 & 3) | owners.low >> 62 << 2 |
                                     (owners.high >> 30 & 3) << 4 | owners.high >> 62 << 6);
    }
    // Both bits of each suit of a set.
    static constexpr unsigned doubled(unsigned suits) {
        return 3 * ((suits & 1) | (suits & 2) << 1 | (suits & 4) << 2 | (suits & 8) << 3);
    }
    // From the lengths of the first hand, which the key holds.
    static int tricks_left(const Bucket& bucket) {
        int left = 0;
        for (int suit = 0; suit < 4; ++suit) left += of_seat(suit_lengths(bucket.key, suit), 0);
        return left;
    }
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
        ++used_;
        return *free_slot(key) = Bucket{key, 0, 0, 0, 0};
    }
    Bucket* free_slot(std::uint64_t key) const {
        std::size_t i = slot(key);
        while (buckets_[i].key) i = (i + 1) & mask();
        return &buckets_[i];
    }

    // Forgets the positions with the fewest cards, which are soon found out again, until at most half is
    // left.
    [[gnu::noinline]] void thin_out() {
        ++times_thinned_;
        const std::size_t slots = mask() + 1;
        std::size_t buckets_of[14] = {}, units_of[14] = {};  // by tricks left
        for (std::size_t i = 0; i < slots; ++i)
            if (const Bucket& bucket = buckets_[i]; bucket.key) {
                ++buckets_of[tricks_left(bucket)];
                if (bucket.room) units_of[tricks_left(bucket)] += units(bucket.room);
            }
        int least = 14;
        std::size_t kept = 0, kept_units = 0;
        while (least > 0 && kept + buckets_of[least - 1] <= used_ / 2 &&
               kept_units + units_of[least - 1] <= fill_ / 2) {
            --least;
            kept += buckets_of[least];
            kept_units += units_of[least];
        }
        // The kept buckets wait behind the arena's chunks while their places are found anew.
        constexpr std::size_t buckets_a_unit = unit / sizeof(Bucket);
        if (kept == 0 || 1 + kept_units + kept / buckets_a_unit + 1 > capacity_) return clear();
        Bucket* const end = std::remove_if(buckets_, buckets_ + slots, [&](const Bucket& bucket) {
            return !bucket.key || tricks_left(bucket) < least;
        });
        std::sort(buckets_, end,
                  [](const Bucket& one, const Bucket& other) { return one.chunk < other.chunk; });
        fill_ = 1;
        for (Bucket* bucket = buckets_; bucket != end; ++bucket) {
            if (!bucket->room) continue;
            std::memmove(arena_ + unit * fill_, arena_ + unit * bucket->chunk, unit * units(bucket->room));
            bucket->chunk = static_cast<std::uint32_t>(fill_);
            fill_ += units(bucket->room);
        }
        for (auto& head : free_) head = 0;
        std::byte* const waiting = arena_ + unit * fill_;
        std::memcpy(waiting, buckets_, sizeof(Bucket) * kept);
        std::memset(static_cast<void*>(buckets_), 0, sizeof(Bucket) << bits_);
        for (used_ = 0; used_ < kept; ++used_) {
            Bucket bucket;
            std::memcpy(&bucket, waiting + sizeof(Bucket) * used_, sizeof(Bucket));
            *free_slot(bucket.key) = bucket;
        }
    }

    [[gnu::noinline]] void widen() {
        if (bytes() + (sizeof(Bucket) << (bits_ + 1)) > limit_) return thin_out();
        Bucket* const old = buckets_;
        const std::size_t count = std::size_t{1} << bits_;
        buckets_ = static_cast<Bucket*>(allocate(nullptr, sizeof(Bucket) << (bits_ + 1)));
        ++bits_;
        std::memset(static_cast<void*>(buckets_), 0, sizeof(Bucket) << bits_);
        for (std::size_t b = 0; b < count; ++b)
            if (old[b].key) *free_slot(old[b].key) = old[b];
        std::free(old);
    }

    // Where in a split bucket the entry belongs: to a part if it names the best cards of all its suits.
    [[gnu::noinline]] Bucket& place_of(Bucket& bucket, const Entry& entry) {
        const bool is_of_part = !(doubled(bucket.split) & ~tops(entry.mask));
        return is_of_part ? obtain(key_of_part(bucket, entry.owners)) : bucket;
    }

    // Adds an entry to the bucket. False: it was split instead, or the table was thinned out.
    bool append(Bucket& bucket, const Entry& entry) {
        if (bucket.room == 0 || bucket.count == 1u << bucket.room) {
            if (bucket.room == split_room && !(bucket.key & is_part) && split(bucket)) return false;
            if (!has_room(bucket.room + 1)) return thin_out(), false;
            grow(bucket);
        }
        signatures(bucket)[bucket.count / Signatures::lanes].set(bucket.count % Signatures::lanes, entry);
        entries(bucket)[bucket.count++] = entry;
        return true;
    }

    // Splits a bucket by those suits whose best card nearly all of its entries name; false: there are none.
    [[gnu::noinline]] bool split(Bucket& bucket) {
        if (bucket.split) return false;
        unsigned naming[4] = {};
        for (int i = 0; i < bucket.count; ++i)
            for (int suit = 0; suit < 4; ++suit)
                naming[suit] += tops(entries(bucket)[i].mask) >> 2 * suit & 1;
        unsigned suits = 0;
        for (int suit = 0; suit < 4; ++suit)
            if (naming[suit] * 8 >= bucket.count * 7u) suits |= 1u << suit;
        if (!suits) return false;
        bucket.split = suits & 15;
        // Buckets and the arena may move while parts grow.
        const std::uint64_t key = bucket.key, thinned = times_thinned_;
        const int count = bucket.count;
        bucket.count = 0;
        for (int i = 0; i < count; ++i) {
            Bucket& here = *find(key);
            const Entry entry = entries(here)[i];
            Bucket& there = place_of(here, entry);
            if (times_thinned_ != thinned || !append(there, entry)) break;
        }
        return true;
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
    [[gnu::noinline]] void grow(Bucket& bucket) {
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

    std::size_t limit_;
    Bucket* buckets_ = nullptr;
    std::byte* arena_ = nullptr;
    int bits_ = 0;
    std::size_t used_ = 0;      // buckets
    std::size_t capacity_ = 0;  // of the arena, in units
    std::size_t fill_ = 1;
    std::uint32_t free_[most_room + 1] = {};  // chunks given back, by room; each begins with the next one
    std::uint64_t times_thinned_ = 0;
};

}  // namespace bidlab::doubledummy::BIDLAB_PROCESSOR
