"""Contracts scored in arrays: as they were bid, and as perfect defenders would have doubled them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bidlab.bridge.cards import STRAINS
from bidlab.bridge.comparison import IMP_STEPS
from bidlab.bridge.scores import contract_score
from bidlab.table.bidding import BidTables

Scores = NDArray[np.int32]
_STEPS = np.array(IMP_STEPS)


def _score_table() -> Scores:
    """Scores of declarer's side [vulnerable, doubling, bid 1C .. 7NT, tricks]."""
    bids = [(level, strain) for level in range(1, 8) for strain in STRAINS]
    return np.array(
        [
            [
                [
                    [contract_score(level, strain, doubling, vulnerable, tricks) for tricks in range(14)]
                    for level, strain in bids
                ]
                for doubling in range(3)
            ]
            for vulnerable in (False, True)
        ],
        dtype=np.int32,
    )


_SCORES = _score_table()


def scores(tables: BidTables, tricks: NDArray[np.uint8], *, perfect: bool = False) -> Scores:
    """Points of each table from North-South's side; with `perfect`, a contract that fails is doubled."""
    bid = np.maximum(tables.last.astype(np.intp) - 3, 0)
    side = tables.declarers.astype(np.intp) % 2
    vulnerable = tables.boards.vulnerable >> side & 1
    doubled = tables.doubled
    if perfect:
        fails = tricks < bid // 5 + 7
        doubled = np.where(fails, np.maximum(doubled, 1), doubled)
    points = _SCORES[vulnerable, doubled, bid, tricks]
    own: Scores = np.where(tables.last > 0, np.where(side == 0, points, -points), 0).astype(np.int32)
    return own


def imp_array(differences: ArrayLike) -> NDArray[np.int64]:
    """IMPs of differences in points, with their signs."""
    given = np.asarray(differences)
    sizes = np.searchsorted(_STEPS, np.abs(given), side="right")
    imps: NDArray[np.int64] = np.where(given < 0, -sizes, sizes).astype(np.int64)
    return imps
