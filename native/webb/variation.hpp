// Small changes to systems: one to four edits, most of which leave what a system bids nearly as it was.
//
// The thesis's operators flip bits and draw whole entries anew (operators.hpp). A climb needs neighbours that
// are better about as often as worse: a constant a little higher, another call in one place, one transition.
#pragma once

#include "webb/operators.hpp"

namespace bidlab::webb {

// Numbers of words and transitions that a system was seen to use: most edits are made there, since others
// change nothing. None: any.
struct Used {
    std::vector<std::uint32_t> words, links;
};

// A child of a parent by some edits, or now and then by a crossover with another.
Genome variant(const Form& form, const Genome& parent, const Genome& other, const Used& used,
               Generator& random);

// A word at random whose constants are such as tell hands apart.
std::uint32_t apt_word(const Form& form, Generator& random);

}  // namespace bidlab::webb
