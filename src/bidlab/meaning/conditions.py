"""Conditions on one hand as values: ranges of features, comparisons, shapes; and, or, not.

Two readings of a condition live elsewhere: its truth for given hands (`meaning.py`) and the cells
of the grid of shapes and points where it may or must hold (`cells.py`). Here is only what can be
said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

from bidlab.bridge.cards import SUITS, Suit
from bidlab.bridge.errors import BidlabError
from bidlab.meaning.features import Feature

Lengths = tuple[int, int, int, int]  # clubs, diamonds, hearts, spades


@dataclass(frozen=True, slots=True)
class Range:
    """A feature from least to most, both included."""

    feature: Feature
    least: int
    most: int

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise BidlabError(
                f"{self.feature} from {self.least} to {self.most}: the least is more than the most"
            )

    @property
    def is_exact(self) -> bool:
        """Whether only one value is allowed."""
        return self.least == self.most


@dataclass(frozen=True, slots=True)
class Longer:
    """One suit longer than another by at least so many cards (0: not shorter; negative: not much shorter)."""

    longer: Suit
    shorter: Suit
    by: int = 1

    def admits_lengths(self, lengths: Lengths) -> bool:
        """Whether a hand of these lengths is meant."""
        return lengths[self.longer] - lengths[self.shorter] >= self.by


@dataclass(frozen=True, slots=True)
class Pattern:
    """Lengths of the longest of some suits, longest first: 4-3-3-3, 5-5 in the minors, 5-4 or longer."""

    lengths: tuple[int, ...]
    suits: tuple[Suit, ...] = SUITS
    or_longer: bool = False

    def __post_init__(self) -> None:
        is_sorted = list(self.lengths) == sorted(self.lengths, reverse=True)
        fits = self.suits == SUITS or len(self.suits) == len(self.lengths)
        if (
            not 2 <= len(self.lengths) <= 4
            or not is_sorted
            or not fits
            or self.suits != tuple(sorted(set(self.suits)))
        ):
            raise BidlabError(
                f"no pattern {self.lengths} in {self.suits}: lengths from the top, as many as suits"
            )

    def admits_lengths(self, lengths: Lengths) -> bool:
        """Whether a hand of these lengths is meant."""
        held = sorted((lengths[suit] for suit in self.suits), reverse=True)
        pairs = list(zip(held, self.lengths, strict=False))
        return all(h >= wanted for h, wanted in pairs) if self.or_longer else all(h == w for h, w in pairs)


def _is_two_suited(held: list[int]) -> bool:
    """Nine cards or more in two suits, split as evenly as can be (Silveira's glossary)."""
    return held[0] + held[1] >= 9 and held[0] - held[1] <= 1


_BALANCED = ([4, 3, 3, 3], [4, 4, 3, 2], [5, 3, 3, 2])
_SEMI_BALANCED = ([5, 4, 2, 2], [6, 3, 2, 2])
SHAPE_WORDS: dict[str, Callable[[list[int]], bool]] = {  # each tests the lengths of a hand, longest first
    "balanced": lambda held: held in _BALANCED,
    "semi-balanced": lambda held: held in _SEMI_BALANCED,
    "unbalanced": lambda held: held not in _BALANCED and held not in _SEMI_BALANCED,
    "one-suited": lambda held: held[0] >= 6 and held[1] <= 3,
    "two-suited": _is_two_suited,
    "three-suited": lambda held: held in ([4, 4, 4, 1], [5, 4, 4, 0]),
}


@dataclass(frozen=True, slots=True)
class ShapeWord:
    """A shape by its name: balanced, two-suited ..."""

    word: str

    def admits_lengths(self, lengths: Lengths) -> bool:
        """Whether a hand of these lengths is meant."""
        return SHAPE_WORDS[self.word](sorted(lengths, reverse=True))


@dataclass(frozen=True, slots=True)
class Not:
    """What does not fulfil a condition."""

    part: Condition


@dataclass(frozen=True, slots=True)
class All:
    """What fulfils every part; without parts, any hand."""

    parts: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Any:
    """What fulfils at least one part; without parts, no hand."""

    parts: tuple[Condition, ...] = ()


ShapeCondition = Longer | Pattern | ShapeWord
Atom = Range | Longer | Pattern | ShapeWord
Condition = Atom | Not | All | Any

ANYTHING = All()
NOTHING = Any()


def all_of(parts: Iterable[Condition]) -> Condition:
    """The parts together; a single one by itself."""
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else All(parts)


def any_of(parts: Iterable[Condition]) -> Condition:
    """One or other of the parts; a single one by itself."""
    parts = tuple(parts)
    return parts[0] if len(parts) == 1 else Any(parts)


def opposite(condition: Condition) -> Condition:
    """The hands that a condition leaves out, with `Not` before shapes only."""
    match condition:
        case Range(feature, least, most):
            outside: list[Condition] = []
            if least > feature.least:
                outside.append(Range(feature, feature.least, least - 1))
            if most < feature.most:
                outside.append(Range(feature, most + 1, feature.most))
            return any_of(outside)
        case Longer(longer, shorter, by):
            return Longer(shorter, longer, 1 - by)
        case Not(part):
            return without_not(part)
        case All(parts):
            return any_of(opposite(part) for part in parts)
        case Any(parts):
            return all_of(opposite(part) for part in parts)
    return Not(condition)


def without_not(condition: Condition) -> Condition:
    """The same hands, with `Not` before shapes only."""
    match condition:
        case Not(part):
            return opposite(part)
        case All(parts):
            return all_of(without_not(part) for part in parts)
        case Any(parts):
            return any_of(without_not(part) for part in parts)
    return condition


def every_shape() -> tuple[Lengths, ...]:
    """The 560 shapes in the order of native/meaning/shapes.hpp: by clubs, then diamonds, then hearts."""
    return tuple((c, d, h, 13 - c - d - h) for c, d, h in product(range(14), repeat=3) if c + d + h <= 13)
