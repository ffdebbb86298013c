"""What luck alone would have shown, and what is left of the best seed when its luck is taken off.

The best of many noisy rows looks good even where all seeds are equal. If they are, each board's swing is as
likely to be the other way round, so that flipping the signs of boards at random draws from what luck alone
shows: no shape of the swings has to be assumed. The share of the spread that is beyond luck says how far the
scores have to be drawn towards zero (empirical Bayes).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.stats import chi2

from bidlab.learning.boost.matrix import Floats, SeedMatrix

_REPEATS = 2000
_AT_ONCE = 1 << 24  # signs that are drawn together


@dataclass(frozen=True, slots=True)
class Luck:
    """Cumulative scores as they are, beside those of seeds that do not differ; IMPs."""

    best: float
    worst: float
    spread: float  # standard deviation of the scores
    lucky_best: float  # mean of the best by luck alone
    lucky_best_error: float  # standard deviation of it from one matrix to the next
    lucky_best_95: float  # one in twenty is higher
    lucky_spread: float
    best_chance: float  # how often luck alone shows a best at least as good
    spread_chance: float  # how often luck alone shows a spread at least as great
    repeats: int

    @property
    def is_beyond_luck(self) -> bool:
        """Whether the scores differ by more than luck would show once in twenty times."""
        return self.spread_chance < 0.05


@dataclass(frozen=True, slots=True)
class Shrunken:
    """Strengths with the luck taken off, in IMPs a board against an average seed of the same kind."""

    kept: float  # the share of each score that is kept, 0 to 1
    strengths: tuple[float, ...]  # a seed each
    error: float  # of each strength, one standard deviation
    between: float  # standard deviation of true strengths from seed to seed
    between_95: float  # it may be as great as this: only one time in twenty would less spread be seen then


def luck_alone(matrix: SeedMatrix, seed: int, repeats: int = _REPEATS) -> Luck:
    """The scores of a matrix beside what they would be if no seed were better than another."""
    scores = matrix.scores
    lucky = lucky_scores(matrix, seed, repeats)
    bests, spreads = lucky.max(axis=1), lucky.std(axis=1, ddof=1)
    return Luck(
        best=float(scores.max()),
        worst=float(scores.min()),
        spread=matrix.spread,
        lucky_best=float(bests.mean()),
        lucky_best_error=float(bests.std(ddof=1)),
        lucky_best_95=float(np.quantile(bests, 0.95)),
        lucky_spread=float(np.sqrt((spreads**2).mean())),
        best_chance=_chance(bests, float(scores.max())),
        spread_chance=_chance(spreads, matrix.spread),
        repeats=repeats,
    )


def _chance(lucky: Floats, seen: float) -> float:
    """The share of draws, what was seen among them, that come to at least as much."""
    return float((1 + (lucky >= seen - 1e-9).sum()) / (1 + len(lucky)))


def lucky_scores(matrix: SeedMatrix, seed: int, repeats: int) -> Floats:
    """Cumulative scores [repeat, seed] of matrices whose boards' signs were drawn at random."""
    pair, board = np.nonzero(matrix.swings)
    sizes = matrix.swings[pair, board].astype(np.float64)
    generator = np.random.default_rng(seed)
    found = np.zeros((repeats, matrix.size))
    step = max(1, _AT_ONCE // max(1, len(sizes)))
    first, second = matrix.pairs[0][pair], matrix.pairs[1][pair]
    for at in range(0, repeats, step):
        count = min(step, repeats - at)
        signs = generator.integers(0, 2, (count, len(sizes)), dtype=np.int8)
        flipped = np.where(signs == 1, sizes, -sizes)
        for row in range(count):
            found[at + row] = np.bincount(first, flipped[row], matrix.size)
            found[at + row] -= np.bincount(second, flipped[row], matrix.size)
    return found


def shrunken(matrix: SeedMatrix) -> Shrunken:
    """Strengths by empirical Bayes: scores drawn towards zero by the share of their spread that is noise.

    Let a board between seeds i and j bring t_i - t_j and noise of variance v. A row of N - 1 pairs of B
    boards adds up to N B t_i and noise, since the strengths are counted from their mean; two rows share the
    noise of one pair with opposite signs. So the sample variance of the scores is (N B)^2 var(t) + N B v.
    """
    size, boards = matrix.size, matrix.boards
    noise = size * boards * _noise(matrix)
    seen = matrix.spread**2
    kept = max(0.0, 1 - noise / seen) if seen else 0.0
    between = sqrt(max(0.0, seen - noise)) / (size * boards)
    strengths = kept * matrix.scores / (size * boards)
    # The posterior variance of a normal strength; where nothing is kept nothing is left to vary.
    return Shrunken(
        kept,
        tuple(strengths.tolist()),
        between * sqrt(1 - kept),
        between,
        sqrt(max(0.0, seen * (size - 1) / float(chi2.ppf(0.05, size - 1)) - noise)) / (size * boards),
    )


def _noise(matrix: SeedMatrix) -> float:
    """The variance of one board's IMPs around what its pair brings on average."""
    if matrix.boards == 1:
        return matrix.board_spread**2
    return float(matrix.swings.var(axis=1, ddof=1).mean())


def expected_best(count: int, repeats: int = 200_000, seed: int = 1) -> float:
    """How many standard deviations the best of so many equal ones is above the mean, rows of a matrix.

    Rows of a matrix are not independent: what one wins another loses. Their deviations from each other are
    those of independent normal numbers, less their mean.
    """
    drawn = np.random.default_rng(seed).standard_normal((repeats // count + 1, count))
    return float((drawn - drawn.mean(axis=1, keepdims=True)).max(axis=1).mean())


def lucky_best_of(count: int, boards: int, board_spread: float) -> tuple[float, float]:
    """The best cumulative score that luck alone shows, and the spread of scores; both in IMPs.

    For `count` equal seeds, `boards` a pair and the standard deviation of one board's IMPs; the sample
    standard deviation of the scores is then sqrt(count * boards) times that of a board.
    """
    spread = sqrt(count * boards) * board_spread
    return expected_best(count) * spread, spread
