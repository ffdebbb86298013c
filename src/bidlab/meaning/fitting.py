"""Meanings estimated from hands: the few words that are true of nearly all of them and of few others.

A sample of hands that made a call is described by a box: ranges of a few statements (`statements.py`) that
hold together; or by two boxes, where the call is for one kind of hand or another. What is told is measured as
the gain in log-likelihood, in nats, of a hand of the sample over knowing nothing:

    (1 - o) log((1 - o) / s) + o log(o / (1 - s))

with s the share of all hands that the box admits and o the share of the call's hands outside. Of that, each
further statement has to bring its price.

A range ends at the outermost hands of a sample, or inside them, and fresh hands lie beyond such an end more
often than those it was drawn from, the more so as of many ends the best was taken. An end with k hands beyond
it and m at it is taken to leave out k + 0.3 + 1.5/m of them: Good (1953) estimates what was never seen by
what was seen once, and the figures are bidlab's, found on fresh hands (docs/meaning.md). So a small sample is
told with wider ranges, and `outside` is an honest figure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError
from bidlab.meaning.cells import POINTS as POINT_VALUES
from bidlab.meaning.conditions import Condition, all_of, any_of
from bidlab.meaning.features import HCP, feature_table
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.simplify import simplified
from bidlab.meaning.statements import (
    COARSE,
    FINE,
    STRENGTHS,
    VALUES,
    Floats,
    Statement,
    cell_values,
    everybody,
    fine_values,
    histograms,
    pool,
    shape_numbers,
    shape_values,
)

_MOST_STATEMENTS, _MOST_FINE = 7, 2
_LOWER = 0.01  # nats that the lower end of a range has to bring; what the upper one has is the statement's
_CROWDED = 0.35  # by so much of its price each statement is dearer than the one before
_OTHER_BOX = 0.15  # nats that another box has to bring, beside the prices of its statements
_ROOMIER = 0.35  # nats that the bounds of two boxes must save, to look at them closely
_FEWEST_IN_BOX = 0.08  # share of the hands
_FEWEST_TO_PART = 40  # hands
_FEWEST_OF_POOL, _ENOUGH_OF_POOL = 100, 3000  # hands of the pool in a box, to say anything of cards
_TINY = 1e-13


@dataclass(frozen=True, slots=True)
class _Said:
    """A range of a statement, and how many hands beyond its ends must be reckoned with that were not seen."""

    number: int
    least: int
    most: int
    unseen: float


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """Hands as they are searched: their cells, what needs their cards, and their weights."""

    shapes: NDArray[np.int64]
    points: NDArray[np.int64]
    fine: NDArray[np.int8]
    weights: Floats  # together as many hands as they are worth

    @classmethod
    def of(cls, hands: NDArray[np.uint64], weights: Floats | None) -> _Sample:
        features = feature_table(hands)
        if weights is None:
            weights = np.ones(len(hands))
        worth = weights.sum() ** 2 / max((weights**2).sum(), _TINY)
        return cls(
            shape_numbers(features),
            features[:, HCP.number].astype(np.int64),
            fine_values(features),
            weights * (worth / weights.sum()),
        )

    @property
    def size(self) -> float:
        """How many hands the sample is worth."""
        return float(self.weights.sum())

    def grid(self) -> Floats:
        """Array [shape, points] of how many hands lie in each cell."""
        cells = self.shapes * POINT_VALUES + self.points
        found = np.bincount(cells, self.weights, everybody().size).astype(np.float64)
        return found.reshape(everybody().shape)

    def where(self, chosen: NDArray[np.bool_]) -> _Sample:
        """The hands that are chosen."""
        return _Sample(self.shapes[chosen], self.points[chosen], self.fine[chosen], self.weights[chosen])

    def values(self, number: int) -> NDArray[np.int64]:
        """A statement's value for each hand."""
        table = cell_values(number)
        found: NDArray[np.int64] = table[self.shapes, self.points if table.shape[1] > 1 else 0]
        return found


