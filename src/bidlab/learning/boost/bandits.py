"""Bandits: the best seed by fewer boards than a whole matrix, or a surer one by as many.

Pulling the arm of a seed is a match against opponents that are drawn once for every board from the seeds that
are compared, so that all arms meet the same opponents on the same boards: block b of boards is the same for
every seed, and what one board brings all seeds alike does not tell them apart. Ventos and others planned this
(2017, section 6.2).

**UCB** pulls the arm whose mean is highest with a bonus for having been pulled seldom, and recommends the one
that it pulled most. **Successive halving** pulls all arms equally often, keeps the better half, and so on
until one is left; those that are compared have always played the same boards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Protocol

import numpy as np

from bidlab.learning.boost.cells import Cell, PlayedBoards
from bidlab.learning.boost.matrix import Floats
from bidlab.learning.boost.settings import PLACE_OPPONENT, WAYS, Settings
from bidlab.runs import seed_at

Pull = tuple[int, int]  # an arm, and the block of boards that it plays


@dataclass(frozen=True, slots=True)
class Pulled:
    """What a pull brought: the mean of its boards, and the mean of their squares; IMPs."""

    arm: int
    block: int
    mean: float
    square: float


class Policy(Protocol):
    """A bandit: which pulls come next after those before, and which arm it takes in the end."""

    def pulls(self, before: Sequence[Pulled]) -> Sequence[Pull]:
        """The next pulls; none when the budget is spent."""

    def chosen(self, before: Sequence[Pulled]) -> int:
        """The arm that it takes."""


@dataclass(frozen=True)
class Ucb:
    """The arm with the highest upper bound, one pull at a time."""

    arms: int
    budget: int  # pulls
    boards: int  # of a pull
    bonus: float = 1.0

    def pulls(self, before: Sequence[Pulled]) -> Sequence[Pull]:
        """The next pull; at first every arm once."""
        if len(before) < self.arms:
            return [(arm, 0) for arm in range(len(before), min(self.arms, self.budget))]
        if len(before) >= self.budget:
            return []
        counts, means = self._means(before)
        spread = sqrt(max(1e-12, float(np.mean([one.square for one in before]))))
        bound = means + self.bonus * spread * np.sqrt(2 * log(len(before)) / (counts * self.boards))
        arm = int(bound.argmax())
        return [(arm, int(counts[arm]))]

    def chosen(self, before: Sequence[Pulled]) -> int:
        """The arm that was pulled most, of several that with the highest mean."""
        counts, means = self._means(before)
        most = np.flatnonzero(counts == counts.max())
        return int(most[means[most].argmax()])

    def _means(self, before: Sequence[Pulled]) -> tuple[Floats, Floats]:
        arms = np.array([one.arm for one in before], dtype=np.intp)
        counts = np.bincount(arms, minlength=self.arms).astype(np.float64)
        sums = np.bincount(arms, [one.mean for one in before], self.arms)
        return counts, sums / np.maximum(counts, 1)


@dataclass(frozen=True)
class Halving:
    """All arms that are left, equally often; then the better half of them."""

    arms: int
    budget: int  # pulls

    @property
    def rounds(self) -> int:
        """How often the arms are halved."""
        return self.arms.bit_length() - 1

    def pulls(self, before: Sequence[Pulled]) -> Sequence[Pull]:
        """All pulls of the next round."""
        left, done, blocks = list(range(self.arms)), 0, 0
        for number in range(self.rounds):
            each = self._pulls_each(left, done, self.rounds - number)
            end = done + each * len(left)
            if len(before) < end:
                made = {(one.arm, one.block) for one in before[done:]}
                wanted = [(arm, blocks + block) for block in range(each) for arm in left]
                return [pull for pull in wanted if pull not in made]
            done, blocks = end, blocks + each
            left = self._better_half(left, before[:done])
        return []

    def _pulls_each(self, left: Sequence[int], done: int, rounds: int) -> int:
        """An equal share of what is left to spend, for each arm; at least one as long as it is enough."""
        rest = self.budget - done
        return max(rest // rounds // len(left), 1 if rest >= len(left) else 0)

    def _better_half(self, left: Sequence[int], before: Sequence[Pulled]) -> list[int]:
        sums = np.bincount(
            np.array([one.arm for one in before], np.intp), [one.mean for one in before], self.arms
        )
        ranked = sorted(left, key=lambda arm: (-sums[arm], arm))
        return sorted(ranked[: max(1, len(left) // 2)])

    def chosen(self, before: Sequence[Pulled]) -> int:
        """The last arm that is left."""
        left, done = list(range(self.arms)), 0
        for number in range(self.rounds):
            done += self._pulls_each(left, done, self.rounds - number) * len(left)
            left = self._better_half(left, before[:done])
        return left[0]


def policy_of(way: str, settings: Settings) -> Policy:
    """The policy of a way, with as many boards to spend as the whole matrix has."""
    if way == "ucb":
        return Ucb(settings.seeds, settings.pairs, settings.boards)
    return Halving(settings.seeds, settings.pairs)


# --- at the table -----------------------------------------------------------------------------------------


class Bandit:
    """A policy that plays cells: what it asks for next follows from the boards that were played."""

    def __init__(self, way: str, settings: Settings) -> None:
        self.way, self._settings = way, settings
        self.policy = policy_of(way, settings)
        self._before: list[Pulled] = []

    def pulled(self, played: PlayedBoards) -> list[Pulled]:
        """The pulls of the boards that were played; those of a pull that is not complete do not count."""
        size = self._settings.boards
        swings = played.swings
        while len(swings) >= (len(self._before) + 1) * size:
            for arm, block in self.policy.pulls(self._before)[: len(swings) // size - len(self._before)]:
                some = swings[len(self._before) * size :][:size].astype(np.float64)
                self._before.append(Pulled(arm, block, float(some.mean()), float((some**2).mean())))
        return self._before

    def cells(self, played: PlayedBoards) -> list[Cell]:
        """What is to be played next, none at the end; a board a cell, since each has its own opponent."""
        before = self.pulled(played)
        size = self._settings.boards
        wanted = [cell for pull in self.policy.pulls(before) for cell in self._cells(*pull)]
        return wanted[len(played) - len(before) * size :]

    def _cells(self, arm: int, block: int) -> list[Cell]:
        settings = self._settings
        first = settings.bidder_with(settings.first_seed + arm)
        # Blocks of different ways are the same boards: neither is luckier than the other.
        numbers = range(1 + block * settings.boards, 1 + (block + 1) * settings.boards)
        return [
            Cell(first, settings.bidder_with(opponent(settings, n)), settings.deal_sets[0], n, 1)
            for n in numbers
        ]

    def chosen(self, played: PlayedBoards) -> int:
        """The seed that it takes."""
        return self._settings.first_seed + self.policy.chosen(self.pulled(played))


def opponent(settings: Settings, board: int) -> int:
    """The seed that all arms meet on a board."""
    return settings.first_seed + seed_at(settings.seed, PLACE_OPPONENT, board) % settings.seeds


# --- on strengths that are known --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Contest:
    """How good the seed is that each way chose, when all have as many boards: true IMPs a board."""

    ways: tuple[str, ...]
    strengths: tuple[float, ...]  # of the chosen seed, mean of all repeats
    errors: tuple[float, ...]
    found_best: tuple[float, ...]  # how often it was the best
    best: float  # the strength of the best seed, mean of all repeats


def contest(
    seeds: int,
    boards: int,
    between: float,
    board_spread: float,
    *,
    shared: float = 0.0,
    repeats: int = 200,
    seed: int = 1,
) -> Contest:
    """All ways on seeds of known strength, drawn from a normal distribution with a given spread.

    A board's IMPs vary by `board_spread`; `shared` of that variance is the same for all seeds that meet the
    same opponent on it.
    """
    generator = np.random.default_rng(seed)
    pairs = seeds * (seeds - 1) // 2
    found = np.zeros((repeats, len(WAYS)))
    bests = np.zeros(repeats)
    for repeat in range(repeats):
        strengths = between * generator.standard_normal(seeds)
        strengths -= strengths.mean()
        bests[repeat] = strengths.max()
        pull = _simulated(strengths, boards, board_spread, shared, generator)
        rows = _simulated_scores(strengths, boards, board_spread, generator)
        found[repeat, 0] = strengths[rows.argmax()]
        policies: tuple[Policy, ...] = (Ucb(seeds, pairs, boards), Halving(seeds, pairs))
        for place, policy in enumerate(policies, 1):
            found[repeat, place] = strengths[_run(policy, pull)]
    return Contest(
        WAYS,
        tuple(found.mean(axis=0).tolist()),
        tuple((found.std(axis=0, ddof=1) / sqrt(repeats)).tolist()),
        tuple((found == bests[:, None]).mean(axis=0).tolist()),
        float(bests.mean()),
    )


def _run(policy: Policy, pull: Callable[[int, int], tuple[float, float]]) -> int:
    before: list[Pulled] = []
    while wanted := policy.pulls(before):
        for arm, block in wanted:
            mean, square = pull(arm, block)
            before.append(Pulled(arm, block, mean, square))
    return policy.chosen(before)


def _simulated(
    strengths: Floats, boards: int, spread: float, shared: float, generator: np.random.Generator
) -> Callable[[int, int], tuple[float, float]]:
    common: dict[int, float] = {}
    own, both = spread * sqrt((1 - shared) / boards), spread * sqrt(shared / boards)

    def pull(arm: int, block: int) -> tuple[float, float]:
        if block not in common:
            common[block] = both * generator.standard_normal()
        mean = float(strengths[arm] + common[block] + own * generator.standard_normal())
        return mean, spread**2

    return pull


def _simulated_scores(
    strengths: Floats, boards: int, spread: float, generator: np.random.Generator
) -> Floats:
    size = len(strengths)
    noise = np.triu(generator.standard_normal((size, size)) * spread * sqrt(boards), 1)
    cells = boards * (strengths[:, None] - strengths[None, :]) + noise - noise.T
    return np.asarray(cells.sum(axis=1))
