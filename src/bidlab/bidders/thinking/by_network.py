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

LIKELY = 0.03  # chances from which on a call is proposed
_WEIGHED = 4  # deals weighed by the network for each that is kept
_DOUBT = 1e-3  # what the chance of a call is never below: the others may be no networks
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
        """Deals that come near to what the calls show, weighed by how likely the network makes the calls.

        Most are dealt within what the calls are known to show, some are those of a random pool that fit best:
        the meanings of a network's calls are estimates, and the truth may lie outside. Of all of them as many
        as are wanted are drawn in proportion to their weights.
        """
        own = np.zeros(4, dtype=np.uint64)
        own[view.seat] = view.hand.bits
        shown = self._shown(view)
        within = _dealt_within(own, shown, _WEIGHED * count, seed)
        random = _NativeDealer(own, [None] * 4).deal(seed_at(seed, 2) >> 1, 1, pool)
        order = np.argsort(_misfits(view, shown, random), kind="stable")
        near = np.concatenate([within, random[order[: (_WEIGHED + 1) * count - len(within)]]])
        drawn = _drawn(self._likelihoods(view, near), count, seed_at(seed, 1))
        return Imagined(near[drawn], _misfits(view, shown, near[drawn]))

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

    def _likelihoods(self, view: SeatView, deals: Bits) -> NDArray[np.float64]:
        """How likely the network makes all calls of the others with the hands of each deal."""
        auction = view.auction
        found = np.zeros(len(deals))
        for place, call in enumerate(auction.calls):
            seat = (int(auction.dealer) + place) % 4
            if seat == view.seat:
                continue
            so_far = Auction(auction.dealer, auction.vulnerable, auction.calls[:place])
            hands, which = np.unique(deals[:, seat], return_inverse=True)
            chances = self.network.chances(views_of(so_far, hands))[:, call]
            found += np.log(np.maximum(chances, _DOUBT))[which.reshape(-1)]
        likely: NDArray[np.float64] = np.exp(found - found.max(initial=0.0, where=np.isfinite(found)))
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


def _dealt_within(own: Bits, shown: list[tuple[int, Meaning]], count: int, seed: int) -> Bits:
    """Deals in which every hand lies within all that it showed; none where there are no such deals."""
    conditions = [
        _together(tuple(meaning.condition for other, meaning in shown if other == seat)) for seat in range(4)
    ]
    dealer = _NativeDealer(own, conditions)
    try:
        return np.zeros((0, 4), dtype=np.uint64) if dealer.is_impossible else dealer.deal(seed, 1, count)
    except RuntimeError:  # what is finer than shapes and points cannot be had together
        return np.zeros((0, 4), dtype=np.uint64)


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


def _drawn(weights: NDArray[np.float64], count: int, seed: int) -> NDArray[np.intp]:
    """Places drawn in proportion to weights, evenly spaced from one random start, in a random order."""
    random = np.random.default_rng(seed)
    points = (random.random() + np.arange(count)) / count * weights.sum()
    places = np.minimum(np.searchsorted(np.cumsum(weights), points, side="right"), len(weights) - 1)
    return random.permutation(places)