def fitted(
    hands: NDArray[np.uint64], weights: NDArray[np.float64] | None = None, *, cover: float = 0.96
) -> Meaning:
    """A meaning in a few words that takes in nearly all of some hands (52-bit words) and few others.

    At least `cover` of the hands shall be inside, fresh ones of the same call reckoned with; `outside` is the
    estimated share of those that are not.

    >>> from bidlab.dealing import Dealer
    >>> hands = Dealer.of(N="15-17, balanced").deal_bits(400, seed=1)[:, 0].copy()
    >>> print(fitted(hands))
    15-17, balanced (0.5% outside)
    """
    if not len(hands) or (weights is not None and not weights.sum() > 0):
        raise BidlabError("no meaning of no hands: one at least is wanted")
    sample = _Sample.of(np.ascontiguousarray(hands), weights)
    boxes = _boxes(sample, 1 - cover)
    outside = sum(box.outside * box.size for box in boxes) / sample.size
    condition = simplified(any_of(box.condition() for box in boxes))
    return Meaning(condition, _rounded(outside) if _says_something(boxes) else 0.0)


def _says_something(boxes: list[_Box]) -> bool:
    return any(box.said or box.fine for box in boxes)


def _rounded(outside: float) -> float:
    """A share in whole percent, below one percent in halves."""
    return max(0.005, round(outside, 2) if outside >= 0.0075 else 0.005)


def gain(outside: Floats | float, share: Floats | float) -> Floats:
    """What a meaning tells of a hand, in nats over knowing nothing, on average over its hands.

    Less than nothing where more of them lie outside than of all hands.
    """
    o = np.minimum(np.maximum(outside, 1e-4), 1 - 1e-4)
    s = np.minimum(np.maximum(share, _TINY), 1 - 1e-9)
    told: Floats = (1 - o) * np.log((1 - o) / s) + o * np.log(o / (1 - s))
    return np.where(1 - o > s, told, -told)


# --- one box --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """What is said of some hands, how many of them lie outside, and the share of all hands inside."""

    said: tuple[_Said, ...]
    fine: tuple[_Said, ...]
    outside: float
    share: float
    size: float

    @property
    def told(self) -> float:
        """The gain in nats."""
        return float(gain(self.outside, self.share))

    def condition(self) -> Condition:
        """The box as a condition."""
        return all_of(
            [
                *(_as_condition(COARSE, one) for one in self.said),
                *(_as_condition(FINE, one) for one in self.fine),
            ]
        )

    def mask(self) -> NDArray[np.bool_]:
        """The cells [shape, points] inside."""
        return _inside(self.said)


def _as_condition(statements: tuple[Statement, ...], one: _Said) -> Condition:
    statement = statements[one.number]
    most = statement.most if one.most == VALUES - 1 else min(one.most, statement.most)
    return statement.condition(max(one.least, statement.least), most)


def _inside(said: tuple[_Said, ...]) -> NDArray[np.bool_]:
    mask = np.ones(everybody().shape, dtype=bool)
    for one in said:
        values = cell_values(one.number)
        mask &= (values >= one.least) & (values <= one.most)
    return mask


