#include "bidding/reviewer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "meaning/pool.hpp"
#include "processor/processor.hpp"

namespace bidlab::bidding {

namespace {

// Sums side by side, in as many registers as they take.
typedef float Panel __attribute__((vector_size(32)));
constexpr std::size_t panel = sizeof(Panel) / sizeof(float);
constexpr std::size_t panels_for(std::size_t outputs) { return (outputs + panel - 1) / panel; }

// One layer; sums are taken input by input, so that they come out alike on every machine. Half of what is
// asked is 0 and left out.
template <std::size_t In, std::size_t Out>
[[gnu::always_inline]] inline const float* layer(const float* weights, const std::array<float, In>& from,
                                                 std::array<float, Out>& to) {
    std::array<std::size_t, In> used;
    std::size_t count = 0;
    for (std::size_t i = 0; i < In; ++i) {
        used[count] = i;
        count += from[i] != 0;
    }
    Panel sums[Out / panel];
    std::memcpy(sums, weights + In * Out, sizeof sums);
    for (std::size_t at = 0; at < count; ++at) {
        const float* row = weights + used[at] * Out;
        const float value = from[used[at]];
        for (std::size_t i = 0; i < Out / panel; ++i) {
            Panel here;
            std::memcpy(&here, row + panel * i, sizeof here);
            sums[i] += here * value;
        }
    }
    std::memcpy(to.data(), sums, sizeof sums);
    return weights + (In + 1) * Out;
}

template <std::size_t Count>
[[gnu::always_inline]] inline void rectify(std::array<float, Count>& values) {
    for (float& value : values) value = std::max(value, 0.0f);
}

// By half of an even number of points: those from it on, and those below it.
struct Steps {
    static constexpr std::uint64_t all = low_bits(meaning::most_points + 1);
    std::uint64_t from[meaning::most_points / 2 + 2], below[meaning::most_points / 2 + 2];

    constexpr Steps() : from{}, below{} {
        for (int half = 0; half < meaning::most_points / 2 + 2; ++half) {
            from[half] = all & ~low_bits(2 * half);
            below[half] = all & low_bits(2 * half);
        }
    }
};

constexpr Steps steps;

// Kinds of lengths by cards: of the suit that is bid, 0-2, 3 .. 7 or more; of theirs, 0 .. 5 or more.
constexpr int own_kind(int cards) { return std::clamp(cards - 2, 0, Worth::lengths - 1); }
constexpr int their_kind(int cards) { return std::clamp(cards, 0, Worth::lengths - 1); }

// The shapes, those with the same kinds of lengths in two suits together, for each two suits.
struct Sorting {
    std::uint16_t shapes[meaning::shapes];
    std::uint16_t first[Sieve::kinds + 1];  // by kind, where its shapes begin

    Sorting() = default;
    Sorting(int suit, int over) : first{} {
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape) ++first[kind_of(shape, suit, over) + 1];
        for (std::size_t kind = 0; kind < Sieve::kinds; ++kind)
            first[kind + 1] = static_cast<std::uint16_t>(first[kind] + first[kind + 1]);
        std::array<std::uint16_t, Sieve::kinds> next;
        std::copy_n(first, Sieve::kinds, next.begin());
        for (std::size_t shape = 0; shape < meaning::shapes; ++shape)
            shapes[next[kind_of(shape, suit, over)]++] = static_cast<std::uint16_t>(shape);
    }

    static constexpr std::size_t kind_of(std::size_t shape, int suit, int over) {
        const meaning::Lengths& lengths = meaning::shape_table.lengths[shape];
        const int own = suit < 0 ? 0 : own_kind(lengths[static_cast<std::size_t>(suit)]);
        const int their = over < 0 ? 0 : their_kind(lengths[static_cast<std::size_t>(over)]);
        return static_cast<std::size_t>(own * Worth::lengths + their);
    }

    // Calls f(shape) for each shape of a kind.
    template <typename F>
    void each_shape(std::size_t kind, F f) const {
        for (std::size_t i = first[kind]; i < first[kind + 1]; ++i) f(shapes[i]);
    }
};

struct Sortings {
    Sorting of[5][5];  // -1, no suit, comes first

    Sortings() {
        for (int suit = -1; suit < 4; ++suit)
            for (int over = -1; over < 4; ++over) of[suit + 1][over + 1] = Sorting(suit, over);
    }
};

const Sortings sortings;

const Sorting& sorting(int suit, int over) { return sortings.of[suit + 1][over + 1]; }

// Hands with lengths of these kinds and these points.
struct Box {
    int own, last_own, their, last_their;
    std::uint64_t points;
};

Clause clause_of(const Box& box, int suit, int over) {
    Clause clause;
    constexpr int last = Worth::lengths - 1;
    const auto add = [&](int of, int least, int most) {
        if (least > 0 || most < 13) add_length(clause, of, least, most);
    };
    if (suit >= 0) add(suit, box.own ? box.own + 2 : 0, box.last_own < last ? box.last_own + 2 : 13);
    if (over >= 0) add(over, box.their, box.last_their < last ? box.last_their : 13);
    const int least = std::countr_zero(box.points), most = 63 - std::countl_zero(box.points);
    if (least > 0 || most < meaning::most_points || !clause.count) add_hcp(clause, least, most);
    return clause;
}

}  // namespace

