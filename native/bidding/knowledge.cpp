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
    double hands[meaning::shapes][rows + 1];
    double points[meaning::shapes][rows + 1];   // of hands times points
    double squares[meaning::shapes][rows + 1];  // of hands times points squared
    Cells every;

    Sums() : hands{}, points{}, squares{}, every{} {
        static std::uint64_t counts[meaning::shapes][rows];
        cell_counts(low_bits(52), counts);
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
            for (std::size_t p = 0; p < rows; ++p) {
                const auto count = static_cast<double>(counts[shape][p]), value = static_cast<double>(p);
                hands[shape][p + 1] = hands[shape][p] + count;
                points[shape][p + 1] = points[shape][p] + count * value;
                squares[shape][p + 1] = squares[shape][p] + count * value * value;
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
        shapes[shape / 64] |= static_cast<std::uint64_t>(cells[shape] != 0) << shape % 64;
    }
}

bool Outline::meets(const Outline& other) const {
    std::uint64_t both = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) both |= shapes[i] & other.shapes[i];
    return both && (points & other.points);
}

Summary summary_of(const Cells& cells) {
    const Sums& of = sums();
    Summary found{};
    double points = 0, squares = 0, lengths[4] = {}, length_squares[4] = {};
    std::uint64_t any = 0;
    for (auto& suit : found.length) suit.least = 13, suit.most = 0;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        std::uint64_t row = cells[shape];
        if (!row) continue;
        any |= row;
        double here = 0;
        while (row) {  // one run of points after the other
            const int begin = std::countr_zero(row), end = begin + std::countr_one(row >> begin);
            here += of.hands[shape][end] - of.hands[shape][begin];
            points += of.points[shape][end] - of.points[shape][begin];
            squares += of.squares[shape][end] - of.squares[shape][begin];
            row &= ~low_bits(end);
        }
        if (here == 0) continue;
        found.hands += here;
        for (std::size_t suit = 0; suit < 4; ++suit) {
            const int cards = meaning::shape_table.lengths[shape][suit];
            lengths[suit] += here * cards;
            length_squares[suit] += here * cards * cards;
            found.support[suit] += here * shortness(shape, static_cast<int>(suit));
            found.length[suit].least = std::min(found.length[suit].least, cards);
            found.length[suit].most = std::max(found.length[suit].most, cards);
        }
    }
    if (found.hands == 0) return found;
    const auto settle = [&](Estimate& estimate, double sum, double square) {
        estimate.mean = sum / found.hands;
        estimate.variance = std::max(0.0, square / found.hands - estimate.mean * estimate.mean);
    };
    settle(found.hcp, points, squares);
    found.hcp.least = std::countr_zero(any);
    found.hcp.most = 63 - std::countl_zero(any);
    for (std::size_t suit = 0; suit < 4; ++suit) {
        settle(found.length[suit], lengths[suit], length_squares[suit]);
        found.support[suit] /= found.hands;
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
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (is_kept(*kept_[static_cast<std::size_t>(it->second)], cells)) return it->second;
    auto entry = std::make_unique<Entry>();
    std::uint64_t before = 0;
    std::uint32_t number = 0;  // of an empty row
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        if (cells[shape] != before) {
            before = cells[shape];
            number = before ? row_number(before) : 0;
        }
        entry->rows[shape] = number;
    }
    entry->summary = summary_of(cells);
    const int made = static_cast<int>(kept_.size());
    kept_.push_back(std::move(entry));
    by_hash_.emplace(hash, made);
    return made;
}

Cells Bank::cells(int number) const {
    const Entry& entry = *kept_[static_cast<std::size_t>(number)];
    Cells cells;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) cells[shape] = rows_[entry.rows[shape]];
    return cells;
}

void Bank::clear() {
    kept_.clear();
    by_hash_.clear();
    rows_ = {0};
    spread_rows(1 << 12);
    number_of(every_cell());
}

}  // namespace bidlab::bidding
