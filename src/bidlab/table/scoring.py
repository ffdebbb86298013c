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
    contracts = np.column_stack([tables.last, tables.doubled, tables.declarers])
    return contract_scores(contracts, tables.boards.vulnerable, tricks, perfect=perfect)


def contract_scores(
    contracts: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
    tricks: NDArray[np.uint8],
    *,
    perfect: bool = False,
) -> Scores:
    """Points from North-South's side of contracts [.., the last bid or 0, doubled, declarer]."""
    last, doubled, declarer = (contracts[..., i].astype(np.intp) for i in range(3))
    bid, side = np.maximum(last - 3, 0), declarer % 2
    if perfect:
        doubled = np.where(tricks < bid // 5 + 7, np.maximum(doubled, 1), doubled)
    points = _SCORES[vulnerable >> side & 1, doubled, bid, tricks]
    own: Scores = np.where(last > 0, np.where(side == 0, points, -points), 0).astype(np.int32)
    return own


def imp_array(differences: ArrayLike) -> NDArray[np.int64]:
    """IMPs of differences in points, with their signs."""
    given = np.asarray(differences)
    sizes = np.searchsorted(_STEPS, np.abs(given), side="right")
    imps: NDArray[np.int64] = np.where(given < 0, -sizes, sizes).astype(np.int64)
    return imps
