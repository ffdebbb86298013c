"""A search by small steps: a few systems, each of which gives way only to a child that is surely better.

The thesis's tournaments compare systems on boards of their own, each in another match, so that luck decides
most replacements. Here children and their parent bid the same boards, and what counts is the difference: most
boards show none, and a few hundred are enough to drop most children. Those that are left bid more and more
boards; the last one takes its parent's place where the difference is beyond doubt. Children that bid as their
parent does on every board are taken, too, where there is nothing better: what does no harm now may be the
first half of what does good later.

On some of the boards a system meets itself, and the distance from par counts; on the others it meets its
fellows and earlier systems of the run, and its score counts: systems that are near par only as long as
nobody disturbs them are no good.

A generation depends on the standing, the seed and its number alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bidlab._native import WebbPopulation, webb_measured, webb_variants
from bidlab.bridge.errors import BidlabError
from bidlab.runs import seed_at
from bidlab.systems.webb.options import options_mask
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.tournament import COUNTS, Standing

TURN_BOARDS = 10_000  # boards are bid in turns of at least so many, for the sake of runs that count turns
_RANKED_BOARDS = 2000
_NOT_RANKED = -(1 << 60)  # fitness of earlier systems
_UNITS = 256  # of fitness, in an IMP, for each member
_BOARDS, _NEUTRAL, _GENERATIONS, _BETTER = (
    COUNTS.index(name) for name in ("boards", "pushes", "ended", "bit_mutation")
)


@dataclass(frozen=True, slots=True)
class Steps:
    """How a climb goes; of each parent, and by stages."""

    children: int = 48
    stages: tuple[int, ...] = (100, 400, 1600, 6400)  # boards
    kept: tuple[int, ...] = (6, 2, 1, 1)  # children that are left after a stage
    certainty: tuple[float, ...] = (0.3, 0.3, 0.3, 1.0)  # standard errors by which they are better
    against: float = 0.25  # share of the boards that are bid against others
    hall: int = 8  # earlier systems that are kept as opponents
    ranked: int = 20  # generations after which the parents are compared
    honoured: int = 25  # generations after which one of them becomes an earlier system
    merged: int = 200  # generations after which the best takes the place of the worst

    def __post_init__(self) -> None:
        lengths = {len(self.stages), len(self.kept), len(self.certainty)}
        if len(lengths) != 1 or not self.stages or min(self.stages) < 2 or min(self.kept) < 1:
            raise BidlabError(
                f"stages {self.stages} with {self.kept} kept and certainty {self.certainty}: as many of "
                "each, 2 boards and 1 child at least"
            )
        if self.children < 1 or not 0 <= self.against < 1 or self.hall < 0:
            raise BidlabError(
                f"{self.children} children, {self.against} against others, {self.hall} of them earlier ones: "
                "1 child or more, a share from 0 to 1, 0 earlier ones or more are possible"
            )
        if min(self.ranked, self.honoured, self.merged) < 1:
            raise BidlabError("generations between rankings, honours and mergers: 1 or more are wanted")


@dataclass(frozen=True, eq=False)
class SolvedBoards:
    """Boards with their tricks and par, from North-South's side."""

    hands: NDArray[np.uint64] = field(repr=False)  # [board, seat]
    tricks: NDArray[np.uint8] = field(repr=False)  # [board, strain, declarer]
    par: NDArray[np.int32] = field(repr=False)
    dealers: NDArray[np.uint8] = field(repr=False)
    vulnerable: NDArray[np.uint8] = field(repr=False)

    def __len__(self) -> int:
        return len(self.hands)

    def at(self, places: NDArray[np.int64]) -> SolvedBoards:
        """Some of them."""
        return SolvedBoards(
            self.hands[places],
            self.tricks[places],
            self.par[places],
            self.dealers[places],
            self.vulnerable[places],
        )

    def imps(
        self, systems: WebbPopulation, opponents: WebbPopulation, who: NDArray[np.int32], threads: int
    ) -> NDArray[np.int32]:
        """IMPs [entrant, board] of systems against opponents; -1 for themselves: minus the distance from par.

        Who meets others sits North-South on even and East-West on odd boards, and its score less par counts.
        """
        found = webb_measured(
            systems, opponents, who, self.hands, self.tricks, self.par, self.dealers, self.vulnerable, threads
        )
        return found.astype(np.int32)


