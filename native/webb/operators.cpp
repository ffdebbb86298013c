#include "webb/operators.hpp"

#include <algorithm>
#include <bit>

namespace bidlab::webb {
namespace {

std::uint32_t word(Generator& random) { return static_cast<std::uint32_t>(random.next() >> 32); }

std::uint8_t state(Generator& random, const Form& form) {
    return static_cast<std::uint8_t>(random.below(static_cast<std::uint32_t>(form.states)));
}

std::size_t below(Generator& random, int bound) { return random.below(static_cast<std::uint32_t>(bound)); }

// Each bit with the low probability.
std::uint32_t few_bits(Generator& random, int low) {
    std::uint32_t bits = ~0u;
    for (int i = 0; i < low; ++i) bits &= word(random);
    return bits;
}

// Transitions are numbers of states; where these are no power of two, a pattern of bits may be beyond them.
std::uint8_t link(unsigned bits, const Form& form) {
    const unsigned states = static_cast<unsigned>(form.states);
    return static_cast<std::uint8_t>((bits & (std::bit_ceil(states) - 1)) % states);
}

void mutate_bits(const Form& form, Genome& child, int low, Generator& random) {
    for (auto& entry : child.words) entry ^= few_bits(random, low);
    for (auto& to : child.links) to = link(to ^ few_bits(random, low), form);
}

void mutate_entries(Genome& child, std::uint32_t medium, Generator& random) {
    for (auto& entry : child.words)
        if (!random.below(medium)) entry = word(random);
}

void mutate_transitions(const Form& form, Genome& child, std::uint32_t medium, Generator& random) {
    for (auto& to : child.links)
        if (!random.below(medium)) to = state(random, form);
}

bool is_decision(std::uint32_t entry) { return entry >> 31; }

int jump_of(std::uint32_t entry, int entries) {
    return 1 + static_cast<int>((entry >> 24 & 0x7f) % static_cast<unsigned>(entries));
}

// The same decision with another jump; farther than a program is long none goes.
std::uint32_t with_jump(std::uint32_t entry, int jump, int entries) {
    if (jump > entries) return entry;
    return (entry & 0x80ffffff) | static_cast<std::uint32_t>(jump - 1) << 24;
}

// Decisions before an entry that comes or goes keep what they lead to in their program, those behind it what
// they lead to in an inherited one.
void mend_jumps(std::uint32_t* program, int entries, int at, bool is_insertion) {
    const int later = is_insertion ? 1 : -1;
    for (int i = 0; i < entries; ++i) {
        if (!is_decision(program[i])) continue;
        const int jump = jump_of(program[i], entries), target = i + jump;
        const bool moves_along = is_insertion ? target >= at : target > at;
        if (i < at && target < entries && moves_along)
            program[i] = with_jump(program[i], jump + later, entries);
        else if ((is_insertion ? i >= at : i > at) && target >= entries && jump > later)
            program[i] = with_jump(program[i], jump - later, entries);
    }
}

void insert_entry(const Form& form, Genome& child, Generator& random) {
    std::uint32_t* program = child.words.data() + below(random, form.states) * form.entries;
    const auto at = below(random, form.entries);
    mend_jumps(program, form.entries, static_cast<int>(at), true);
    std::copy_backward(program + at, program + form.entries - 1, program + form.entries);
    program[at] = word(random);
}

void delete_entry(const Form& form, Genome& child, Generator& random) {
    std::uint32_t* program = child.words.data() + below(random, form.states) * form.entries;
    const auto at = below(random, form.entries);
    mend_jumps(program, form.entries, static_cast<int>(at), false);
    std::copy(program + at + 1, program + form.entries, program + at);
    program[form.entries - 1] = word(random);
}

void cross_bits(const Form& form, Genome& child, const Genome& other, Generator& random) {
    const auto mixed = [&random](unsigned one, unsigned two) {
        const std::uint32_t mask = word(random);
        return (one & mask) | (two & ~mask);
    };
    for (std::size_t i = 0; i < child.words.size(); ++i)
        child.words[i] = mixed(child.words[i], other.words[i]);
    for (std::size_t i = 0; i < child.links.size(); ++i)
        child.links[i] = link(mixed(child.links[i], other.links[i]), form);
}

void cross_entries(Genome& child, const Genome& other, Generator& random) {
    for (std::size_t i = 0; i < child.words.size(); ++i)
        if (random.below(2u)) child.words[i] = other.words[i];
    for (std::size_t i = 0; i < child.links.size(); ++i)
        if (random.below(2u)) child.links[i] = other.links[i];
}

void copy_state(const Form& form, Genome& child, std::size_t to, const Genome& other, std::size_t from) {
    const auto entries = static_cast<std::size_t>(form.entries);
    std::copy_n(other.words.data() + from * entries, entries, child.words.data() + to * entries);
    std::copy_n(other.links.data() + from * transitions, transitions, child.links.data() + to * transitions);
}

void cross_states(const Form& form, Genome& child, const Genome& other, Generator& random) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(form.states); ++i)
        if (random.below(2u)) copy_state(form, child, i, other, i);
}

void adopt_state(const Form& form, Genome& child, const Genome& other, Generator& random) {
    const std::size_t to = below(random, form.states), from = below(random, form.states);
    copy_state(form, child, to, other, from);
}

}  // namespace

Genome offspring(Operator how, const Form& form, const Genome& parent, const Genome& other,
                 const Rates& rates, Generator& random) {
    Genome child = parent;
    switch (how) {
        case Operator::bit_mutation:
            mutate_bits(form, child, rates.low, random);
            break;
        case Operator::entry_mutation:
            mutate_entries(child, rates.medium, random);
            break;
        case Operator::entry_insertion:
            insert_entry(form, child, random);
            break;
        case Operator::entry_deletion:
            delete_entry(form, child, random);
            break;
        case Operator::transition_mutation:
            mutate_transitions(form, child, rates.medium, random);
            break;
        case Operator::bitwise_crossover:
            cross_bits(form, child, other, random);
            break;
        case Operator::entry_crossover:
            cross_entries(child, other, random);
            break;
        case Operator::state_crossover:
            cross_states(form, child, other, random);
            break;
        case Operator::state_adoption:
            adopt_state(form, child, other, random);
            break;
    }
    return child;
}

}  // namespace bidlab::webb
