"""Hands that show what is wrong at a place: drawn from what their holder has shown before."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SUITS, Seat
from bidlab.bridge.errors import DealError
from bidlab.bridge.hands import Hand
from bidlab.dealing import Dealer
from bidlab.meaning.cells import SHAPES, Cells, cell_counts, unpacked
from bidlab.meaning.conditions import ANYTHING, Condition, Range, all_of
from bidlab.meaning.features import HCP, feature_table, length
from bidlab.meaning.knowledge import Knowledge
from bidlab.meaning.meaning import Meaning, all_meanings
from bidlab.systems.explaining import typical_hand
from bidlab.systems.walking import Visit

_HANDS = 300  # drawn at a time
_MOST_CELLS = 8  # looked into one by one where hands at large show nothing


def example_hand(
    visit: Visit, cells: Cells, condition: Condition, without: Sequence[Condition] = ()
) -> Hand | None:
    """A hand of the player to call within some cells that fulfils a condition and none of the others.

    None where none was found: then there is none, or such hands are very rare. First random hands are looked
    through that would have made the calls so far, and odd ones; then hands are drawn to measure, and cell by
    cell.
    """
    for at_hand in (visit.random_hands, visit.odd_hands):
        hands = at_hand()
        found = _typical(hands[Meaning(condition).admits(hands)], cells, without)
        if found is not None:
            return found
    own = _shown(visit)
    found = _typical(_drawn(own & Meaning(condition)), cells, without)
    if found is not None:
        return found
    counts = np.where(unpacked(cells), cell_counts(), 0)
    for index in np.argsort(-counts, axis=None, kind="stable")[:_MOST_CELLS]:
        shape, points = np.unravel_index(index, counts.shape)
        if not counts[shape, points]:
            break
        parts = [Range(length(suit), *(2 * [int(SHAPES[shape, suit])])) for suit in SUITS]
        cell = all_of((*parts, Range(HCP, int(points), int(points)), condition))
        found = _typical(_drawn(own & Meaning(cell)), cells, without)
        if found is not None:
            return found
    return None


def _shown(visit: Visit) -> Meaning:
    """All that the player to call has shown by the calls so far."""
    said = [visit.book.meaning_at(node, call) for node, call in visit.earlier()]
    return all_meanings(Meaning(one.condition) for one in said if one is not None)


def _drawn(meaning: Meaning) -> NDArray[np.uint64]:
    """Hands with a meaning, as a North would hold them."""
    known = Knowledge.of(meanings={Seat.NORTH: meaning}) if meaning.condition != ANYTHING else Knowledge()
    try:
        return np.ascontiguousarray(Dealer(known).deal_bits(_HANDS, seed=1)[:, Seat.NORTH])
    except DealError:
        return np.zeros(0, dtype=np.uint64)


def _typical(hands: NDArray[np.uint64], cells: Cells, without: Sequence[Condition]) -> Hand | None:
    if not len(hands):
        return None
    fits = _inside(hands, cells)
    for condition in without:
        if not fits.any():
            return None
        fits &= ~Meaning(condition).admits(hands)
    return typical_hand(hands[fits]) if fits.any() else None


def _inside(hands: NDArray[np.uint64], cells: Cells) -> NDArray[np.bool_]:
    """Whether hands lie in a set of cells."""
    table = feature_table(hands)
    lengths = table[:, [length(suit).number for suit in SUITS]].astype(np.int64)
    numbers = _shape_numbers()[lengths[:, 0], lengths[:, 1], lengths[:, 2]]
    points = table[:, HCP.number].astype(np.uint64)
    inside: NDArray[np.bool_] = (cells[numbers] >> points & np.uint64(1)).astype(bool)
    return inside


@cache
def _shape_numbers() -> NDArray[np.int64]:
    """The number of each shape by its clubs, diamonds and hearts."""
    numbers = np.zeros((14, 14, 14), dtype=np.int64)
    numbers[SHAPES[:, 0], SHAPES[:, 1], SHAPES[:, 2]] = np.arange(len(SHAPES))
    return numbers
