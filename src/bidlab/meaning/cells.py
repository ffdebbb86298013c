"""The grid on which meanings are compared: 560 shapes by 0 to 37 high-card points.

A set of cells is an array of 560 words, bit p of word s for p points and shape s. Each condition
has two sets: `possible`, outside which no hand fulfils it, and `certain`, where every hand does.
For lengths, shapes and points they are the same, and all questions about them are answered exactly;
for anything else (stoppers, honours, tricks) the truth lies between.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidlab._native import cell_counts as _native_cell_counts
from bidlab._native import features as _native_features
from bidlab.bridge.cards import SUITS
from bidlab.bridge.hands import ALL_CARDS
from bidlab.meaning.conditions import (
    All,
    Any,
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeCondition,
    ShapeWord,
    every_shape,
)
from bidlab.meaning.features import CLASS, FEATURES, HCP, PLAYING_TRICKS, Feature

Cells = NDArray[np.uint64]
Grid = NDArray[np.int32]  # a number for each cell [shape, points]

SHAPES = np.array(every_shape(), dtype=np.int64)
POINTS = 38
_OFF = 1 << 20  # more than any feature: the least where there is no hand


class CellSets(NamedTuple):
    """Where a condition may hold, and where it surely does."""

    possible: Cells
    certain: Cells


def packed(grid: NDArray[np.bool_]) -> Cells:
    """The set of the cells that are true in a grid [shape, points]."""
    octets = np.zeros((len(grid), 8), dtype=np.uint8)
    octets[:, : -(-POINTS // 8)] = np.packbits(grid, axis=1, bitorder="little")
    cells: Cells = octets.view("<u8")[:, 0].astype(np.uint64)
    return cells


def unpacked(cells: Cells) -> NDArray[np.bool_]:
    """The grid [shape, points] of a set of cells."""
    grid: NDArray[np.bool_] = (cells[:, None] >> np.arange(POINTS, dtype=np.uint64) & np.uint64(1)).astype(
        bool
    )
    return grid


@lru_cache(maxsize=64)
def cell_counts(cards: int = ALL_CARDS) -> NDArray[np.int64]:
    """How many hands of these cards lie in each cell [shape, points]; of a pack 635,013,559,600 in all."""
    return _native_cell_counts(cards).astype(np.int64)


@cache
def whole() -> Cells:
    """All cells in which there is a hand: 15,152."""
    return packed(cell_counts() > 0)


def hand_count(cells: Cells) -> int:
    """How many hands lie in a set of cells."""
    return int(cell_counts()[unpacked(cells)].sum())


EVERY_HAND = comb(52, 13)


def shape_mask(condition: ShapeCondition) -> NDArray[np.bool_]:
    """For each of the 560 shapes, whether it is meant."""
    return _shape_mask(condition)


@lru_cache(maxsize=4096)
def _shape_mask(condition: ShapeCondition) -> NDArray[np.bool_]:
    return np.array([condition.admits_lengths(lengths) for lengths in every_shape()])


# The least and the most of a feature in each cell.


class Bounds(NamedTuple):
    """The least and the most of a feature in each cell; in an empty cell the least is the larger."""

    least: Grid
    most: Grid


@cache
def bounds(feature: Feature) -> Bounds:
    """True bounds of a feature in each cell, tight for all that adds up suit by suit."""
    by_shape = _by_shape(feature)
    if by_shape is not None:
        return _of_shape(by_shape, feature.kind in ("points", "support"))
    if feature == HCP:
        return _of_shape(np.zeros(len(SHAPES), dtype=np.int64), True)
    if feature.kind == "adjusted":  # corrected by two at most
        points = np.arange(POINTS)
        return _of_points(np.maximum(points - 2, 0), points + 2)
    if feature == CLASS:
        return _class_bounds()
    return _added_up(feature)


def _of_shape(values: NDArray[np.int64], plus_points: bool) -> Bounds:
    grid = np.repeat(values[:, None], POINTS, axis=1) + (np.arange(POINTS) if plus_points else 0)
    return _where_hands_are(grid, grid)


def _of_points(least: NDArray[np.int64], most: NDArray[np.int64]) -> Bounds:
    grid = np.zeros((len(SHAPES), 1), dtype=np.int64)
    return _where_hands_are(grid + least, grid + most)


def _where_hands_are(least: NDArray[np.int64], most: NDArray[np.int64]) -> Bounds:
    some = cell_counts() > 0
    return Bounds(np.where(some, least, _OFF).astype(np.int32), np.where(some, most, -_OFF).astype(np.int32))


def _by_shape(feature: Feature) -> NDArray[np.int64] | None:
    """The feature by shape (less the high-card points, where it has them), if shape decides it."""
    match feature.kind:
        case "length":
            return np.asarray(SHAPES[:, _suit_of(feature)])
        case "longest":
            return np.asarray(SHAPES.max(axis=1))
        case "shortest":
            return np.asarray(SHAPES.min(axis=1))
        case "major":
            return np.asarray(SHAPES[:, 2:].max(axis=1))
        case "minor":
            return np.asarray(SHAPES[:, :2].max(axis=1))
        case "points" | "support":
            # Any hand of the shape shows what it adds: that of the lowest cards will do.
            lowest = ((np.int64(1) << SHAPES) - 1 << 13 * np.arange(4)).sum(axis=1).astype(np.uint64)
            extra = _native_features(lowest)[:, [feature.number, HCP.number]].astype(np.int64)
            return np.asarray(extra[:, 0] - extra[:, 1])
    return None


def _suit_of(feature: Feature) -> int:
    assert feature.suit is not None
    return int(feature.suit)


@cache
def _suit_contributions() -> NDArray[np.int64]:
    """What each of the 8,192 holdings of clubs adds to each feature [holding, feature]."""
    alone = np.arange(1 << 13, dtype=np.uint64)  # hands of clubs only: the other suits add nothing
    table: NDArray[np.int64] = _native_features(alone).astype(np.int64)
    return table


def _contribution(feature: Feature, suit: int) -> NDArray[np.int64]:
    """What each holding of a suit adds to a feature."""
    table = _suit_contributions()
    lengths = np.bitwise_count(np.arange(1 << 13))
    if feature.card is not None:
        rank = feature.card - 13 * feature.card.suit
        held = np.arange(1 << 13) >> rank & 1
        return held if feature.card.suit == suit else np.zeros_like(held)
    if feature == PLAYING_TRICKS:
        # The longest suit counts a card more, and it has four or more: together one trick more.
        values = table[:, feature.number]
        return np.asarray(values - np.where(lengths >= 4, 2, values[0]))
    if feature.kind == "key cards":
        kings = np.arange(1 << 13) >> 11 & 1
        aces = np.arange(1 << 13) >> 12 & 1
        return np.asarray(aces + (kings if suit == feature.suit else 0))
    if feature.suit is not None:
        of_clubs = table[:, feature.number - feature.suit]
        return of_clubs if suit == feature.suit else np.zeros_like(of_clubs)
    return np.asarray(table[:, feature.number])


def _added_up(feature: Feature) -> Bounds:
    """Bounds of a feature that adds up suit by suit: the best and worst way to share out the points."""
    extra = 2 if feature == PLAYING_TRICKS else 0
    suits = [_suit_bounds(_contribution(feature, suit)) for suit in SUITS]
    minors = [_both(suits[0][i], suits[1][i], worst) for i, worst in ((0, np.minimum), (1, np.maximum))]
    majors = [_both(suits[2][i], suits[3][i], worst) for i, worst in ((0, np.minimum), (1, np.maximum))]
    c, d, h, s = SHAPES.T
    found = []
    for i, better, off in ((0, np.minimum, _OFF), (1, np.maximum, -_OFF)):
        left, right = minors[i][c, d], majors[i][h, s]
        grid = np.full((len(SHAPES), 41), 2 * off)
        for p in range(21):
            grid[:, p : p + 21] = better(grid[:, p : p + 21], left[:, p : p + 1] + right)
        found.append(grid[:, :POINTS] + extra)
    return _where_hands_are(*found)


def _suit_bounds(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The least and most of a holding's value by its length and points [14, 11]."""
    order, begins, cells = _holdings_alike()
    least, most = np.full((14, 11), _OFF), np.full((14, 11), -_OFF)
    least[cells] = np.minimum.reduceat(values[order], begins)
    most[cells] = np.maximum.reduceat(values[order], begins)
    return least, most


