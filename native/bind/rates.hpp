// How often mutations strike, checked.
#pragma once

#include <stdexcept>

#include "webb/operators.hpp"

inline bidlab::webb::Rates rates_of(int low, int medium) {
    if (low < 0 || low > 32) throw std::invalid_argument("a low rate of one in 2^0 to 2^32 is wanted");
    if (medium < 1) throw std::invalid_argument("a medium rate of one in 1 or more is wanted");
    return {low, static_cast<std::uint32_t>(medium)};
}
