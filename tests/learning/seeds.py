"""Matrices of seeds whose answers are known."""

import numpy as np

from bidlab.learning.boost import SeedMatrix


def of_strengths(
    strengths: np.ndarray, boards: int, seed: int, swing_share: float = 0.15, size: float = 7.0
) -> SeedMatrix:
    """Seeds that win the difference of their strengths a board on average, with swings as in the paper."""
    count = len(strengths)
    one, other = np.triu_indices(count, 1)
    generator = np.random.default_rng(seed)
    shape = (len(one), boards)
    swings = np.where(generator.random(shape) < swing_share, generator.normal(0, size, shape), 0.0)
    # Rounded by chance, so that a strength of a twentieth of an IMP is there on average.
    whole = np.floor(swings + (strengths[one] - strengths[other])[:, None] + generator.random(shape))
    return SeedMatrix(tuple(range(1, count + 1)), whole.astype(np.int64))


def noise(count: int = 40, boards: int = 64, seed: int = 1) -> SeedMatrix:
    """Seeds that do not differ."""
    one = np.triu_indices(count, 1)[0]
    generator = np.random.default_rng(seed)
    shape = (len(one), boards)
    swings = np.where(generator.random(shape) < 0.15, generator.normal(0, 7, shape), 0.0)
    return SeedMatrix(tuple(range(1, count + 1)), np.rint(swings).astype(np.int64))


def of_rows(rows: list[list[int]]) -> SeedMatrix:
    """A matrix as it is written."""
    return SeedMatrix.of_totals(tuple(range(1, len(rows) + 1)), np.array(rows))


ROCK_PAPER_SCISSORS = of_rows([[0, -3, 3], [3, 0, -3], [-3, 3, 0]])
TRANSITIVE = of_rows([[0, -2, -9, -4], [2, 0, -6, -3], [9, 6, 0, 5], [4, 3, -5, 0]])
