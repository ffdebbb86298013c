"""Minds: what a thinker thinks with. One proposes calls, imagines the hidden hands, and bids on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import Auction, Call
from bidlab.meaning.meaning import Meaning
from bidlab.table.bidder import Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch

Bits = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A call worth thinking about, and why it is."""

    call: Call
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Imagined:
    """Deals that could lie behind an auction, as one player sees it, in the order they are to be used."""

    bits: Bits  # [deal, seat N E S W]
    misfits: NDArray[np.float64]  # weighted; 0: every call is explained

    @property
    def perfect(self) -> float:
        """The share of deals that explain every call."""
        return float((self.misfits == 0).mean()) if len(self.misfits) else 0.0


class Mind(Protocol):
    """Anything that proposes calls and can bid on."""

    def decide(self, view: SeatView) -> Decision:
        """What it would call without thinking, with its reasons."""

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The same for many players."""

    def proposals(self, view: SeatView, most: int) -> tuple[Proposal, ...]:
        """Calls to choose from, its own first; a single one where there is nothing to think about."""

    def imagined(self, view: SeatView, count: int, pool: int, seed: int) -> Imagined:
        """Deals that fit what the others called, in which the player has the own hand."""

    def continued(self, view: SeatView, deals: Bits, calls: Calls) -> Calls:
        """Whole auctions [deal, place]: after the calls [deal, call] that come next all four bid on by it."""

    def allowed(self, view: SeatView, call: Call) -> Meaning | None:
        """What a call of a thinker may show: whatever hands its system proposes the call with."""

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says by its system."""
