"""What to bid with after a matrix: the best seed, the k best, or a mixture that nobody can beat (Nash).

Ventos and others 2017, section 2.3. All values are of the matrix that the choice was made by, so that they
flatter; what is left of them on new boards is in `validating.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from bidlab.bridge.errors import BidlabError
from bidlab.learning.boost.matrix import Floats, SeedMatrix

BEST, ROBUST, NASH = "best", "robust", "nash"
_LEAST = 1e-9  # a weight that is smaller is a rounding error of the linear program


@dataclass(frozen=True, slots=True)
class Choice:
    """Seeds and how often each is taken, with what that is worth in the matrix, in IMPs a board."""

    name: str
    weights: tuple[tuple[int, float], ...]  # (seed, share), the most frequent first
    mean: float  # against the seeds of the matrix, each as often as the others
    worst: float  # against the one seed that does best against it
    against: int  # that seed

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that it takes."""
        return tuple(seed for seed, _ in self.weights)


def best_seed(matrix: SeedMatrix) -> Choice:
    """The seed with the highest cumulative score, the lowest of those that share it."""
    return mixture(BEST, matrix, _uniform(matrix, 1))


def robust_seeds(matrix: SeedMatrix, count: int) -> Choice:
    """The k seeds with the highest cumulative scores, each as often as the others."""
    if not 1 <= count <= matrix.size:
        raise BidlabError(f"the {count} best of {matrix.size} seeds: 1 to {matrix.size} are possible")
    return mixture(ROBUST, matrix, _uniform(matrix, count))


def nash_mixture(matrix: SeedMatrix) -> Choice:
    """An equilibrium of the matrix: whatever seed the opponents take, it loses nothing in the matrix."""
    return mixture(NASH, matrix, equilibrium(matrix.imps))


def choices(matrix: SeedMatrix, robust: int) -> tuple[Choice, ...]:
    """All three."""
    return best_seed(matrix), robust_seeds(matrix, robust), nash_mixture(matrix)


def equilibrium(imps: Floats) -> Floats:
    """The weights p that make the least of p R as great as possible, by a linear program (HiGHS).

    The variables are the weights and the value v: v is made as great as possible with v - (p R)_j <= 0 for
    every column j, and weights that add up to one.
    """
    size = len(imps)
    found = linprog(
        c=np.append(np.zeros(size), -1.0),
        A_ub=np.column_stack([-imps.T, np.ones(size)]),
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None],
        b_eq=np.ones(1),
        bounds=[(0, None)] * size + [(None, None)],
        method="highs",
    )
    if found.status != 0:  # cannot be: every matrix of finite numbers has an equilibrium
        raise BidlabError(f"no equilibrium was found: {' '.join(str(found.message).split())}")
    weights = np.where(found.x[:size] > _LEAST, found.x[:size], 0.0)
    return np.asarray(weights / weights.sum())


def mixture(name: str, matrix: SeedMatrix, weights: Floats) -> Choice:
    """A choice by the weight of each row, with its value in the matrix."""
    against = weights @ matrix.imps / matrix.boards
    # A member meets the size - 1 other seeds; against itself nothing is won.
    mean = float(weights @ matrix.scores / ((matrix.size - 1) * matrix.boards))
    reply = int(against.argmin())
    rows = [row for row in np.argsort(-weights, kind="stable").tolist() if weights[row] > 0]
    return Choice(
        name,
        tuple((matrix.seeds[row], float(weights[row])) for row in rows),
        mean,
        float(against[reply]),
        matrix.seeds[reply],
    )


def _uniform(matrix: SeedMatrix, count: int) -> Floats:
    weights = np.zeros(matrix.size)
    weights[matrix.order[:count]] = 1 / count
    return weights
