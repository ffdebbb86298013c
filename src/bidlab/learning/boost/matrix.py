"""The matrix of seeds: R(i, j), the IMPs that seed i won from seed j on boards that no other pair has.

R(j, i) = -R(i, j), and the diagonal is zero: four players with one seed get the same score at both tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError
from bidlab.learning.boost.cells import Cell, PlayedBoards
from bidlab.learning.boost.settings import Settings

Floats = NDArray[np.float64]


def matrix_cells(settings: Settings) -> tuple[Cell, ...]:
    """The cells of the matrix, row by row above the diagonal; cell c has the boards after those of c - 1."""
    deal_set = settings.deal_sets[0]
    return tuple(
        Cell(
            settings.bidder_with(one),
            settings.bidder_with(other),
            deal_set,
            1 + number * settings.boards,
            settings.boards,
        )
        for number, (one, other) in enumerate(combinations(settings.seed_numbers, 2))
    )


@dataclass(frozen=True)
class SeedMatrix:
    """IMPs of every pair of seeds, board by board; row c has those of pair c, from its first seed's side."""

    seeds: tuple[int, ...]
    swings: NDArray[np.int64]  # [pair, board]

    def __post_init__(self) -> None:
        count = len(self.seeds)
        pairs = count * (count - 1) // 2
        if self.swings.ndim != 2 or len(self.swings) != pairs:
            raise BidlabError(f"swings of {len(self.swings)} pairs for {count} seeds: {pairs} are wanted")

    @classmethod
    def of(cls, settings: Settings, played: PlayedBoards) -> SeedMatrix:
        """The matrix of boards that were played, all of them."""
        return cls(tuple(settings.seed_numbers), played.swings.reshape(settings.pairs, settings.boards))

    @classmethod
    def of_totals(cls, seeds: tuple[int, ...], totals: NDArray[np.int64] | list[list[int]]) -> SeedMatrix:
        """A matrix of whose matches the results alone are known, as if they had one board each."""
        whole = np.asarray(totals)
        return cls(seeds, whole[np.triu_indices(len(seeds), 1)][:, None])

    # --- the matrix ---------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many seeds there are."""
        return len(self.seeds)

    @property
    def boards(self) -> int:
        """The boards of a pair."""
        return int(self.swings.shape[1])

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows of the first and of the second seed of each pair."""
        return np.triu_indices(self.size, 1)

    @cached_property
    def imps(self) -> Floats:
        """R, IMPs of a whole match, [seed, seed]."""
        return self.with_totals(self.swings.sum(axis=1))

    def with_totals(self, totals: NDArray[np.int64] | Floats) -> Floats:
        """The matrix of one total a pair."""
        found = np.zeros((self.size, self.size))
        found[self.pairs] = totals
        return found - found.T

    @property
    def scores(self) -> Floats:
        """The cumulative score of each seed, in IMPs: the sums of the rows."""
        return np.asarray(self.imps.sum(axis=1))

    @property
    def spread(self) -> float:
        """The standard deviation of the cumulative scores."""
        return float(self.scores.std(ddof=1))

    @property
    def order(self) -> NDArray[np.intp]:
        """The rows of the seeds, the best first; of equal ones the lower seed."""
        return np.argsort(-self.scores, kind="stable")

    def won_matches(self) -> Floats:
        """The share of its matches that each seed won; a tie is half of one."""
        won = (self.imps > 0).sum(axis=1) + ((self.imps == 0).sum(axis=1) - 1) / 2
        return np.asarray(won / (self.size - 1))

    def mean(self, row: int) -> float:
        """IMPs a board of a seed against the others."""
        return float(self.scores[row] / ((self.size - 1) * self.boards))

    @cached_property
    def board_spread(self) -> float:
        """The standard deviation of one board's IMPs between two seeds."""
        return float(np.sqrt(np.mean(self.swings.astype(np.float64) ** 2)))
