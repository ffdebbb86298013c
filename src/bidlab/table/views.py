"""Many views at once: the players to call at many tables, in arrays.

Tables are bid in step: all auctions of a batch have the same number of calls so far, so that the calls are
one array, and the player to call sits as many places after the dealer at every table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import SEATS
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning
from bidlab.table.seatview import SeatView

Calls = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class ViewBatch:
    """The players to call at many tables, each as that player sees the table; no hidden card."""

    hands: NDArray[np.uint64]  # 52-bit words of the players to call
    dealers: NDArray[np.uint8]
    vulnerable: NDArray[np.uint8]
    calls: Calls  # [table, call so far]
    legal: NDArray[np.bool_]  # [table, call 0 .. 37]
    disclosed: NDArray[np.int32] | None = None  # [table, call so far]: which of `said`, -1: none
    said: Sequence[Meaning] = ()

    def __len__(self) -> int:
        return len(self.hands)

    def __getitem__(self, place: int) -> SeatView:
        auction = Auction(
            SEATS[self.dealers[place]],
            VULNERABILITIES[self.vulnerable[place]],
            [CALLS[call] for call in self.calls[place].tolist()],
        )
        told: tuple[Meaning | None, ...] = ()
        if self.disclosed is not None:
            told = tuple(self.said[i] if i >= 0 else None for i in self.disclosed[place].tolist())
        return SeatView(Hand(int(self.hands[place])), auction, told)

    def __iter__(self) -> Iterator[SeatView]:
        return (self[place] for place in range(len(self)))

    def rows(self, which: NDArray[np.intp]) -> ViewBatch:
        """Some of the views."""
        return ViewBatch(
            self.hands[which],
            self.dealers[which],
            self.vulnerable[which],
            self.calls[which],
            self.legal[which],
            None if self.disclosed is None else self.disclosed[which],
            self.said,
        )

    @classmethod
    def of(cls, views: Sequence[SeatView]) -> ViewBatch:
        """The batch of some views, whose auctions have the same number of calls."""
        legal = np.zeros((len(views), len(CALLS)), dtype=bool)
        for row, view in zip(legal, views, strict=True):
            row[list(view.legal_calls)] = True
        length = len(views[0].auction) if views else 0
        said: dict[Meaning, int] = {}
        disclosed = np.full((len(views), length), -1, dtype=np.int32)
        for row, view in zip(disclosed, views, strict=True):
            for place, meaning in enumerate(view.disclosed):
                if meaning is not None:
                    row[place] = said.setdefault(meaning, len(said))
        return cls(
            np.array([view.hand.bits for view in views], dtype=np.uint64),
            np.array([view.auction.dealer for view in views], dtype=np.uint8),
            np.array([view.auction.vulnerable for view in views], dtype=np.uint8),
            np.array([view.auction.calls for view in views], dtype=np.uint8).reshape(len(views), length),
            legal,
            disclosed if any(view.disclosed for view in views) else None,
            tuple(said),
        )
