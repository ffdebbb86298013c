"""The gist of a meaning: what a teacher would say of it, less what goes without saying.

A meaning is exact: it names every hand that an earlier rule takes away. Said in full, an opening of one spade
would take three lines. The gist keeps the parts that tell something: one that nearly all hands fulfil anyway
is left out, and so are alternatives that hardly ever occur. What earlier rules take away is told elsewhere,
by their calls (`explaining.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SUITS, Suit
from bidlab.meaning.conditions import All, Any, Condition, Longer, Not, Range, all_of, any_of
from bidlab.meaning.features import HCP, Feature, feature_table, length
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.simplify import simplified

RARE = 0.01
_RARE_WAY = 0.03  # an alternative costs a reader more than a part
_NAMED = 3  # the least length that is told of a suit because a call names it
_RARE_COMPARISON = 0.1  # who shows five spades is not asked whether the diamonds may be longer
_FEWEST = 50  # hands; with fewer nothing is known of what is rare
# A gist is clear enough where so large a share of the hands that it admits have the meaning; if not, points
# and lengths are added while one leaves no more than so many of those hands.
_CLEAR, _GAIN, _MOST_ADDED = 0.6, 0.85, 2
_COUNTED = (HCP, *(length(suit) for suit in SUITS))
# Parts are left out in this order: what players say last goes first.
_FAMILIAR = ("length", "hcp", "points", "support", "major", "minor", "key cards")


def gist(meaning: Meaning, hands: NDArray[np.uint64], suit: Suit | None = None) -> Meaning:
    """A meaning as it is told, among hands like these: true of nearly all hands with the meaning.

    Of a suit that a call names, the least length is always told.

    >>> from bidlab.dealing import deal_bits
    >>> pass_out = Meaning.parse("0-21, 0-11 points or 22+ points, not (20-21, balanced)")
    >>> print(gist(pass_out, deal_bits(5000, seed=1)[:, 0].copy()))
    0-11 points
    """
    condition = simplified(meaning.condition)
    having = hands[meaning.admits(hands)]
    if len(having) >= _FEWEST:
        condition = simplified(_without_rare(condition, having))
        condition = all_of((*_named(suit, condition, having), *_parts(condition)))
    told = Meaning(simplified(_told(condition, hands, suit)))
    return _sharpened(told, having, hands) if len(having) >= _FEWEST else told


def _sharpened(told: Meaning, having: NDArray[np.uint64], hands: NDArray[np.uint64]) -> Meaning:
    """The gist with the points and lengths that such hands have, where it would tell too little.

    A pass that takes what thirty rules leave over has no words of its own: nearly all of its meaning is what
    other calls would show.
    """
    alike = hands[told.admits(hands)]
    values, usual = feature_table(alike), feature_table(having)
    fits = np.ones(len(alike), dtype=bool)
    for _ in range(_MOST_ADDED):
        if len(having) >= _CLEAR * fits.sum():
            break
        ranges = [_usual_range(feature, usual, values[fits]) for feature in _COUNTED]
        inside = [fits & _within(one, values) for one in ranges]
        best = int(np.argmin([one.sum() for one in inside]))
        if inside[best].sum() > _GAIN * fits.sum():
            break
        fits = inside[best]
        told = told & Meaning(ranges[best])
    return Meaning(simplified(told.condition))


def _usual_range(feature: Feature, usual: NDArray[np.int32], values: NDArray[np.int32]) -> Range:
    """What all but the rare hands have of a feature; an end that hardly rules out a hand is left open."""
    column, among = np.sort(usual[:, feature.number]), values[:, feature.number]
    rare = int(RARE * len(column))
    least, most = int(column[rare]), int(column[-1 - rare])
    few = 2 * RARE * len(among)
    return Range(
        feature,
        least if (among < least).sum() > few else feature.least,
        most if (among > most).sum() > few else feature.most,
    )


def _within(part: Range, values: NDArray[np.int32]) -> NDArray[np.bool_]:
    column = values[:, part.feature.number]
    fits: NDArray[np.bool_] = (column >= part.least) & (column <= part.most)
    return fits


def _named(suit: Suit | None, condition: Condition, having: NDArray[np.uint64]) -> list[Condition]:
    """What to add of a suit that is named: its least length, where no part of the condition has it."""
    if suit is None or any(isinstance(p, Range) and p.feature == length(suit) for p in _parts(condition)):
        return []
    least = int(np.quantile(feature_table(having)[:, length(suit).number], RARE, method="lower"))
    return [Range(length(suit), least, 13)] if least >= _NAMED else []


def _told(condition: Condition, hands: NDArray[np.uint64], suit: Suit | None = None) -> Condition:
    """The parts of a condition that tell something, those of its alternatives likewise."""
    parts = _telling([part for part in _parts(condition) if not _is_of_other_calls(part)], hands, suit)
    return all_of(_each_told(part, hands) if isinstance(part, Any) else part for part in parts)


def _each_told(condition: Any, hands: NDArray[np.uint64]) -> Condition:
    return any_of(_told(part, hands) if isinstance(part, All) else part for part in condition.parts)


def _parts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, All) else (condition,)


def _is_of_other_calls(part: Condition) -> bool:
    """Whether a part only takes away the hands of another rule."""
    return isinstance(part, Not) and isinstance(part.part, All | Any)


def _without_rare(condition: Condition, having: NDArray[np.uint64]) -> Condition:
    """The condition without alternatives that few of the hands fulfil."""
    match condition:
        case All(parts):
            return all_of(_without_rare(part, having) for part in parts)
        case Any(parts):
            kept = [part for part in parts if Meaning(part).admits(having).mean() >= _RARE_WAY]
            return any_of(_without_rare(part, having) for part in kept or parts)
    return condition


def _telling(parts: list[Condition], hands: NDArray[np.uint64], suit: Suit | None) -> list[Condition]:
    """The parts that rule out more than a few of the hands that fulfil the others, and the suit's length."""
    fulfils = {part: Meaning(part).admits(hands) for part in parts}
    kept = list(parts)
    for part in sorted(parts, key=_rank):
        if suit is not None and isinstance(part, Range) and part.feature == length(suit):
            continue
        others = np.ones(len(hands), dtype=bool)
        for other in kept:
            if other != part:
                others &= fulfils[other]
        rare = _RARE_COMPARISON if isinstance(part, Longer) else RARE
        if others.sum() >= _FEWEST and fulfils[part][others].mean() >= 1 - rare:
            kept.remove(part)
    return kept


def _rank(part: Condition) -> int:
    """When a part is left out: what is not familiar first, among the familiar the last named first."""
    if isinstance(part, Longer):
        return -len(_FAMILIAR) - 1
    if isinstance(part, Range) and part.feature.kind in _FAMILIAR:
        return -_FAMILIAR.index(part.feature.kind)
    return -len(_FAMILIAR) - 2