class _Search:
    """Looks for the box of one sample: adds what tells most, then goes over all of it again."""

    def __init__(self, sample: _Sample, allowed: float) -> None:
        self.sample = sample
        self.size = sample.size
        self.grid = sample.grid()
        # So few hands promise no better.
        self.allowed = max(allowed, min(0.3, 2 / self.size))

    def box(self) -> _Box:
        """The best box found."""
        first = self._revised(self._added((), 0.5 * self.allowed))
        said = self._added(first, self.allowed)
        if len(said) > len(first):
            said = self._revised(said)
        return self._with_cards(self._measured(said))

    def _measured(self, said: tuple[_Said, ...]) -> _Box:
        mask = _inside(said)
        inside = float(self.grid[mask].sum())
        unseen = sum(one.unseen for one in said)
        outside = (self.size - inside + unseen) / self.size
        return _Box(said, (), outside, float(everybody()[mask].sum()), self.size)

    def _added(self, said: tuple[_Said, ...], allowed: float) -> tuple[_Said, ...]:
        """What is said and whatever else is worth its price, the most telling first."""
        while len(said) < _MOST_STATEMENTS:
            mask = _inside(said)
            found = self._best_ranges(mask, sum(one.unseen for one in said), allowed)
            wanted = _PRICES * (1 + _CROWDED * len(said))
            worth = found.told - found.before - wanted
            for one in said:
                worth[one.number] = -1
                if one.number < STRENGTHS:
                    worth[:STRENGTHS] = -1  # strength is counted in one way: "6+, 0-11 points" reads badly
            best = int(worth.argmax())
            if worth[best] <= 0:
                break
            said = (*said, found.said(best))
        return said

    def _revised(self, said: tuple[_Said, ...]) -> tuple[_Said, ...]:
        """The same with every range drawn again beside the others, less those that are not worth it now."""
        for one in said:
            others = tuple(other for other in said if other != one)
            unseen = sum(other.unseen for other in others)
            found = self._best_ranges(_inside(others), unseen, self.allowed, one.number)
            price = _PRICES[one.number] * (1 + _CROWDED * len(others))
            if found.told[0] - found.before <= price:
                said = others
            else:
                again = replace(found.said(0), number=one.number)
                said = tuple(again if other == one else other for other in said)
        return said

    def _best_ranges(
        self, mask: NDArray[np.bool_], unseen: float, allowed: float, only: int | None = None
    ) -> _Ranges:
        """The best range of each statement, or of one, beside what is inside already."""
        rows = slice(None) if only is None else slice(only, only + 1)
        seen, all_hands = histograms(self.grid * mask)[rows], histograms(everybody() * mask)[rows]
        return _best(seen, all_hands, _Room(self.size, unseen, allowed, _UPPERS[rows]))

    def _with_cards(self, box: _Box) -> _Box:
        """The box with what the cards themselves tell, where that is worth saying."""
        cards = _Cards.inside(box, self.sample)
        unseen = sum(one.unseen for one in box.said)
        while len(box.fine) < _MOST_FINE and len(cards.among) >= _FEWEST_OF_POOL and len(cards.own):
            found = cards.best_ranges(_Room(self.size, unseen, self.allowed, _FINE_UPPERS))
            wanted = _FINE_PRICES * (1 + _CROWDED * (len(box.said) + len(box.fine)))
            worth = found.told - found.before - wanted
            best = int(worth.argmax())
            if worth[best] <= 0:
                break
            one = found.said(best)
            cards = cards.where(one)
            unseen += one.unseen
            outside = (self.size - float(cards.own_weights.sum()) + unseen) / self.size
            share = float(cards.among_weights.sum())
            box = replace(box, fine=(*box.fine, one), outside=outside, share=share)
        return box


