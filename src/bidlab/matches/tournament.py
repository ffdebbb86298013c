"""More than two: round robins on the same boards, and two variants compared against a common opponent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bidlab.bridge.comparison import victory_points
from bidlab.bridge.errors import BidlabError
from bidlab.matches.match import MakeBidder, MatchResult, Progress, play_match
from bidlab.matches.sources import Source
from bidlab.matches.statistics import Summary


@dataclass(frozen=True, slots=True, eq=False)
class RoundRobin:
    """All pairs of some bidders, each pair on the same boards."""

    names: tuple[str, ...]
    matches: dict[tuple[int, int], MatchResult]  # by the numbers of the two, the lower first

    def result(self, one: int, other: int) -> Summary:
        """IMPs a board of one bidder against another."""
        swings = self.matches[min(one, other), max(one, other)].swings
        return Summary.of(swings if one < other else -swings)

    def total(self, one: int) -> Summary:
        """IMPs a board of one bidder against all others: the mean over opponents, board by board.

        The boards are the same in every match, so that they are what varies and is counted.
        """
        others = [other for other in range(len(self.names)) if other != one]
        swings = [
            self.matches[min(one, other), max(one, other)].swings * (1 if one < other else -1)
            for other in others
        ]
        return Summary.of(np.mean(swings, axis=0))

    def victory_points(self, one: int, boards: int) -> float:
        """Victory points of one bidder, matches cut into rounds of so many boards (the WBF's scale)."""
        points = 0.0
        for (first, second), match in self.matches.items():
            if one in (first, second):
                points += match_victory_points(match, boards)[0 if one == first else 1]
        return points


def match_victory_points(match: MatchResult, boards: int) -> tuple[float, float]:
    """Victory points of both sides of a match that is cut into rounds; boards left over make a short one."""
    if boards < 1:
        raise BidlabError(f"rounds of {boards} boards: at least one is wanted")
    first = second = 0.0
    swings = match.swings
    for start in range(0, len(swings), boards):
        part = swings[start : start + boards]
        margin = int(part.sum())
        first += victory_points(margin, len(part))
        second += victory_points(-margin, len(part))
    return first, second


def round_robin(
    bidders: Sequence[MakeBidder],
    source: Source,
    boards: int,
    *,
    first_board: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> RoundRobin:
    """Everybody against everybody, on the same boards."""
    if len(bidders) < 2:
        raise BidlabError(f"{len(bidders)} bidder in a round robin: at least two are wanted")
    matches = {
        (i, j): play_match(
            bidders[i],
            bidders[j],
            source,
            boards,
            first_board=first_board,
            workers=workers,
            progress=progress,
            wants_meanings=False,
        )
        for i, j in combinations(range(len(bidders)), 2)
    }
    names = [matches[0, 1].first, *(matches[0, j].second for j in range(1, len(bidders)))]
    return RoundRobin(tuple(names), matches)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two variants against a common opponent on the same boards."""

    first: MatchResult
    second: MatchResult

    @property
    def plain(self) -> Summary:
        """IMPs a board by which the first does better than the second: a mean of paired differences."""
        return Summary.of(self.first.swings - self.second.swings)

    @property
    def perfect(self) -> Summary:
        """The same with contracts that fail doubled."""
        return Summary.of(self.first.perfect_swings - self.second.perfect_swings)


def compare_variants(
    first: MakeBidder,
    second: MakeBidder,
    opponent: MakeBidder,
    source: Source,
    boards: int,
    *,
    first_board: int = 1,
    workers: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Which of two variants does better against an opponent; what the boards bring cancels out."""
    one, other = (
        play_match(
            variant,
            opponent,
            source,
            boards,
            first_board=first_board,
            workers=workers,
            progress=progress,
            wants_meanings=False,
        )
        for variant in (first, second)
    )
    return Comparison(one, other)
