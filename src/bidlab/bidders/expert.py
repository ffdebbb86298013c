"""The expert: a written system at the table, with judgement where its text is silent."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.kinds import Asked
from bidlab.bridge.calls import CALLS, Auction
from bidlab.meaning.meaning import Meaning
from bidlab.systems.book import Book
from bidlab.systems.explaining import reasoned_call
from bidlab.systems.named import load_system
from bidlab.systems.position import Position
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Candidate, Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch


@lru_cache(maxsize=8)
def shared_book(name: str, switches: tuple[tuple[str, str], ...] = ()) -> Book:
    """The book of a system, one for all experts of a process: what one has seen serves the others."""
    return Book(load_system(name, **dict(switches)))


class Expert(Bidder):
    """Bids by the rules of a system, the first that holds, and by judgement where none does."""

    def __init__(self, book: Book, name: str) -> None:
        self.book = book
        self.name = name

    def position(self, view: SeatView) -> Position:
        """The position of the player to call, as this expert sees it."""
        return self.book.position(view.auction, self.disclosed(view))

    def decide(self, view: SeatView) -> Decision:
        """The call of the first rule that holds, with what the hand lacks for those before it."""
        node = self.book.node(view.auction, self.disclosed(view))
        found = reasoned_call(self.book.position_at(node), view.hand)
        call = found.rule.call
        candidates = tuple(Candidate(rule.call, note=str(rule.source)) for rule in (found.rule, *found.also))
        return Decision(call, self.book.meaning_at(node, call), found.reasons(), candidates)

    def disclosed(self, view: SeatView) -> tuple[Meaning | None, ...]:
        """What the other side said of its calls, without what this book said itself."""
        return tuple(None if self.book.is_own(meaning) else meaning for meaning in view.disclosed)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The calls of a batch, natively."""
        nodes = self.book.nodes(views.dealers, views.vulnerable, views.calls, self._said(views))
        _, calls = self.book.choose(nodes, views.hands)
        meanings = [
            self.book.meaning_at(node, CALLS[call])
            for node, call in zip(nodes.tolist(), calls.tolist(), strict=True)
        ]
        return Decisions(calls, meanings)

    def auctions(
        self,
        other: Bidder,
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        is_north_south: NDArray[np.bool_],
    ) -> Calls | None:
        """Whole auctions against an expert, natively."""
        if not isinstance(other, Expert):
            return None
        return self.book.bid_against(other.book, hands, dealers, vulnerable, is_north_south)

    def _said(self, views: ViewBatch) -> NDArray[np.int32] | None:
        if views.disclosed is None:
            return None
        theirs = np.full(views.calls.shape[1], False)
        theirs[(views.calls.shape[1] + 1) % 2 :: 2] = True  # neither partner's nor my own calls
        numbers = np.zeros(len(views.said) + 1, dtype=np.int32)  # -1, nothing said, finds the last
        for i in np.unique(views.disclosed[:, theirs]).tolist():
            if i >= 0 and not self.book.is_own(views.said[i]):
                numbers[i] = self.book.said_number(views.said[i])
        return np.ascontiguousarray(np.where(theirs, numbers[views.disclosed], 0).astype(np.int32))

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says by this system."""
        if not len(auction):
            return None
        before = Auction(auction.dealer, auction.vulnerable, auction.calls[:-1])
        return self.book.meaning_at(self.book.node(before), auction.calls[-1])


def expert(asked: Asked) -> Expert:
    """The expert of a system, by its name or file, with switches."""
    assert asked.argument is not None
    return Expert(shared_book(asked.argument, tuple(sorted(asked.parameters.items()))), asked.text)