@dataclass(frozen=True, slots=True, eq=False)
class _Cards:
    """Hands of a box by what needs their cards: those of the sample, and those of the pool for all hands."""

    own: NDArray[np.int8]  # [hand, statement]
    own_weights: Floats
    among: NDArray[np.int8]
    among_weights: Floats  # together the share of all hands

    @classmethod
    def inside(cls, box: _Box, sample: _Sample) -> _Cards:
        """The hands inside a box."""
        hands, cells = pool(), box.mask().ravel()
        chosen = np.flatnonzero(cells[hands.cells])
        chosen = chosen[:: len(chosen) // _ENOUGH_OF_POOL + 1]
        weights = hands.weights[chosen]
        own = cells[sample.shapes * POINT_VALUES + sample.points]
        return cls(
            sample.fine[own],
            sample.weights[own],
            hands.values[chosen],
            weights * (box.share / max(weights.sum(), _TINY)),
        )

    def where(self, one: _Said) -> _Cards:
        """Those of which something is true."""
        own, among = self.own[:, one.number], self.among[:, one.number]
        kept, left = (own >= one.least) & (own <= one.most), (among >= one.least) & (among <= one.most)
        return _Cards(self.own[kept], self.own_weights[kept], self.among[left], self.among_weights[left])

    def best_ranges(self, room: _Room) -> _Ranges:
        """The best range of each statement; of one that was said there is nothing more to say."""
        seen = _column_histograms(self.own, self.own_weights)
        return _best(seen, _column_histograms(self.among, self.among_weights), room)


_PRICES = np.array([statement.price for statement in COARSE])
_UPPERS = np.array([statement.upper for statement in COARSE])
_FINE_PRICES = np.array([statement.price for statement in FINE])
_FINE_UPPERS = np.array([statement.upper for statement in FINE])


def _column_histograms(values: NDArray[np.int8], weights: Floats) -> Floats:
    """Array [statement, value] of the weight of the hands with each value."""
    count = values.shape[1]
    flat = values + VALUES * np.arange(count)
    found = np.bincount(flat.ravel(), np.repeat(weights, count), count * VALUES).astype(np.float64)
    return found.reshape(count, VALUES)


# --- ranges ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Ranges:
    """The best range of each statement: its ends, what it leaves unseen, and what is then told."""

    least: NDArray[np.intp]
    most: NDArray[np.intp]
    unseen: Floats
    told: Floats
    before: float  # what was told without any of them

    def said(self, number: int) -> _Said:
        """The range of one statement."""
        return _Said(number, int(self.least[number]), int(self.most[number]), float(self.unseen[number]))


@dataclass(frozen=True, slots=True, eq=False)
class _Ends:
    """For each statement and value, what is lost when a range ends there."""

    hands: Floats  # of the sample, beyond the end
    share: Floats  # of all hands, beyond the end
    unseen: Floats

    @classmethod
    def below(cls, seen: Floats, all_hands: Floats) -> _Ends:
        """Of ranges that begin at a value."""
        hands = np.cumsum(seen, axis=1) - seen
        share = np.cumsum(all_hands, axis=1) - all_hands
        first = (seen > 0).argmax(axis=1)[:, None]
        early = first - np.arange(VALUES)  # how far before the first hand
        unseen = np.where(early > 0, 0.7 / np.maximum(early, 1), 0.3 + 1.5 / np.maximum(seen, 0.2))
        is_end = share > 1e-4 * all_hands.sum(axis=1, keepdims=True)
        return cls(hands, np.where(is_end, share, 0.0), np.where(is_end, unseen, 0.0))

    @classmethod
    def above(cls, seen: Floats, all_hands: Floats) -> _Ends:
        """Of ranges that end at a value."""
        turned = cls.below(seen[:, ::-1], all_hands[:, ::-1])
        return cls(turned.hands[:, ::-1], turned.share[:, ::-1], turned.unseen[:, ::-1])


@dataclass(frozen=True, slots=True, eq=False)
class _Room:
    """The hands that a range is drawn for: how many there are, and how many may be left out."""

    size: float
    unseen: float  # reckoned with already
    allowed: float  # share of the hands
    uppers: Floats  # by statement, what an upper end must tell


def _best(seen: Floats, all_hands: Floats, room: _Room) -> _Ranges:
    """The best range of each statement, first the lower end, then the upper."""
    size, share = room.size, all_hands[0].sum()
    lost = size - seen[0].sum() + room.unseen
    low, high = _Ends.below(seen, all_hands), _Ends.above(seen, all_hands)
    rows = np.arange(len(seen))
    least, most = np.zeros(len(seen), dtype=np.intp), np.full(len(seen), VALUES - 1)
    told = np.zeros(len(seen))
    prices = {True: np.full((len(seen), 1), _LOWER), False: room.uppers[:, None]}
    for moves_low in (True, False):
        moving, fixed, at = (low, high, most) if moves_low else (high, low, least)
        beyond = (fixed.hands + fixed.unseen)[rows, at][:, None]
        outside = (lost + beyond + moving.hands + moving.unseen) / size
        inside = share - fixed.share[rows, at][:, None] - moving.share
        cost = np.where(moving.unseen > 0, prices[moves_low], 0.0)
        cost += np.where(fixed.unseen[rows, at] > 0, prices[not moves_low][:, 0], 0.0)[:, None]
        worth = gain(outside, inside) - cost
        worth = np.where((outside <= room.allowed) | (cost == 0), worth, -np.inf)
        if moves_low:
            # Of ends that are worth the same the outermost, which is the first; for the other end the last.
            least = worth.argmax(axis=1)
            told = worth[rows, least]
        else:
            most = VALUES - 1 - worth[:, ::-1].argmax(axis=1)
            told = worth[rows, most]
    ends = low.unseen[rows, least] + high.unseen[rows, most]
    return _Ranges(least, most, ends, told, float(gain(lost / size, share)))


# --- two boxes ------------------------------------------------------------------------------------------


def _boxes(sample: _Sample, allowed: float) -> list[_Box]:
    """One box; or two, each for a part of the hands, where that tells clearly more."""
    whole = _Search(sample, allowed).box()
    if sample.size < _FEWEST_TO_PART:
        return [whole]
    split = _split(sample)
    if split is None:
        return [whole]
    parts = [sample.where(split), sample.where(~split)]
    boxes = [_Search(part, allowed).box() for part in parts]
    if _told_together(boxes) - whole.told < _OTHER_BOX + _dearer(boxes, whole):
        return [whole]
    return boxes


def _told_together(boxes: list[_Box]) -> float:
    size = sum(box.size for box in boxes)
    outside = sum(box.outside * box.size for box in boxes) / size
    return float(gain(outside, min(1.0, sum(box.share for box in boxes))))


def _dearer(boxes: list[_Box], whole: _Box) -> float:
    """What the further statements of several boxes cost."""
    more = sum(len(box.said) + len(box.fine) for box in boxes) - len(whole.said) - len(whole.fine)
    return 0.02 * max(0, more)


def _split(sample: _Sample) -> NDArray[np.bool_] | None:
    """The best way to part the hands in two by points or by a length, by the room that their bounds take."""
    columns = np.stack([sample.values(number) for number in (0, 2, 3, 4, 5)], axis=1)
    whole = _room(columns, sample.weights)
    best, found = np.log(whole) - _ROOMIER, None
    for column in columns.T:
        values, counts = np.unique(column, return_counts=True)
        below = np.cumsum(counts) / counts.sum()
        for value, share in zip(values.tolist(), below.tolist(), strict=True):
            if not _FEWEST_IN_BOX <= share <= 1 - _FEWEST_IN_BOX:
                continue
            part = column <= value
            room = _room(columns[part], sample.weights[part]) + _room(columns[~part], sample.weights[~part])
            if np.log(room) < best:
                best, found = np.log(room), part
    return found


def _room(columns: NDArray[np.int64], weights: Floats) -> float:
    """The share of all hands within the bounds of some, a few outermost hands left out."""
    rest = int(0.01 * len(columns))
    ordered = np.sort(columns, axis=0)
    least, most = ordered[rest], ordered[len(ordered) - 1 - rest]
    lengths = shape_values()[:, 2:6]
    shapes = ((lengths >= least[1:]) & (lengths <= most[1:])).all(axis=1)
    up_to = _up_to()
    return float((up_to[shapes, most[0] + 1] - up_to[shapes, least[0]]).sum()) + _TINY


@cache
def _up_to() -> Floats:
    """Array [shape, points]: the share of all hands of the shape with fewer points."""
    found = np.zeros((everybody().shape[0], POINT_VALUES + 1))
    np.cumsum(everybody(), axis=1, out=found[:, 1:])
    return found
