"""Sets of hands as boxes, kept exactly: what a player can hold after his calls, as plain rules made them.

A program's own inference keeps one box a player, which forgets what goes with what. To know which rules are
dead, every way to a call is kept as a box of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Interval = tuple[int, int]
Bounds = dict[int, Interval]  # by feature of the kernel, as in DOMAINS
Hands = tuple[Bounds, ...]  # no hand is in two of them

NO_BOUND = 1 << 14
# What hands have of each feature, by the lanes of native/webb/box.hpp: strength in steps, lengths; points,
# controls, losers; longest, shortest, balanced, playing tricks in halves; and of each suit its lead over the
# longest other one, stopper, quality, support, honours. Only the first eight are shown to others.
DOMAINS: dict[int, Interval] = {
    0: (0, 449),
    **{1 + suit: (0, 13) for suit in range(4)},
    **{5: (0, 37), 6: (0, 12), 7: (0, 12)},
    **{16: (4, 13), 17: (0, 3), 18: (0, 1), 19: (2, 26)},
    **{20 + suit: (-13, 13) for suit in range(4)},
    **{first + suit: (0, most) for first, most in ((32, 2), (36, 5), (48, 37), (52, 5)) for suit in range(4)},
}
_STRENGTH, _LENGTHS = 0, range(1, 5)
_LEAST_DECK, _MOST_DECK = 510, 513  # what four rounded strengths add up to
_MOST_BOXES = 64  # beyond them one box stands for all


def within(box: Bounds, bounds: Bounds) -> Bounds | None:
    """The box with more bounds, lengths tightened as they add up to 13; None where no hand is left."""
    found = dict(box)
    for feature, (least, most) in bounds.items():
        low, high = found.get(feature, DOMAINS[feature])
        low, high = max(low, least), min(high, most)
        if low > high:
            return None
        found[feature] = (low, high)
    leasts = sum(found[suit][0] for suit in _LENGTHS)
    mosts = sum(found[suit][1] for suit in _LENGTHS)
    if leasts > 13 or mosts < 13:
        return None
    for suit in _LENGTHS:
        low, high = found[suit]
        found[suit] = (max(low, 13 - (mosts - high)), min(high, 13 - (leasts - low)))
    return found


def parted(hands: Iterable[Bounds], bounds: Bounds) -> tuple[list[Bounds], list[Bounds]]:
    """The hands within some bounds, and those without."""
    inside, outside = [], []
    for box in hands:
        left: Bounds | None = box
        for feature, (least, most) in bounds.items():
            assert left is not None
            for beyond in ((-NO_BOUND, least - 1), (most + 1, NO_BOUND)):
                piece = within(left, {feature: beyond})
                if piece is not None:
                    outside.append(piece)
            left = within(left, {feature: (least, most)})
            if left is None:
                break
        if left is not None:
            inside.append(left)
    return inside, outside


def few(hands: Sequence[Bounds]) -> Hands:
    """The hands; where they take too many boxes, all of the smallest box around them."""
    return tuple(hands) if len(hands) <= _MOST_BOXES else (hull(hands),)


def hull(hands: Sequence[Bounds]) -> Bounds:
    """The smallest box around some hands."""
    features = set.intersection(*(set(box) for box in hands))
    return {
        feature: (min(box[feature][0] for box in hands), max(box[feature][1] for box in hands))
        for feature in sorted(features)
    }


def beside(own: Hands, others: Sequence[Hands]) -> Hands:
    """The hands that can lie beside those of the three other players, whose cards add up to a deck."""
    hulls = [hull(hands) for hands in others]
    limits: Bounds = {}
    for feature in (_STRENGTH, *_LENGTHS):
        least = sum(box[feature][0] for box in hulls)
        most = sum(box[feature][1] for box in hulls)
        lowest, highest = (13, 13) if feature else (_LEAST_DECK, _MOST_DECK)
        limits[feature] = (lowest - most, highest - least)
    found = (within(box, limits) for box in own)
    return tuple(box for box in found if box is not None)
