"""The one face of all bidders: decide on a call, one view or many, and say what a call means."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import Auction
from bidlab.bridge.errors import BidlabError
from bidlab.meaning.meaning import Meaning
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch


class BidderError(BidlabError):
    """A bidder that could not go on: what it was asked, what it said."""


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """The calls of a batch, and their meanings where the bidder disclosed any."""

    calls: Calls
    meanings: Sequence[Meaning | None] | None = None  # one a call; None: nothing is disclosed
    # Whether hidden hands were dealt to find each call; None: the bidder does not tell. Nobody has to tell.
    simulated: NDArray[np.bool_] | None = None


class Bidder(ABC):
    """Bids for a player, or for both of a side: it keeps nothing between calls but what it was made with.

    What it answers depends on the view, and on its seed if it has one, alone: not on the order in which it is
    asked, nor on what it is asked together with.
    """

    name: str  # the text by which it can be made again

    @abstractmethod
    def decide(self, view: SeatView) -> Decision:
        """The call for the player to call, with meaning and reasons."""

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The calls for many players at once; simulations ask in no other way."""
        decisions = [self.decide(view) for view in views]
        calls = np.array([decision.call for decision in decisions], dtype=np.uint8)
        meanings = [decision.meaning for decision in decisions]
        told = [decision.is_simulated for decision in decisions]
        return Decisions(
            calls,
            meanings if any(meaning is not None for meaning in meanings) else None,
            None if None in told else np.array(told, dtype=bool),
        )

    def auctions(
        self,
        other: Bidder,
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        is_north_south: NDArray[np.bool_],
    ) -> Calls | None:
        """Auctions [table, call] of whole tables against another bidder; None: call by call only.

        For bidders that are much faster that way; they make the calls that `decide_many` would make. Hands
        are [table, seat]; this bidder sits North-South where `is_north_south`, else East-West.
        """
        return None

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says of its maker's hand by this system; None: unknown."""
        return None

    def close(self) -> None:  # noqa: B027 - most bidders hold nothing
        """Give back what the bidder holds: a program it started, a connection."""
