"""What is known of all four hands from one seat: one's own cards, everybody's meanings, and what follows.

Four hands hold 40 points and 13 cards of each suit, and each holds 13 cards: what one player shows
is denied to the others. WEBB deduces so (Woolever 2001, sections 3.2 and 3.4); here lengths are
deduced tightly, all sums of hands and suits at once, and shapes and points are kept together cell
by cell.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError, DealError
from bidlab.bridge.hands import ALL_CARDS, Deal, Hand
from bidlab.meaning.cells import POINTS, SHAPES, Cells, cell_counts, packed, unpacked
from bidlab.meaning.features import FEATURES, HCP, Feature, feature_table
from bidlab.meaning.meaning import Meaning, Ranges, all_meanings, ranges_within

Meanings = tuple[tuple[Meaning, ...], tuple[Meaning, ...], tuple[Meaning, ...], tuple[Meaning, ...]]

# What all four hands have together, by kind of feature.
_TOTALS = {
    "hcp": 40,
    "webb": 39_996,
    "controls": 12,
    "aces": 4,
    "kings": 4,
    "texture": 0,
    "length": 13,
    "suit hcp": 10,
    "top three": 3,
    "top five": 5,
    "suit texture": 0,
    "key cards": 5,
}


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Hands that are seen and meanings that were shown, N E S W.

    A meaning that was estimated, with hands outside it, is kept but nothing is deduced from it: five of
    them in a row would exclude the truth. `dealing` takes it as a wish.
    """

    hands: tuple[Hand | None, Hand | None, Hand | None, Hand | None] = (None, None, None, None)
    meanings: Meanings = field(default=((), (), (), ()))

    @classmethod
    def of(
        cls,
        hands: Mapping[Seat, Hand] | None = None,
        meanings: Mapping[Seat, Meaning] | None = None,
    ) -> Knowledge:
        """What is known by seat."""
        n, e, s, w = ((hands or {}).get(seat) for seat in SEATS)
        for hand in (n, e, s, w):
            if hand is not None and hand.bits.bit_count() != 13:
                raise DealError(f"{hand.bits.bit_count()} named cards in hand '{hand}': 13 are wanted")
        Deal((n, e, s, w))  # no card twice
        shown = [(meaning,) if (meaning := (meanings or {}).get(seat)) else () for seat in SEATS]
        return cls((n, e, s, w), (shown[0], shown[1], shown[2], shown[3]))

    def plus(self, seat: Seat, meaning: Meaning) -> Knowledge:
        """What is known once a player has shown a meaning more."""
        shown = list(self.meanings)
        shown[seat] = (*shown[seat], meaning)
        return Knowledge(self.hands, (shown[0], shown[1], shown[2], shown[3]))

    def meaning(self, seat: Seat) -> Meaning:
        """All that a player has shown for sure, together."""
        return all_meanings(meaning for meaning in self.meanings[seat] if not meaning.outside)

    def estimated(self, seat: Seat) -> tuple[Meaning, ...]:
        """What a player has shown by meanings that some hands lie outside of."""
        return tuple(meaning for meaning in self.meanings[seat] if meaning.outside)

    @property
    def is_contradictory(self) -> bool:
        """Whether it is sure that no deal agrees with all that is known."""
        return _all_ranges(self) is None

    def cells(self, seat: Seat) -> Cells:
        """The cells (shape and points) outside which a player's hand cannot lie."""
        return _some(_deduced(self))[seat]

    def ranges(self, seat: Seat) -> Ranges:
        """The least and the most of every feature of a player's hand."""
        return dict(zip(FEATURES, _some(_all_ranges(self))[seat], strict=True))

    def range(self, seat: Seat, feature: Feature) -> tuple[int, int]:
        """The least and the most of one feature of a player's hand."""
        return _some(_all_ranges(self))[seat][feature.number]

    def together(self, seats: Collection[Seat], feature: Feature) -> tuple[int, int]:
        """The least and the most that some players hold together of what the pack has a fixed number of.

        >>> one = Knowledge.of(meanings={Seat.NORTH: Meaning.parse("15-17"), Seat.EAST: Meaning.parse("12+")})
        >>> one.together([Seat.SOUTH, Seat.WEST], HCP)
        (0, 13)
        """
        total = _total(feature)
        if total is None:
            raise BidlabError(f"{feature} of several hands: no sum of them is fixed by the pack")
        boxes = _some(_all_ranges(self))
        ours = [boxes[seat][feature.number] for seat in SEATS if seat in seats]
        theirs = [boxes[seat][feature.number] for seat in SEATS if seat not in seats]
        least = max(sum(low for low, _ in ours), total - sum(high for _, high in theirs))
        return least, min(sum(high for _, high in ours), total - sum(low for low, _ in theirs))

    def admits(self, deal: Deal) -> bool:
        """Whether a deal agrees with the hands seen and the meanings shown for sure."""
        return all(
            (self.hands[seat] is None or self.hands[seat] == deal.hand(seat))
            and self.meaning(seat).admits(deal.hand(seat))
            for seat in SEATS
        )


def _total(feature: Feature) -> int | None:
    """What all four hands have together of a feature, where the pack decides it."""
    return 1 if feature.card is not None else _TOTALS.get(feature.kind)


_T = TypeVar("_T")


def _some(found: _T | None) -> _T:
    if found is None:
        raise BidlabError("no deal agrees with all that is known")
    return found


