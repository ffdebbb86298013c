"""IMPs, victory points and matchpoints against published tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.comparison import (
    discrete_victory_points,
    imps,
    matchpoints,
    older_victory_points,
    victory_points,
)
from bidlab.bridge.errors import BidlabError


def known(kind: str) -> Iterator[list[float]]:
    for line in (Path(__file__).parent / "scales.txt").read_text().splitlines():
        words = line.split()
        if words and words[0] == kind:
            yield [float(word) for word in words[1:]]


def test_imp_table_to_its_edges() -> None:
    rows = list(known("imps"))
    assert len(rows) == 25
    for least, most, value in rows:
        for points in range(int(least), int(most) + 1, 10):
            assert imps(points) == value
            assert imps(-points) == -value


def test_continuous_victory_points_equal_the_published_table() -> None:
    for boards, *points in known("continuous"):
        assert [victory_points(margin, int(boards)) for margin in range(len(points))] == points
    for boards, margin, points in known("continuous-point"):
        assert victory_points(int(margin), int(boards)) == points


@given(st.integers(1, 128), st.integers(-400, 400))
def test_continuous_victory_points_sum_to_twenty_and_never_fall(boards: int, margin: int) -> None:
    ours = victory_points(margin, boards)
    assert round(ours + victory_points(-margin, boards), 2) == 20
    assert 0 <= victory_points(margin - 1, boards) <= ours <= 20
    assert (ours == 20) == (margin >= 15 * boards**0.5)


@given(st.integers(1, 128), st.integers(1, 200))
def test_an_imp_is_never_worth_more_than_the_one_before(boards: int, margin: int) -> None:
    before, here, after = (round(100 * victory_points(margin + i, boards)) for i in (-1, 0, 1))
    assert after - here <= here - before


@given(st.integers(1, 64), st.integers(0, 130))
def test_corrections_stay_within_hundredths_of_the_formula(boards: int, margin: int) -> None:
    blitz = 15 * boards**0.5
    r = 5**0.5 - 2
    exact = min(20.0, 10 + 10 * (1 - r ** (margin / blitz)) / (1 - r))
    assert -0.0051 <= victory_points(margin, boards) - exact <= 0.035


def test_discrete_victory_points_equal_the_published_tables() -> None:
    rows = list(known("discrete"))
    assert len(rows) == 20
    for boards, *least in rows:
        starts = [
            next(m for m in range(200) if discrete_victory_points(m, int(boards)) == points)
            for points in range(10, 21)
        ]
        assert starts == least


@given(st.integers(1, 200), st.integers(0, 400))
def test_discrete_victory_points_sum_to_twenty_and_never_fall(boards: int, margin: int) -> None:
    ours = discrete_victory_points(margin, boards)
    assert ours + discrete_victory_points(-margin, boards) == 20
    assert 10 <= ours <= discrete_victory_points(margin + 1, boards) <= 20


def test_older_victory_points_equal_published_results() -> None:
    rows = list(known("older"))
    assert rows
    for boards, margin, won, lost in rows:
        assert older_victory_points(int(margin), int(boards)) == (won, lost)
        assert older_victory_points(-int(margin), int(boards)) == (lost, won)


def test_older_victory_points_stop_at_25_and_go_on_down_to_0() -> None:
    for boards in (8, 12, 16, 20, 24, 28, 32):
        seen = [older_victory_points(margin, boards) for margin in range(120)]
        assert list(dict.fromkeys(seen)) == [(min(15 + step, 25), 15 - step) for step in range(16)]


@pytest.mark.parametrize("scale", [victory_points, discrete_victory_points, older_victory_points])
def test_a_match_has_boards(scale) -> None:
    with pytest.raises(BidlabError, match="boards"):
        scale(3, 0)


@given(st.lists(st.integers(-2000, 2000).map(lambda x: 10 * x), min_size=1, max_size=30))
def test_matchpoints_count_pairs(scores: list[int]) -> None:
    points = matchpoints(scores)
    for i, score in enumerate(scores):
        others = scores[:i] + scores[i + 1 :]
        assert points[i] == sum(2 * (score > other) + (score == other) for other in others)
    assert sum(points) == len(scores) * (len(scores) - 1)
