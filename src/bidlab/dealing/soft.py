"""Samples that need not fit perfectly, as Emmons draws them (2009, section 3.3).

A large pool of deals fixes one's own cards and nothing else; those that fit what the others showed best are
kept. So an auction that no deal explains, or a player who strayed from the system, still gives a sample. His
paper leaves the size of the pool and of the sample open; the defaults here are bidlab's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab._native import ConditionalDealer as _NativeDealer
from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError, DealError
from bidlab.dealing.at_random import check_number
from bidlab.meaning.knowledge import Knowledge

PARTNER_WEIGHT = 2.0
OPPONENT_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class SoftSample:
    """The deals of a pool that fit best, best first, and how far each is from fitting."""

    bits: NDArray[np.uint64]  # [deal, seat N E S W]
    misfits: NDArray[np.float64]  # weighted sums, 0 for a perfect fit

    @property
    def perfect(self) -> int:
        """How many of the deals fit perfectly."""
        return int((self.misfits == 0).sum())


def soft_sample(
    known: Knowledge, seat: Seat, count: int = 100, *, seed: int, pool: int = 10_000
) -> SoftSample:
    """The `count` deals of a pool that fit best what the others have shown, as one seat sees it.

    Every meaning that a player has shown adds its misfit, partner's twice. Of deals that fit equally well
    those dealt first are kept: where enough fit perfectly, they are a sample of the exact distribution.
    """
    own = known.hands[seat]
    if own is None:
        raise DealError(f"{seat.word}'s own hand is not known: the pool must fix its cards")
    if not 0 < count <= pool:
        raise BidlabError(f"{count} deals of a pool of {pool}: from 1 to the size of the pool are wanted")
    check_number("seed", seed, 0)
    hands = np.array([0 if hand is None else hand.bits for hand in known.hands], dtype=np.uint64)
    deals = _NativeDealer(hands, [None] * 4).deal(seed, 1, pool)
    misfits = np.zeros(pool)
    for other in SEATS:
        if other != seat:
            weight = PARTNER_WEIGHT if other == seat.partner else OPPONENT_WEIGHT
            own_cards = np.ascontiguousarray(deals[:, other])
            for meaning in known.meanings[other]:
                misfits += weight * meaning.misfit(own_cards)
    best = np.argsort(misfits, kind="stable")[:count]
    return SoftSample(deals[best], misfits[best])