@lru_cache(maxsize=1024)
def _deduced(known: Knowledge) -> list[Cells] | None:
    """The cells of each hand after all deductions; None where there is a contradiction."""
    seen = sum(hand.bits for hand in known.hands if hand is not None)
    cells = []
    for seat in SEATS:
        hand = known.hands[seat]
        of_cards = cell_counts(ALL_CARDS & ~seen if hand is None else hand.bits) > 0
        cells.append(packed(of_cards) & known.meaning(seat).cells)
    return _closed(cells)


def _closed(cells: list[Cells]) -> list[Cells] | None:
    """The cells when the sums of suits, hands and points say nothing more."""
    while all(own.any() for own in cells):
        grids = [unpacked(own) for own in cells]
        lengths = _tight_lengths(np.array([_length_bounds(grid) for grid in grids]))
        points = shared_out([_point_bounds(grid) for grid in grids], _TOTALS[HCP.kind])
        if lengths is None or points is None:
            return None
        smaller = [own & _box_cells(lengths[seat], points[seat]) for seat, own in enumerate(cells)]
        if all((one == other).all() for one, other in zip(smaller, cells, strict=True)):
            return cells
        cells = smaller
    return None


def _length_bounds(grid: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Least and most of each suit [suit, 2] over the cells of a grid."""
    shapes = SHAPES[grid.any(axis=1)]
    return np.stack([shapes.min(axis=0), shapes.max(axis=0)], axis=1)


def _point_bounds(grid: NDArray[np.bool_]) -> tuple[int, int]:
    points = np.flatnonzero(grid.any(axis=0))
    return int(points[0]), int(points[-1])


def _box_cells(lengths: NDArray[np.int64], points: tuple[int, int]) -> Cells:
    fits = ((lengths[:, 0] <= SHAPES) & (lengths[:, 1] >= SHAPES)).all(axis=1)
    values = np.arange(POINTS)
    return packed(np.reshape(fits, (-1, 1)) & ((values >= points[0]) & (values <= points[1]))[None, :])


def shared_out(bounds: list[tuple[int, int]], total: int) -> list[tuple[int, int]] | None:
    """Bounds of numbers that add up to a total, tightened; None where they cannot."""
    least, most = sum(low for low, _ in bounds), sum(high for _, high in bounds)
    if not least <= total <= most:
        return None
    return [(max(low, total - most + high), min(high, total - least + low)) for low, high in bounds]


_MEMBERS = np.array([[rows >> i & 1 for i in range(4)] for rows in range(16)])  # [subset, member]
_SIZES = _MEMBERS.sum(axis=1)
# [rows, columns, seat, suit]: whether both belong to their subsets, and whether neither does.
_INSIDE = (_MEMBERS[:, None, :, None] & _MEMBERS[None, :, None, :]).astype(bool)
_OUTSIDE = (1 - _MEMBERS[:, None, :, None] & 1 - _MEMBERS[None, :, None, :]).astype(bool)


def _tight_lengths(bounds: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Bounds [seat, suit, 2] of four hands of 13 cards in four suits of 13, as tight as the sums allow.

    A table with given sums of rows and columns and bounds on its entries exists if and only if no set R of
    rows and set C of columns is overdrawn (Hoffman 1960):

        slack(R, C) = 13 (4 - |C|) - 13 |R| + sum of most in R x C - sum of least outside both >= 0

    and an entry of R x C is at least its most less the slack, one outside both at most its least plus it.
    """
    least, most = bounds[:, :, 0], bounds[:, :, 1]
    slack = (
        13 * (4 - _SIZES[None, :] - _SIZES[:, None])
        + np.where(_INSIDE, most, 0).sum(axis=(2, 3))
        - np.where(_OUTSIDE, least, 0).sum(axis=(2, 3))
    )
    if (slack < 0).any():
        return None
    room = slack[:, :, None, None]
    up = np.where(_INSIDE, room, 99).min(axis=(0, 1))
    down = np.where(_OUTSIDE, room, 99).min(axis=(0, 1))
    return np.stack([np.maximum(least, most - up), np.minimum(most, least + down)], axis=2)


@lru_cache(maxsize=1024)
def _all_ranges(known: Knowledge) -> list[list[tuple[int, int]]] | None:
    """Ranges of every feature for every seat, with what four hands have together shared out."""
    cells = _deduced(known)
    if cells is None:
        return None
    boxes = []
    for seat in SEATS:
        box = _seat_box(known, seat, cells[seat])
        if box is None:
            return None
        boxes.append(list(box))
    for number, feature in enumerate(FEATURES):
        total = _total(feature)
        if total is None:
            continue
        column = shared_out([box[number] for box in boxes], total)
        if column is None:
            return None
        for box, bounds in zip(boxes, column, strict=True):
            box[number] = bounds
    return boxes


def _seat_box(known: Knowledge, seat: Seat, cells: Cells) -> list[tuple[int, int]] | None:
    hand = known.hands[seat]
    meaning = known.meaning(seat)
    if hand is not None:
        seen = [(value, value) for value in feature_table([hand])[0].tolist()]
        return seen if meaning.admits(hand) else None
    box = ranges_within(meaning.simplified().condition, cells)
    if box is None:
        return None
    elsewhere = sum(other.bits for other in known.hands if other is not None)
    for feature in FEATURES:
        if feature.card is not None and elsewhere >> feature.card & 1:
            if box[feature.number][0]:
                return None
            box[feature.number] = (0, 0)
    return box
