"""The expert: bids by a written system, and says which rule made each call."""

from __future__ import annotations

from bidlab.bridge.calls import CALLS, Auction
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import Reader, reasoned_call
from bidlab.table.bidder import Bidder
from bidlab.table.decision import Candidate, Decision
from bidlab.table.seatview import SeatView


class Expert(Bidder):
    """Bids by a book: the first rule that holds makes the call, all that hold are candidates."""

    def __init__(self, book: Reader, name: str) -> None:
        self.book = book
        self.name = name

    def decide(self, view: SeatView) -> Decision:
        """The call of the first rule that holds, with what the hand lacks for those before it."""
        position = self.book.position(view.auction, view.disclosed)
        found = reasoned_call(position, view.hand)
        held = (found.rule, *found.also)
        candidates = tuple(Candidate(CALLS[rule.call], note=str(rule.source)) for rule in held)
        return Decision(found.rule.call, position.meaning(found.rule.call), found.reasons(), candidates)

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call says by the book; None: the book has no such call there."""
        if not auction.calls:
            return None
        before = Auction(auction.dealer, auction.vulnerable, auction.calls[:-1])
        return self.book.position(before).meaning(auction.calls[-1])
