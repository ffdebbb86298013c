"""The simplest bidders, to measure others against: one always passes, one calls at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.meaning.meaning import Meaning
from bidlab.runs.seeds import stirred_words
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import ViewBatch

_ANY_HAND = Meaning()
_Words = NDArray[np.uint64]


class PassBidder(Bidder):
    """Always passes, so that its pass says nothing."""

    name = "pass"

    def decide(self, view: SeatView) -> Decision:
        """A pass."""
        return Decision(Call.PASS, _ANY_HAND, ("always passes",))

    def decide_many(self, views: ViewBatch) -> Decisions:
        """A pass at every table."""
        return Decisions(np.zeros(len(views), dtype=np.uint8), [_ANY_HAND] * len(views))

    def meaning(self, auction: Auction) -> Meaning | None:
        """Any hand for a pass; it makes no other call."""
        return _ANY_HAND if auction.calls and auction.calls[-1] == Call.PASS else None


class RandomBidder(Bidder):
    """Makes any legal call, each equally likely, by a hash of its seed and what it sees."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.name = f"random,seed={seed}" if seed else "random"

    def decide(self, view: SeatView) -> Decision:
        """A legal call, the same whenever this view is seen."""
        call = CALLS[self.decide_many(ViewBatch.of([view])).calls[0]]
        return Decision(call, _ANY_HAND, (f"drawn from {len(view.legal_calls)} legal calls",))

    def decide_many(self, views: ViewBatch) -> Decisions:
        """A legal call at every table."""
        counts = views.legal.sum(axis=1, dtype=np.uint64)
        # The upper half of the hash as a fraction of the calls: even to one part in a hundred million.
        drawn = ((self._hashes(views) >> np.uint64(32)) * counts) >> np.uint64(32)
        calls = (views.legal.cumsum(axis=1) > drawn[:, None]).argmax(axis=1)
        return Decisions(calls.astype(np.uint8), [_ANY_HAND] * len(views))

    def meaning(self, auction: Auction) -> Meaning | None:
        """Any hand: the call was drawn without looking at the cards."""
        return _ANY_HAND if auction.calls else None

    def _hashes(self, views: ViewBatch) -> _Words:
        """A word a table from the seed and all that is seen there; tables do not touch each other."""
        words = np.full(len(views), self.seed, dtype=np.uint64)
        for seen in (views.hands, views.dealers, views.vulnerable, *views.calls.T):
            words = stirred_words(words ^ seen.astype(np.uint64))
        return stirred_words(words)
