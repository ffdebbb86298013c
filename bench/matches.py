"""Boards a second of a match on solved deals between cheap bidders, and what the match itself costs.

python bench/matches.py [BOARDS] [ROUNDS]

The bidders answer in batches; what is not spent in them is the match: views, legality, scores, IMPs.
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial

from bidlab.bidders.registry import bidder
from bidlab.library import library
from bidlab.matches import LibraryBoards, play_match
from bidlab.matches.match import MakeBidder
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch

PAIRS = (("pass", "pass"), ("random", "pass"), ("random", "random,seed=2"))


class Timed(Bidder):
    """Another bidder, and the time spent in it."""

    spent = 0.0

    def __init__(self, name: str) -> None:
        self._inner = bidder(name)
        self.name = name

    def decide(self, view: SeatView) -> Decision:
        """As the other one does."""
        return self._inner.decide(view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """As the other one does, with a watch on it."""
        begun = time.perf_counter()
        found = self._inner.decide_many(views)
        Timed.spent += time.perf_counter() - begun
        return found


def seconds(first: MakeBidder, second: MakeBidder, boards: int, workers: int) -> float:
    """Wall time of a match."""
    source = LibraryBoards(library("train"))
    begun = time.perf_counter()
    play_match(first, second, source, boards, workers=workers)
    return time.perf_counter() - begun


def main(boards: int = 50_000, rounds: int = 5) -> None:
    """Measure every pair, one and two workers taking turns."""
    for one, other in PAIRS:
        makers = partial(bidder, one), partial(bidder, other)
        times = [(seconds(*makers, boards, 1), seconds(*makers, boards, 2)) for _ in range(rounds)]
        alone = statistics.median(single for single, _ in times)
        ratio = statistics.median(single / double for single, double in times)
        own = []
        for _ in range(rounds):
            Timed.spent = 0.0
            whole = seconds(partial(Timed, one), partial(Timed, other), boards, 1)
            own.append((whole - Timed.spent) / boards * 1e6)
        print(f"{one} against {other}, {boards:,} boards of two tables, {rounds} rounds")
        rate = boards / alone
        print(f"   {rate:,.0f} boards/s with one worker; two {ratio:.2f} times that (wanted: 1.8)")
        print(
            f"   the match itself {statistics.median(own):.1f} microseconds a board"
            f" (from {min(own):.1f} to {max(own):.1f}; wanted: under 20)"
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
