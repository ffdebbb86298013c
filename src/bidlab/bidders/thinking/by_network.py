"""The mind of a network: its likelier calls are proposed, hands are weighed by how likely they make calls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Condition as _NativeCondition
from bidlab._native import ConditionalDealer as _NativeDealer
from bidlab.bidders.chances import views_of
from bidlab.bidders.network import NetworkBidder
from bidlab.bidders.thinking.minds import Bits, Imagined, Proposal
from bidlab.bridge.calls import Auction, Call
from bidlab.dealing.soft import OPPONENT_WEIGHT, PARTNER_WEIGHT
from bidlab.meaning.conditions import ANYTHING, Condition, all_of
from bidlab.meaning.meaning import Meaning
from bidlab.runs.seeds import seed_at
from bidlab.table.auctions import AuctionBatch
from bidlab.table.bidder import Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch

LIKELY = 0.015  # chances from which on a call is proposed
_WEIGHED = 4  # deals weighed by the network for each that is kept
_DOUBT = 1e-3  # what the chance of a call is never below: the others may be no networks
_BEHIND = 0.02  # deals of less than this share of the last one wanted are not weighed to the end
_SHARPNESS = 4.0  # a network makes its likeliest call; who thinks makes others that are nearly as likely
_PORTION = 500  # deals that are tried at once
_NO_DEALS: Bits = np.zeros((0, 4), dtype=np.uint64)
_STRAYED = 0.1


class NetworkMind:
    """Thinks with a network: what it finds likely, and what it would call with other hands."""

    def __init__(self, network: NetworkBidder, likely: float = LIKELY) -> None:
        self.network = network
        self.likely = likely

    def decide(self, view: SeatView) -> Decision:
        """The likeliest call."""
        return self.network.decide(view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The same for many players."""
        return self.network.decide_many(views)

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call says by the network."""
        return self.network.meaning(auction)

    def proposals(self, view: SeatView, most: int) -> tuple[Proposal, ...]:
        """The likelier calls, the likeliest first."""
        chances = self.network.chances(ViewBatch.of([view]))[0]
        order = sorted(view.legal_calls, key=lambda call: (-chances[call], call))
        return tuple(
            Proposal(call, f"the network's {100 * chances[call]:.0f}%")
            for number, call in enumerate(order[:most])
            if not number or chances[call] >= self.likely
        )

    def allowed(self, view: SeatView, call: Call) -> Meaning | None:
        """What the network's call is known to show, with more hands outside it."""
        known = self.network.meanings
        shown = known.known((*map(int, view.auction.calls), int(call))) if known is not None else None
        return None if shown is None else Meaning(shown.condition, min(1.0, shown.outside + _STRAYED))

    def imagined(self, view: SeatView, count: int, pool: int, seed: int) -> Imagined:
        """Deals in which the others make their calls.

        They are dealt within what the calls are known to show, and kept as likely as the network makes the
        calls with them. Where too few are found, the meanings of its calls being estimates, those that come
        nearest are weighed instead.
        """
        own = np.zeros(4, dtype=np.uint64)
        own[view.seat] = view.hand.bits
        shown = self._shown(view)
        found = self._kept(view, _dealer_within(own, shown), count, pool, seed)
        if len(found) < max(1, count // 4):
            found = self._weighed(view, own, shown, count, pool, seed)
        return Imagined(found, _misfits(view, shown, found))

    def _kept(self, view: SeatView, dealer: _NativeDealer | None, count: int, tries: int, seed: int) -> Bits:
        """Up to `count` deals of so many tries, each kept as likely as the others make their calls."""
        found: list[Bits] = []
        have, first = 0, 1
        random = np.random.default_rng(seed_at(seed, 1))
        while dealer is not None and have < count and first <= tries:
            deals = _dealt(dealer, seed, first, _PORTION)
            if not len(deals):
                break
            for place in _places(view):
                chances = self._sharpened(view, place, deals)
                deals = deals[random.random(len(deals)) < chances]
            found.append(deals[: count - have])
            have += len(found[-1])
            first += _PORTION
        return np.concatenate(found) if found else _NO_DEALS

    def _sharpened(self, view: SeatView, place: int, deals: Bits) -> NDArray[np.float64]:
        """How likely the call at a place is made in each deal, if the likeliest is made nearly always."""
        powers = self._chances_at(view, place, deals).astype(np.float64) ** _SHARPNESS
        sharp: NDArray[np.float64] = powers[:, view.auction.calls[place]] / powers.sum(axis=1)
        return sharp

    def _chances_at(self, view: SeatView, place: int, deals: Bits) -> NDArray[np.float32]:
        """Array [deal, call]: how likely each call was for the player who called at a place."""
        auction = view.auction
        seat = (int(auction.dealer) + place) % 4
        so_far = Auction(auction.dealer, auction.vulnerable, auction.calls[:place])
        return self.network.chances(views_of(so_far, np.ascontiguousarray(deals[:, seat])))

    def _weighed(
        self,
        view: SeatView,
        own: Bits,
        shown: list[tuple[int, Meaning]],
        count: int,
        pool: int,
        seed: int,
    ) -> Bits:
        """Deals drawn in proportion to how likely the network makes the calls with them.

        Most are dealt within what the calls are known to show, the others are those of a random pool that
        come nearest to it.
        """
        dealer = _dealer_within(own, shown)
        within = _dealt(dealer, seed, 1, _WEIGHED * count) if dealer is not None else _NO_DEALS
        random = _NativeDealer(own, [None] * 4).deal(seed_at(seed, 2) >> 1, 1, pool)
        order = np.argsort(_misfits(view, shown, random), kind="stable")
        near = np.concatenate([within, random[order[: (_WEIGHED + 1) * count - len(within)]]])
        return near[_drawn(self._likelihoods(view, near, count), count, seed_at(seed, 1))]

    def _shown(self, view: SeatView) -> list[tuple[int, Meaning]]:
        """What the others' calls were said to show, or what the network's own would, with their seats."""
        found = []
        for place in range(len(view.auction)):
            seat = (int(view.auction.dealer) + place) % 4
            said = view.disclosed[place] if view.disclosed else None
            if said is None and self.network.meanings is not None:
                said = self.network.meanings.known(tuple(map(int, view.auction.calls[: place + 1])))
            if seat != view.seat and said is not None:
                found.append((seat, said))
        return found

    def _likelihoods(self, view: SeatView, deals: Bits, count: int) -> NDArray[np.float64]:
        """How likely the network makes all calls of the others with the hands of each deal.

        A deal that has fallen far behind the best `count` is given up.
        """
        found = np.zeros(len(deals))
        left = np.arange(len(deals))
        for place in _places(view):
            chances = self._chances_at(view, place, deals[left])[:, view.auction.calls[place]]
            found[left] += np.log(np.maximum(chances, _DOUBT))
            left = left[_is_near_the_best(found[left], count)]
        likely: NDArray[np.float64] = np.zeros(len(deals))
        likely[left] = np.exp(found[left] - found[left].max(initial=-np.inf))
        return likely

    def continued(self, view: SeatView, deals: Bits, calls: Calls) -> Calls:
        """Whole auctions, bid on by the network at all four seats."""
        auctions = AuctionBatch(len(deals))
        everywhere = np.arange(len(deals))
        for call in view.auction.calls:
            auctions.make(everywhere, np.full(len(deals), int(call), dtype=np.uint8))
        for column in calls.T:
            auctions.make(everywhere, column)
        dealer, vulnerable = int(view.auction.dealer), int(view.auction.vulnerable)
        going = everywhere[~auctions.ended(everywhere)]
        while len(going):
            seat = (dealer + auctions.place) % 4
            views = ViewBatch(
                np.ascontiguousarray(deals[going, seat]),
                np.full(len(going), dealer, dtype=np.uint8),
                np.full(len(going), vulnerable, dtype=np.uint8),
                auctions.so_far(going),
                auctions.legal(going),
            )
            auctions.make(going, self.network.likeliest(views))
            going = going[~auctions.ended(going)]
        return auctions.so_far(everywhere)


def _places(view: SeatView) -> list[int]:
    """Where in the auction the others have called; passes, which say least, come last."""
    calls = view.auction.calls
    places = [place for place, (seat, _) in enumerate(view.auction.seats()) if seat != view.seat]
    return sorted(places, key=lambda place: calls[place] == Call.PASS)


def _dealer_within(own: Bits, shown: list[tuple[int, Meaning]]) -> _NativeDealer | None:
    """Deals hands that lie within all that they showed; None where there are none."""
    conditions = [
        _together(tuple(meaning.condition for other, meaning in shown if other == seat)) for seat in range(4)
    ]
    dealer = _NativeDealer(own, conditions)
    return None if dealer.is_impossible else dealer


def _dealt(dealer: _NativeDealer, seed: int, first: int, count: int) -> Bits:
    """Some deals of a dealer, or none."""
    try:
        return dealer.deal(seed, first, count)
    except RuntimeError:  # what is finer than shapes and points cannot be had together
        return _NO_DEALS


def _together(conditions: tuple[Condition, ...]) -> _NativeCondition | None:
    narrow = [condition for condition in conditions if condition != ANYTHING]
    return Meaning(all_of(narrow)).native if narrow else None


def _misfits(view: SeatView, shown: list[tuple[int, Meaning]], deals: Bits) -> NDArray[np.float64]:
    """How far each deal is from what the others' calls are known to show."""
    misfits = np.zeros(len(deals))
    for seat, meaning in shown:
        weight = PARTNER_WEIGHT if seat == view.seat.partner else OPPONENT_WEIGHT
        misfits += weight * meaning.misfit(np.ascontiguousarray(deals[:, seat]))
    return misfits


def _is_near_the_best(likely: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Which of some logarithms of weights are not far below the best `count` of them."""
    if len(likely) <= count:
        return np.ones(len(likely), dtype=bool)
    last = np.partition(likely, -count)[-count]
    near: NDArray[np.bool_] = likely >= last + np.log(_BEHIND)
    return near


def _drawn(weights: NDArray[np.float64], count: int, seed: int) -> NDArray[np.intp]:
    """Places drawn in proportion to weights, evenly spaced from one random start, in a random order."""
    random = np.random.default_rng(seed)
    points = (random.random() + np.arange(count)) / count * weights.sum()
    places = np.minimum(np.searchsorted(np.cumsum(weights), points, side="right"), len(weights) - 1)
    return random.permutation(places)
