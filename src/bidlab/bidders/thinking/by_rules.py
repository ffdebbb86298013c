"""The mind of a written system: its rules propose, its book tells which hands make a call, and bids on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Condition as _NativeCondition
from bidlab._native import ConditionalDealer as _NativeDealer
from bidlab.bidders.expert import Expert
from bidlab.bidders.thinking.minds import Bits, Imagined, Proposal
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import SEATS, Strain, Suit
from bidlab.dealing.soft import OPPONENT_WEIGHT, PARTNER_WEIGHT
from bidlab.meaning.cells import SHAPES, Cells
from bidlab.meaning.meaning import Meaning
from bidlab.systems.book import Book
from bidlab.table.bidder import Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch

NEAR = 0.7  # a rule almost holds: up to two points too few, or most of a card
_LEAST_PORTION, _MOST_PORTION = 64, 500  # deals drawn at once: twice as many as are wanted, within these
_GAMES, _SLAM = (5, 5, 4, 4, 3), 6  # levels, of games by strain
_STRAYED = 0.1  # of a thinker's calls, about so many are made with hands that the rules do not allow


@dataclass(frozen=True, slots=True)
class _Said:
    """A call of another player: where the book was before it, or what its maker said of it."""

    seat: int
    call: Call
    node: int
    meaning: Meaning | None

    @property
    def is_silent(self) -> bool:
        """Whether it is a pass: those say least, and are looked at last."""
        return self.call == Call.PASS


class RuleMind:
    """Thinks with the rules of a written system."""

    def __init__(self, expert: Expert, sampling: str = "hard", near: float = NEAR) -> None:
        self.expert = expert
        self.book: Book = expert.book
        self.sampling = sampling
        self.near = near

    def decide(self, view: SeatView) -> Decision:
        """What the first rule that holds would call."""
        return self.expert.decide(view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The same for many players."""
        return self.expert.decide_many(views)

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call says by the system."""
        return self.expert.meaning(auction)

    # Calls.

    def proposals(self, view: SeatView, most: int) -> tuple[Proposal, ...]:
        """The calls of rules that hold, then of those that almost do, the nearest first; and pass.

        Where nothing is written but what is done otherwise, every sensible call.
        """
        node = self._node(view)
        chosen, calls = self.book.choose(
            np.array([node], dtype=np.int32), np.array([view.hand.bits], np.uint64)
        )
        first = CALLS[calls[0]]
        if self.book.is_otherwise(node, int(chosen[0])):
            rest = (call for call in _sensible(view) if call != first)
            return (Proposal(first, "nothing is written here"), *(Proposal(call) for call in rest))
        nearest: dict[int, float] = {}
        for call, misfit in self.book.rule_misfits(node, view.hand.bits):
            nearest[call] = min(misfit, nearest.get(call, misfit))
        legal = {int(call) for call in view.legal_calls}
        near = sorted((far, call) for call, far in nearest.items() if far <= self.near and call in legal)
        found = [Proposal(first, "the rules' choice")]
        found += [Proposal(CALLS[call], _note(far)) for far, call in near if call != first][: most - 1]
        if len(found) < most and all(one.call != Call.PASS for one in found):
            found.append(Proposal(Call.PASS, "no rule"))
        return tuple(found)

    def allowed(self, view: SeatView, call: Call) -> Meaning | None:
        """The hands of all rules that make a call, whatever stands before them; some stray beyond."""
        return self.book.allowed_at(self._node(view), call, _STRAYED)

    # Deals.

    def imagined(self, view: SeatView, count: int, pool: int, seed: int) -> Imagined:
        """Deals that explain every call; where they are few, or asked for softly, the nearest of a pool."""
        said = sorted(self._said(view), key=lambda one: one.is_silent)
        own = np.zeros(4, dtype=np.uint64)
        own[view.seat] = view.hand.bits
        if self.sampling == "hard":
            found = self._drawn(self._cells_dealer(view, own), said, count, 4 * pool, seed)
            if len(found) >= max(1, count // 4):
                return Imagined(found, np.zeros(len(found)))
        return self._softly(_NativeDealer(own, [None] * 4), view, said, count, pool, seed)

    def _drawn(
        self, dealer: _NativeDealer | None, said: list[_Said], count: int, tries: int, seed: int
    ) -> Bits:
        """Up to `count` deals in which every call is explained, of so many tries."""
        found: list[Bits] = []
        have, first = 0, 1
        portion = min(max(2 * count, _LEAST_PORTION), _MOST_PORTION)
        while dealer is not None and have < count and first <= tries:
            try:
                deals = dealer.deal(seed, first, portion)
            except RuntimeError:  # what is known cannot be dealt
                break
            kept = deals[self._explains(said, deals)]
            found.append(kept[: count - have])
            have += len(found[-1])
            first += portion
        return np.concatenate(found) if found else np.zeros((0, 4), dtype=np.uint64)

    def _softly(
        self, dealer: _NativeDealer, view: SeatView, said: list[_Said], count: int, pool: int, seed: int
    ) -> Imagined:
        """The deals of a pool that fit best, partner's calls weighing twice (Emmons 2009, section 3.3).

        Of deals that fit equally well the first are kept, so that the pool need not be looked at to its end
        once enough deals fit perfectly.
        """
        exact = self._drawn(dealer, said, count, pool, seed)
        if len(exact) == count:
            return Imagined(exact, np.zeros(count))
        deals = dealer.deal(seed, 1, pool)
        misfits = np.zeros(pool)
        for one in said:
            weight = PARTNER_WEIGHT if one.seat == view.seat.partner else OPPONENT_WEIGHT
            misfits += weight * self._misfits(one, np.ascontiguousarray(deals[:, one.seat]))
        best = np.argsort(misfits, kind="stable")[:count]
        return Imagined(deals[best], misfits[best])

    def _explains(self, said: list[_Said], deals: Bits) -> NDArray[np.bool_]:
        """In which deals every call is the one that its maker's hand makes."""
        fits = np.ones(len(deals), dtype=bool)
        for one in said:
            left = np.flatnonzero(fits)
            if not len(left):
                break
            hands = np.ascontiguousarray(deals[left, one.seat])
            fits[left] = self._misfits(one, hands, only_whether=True) == 0
        return fits

    def _misfits(self, one: _Said, hands: Bits, *, only_whether: bool = False) -> NDArray[np.float64]:
        if one.meaning is not None:
            if only_whether:
                return (~one.meaning.admits(hands)).astype(np.float64)
            return one.meaning.misfit(hands)
        return self.book.call_misfits(one.node, one.call, hands, only_whether=only_whether)

    def _cells_dealer(self, view: SeatView, own: Bits) -> _NativeDealer | None:
        """Deals the hidden hands within what is known of their shapes and points."""
        node = self._node(view)
        dealer = int(view.auction.dealer)
        conditions = [
            None if seat == view.seat else _within(self.book.known(node, (seat - dealer) % 4))
            for seat in SEATS
        ]
        made = _NativeDealer(own, conditions)
        return None if made.is_impossible else made

    def _said(self, view: SeatView) -> Iterator[_Said]:
        """The calls of the other three, as the book reads them or as they were disclosed."""
        disclosed = self.expert.disclosed(view)
        for place, node in enumerate(self.book.path(self._node(view))):
            seat = (int(view.auction.dealer) + place) % 4
            if seat != view.seat:
                is_theirs = seat != view.seat.partner
                meaning = disclosed[place] if disclosed and is_theirs else None
                yield _Said(seat, view.auction.calls[place], node, meaning)

    # The rest of the auction.

    def continued(self, view: SeatView, deals: Bits, calls: Calls) -> Calls:
        """Whole auctions, bid on by the system at all four seats."""
        count = len(deals)
        before = np.tile(np.array(view.auction.calls, dtype=np.uint8), (count, 1))
        begun = np.ascontiguousarray(np.hstack([before.reshape(count, -1), calls]))
        said = np.zeros(begun.shape, dtype=np.int32)
        said[:, : len(view.auction)] = self._said_numbers(view)
        return self.book.bid(
            deals,
            np.full(count, int(view.auction.dealer), dtype=np.uint8),
            np.full(count, int(view.auction.vulnerable), dtype=np.uint8),
            begun,
            said,
        )

    def _said_numbers(self, view: SeatView) -> NDArray[np.int32]:
        """For each call the number of what its maker's side said of it, 0: read by the book."""
        numbers = np.zeros(len(view.auction), dtype=np.int32)
        for place, meaning in enumerate(self.expert.disclosed(view)):
            if meaning is not None and (len(view.auction) - place) % 2 == 1:
                numbers[place] = self.book.said_number(meaning)
        return numbers

    def _node(self, view: SeatView) -> int:
        return self.book.node(view.auction, self.expert.disclosed(view))


