"""Boards a second of a match on solved deals between cheap bidders, and what the match itself costs.

python bench/matches.py [SECONDS] [ROUNDS]

The bidders answer in batches; what is not spent in them is the match: views, legality, scores, IMPs. Matches
are as long as one worker bids in so many seconds (2), by taking the boards of a library several times.
"""

from __future__ import annotations

import statistics
import sys
import time
from functools import partial
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.registry import bidder
from bidlab.library import library
from bidlab.matches import LibraryBoards, play_match
from bidlab.matches.match import MakeBidder
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch
from bidlab.table.bidding import BidTables, Boards

Makers = tuple[MakeBidder, MakeBidder]
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


class Again:
    """The boards of a library over and over, for matches that last a second or more."""

    def __init__(self, inner: LibraryBoards, portion: int) -> None:
        self._inner, self.portion, self.name = inner, portion, inner.name

    def boards(self, first: int, count: int) -> Boards:
        """Boards by number; after the last one comes the first."""
        whole = self._inner.library.count  # of whole portions, so that none goes over the end
        return self._inner.boards((first - 1) % whole + 1, count)

    def tricks(self, tables: BidTables) -> NDArray[np.uint8]:
        """As in the library."""
        return self._inner.tricks(tables)

    def par(self, boards: Boards) -> NDArray[np.int32]:
        """As in the library."""
        return self._inner.par(boards)


TRAIN = LibraryBoards(library("train"))


def seconds(makers: Makers, boards: int, workers: int, portion: int = TRAIN.portion) -> float:
    """Wall time of a match, from the bidders' making to the workers' end."""
    source = Again(TRAIN, portion)
    begun = time.perf_counter()
    play_match(*makers, source, boards, workers=workers)
    return time.perf_counter() - begun


def apart(makers: Makers, boards: int) -> float:
    """Wall time of two separate matches of half the boards, side by side: what two cores can do at most."""
    processes = [get_context("fork").Process(target=seconds, args=(makers, boards // 2, 1)) for _ in "12"]
    begun = time.perf_counter()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return time.perf_counter() - begun


def main(length: int = 4, rounds: int = 5) -> None:
    """Measure every pair, one and two workers taking turns."""
    for one, other in PAIRS:
        makers = partial(bidder, one), partial(bidder, other)
        probe = 20 * TRAIN.portion
        passes = length * probe / seconds(makers, probe, 1) / (2 * TRAIN.portion)
        boards = max(1, round(passes)) * 2 * TRAIN.portion
        turns = [
            (seconds(makers, boards, 1), seconds(makers, boards, 2), apart(makers, boards))
            for _ in range(rounds)
        ]
        alone, two, separate = (statistics.median(column) for column in zip(*turns, strict=True))
        own = []
        for _ in range(rounds):
            Timed.spent = 0.0
            whole = seconds((partial(Timed, one), partial(Timed, other)), probe, 1)
            own.append((whole - Timed.spent) / probe * 1e6)
        begin = statistics.median(seconds(makers, 2, 2, portion=1) for _ in range(rounds))
        print(f"{one} against {other}, {boards:,} boards of two tables, {rounds} rounds")
        print(
            f"   one worker {boards / alone:,.0f} boards/s; two {boards / two:,.0f},"
            f" {alone / two:.2f} times that (wanted: 1.8)"
        )
        ratios = sorted(single / double for single, double, _ in turns)
        fast, fast_two, fast_separate = (min(column) for column in zip(*turns, strict=True))
        print(
            f"   (from {ratios[0]:.2f} to {ratios[-1]:.2f}, the fastest of each {fast / fast_two:.2f}; it"
            f" counts the {begin * 1e3:.0f} ms in which two workers begin and end)"
        )
        print(
            f"   (two separate matches of half the boards, side by side: {alone / separate:.2f},"
            f" the fastest {fast / fast_separate:.2f})"
        )
        print(
            f"   the match itself {statistics.median(own):.1f} microseconds a board"
            f" (from {min(own):.1f} to {max(own):.1f}; wanted: under 20)"
        )


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
