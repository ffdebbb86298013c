"""The forecasts of tricks that judgement uses, fitted again beside what it has built in.

python bench/tricks.py [LIBRARY] [DEALS]

A side's tricks are double dummy, the mean over its two declarers. Standard errors allow for the rows of one
deal being alike.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab._native import trick_model
from bidlab.bridge.cards import SUITS
from bidlab.library import library
from bidlab.meaning.features import HCP, feature_table, length, of_suit

Floats = NDArray[np.float64]
NOTRUMP = 4


@dataclass(frozen=True)
class Fit:
    """Coefficients with their standard errors, the spread of what is left, and how much is explained."""

    coefficients: Floats
    errors: Floats
    spread: float
    explained: float


def fitted(columns: list[Floats], found: Floats, deals: NDArray[np.int64]) -> Fit:
    """Least squares of some columns and a constant."""
    x = np.column_stack([np.ones(len(found)), *columns])
    inverse = np.linalg.inv(x.T @ x)
    coefficients = inverse @ x.T @ found
    left = found - x @ coefficients
    scores = np.zeros((int(deals.max()) + 1, x.shape[1]))
    np.add.at(scores, deals, x * left[:, None])  # rows of one deal err together
    errors = np.sqrt(np.diag(inverse @ (scores.T @ scores) @ inverse))
    return Fit(coefficients, errors, float(left.std()), float(1 - left.var() / found.var()))


@dataclass(frozen=True)
class Sides:
    """Both sides of every deal: features of their two hands, and tricks [side, strain]."""

    features: NDArray[np.int32]  # [side, hand, feature]
    tricks: Floats
    deals: NDArray[np.int64]


def sides_of(name: str, count: int) -> Sides:
    """Both sides of the deals of a library."""
    deals = library(name)
    bits, tables = deals.bits(1, count), np.asarray(deals.tables(1, count), dtype=float)
    features = feature_table(bits.reshape(-1)).reshape(count, 4, -1)
    pairs = [features[:, [side, side + 2]] for side in (0, 1)]
    tricks = [tables[:, :, [side, side + 2]].mean(axis=2) for side in (0, 1)]
    return Sides(np.concatenate(pairs), np.concatenate(tricks), np.tile(np.arange(count), 2))


def suit_fit(sides: Sides) -> Fit:
    """Tricks in suits of seven trumps or more: support points of both hands, trumps to eight and over."""
    columns: list[list[Floats]] = [[], [], []]
    found, deals = [], []
    for suit in SUITS:
        trumps = sides.features[:, :, length(suit).number].sum(axis=1)
        there = trumps >= 7
        support = sides.features[there][:, :, of_suit("support", suit).number].sum(axis=1)
        parts = (support, np.minimum(trumps[there], 8), np.maximum(trumps[there] - 8, 0))
        for column, part in zip(columns, parts, strict=True):
            column.append(part.astype(float))
        found.append(sides.tricks[there, suit])
        deals.append(sides.deals[there])
    joined = [np.concatenate(column) for column in columns]
    return fitted(joined, np.concatenate(found), np.concatenate(deals))


def notrump_fit(sides: Sides) -> Fit:
    """Tricks in notrump of sides with 18 to 33 high-card points, by those points."""
    points = sides.features[:, :, HCP.number].sum(axis=1)
    there = (points >= 18) & (points <= 33)
    return fitted([points[there].astype(float)], sides.tricks[there, NOTRUMP], sides.deals[there])


def main(name: str = "train", count: int = 50_000) -> None:
    """Fit both forecasts and print them beside those in use."""
    sides, used = sides_of(name, count), trick_model()
    for title, fit, names in (
        ("suit", suit_fit(sides), ("suit_base", "suit_points", "trumps_to_eight", "trumps_over_eight")),
        ("notrump", notrump_fit(sides), ("notrump_base", "notrump_points")),
    ):
        spread = f"residual spread {fit.spread:.3f} tricks, R2 {fit.explained:.3f}"
        print(f"{title}: {spread}, {count:,} deals of {name}")
        for key, value, error in zip(names, fit.coefficients, fit.errors, strict=True):
            print(f"   {key:18} {value:7.3f} ± {error:.3f}   in use {used[key]:7.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "train", *(int(word) for word in sys.argv[2:3]))
