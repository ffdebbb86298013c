#include "bidding/conditions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "meaning/pool.hpp"

namespace bidlab::bidding {

namespace {

constexpr int suit_feature(int kind, int suit) { return meaning::first_of_suit + 4 * kind + suit; }

// The bits of points from least to most.
constexpr std::uint64_t run(int least, int most) {
    return low_bits(most + 1) & ~low_bits(std::max(least, 0));
}

// Sets of shapes as an outline has them.
using ShapeSet = std::array<std::uint64_t, 9>;

// By suit and number of cards, the shapes with at least so many.
struct LengthSets {
    ShapeSet at_least[4][15];

    constexpr LengthSets() : at_least{} {
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
            for (std::size_t suit = 0; suit < 4; ++suit)
                for (int cards = 0; cards <= meaning::shape_table.lengths[shape][suit]; ++cards)
                    at_least[suit][cards][shape / 64] |= shape_bit(shape);
    }
};

inline constexpr LengthSets length_sets;

// The cells in which a hand may have a stopper in a suit, and those in which every hand has one. A suit and
// the three others share out the points: sets of points are bits, and those of two suits are added by shifts.
struct StopperCells {
    Cells possible[4], certain[4];

    StopperCells() : possible{}, certain{} {
        std::uint64_t any[14] = {}, with[14] = {}, without[14] = {};  // points of a suit by its length
        for (std::uint64_t held = 0; held < 1u << 13; ++held) {
            const auto length = static_cast<std::size_t>(std::popcount(held));
            const std::uint64_t points = std::uint64_t{1} << honour_points(honours_of(held, 0));
            const bool stops = meaning::feature_value(held, suit_feature(meaning::stopper, 0)) == 2;
            any[length] |= points;
            (stops ? with : without)[length] |= points;
        }
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
            for (std::size_t suit = 0; suit < 4; ++suit) {
                const meaning::Lengths& lengths = meaning::shape_table.lengths[shape];
                std::uint64_t others = 1;
                for (std::size_t other = 0; other < 4; ++other)
                    if (other != suit) others = added(others, any[lengths[other]]);
                const auto cards = static_cast<std::size_t>(lengths[suit]);
                possible[suit][shape] = added(others, with[cards]) & every_cell()[shape];
                certain[suit][shape] = possible[suit][shape] & ~added(others, without[cards]);
            }
    }

    static std::uint64_t added(std::uint64_t one, std::uint64_t other) {
        std::uint64_t sums = 0;
        for (; other; other &= other - 1) sums |= one << std::countr_zero(other);
        return sums;
    }
};

const StopperCells& stopper_cells() {
    static const StopperCells made;
    return made;
}

// A clause sorted by kinds of tests, so that it is quickly put to one shape after the other.
struct Sorted {
    std::uint64_t points;
    ShapeSet shapes;
    int supports[Clause::longest];                  // suits
    std::uint64_t support_points[Clause::longest];  // bits
    int support_count;
    int stoppers[Clause::longest];  // suits
    int stopper_count;

    void sort(const Clause& clause, const ShapeSet& among) {
        points = low_bits(meaning::most_points + 1);
        shapes = among;
        support_count = stopper_count = 0;
        for (int i = 0; i < clause.count; ++i) {
            const Test& test = clause.tests[i];
            const int kind = (test.feature - meaning::first_of_suit) >> 2;
            const int suit = (test.feature - meaning::first_of_suit) & 3;
            if (test.feature == meaning::hcp) {
                points &= run(test.least, test.most);
            } else if (kind == meaning::length) {
                keep_lengths(suit, test.least, test.most);
            } else if (kind == meaning::support) {
                supports[support_count] = suit;
                support_points[support_count++] = run(test.least, test.most);
            } else {
                stoppers[stopper_count++] = suit;
            }
        }
    }

    void keep_lengths(int suit, int least, int most) {
        const ShapeSet* of = length_sets.at_least[suit];
        for (std::size_t i = 0; i < shapes.size(); ++i)
            shapes[i] &= of[std::max(least, 0)][i] & ~of[std::min(most + 1, 14)][i];
    }

    // Leaves the shapes to another clause where every hand that fulfils this one fulfils that one too: where
    // fewer points are wanted with more trumps, each shape is looked at once.
    void leave_to(const Sorted& other) {
        if (other.stopper_count || other.support_count > 1 || points & ~other.points) return;
        if (other.support_count && (support_count != 1 || supports[0] != other.supports[0] ||
                                    support_points[0] & ~other.support_points[0]))
            return;
        for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i] &= ~other.shapes[i];
    }

    // Calls f(shape, may, must) for each of the shapes, with the points with which hands of that shape may
    // fulfil it, and with which all do.
    template <typename F>
    void each_row(const Cells& among, F f) const {
        if (stopper_count || support_count > 1) {
            each_shape([&](std::size_t shape) { put_row(shape, among[shape] & points, f); });
        } else if (support_count) {
            const std::uint64_t wanted = support_points[0];
            const int trumps = supports[0];
            each_shape([&](std::size_t shape) {
                const std::uint64_t row = among[shape] & points & wanted >> shortness(shape, trumps);
                f(shape, row, row);
            });
        } else {
            each_shape([&](std::size_t shape) {
                const std::uint64_t row = among[shape] & points;
                f(shape, row, row);
            });
        }
    }

