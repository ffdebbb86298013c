"""Seeds by situation: whether others are best for part-scores, games and slams (Ventos and others 2017, 6.2).

Two ways to tell situations. **By contract**: the highest contract that either table reached, as the paper has
it in mind; but nobody knows it while he bids. **By height**: the last bid before the two auctions parted, to
whose choice the swing is put down. That a player sees, so that a portfolio can choose its seed by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.boosted import HEIGHTS, height_of
from bidlab.learning.boost.cells import ALIKE, PlayedBoards
from bidlab.learning.boost.luck import luck_alone, shrunken
from bidlab.learning.boost.matrix import SeedMatrix

CONTRACTS = ("part-score", "game", "slam")
_GAMES = np.array([[5, 5, 4, 4, 3]])  # the level of a game in clubs, diamonds, hearts, spades, notrump
_REPEATS = 500
_SURE = 0.05


@dataclass(frozen=True, slots=True)
class Situation:
    """The matrix of the boards of one situation, summed up."""

    name: str
    boards: int  # that were of it
    swing_share: float  # of the IMPs that changed hands, whoever won them
    best: int  # seed
    score: float  # IMPs of that seed
    lucky_best: float  # what the best would have by luck alone
    chance: float  # that luck alone shows a spread at least as great
    strengths: tuple[float, ...]  # shrunken, IMPs a board of all boards
    overall_rank: int  # where the best of all situations stands in this one, from 1

    @property
    def is_beyond_luck(self) -> bool:
        """Whether seeds differ here by more than luck would show once in twenty times."""
        return self.chance < _SURE


def by_contract(matrix: SeedMatrix, played: PlayedBoards, seed: int) -> tuple[Situation, ...]:
    """Part-scores, games and slams, by the highest contract that either table reached."""
    reached = contract_kinds(played.contracts).max(axis=1)
    return _situations(matrix, CONTRACTS, reached, seed)


def by_height(matrix: SeedMatrix, played: PlayedBoards, seed: int) -> tuple[Situation, ...]:
    """Low, middle and high: by the last bid before the auctions parted."""
    heights = np.array([height_of(bid) for bid in range(256)])[played.parted]
    return _situations(matrix, HEIGHTS, np.where(played.parted == ALIKE, -1, heights), seed)


def contract_kinds(contracts: NDArray[np.uint8]) -> NDArray[np.int64]:
    """0 for a part-score or a board that was passed out, 1 for a game, 2 for a slam, by what was bid."""
    last = contracts[..., 0].astype(np.int64)
    level, strain = (last + 2) // 5, (last + 2) % 5
    # A double makes no game of a part-score here: it is what was bid that players set out for.
    is_game = (last > 0) & (level >= _GAMES[0][strain])
    return np.where(level >= 6, 2, is_game.astype(np.int64))


def portfolio(
    situations: tuple[Situation, ...], seeds: tuple[int, ...], best: int
) -> Mapping[str, int] | None:
    """The seed for each height: its own best where seeds differ there beyond luck, else the best of all.

    Luck has a chance at every height, so that each has to be as much the surer. None where it is the best of
    all everywhere: the boards support no portfolio.
    """
    found = {
        one.name: seeds[int(np.argmax(one.strengths))] if one.chance < _SURE / len(situations) else best
        for one in situations
    }
    return None if set(found.values()) == {best} else found


def _situations(
    matrix: SeedMatrix, names: tuple[str, ...], kinds: NDArray[np.int64], seed: int
) -> tuple[Situation, ...]:
    shape = matrix.swings.shape
    everything = max(1, int(np.abs(matrix.swings).sum()))
    found = []
    for number, name in enumerate(names):
        here = (kinds == number).reshape(shape)
        part = SeedMatrix(matrix.seeds, np.where(here, matrix.swings, 0))
        luck = luck_alone(part, seed, _REPEATS)
        rank = int(np.flatnonzero(part.order == matrix.order[0])[0]) + 1
        found.append(
            Situation(
                name,
                int(here.sum()),
                float(np.abs(part.swings).sum() / everything),
                part.seeds[part.order[0]],
                luck.best,
                luck.lucky_best,
                luck.spread_chance,
                shrunken(part).strengths,
                rank,
            )
        )
    return tuple(found)
