"""Cross-validation on the matrix: the best of a random few seeds, against the seeds that were left out.

As figures 5 and 6 of Ventos and others 2017: for each size of a submatrix, the seed (or the best X% of the
seeds) that did best within it meets the remaining seeds in cells that the choice has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from bidlab.learning.boost.matrix import Floats, SeedMatrix

SHARES = (0.1, 0.2, 0.3, 0.5)  # of the seeds of a submatrix, for the robust choice
_DRAWS, _LUCKY_MATRICES, _LUCKY_DRAWS = 1000, 40, 100


@dataclass(frozen=True, slots=True)
class Fold:
    """Submatrices of one size: IMPs a match of what was chosen in them, against the remaining seeds."""

    size: int
    best: float  # figure 5
    robust: tuple[float, ...]  # figure 6, one for each of SHARES
    lucky: float  # standard deviation of `best` from one matrix to the next, where seeds do not differ


def crossvalidated(matrix: SeedMatrix, seed: int, draws: int = _DRAWS) -> tuple[Fold, ...]:
    """The folds of every size from 1 to three quarters of the seeds."""
    generator = np.random.default_rng(seed)
    most = min(matrix.size - 1, max(1, 3 * matrix.size // 4))
    best, robust = _averages(matrix.imps, most, draws, generator)
    lucky = np.array(
        [
            _averages(_flipped(matrix, generator), most, _LUCKY_DRAWS, generator, with_robust=False)[0]
            for _ in range(_LUCKY_MATRICES)
        ]
    )
    errors = np.sqrt((lucky**2).mean(axis=0))
    return tuple(
        Fold(size + 1, float(best[size]), tuple(robust[size].tolist()), float(errors[size]))
        for size in range(most)
    )


def _flipped(matrix: SeedMatrix, generator: np.random.Generator) -> Floats:
    """The matrix with the sign of every board drawn at random."""
    signs = 2 * generator.integers(0, 2, matrix.swings.shape) - 1
    return matrix.with_totals((matrix.swings * signs).sum(axis=1))


def _averages(
    imps: Floats, most: int, draws: int, generator: np.random.Generator, with_robust: bool = True
) -> tuple[Floats, Floats]:
    """What the best [size] and the best shares [size, share] of submatrices win on average."""
    best, robust = np.zeros(most), np.zeros((most, len(SHARES)))
    for _ in range(draws):
        order = generator.permutation(len(imps))
        inside = imps[order][:, order].cumsum(axis=1)  # [seed, size - 1]: won from the first seeds
        outside = inside[:, -1:] - inside
        best += _of_best(inside, outside, most)
        if with_robust:
            robust += _of_shares(inside, outside, most)
    rest = len(imps) - 1 - np.arange(most)
    return best / rest / draws, robust / rest[:, None] / draws


def _of_best(inside: Floats, outside: Floats, most: int) -> Floats:
    """For the first 1, 2 .. seeds: what the best of them wins from all others together."""
    sizes = np.arange(most)
    within = np.where(np.arange(len(inside))[:, None] <= sizes, inside[:, :most], -np.inf)
    return np.asarray(outside[within.argmax(axis=0), sizes])


def _of_shares(inside: Floats, outside: Floats, most: int) -> Floats:
    found = np.zeros((most, len(SHARES)))
    for size in range(most):
        order: NDArray[np.intp] = np.argsort(-inside[: size + 1, size], kind="stable")
        means = outside[order, size].cumsum() / np.arange(1, size + 2)
        found[size] = [means[ceil(share * (size + 1)) - 1] for share in SHARES]
    return found
