"""What one decision may cost, beside the number of its deals."""

from __future__ import annotations

import time
from dataclasses import dataclass

from bidlab.bidders.thinking.contracts import Bench
from bidlab.bidders.thinking.thoughts import Settings


@dataclass(slots=True)
class Budget:
    """Positions of the solver, and seconds where that was asked for."""

    bench: Bench
    settings: Settings
    nodes: int  # the bench had looked at before
    began: float
    looked: float  # when it was last asked

    @classmethod
    def begun(cls, bench: Bench, settings: Settings) -> Budget:
        """That of a decision which begins now."""
        now = time.monotonic() if settings.seconds is not None else 0.0
        return cls(bench, settings, bench.nodes, now, now)

    def left(self) -> int | None:
        """How many positions may still be looked at; None: any number."""
        if self.settings.nodes is None:
            return None
        return max(0, self.settings.nodes - (self.bench.nodes - self.nodes))

    def is_spent(self) -> bool:
        """Whether another portion, twice as long as the last, would cost too much."""
        if self.left() == 0:
            return True
        if self.settings.seconds is None:
            return False
        now = time.monotonic()
        ahead, self.looked = 2 * (now - self.looked), now
        return now + ahead > self.began + self.settings.seconds
