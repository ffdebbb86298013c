"""What calls of WEBB's systems mean: the boxes of the native inference as Meanings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SUITS
from bidlab.meaning import Meaning
from bidlab.meaning.conditions import NOTHING, Condition, Range, all_of
from bidlab.meaning.features import CONTROLS, LOSERS, POINTS, WEBB, length
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.system import WebbSystem

MOST_STRENGTH = 449  # steps of the strongest hand


def least_thousandths(steps: int) -> int:
    """The fewest thousandths of a point that are rounded to so many steps of 5/64, or to more."""
    return max(0, -((625 - 1250 * steps) // 16))


def box_meaning(box: Sequence[Sequence[int]]) -> Meaning:
    """The Meaning of a box: least and most steps of strength, clubs, diamonds, hearts, spades.

    Boxes of systems with options go on with points, controls and losers.

    >>> print(box_meaning([(0, 182), (0, 8), (0, 8), (0, 8), (5, 13)]))
    0-14.257 webb points, 5+ spades
    """
    parts: list[Condition] = []
    least, most = box[0]
    if least > 0 or most < MOST_STRENGTH:
        top = WEBB.most if most >= MOST_STRENGTH else least_thousandths(most + 1) - 1
        parts.append(Range(WEBB, least_thousandths(least), top))
    counted = [*map(length, SUITS), POINTS, CONTROLS, LOSERS]
    for feature, (fewest, highest) in zip(counted[: len(box) - 1], box[1:], strict=True):
        if fewest > feature.least or highest < feature.most:
            parts.append(Range(feature, fewest, highest))
    return Meaning(all_of(parts)).simplified()


def call_meanings(ns: WebbSystem, ew: WebbSystem, auction: Auction) -> tuple[Meaning, ...]:
    """For each call of an auction what is known of its player after it, from his calls alone.

    A call that no hand makes, together with the player's earlier calls, means nothing.
    """
    population = Population.of([ns, ew])
    calls = np.array([int(call) for call in auction.calls], dtype=np.uint8)
    known, made, _ = population.native.follow(0, 1, int(auction.dealer), calls, int(auction.vulnerable))
    return tuple(
        box_meaning(known[at + 1, int(seat)].tolist()) if made[at] else Meaning(NOTHING)
        for at, (seat, _) in enumerate(auction.seats())
    )
