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

from bidlab._native import WebbPopulation, webb_measured, webb_par, webb_usage, webb_variants
from bidlab.bridge.errors import BidlabError
from bidlab.runs import seed_at
from bidlab.systems.webb.options import options_mask
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.tournament import COUNTS, Standing
from bidlab.table.bidding import Boards

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

    children: int = 96
    stages: tuple[int, ...] = (100, 400, 2000, 12_000)  # boards
    kept: tuple[int, ...] = (8, 4, 3, 1)  # children that are left after a stage
    certainty: tuple[float, ...] = (0.3, 0.5, 0.7, 1.0)  # standard errors by which they are better
    growing: int = 500  # generations after which the last two stages have once more as many boards
    watched: int = 200  # boards that show which words and transitions a parent uses; 0: all are edited alike
    against: float = 0.1  # share of the boards that are bid against others
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
        if min(self.growing, self.ranked, self.honoured, self.merged) < 1:
            raise BidlabError("generations until growth, rankings, honours, mergers: 1 or more are wanted")

    def boards(self, stage: int, generation: int) -> int:
        """The boards of a stage: late in a climb steps are small, and take more boards to tell from luck."""
        is_late = stage >= len(self.stages) - 2
        return self.stages[stage] * (1 + generation // self.growing if is_late else 1)

    def first_board(self, generation: int) -> int:
        """Where the boards of a generation begin in the order of all boards."""
        return 2 * sum(self.stages) * generation


@dataclass(frozen=True, eq=False)
class SolvedBoards:
    """Boards with their tricks and par, from North-South's side."""

    hands: NDArray[np.uint64] = field(repr=False)  # [board, seat]
    tricks: NDArray[np.uint8] = field(repr=False)  # [board, strain, declarer]
    par: NDArray[np.int32] = field(repr=False)
    dealers: NDArray[np.uint8] = field(repr=False)
    vulnerable: NDArray[np.uint8] = field(repr=False)

    @classmethod
    def numbered(cls, hands: NDArray[np.uint64], tricks: NDArray[np.uint8], first: int = 1) -> SolvedBoards:
        """Boards `first`, `first` + 1 ..; dealer and vulnerability follow from their numbers (law 2)."""
        boards = Boards.numbered(hands, first)
        par = webb_par(tricks, boards.dealers, boards.vulnerable)
        return cls(hands, tricks, par, boards.dealers, boards.vulnerable)

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
        self,
        systems: WebbPopulation,
        opponents: WebbPopulation,
        who: NDArray[np.int32],
        threads: int,
        skips: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.int32]:
        """IMPs [entrant, board] of systems against opponents; -1 for themselves: minus the distance from par.

        Who meets others sits North-South on even and East-West on odd boards, and its score less par counts.
        Boards that are skipped are not bid, and 0.
        """
        found: NDArray[np.int8] = webb_measured(systems, opponents, who, *self._arrays, threads, skips)
        return found.astype(np.int32)

    def traced(
        self, systems: WebbPopulation, opponents: WebbPopulation, who: NDArray[np.int32], threads: int
    ) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
        """The same, and bits [entrant, board, ..] of the words and transitions that each auction depends on.

        A system that differs from an entrant in none of them bids the board as it does.
        """
        found, touched = webb_measured(systems, opponents, who, *self._arrays, threads, None, True)
        return found.astype(np.int32), touched

    @property
    def _arrays(
        self,
    ) -> tuple[
        NDArray[np.uint64], NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]
    ]:
        return self.hands, self.tricks, self.par, self.dealers, self.vulnerable


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


