// The question that a player asks in competition: is a call worth more than a pass? In numbers, for the
// network that answers it, from public information only.
#pragma once

#include <array>
#include <cstddef>

#include "bidding/knowledge.hpp"
#include "bidding/state.hpp"

namespace bidlab::bidding {

constexpr std::size_t question_size = 144;  // numbers of a question
using Question = std::array<float, question_size>;

// What is known where a player may pass or make a call, a bid or a double.
Question question_of(const State& state, const Bank& bank, int call);

}  // namespace bidlab::bidding
