// The solver by itself: solve-deals SEED FIRST COUNT [THREADS] writes the trick tables of those deals (the
// first of a seed is 1) to standard output, ten bytes each (two results a byte, the first in the low half;
// strains C D H S NT, within each the declarers N E S W), in order, a hundred deals at a time.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "dealing/dealing.hpp"
#include "doubledummy/solver.hpp"

namespace dd = bidlab::doubledummy;

namespace {

bool solve_and_write(dd::Solver& solver, std::uint64_t seed, std::uint64_t first, std::size_t count) {
    std::vector<bidlab::DealBits> dealt(count);
    bidlab::deal_batch(seed, first, count, dealt.data());
    std::vector<dd::Hands> deals(count);
    for (std::size_t i = 0; i < count; ++i)
        for (int seat = 0; seat < 4; ++seat)
            for (int suit = 0; suit < 4; ++suit)
                deals[i].of[seat] |= (dealt[i].hand[seat] >> 13 * suit & 0x1fff) << 16 * suit;
    std::vector<std::uint8_t> tricks(20 * count), packed(10 * count);
    constexpr std::uint64_t no_budget = ~std::uint64_t{0};
    solver.solve(deals.data(), count, 0x1f, 0xf, no_budget, [](std::size_t) { return true; }, tricks.data());
    for (std::size_t i = 0; i < packed.size(); ++i)
        packed[i] = static_cast<std::uint8_t>(tricks[2 * i] | tricks[2 * i + 1] << 4);
    return std::fwrite(packed.data(), 10, count, stdout) == count && std::fflush(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "solve-deals SEED FIRST COUNT [THREADS]: trick tables to standard output\n");
        return 2;
    }
    const std::uint64_t seed = std::strtoull(argv[1], nullptr, 10),
                        first = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
    dd::Solver solver(argc > 4 ? std::atoi(argv[4]) : 0, std::size_t{4} << 30, false);
    constexpr std::uint64_t at_once = 100;
    for (std::uint64_t done = 0; done < count; done += at_once)
        if (!solve_and_write(solver, seed, first + done, std::min(at_once, count - done))) {
            std::perror("solve-deals");
            return 1;
        }
}