class _Litter:
    """Children of a generation, and by how much they differ from their parents on the boards so far."""

    def __init__(
        self, words: NDArray[np.uint32], links: NDArray[np.uint8], parent_of: NDArray[np.int64]
    ) -> None:
        self.words, self.links, self.parent_of = words, links, parent_of
        self.changes = np.zeros((0, 0), np.uint64)  # bits of the words and transitions that differ
        self.sums, self.squares, self.seen, self.place = np.zeros((4, len(parent_of)), np.int64)

    def compare(self, words: NDArray[np.uint32], links: NDArray[np.uint8]) -> None:
        """Find out in what children differ from their parents, given the words and transitions of these."""
        count = len(self.parent_of)
        different = np.concatenate(
            [
                (self.words != words[self.parent_of]).reshape(count, -1),
                (self.links != links[self.parent_of]).reshape(count, -1),
            ],
            axis=1,
        )
        filled = np.zeros((count, -(-different.shape[1] // 64) * 64), bool)
        filled[:, : different.shape[1]] = different
        self.changes = np.packbits(filled, axis=1, bitorder="little").view("<u8").astype(np.uint64)

    def enter(self, which: NDArray[np.int64], differences: NDArray[np.int32], *, afresh: bool) -> None:
        """Count the differences in IMPs [child, board] of some children; afresh, without those before."""
        for column, more in (
            (self.sums, differences.sum(axis=1)),
            (self.squares, (differences * differences).sum(axis=1)),
            (self.seen, differences.shape[1]),
        ):
            column[which] = more if afresh else column[which] + more

    def left(self, alive: NDArray[np.int64], certainty: float, kept: int) -> NDArray[np.int64]:
        """Those of some children that are better than their parent, the best of each parent first."""
        if not len(alive):
            return alive
        seen = self.seen[alive]
        mean = self.sums[alive] / seen
        error = np.sqrt(np.maximum(self.squares[alive] / seen - mean * mean, 1e-9) / seen)
        is_good = (mean > 0) & (mean > certainty * error)
        ranked = alive[is_good][np.argsort(-mean[is_good], kind="stable")]
        parents = np.unique(self.parent_of[ranked])
        left = [ranked[self.parent_of[ranked] == parent][:kept] for parent in parents]
        return np.concatenate([ranked[:0], *left])

    def joined(
        self, alive: NDArray[np.int64], words: NDArray[np.uint32], links: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """Of each parent the best child and, where several are left, one that differs as all of them do."""
        chosen = []
        for parent in np.unique(self.parent_of[alive]):
            mine = alive[self.parent_of[alive] == parent]
            chosen.append(mine[0])
            if len(mine) == 1:
                continue
            both = [words[parent].copy(), links[parent].copy()]
            for child in mine[::-1]:  # the best last, so that its changes stand
                for column, own, to in zip(
                    both, (words[parent], links[parent]), (self.words[child], self.links[child]), strict=True
                ):
                    column[own != to] = to[own != to]
            chosen.append(len(self.parent_of))
            self.words = np.concatenate([self.words, both[0][None]])
            self.links = np.concatenate([self.links, both[1][None]])
            self.parent_of = np.append(self.parent_of, parent)
            self.sums, self.squares, self.seen, self.place = (
                np.append(column, 0) for column in (self.sums, self.squares, self.seen, self.place)
            )
        return np.array(chosen, np.int64)


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

    def _parts(self, boards: SolvedBoards, opponent: int) -> list[tuple[SolvedBoards, int]]:
        """The boards that systems bid alone, with -1, and those against an opponent, with its number."""
        alone = len(boards) - round(len(boards) * self._steps.against)
        parts = [(np.arange(alone), -1), (np.arange(alone, len(boards)), opponent)]
        return [(boards.at(places), other) for places, other in parts if len(places)]

    def _differences(
        self,
        litter: _Litter,
        running: NDArray[np.int64],
        systems: WebbPopulation,
        boards: SolvedBoards,
        against: WebbPopulation,
        opponent: int,
    ) -> NDArray[np.int32]:
        """IMPs [child, board] that children have more than their parent.

        Where a parent's auction touches nothing in which a child differs, the child would bid the same: such
        a board is not bid.
        """
        parents = np.unique(litter.parent_of[running])
        own_row = np.searchsorted(parents, litter.parent_of[running])
        found = []
        for part, other in self._parts(boards, opponent):
            imps, touched = part.traced(systems, against, _against(parents, other), self._threads)
            skips = np.array(
                [
                    ~(touched[row] & litter.changes[child]).any(axis=1)
                    for row, child in zip(own_row, running, strict=True)
                ]
            )
            theirs = part.imps(systems, against, _against(litter.place[running], other), self._threads, skips)
            found.append(np.where(skips, 0, theirs - imps[own_row]))
            self.tally[_BOARDS] += np.uint64(len(parents) * len(part) + int((~skips).sum()))
        return np.concatenate(found, axis=1)

    # --- a generation -------------------------------------------------------------------------------------

    def generation(self) -> None:
        """Breed children of each parent, and let those that are better take its place."""
        steps, number = self._steps, int(self.tally[_GENERATIONS])
        before = int(self.tally[_BOARDS])
        litter = self._bred(number)
        taken, is_better = self._raced(litter, number)
        for child, better in zip(taken.tolist(), is_better.tolist(), strict=True):
            parent = litter.parent_of[child]
            self.words[parent], self.links[parent] = litter.words[child], litter.links[child]
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

    def _bred(self, number: int) -> _Litter:
        """The children of a generation."""
        parent_of = np.repeat(np.arange(self.parents), self._steps.children)
        # Mates are any members; where it is the parent itself edits are all there is.
        mates = [self._drawn(len(self.words), number, 3, child) for child in range(len(parent_of))]
        watched = self._sample(self._steps.first_board(number), self._steps.watched)
        used = webb_usage(
            self._native(self.words, self.links),
            self.parents if len(watched) else 0,
            watched.hands,
            watched.dealers,
            watched.vulnerable,
        )
        self.tally[_BOARDS] += np.uint64(self.parents * len(watched))
        words, links = webb_variants(
            self.words,
            self.links,
            self._options,
            parent_of.astype(np.int32),
            np.array(mates, np.int32),
            *used,
            seed_at(self._seed, 1),
            number * len(parent_of),
        )
        return _Litter(words, links, parent_of)

    def _raced(self, litter: _Litter, number: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The children that take their parent's place, one at most of each, and whether they are better."""
        steps = self._steps
        against = self._native(self.words, self.links)
        systems = self._with_parents(litter, np.arange(len(litter.parent_of)))
        litter.compare(self.words, self.links)
        alive, same = np.arange(len(litter.parent_of)), np.zeros(0, np.int64)
        begin, seen, last = steps.first_board(number), 0, len(steps.stages) - 1
        for stage in range(len(steps.stages)):
            count = steps.boards(stage, number)
            if not len(alive) and (stage == last or not len(same)):
                break
            if stage == last:
                # Boards that nobody was chosen by decide between the best child and all good ones in one.
                alive = litter.joined(alive, self.words, self.links)
                litter.compare(self.words, self.links)
                systems, same_later, same = self._with_parents(litter, alive), same, same[:0]
            running = np.concatenate([alive, same])
            differences = self._differences(
                litter,
                running,
                systems,
                self._sample(begin + seen, count),
                against,
                self._drawn(len(self.words), number, 4, stage),
            )
            litter.enter(running, differences, afresh=stage == last)
            seen += count
            if stage == last:
                same = same_later
            elif stage == 0:
                same = self._one_each(alive[litter.squares[alive] == 0], litter.parent_of, number)
            else:
                same = same[litter.sums[same] >= 0]
            alive = litter.left(alive, steps.certainty[stage], steps.kept[stage])
        same = same[~np.isin(litter.parent_of[same], litter.parent_of[alive])]
        return np.concatenate([alive, same]), np.arange(len(alive) + len(same)) < len(alive)

    def _with_parents(self, litter: _Litter, some: NDArray[np.int64]) -> WebbPopulation:
        """The parents and some children, decoded; `place` of these children is where they stand."""
        litter.place[some] = self.parents + np.arange(len(some))
        return self._native(
            np.concatenate([self.words[: self.parents], litter.words[some]]),
            np.concatenate([self.links[: self.parents], litter.links[some]]),
        )

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
        begin = self._steps.first_board(number) - _RANKED_BOARDS
        opponent = self.parents + self._drawn(self._steps.hall, number, 6) if self._steps.hall else 0
        ranked = np.arange(self.parents)
        imps = np.concatenate(
            [
                part.imps(systems, systems, _against(ranked, other), self._threads)
                for part, other in self._parts(self._sample(begin, _RANKED_BOARDS), opponent)
            ],
            axis=1,
        )
        self.tally[_BOARDS] += np.uint64(self.parents * _RANKED_BOARDS)
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


def _against(systems: NDArray[np.int64], opponent: int) -> NDArray[np.int32]:
    """Entrants, each with its opponent."""
    return np.stack([systems, np.full(len(systems), opponent)], axis=1).astype(np.int32)
