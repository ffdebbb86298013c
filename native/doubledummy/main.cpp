// The solver by itself: solve-deals SEED FIRST COUNT [THREADS [whole]] writes the trick tables of those deals
// (the first of a seed is 1) to standard output, ten bytes each (two results a byte, the first in the low
// half; strains C D H S NT, within each the declarers N E S W), in order, a hundred deals a thread at a time.
// With `whole` each has its deal before it, thirteen bytes (two bits a card from the two of clubs up, the
// holder N 0 .. W 3, lowest bits first): the records of a library.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "dealing/dealing.hpp"
#include "doubledummy/solver.hpp"

namespace dd = bidlab::doubledummy;

namespace {

void pack_deal(const bidlab::DealBits& deal, std::uint8_t* out) {
    for (int card = 0; card < 52; ++card)
        for (int seat = 0; seat < 4; ++seat)
            if (deal.hand[seat] >> card & 1) out[card / 4] |= static_cast<std::uint8_t>(seat << card % 4 * 2);
}

bool solve_and_write(dd::Solver& solver, std::uint64_t seed, std::uint64_t first, std::size_t count,
                     bool whole) {
    std::vector<bidlab::DealBits> dealt(count);
    bidlab::deal_batch(seed, first, count, dealt.data());
    std::vector<dd::Hands> deals(count);
    for (std::size_t i = 0; i < count; ++i)
        for (int seat = 0; seat < 4; ++seat)
            for (int suit = 0; suit < 4; ++suit)
                deals[i].of[seat] |= (dealt[i].hand[seat] >> 13 * suit & 0x1fff) << 16 * suit;
    const std::size_t front = whole ? 13 : 0, size = front + 10;
    std::vector<std::uint8_t> tricks(20 * count), packed(size * count);
    constexpr std::uint64_t no_budget = ~std::uint64_t{0};
    solver.solve(deals.data(), count, 0x1f, 0xf, no_budget, [](std::size_t) { return true; }, tricks.data());
    for (std::size_t i = 0; i < count; ++i) {
        if (whole) pack_deal(dealt[i], &packed[size * i]);
        const std::uint8_t* from = &tricks[20 * i];
        for (std::size_t k = 0; k < 10; ++k)
            packed[size * i + front + k] = static_cast<std::uint8_t>(from[2 * k] | from[2 * k + 1] << 4);
    }
    return std::fwrite(packed.data(), size, count, stdout) == count && std::fflush(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr,
                     "solve-deals SEED FIRST COUNT [THREADS [whole]]: trick tables to standard output\n");
        return 2;
    }
    const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10),
                        first = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
    const int threads = argc > 4 ? std::atoi(argv[4]) : 0;
    const bool whole = argc > 5 && std::strcmp(argv[5], "whole") == 0;
    dd::Solver solver(threads, std::size_t{4} << 30, false);
    // Threads wait for the last deal of a batch: with a hundred each, that is a small part of their time.
    const std::uint64_t at_once = 100 * static_cast<std::uint64_t>(std::max(threads, 1));
    for (std::uint64_t done = 0; done < count; done += at_once)
        if (!solve_and_write(solver, seed, first + done, std::min(at_once, count - done), whole)) {
            std::perror("solve-deals");
            return 1;
        }
}
