"""Deals that agree with an auction, call by call: what is likely among them is what the auction tells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import Seat
from bidlab.bridge.errors import DealError
from bidlab.dealing import Dealer, deal_bits
from bidlab.meaning.knowledge import Knowledge
from bidlab.meaning.meaning import Meaning
from bidlab.systems.position import Position

Bits = NDArray[np.uint64]
COUNT = 20_000
# More are dealt than are looked at, so that several calls can pass before there are too few left (less than
# this share): deals at random cost next to nothing, those that agree with an auction some more.
_SPARE, _SPARE_AGREEING = 10, 3
_ENOUGH = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Deals that agree with what all players have shown."""

    pool: Bits  # [deal, seat N E S W], with some to spare
    known: Knowledge
    seed: int
    count: int  # deals that were asked for
    # Whether each deal agrees with everything: not so where no deal could be found that does.
    is_exact: bool = True

    @classmethod
    def start(cls, count: int = COUNT, seed: int = 1) -> Sample:
        """Deals before the first call."""
        return cls(deal_bits(_SPARE * count, seed), Knowledge(), seed, count)

    def __len__(self) -> int:
        return min(len(self.pool), self.count)

    def hands(self, seat: Seat) -> Bits:
        """One player's hand of every deal that is looked at."""
        return np.ascontiguousarray(self.pool[: self.count, seat])

    def after(self, seat: Seat, meaning: Meaning | None) -> Sample:
        """The sample once a player has shown a meaning more; None: a call of which nothing is known."""
        if meaning is None:
            return self
        known = self.known.plus(seat, meaning)
        hands = np.ascontiguousarray(self.pool[:, seat])
        left = self.pool[meaning.admits(hands)]
        if len(left) >= _ENOUGH * self.count and self.is_exact:
            return Sample(left, known, self.seed, self.count)
        try:
            dealer = Dealer(known, checks=False)
            # Another place of the seed than the deals of the start: these are not to be dealt again.
            dealt = dealer.deal_bits(_SPARE_AGREEING * self.count, self.seed, first=_SPARE * self.count + 1)
            return Sample(dealt, known, self.seed, self.count)
        except DealError:
            return self._nearest(hands, meaning, known)

    def _nearest(self, hands: Bits, meaning: Meaning, known: Knowledge) -> Sample:
        """The deals that come nearest, where the calls contradict each other or such deals are too rare."""
        keep = np.argsort(meaning.misfit(hands), kind="stable")[: max(1, len(hands) // 4)]
        return Sample(self.pool[np.sort(keep)], known, self.seed, self.count, is_exact=False)


def choices(position: Position, hands: Bits) -> NDArray[np.intp]:
    """For each hand the number of the rule that calls, the first that holds."""
    chosen = np.full(len(hands), len(position.rules) - 1, dtype=np.intp)
    is_open = np.ones(len(hands), dtype=bool)
    for number, rule in enumerate(position.rules):
        if not is_open.any():
            break
        fires = np.zeros(len(hands), dtype=bool)
        fires[is_open] = Meaning(rule.condition).admits(hands[is_open])
        chosen[fires] = number
        is_open &= ~fires
    return chosen
