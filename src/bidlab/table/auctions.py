"""Many auctions in step, as arrays: which calls are legal, what was bid, who declares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab.table.views import Calls

PASS, DOUBLE, REDOUBLE, FIRST_BID, CALL_COUNT = 0, 1, 2, 3, 38
NO_CALL = 255  # after the end of an auction
_BIDS = np.arange(FIRST_BID, CALL_COUNT)

Seats = NDArray[np.uint8]


def contracts_of(calls: Calls, dealers: Seats) -> tuple[Seats, Seats, Seats]:
    """Last bid (0: passed out), doubled and declarer of auctions [auction, place] that are over.

    Where nobody bid the declarer is the dealer, as in `AuctionBatch.declarers`.

    >>> calls = np.array([[4, 0, 1, 9, 0, 0, 0], [0, 0, 0, 0, NO_CALL, NO_CALL, NO_CALL]], dtype=np.uint8)
    >>> [found.tolist() for found in contracts_of(calls, np.array([1, 2], dtype=np.uint8))]
    [[9, 0], [0, 0], [0, 2]]
    """
    if not calls.size:
        nothing = np.zeros(len(calls), dtype=np.uint8)
        return nothing, nothing, dealers
    bids = np.where(calls == NO_CALL, 0, calls)
    doubles = np.where(bids < FIRST_BID, bids, 0)
    bids = np.where(bids < FIRST_BID, 0, bids)
    rows = np.arange(len(calls))
    at = bids.argmax(axis=1)  # of the last bid: bids only rise
    last = bids[rows, at]
    places = np.arange(calls.shape[1])
    doubled = np.where(places > at[:, None], doubles, 0).max(axis=1)
    is_named = (bids >= FIRST_BID) & ((last[:, None] - bids) % 5 == 0) & ((places - at[:, None]) % 2 == 0)
    declarers = (dealers + is_named.argmax(axis=1)) % 4
    return last, doubled, declarers.astype(np.uint8)


class AuctionBatch:
    """Auctions that all have the same number of calls; those that have ended take no more.

    The state of one is what `bidlab.bridge.calls.Auction` keeps: the last bid (0: none), the place of the
    call that made it, whether it is doubled, and the passes at the end; and for each side and strain the
    place of the call that named it first, which tells the declarer.
    """

    def __init__(self, count: int) -> None:
        self.place = 0  # how many calls each auction has so far
        self._calls: Calls = np.full((count, 16), NO_CALL, dtype=np.uint8)  # with room for more
        self.last = np.zeros(count, dtype=np.uint8)
        self.bidder = np.zeros(count, dtype=np.int16)
        self.doubled = np.zeros(count, dtype=np.uint8)
        self.passes = np.zeros(count, dtype=np.uint8)
        self.first_named = np.full((count, 2, 5), -1, dtype=np.int16)

    def __len__(self) -> int:
        return len(self.last)

    def ended(self, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of some auctions are over: three passes after a bid, or four at the start."""
        passes = self.passes[which]
        ended: NDArray[np.bool_] = (passes >= 3) & ((self.last[which] > 0) | (passes >= 4))
        return ended

    def so_far(self, which: NDArray[np.intp]) -> Calls:
        """Array [auction, place] of the calls of some auctions."""
        return self._calls[which, : self.place]

    def legal(self, which: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Array [auction, call 0 .. 37]: what the players to call may choose, of auctions that go on."""
        last, doubled = self.last[which], self.doubled[which]
        theirs = (self.place - self.bidder[which]) % 2 == 1
        legal = np.ones((len(which), CALL_COUNT), dtype=bool)
        legal[:, DOUBLE] = (last > 0) & (doubled == 0) & theirs
        legal[:, REDOUBLE] = (doubled == 1) & ~theirs
        legal[:, FIRST_BID:] = last[:, None] < _BIDS
        return legal

    def make(self, which: NDArray[np.intp], calls: Calls) -> None:
        """Add legal calls to some auctions; the others have ended."""
        place = self.place
        if place == self._calls.shape[1]:
            self._calls = np.hstack([self._calls, np.full_like(self._calls, NO_CALL)])
        self._calls[which, place] = calls
        self.passes[which] = np.where(calls == PASS, self.passes[which] + 1, 0)
        self.doubled[which[calls == DOUBLE]] = 1
        self.doubled[which[calls == REDOUBLE]] = 2
        bids = calls >= FIRST_BID
        bidding, bid = which[bids], calls[bids]
        self.last[bidding] = bid
        self.bidder[bidding] = place
        self.doubled[bidding] = 0
        strain = (bid + 2) % 5
        named = self.first_named[bidding, place % 2, strain]
        self.first_named[bidding, place % 2, strain] = np.where(named < 0, place, named)
        self.place += 1

    def declarers(self, dealers: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The declarer's seat of each auction; the dealer's where nobody bid."""
        strain = (self.last.astype(np.int16) + 2) % 5
        first = self.first_named[np.arange(len(self)), self.bidder % 2, strain]
        seat: NDArray[np.uint8] = ((dealers + np.maximum(first, 0)) % 4).astype(np.uint8)
        return seat
