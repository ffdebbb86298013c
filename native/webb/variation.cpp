#include "webb/variation.hpp"

#include <algorithm>

namespace bidlab::webb {
namespace {

constexpr std::uint32_t decision_bit = 1u << 31;

std::uint32_t bits(Generator& random) { return static_cast<std::uint32_t>(random.next() >> 32); }
int below(Generator& random, int bound) {
    return static_cast<int>(random.below(static_cast<std::uint32_t>(bound)));
}
bool is_decision(std::uint32_t word) { return word & decision_bit; }

std::uint32_t with_field(std::uint32_t word, int first, int count, std::uint32_t value) {
    const std::uint32_t mask = ((1u << count) - 1) << first;
    return (word & ~mask) | (value << first & mask);
}

// Where the constant of a decision is, in bits from 8 on.
int constant_bits(std::uint32_t word, const Form& form) {
    const unsigned type = word & 255;
    const auto has = [&](std::uint32_t wanted) { return (form.options & wanted) != 0; };
    if (type < 128) {
        if (type >= 64 && type < 96 && has(option::bidding)) return 6;
        if (type >= 104 && type < 112 && has(option::controls)) return 4;
        if (type >= 112 && type < 120 && has(option::points)) return 6;
        if (type >= 120 && has(option::losers)) return 5;
        return 9;
    }
    if (type >= 192 && type < 208 && has(option::shape)) return type % 8 == 3 ? 5 : type % 8 == 0 ? 4 : 3;
    if (type >= 208 && type < 224 && has(option::holdings)) return type % 4 == 2 ? 6 : 3;
    return 4;
}

// A constant that some hands reach and some do not.
std::uint32_t with_apt_constant(std::uint32_t word, const Form& form, Generator& random) {
    const int count = constant_bits(word, form);
    int value = below(random, 1 << count);
    if (count == 9)
        value = 50 + below(random, word >> 18 & 1 ? 200 : 320);
    else if (word & 128 && count == 4)
        value = 2 + below(random, 8);
    else if (count == 6 && (word & 127) >= 112)
        value = 4 + below(random, word >> 18 & 1 ? 22 : 32);
    return with_field(word, 8, count, static_cast<std::uint32_t>(value));
}

std::uint32_t nudged(std::uint32_t word, const Form& form, Generator& random) {
    const int count = constant_bits(word, form), most = (1 << count) - 1;
    int step = 1;
    if (count == 9) step = 1 + below(random, 2 << below(random, 5));
    const int now = static_cast<int>(word >> 8) & most;
    const int to = std::clamp(below(random, 2) ? now + step : now - step, 0, most);
    return with_field(word, 8, count, static_cast<std::uint32_t>(to));
}

std::uint32_t decision_changed(std::uint32_t word, const Form& form, Generator& random) {
    switch (below(random, 7)) {
        case 0:
            return with_apt_constant(with_field(word, 0, 8, bits(random)), form, random);
        case 1:
            return with_field(word, 18, 5, bits(random));
        case 2:
            return word ^ 1u << 17;
        case 3:
            return with_field(word, 12, 4, bits(random));
        case 4:
            return with_apt_constant(word, form, random);
        default:
            return with_field(word, 24, 7, static_cast<std::uint32_t>(below(random, form.entries)));
    }
}

std::uint32_t bid_changed(std::uint32_t word, Generator& random) {
    switch (below(random, 4)) {
        case 0:
            return with_field(word, 0, 6, word + 1);
        case 1:
            return with_field(word, 0, 6, word + 63);
        case 2:
            return with_field(word, 0, 6, bits(random));
        default:
            return with_field(word, 0, 10, bits(random));
    }
}

class Editor {
   public:
    Editor(const Form& given, Genome& edited, const Used& seen, Generator& numbers)
        : form(given), child(edited), used(seen), random(numbers) {}