def first_climb(parents: Population, steps: Steps) -> Standing:
    """The standing before the first generation: the parents, and as earlier systems copies of them."""
    count = len(parents)
    rows = np.concatenate([np.arange(count), np.arange(steps.hall) % count])
    members = replace(parents, words=parents.words[rows], transitions=parents.transitions[rows])
    standing = Standing(
        members,
        np.zeros(len(members), np.int64),
        np.zeros(len(members), np.int32),
        np.zeros(len(members), np.int64),
        np.zeros(len(COUNTS), np.uint64),
    )
    standing.fitness[count:] = _NOT_RANKED
    return standing


def climbed(
    standing: Standing, boards: SolvedBoards, turns: int, steps: Steps, *, seed: int, threads: int = 1
) -> Standing:
    """The standing after so many more turns, of TURN_BOARDS boards at least; `threads` 0 takes all cores.

    Generations are whole, so that a turn may be over before it begins. Of the tally `boards` are auctions,
    `ended` generations, `bit_mutation` better children and `pushes` children that made no difference.
    """
    climb = _Climb(standing, boards, steps, seed, threads)
    wanted = (standing.turn + turns) * TURN_BOARDS
    while climb.tally[_BOARDS] < wanted:
        climb.generation()
    after = replace(standing.population, words=climb.words, transitions=climb.links)
    return Standing(after, climb.fitness, standing.pushes, climb.ages, climb.tally, standing.turn + turns)


