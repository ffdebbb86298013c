"""Ventos, Costel, Teytaud and Thépaut 2017: the figures of their boosting, and what luck would have shown."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from bidlab.learning.boost import Settings
from bidlab.learning.boost.luck import expected_best, lucky_best_of
from bidlab.learning.boost.matrix import matrix_cells

# Section 4.1: cumulative scores of the seeds 1 to 40, in IMPs.
SCORES = np.array(
    """156 -28 55 167 -170 -188 -16 246 -30 94 -111 -113 266 -73 13 110 54 63 86 21
    -53 -263 30 130 -62 -162 -57 -20 -173 -5 -81 57 92 -151 -25 -44 118 -234 269 32""".split(),
    dtype=int,
)
SEEDS, BOARDS = 40, 64
# Section 4.3: IMPs won over 1,000 new boards, the figure after the plus-minus sign, and won boards.
MATCHES = {"worst": (163, 2.62, 0.59), "second": (138, 2.86, 0.54), "default": (97, 2.75, 0.555)}


def test_the_experiment_of_section_4_1_is_the_default() -> None:
    settings = Settings("random")
    assert (settings.seeds, settings.boards, settings.new_boards) == (SEEDS, BOARDS, 1000)
    assert settings.seed_numbers == range(1, 41)
    cells = matrix_cells(settings)
    assert sum(cell.boards for cell in cells) == 49_920 == SEEDS * (SEEDS - 1) * BOARDS // 2
    one = [cell for cell in cells if "random,seed=39" in (cell.first, cell.second)]
    assert sum(cell.boards for cell in one) == 2496


def test_the_best_seed_is_39_the_second_13_and_the_worst_22() -> None:
    order = np.argsort(-SCORES, kind="stable") + 1
    assert (order[0], order[1], order[-1]) == (39, 13, 22)
    assert (SCORES[38], SCORES[12], SCORES[21]) == (269, 266, -263)


def test_what_one_seed_wins_another_loses() -> None:
    assert len(SCORES) == SEEDS and SCORES.sum() == 0


def test_rates_of_won_matches_are_those_of_39_matches() -> None:
    for rate, won in ((0.564, 22), (0.4102, 16)):  # seeds 39 and 22
        assert rate * 39 == pytest.approx(won, abs=0.01)


def test_the_scores_spread_by_130_imps() -> None:
    assert SCORES.std(ddof=1) == pytest.approx(129.9, abs=0.05)


def test_the_figures_after_the_plus_minus_are_those_of_one_board() -> None:
    """They fit the spread of one board, of which 15% have a swing: it is not that of 1,000 boards together.

    A total of 1,000 boards that is known to 2.62 IMPs would need boards that vary by 0.08; but 15% swings
    of a single IMP already make 0.39.
    """
    for _, spread, _ in MATCHES.values():
        assert spread / sqrt(0.15) == pytest.approx(7, abs=0.5)  # IMPs of a swing, about a game against none
        assert spread / sqrt(1000) < 0.1 < sqrt(0.15)


@pytest.mark.parametrize("spread", [2.62, 2.75, 2.86])
def test_luck_alone_shows_a_best_seed_as_good_as_theirs(spread: float) -> None:
    """40 equal seeds whose boards vary as theirs show a best of 287 to 313 IMPs; theirs has 269."""
    best, scores = lucky_best_of(SEEDS, BOARDS, spread)
    assert best > SCORES.max()
    assert scores == pytest.approx(SCORES.std(ddof=1), rel=0.12) and scores > SCORES.std(ddof=1)


def test_equal_boards_of_2_57_imps_would_spread_the_scores_as_theirs() -> None:
    assert SCORES.std(ddof=1) / sqrt(SEEDS * BOARDS) == pytest.approx(2.57, abs=0.005)


def test_the_best_of_40_equal_ones_is_2_16_standard_deviations_up() -> None:
    # Less their mean, so a little below the 2.161 of independent normal numbers.
    assert expected_best(40) == pytest.approx(2.161, abs=0.01)


def test_their_matches_on_new_boards_are_one_to_two_standard_errors_from_nothing() -> None:
    errors = {name: won / (spread * sqrt(1000)) for name, (won, spread, _) in MATCHES.items()}
    assert errors == pytest.approx({"worst": 1.97, "second": 1.53, "default": 1.12}, abs=0.01)
