"""How fast thinkers think: decisions a second, and where the time goes.

    python bench/thinker.py [SYSTEM ...]        by default bws and network

Players of boards that the system has bid itself think about every turn with two or more calls to choose from,
with tricks guessed and with tricks solved; processor time, on one core, then in two processes side by side.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any

import numpy as np

from bidlab.bidders.registry import bidder
from bidlab.bidders.thinker import Thinker
from bidlab.bridge.calls import Auction
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.table import SeatView
from bidlab.table.bidding import Boards, bid_tables

SAMPLES = 100
WARM, MEASURED = 30, 20  # boards


def turns(system: str, seed: int, boards: int) -> list[SeatView]:
    """What every player to call saw on boards that a system bid."""
    name = "network:experts" if system == "network" else system
    numbered = Boards.numbered(deal_bits(boards, seed=seed))
    zeros = np.zeros(boards, dtype=np.uint8)
    tables = bid_tables(numbered, [bidder(name)], zeros, zeros, wants_meanings=False)
    found = []
    for table in range(boards):
        whole = tables.auction(table)
        for length in range(len(whole)):
            auction = Auction(whole.dealer, whole.vulnerable, whole.calls[:length])
            found.append(SeatView(Hand(int(numbered.bits[table, auction.turn])), auction))
    return found


class Spent:
    """Processor time of the parts of a thought, by the functions that do them."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time noted."""

        def measured(*given: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return function(*given, **named)
            finally:
                self.seconds[part] = self.seconds.get(part, 0.0) + time.process_time() - began

        return measured


class Timed:
    """Something whose methods are timed under the names of parts."""

    def __init__(self, inner: Any, spent: Spent, parts: dict[str, str]) -> None:
        self._inner = inner
        for method, part in parts.items():
            setattr(self, method, spent.timed(part, getattr(inner, method)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def thought_times(text: str, system: str, seed: int = 2) -> tuple[list[float], dict[str, float]]:
    """Seconds of processor time of each simulated decision on fresh boards, and by part."""
    thinker = bidder(text)
    assert isinstance(thinker, Thinker)
    made: Any = thinker
    for view in turns(system, 1, WARM):
        made.consider(view)
    spent = Spent()
    made.mind = Timed(made.mind, spent, {"imagined": "imagining deals", "proposals": "proposing calls"})
    made.ahead = Timed(made.ahead, spent, {"ends": "bidding on"})
    made.bench = Timed(made.bench, spent, {"scores": "counting tricks"})
    found = []
    for view in turns(system, seed, MEASURED):
        began = time.process_time()
        if made.consider(view).is_simulated:
            found.append(time.process_time() - began)
    return found, spent.seconds


def _count(given: tuple[str, str, int]) -> tuple[int, float]:
    found, _ = thought_times(*given)
    return len(found), sum(found)


def main() -> None:
    """Measure each system with both kinds of tricks."""
    for system in sys.argv[1:] or ["bws", "network"]:
        for tricks in ("guessed", "solved"):
            text = f"thinker:{system},samples={SAMPLES},tricks={tricks}"
            found, parts = thought_times(text, system)
            each = np.array(found)
            print(f"{text}: {len(each)} simulated decisions on fresh boards")
            print(
                f"   one core: {1 / each.mean():.1f} a second; {each.mean():.3f} s each, "
                f"nine in ten under {np.quantile(each, 0.9):.3f}, the longest {each.max():.2f}"
            )
            whole = sum(parts.values())
            shares = sorted(parts.items(), key=lambda item: -item[1])
            print("   of that", ", ".join(f"{part} {seconds / whole:.0%}" for part, seconds in shares))
            began = time.monotonic()
            with get_context("fork").Pool(2) as pool:
                both = pool.map(_count, [(text, system, 3), (text, system, 4)])
            wall = time.monotonic() - began
            rate = sum(count / seconds for count, seconds in both)
            print(f"   two processes: {rate:.1f} a second together ({wall:.0f} s with their start)")


if __name__ == "__main__":
    main()