class _Climb:
    """A climb under way: copies of what changes."""

    def __init__(
        self, standing: Standing, boards: SolvedBoards, steps: Steps, seed: int, threads: int
    ) -> None:
        members = standing.population
        self.words, self.links = members.words.copy(), members.transitions.copy()
        self.fitness, self.ages, self.tally = (
            standing.fitness.copy(),
            standing.ages.copy(),
            standing.tally.copy(),
        )
        self.parents = len(self.words) - steps.hall
        self._boards, self._steps, self._seed, self._threads = boards, steps, seed, threads
        self._options = options_mask(members.options)
        self._native = partial(WebbPopulation, inheritance=members.inheritance, options=self._options)
        # Boards come in an order of the seed: multiples of a number without common factor.
        self._stride = next(
            number
            for number in range(seed_at(seed, 0) % len(boards), 3 * len(boards))
            if np.gcd(number, len(boards)) == 1
        )

    # --- boards -------------------------------------------------------------------------------------------

    def _sample(self, begin: int, count: int) -> SolvedBoards:
        """Boards from a place of the order on."""
        places = (begin + np.arange(count, dtype=np.int64)) % len(self._boards)
        return self._boards.at(places * self._stride % len(self._boards))

    def _imps(self, systems: WebbPopulation, who: NDArray[np.int64], boards: SolvedBoards,
              against: WebbPopulation, opponent: int) -> NDArray[np.int32]:  # fmt: skip
        """IMPs [system, board]: first the boards that systems bid alone, then those against an opponent."""
        alone = len(boards) - round(len(boards) * self._steps.against)
        parts = []
        for places, other in (
            (np.arange(alone), -1),
            (np.arange(alone, len(boards)), opponent),
        ):
            if len(places):
                entrants = np.stack([who, np.full(len(who), other)], axis=1).astype(np.int32)
                parts.append(boards.at(places).imps(systems, against, entrants, self._threads))
        self.tally[_BOARDS] += np.uint64(len(who) * len(boards))
        return np.concatenate(parts, axis=1)

    # --- a generation -------------------------------------------------------------------------------------

    def generation(self) -> None:
        """Breed children of each parent, and let those that are better take its place."""
        steps, number = self._steps, int(self.tally[_GENERATIONS])
        before = int(self.tally[_BOARDS])
        parent_of = np.repeat(np.arange(self.parents), steps.children)
        words, links = self._children(parent_of, number)
        systems = self._native(
            np.concatenate([self.words[: self.parents], words]),
            np.concatenate([self.links[: self.parents], links]),
        )
        taken, is_better = self._race(systems, parent_of, number)
        for child, better in zip(taken.tolist(), is_better.tolist(), strict=True):
            parent = parent_of[child]
            self.words[parent], self.links[parent] = words[child], links[child]
            self.tally[_BETTER if better else _NEUTRAL] += np.uint64(1)
            if better:
                self.ages[parent] = 0
        number += 1
        self.tally[_GENERATIONS] = np.uint64(number)
        if number % steps.ranked == 0:
            self._rank(number)
        if number % steps.merged == 0 and self.parents > 1:
            self._put(int(self.fitness[: self.parents].argmin()), int(self.fitness.argmax()))
        if number % steps.honoured == 0 and steps.hall:
            place = self._drawn(steps.hall, number, 2)
            self._put(self.parents + place, number // steps.honoured % self.parents)
            self.fitness[self.parents + place] = _NOT_RANKED
        self.ages[: self.parents] += int(self.tally[_BOARDS]) - before

    def _children(
        self, parent_of: NDArray[np.int64], number: int
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
        """Words and transitions of this generation's children."""
        # Mates are any members; one's own parent among them leaves it to edits.
        mates = [self._drawn(len(self.words), number, 3, child) for child in range(len(parent_of))]
        return webb_variants(
            self.words,
            self.links,
            self._options,
            parent_of.astype(np.int32),
            np.array(mates, np.int32),
            seed_at(self._seed, 1),
            number * len(parent_of),
        )

    def _race(
        self, systems: WebbPopulation, parent_of: NDArray[np.int64], number: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The children that take their parent's place, one at most of each, and whether they are better."""
        steps = self._steps
        against = self._native(self.words, self.links)
        sums, squares = np.zeros((2, len(parent_of)), np.int64)
        alive, same = np.arange(len(parent_of)), np.zeros(0, np.int64)
        begin, seen = number * (sum(steps.stages) // 2), 0
        for stage, count in enumerate(steps.stages):
            running = np.concatenate([alive, same])
            parents = np.unique(parent_of[running])
            imps = self._imps(
                systems,
                np.concatenate([parents, self.parents + running]),
                self._sample(begin + seen, count),
                against,
                self._drawn(len(self.words), number, 4, stage),
            )
            own = imps[np.searchsorted(parents, parent_of[running])]
            differences = imps[len(parents) :] - own
            sums[running] += differences.sum(axis=1)
            squares[running] += (differences * differences).sum(axis=1)
            seen += count
            if stage == 0:
                same = self._one_each(alive[~differences.any(axis=1)], parent_of, number)
            else:
                same = same[sums[same] >= 0]
            alive = self._left(alive, parent_of, sums, squares, seen, stage)
            if not len(alive) and (stage >= 2 or not len(same)):
                break
        same = same[~np.isin(parent_of[same], parent_of[alive])]
        return np.concatenate([alive, same]), np.arange(len(alive) + len(same)) < len(alive)

    def _left(self, alive: NDArray[np.int64], parent_of: NDArray[np.int64], sums: NDArray[np.int64],
              squares: NDArray[np.int64], seen: int, stage: int) -> NDArray[np.int64]:  # fmt: skip
        """The children that go on after a stage: better than their parent, and of these the best."""
        mean = sums[alive] / seen
        error = np.sqrt(np.maximum(squares[alive] / seen - mean * mean, 1e-9) / seen)
        is_good = (mean > 0) & (mean > self._steps.certainty[stage] * error)
        alive, mean = alive[is_good], mean[is_good]
        ranked = alive[np.argsort(-mean, kind="stable")]
        left = [
            ranked[parent_of[ranked] == parent][: self._steps.kept[stage]] for parent in range(self.parents)
        ]
        return np.sort(np.concatenate(left))

    def _one_each(
        self, same: NDArray[np.int64], parent_of: NDArray[np.int64], number: int
    ) -> NDArray[np.int64]:
        """Of the children that bid as their parent one for each parent, at random."""
        mine = [same[parent_of[same] == parent] for parent in range(self.parents)]
        return np.array(
            [some[self._drawn(len(some), number, 5, i)] for i, some in enumerate(mine) if len(some)], np.int64
        )

    def _rank(self, number: int) -> None:
        """Compare the parents on the same boards; what was found before counts three times as much."""
        systems = self._native(self.words, self.links)
        begin = number * (sum(self._steps.stages) // 2) + sum(self._steps.stages)
        imps = self._imps(
            systems,
            np.arange(self.parents),
            self._sample(begin, _RANKED_BOARDS),
            systems,
            self.parents + self._drawn(self._steps.hall, number, 6) if self._steps.hall else 0,
        )
        now = imps.sum(axis=1).astype(np.int64) * _UNITS * len(self.words) // _RANKED_BOARDS
        if number > self._steps.ranked:
            now = (3 * self.fitness[: self.parents] + now) // 4
        self.fitness[: self.parents] = now

    def _put(self, place: int, member: int) -> None:
        """Copy a member to a place."""
        for column in (self.words, self.links, self.fitness, self.ages):
            column[place] = column[member]

    def _drawn(self, bound: int, *place: int) -> int:
        """A number below a bound for a place, the same every time."""
        return seed_at(self._seed, 2, *place) % bound
