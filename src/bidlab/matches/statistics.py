"""How sure we are: means with standard errors, confidence intervals, and a test that knows when to stop."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bidlab.bridge.errors import BidlabError


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean of boards' results with its standard error, and how many were won, lost and tied.

    >>> Summary.of([3, -1, 0, 6]).text()
    '+2.00 ± 1.58 (95%: -3.03 to +7.03), 2 won, 1 lost, 1 tied of 4'
    """

    mean: float
    stderr: float
    boards: int
    wins: int
    losses: int

    @classmethod
    def of(cls, values: ArrayLike) -> Summary:
        """The summary of one number a board."""
        found: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
        if not len(found):
            raise BidlabError("no boards: at least one is wanted")
        spread = float(found.std(ddof=1)) if len(found) > 1 else inf
        return cls(
            float(found.mean()),
            spread / sqrt(len(found)),
            len(found),
            int((found > 0).sum()),
            int((found < 0).sum()),
        )

    @property
    def ties(self) -> int:
        """Boards neither won nor lost."""
        return self.boards - self.wins - self.losses

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The bounds between which the true mean lies with this confidence (Student's t)."""
        if self.boards < 2:
            return -inf, inf
        half = _t_quantile(0.5 + confidence / 2, self.boards - 1) * self.stderr
        return self.mean - half, self.mean + half

    def text(self) -> str:
        """The summary on one line."""
        low, high = self.interval()
        return (
            f"{self.mean:+.2f} ± {self.stderr:.2f} (95%: {low:+.2f} to {high:+.2f}), "
            f"{self.wins} won, {self.losses} lost, {self.ties} tied of {self.boards:,}"
        )


def _t_quantile(probability: float, freedom: int) -> float:
    """Student's quantile: exact for one and two degrees of freedom, else Hill's expansion in 1 / freedom."""
    z: float = NormalDist().inv_cdf(probability)
    if freedom == 1:
        return float(np.tan(np.pi * (probability - 0.5)))
    if freedom == 2:
        a = 2 * probability - 1
        return float(a * sqrt(2 / (1 - a * a)))
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return float(z + sum(term / freedom ** (i + 1) for i, term in enumerate(terms)))


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Whether a mean is `low` or `high`, asked after every few boards until one of them is clear.

    Wald's sequential test on the log likelihood ratio of the two, with the boards' results taken as normal
    around their mean with the spread seen so far, as chess programs test changes. `error` is the chance of
    either wrong answer, stated in advance.
    """

    low: float
    high: float
    error: float = 0.05

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise BidlabError(f"a test between {self.low} and {self.high}: the lower one first is wanted")
        if not 0 < self.error < 0.5:
            raise BidlabError(f"an error of {self.error}: between 0 and 0.5 is wanted")

    @property
    def bound(self) -> float:
        """The log likelihood ratio at which the answer is clear."""
        return log((1 - self.error) / self.error)

    def ratio(self, values: NDArray[np.float64] | NDArray[np.int64]) -> float:
        """The log likelihood ratio of `high` to `low` after some boards."""
        if len(values) < 2:
            return 0.0
        spread = float(np.var(values, ddof=1))
        if spread == 0:  # nothing varies: no evidence of how much could
            return 0.0
        middle = (self.low + self.high) / 2
        return len(values) * (self.high - self.low) * (float(np.mean(values)) - middle) / spread

    def answer(self, values: NDArray[np.float64] | NDArray[np.int64]) -> str | None:
        """ "high" or "low" once it is clear, else None."""
        ratio = self.ratio(values)
        if abs(ratio) < self.bound:
            return None
        return "high" if ratio > 0 else "low"
