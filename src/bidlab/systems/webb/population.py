"""Many systems of one form: as arrays, as values, and decoded for the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bidlab._native import WebbPopulation
from bidlab.bridge.calls import CALLS
from bidlab.bridge.errors import BidlabError
from bidlab.systems.webb.entries import MOST_ENTRIES
from bidlab.systems.webb.options import options_mask
from bidlab.systems.webb.system import MOST_STATES, WebbState, WebbSystem

Words = NDArray[np.uint32]
Transitions = NDArray[np.uint8]
LINKS = len(CALLS) + 1  # the last is the state that is inherited from


@dataclass(frozen=True, eq=False)
class Population:
    """Systems with equally many states and entries.

    >>> few = random_population(3, states=4, entries=8, seed=1)
    >>> few == Population.of(few.systems), len(few), few.words.shape
    (True, 3, (3, 4, 8))
    """

    words: Words = field(repr=False)  # [system, state, entry]
    transitions: Transitions = field(repr=False)  # [system, state, call and inherited]
    inheritance: int = 3
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, systems: Sequence[WebbSystem]) -> Population:
        """The population of some systems."""
        forms = {
            (len(one.states), len(one.states[0].program), one.inheritance, one.options) for one in systems
        }
        if len(forms) != 1:
            raise BidlabError(
                f"no population of {len(systems)} systems with {len(forms)} forms: "
                "equally many states, entries and inherited programs and the same options are wanted"
            )
        words = [[state.program for state in one.states] for one in systems]
        links = [[(*state.transitions, state.inherits) for state in one.states] for one in systems]
        first = systems[0]
        return cls(np.array(words, np.uint32), np.array(links, np.uint8), first.inheritance, first.options)

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Population):
            return NotImplemented
        return (
            np.array_equal(self.words, other.words)
            and np.array_equal(self.transitions, other.transitions)
            and self.inheritance == other.inheritance
            and self.options == other.options
        )

    __hash__ = None  # type: ignore[assignment]

    def system(self, number: int) -> WebbSystem:
        """One of the systems."""
        rows = zip(self.words[number].tolist(), self.transitions[number].tolist(), strict=True)
        states = (WebbState(tuple(words), tuple(links[:-1]), links[-1]) for words, links in rows)
        return WebbSystem(tuple(states), self.inheritance, self.options)

    @property
    def systems(self) -> tuple[WebbSystem, ...]:
        """All of them."""
        return tuple(map(self.system, range(len(self))))

    @cached_property
    def native(self) -> WebbPopulation:
        """The systems decoded."""
        return WebbPopulation(
            np.ascontiguousarray(self.words),
            np.ascontiguousarray(self.transitions),
            self.inheritance,
            options_mask(self.options),
        )


def random_population(
    count: int,
    *,
    states: int,
    entries: int,
    seed: int,
    inheritance: int = 3,
    options: tuple[str, ...] = (),
) -> Population:
    """Systems of random bits; every program starts with a decision (section 3.1).

    They depend on the arguments alone: PCG64's raw numbers are the same in every version of numpy.
    """
    if count < 1 or not 1 <= states <= MOST_STATES or not 1 <= entries <= MOST_ENTRIES:
        raise BidlabError(
            f"no {count} systems of {states} states with {entries} entries: "
            f"1 to {MOST_STATES} states of 1 to {MOST_ENTRIES} entries are possible"
        )
    raw = np.random.PCG64(seed)
    words = (raw.random_raw(count * states * entries) >> np.uint64(32)).astype(np.uint32)
    words = words.reshape(count, states, entries)
    words[:, :, 0] |= np.uint32(1 << 31)
    # The high half times the number of states: even to one part in 2^26.
    links = raw.random_raw(count * states * LINKS) >> np.uint64(32)
    transitions = (links * np.uint64(states) >> np.uint64(32)).astype(np.uint8)
    return Population(words, transitions.reshape(count, states, LINKS), inheritance, options)
