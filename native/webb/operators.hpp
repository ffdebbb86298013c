// How new systems come from old ones (Woolever 2001, sections 4.1.1 and 4.1.2).
#pragma once

#include <cstdint>
#include <vector>

#include "dealing/random.hpp"
#include "webb/program.hpp"

namespace bidlab::webb {

// A system as it is bred: words [state][entry], links [state][transition].
struct Genome {
    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> links;

    bool operator==(const Genome&) const = default;
};

enum class Operator : int {
    bit_mutation,
    entry_mutation,
    entry_insertion,
    entry_deletion,
    transition_mutation,
    bitwise_crossover,
    entry_crossover,
    state_crossover,
    state_adoption,
};
constexpr int operators = 9;

// How often mutations strike; the thesis speaks of a low and of a medium probability.
struct Rates {
    int low = 8;                // each bit with one in 2 to the power of this
    std::uint32_t medium = 16;  // each entry, or transition, with one in so many
};

// The child of a parent, and for the crossovers of another.
Genome offspring(Operator how, const Form& form, const Genome& parent, const Genome& other,
                 const Rates& rates, Generator& random);

}  // namespace bidlab::webb
