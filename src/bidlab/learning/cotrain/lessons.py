"""Lessons: what look-ahead thought of every call, with one hand in one situation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning
from bidlab.table import SeatView

Values = NDArray[np.float32]  # [lesson, call], IMPs over the rules' own choice


class Worth(Protocol):
    """A call that was compared, and its IMPs over the rules' own choice."""

    @property
    def call(self) -> Call:
        """The call."""

    @property
    def over(self) -> float:
        """IMPs."""


class ThoughtLike(Protocol):
    """What a student thought before it called."""

    @property
    def call(self) -> Call:
        """What it calls."""

    @property
    def first(self) -> Call:
        """What the rules alone would call."""

    @property
    def gain(self) -> float:
        """IMPs of the one over the other, as imagined."""

    @property
    def valued(self) -> Sequence[Worth]:
        """Every call that was compared; none where there was nothing to think about."""


class Student(Protocol):
    """A bidder that thinks, for both players of the pair in training."""

    def consider(self, view: SeatView) -> ThoughtLike:
        """What it thinks before it calls."""

    def shown(self, view: SeatView, call: Call) -> Meaning | None:
        """What the others are told of a call."""

    def proposed(self, view: SeatView) -> Sequence[Call]:
        """The calls that it would think about; looked up, not thought about."""

    def close(self) -> None:
        """Give back what it holds."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Many hands in one situation."""

    hands: NDArray[np.uint64]
    values: Values  # not a number where the call was not compared

    @classmethod
    def none(cls) -> Lessons:
        """No lesson yet."""
        return cls(np.zeros(0, dtype=np.uint64), np.zeros((0, len(CALLS)), dtype=np.float32))

    @classmethod
    def of(cls, hand: Hand, thought: ThoughtLike) -> Lessons:
        """One lesson."""
        values = np.full((1, len(CALLS)), np.nan, dtype=np.float32)
        values[0, thought.first] = 0.0
        for one in thought.valued:
            values[0, one.call] = one.over
        return cls(np.array([hand.bits], dtype=np.uint64), values)

    def __len__(self) -> int:
        return len(self.hands)

    def and_more(self, others: Sequence[Lessons]) -> Lessons:
        """These lessons, then others."""
        every = (self, *others)
        return Lessons(
            np.concatenate([one.hands for one in every]), np.concatenate([one.values for one in every])
        )

    def first(self, count: int) -> Lessons:
        """So many of them."""
        return Lessons(self.hands[:count], self.values[:count])

    def filled(self) -> Values:
        """The values, with a call that was not compared one IMP below the worst that was."""
        worst = np.nanmin(self.values, axis=1, keepdims=True) - 1 if len(self) else self.values
        found: Values = np.where(np.isnan(self.values), worst, self.values).astype(np.float32)
        return found
