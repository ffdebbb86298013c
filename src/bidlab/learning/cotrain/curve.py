"""Strength by the number of networks: the logarithm that Emmons reports, fitted, and how well it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np


@dataclass(frozen=True, slots=True)
class Point:
    """The pair measured after some networks: IMPs a board against the control pair."""

    networks: int
    mean: float
    stderr: float
    boards: int


@dataclass(frozen=True, slots=True)
class LogFit:
    """IMPs a board as a + b ln(1 + networks), by least squares weighted by the points' errors.

    >>> LogFit.of([Point(0, -2.0, 0.2, 100), Point(1, -1.3, 0.2, 100), Point(3, -1.1, 0.2, 100)]).text()
    '-1.92 + 0.65 ln(1 + n), b ± 0.20; from the curve -0.08 +0.17 -0.08, chi² 1.0 for 1'
    """

    a: float
    b: float
    b_error: float
    residuals: tuple[float, ...]  # of the points, IMPs above the curve
    chi2: float  # of the residuals in standard errors; about as large as `freedom` where the curve is right
    freedom: int

    @classmethod
    def of(cls, points: Sequence[Point]) -> LogFit | None:
        """The fit of points; None where they are fewer than three or one has no error."""
        if len(points) < 3 or not all(0 < point.stderr < np.inf for point in points):
            return None
        x = np.array([log(1 + point.networks) for point in points])
        y, error = np.array([(point.mean, point.stderr) for point in points]).T
        design = np.column_stack([np.ones_like(x), x]) / error[:, None]
        inverse = np.linalg.inv(design.T @ design)
        a, b = inverse @ design.T @ (y / error)
        residuals = y - a - b * x
        return cls(
            float(a),
            float(b),
            float(np.sqrt(inverse[1, 1])),
            tuple(float(one) for one in residuals),
            float(((residuals / error) ** 2).sum()),
            len(points) - 2,
        )

    def at(self, networks: float) -> float:
        """IMPs a board on the curve."""
        return self.a + self.b * log(1 + networks)

    def text(self) -> str:
        """The curve and how far the points are from it."""
        sign = "-" if self.b < 0 else "+"
        apart = " ".join(f"{one:+.2f}" for one in self.residuals)
        return (
            f"{self.a:+.2f} {sign} {abs(self.b):.2f} ln(1 + n), b ± {self.b_error:.2f}; "
            f"from the curve {apart}, chi² {self.chi2:.1f} for {self.freedom}"
        )
