#include "bidding/knowledge.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "meaning/pool.hpp"

namespace bidlab::bidding {

namespace {

constexpr int rows = meaning::most_points + 1;

// Running sums over the points of each shape, so that a run of points costs two look-ups.
struct Sums {
    struct Sum {
        double hands, points, squares;  // hands; their points; their points squared
    };
    Sum below[meaning::shapes][rows + 1];
    Cells every;

    Sums() : below{}, every{} {
        static std::uint64_t counts[meaning::shapes][rows];
        cell_counts(low_bits(52), counts);
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
            for (std::size_t p = 0; p < rows; ++p) {
                const auto count = static_cast<double>(counts[shape][p]), value = static_cast<double>(p);
                const Sum& of = below[shape][p];
                below[shape][p + 1] = {of.hands + count, of.points + count * value,
                                       of.squares + count * value * value};
                if (counts[shape][p]) every[shape] |= std::uint64_t{1} << p;
            }
        }
    }
};

const Sums& sums() {
    static const Sums made;
    return made;
}

}  // namespace

const Cells& every_cell() { return sums().every; }

Outline::Outline(const Cells& cells) {
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        points |= cells[shape];
        if (cells[shape]) shapes[shape / 64] |= shape_bit(shape);
    }
}

bool Outline::meets(const Outline& other) const {
    std::uint64_t both = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) both |= shapes[i] & other.shapes[i];
    return both && (points & other.points);
}

// Four rows at a time: their signs, once a row that is not empty has been given one, are pushed into four
// words from above.
void Outline::take_away(Cells& cells, const Cells& taken) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    std::uint64_t any[4] = {};
    for (std::size_t word = 0; word < shapes.size(); ++word) {
        const std::size_t first = 64 * word, count = std::min<std::size_t>(64, meaning::shapes - first) / 4;
        std::uint64_t there[4] = {};
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t lane = 0; lane < 4; ++lane) {
                const std::size_t shape = first + 4 * i + lane;
                const std::uint64_t row = cells[shape] & ~taken[shape];
                cells[shape] = row;
                any[lane] |= row;
                there[lane] = there[lane] >> 1 | ((row | (0 - row)) & sign);
            }
        shapes[word] = 0;
        for (std::size_t lane = 0; lane < 4; ++lane) shapes[word] |= there[lane] >> (64 - count) << 16 * lane;
    }
    points = any[0] | any[1] | any[2] | any[3];
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

Summary summary_of(const Cells& cells) {
    const Sums& of = sums();
    Summary found{};
    double points = 0, squares = 0, values[ShapeSums::count] = {};
    std::uint64_t any = 0, cards = 0;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        std::uint64_t row = cells[shape];
        if (!row) continue;
        any |= row;
        double here = 0;
        while (row) {  // one run of points after the other
            const int begin = std::countr_zero(row), end = begin + std::countr_one(row >> begin);
            const Sums::Sum &to = of.below[shape][end], &from = of.below[shape][begin];
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

std::size_t slot_of(std::uint64_t row) { return (row * 0x9e3779b97f4a7c15) >> 32; }

}  // namespace

bool Bank::is_kept(const Entry& entry, const Cells& cells) const {
    std::uint64_t apart = 0;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
        apart |= rows_[entry.rows[shape]] ^ cells[shape];
    return !apart;
}

std::uint32_t Bank::row_number(std::uint64_t row) {
    if (2 * rows_.size() > row_slots_.size()) spread_rows(2 * row_slots_.size());
    const std::size_t last = row_slots_.size() - 1;
    std::size_t at = slot_of(row) & last;
    for (; row_slots_[at]; at = (at + 1) & last)
        if (rows_[row_slots_[at]] == row) return row_slots_[at];
    row_slots_[at] = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back(row);
    return row_slots_[at];
}

void Bank::spread_rows(std::size_t slots) {
    row_slots_.assign(slots, 0);
    for (std::size_t number = 1; number < rows_.size(); ++number) {
        std::size_t at = slot_of(rows_[number]) & (slots - 1);
        while (row_slots_[at]) at = (at + 1) & (slots - 1);
        row_slots_[at] = static_cast<std::uint32_t>(number);
    }
}

int Bank::number_of(const Cells& cells) {
    const std::uint64_t hash = hash_of(cells);
    if (2 * (size_ + 1) > slots_.size()) spread_sets(2 * slots_.size());
    const std::size_t last = slots_.size() - 1;
    std::size_t at = hash & last;
    for (; slots_[at].number >= 0; at = (at + 1) & last)
        if (slots_[at].hash == hash && is_kept(entry(slots_[at].number), cells)) return slots_[at].number;
    slots_[at] = {hash, static_cast<std::int32_t>(size_)};
    if (size_ == chunk * chunks_.size()) chunks_.push_back(std::make_unique_for_overwrite<Entry[]>(chunk));
    Entry& made = chunks_[size_ / chunk][size_ % chunk];
    std::uint64_t before = 0;
    std::uint32_t number = 0;  // of an empty row
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        if (cells[shape] != before) {
            before = cells[shape];
            number = before ? row_number(before) : 0;
        }
        made.rows[shape] = number;
    }
    made.summary = summary_of(cells);
    return static_cast<int>(size_++);
}

void Bank::spread_sets(std::size_t slots) {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
    for (const Slot& slot : old) {
        if (slot.number < 0) continue;
        std::size_t at = slot.hash & (slots - 1);
        while (slots_[at].number >= 0) at = (at + 1) & (slots - 1);
        slots_[at] = slot;
    }
}

Cells Bank::cells(int number) const {
    const Entry& of = entry(number);
    Cells cells;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) cells[shape] = rows_[of.rows[shape]];
    return cells;
}

void Bank::clear() {
    chunks_.clear();
    size_ = 0;
    slots_.assign(1 << 10, Slot());
    rows_ = {0};
    spread_rows(1 << 12);
    number_of(every_cell());
}

}  // namespace bidlab::bidding