@cache
def _holdings_alike() -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[NDArray[np.int64], ...]]:
    """The holdings of a suit by length and points, where those that are alike begin, and what they have."""
    holdings = np.arange(1 << 13)
    lengths = np.bitwise_count(holdings).astype(np.int64)
    points = np.zeros_like(holdings)
    for n in (1, 2, 3, 4):
        points += n * (holdings >> 8 + n & 1)
    order = np.lexsort((points, lengths))
    kinds, begins = np.unique((lengths * 11 + points)[order], return_index=True)
    return order, begins, (kinds // 11, kinds % 11)


def _both(one: NDArray[np.int64], other: NDArray[np.int64], better: np.ufunc) -> NDArray[np.int64]:
    """The best or worst of two suits together, by their lengths and their points [14, 14, 21]."""
    off = _OFF if better is np.minimum else -_OFF
    table = np.full((14, 14, 21), 2 * off)
    for p in range(11):
        rows = one[:, None, p : p + 1] + other[None, :, :]
        table[:, :, p : p + 11] = better(table[:, :, p : p + 11], rows)
    return table


def _class_bounds() -> Bounds:
    """Bounds of the hand class from points alone, which its adjusted count differs from by two at most."""
    points = np.arange(POINTS)
    steps = ((10, 22), (9, 20), (8, 18), (7, 15), (6, 13), (5, 10), (4, 7), (3, 5))
    surely = np.full(POINTS, 2)
    for hand_class, at in reversed(steps):
        surely[points - 2 >= at] = hand_class
    surely[points >= 13] = np.maximum(surely[points >= 13], 6)
    steps = ((10, 22), (9, 20), (8, 18), (7, 15), (6, 11), (5, 9), (4, 6), (3, 4))
    at_most = np.full(POINTS, 2)
    for hand_class, at in reversed(steps):
        at_most[points + 2 >= at] = hand_class
    longest = SHAPES.max(axis=1)
    least = np.broadcast_to(surely, (len(SHAPES), POINTS)).copy()
    least[np.ix_(longest == 6, points <= 12)] = 1
    least[np.ix_(longest >= 7, points <= 12)] = 0
    most = np.broadcast_to(at_most, (len(SHAPES), POINTS)).copy()
    most[bounds(PLAYING_TRICKS).most >= 18] = 10
    return _where_hands_are(least, most)


# The two sets of a condition.


@lru_cache(maxsize=1 << 14)
def cell_sets(condition: Condition) -> CellSets:
    """Where a condition may hold, and where it surely does."""
    match condition:
        case Range():
            return _range_sets(condition)
        case Longer() | Pattern() | ShapeWord():
            cells = np.where(_shape_mask(condition), whole(), np.uint64(0))
            return CellSets(cells, cells)
        case Not(part):
            sets = cell_sets(part)
            return CellSets(whole() & ~sets.certain, whole() & ~sets.possible)
        case All(parts):
            possible = certain = whole()
            for sets in map(cell_sets, parts):
                possible, certain = possible & sets.possible, certain & sets.certain
            return CellSets(possible, certain)
        case Any(parts):
            possible = certain = np.zeros_like(whole())
            for sets in map(cell_sets, parts):
                possible, certain = possible | sets.possible, certain | sets.certain
            return CellSets(possible, certain)


def _range_sets(condition: Range) -> CellSets:
    least, most = bounds(condition.feature)
    some = least <= most
    possible = some & (most >= condition.least) & (least <= condition.most)
    certain = some & (least >= condition.least) & (most <= condition.most)
    return CellSets(packed(possible), packed(certain))


def is_within(inner: Cells, outer: Cells) -> bool:
    """Whether one set of cells lies within another."""
    return not (inner & ~outer).any()


@cache
def _all_bounds() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Least and most of every feature in every cell that has hands [feature, cell]."""
    some = unpacked(whole())
    return (
        np.array([bounds(feature).least[some] for feature in FEATURES]),
        np.array([bounds(feature).most[some] for feature in FEATURES]),
    )


def every_range(cells: Cells) -> list[tuple[int, int]]:
    """The least and most of every feature over a set of cells, which must not be empty."""
    chosen = unpacked(cells)[unpacked(whole())]
    least, most = _all_bounds()
    return list(zip(least[:, chosen].min(axis=1).tolist(), most[:, chosen].max(axis=1).tolist(), strict=True))
