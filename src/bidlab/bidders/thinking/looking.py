"""Looking ahead: what becomes of an auction after a call, on each imagined deal.

By rules, everybody bids on as the mind would with the hand he has: nobody sees a hidden card. Emmons looked
ahead in the open: the next players make the call that is best for them on this very deal, as if all cards lay
on the table, which he names as the weakness of his method (2009, section 3.3). The cure that he could not
afford is to imagine new deals at each step: the next players think themselves, each from his own seat, about
fewer deals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.thinking.contracts import Bench, Contracts, reached
from bidlab.bidders.thinking.minds import Bits, Mind
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls

Think = Callable[[SeatView], Call]
Rows = NDArray[np.intp]
_REPLIES = 3  # calls that each of the next players chooses from, in the open
_STEPS = 2  # players after the call who look at the cards, or think themselves: the next one, and partner


@dataclass(frozen=True, slots=True)
class ByRules:
    """All four bid on as the mind would."""

    mind: Mind

    def ends(self, view: SeatView, deals: Bits, calls: Calls) -> Contracts:
        """The contracts that some calls lead to, call i in deal i."""
        return _ends(self.mind, view, deals, calls[:, None])


@dataclass(frozen=True, slots=True)
class Resampled:
    """The next players think, each from his own seat; then all bid on as the mind would."""

    mind: Mind
    think: Think

    def ends(self, view: SeatView, deals: Bits, calls: Calls) -> Contracts:
        """The contracts that some calls lead to, call i in deal i."""
        made = _Lines(view, deals, calls)
        known: dict[SeatView, Call] = {}
        for _ in range(_STEPS):
            replies = np.zeros(len(deals), dtype=np.uint8)
            for row, seen in made.views():
                if seen not in known:
                    known[seen] = self.think(seen)
                replies[row] = known[seen]
            made.add(replies)
        return made.ends(self.mind)


@dataclass(frozen=True, slots=True)
class InTheOpen:
    """The next players make the call that comes out best for them on the deal; then all bid on."""

    mind: Mind
    bench: Bench

    def ends(self, view: SeatView, deals: Bits, calls: Calls) -> Contracts:
        """The contracts that some calls lead to, call i in deal i."""
        return self._best(_Lines(view, deals, calls), _STEPS)

    def _best(self, made: _Lines, steps: int) -> Contracts:
        """The contracts when the next players choose, so many of them."""
        if not steps:
            return made.ends(self.mind)
        rows: list[int] = []
        replies: list[int] = []
        for row, seen in made.views():
            proposed = self.mind.proposals(seen, _REPLIES)[:_REPLIES]
            rows += [row] * len(proposed)
            replies += [int(one.call) for one in proposed]
        ends = made.ends(self.mind)  # those that have ended stay as they are
        if not rows:
            return ends
        which = np.array(rows, dtype=np.intp)
        further = made.rows(which)
        further.add(np.array(replies, dtype=np.uint8))
        found = self._best(further, steps - 1)
        points = self._points(further, found)
        order = np.lexsort((-points, which))  # by deal, the best for the player to call first
        best = order[np.unique(which[order], return_index=True)[1]]
        ends[which[best]] = found[best]
        return ends

    def _points(self, made: _Lines, ends: Contracts) -> NDArray[np.int64]:
        """Points of the side that made the last call."""
        plain = self.bench.points(made.deals, int(made.view.vulnerable), ends)
        seat = (int(made.view.seat) + made.calls.shape[1] - 1) % 4
        return plain if seat % 2 == 0 else -plain


class _Lines:
    """Auctions that go on from one view, each on a deal of its own, in step; some may have ended."""

    def __init__(self, view: SeatView, deals: Bits, calls: Calls) -> None:
        self.view, self.deals = view, deals
        self.calls: Calls = np.zeros((len(deals), 0), dtype=np.uint8)
        self.auctions = [view.auction] * len(deals)
        self.add(calls)

    def rows(self, which: Rows) -> _Lines:
        """Some of them, one as often as it is named."""
        some = _Lines.__new__(_Lines)
        some.view, some.deals, some.calls = self.view, self.deals[which], self.calls[which]
        some.auctions = [self.auctions[row] for row in which.tolist()]
        return some

    def add(self, calls: Calls) -> None:
        """Make a call more in each; in those that have ended it is not looked at."""
        self.calls = np.hstack([self.calls, calls[:, None]])
        self.auctions = [
            auction if auction.is_ended else _after(auction, call)
            for auction, call in zip(self.auctions, calls.tolist(), strict=True)
        ]

    def views(self) -> list[tuple[int, SeatView]]:
        """What the players to call see, with the rows of their deals."""
        found = []
        for row, auction in enumerate(self.auctions):
            if not auction.is_ended:
                hand = Hand(int(self.deals[row, auction.turn]))
                found.append((row, SeatView(hand, auction)))
        return found

    def ends(self, mind: Mind) -> Contracts:
        """The contracts when all bid on as a mind would."""
        found = np.zeros((len(self.deals), 3), dtype=np.uint8)
        over = np.array([auction.is_ended for auction in self.auctions])
        going = np.flatnonzero(~over)
        if len(going):
            found[going] = _ends(mind, self.view, self.deals[going], self.calls[going])
        for row in np.flatnonzero(over).tolist():
            found[row] = _ended(self.auctions[row])
        return found


def _after(auction: Auction, call: int) -> Auction:
    return auction.after(CALLS[call])


def _ended(auction: Auction) -> tuple[int, int, int]:
    """Last bid, doubled, declarer of an auction that is over."""
    calls = np.array([auction.calls], dtype=np.uint8)
    last, doubled, declarer = reached(int(auction.dealer), calls)[0].tolist()
    return last, doubled, declarer


def _ends(mind: Mind, view: SeatView, deals: Bits, calls: Calls) -> Contracts:
    return reached(int(view.auction.dealer), mind.continued(view, deals, calls))
