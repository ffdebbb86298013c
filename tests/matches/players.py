"""Bidders for tests: one that passes, one that bids by points, one that calls anything."""

import hashlib

import numpy as np

from bidlab.bridge.calls import Call
from bidlab.meaning.features import HCP, feature_table
from bidlab.meaning.meaning import Meaning
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch


class Passer(Bidder):
    """Passes, many at a time."""

    name = "passer"

    def decide(self, view: SeatView) -> Decision:
        return Decision(Call("P"))

    def decide_many(self, views: ViewBatch) -> Decisions:
        return Decisions(np.zeros(len(views), dtype=np.uint8))


class Pointer(Bidder):
    """Opens 1NT with 15 or more, raises partner's 1NT to 3NT with 10, and passes otherwise."""

    def __init__(self, least: int = 15) -> None:
        self.least = least
        self.name = f"pointer{least}"

    def decide(self, view: SeatView) -> Decision:
        points = int(feature_table([view.hand])[0, HCP.number])
        if view.auction.last_bid is None and points >= self.least:
            return Decision(Call("1N"), Meaning.parse(f"{self.least}+"), ("enough points",))
        shown = [call for seat, call in view.auction.seats() if seat == view.seat.partner]
        if Call("1N") in shown and view.auction.last_bid == Call("1N") and points >= 10:
            return Decision(Call("3N"), Meaning.parse("10+"))
        return Decision(Call("P"), Meaning.parse("any hand"))


class Chatterer(Bidder):
    """Any legal call, by a hash of what it sees, so that long auctions come up."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.name = f"chatterer{seed}"

    def decide(self, view: SeatView) -> Decision:
        seen = f"{self.seed} {view.hand} {view.auction!r}"
        number = int.from_bytes(hashlib.sha256(seen.encode()).digest()[:8], "big")
        legal = view.legal_calls
        return Decision(legal[number % len(legal)])
