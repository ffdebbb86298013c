"""How likely a bidder is to make given calls with given hands: what its calls tell of the cards.

What a player has shown follows from his own calls alone: a hand is as likely, against another, as he is to
have made all of them with it. A bidder that knows how likely it is to make each call says so (`chances`); of
any other it is 1 for the call that it makes and 0 for the rest.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import Seat
from bidlab.table.bidder import Bidder
from bidlab.table.views import ViewBatch

Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]


@runtime_checkable
class Chancy(Protocol):
    """A bidder that says how likely it is to make each call."""

    def chances(self, views: ViewBatch) -> NDArray[np.float32]:
        """Array [view, call 0 .. 37] of probabilities, 0 for calls that are not legal."""


def views_of(auction: Auction, hands: Bits) -> ViewBatch:
    """The player to call after an auction, with one hand after another."""
    count = len(hands)
    legal = np.zeros(len(CALLS), dtype=bool)
    legal[list(auction.legal_calls())] = True
    calls = np.array(auction.calls, dtype=np.uint8)
    return ViewBatch(
        np.ascontiguousarray(hands),
        np.full(count, int(auction.dealer), dtype=np.uint8),
        np.full(count, int(auction.vulnerable), dtype=np.uint8),
        np.tile(calls, (count, 1)),
        np.tile(legal, (count, 1)),
    )


def calls_made(bidder: Bidder, auction: Auction, hands: Bits) -> NDArray[np.uint8]:
    """The call that a bidder makes after an auction, with each of some hands."""
    return bidder.decide_many(views_of(auction, hands)).calls


def likelihoods(
    bidder: Bidder, auction: Auction, seat: Seat, hands: Bits, *, as_made: bool = False
) -> tuple[Floats, int]:
    """How likely each hand makes all of a player's calls of an auction, and how many decisions that took.

    With `as_made` only the calls count that the bidder makes, however likely it found the others.
    """
    found = np.ones(len(hands))
    asked = 0
    for place, (caller, call) in enumerate(auction.seats()):
        left = np.flatnonzero(found > 0)
        if caller != seat or not len(left):
            continue
        so_far = Auction(auction.dealer, auction.vulnerable, auction.calls[:place])
        asked += len(left)
        if isinstance(bidder, Chancy) and not as_made:
            found[left] *= bidder.chances(views_of(so_far, hands[left]))[:, call]
        else:
            found[left] *= calls_made(bidder, so_far, hands[left]) == call
    return found, asked
