"""Scores, IMPs and par of many tables at once, on any device.

The laws stand here a second time, as small tables, because training must run where bidlab is not installed;
the tests hold them equal to `bidlab.bridge` and `bidlab.doubledummy`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

BIDS = 35
# The least difference in points that is worth 1, 2 .. 24 IMPs (law 78B).
IMP_STEPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip
_WORST = -10_000  # worse than any score


def _penalty(down: int, doubling: int, vulnerable: int) -> int:
    if doubling == 0:
        return down * (100 if vulnerable else 50)
    cheaper = 100 if vulnerable else (200, 300, 400)[min(down, 3) - 1]
    return (300 * down - cheaper) * doubling


def _points(bid: int, doubling: int, vulnerable: int, tricks: int) -> int:
    """The score of a contract from declarer's side (law 77); bids count 1C 0 .. 7NT 34."""
    level, strain = bid // 5 + 1, bid % 5
    over = tricks - level - 6
    if over < 0:
        return -_penalty(-over, doubling, vulnerable)
    per_trick = 20 if strain < 2 else 30
    trick_points = (level * per_trick + (10 if strain == 4 else 0)) << doubling
    score = trick_points + ((500 if vulnerable else 300) if trick_points >= 100 else 50)
    score += (0, 750 if vulnerable else 500, 1500 if vulnerable else 1000)[max(level - 5, 0)]
    if doubling:
        return score + 50 * doubling + over * (100 << vulnerable) * doubling
    return score + over * per_trick


@lru_cache(maxsize=None)
def _point_array() -> np.ndarray:
    """Points [vulnerable, doubling, bid, tricks]."""
    return np.array(
        [
            [[[_points(b, d, v, t) for t in range(14)] for b in range(BIDS)] for d in range(3)]
            for v in range(2)
        ],
        dtype=np.int32,
    )


@lru_cache(maxsize=None)
def point_table(device: torch.device) -> Tensor:
    """Points of declarer's side, flat: index ((vulnerable * 3 + doubling) * 35 + bid) * 14 + tricks."""
    return torch.from_numpy(_point_array()).to(device).flatten()


@lru_cache(maxsize=None)
def _imp_steps(device: torch.device) -> Tensor:
    return torch.tensor(IMP_STEPS, dtype=torch.int32, device=device)


def imps(differences: Tensor) -> Tensor:
    """IMPs of differences in points, with their signs."""
    sizes = torch.bucketize(differences.abs().to(torch.int32), _imp_steps(differences.device), right=True)
    return sizes * differences.sign()


def cross_imps(points: Tensor) -> Tensor:
    """IMPs of each table against the mean of the others with the same deal, from points [table, deal]."""
    compared = [imps(points - points.roll(step, dims=0)).float() for step in range(1, len(points))]
    return torch.stack(compared).mean(dim=0)


def contract_points(
    bid: Tensor, declarer: Tensor, doubled: Tensor, tricks: Tensor, vulnerable: Tensor, *, perfect: bool
) -> Tensor:
    """Points of the dealer's side; with `perfect` a contract that fails is doubled. Bid -1: passed out.

    `tricks` [table, strain, place of declarer] and `vulnerable` [table, side] are those of whole tables.
    """
    made_bid = bid.clamp(min=0)
    side = declarer % 2
    rows = torch.arange(len(bid), device=bid.device)
    taken = tricks[rows, made_bid % 5, declarer].long()
    if perfect:
        fails = taken < torch.div(made_bid, 5, rounding_mode="floor") + 7
        doubled = torch.where(fails, doubled.clamp(min=1), doubled)
    is_vulnerable = vulnerable[rows, side].long()
    points = point_table(bid.device)[((is_vulnerable * 3 + doubled) * BIDS + made_bid) * 14 + taken]
    return torch.where(bid >= 0, points * (1 - 2 * side), 0)


def par(tricks: Tensor, vulnerable: Tensor) -> Tensor:
    """Par of many tables, from the dealer's side.

    The game that `bidlab.doubledummy.par` explains: bids from the highest down, the dealer first of those
    who could make the same; what a side comes to by a bid is what it scores there, or less if the other side
    does better by going on. Always a <= -b, so that the value is 0 brought between the two.
    """
    count, device = len(tricks), tricks.device
    strains = torch.arange(BIDS, device=device) % 5
    taken = tricks.long()[:, strains, :]  # [table, bid, place]
    levels = torch.div(torch.arange(BIDS, device=device), 5, rounding_mode="floor")
    fails = (taken < levels[None, :, None] + 7).long()
    sides = vulnerable.long()[:, [0, 1, 0, 1]][:, None, :]
    bids = torch.arange(BIDS, device=device)[None, :, None]
    gains = point_table(device)[((sides * 3 + fails) * BIDS + bids) * 14 + taken]
    rungs = gains.permute(1, 2, 0).contiguous()  # [bid, place, table]
    best = [torch.full((count,), _WORST, dtype=torch.int32, device=device) for _ in range(2)]
    for bid in range(BIDS - 1, -1, -1):
        for place in range(4):
            side = place % 2
            reached = torch.minimum(rungs[bid, place], -best[1 - side])
            best[side] = torch.maximum(best[side], reached)
    return torch.maximum(best[0], (-best[1]).clamp(max=0))
