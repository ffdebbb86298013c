#include "bidding/knowledge.hpp"

#include <algorithm>
#include <bit>

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

int Bank::number_of(const Cells& cells) {
    Entry entry;
    std::uint64_t before = 0, hash = 0x9e3779b97f4a7c15;
    std::uint16_t number = 0;  // of an empty row
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        if (cells[shape] != before) {
            before = cells[shape];
            const auto [it, is_new] =
                row_numbers_.try_emplace(before, static_cast<std::uint16_t>(rows_.size()));
            if (is_new) rows_.push_back(before);
            number = it->second;
        }
        entry.rows[shape] = number;
        hash = (std::rotl(hash, 23) ^ number) * 0xff51afd7ed558ccd;
    }
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (kept_[static_cast<std::size_t>(it->second)]->rows == entry.rows) return it->second;
    const int made = static_cast<int>(kept_.size());
    entry.summary = summary_of(cells);
    kept_.push_back(std::make_unique<Entry>(entry));
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
    row_numbers_ = {{0, 0}};
    number_of(every_cell());
}

}  // namespace bidlab::bidding
