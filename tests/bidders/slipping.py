"""A bidder with seeds that differ: the written system natural, with a slip now and then.

How often it slips depends on its seed, or not at all (even=1): then seeds differ by luck alone. What it calls
depends on its seed and what it sees, as of any bidder with clean seeds; `dirty=1` counts its decisions too.
With `pause=1` it sleeps for a second at a call, and a file named in the environment tells that it has begun.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from unittest.mock import patch

import numpy as np

from bidlab.bidders import bidder, registry
from bidlab.bidders.kinds import Asked, Kind
from bidlab.bridge.calls import Auction
from bidlab.meaning.meaning import Meaning
from bidlab.runs import seed_at
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch

_FRACTION = 1 << 64


@lru_cache(maxsize=1)
def _natural() -> Bidder:
    return bidder("expert:natural")


def slip_rate(seed: int, rate: float, even: bool) -> float:
    """How often a seed slips: the same for all, or from hardly ever to twice as often."""
    return rate if even else 2 * rate * seed_at(seed, 1) / _FRACTION


class Slipping(Bidder):
    """Bids as natural does, but passes or bids the next step where it slips."""

    def __init__(
        self, seed: int, rate: float, even: bool, dirty: bool, name: str, pause: bool = False
    ) -> None:
        self.pause = pause
        self.seed, self.dirty, self.name = seed, dirty, name
        self.rate = slip_rate(seed, rate, even)
        self._asked = 0

    def decide(self, view: SeatView) -> Decision:
        decided = self.decide_many(ViewBatch.of([view]))
        return Decision(
            view.legal_calls[0].__class__(int(decided.calls[0])),
            decided.meanings[0] if decided.meanings else None,
            is_simulated=bool(decided.simulated[0]) if decided.simulated is not None else None,
        )

    def decide_many(self, views: ViewBatch) -> Decisions:
        if self.pause:
            if os.environ.get("SLIPPING_BEGUN"):
                Path(os.environ["SLIPPING_BEGUN"]).touch()
            time.sleep(1)
        decided = _natural().decide_many(views)
        calls = decided.calls.copy()
        words = [self._word(views, place) for place in range(len(views))]
        slips = np.array([word / _FRACTION < self.rate for word in words])
        for place in np.flatnonzero(slips).tolist():
            call = int(calls[place])
            following = (
                int(np.flatnonzero(views.legal[place, 3:])[0]) + 3 if views.legal[place, 3:].any() else 0
            )
            calls[place] = following if call == 0 and following < 13 else 0
        # A slip is what hidden hands were dealt for.
        return Decisions(calls, decided.meanings, slips)

    def _word(self, views: ViewBatch, place: int) -> int:
        self._asked += 1
        seen = (int(views.hands[place]), int(views.dealers[place]), *views.calls[place].tolist())
        return seed_at(self.seed, *seen, *((self._asked,) if self.dirty else ()))

    def meaning(self, auction: Auction) -> Meaning | None:
        return _natural().meaning(auction)


def _slipping(asked: Asked) -> Slipping:
    return Slipping(
        asked.seed,
        asked.number("rate", 0.1),
        asked.whole("even", 0) == 1,
        asked.whole("dirty", 0) == 1,
        asked.text,
        asked.whole("pause", 0) == 1,
    )


KIND = Kind(
    name="slipping",
    written="slipping[,rate=SHARE][,even=1][,dirty=1][,pause=1][,seed=N]",
    description="natural with slips that depend on the seed",
    example="slipping,rate=0.1",
    make=_slipping,
    parameters=("rate", "even", "dirty", "pause", "seed"),
)


@contextmanager
def known() -> Iterator[None]:
    """While it lasts, the kind is there as if a package of its own had brought it."""
    with patch.object(registry, "_others", lambda: ({KIND.name: KIND}, {})):
        yield