// Points change by twos: finer steps are not known so well, and make conditions that nobody can read.
Sieve::Sieve(const Worth& worth, int suit, int over, double limit, bool is_less, const Thinkable& thinkable)
    : suit_(suit), over_(over) {
    // 1. What hands are worth by their lengths at ten points, and for each point more. Less than a limit is
    // more than its opposite.
    const double sign = is_less ? -1 : 1, a_point = sign * (worth.points / 5);
    double sums[kinds];
    for (std::size_t own = 0; own < Worth::lengths; ++own)
        for (std::size_t their = 0; their < Worth::lengths; ++their) {
            double sum = worth.base;
            if (suit >= 0) sum += worth.own[own];
            if (over >= 0) sum += worth.theirs[their];
            sums[own * Worth::lengths + their] = sign * sum;
        }
    limit *= sign;
    // 2. The number of points at which they are worth the limit; the points on the better side of it, those
    // of hands that may think of the call at all.
    const bool is_flat = std::abs(a_point) < 1e-6;
    const std::uint64_t* better = a_point > 0 ? steps.from : steps.below;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (is_flat) {
            points_[kind] = sums[kind] > limit ? Steps::all : 0;
        } else {
            const double at =
                std::clamp(10 + (limit - sums[kind]) / a_point, -1.0, meaning::most_points + 1.0);
            points_[kind] = better[static_cast<int>(at / 2 + 0.5)];  // not below 0: cut is rounded down
        }
        any_points_ |= points_[kind] &= thinkable[kind / Worth::lengths];
    }
}

Sieve::ByKind Sieve::there(const Cells& cells) const {
    ByKind there;
    const Sorting& sorted = sorting(suit_, over_);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        std::uint64_t any = 0;
        sorted.each_shape(kind, [&](std::size_t shape) { any |= cells[shape]; });
        there[kind] = any;
    }
    return there;
}

bool Sieve::has_some(const ByKind& there) const {
    std::uint64_t any = 0;
    for (std::size_t kind = 0; kind < kinds; ++kind) any |= there[kind] & points_[kind];
    return any;
}

void Sieve::sift(const ByKind& there, Cells& possible, Cells& certain, Cells& sifted, Cells& surely) const {
    sifted.fill(0);
    surely.fill(0);
    const Sorting& sorted = sorting(suit_, over_);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const std::uint64_t points = points_[kind];
        if (!(points & there[kind])) continue;
        sorted.each_shape(kind, [&](std::size_t shape) {
            const std::uint64_t may = possible[shape] & points, sure = may & certain[shape];
            sifted[shape] = may;
            surely[shape] = sure;
            possible[shape] &= ~sure;
            certain[shape] &= ~sure;
        });
    }
}

Clauses Sieve::clauses(const ByKind& there) const {
    const auto at = [](int own, int their) { return static_cast<std::size_t>(own * Worth::lengths + their); };
    // What does not come up may be said or not.
    const auto is_same = [&](int own, int their, std::uint64_t points) {
        return !(there[at(own, their)] & (points ^ points_[at(own, their)]));
    };
    // A box from each two kinds that none has yet, made as wide as it can be, then as high.
    std::array<bool, kinds> is_said{};
    Clauses clauses;
    for (int own = 0; own < Worth::lengths; ++own)
        for (int their = 0; their < Worth::lengths; ++their) {
            const std::uint64_t points = points_[at(own, their)];
            if (is_said[at(own, their)] || !(there[at(own, their)] & points)) continue;
            Box box{own, own, their, their, points};
            while (box.last_their + 1 < Worth::lengths && is_same(own, box.last_their + 1, points))
                ++box.last_their;
            const auto is_same_row = [&](int row) {
                for (int one = box.their; one <= box.last_their; ++one)
                    if (!is_same(row, one, points)) return false;
                return true;
            };
            while (box.last_own + 1 < Worth::lengths && is_same_row(box.last_own + 1)) ++box.last_own;
            for (int row = own; row <= box.last_own; ++row)
                for (int one = box.their; one <= box.last_their; ++one) is_said[at(row, one)] = true;
            clauses.push_back(clause_of(box, suit_, over_));
        }
    return clauses;
}

double Worth::mean(const Summary& own_hand, int suit, int over) const {
    double sum = base + points * (own_hand.hcp.mean - 10) / 5;
    const auto kind = [](int of) { return static_cast<std::size_t>(of); };
    if (suit >= 0) sum += own[kind(own_kind(static_cast<int>(own_hand.length[suit].mean + 0.5)))];
    if (over >= 0) sum += theirs[kind(their_kind(static_cast<int>(own_hand.length[over].mean + 0.5)))];
    return sum;
}

namespace {

constexpr std::size_t padded_outputs = panel * panels_for(Reviewer::outputs);

BIDLAB_WIDE void run_network(const float* weights, const Question& question,
                             std::array<float, padded_outputs>& found) {
    std::array<float, Reviewer::hidden> first, second;
    weights = layer(weights, question, first);
    rectify(first);
    weights = layer(weights, first, second);
    rectify(second);
    layer(weights, second, found);
}

}  // namespace

Reviewer::Reviewer(const std::vector<float>& weights) {
    constexpr std::size_t last_layer = size - (hidden + 1) * outputs;
    weights_.assign(weights.begin(), weights.begin() + last_layer);
    for (std::size_t at = last_layer; at < size; at += outputs) {
        const auto row = weights.begin() + static_cast<std::ptrdiff_t>(at);
        weights_.insert(weights_.end(), row, row + outputs);
        weights_.insert(weights_.end(), padded_outputs - outputs, 0.0f);
    }
}

Worth Reviewer::worth(const Question& question) const {
    std::array<float, padded_outputs> found;
    run_network(weights_.data(), question, found);
    Worth worth;
    worth.base = found[0];
    worth.points = found[1];
    std::copy_n(found.begin() + 2, Worth::lengths, worth.own.begin());
    std::copy_n(found.begin() + 2 + Worth::lengths, Worth::lengths, worth.theirs.begin());
    return worth;
}

}  // namespace bidlab::bidding
