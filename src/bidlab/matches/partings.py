"""Where two bidders part: the calls at which the tables of a match first differ, and what came of each.

Until the auctions of a board's two tables differ, both have the same calls, so the first that differs is made
by the same player with the same cards, once by each bidder. The board's swing is put down to that choice. One
board says little: partings that recur are counted together, by the auction before them (passes before the
first bid left out) and by the two calls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bidlab.bridge.calls import CALLS, Call
from bidlab.matches.match import BidBoards, MatchResult
from bidlab.matches.statistics import Summary
from bidlab.table.auctions import PASS

_Way = tuple[bytes, int, int]  # the calls before, that of the first bidder, that of the second


@dataclass(frozen=True, slots=True)
class Parting:
    """Boards on which two bidders parted in one way, and what the first of them won by it."""

    before: tuple[Call, ...]  # from the first bid on
    first: Call
    second: Call
    boards: tuple[int, ...]  # their numbers, those that cost the first bidder most first
    swings: Summary  # IMPs of the first bidder, contracts as bid
    perfect: Summary

    @property
    def total(self) -> float:
        """IMPs that the first bidder won by it over all boards."""
        return self.swings.mean * len(self.boards)


def partings(found: MatchResult, least: int = 5) -> tuple[Parting, ...]:
    """The ways in which two bidders parted on at least so many boards, the dearest for the first one first.

    Of two with the same cost a board, that is surer which came up more often: they are ordered by the total
    cost less one standard error of it.
    """
    ways: dict[_Way, list[tuple[int, int, int]]] = {}
    for part in found.parts:
        for way, board in _ways(part):
            ways.setdefault(way, []).append(board)
    made = [_parting(way, boards) for way, boards in ways.items() if len(boards) >= least]
    return tuple(sorted(made, key=_cost))


def _cost(parting: Parting) -> tuple[float, int, tuple[Call, ...], Call, Call]:
    error = parting.swings.stderr * len(parting.boards)
    return parting.total + error, -len(parting.boards), parting.before, parting.first, parting.second


def _ways(part: BidBoards) -> list[tuple[_Way, tuple[int, int, int]]]:
    """How each board parted, with its number and swings; boards that were bid alike are left out."""
    one, other = np.split(part.calls, 2)
    differs = one != other
    found = []
    for row in np.flatnonzero(differs.any(axis=1)).tolist():
        place = int(differs[row].argmax())
        # At the first table the first bidder sits North-South.
        seat = (int(part.boards.dealers[row]) + place) % 4
        pair = (int(one[row, place]), int(other[row, place]))
        own, others = pair if seat % 2 == 0 else pair[::-1]
        before = one[row, :place].tobytes().lstrip(bytes([PASS]))
        swings = (int(part.swings[row]), int(part.perfect_swings[row]))
        found.append(((before, own, others), (int(part.boards.numbers[row]), *swings)))
    return found


def _parting(way: _Way, boards: list[tuple[int, int, int]]) -> Parting:
    before, first, second = way
    boards.sort(key=lambda board: (board[1], board[0]))
    swings = np.array([[plain, perfect] for _, plain, perfect in boards])
    return Parting(
        tuple(CALLS[call] for call in before),
        CALLS[first],
        CALLS[second],
        tuple(number for number, _, _ in boards),
        Summary.of(swings[:, 0]),
        Summary.of(swings[:, 1]),
    )
