"""Swings: on how many boards the seed made a difference, and which boards decided.

Ventos and others (2017, 4.1) counted no simulation on 10% of the boards, the same contract on 75%, and a seed
that matters on 15%.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bidlab.bridge.calls import CALLS
from bidlab.bridge.cards import SEATS
from bidlab.learning.boost.cells import ALIKE, UNTOLD, WITHOUT, PlayedBoards
from bidlab.learning.boost.matrix import SeedMatrix

_DOUBLES = ("", "X", "XX")


@dataclass(frozen=True, slots=True)
class Swings:
    """Shares of the boards, of all seeds together; the first three kinds of board bring nothing."""

    boards: int
    alike: float  # both seeds made the same calls
    same_contract: float  # other calls, the same contract by the same declarer
    pushes: float  # another contract, no IMPs
    swings: float
    unsimulated: float | None  # no call of either table was simulated; None: the bidder does not tell
    mean_size: float  # IMPs of a swing
    deviation: float  # standard deviation of a board's IMPs


@dataclass(frozen=True, slots=True)
class Decider:
    """A board that brought a seed much, won or lost."""

    board: int
    against: int  # the other seed
    imps: int  # of the seed in question
    north_south: str  # the contract where the seed sat North-South
    east_west: str  # and where it sat East-West


def swings_of(played: PlayedBoards) -> Swings:
    """The shares of boards that were played."""
    size = np.abs(played.swings)
    alike = played.parted == ALIKE
    same = played.is_same_contract & ~alike
    told = (played.simulated != UNTOLD).all() and len(played) > 0
    count = max(1, len(played))
    return Swings(
        len(played),
        float(alike.sum() / count),
        float(same.sum() / count),
        float(((size == 0) & ~alike & ~same).sum() / count),
        float((size > 0).sum() / count),
        float((played.simulated == WITHOUT).sum() / count) if told else None,
        float(size[size > 0].mean()) if (size > 0).any() else 0.0,
        float(np.sqrt((size.astype(np.float64) ** 2).sum() / count)),
    )


def deciders(matrix: SeedMatrix, played: PlayedBoards, row: int, count: int) -> tuple[Decider, ...]:
    """The boards of a seed's matches that brought most, either way; the greatest first."""
    places = _places(matrix, row)
    imps = _own_imps(matrix, row)
    order = np.argsort(-np.abs(imps), kind="stable")[:count]
    return tuple(_decider(matrix, played, row, int(places[at]), int(imps[at])) for at in order if imps[at])


def without_deciders(matrix: SeedMatrix, row: int, count: int) -> int:
    """The cumulative score of a seed without so many of its boards that it won most by."""
    return int(np.sort(_own_imps(matrix, row))[: -count if count else None].sum())


def _places(matrix: SeedMatrix, row: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """The boards that a seed played, as their places among all of the matrix."""
    pairs = np.flatnonzero((matrix.pairs[0] == row) | (matrix.pairs[1] == row))
    return np.asarray((pairs[:, None] * matrix.boards + np.arange(matrix.boards)).reshape(-1))


def _own_imps(matrix: SeedMatrix, row: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    places = _places(matrix, row)
    sign = np.where(matrix.pairs[0][places // matrix.boards] == row, 1, -1)
    return np.asarray(matrix.swings.reshape(-1)[places] * sign)


def _decider(matrix: SeedMatrix, played: PlayedBoards, row: int, place: int, imps: int) -> Decider:
    one, other = (int(side[place // matrix.boards]) for side in matrix.pairs)
    contracts = [_contract(played.contracts[place, table].tolist()) for table in (0, 1)]
    against = matrix.seeds[other if one == row else one]
    # The first seed of a pair sat North-South at the first table.
    north_south, east_west = contracts if one == row else contracts[::-1]
    return Decider(int(played.numbers[place]), against, imps, north_south, east_west)


def _contract(kept: list[int]) -> str:
    last, doubled, declarer = kept
    return f"{CALLS[last].symbol}{_DOUBLES[doubled]} by {SEATS[declarer]}" if last else "passed out"
