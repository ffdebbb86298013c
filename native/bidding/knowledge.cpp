#include "bidding/knowledge.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include "meaning/pool.hpp"
#include "processor/processor.hpp"

namespace bidlab::bidding {

namespace {

constexpr int rows = meaning::most_points + 1;

// Running sums over the points of each shape, so that a run of points costs two look-ups. Shapes that differ
// only by the order of the suits have the same ones: 39 of them stay in the cache.
struct Sums {
    struct Sum {
        double hands, points, squares;  // hands; their points; their points squared
    };
    Sum below[39][rows + 1];
    std::uint8_t pattern[meaning::shapes];  // which of the 39 it is
    Cells every;

    Sums() : below{}, every{} {
        static std::uint64_t counts[meaning::shapes][rows];
        cell_counts(low_bits(52), counts);
        std::map<meaning::Lengths, std::uint8_t> patterns;
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
            meaning::Lengths sorted = meaning::shape_table.lengths[shape];
            std::sort(sorted.begin(), sorted.end());
            const auto next = static_cast<std::uint8_t>(patterns.size());
            const auto [it, is_new] = patterns.try_emplace(sorted, next);
            pattern[shape] = it->second;
            if (is_new) add_up(counts[shape], below[it->second]);
            for (std::size_t p = 0; p < rows; ++p)
                if (counts[shape][p]) every[shape] |= std::uint64_t{1} << p;
        }
    }

    static void add_up(const std::uint64_t* counts, Sum* below) {
        for (std::size_t p = 0; p < rows; ++p) {
            const auto count = static_cast<double>(counts[p]), value = static_cast<double>(p);
            below[p + 1] = {below[p].hands + count, below[p].points + count * value,
                            below[p].squares + count * value * value};
        }
    }
};

const Sums& sums() {
    static const Sums made;
    return made;
}

}  // namespace

const Cells& every_cell() { return sums().every; }

BIDLAB_WIDE std::uint64_t points_in(const Cells& cells) {
    std::uint64_t any = 0;
    for (const std::uint64_t row : cells) any |= row;
    return any;
}

BIDLAB_WIDE void add_cells(Cells& to, const Cells& cells) {
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) to[shape] |= cells[shape];
}

BIDLAB_WIDE void keep_common(Cells& of, const Cells& cells) {
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) of[shape] &= cells[shape];
}

BIDLAB_WIDE void set_common(const Cells& one, const Cells& other, Cells& common) {
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) common[shape] = one[shape] & other[shape];
}

BIDLAB_WIDE void take_cells(Cells& from, const Cells& cells) {
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) from[shape] &= ~cells[shape];
}

namespace {

typedef std::uint64_t FourRows __attribute__((vector_size(32)));

// The shapes and points of rows, which come four at a time: their signs, once a row that is not empty has
// been given one, are pushed into four words from above.
template <typename Load>
[[gnu::always_inline]] inline void draw(Outline& outline, Load load) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    FourRows any{}, row;
    for (std::size_t word = 0; word < outline.shapes.size(); ++word) {
        const std::size_t first = 64 * word, count = std::min<std::size_t>(64, meaning::shapes - first) / 4;
        FourRows there{};
        for (std::size_t i = 0; i < count; ++i) {
            load(first + 4 * i, row);
            any |= row;
            there = there >> 1 | ((row | -row) & sign);
        }
        outline.shapes[word] = 0;
        for (std::size_t lane = 0; lane < 4; ++lane)
            outline.shapes[word] |= there[lane] >> (64 - count) << 16 * lane;
    }
    outline.points = any[0] | any[1] | any[2] | any[3];
}

BIDLAB_WIDE void draw_outline(Outline& outline, const Cells& cells) {
    draw(outline, [&](std::size_t shape, FourRows& rows) { std::memcpy(&rows, &cells[shape], sizeof rows); });
}

BIDLAB_WIDE void draw_rest(Outline& outline, Cells& cells, const Cells& taken) {
    draw(outline, [&](std::size_t shape, FourRows& rows) {
        FourRows away;
        std::memcpy(&away, &taken[shape], sizeof away);
        std::memcpy(&rows, &cells[shape], sizeof rows);
        rows &= ~away;
        std::memcpy(&cells[shape], &rows, sizeof rows);
    });
}

}  // namespace

Outline::Outline(const Cells& cells) { draw_outline(*this, cells); }

void Outline::take_away(Cells& cells, const Cells& taken) { draw_rest(*this, cells, taken); }

bool Outline::meets(const Outline& other) const {
    std::uint64_t both = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) both |= shapes[i] & other.shapes[i];
    return both && (points & other.points);
}

namespace {

// Of each shape: the cards of the suits, these squared, and what shortness is worth with each as trumps; and
// the cards of the suits as bits, sixteen a suit.
struct ShapeSums {
    static constexpr std::size_t count = 12;
    double values[meaning::shapes][count];
    std::uint64_t cards[meaning::shapes];

    constexpr ShapeSums() : values{}, cards{} {
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
            for (std::size_t suit = 0; suit < 4; ++suit) {
                const int length = meaning::shape_table.lengths[shape][suit];
                values[shape][suit] = length;
                values[shape][4 + suit] = length * length;
                values[shape][8 + suit] = shortness_table.worth[shape][suit];
                cards[shape] |= std::uint64_t{1} << (16 * suit + static_cast<std::size_t>(length));
            }
    }
};

constexpr ShapeSums shape_sums;

}  // namespace