def _sensible(view: SeatView) -> Iterator[Call]:
    """Calls that a player who has no agreements may want to make.

    Suits are bid with four cards, or three where partner has bid them; beyond game there are the cheapest bid
    of each strain and small slams.
    """
    auction, hand = view.auction, view.hand
    partners = {call.strain for seat, call in auction.seats() if seat == view.seat.partner and call.is_bid}
    cheapest = {call.strain: call for call in reversed(view.legal_calls) if call.is_bid}

    def is_sensible(bid: Call) -> bool:
        strain = bid.strain
        if strain != Strain.NOTRUMP and hand.length(Suit(strain)) < (3 if strain in partners else 4):
            return False
        return bid.level <= _GAMES[strain] or bid.level == _SLAM or bid == cheapest[strain]

    return (call for call in view.legal_calls if not call.is_bid or is_sensible(call))


def _note(far: float) -> str:
    return "another rule" if far == 0 else "almost a rule"


def _within(cells: Cells) -> _NativeCondition:
    """The condition that a hand lies in one of some cells."""
    nodes, scales, sets, misfits = _nothing_finer()
    return _NativeCondition(nodes, scales, sets, misfits, cells, cells)


@cache
def _nothing_finer() -> tuple[
    NDArray[np.int32], NDArray[np.float64], NDArray[np.uint64], NDArray[np.float32]
]:
    """A condition of no parts, which any hand fulfils."""
    return (
        np.array([[0, 1, 0, 0, 0]], dtype=np.int32),
        np.ones(1),
        np.zeros((0, 9), dtype=np.uint64),
        np.zeros((0, len(SHAPES)), dtype=np.float32),
    )
