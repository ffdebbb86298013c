"""Tournaments of a population: members meet, fall, and are replaced (Woolever 2001, chapter 4).

docs/evolution.md has the rules; `native/webb/tournament.hpp` plays them. `played` is a function of its
arguments alone, so that a tournament can go on anywhere from a `Standing`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bidlab._native import WebbDeals, webb_play
from bidlab.bridge.errors import BidlabError
from bidlab.systems.webb.breeding import Operator
from bidlab.systems.webb.options import options_mask
from bidlab.systems.webb.population import Population

__all__ = ["COUNTS", "Rules", "Standing", "WebbDeals", "played", "turns_a_round"]

# What is counted since the beginning, in the order of native/webb/tournament.hpp: boards and pushes of
# members, boards that replaced members had played, then replacements by operator, and migrants.
COUNTS = ("boards", "pushes", "ended", *(one.name.lower() for one in Operator), "migrants")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a tournament is played by; the thesis's numbers by default (table 5.1)."""

    threshold: int = -15  # IMPs; a member that has fewer is replaced
    push_penalty: int = 1  # 1/256 IMPs, for each push in a row before this one
    weights: tuple[int, ...] = (1,) * len(Operator)  # how often each operator is taken
    contest: int = 1  # a parent is the fittest of so many; 1: any member
    low: int = 8  # bits mutate with one in 2 to the power of this
    medium: int = 16  # entries and transitions mutate with one in so many

    def __post_init__(self) -> None:
        if self.threshold > 0:
            raise BidlabError(f"a fitness threshold of {self.threshold} IMPs: 0 or less is wanted")
        if not 0 <= self.push_penalty < 1 << 16:
            raise BidlabError(f"a push penalty of {self.push_penalty}/256 IMPs: 0 to 65535 are possible")
        if len(self.weights) != len(Operator) or min(self.weights) < 0 or not sum(self.weights):
            raise BidlabError(f"weights {self.weights}: one from 0 for each of {len(Operator)} operators")
        if self.contest < 1:
            raise BidlabError(f"a contest of {self.contest} parents: 1 or more are wanted")
        if not 0 <= self.low <= 32 or self.medium < 1:
            raise BidlabError(f"mutation of one in 2^{self.low} and {self.medium}: 2^0 to 2^32, 1 or more")


@dataclass(frozen=True, eq=False)
class Standing:
    """A population after some turns: systems, fitness, pushes in a row, ages; best first after a round."""

    population: Population
    fitness: NDArray[np.int64] = field(repr=False)  # 1/(256 N) IMPs, of N members
    pushes: NDArray[np.int32] = field(repr=False)
    ages: NDArray[np.int64] = field(repr=False)  # boards played
    tally: NDArray[np.uint64] = field(repr=False)  # see COUNTS
    turn: int = 0

    @classmethod
    def of(cls, population: Population) -> Standing:
        """A population before its first turn."""
        count = len(population)
        if count < 2:
            raise BidlabError(f"a population of {count}: at least 2 members are wanted, to play each other")
        return cls(
            population,
            np.zeros(count, np.int64),
            np.zeros(count, np.int32),
            np.zeros(count, np.int64),
            np.zeros(len(COUNTS), np.uint64),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Standing):
            return NotImplemented
        return (
            self.population == other.population
            and self.turn == other.turn
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("fitness", "pushes", "ages", "tally")
            )
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def imps(self) -> NDArray[np.float64]:
        """The fitness of each member in IMPs."""
        return self.fitness / (256.0 * len(self.fitness))

    @property
    def best(self) -> int:
        """The number of the member with the highest fitness."""
        return int(np.argmax(self.fitness))

    def count(self, name: str) -> int:
        """How often something happened since the beginning; see COUNTS."""
        return int(self.tally[COUNTS.index(name)])

    @property
    def replacements(self) -> int:
        """How many members were replaced since the beginning."""
        return int(self.tally[3:].sum())


def turns_a_round(members: int) -> int:
    """The turns in which each member meets each other once; of an odd number one sits out a turn."""
    return members - 1 + members % 2


def played(
    standing: Standing,
    deals: WebbDeals,
    turns: int,
    rules: Rules,
    *,
    seed: int,
    migrants: Population | None = None,
    migration: float = 0.0,
    threads: int = 1,
) -> Standing:
    """The standing after so many more turns; `threads` 0 takes all cores, and changes nothing else.

    A replacement is a copy of one of the migrants with the probability `migration`.
    """
    members = standing.population
    from_others = Population(members.words[:0], members.transitions[:0]) if migrants is None else migrants
    words, transitions, fitness, pushes, ages, tally = webb_play(
        deals,
        np.ascontiguousarray(members.words),
        np.ascontiguousarray(members.transitions),
        members.inheritance,
        standing.fitness,
        standing.pushes,
        standing.ages,
        standing.tally,
        standing.turn,
        turns,
        seed,
        rules.threshold,
        rules.push_penalty,
        np.array(rules.weights, np.uint32),
        rules.contest,
        rules.low,
        rules.medium,
        np.ascontiguousarray(from_others.words),
        np.ascontiguousarray(from_others.transitions),
        round(migration * (1 << 32)),
        threads,
        options_mask(members.options),
    )
    after = replace(members, words=words, transitions=transitions)
    return Standing(after, fitness, pushes, ages, tally, standing.turn + turns)
