#include "dealing/seats.hpp"

#include <bit>
#include <optional>

namespace bidlab {
namespace {

void find_runs(std::uint64_t points, Option& option) {
    option.runs = 0;
    while (points) {
        const int first = std::countr_zero(points);
        const int last = first + std::countr_one(points >> first) - 1;
        option.run[static_cast<std::size_t>(option.runs++)] = {static_cast<std::int8_t>(first),
                                                               static_cast<std::int8_t>(last)};
        points &= ~low_bits(last + 1);
    }
}

// The cards that make a hand of this shape of the known ones; none if the pool has too few or too many are
// known.
std::optional<Lengths> still_to_get(std::size_t shape, const Lengths& known, const Lengths& pool) {
    Lengths get{};
    for (std::size_t suit = 0; suit < 4; ++suit) {
        get[suit] = static_cast<std::int8_t>(meaning::shape_table.lengths[shape][suit] - known[suit]);
        if (get[suit] < 0 || get[suit] > pool[suit]) return std::nullopt;
    }
    return get;
}

}  // namespace

OpenSeat::OpenSeat(int number, const meaning::Condition* condition, std::uint64_t known, std::uint64_t pool)
    : number(number),
      need(13 - std::popcount(known)),
      denied(condition ? condition->denied() : 0),
      known_lengths(lengths_of(known)),
      points_by_shape(meaning::shapes) {
    const Lengths pool_lengths = lengths_of(pool);
    const int known_points = meaning::high_card_points(known);
    const HandCounts counts(pool, denied);
    double hands = 0, of_shapes = 0;
    for (std::size_t shape = 0; shape < meaning::shapes; ++shape) {
        const auto get = still_to_get(shape, known_lengths, pool_lengths);
        if (!get) continue;
        const std::uint64_t possible = condition ? condition->possible()[shape] : ~std::uint64_t{0};
        const std::uint64_t allowed = (possible & low_bits(meaning::most_points + 1)) >> known_points;
        Option option{*get, 0, 0, {}};
        double of_shape = 0;
        const HandCounts::ByPoints ways = counts.by_points(*get);
        for (std::size_t p = 0; p <= pack_points; ++p) {
            const auto with_points = static_cast<double>(ways[p]);
            of_shape += with_points;
            if (!ways[p] || !(allowed >> p & 1)) continue;
            option.points |= std::uint64_t{1} << p;
            hands += with_points;
        }
        if (!option.points) continue;
        of_shapes += of_shape;
        find_runs(allowed, option);
        points_by_shape[shape] = option.points;
        options.push_back(option);
    }
    hand_share = hands / static_cast<double>(choose(std::popcount(pool), need));
    point_share = of_shapes > 0 ? hands / of_shapes : 0;
}

std::uint64_t random_cards(Generator& generator, std::uint64_t cards, int count) {
    const int size = std::popcount(cards);
    // What stays behind is as random as what is taken, and the fewer are drawn.
    if (2 * count > size) return cards ^ random_cards(generator, cards, size - count);
    std::uint8_t list[52];
    int last = 0;
    for (std::uint64_t left = cards; left; left &= left - 1)
        list[last++] = static_cast<std::uint8_t>(std::countr_zero(left));
    std::uint64_t taken = 0;
    for (; count > 0; --count) {
        const std::uint32_t place = generator.below(static_cast<std::uint32_t>(last));
        taken |= std::uint64_t{1} << list[place];
        list[place] = list[--last];
    }
    return taken;
}

}  // namespace bidlab
