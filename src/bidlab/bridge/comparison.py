"""Scores compared: IMPs, victory points and matchpoints (laws 78 and the WBF's scales)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from math import log, sqrt

from bidlab.bridge.errors import BidlabError

# The least difference in points that is worth 1, 2 .. 24 IMPs (law 78B).
IMP_STEPS = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750,
    2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip


def imps(difference: int) -> int:
    """International match points for a difference in points, with its sign.

    >>> imps(450), imps(-20), imps(10)
    (10, -1, 0)
    """
    size = bisect_right(IMP_STEPS, abs(difference))
    return size if difference >= 0 else -size


def matchpoints(scores: Sequence[float]) -> list[int]:
    """Matchpoints of each score of a board: 2 for each score beaten, 1 for each equalled.

    The scores are from one side's view; a top is 2 * (len(scores) - 1).

    >>> matchpoints([420, 450, 420, -50])
    [3, 6, 3, 0]
    """
    ranked = sorted(scores)
    return [bisect_left(ranked, score) + bisect_right(ranked, score) - 1 for score in scores]


# The WBF's scales of 2013 follow one curve: V = 10 + 10 (1 - R^(I / X)) / (1 - R) with R = sqrt(5) - 2,
# the golden section cubed, and X = 15 sqrt(boards), the margin that is worth all 20 victory points.
_R = sqrt(5) - 2


def victory_points(margin: int, boards: int) -> float:
    """WBF victory points, 0.00 to 20.00 (continuous scale), of the side that leads by `margin` IMPs.

    >>> victory_points(30, 16), victory_points(-30, 16), victory_points(0, 7)
    (16.73, 3.27, 10.0)
    """
    scale = _continuous_scale(_checked(boards))
    cents = scale[min(abs(margin), len(scale) - 1)]
    return (cents if margin >= 0 else 2000 - cents) / 100


@lru_cache(maxsize=256)
def _continuous_scale(boards: int) -> tuple[int, ...]:
    """Hundredths of a victory point for a lead of 0, 1, 2 .. IMPs, up to the first that is worth 20."""
    blitz = 15 * sqrt(boards)
    scale = []
    margin = 0
    while margin < blitz:
        scale.append(int(1000 + 1000 * (1 - _R ** (margin / blitz)) / (1 - _R) + 0.5))
        margin += 1
    scale.append(2000)
    # An IMP must never be worth more than the one before it: where rounding broke that, the WBF adds
    # a hundredth to the value between the two.
    broken = True
    while broken:
        broken = False
        for i in range(1, len(scale) - 1):
            if scale[i + 1] - scale[i] > scale[i] - scale[i - 1]:
                scale[i] += 1
                broken = True
    return tuple(scale)


def discrete_victory_points(margin: int, boards: int) -> int:
    """Whole WBF victory points, 0 to 20 (discrete scale), of the side that leads by `margin` IMPs.

    >>> discrete_victory_points(30, 16), discrete_victory_points(-1, 16)
    (17, 10)
    """
    won = 10 + bisect_left(_discrete_scale(_checked(boards)), abs(margin))
    return won if margin >= 0 else 20 - won


@lru_cache(maxsize=256)
def _discrete_scale(boards: int) -> tuple[int, ...]:
    """The greatest lead in IMPs that is still worth 10, 11 .. 19 victory points."""
    blitz = 15 * sqrt(boards)
    most = [int(blitz * log(1 - (1 - _R) * (0.05 + k / 10)) / log(_R)) for k in range(10)]
    # No band may be wider than the next one up; the band of a draw reaches to both sides of nought.
    i = 0
    while i < 9:
        width = most[i] - most[i - 1] if i else 2 * most[0] + 1
        if most[i + 1] - most[i] < width:
            most[i] -= 1
            i = 0
        else:
            i += 1
    return tuple(most)


def _checked(boards: int) -> int:
    if boards < 1:
        raise BidlabError(f"a match of {boards} boards: at least one is wanted")
    return boards


# The greatest lead in IMPs that was still worth 15-15, 16-14 .. 24-6, 25-5, 25-4 .. 25-1 on the WBF's
# scale before 2013, by the number of boards. Results in bulletins confirm it for 16 and 20 boards, single
# points for 12 and 32; for 8, 24 and 28 there is one source, a scoring program, and that its 25-2 is about
# the margin of 20-0 on the scale that followed, as the WBF wrote.
_OLDER_SCALE = {
    8: (1, 5, 8, 11, 14, 17, 20, 23, 26, 29, 33, 37, 41, 45, 50),
    12: (1, 6, 9, 12, 16, 20, 24, 28, 32, 36, 40, 45, 50, 55, 61),
    16: (2, 7, 11, 15, 19, 23, 27, 31, 36, 41, 46, 52, 58, 64, 71),
    20: (2, 8, 12, 16, 21, 26, 31, 36, 41, 47, 53, 59, 65, 72, 79),
    24: (3, 9, 14, 19, 24, 29, 34, 39, 45, 51, 57, 64, 71, 79, 87),
    28: (3, 10, 15, 20, 25, 31, 37, 43, 49, 55, 61, 68, 76, 85, 94),
    32: (3, 10, 16, 22, 28, 34, 40, 46, 52, 58, 65, 73, 82, 91, 100),
}


def older_victory_points(margin: int, boards: int) -> tuple[int, int]:
    """Victory points of both sides, 15-15 to 25-0, on the WBF's scale before 2013.

    The side that leads by `margin` IMPs comes first. The scale is a table for 8, 12, 16 .. 32 boards.

    >>> older_victory_points(21, 16), older_victory_points(-60, 16)
    ((20, 10), (2, 25))
    """
    scale = _OLDER_SCALE.get(boards)
    if scale is None:
        lengths = ", ".join(map(str, _OLDER_SCALE))
        raise BidlabError(f"no older scale for {boards} boards: it is known for {lengths} boards")
    step = bisect_left(scale, abs(margin))
    won, lost = min(15 + step, 25), 15 - step
    return (won, lost) if margin >= 0 else (lost, won)
