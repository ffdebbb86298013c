"""Meanings: what a call says about a hand, tested, measured, combined, summed up and said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Condition as _NativeCondition
from bidlab.bridge.cards import SUITS, Card, Suit
from bidlab.bridge.hands import Hand
from bidlab.meaning.cells import (
    EVERY_HAND,
    SHAPES,
    Cells,
    cell_sets,
    every_range,
    hand_count,
    shape_mask,
    whole,
)
from bidlab.meaning.conditions import (
    ANYTHING,
    All,
    Any,
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeWord,
    all_of,
    any_of,
    without_not,
)
from bidlab.meaning.english import long_english, short_english
from bidlab.meaning.features import FEATURES, HCP, Feature, hand_bits, holds
from bidlab.meaning.reading import read_meaning
from bidlab.meaning.simplify import simplified
from bidlab.meaning.spreads import SPREADS
from bidlab.meaning.writing import meaning_text

Ranges = dict[Feature, tuple[int, int]]  # the least and the most of every feature


@dataclass(frozen=True, slots=True)
class Meaning:
    """A condition on one hand, and the share of hands with this meaning that lie outside it (0: none).

    >>> notrump = Meaning.parse("15-17, balanced")
    >>> notrump.admits(Hand.parse("AKQ2.T83.KQ9.A76")), notrump.admits(Hand.parse("AJ2.T832.KQ9.A76"))
    (False, False)
    >>> print(notrump & Meaning.parse("not 15+ or 5+ hearts"))
    15-17, balanced, 5+ hearts
    """

    condition: Condition = ANYTHING
    outside: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Meaning:
        """The meaning of a short text, as in "5+ hearts, 8-11"."""
        return cls(*read_meaning(text))

    def __str__(self) -> str:
        text = meaning_text(simplified(self.condition))
        return f"{text} ({100 * self.outside:.6g}% outside)" if self.outside else text

    def short(self) -> str:
        """The meaning in a few words, as a player would answer."""
        return short_english(simplified(self.condition))

    def long(self) -> str:
        """The meaning as a sentence."""
        return long_english(simplified(self.condition))

    def simplified(self) -> Meaning:
        """The same hands in fewer and plainer words."""
        return Meaning(simplified(self.condition), self.outside)

    # Combining.

    def __and__(self, other: Meaning) -> Meaning:
        both = (*_parts(self.condition, All), *_parts(other.condition, All))
        return Meaning(all_of(both), min(1.0, self.outside + other.outside))

    def __or__(self, other: Meaning) -> Meaning:
        either = (*_parts(self.condition, Any), *_parts(other.condition, Any))
        return Meaning(any_of(either), max(self.outside, other.outside))

    def __invert__(self) -> Meaning:
        return Meaning(Not(self.condition), self.outside)

    @property
    def cells(self) -> Cells:
        """The cells (shape and points) outside which no hand has this meaning."""
        return cell_sets(self.condition).possible

    @property
    def is_nothing(self) -> bool:
        """Whether it is sure that no hand has this meaning."""
        return _ranges(simplified(self.condition)) is None

    @property
    def share(self) -> tuple[float, float]:
        """The least and the most that its share of all hands can be; equal where shape and points decide."""
        possible, certain = cell_sets(self.condition)
        return hand_count(certain) / EVERY_HAND, hand_count(possible) / EVERY_HAND

    # Hands.

    @overload
    def admits(self, hands: Hand) -> bool: ...
    @overload
    def admits(self, hands: NDArray[np.uint64] | Sequence[Hand]) -> NDArray[np.bool_]: ...
    def admits(self, hands: Hand | NDArray[np.uint64] | Sequence[Hand]) -> bool | NDArray[np.bool_]:
        """Whether a hand has this meaning; for many hands (52-bit words or Hands) an array."""
        if isinstance(hands, Hand):
            return bool(self.native.admits(hand_bits([hands]))[0])
        return self.native.admits(hand_bits(hands))

    @overload
    def misfit(self, hands: Hand) -> float: ...
    @overload
    def misfit(self, hands: NDArray[np.uint64] | Sequence[Hand]) -> NDArray[np.float64]: ...
    def misfit(self, hands: Hand | NDArray[np.uint64] | Sequence[Hand]) -> float | NDArray[np.float64]:
        """How far a hand is from having this meaning: 0 where it has, about 1 for a usual difference.

        A range is missed by its distance in standard deviations of the feature; what must hold together adds
        up, of alternatives the nearest counts.
        """
        if isinstance(hands, Hand):
            return float(self.native.misfit(hand_bits([hands]))[0])
        return self.native.misfit(hand_bits(hands))

    @property
    def native(self) -> _NativeCondition:
        """The condition compiled, for the kernels that deal."""
        return _compiled(self.condition)

    def ranges(self) -> Ranges:
        """The least and the most of every feature of a hand with this meaning; empty where there is none."""
        found = _ranges(simplified(self.condition))
        return {} if found is None else dict(zip(FEATURES, found, strict=True))


def _parts(condition: Condition, kind: type[All] | type[Any]) -> tuple[Condition, ...]:
    """The parts of a condition of this kind, so that long chains do not nest; any other by itself."""
    return condition.parts if isinstance(condition, kind) else (condition,)


def all_meanings(meanings: Iterable[Meaning]) -> Meaning:
    """What has all of some meanings."""
    together = Meaning()
    for meaning in meanings:
        together = together & meaning
    return together


# Ranges.

_Box = list[tuple[int, int]]  # by feature number


@lru_cache(maxsize=1 << 12)
def _ranges(condition: Condition) -> _Box | None:
    """True bounds of every feature, or None where it is sure that no hand fulfils the condition."""
    return ranges_within(condition, whole())


def ranges_within(condition: Condition, cells: Cells) -> _Box | None:
    """The same among the hands of a set of cells."""
    return _box(without_not(condition), cells)


def _box(condition: Condition, cells: Cells) -> _Box | None:
    cells = cells & cell_sets(condition).possible
    if not cells.any():
        return None
    box = every_range(cells)
    if isinstance(condition, Any):
        return _met(box, _hull([_box(part, cells) for part in condition.parts]))
    for part in condition.parts if isinstance(condition, All) else (condition,):
        inner: _Box | None = box
        if isinstance(part, Range):
            inner = list(box)
            inner[part.feature.number] = (part.least, part.most)
        elif isinstance(part, Any):
            inner = _box(part, cells)
        met = _met(box, inner)
        if met is None:
            return None
        box = met
    return box


def _met(one: _Box, other: _Box | None) -> _Box | None:
    if other is None:
        return None
    both = [(max(a, c), min(b, d)) for (a, b), (c, d) in zip(one, other, strict=True)]
    return None if any(least > most for least, most in both) else both


def _hull(boxes: list[_Box | None]) -> _Box | None:
    some = [box for box in boxes if box is not None]
    if not some:
        return None
    return [
        (min(least for least, _ in column), max(most for _, most in column))
        for column in zip(*some, strict=True)
    ]


# Compiling for the native kernels.

_ALL, _ANY, _RANGE, _SHAPE = range(4)
_SHAPE_SPREAD = SPREADS["length"]


@lru_cache(maxsize=1 << 12)
def _compiled(condition: Condition) -> _NativeCondition:
    plain = _with_cards(without_not(simplified(condition)))
    compiler = _Compiler()
    compiler.add(plain)
    possible, certain = cell_sets(plain)
    return compiler.condition(possible, certain)


# Counts whose least or most value names every card.
_CARDS_OF: dict[str, Callable[[Suit | None], list[Card]]] = {
    "aces": lambda _: [Card(13 * suit + 12) for suit in SUITS],
    "kings": lambda _: [Card(13 * suit + 11) for suit in SUITS],
    "top three": lambda suit: [Card(13 * (suit or 0) + rank) for rank in (10, 11, 12)],
    "top five": lambda suit: [Card(13 * (suit or 0) + rank) for rank in (8, 9, 10, 11, 12)],
}


def _with_cards(condition: Condition) -> Condition:
    """The same hands, with the cards named that a part demands or denies: those are dealt, not hoped for."""
    parts = condition.parts if isinstance(condition, All) else (condition,)
    named: list[Condition] = []
    for part in parts:
        if isinstance(part, Range) and part.is_exact and part.least in (0, part.feature.most):
            cards = _CARDS_OF.get(part.feature.kind)
            if cards is not None:
                value = int(part.least > 0)
                named += [Range(holds(card), value, value) for card in cards(part.feature.suit)]
    return all_of((*parts, *named)) if named else condition


class _Compiler:
    """Writes a condition as the kernels want it: nodes in prefix order, shapes as sets."""

    def __init__(self) -> None:
        self.nodes: list[list[int]] = []
        self.scales: list[float] = []
        self.sets: list[NDArray[np.bool_]] = []

    def add(self, condition: Condition) -> None:
        """Append a condition and its parts."""
        at = len(self.nodes)
        self.scales.append(1.0)
        match condition:
            case Range(feature, least, most):
                self.nodes.append([_RANGE, 0, feature.number, least, most])
                self.scales[at] = 1 / SPREADS[feature.kind] if feature.card is None else 1.0
            case Any(()):  # no hand: as far as a hand without points is from 38
                self.nodes.append([_RANGE, 0, HCP.number, 38, 38])
                self.scales[at] = 1 / SPREADS["hcp"]
            case All(parts) | Any(parts):
                self.nodes.append([_ALL if isinstance(condition, All) else _ANY, 0, 0, 0, 0])
                for part in parts:
                    self.add(part)
            case Not(part):
                assert isinstance(part, Longer | Pattern | ShapeWord)
                self._add_shapes(~shape_mask(part))
            case Longer() | Pattern() | ShapeWord():
                self._add_shapes(shape_mask(condition))
        self.nodes[at][1] = len(self.nodes)

    def _add_shapes(self, mask: NDArray[np.bool_]) -> None:
        self.nodes.append([_SHAPE, 0, len(self.sets), 0, 0])
        self.sets.append(mask)

    def condition(self, possible: Cells, certain: Cells) -> _NativeCondition:
        """The native condition."""
        sets = np.zeros((len(self.sets), 9), dtype=np.uint64)
        misfits = np.zeros((len(self.sets), len(SHAPES)), dtype=np.float32)
        for i, mask in enumerate(self.sets):
            bits = np.packbits(np.concatenate([mask, np.zeros(16, dtype=bool)]), bitorder="little")
            sets[i] = bits.view("<u8")
            misfits[i] = _shape_misfits(mask.tobytes())
        nodes = np.array(self.nodes, dtype=np.int32)
        return _NativeCondition(nodes, np.array(self.scales), sets, misfits, possible, certain)


@cache
def _shape_distances() -> NDArray[np.float32]:
    """How many cards would have to change suit between any two shapes."""
    apart: NDArray[np.float32] = (np.abs(SHAPES[:, None, :] - SHAPES[None, :, :]).sum(axis=2) / 2).astype(
        np.float32
    )
    return apart


@lru_cache(maxsize=1 << 8)  # a system speaks of few shapes, and often
def _shape_misfits(meant: bytes) -> NDArray[np.float32]:
    """How far each shape is from those that are meant, a byte each."""
    mask = np.frombuffer(meant, dtype=np.bool_)
    if not mask.any():
        return np.full(len(SHAPES), 13 / _SHAPE_SPREAD, dtype=np.float32)
    nearest: NDArray[np.float32] = _shape_distances()[:, mask].min(axis=1) / _SHAPE_SPREAD
    return nearest
