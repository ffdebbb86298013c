"""How new systems come from old ones (Woolever 2001, sections 4.1.1 and 4.1.2).

Migration (4.1.3) is a copy from another population and needs no operator.
"""

from __future__ import annotations

from enum import IntEnum

from bidlab._native import webb_offspring
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.system import WebbSystem


class Operator(IntEnum):
    """Five mutations of one parent, four crossovers of two; numbered as in native/webb/operators.hpp."""

    BIT_MUTATION = 0
    ENTRY_MUTATION = 1
    ENTRY_INSERTION = 2
    ENTRY_DELETION = 3
    TRANSITION_MUTATION = 4
    BITWISE_CROSSOVER = 5
    ENTRY_CROSSOVER = 6
    STATE_CROSSOVER = 7
    STATE_ADOPTION = 8

    @property
    def is_crossover(self) -> bool:
        """Whether it takes a second parent."""
        return self >= Operator.BITWISE_CROSSOVER


def offspring(how: Operator, parent: WebbSystem, other: WebbSystem, *, seed: int, number: int) -> WebbSystem:
    """The child of two systems of one form; mutations look at the first alone.

    It depends on the arguments alone: child `number` of a seed.
    """
    both = Population.of([parent, other])
    words, transitions = webb_offspring(
        how, both.words[0], both.transitions[0], both.words[1], both.transitions[1], seed, number
    )
    return Population(words[None], transitions[None], parent.inheritance, parent.options).system(0)
