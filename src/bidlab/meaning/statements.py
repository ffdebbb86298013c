"""What an estimated meaning may say of a hand, and which share of all hands it is true of.

A statement is a whole number that every hand has (its points, its hearts, whether it is balanced), with the
condition that a range of it makes, and a price: what it must tell, in nats, before it is worth a reader's
while. Those that shape and points decide are counted exactly, on the grid of 560 shapes by 38 points; those
that need the cards themselves (stoppers, honours, key cards) on a pool of random hands, kept by cell so that
rare shapes are in it too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from bidlab._native import deal as _native_deal
from bidlab.bridge.cards import SUITS
from bidlab.meaning.cells import EVERY_HAND, SHAPES, cell_counts, shape_mask
from bidlab.meaning.cells import POINTS as POINT_VALUES
from bidlab.meaning.conditions import (
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeCondition,
    ShapeWord,
    all_of,
)
from bidlab.meaning.features import (
    ACES,
    CONTROLS,
    HCP,
    KINGS,
    LONGEST,
    MAJOR,
    MINOR,
    POINTS,
    SHORTEST,
    Feature,
    feature_table,
    length,
    of_suit,
)
from bidlab.meaning.words import MAJORS, MINORS

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

# A statement's values are 0 .. 27, the last of them for all above: hands of 27 points are one in 100,000.
VALUES = 28
_SHORTER, _AS_LONG, _LONGER = range(3)  # the values of a comparison
_POOL_DEALS, _POOL_SEED, _POOL_A_CELL = 250_000, 20_261_116, 24


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that can be said of a hand in numbers."""

    price: float  # what it must tell, in nats
    least: int
    most: int
    condition: Callable[[int, int], Condition]
    upper: float = 0.01  # what an upper end must tell by itself; infinite where there can be none


def _counted(feature: Feature, price: float, upper: float = 0.01) -> Statement:
    return Statement(
        price, feature.least, feature.most, lambda least, most: Range(feature, least, most), upper
    )


def _is_so(shape: ShapeCondition, price: float, upper: float = inf) -> Statement:
    """A shape that a hand has (1) or has not (0); that it has not is rarely worth saying."""
    return Statement(price, 0, 1, lambda least, most: shape if least else Not(shape), upper)


def _compared(one: int, other: int, price: float) -> Statement:
    """Whether one suit is shorter than another, as long, or longer."""
    first, second = SUITS[one], SUITS[other]

    def condition(least: int, most: int) -> Condition:
        parts: list[Condition] = []
        if least > _SHORTER:
            parts.append(Longer(first, second, least - _AS_LONG))
        if most < _LONGER:
            parts.append(Longer(second, first, _AS_LONG - most))
        return all_of(parts)

    return Statement(price, _SHORTER, _LONGER, condition)


def _longest_suit(suit: int, price: float) -> Statement:
    """Whether no other suit is longer (1) or one is (0)."""
    parts = [Longer(SUITS[suit], other, 0) for other in SUITS if other != suit]
    return Statement(price, 0, 1, lambda least, most: all_of(parts), inf)


# --- by shape and points --------------------------------------------------------------------------------

_LENGTH, _SHAPE, _RARE_WORD, _COMPARISON = 0.02, 0.03, 0.06, 0.06
_AT_MOST = 0.04  # what a player has not is less news than what he has
_PAIRS = [(one, other) for one in range(4) for other in range(one)]
_PATTERNS: list[ShapeCondition] = [
    Pattern(lengths, suits, or_longer=True)
    for suits in (MAJORS, MINORS)
    for lengths in ((4, 4), (5, 4), (5, 5))
]
_WORDS: list[ShapeCondition] = [ShapeWord("unbalanced"), ShapeWord("two-suited")]

# Strength first: these two are points of the grid, the others depend on the shape alone.
COARSE = (
    _counted(HCP, 0.02),
    _counted(POINTS, 0.08),
    *(_counted(length(suit), _LENGTH, _AT_MOST) for suit in SUITS),
    _counted(MAJOR, _SHAPE, _AT_MOST),
    _counted(MINOR, _RARE_WORD, _AT_MOST),
    _counted(LONGEST, _RARE_WORD, _AT_MOST),
    _counted(SHORTEST, _RARE_WORD),
    _is_so(ShapeWord("balanced"), _SHAPE, upper=0.02),
    *(_is_so(word, _SHAPE) for word in _WORDS),
    *(_is_so(pattern, _RARE_WORD) for pattern in _PATTERNS),
    *(_compared(one, other, _COMPARISON) for one, other in _PAIRS),
    *(_longest_suit(suit, _COMPARISON) for suit in range(4)),
)
STRENGTHS = 2