   private:
    template <typename F>
    void put_row(std::size_t shape, std::uint64_t row, F f) const {
        for (int i = 0; i < support_count; ++i) row &= support_points[i] >> shortness(shape, supports[i]);
        std::uint64_t must = row;
        const StopperCells& stopped = stopper_cells();
        for (int i = 0; i < stopper_count; ++i) {
            row &= stopped.possible[stoppers[i]][shape];
            must &= stopped.certain[stoppers[i]][shape];
        }
        f(shape, row, must);
    }

    template <typename F>
    void each_shape(F f) const {
        for (std::size_t word = 0; word < shapes.size(); ++word)
            for (std::uint64_t left = shapes[word]; left; left &= left - 1)
                f(shape_of_bit(word, std::countr_zero(left)));
    }
};

}  // namespace

Clause& Clause::with(int feature, int least, int most) {
    if (count < longest)
        tests[count++] = {static_cast<std::int8_t>(feature), static_cast<std::int8_t>(least),
                          static_cast<std::int8_t>(most)};
    return *this;
}

Clause& add_hcp(Clause& clause, int least, int most) { return clause.with(meaning::hcp, least, most); }
Clause& add_length(Clause& clause, int suit, int least, int most) {
    return clause.with(suit_feature(meaning::length, suit), least, most);
}
Clause& add_support(Clause& clause, int suit, int least) {
    return clause.with(suit_feature(meaning::support, suit), least, 47);
}
Clause& add_stopper(Clause& clause, int suit) {
    return clause.with(suit_feature(meaning::stopper, suit), 2, 2);
}

Clauses both(ClausesView one, ClausesView other) {
    Clauses found;
    for (const Clause& first : one)
        for (const Clause& second : other) {
            Clause clause = first;
            bool is_possible = true;
            for (int i = 0; i < second.count; ++i) {
                const Test& test = second.tests[i];
                Test* same = std::find_if(clause.tests, clause.tests + clause.count,
                                          [&](const Test& had) { return had.feature == test.feature; });
                if (same == clause.tests + clause.count) {
                    is_possible = is_possible && clause.count < Clause::longest;
                    clause.with(test.feature, test.least, test.most);
                } else {
                    same->least = std::max(same->least, test.least);
                    same->most = std::min(same->most, test.most);
                    is_possible = is_possible && same->least <= same->most;
                }
            }
            if (is_possible) found.push_back(clause);
        }
    return found;
}

CountedHand::CountedHand(std::uint64_t hand)
    : cards(hand),
      shape(static_cast<std::size_t>(meaning::shape_of(hand))),
      points(meaning::high_card_points(hand)) {
    const auto put = [&](int feature, int value) {
        values_[static_cast<std::size_t>(feature)] = static_cast<std::int8_t>(value);
    };
    put(meaning::hcp, points);
    for (int suit = 0; suit < 4; ++suit) {
        put(suit_feature(meaning::length, suit),
            meaning::shape_table.lengths[shape][static_cast<std::size_t>(suit)]);
        put(suit_feature(meaning::support, suit), points + shortness(shape, suit));
    }
}

int CountedHand::value(int feature) const {
    if (static_cast<unsigned>(feature - suit_feature(meaning::stopper, 0)) < 4)
        return meaning::feature_value(cards, feature);
    return values_[static_cast<std::size_t>(feature)];
}

bool holds(ClausesView clauses, const CountedHand& hand) {
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        return std::all_of(clause.tests, clause.tests + clause.count, [&](const Test& test) {
            const int value = hand.value(test.feature);
            return test.least <= value && value <= test.most;
        });
    });
}

double misfit(ClausesView clauses, std::uint64_t hand, const double* spreads) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Clause& clause : clauses) {
        double sum = 0;
        for (int i = 0; i < clause.count; ++i) {
            const Test& test = clause.tests[i];
            const int value = meaning::feature_value(hand, test.feature);
            sum += std::max({0, test.least - value, value - test.most}) / spreads[test.feature];
        }
        nearest = std::min(nearest, sum);
    }
    return nearest;
}

bool cells_of(ClausesView clauses, const Cells& among, const Outline& outline, Cells& possible,
              Cells& certain) {
    bool is_begun = false, is_sure = true;  // whether all that is possible is certain
    if (clauses.empty()) return false;
    Sorted both[2];  // one and the next, in turn
    both[0].sort(clauses.front(), outline.shapes);
    for (std::size_t i = 0; i < clauses.size(); ++i) {
        Sorted &sorted = both[i & 1], &next = both[~i & 1];
        if (i + 1 < clauses.size()) {
            next.sort(clauses[i + 1], outline.shapes);
            sorted.leave_to(next);
        }
        if (!(sorted.points & outline.points)) continue;
        if (!is_begun) {
            possible.fill(0);
            is_begun = true;
        }
        if (is_sure && sorted.stopper_count) {
            certain = possible;
            is_sure = false;
        }
        if (is_sure)
            sorted.each_row(
                among, [&](std::size_t shape, std::uint64_t may, std::uint64_t) { possible[shape] |= may; });
        else
            sorted.each_row(among, [&](std::size_t shape, std::uint64_t may, std::uint64_t must) {
                possible[shape] |= may;
                certain[shape] |= must;
            });
    }
    if (is_begun && is_sure) certain = possible;
    return is_begun;
}

}  // namespace bidlab::bidding
