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

// The child of a parent, and for the crossovers of another. Where the thesis speaks of a low probability it
// is 1/256 here, of a medium one 1/16.
Genome offspring(Operator how, const Form& form, const Genome& parent, const Genome& other,
                 Generator& random);

}  // namespace bidlab::webb
