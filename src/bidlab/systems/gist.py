"""The gist of a meaning: what a teacher would say of it, less what goes without saying.

A meaning is exact: it names every hand that an earlier rule takes away. Said in full, an opening of one spade
would take three lines. The gist keeps the parts that tell something: one that nearly all hands fulfil anyway
is left out, and so are alternatives that hardly ever occur. What earlier rules take away is told elsewhere,
by their calls (`explaining.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab.meaning.conditions import All, Any, Condition, Longer, Not, Range, all_of, any_of
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.simplify import simplified

RARE = 0.01
_FEWEST = 50  # hands; with fewer nothing is known of what is rare
# Parts are left out in this order: what players say last goes first.
_FAMILIAR = ("length", "hcp", "points", "support", "major", "minor", "key cards")


def gist(meaning: Meaning, hands: NDArray[np.uint64]) -> Meaning:
    """A meaning as it is told, among hands like these: true of nearly all hands with the meaning.

    >>> from bidlab.dealing import deal_bits
    >>> pass_out = Meaning.parse("0-21, 0-11 points or 22+ points, not (20-21, balanced)")
    >>> print(gist(pass_out, deal_bits(5000, seed=1)[:, 0].copy()))
    0-11 points
    """
    condition = simplified(meaning.condition)
    having = hands[meaning.admits(hands)]
    if len(having) >= _FEWEST:
        condition = simplified(_without_rare(condition, having))
    return Meaning(simplified(_told(condition, hands)))


def _told(condition: Condition, hands: NDArray[np.uint64]) -> Condition:
    """The parts of a condition that tell something, those of its alternatives likewise."""
    parts = _telling([part for part in _parts(condition) if not _is_of_other_calls(part)], hands)
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
            kept = [part for part in parts if Meaning(part).admits(having).mean() >= RARE]
            return any_of(_without_rare(part, having) for part in kept or parts)
    return condition


def _telling(parts: list[Condition], hands: NDArray[np.uint64]) -> list[Condition]:
    """The parts that rule out more than a few of the hands that fulfil the others."""
    fulfils = {part: Meaning(part).admits(hands) for part in parts}
    kept = list(parts)
    for part in sorted(parts, key=_rank):
        others = np.ones(len(hands), dtype=bool)
        for other in kept:
            if other != part:
                others &= fulfils[other]
        if others.sum() >= _FEWEST and fulfils[part][others].mean() >= 1 - RARE:
            kept.remove(part)
    return kept


def _rank(part: Condition) -> int:
    """When a part is left out: what is not familiar first, among the familiar the last named first."""
    if isinstance(part, Longer):
        return -len(_FAMILIAR) - 1
    if isinstance(part, Range) and part.feature.kind in _FAMILIAR:
        return -_FAMILIAR.index(part.feature.kind)
    return -len(_FAMILIAR) - 2
