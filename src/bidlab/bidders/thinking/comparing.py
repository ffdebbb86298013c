"""Calls compared on imagined deals, in portions, until one is clearly ahead.

A call's value is what it wins in IMPs against the field: the other calls, each as likely. Whether it is good
enough to overrule the mind's own choice is another question: only the difference to that choice counts, it
must be more than a margin, and more than noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.table.scoring import imp_array

Floats = NDArray[np.float64]
_FIRST, _GROWTH = 32, 2.0  # deals of the first portion, and how much larger all before the next are
_CLEARLY = 2.0  # standard errors by which a call is out of the race, or ahead for good
_USUAL = 4.0  # IMPs: a difference as wide as this is added twice, so that few equal deals are no proof


def portions(count: int) -> list[tuple[int, int]]:
    """Where portions of deals begin and end.

    >>> portions(100)
    [(0, 32), (32, 64), (64, 100)]
    """
    found: list[tuple[int, int]] = []
    end = 0
    while end < count:
        begin, end = end, min(count, _FIRST if not end else round(_GROWTH * end))
        found.append((begin, end))
    return found


@dataclass(slots=True)
class Race:
    """Points of each call on the deals so far, from the player's side."""

    calls: int
    doubled: float  # the share of failing contracts that are doubled
    margin: float  # IMPs that an own choice is worth
    plain: NDArray[np.int32]  # [call, deal]
    perfect: NDArray[np.int32]

    @classmethod
    def begun(cls, calls: int, doubled: float, margin: float) -> Race:
        """A race between some calls, the mind's own first."""
        nothing = np.zeros((calls, 0), dtype=np.int32)
        return cls(calls, doubled, margin, nothing, nothing)

    def add(self, plain: NDArray[np.int32], perfect: NDArray[np.int32]) -> None:
        """Note the points of more deals."""
        self.plain = np.hstack([self.plain, plain])
        self.perfect = np.hstack([self.perfect, perfect])

    def keep(self, calls: list[int]) -> None:
        """Go on with some of the calls, the own choice among them."""
        self.calls = len(calls)
        self.plain, self.perfect = self.plain[calls], self.perfect[calls]

    @property
    def deals(self) -> int:
        """How many deals were scored."""
        return int(self.plain.shape[1])

    def against(self, call: int, other: int) -> Floats:
        """What a call wins against another on each deal, in IMPs."""
        return self._imps(self.plain[call] - self.plain[other], self.perfect[call] - self.perfect[other])

    def _imps(self, plain: NDArray[np.int32], perfect: NDArray[np.int32]) -> Floats:
        both: Floats = (1 - self.doubled) * imp_array(plain) + self.doubled * imp_array(perfect)
        return both

    def field(self) -> Floats:
        """What each call wins against the field [call, deal], in IMPs."""
        if self.calls == 1:
            return np.zeros((1, self.deals))
        won = self._imps(
            self.plain[:, None, :] - self.plain[None, :, :],
            self.perfect[:, None, :] - self.perfect[None, :, :],
        )
        values: Floats = won.sum(axis=1) / (self.calls - 1)
        return values

    def standing(self) -> list[tuple[float, float]]:
        """Mean and standard error of what each call wins against the own choice."""
        return [mean_and_error(self.against(call, 0)) for call in range(self.calls)]

    def out_of_race(self) -> list[bool]:
        """Which calls cannot come in first any more; the own choice never is."""
        standing = self.standing()
        best = max(range(self.calls), key=lambda call: standing[call][0])
        out = [False] * self.calls
        for call in range(1, self.calls):
            mean, error = standing[call]
            hopeless = mean + _CLEARLY * error < self.margin
            behind, error = mean_and_error(self.against(call, best))
            out[call] = hopeless or (call != best and behind + _CLEARLY * error < 0)
        return out

    def is_won(self, call: int) -> bool:
        """Whether a call is ahead of the own choice for good."""
        mean, error = mean_and_error(self.against(call, 0))
        return mean - _CLEARLY * error > self.margin

    def winner(self, noise: float) -> int:
        """The call of the best mean against the field; the own choice unless that beats it well enough.

        It is overruled where the mean difference is more than the margin and than `noise` standard errors.
        """
        best = int(self.field().mean(axis=1).argmax()) if self.deals else 0
        mean, error = mean_and_error(self.against(best, 0))
        return best if mean > self.margin and mean > noise * error else 0


def mean_and_error(won: Floats) -> tuple[float, float]:
    """The mean of some IMPs and its standard error, cautious where there are few."""
    count = len(won)
    if not count:
        return 0.0, float("inf")
    mean = float(won.mean())
    variance = (float(((won - mean) ** 2).sum()) + 2 * _USUAL**2) / (count + 2)
    return mean, float(np.sqrt(variance / count))
