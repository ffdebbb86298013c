"""What a thinker is asked to do, and what it thought before it called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.thinking.minds import Imagined
from bidlab.bridge.calls import Call


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is thought, and when the mind's own choice is overruled."""

    samples: int = 256  # deals on which calls are compared, at most
    pool: int = 10_000  # deals among which those that fit are looked for
    most: int = 5  # calls that are compared, where the system proposes more
    ahead: str = "rules"  # how the rest of the auction is foreseen: rules, open, resampled
    tricks: str = "guessed"  # or solved: double dummy, and much slower
    margin: float = 0.2  # IMPs by which another call must win
    noise: float = 0.5  # standard errors by which it must
    doubled: float = 0.3  # the share of failing contracts that are scored as doubled
    nodes: int | None = None  # positions that the solver may look at for one decision
    seconds: float | None = None  # gives up repeatability
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Valued:
    """A call that was considered: IMPs against the field, its standard error, how often none did better."""

    call: Call
    mean: float
    error: float
    wins: float
    note: str = ""
    over: float = 0.0  # IMPs more than the mind's own choice, on the deals that were looked at for this call


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """An imagined deal, and the contracts that the call and its rival led to."""

    bits: NDArray[np.uint64]
    contracts: NDArray[np.uint8]  # [2, the last bid or 0, doubled, declarer]


@dataclass(frozen=True, slots=True, eq=False)
class Thought:
    """What was considered at one turn, and what came of it."""

    call: Call
    first: Call  # the mind's own choice
    gain: float = 0.0  # IMPs of the call over the own choice on the deals; 0 where that stands
    valued: tuple[Valued, ...] = ()
    imagined: Imagined | None = None  # None: there was nothing to think about
    deals: int = 0  # on which the last calls were compared
    rival: Call | None = None  # the best of the other calls that stayed in the race
    lead: float = 0.0  # IMPs of the call over its rival
    error: float = 0.0  # of the lead
    speaks_for: tuple[Example, ...] = ()  # the best first
    speaks_against: tuple[Example, ...] = ()

    @property
    def is_simulated(self) -> bool:
        """Whether calls were compared at all."""
        return self.imagined is not None

    @property
    def is_overruled(self) -> bool:
        """Whether another call than the mind's own was made."""
        return self.call != self.first
