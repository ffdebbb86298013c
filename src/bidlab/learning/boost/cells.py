"""Cells: two seeds of a bidder on some boards, at both tables, and what is kept of each board.

A cell can be sent to any process. What is kept is enough for all that is asked later: points, contracts,
whether and where the two auctions parted, and whether hidden hands were dealt to find a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.registry import bidder
from bidlab.learning.boost.settings import source_of
from bidlab.matches.match import BidBoards, bid_both_tables
from bidlab.meaning.meaning import Meaning
from bidlab.table.auctions import FIRST_BID, NO_CALL
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Decision
from bidlab.table.scoring import imp_array
from bidlab.table.seatview import SeatView
from bidlab.table.views import ViewBatch

ALIKE = 255  # in place of the last bid before the auctions parted: they never did
UNTOLD, WITHOUT, WITH = -1, 0, 1  # simulation on a board
_KEPT = 8  # bidders that a process keeps: what they know of a system serves the next cell


@dataclass(frozen=True, slots=True)
class Cell:
    """Two bidders, by their texts, on boards of a deal set."""

    first: str
    second: str
    deal_set: str
    first_board: int
    boards: int


@dataclass(frozen=True, slots=True, eq=False)
class PlayedBoards:
    """Boards that two seeds have bid, in arrays: one row a board, the first table before the second.

    At the first table the first seed sits North-South. Points are from North-South's side.
    """

    numbers: NDArray[np.int64]
    plain: NDArray[np.int32]  # [board, table], points of the contracts as bid
    perfect: NDArray[np.int32]  # the same with contracts that fail doubled
    contracts: NDArray[np.uint8]  # [board, table, (last bid or 0, doubled, declarer)]
    parted: NDArray[np.uint8]  # the last bid (0: none) before the first call that differs; ALIKE
    simulated: NDArray[np.int8]  # UNTOLD, WITHOUT or WITH

    @classmethod
    def nothing(cls) -> PlayedBoards:
        """No boards at all."""
        return cls(
            np.zeros(0, np.int64),
            np.zeros((0, 2), np.int32),
            np.zeros((0, 2), np.int32),
            np.zeros((0, 2, 3), np.uint8),
            np.zeros(0, np.uint8),
            np.zeros(0, np.int8),
        )

    @classmethod
    def joined(cls, parts: Iterable[PlayedBoards]) -> PlayedBoards:
        """All boards of several cells, in their order."""
        several = [cls.nothing(), *parts]
        return cls(*(np.concatenate([getattr(one, each.name) for one in several]) for each in fields(cls)))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by their names."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __len__(self) -> int:
        return len(self.numbers)

    def part(self, which: slice | NDArray[Any]) -> PlayedBoards:
        """Some of the boards."""
        return PlayedBoards(*(array[which] for array in self.arrays().values()))

    @property
    def swings(self) -> NDArray[np.int64]:
        """IMPs of the first seed on each board, contracts as bid."""
        return imp_array(self.plain[:, 0] - self.plain[:, 1])

    @property
    def perfect_swings(self) -> NDArray[np.int64]:
        """IMPs of the first seed on each board, contracts that fail doubled."""
        return imp_array(self.perfect[:, 0] - self.perfect[:, 1])

    @property
    def is_same_contract(self) -> NDArray[np.bool_]:
        """Where both tables came to the same contract by the same declarer."""
        one, other = self.contracts[:, 0].copy(), self.contracts[:, 1].copy()
        for table in (one, other):
            table[table[:, 0] == 0] = 0  # passed out: nobody declares
        same: NDArray[np.bool_] = (one == other).all(axis=1)
        return same


# --- bidding ----------------------------------------------------------------------------------------------


class Watched(Bidder):
    """A bidder whose simulations are noted: with which hands it dealt hidden ones to find a call."""

    def __init__(self, inner: Bidder) -> None:
        self.inner, self.name = inner, inner.name
        self.simulating: set[int] = set()
        self.tells = False

    def decide(self, view: SeatView) -> Decision:
        """The bidder's own."""
        return self.inner.decide(view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The bidder's own; where it tells which calls it simulated for, their hands are noted."""
        decided = self.inner.decide_many(views)
        if decided.simulated is not None:
            self.tells = True
            self.simulating.update(views.hands[decided.simulated].tolist())
        return decided

    def auctions(self, other: Bidder, *tables: Any) -> Any:
        """The bidder's own, against the bidder that the other one watches."""
        return self.inner.auctions(other.inner if isinstance(other, Watched) else other, *tables)

    def meaning(self, auction: Any) -> Meaning | None:
        """The bidder's own."""
        return self.inner.meaning(auction)


_kept: dict[str, Bidder] = {}


def kept_bidder(text: str) -> Bidder:
    """A bidder of a text, kept by this process for the next cells; those not asked for long are closed."""
    found = _kept.pop(text, None) or bidder(text)
    _kept[text] = found  # the newest last
    while len(_kept) > _KEPT:
        _kept.pop(next(iter(_kept))).close()
    return found


def close_bidders() -> None:
    """Close all bidders that this process keeps."""
    while _kept:
        _kept.popitem()[1].close()


def play_cell(cell: Cell) -> PlayedBoards:
    """The boards of a cell, bid at both tables and scored double dummy."""
    return bid_cell(cell, (kept_bidder(cell.first), kept_bidder(cell.second)))


def bid_cell(cell: Cell, bidders: Sequence[Bidder]) -> PlayedBoards:
    """The boards of a cell, bid by two bidders."""
    source = source_of(cell.deal_set)
    watched = [Watched(one) for one in bidders]
    boards = source.boards(cell.first_board, cell.boards)
    found = bid_both_tables(watched, boards, source, wants_meanings=False)
    return PlayedBoards(
        boards.numbers,
        found.plain.T.astype(np.int32),
        found.perfect.T.astype(np.int32),
        np.stack([found.last, found.doubled, found.declarers], axis=1)
        .reshape(2, len(boards), 3)
        .transpose(1, 0, 2)
        .astype(np.uint8),
        _parted(found),
        _simulated(found, watched),
    )


def _parted(found: BidBoards) -> NDArray[np.uint8]:
    """The last bid before the auctions of a board parted, 0: nobody had bid; ALIKE where they did not."""
    one, other = np.split(found.calls, 2)
    differs = one != other
    place = np.where(differs.any(axis=1), differs.argmax(axis=1), one.shape[1])
    before = np.arange(one.shape[1]) < place[:, None]
    is_bid = (one >= FIRST_BID) & (one != NO_CALL)
    last = np.where(before & is_bid, one, 0).max(axis=1, initial=0)
    return np.where(differs.any(axis=1), last, ALIKE).astype(np.uint8)


def _simulated(found: BidBoards, watched: Sequence[Watched]) -> NDArray[np.int8]:
    if not all(one.tells for one in watched):
        return np.full(len(found.boards), UNTOLD, np.int8)
    simulating = np.array(sorted(set().union(*(one.simulating for one in watched))), dtype=np.uint64)
    some = np.asarray(np.isin(found.boards.bits, simulating).any(axis=1))
    return np.where(some, WITH, WITHOUT).astype(np.int8)