    void edit() {
        const int kind = below(random, 24);
        if (kind < 6) {
            if (std::uint32_t* word = entry(true)) *word = nudged(*word, form, random);
        } else if (kind < 10) {
            if (std::uint32_t* word = entry(true)) *word = decision_changed(*word, form, random);
        } else if (kind < 13) {
            if (std::uint32_t* word = entry(false)) *word = bid_changed(*word, random);
        } else if (kind < 15) {
            child.words[any_word()] = apt_word(form, random);
        } else if (kind < 16) {
            child.words[any_word()] = child.words[any_word()];
        } else if (kind < 19) {
            move_entries(below(random, 3) > 0);
        } else if (kind < 22) {
            a_link() = static_cast<std::uint8_t>(any_state());
        } else if (kind < 23) {
            split();
        } else {
            link(any_state(), calls) = static_cast<std::uint8_t>(any_state());
        }
    }

   private:
    int any_state() { return below(random, form.states); }
    // One of those that are used, unless one in eight times.
    std::size_t any_word() {
        if (!used.words.empty() && below(random, 8)) return one_of(used.words);
        return static_cast<std::size_t>(below(random, form.states * form.entries));
    }
    std::uint8_t& a_link() {
        if (!used.links.empty() && below(random, 8)) return child.links[one_of(used.links)];
        return link(any_state(), a_call());
    }
    std::size_t one_of(const std::vector<std::uint32_t>& numbers) {
        return numbers[static_cast<std::size_t>(below(random, static_cast<int>(numbers.size())))];
    }
    std::uint8_t& link(int state, int call) {
        return child.links[static_cast<std::size_t>(state * transitions + call)];
    }

    // An entry of the wanted sort; none where a few looks found none.
    std::uint32_t* entry(bool wants_decision) {
        for (int look = 0; look < 16; ++look)
            if (std::uint32_t& word = child.words[any_word()]; is_decision(word) == wants_decision)
                return &word;
        return nullptr;
    }

    // Low bids more often than high ones.
    int a_call() {
        const int most = below(random, 4) ? 15 : calls;
        return below(random, most);
    }

    // One entry comes or goes; jumps over its place keep their targets.
    void move_entries(bool is_insertion) {
        const int entries = form.entries, place = static_cast<int>(any_word()), at = place % entries;
        std::uint32_t* program = child.words.data() + (place - at);
        const auto jump_of = [&](std::uint32_t word) {
            return 1 + static_cast<int>((word >> 24 & 127) % static_cast<unsigned>(entries));
        };
        for (int i = 0; i < at; ++i) {
            if (!is_decision(program[i]) || i + jump_of(program[i]) <= at) continue;
            const int jump = jump_of(program[i]) + (is_insertion ? 1 : -1);
            if (jump >= 1 && jump <= entries)
                program[i] = with_field(program[i], 24, 7, static_cast<std::uint32_t>(jump - 1));
        }
        if (is_insertion) {
            std::copy_backward(program + at, program + entries - 1, program + entries);
            program[at] = apt_word(form, random);
        } else {
            std::copy(program + at + 1, program + entries, program + at);
            program[entries - 1] = apt_word(form, random);
        }
    }

    // A copy of a state takes the place of another, and one call leads there: nothing else has changed yet.
    void split() {
        const int from = any_state(), to = below(random, form.states);
        if (from == to) return;
        std::copy_n(child.words.begin() + from * form.entries, form.entries,
                    child.words.begin() + to * form.entries);
        std::copy_n(child.links.begin() + from * transitions, transitions,
                    child.links.begin() + to * transitions);
        a_link() = static_cast<std::uint8_t>(to);
    }

    const Form& form;
    Genome& child;
    const Used& used;
    Generator& random;
};

}  // namespace

std::uint32_t apt_word(const Form& form, Generator& random) {
    const std::uint32_t word = bits(random);
    return is_decision(word) ? with_apt_constant(word, form, random) : word;
}

Genome variant(const Form& form, const Genome& parent, const Genome& other, const Used& used,
               Generator& random) {
    constexpr Operator crossovers[] = {Operator::entry_crossover, Operator::state_crossover,
                                       Operator::state_adoption};
    if (!below(random, 16) && parent != other)
        return offspring(crossovers[below(random, 3)], form, parent, other, {}, random);
    Genome child = parent;
    Editor editor(form, child, used, random);
    do editor.edit();
    while (below(random, 5) < 2);
    return child;
}

}  // namespace bidlab::webb