@cache
def shape_values() -> Whole:
    """Array [shape, statement] of the statements by shape; of points what the shape adds."""
    table = SHAPES
    extra = np.maximum(table - 4, 0).sum(axis=1)
    longest = table.max(axis=1)
    columns: list[NDArray[np.generic]] = [np.zeros(len(table)), extra, *table.T]
    columns += [table[:, 2:].max(axis=1), table[:, :2].max(axis=1), longest, table.min(axis=1)]
    columns += [shape_mask(shape) for shape in (ShapeWord("balanced"), *_WORDS, *_PATTERNS)]
    columns += [np.sign(table[:, one] - table[:, other]) + _AS_LONG for one, other in _PAIRS]
    columns += [table[:, suit] == longest for suit in range(4)]
    return np.stack([column.astype(np.int64) for column in columns], axis=1)


@cache
def everybody() -> Floats:
    """Array [shape, points]: the share of all hands in each cell."""
    return cell_counts() / EVERY_HAND


@cache
def _shape_numbers() -> Whole:
    numbers = np.zeros((14, 14, 14), dtype=np.int64)
    numbers[SHAPES[:, 0], SHAPES[:, 1], SHAPES[:, 2]] = np.arange(len(SHAPES))
    return numbers


def shape_numbers(features: NDArray[np.int32]) -> Whole:
    """The number of each hand's shape, from its row of features."""
    first = length(SUITS[0]).number
    found: Whole = _shape_numbers()[features[:, first], features[:, first + 1], features[:, first + 2]]
    return found


@cache
def _places() -> tuple[Whole, Whole]:
    """Where the strengths of a cell and the other statements of a shape stand in the histograms."""
    values = shape_values()
    points = np.minimum(values[:, 1, None] + np.arange(POINT_VALUES), VALUES - 1)
    others = values[:, STRENGTHS:] + VALUES * np.arange(values.shape[1] - STRENGTHS)
    return points, others


def histograms(grid: Floats) -> Floats:
    """Array [statement, value]: how much of a grid [shape, points] has each value of each statement."""
    points, others = _places()
    some = np.flatnonzero(grid.any(axis=1))
    grid = grid[some]
    found = np.zeros((len(COARSE), VALUES))
    by_points = grid.sum(axis=0)
    found[0] = by_points[:VALUES]
    found[0, -1] += by_points[VALUES:].sum()
    found[1] = np.bincount(points[some].ravel(), grid.ravel(), VALUES)
    at = others[some]
    weights = np.repeat(grid.sum(axis=1), at.shape[1])
    count = len(COARSE) - STRENGTHS
    found[STRENGTHS:] = np.bincount(at.ravel(), weights, count * VALUES).reshape(count, VALUES)
    return found


@cache
def cell_values(number: int) -> Whole:
    """Array [shape, points] of a statement: of strengths by cell, of others one column for all points."""
    by_shape = shape_values()[:, number, None]
    if number >= STRENGTHS:
        return by_shape
    by_cell: Whole = np.minimum(by_shape + np.arange(POINT_VALUES), VALUES - 1)
    return by_cell


# --- by the cards ---------------------------------------------------------------------------------------

_HONOURS = 0.08


_FINE_FEATURES = (
    ACES,
    KINGS,
    CONTROLS,
    *(of_suit(kind, suit) for kind in ("top three", "stopper", "control", "quality") for suit in SUITS),
    *(of_suit("key cards", suit) for suit in SUITS),
)
FINE = tuple(_counted(feature, _HONOURS) for feature in _FINE_FEATURES)


def fine_values(features: NDArray[np.int32]) -> NDArray[np.int8]:
    """Array [hand, statement] of what needs the cards, from rows of features."""
    return features[:, [feature.number for feature in _FINE_FEATURES]].astype(np.int8)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Random hands by cell, with what each stands for; together they weigh as much as their cells."""

    cells: Whole  # shape * 38 + points, ascending
    weights: Floats
    values: NDArray[np.int8]  # [hand, statement]


@cache
def pool() -> Pool:
    """The pool, the same in every process: at most 24 hands of a cell among a million random ones."""
    hands = _native_deal(_POOL_SEED, 1, _POOL_DEALS).ravel()
    cells, values = [], []
    for part in np.array_split(hands, 10):  # all features of all hands at once would fill the memory
        features = feature_table(np.ascontiguousarray(part))
        cells.append(shape_numbers(features) * POINT_VALUES + features[:, HCP.number])
        values.append(fine_values(features))
    cell, value = np.concatenate(cells), np.concatenate(values)
    order = np.argsort(cell, kind="stable")
    cell, value = cell[order], value[order]
    first = np.searchsorted(cell, cell)
    kept = np.arange(len(cell)) - first < _POOL_A_CELL
    cell, value = cell[kept], value[kept]
    held = np.bincount(cell, minlength=everybody().size)
    return Pool(cell, everybody().ravel()[cell] / held[cell], value)
