"""The evolved bidder: a system of WEBB's kind at the table, from the file that evolution wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab._native import webb_auctions
from bidlab.bidders.kinds import Asked
from bidlab.bridge.calls import CALLS, Auction
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import reasoned_call
from bidlab.systems.webb.book import WebbBook, shared_webb_book, sides_of
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Candidate, Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch


class Evolved(Bidder):
    """Bids by the programs of a system that evolved.

    Its own side's calls it reads by these programs; the other side's as they were disclosed, and by the same
    programs where nothing was.
    """

    def __init__(self, book: WebbBook, name: str) -> None:
        self.book = book
        self.name = name

    def decide(self, view: SeatView) -> Decision:
        """The program's call, with the tests of the hand that led to it."""
        decided = self.decide_many(ViewBatch.of([view]))
        assert decided.meanings is not None
        call = CALLS[int(decided.calls[0])]
        found = reasoned_call(self.book.any_position(view.auction, view.disclosed), view.hand)
        return Decision(
            call, decided.meanings[0], found.reasons(), (Candidate(call, note=str(found.rule.source)),)
        )

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The calls of a batch, natively."""
        sides = sides_of(views.dealers, views.vulnerable)
        calls, meanings = self.book.decide(sides, views.calls, self._said(views), views.hands)
        return Decisions(calls, meanings)

    def _said(self, views: ViewBatch) -> NDArray[np.int32]:
        """For each call the number of what it was said to show; -1 where it is read by the programs."""
        if views.disclosed is None:
            return np.full(views.calls.shape, -1, dtype=np.int32)
        theirs = np.full(views.calls.shape[1], False)
        theirs[(views.calls.shape[1] + 1) % 2 :: 2] = True  # neither partner's nor my own calls
        numbers = np.full(len(views.said) + 1, -1, dtype=np.int32)  # -1, nothing said, finds the last
        for i in np.unique(views.disclosed[:, theirs]).tolist():
            if i >= 0:
                numbers[i] = self.book.told_number(views.said[i])
        return np.where(theirs, numbers[views.disclosed], -1).astype(np.int32)

    def auctions(
        self,
        other: Bidder,
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        is_north_south: NDArray[np.bool_],
    ) -> Calls | None:
        """Whole auctions against another evolved system, natively."""
        if not isinstance(other, Evolved):
            return None
        return webb_auctions(
            self.book.population.native,
            0,
            other.book.population.native,
            0,
            np.ascontiguousarray(hands),
            np.ascontiguousarray(dealers),
            np.ascontiguousarray(vulnerable),
            np.ascontiguousarray(is_north_south),
        )

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says by this system."""
        return self.book.meaning(auction) if len(auction) else None


def evolved(asked: Asked) -> Evolved:
    """The bidder of a file's system."""
    assert asked.argument is not None
    return Evolved(shared_webb_book(Path(asked.argument)), asked.text)