// All sums are of whole numbers below 2 ** 53, so that they are exact.
Summary summary_of(const Cells& cells) {
    const Sums& of = sums();
    Summary found{};
    double points = 0, squares = 0, values[ShapeSums::count] = {};
    std::uint64_t any = 0, cards = 0;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        std::uint64_t row = cells[shape];
        if (!row) continue;
        any |= row;
        const Sums::Sum* below = of.below[of.pattern[shape]];
        double here = 0;
        while (row) {  // one run of points after the other
            const int begin = std::countr_zero(row), end = begin + std::countr_one(row >> begin);
            const Sums::Sum &to = below[end], &from = below[begin];
            here += to.hands - from.hands;
            points += to.points - from.points;
            squares += to.squares - from.squares;
            row &= ~low_bits(end);
        }
        if (here == 0) continue;
        found.hands += here;
        cards |= shape_sums.cards[shape];
        for (std::size_t i = 0; i < ShapeSums::count; ++i) values[i] += here * shape_sums.values[shape][i];
    }
    for (auto& suit : found.length) suit.least = 13, suit.most = 0;
    if (found.hands == 0) return found;
    const auto settle = [&](Estimate& estimate, double sum, double square) {
        estimate.mean = sum / found.hands;
        estimate.variance = std::max(0.0, square / found.hands - estimate.mean * estimate.mean);
    };
    settle(found.hcp, points, squares);
    found.hcp.least = std::countr_zero(any);
    found.hcp.most = 63 - std::countl_zero(any);
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const auto held = static_cast<std::uint16_t>(cards >> 16 * suit);
        found.length[suit].least = std::countr_zero(held);
        found.length[suit].most = 15 - std::countl_zero(held);
        settle(found.length[suit], values[suit], values[4 + suit]);
        found.support[suit] = values[8 + suit] / found.hands;
    }
    return found;
}

namespace {

// The rows of a set as a bank keeps them.
class Rows {
   public:
    Rows(const std::byte* rows, std::size_t count) : low_(rows), high_(rows + 4 * count) {}
    std::uint64_t operator[](std::size_t i) const {
        std::uint32_t low;
        std::memcpy(&low, low_ + 4 * i, sizeof low);
        return low | std::to_integer<std::uint64_t>(high_[i]) << 32;
    }

   private:
    const std::byte *low_, *high_;
};

// Four rows at a time, so that no product waits for the one before it.
std::uint64_t hash_of(const Cells& cells) {
    std::uint64_t lanes[4] = {1, 2, 3, 4};
    for (std::size_t shape = 0; shape < meaning::shapes; shape += 4)
        for (std::size_t lane = 0; lane < 4; ++lane)
            lanes[lane] = (std::rotl(lanes[lane], 23) ^ cells[shape + lane]) * 0x9e3779b97f4a7c15;
    std::uint64_t hash = 0;
    for (const std::uint64_t lane : lanes)
        hash = (std::rotl(hash, 29) ^ lane ^ lane >> 31) * 0xff51afd7ed558ccd;
    return hash;
}

}  // namespace

bool Bank::is_kept(const Entry& entry, const Outline& outline, const Cells& cells) const {
    if (entry.outline != outline) return false;
    const Rows kept(entry.rows, outline.size());
    std::uint64_t apart = 0;
    std::size_t at = 0;
    outline.each_shape([&](std::size_t shape) { apart |= kept[at++] ^ cells[shape]; });
    return !apart;
}

std::byte* Bank::room_for(std::size_t bytes) {
    const std::size_t wanted = (bytes + 3) & ~std::size_t{3};  // the first part has words of four bytes
    if (page_left_ < wanted) {
        pages_.push_back(std::make_unique_for_overwrite<std::byte[]>(page_size));
        page_left_ = page_size;
    }
    std::byte* room = pages_.back().get() + page_size - page_left_;
    page_left_ -= wanted;
    return room;
}

const std::byte* Bank::keep_rows(const Outline& outline, const Cells& cells) {
    const std::size_t count = outline.size();
    std::byte* rows = room_for(5 * count);
    std::byte *low = rows, *high = rows + 4 * count;
    outline.each_shape([&](std::size_t shape) {
        const auto word = static_cast<std::uint32_t>(cells[shape]);
        std::memcpy(low, &word, sizeof word);
        low += sizeof word;
        *high++ = static_cast<std::byte>(cells[shape] >> 32);
    });
    return rows;
}

int Bank::number_of(const Cells& cells) {
    const Outline outline(cells);
    const auto [number, is_new] = slots_.number_of(
        hash_of(cells), size_, [&](int other) { return is_kept(entry(other), outline, cells); });
    if (!is_new) return number;
    if (size_ == chunk * chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<Entry[]>(chunk));
    chunks_[size_ / chunk][size_ % chunk] = {summary_of(cells), outline, keep_rows(outline, cells)};
    ++size_;
    return number;
}

Cells Bank::cells(int number) const {
    const Entry& of = entry(number);
    const Rows kept(of.rows, of.outline.size());
    Cells cells{};
    std::size_t at = 0;
    of.outline.each_shape([&](std::size_t shape) { cells[shape] = kept[at++]; });
    return cells;
}

void Bank::clear() {
    chunks_.clear();
    size_ = 0;
    slots_.clear();
    pages_.clear();
    page_left_ = 0;
    number_of(every_cell());
}

}  // namespace bidlab::bidding
