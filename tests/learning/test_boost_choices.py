"""Choices, luck, cross-validation and bandits on matrices with known answers."""

import nashpy
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.seeds import ROCK_PAPER_SCISSORS, TRANSITIVE, noise, of_rows, of_strengths

from bidlab.bridge.errors import BidlabError
from bidlab.learning.boost.bandits import Halving, Pulled, Ucb, contest
from bidlab.learning.boost.choices import best_seed, equilibrium, nash_mixture, robust_seeds
from bidlab.learning.boost.folds import SHARES, crossvalidated
from bidlab.learning.boost.luck import luck_alone, lucky_best_of, lucky_scores, shrunken
from bidlab.learning.boost.matrix import SeedMatrix

TWENTIETHS = np.linspace(-0.15, 0.15, 40)


# --- the matrix ---------------------------------------------------------------------------------------------


def test_a_matrix_is_skew_symmetric_with_zeros_on_its_diagonal() -> None:
    matrix = noise(7, 20)
    assert (matrix.imps == -matrix.imps.T).all() and not matrix.imps.diagonal().any()
    assert matrix.scores.sum() == 0
    assert matrix.imps[2, 5] == matrix.swings[list(zip(*matrix.pairs, strict=True)).index((2, 5))].sum()


def test_won_matches_count_ties_for_half() -> None:
    matrix = of_rows([[0, 3, 0], [-3, 0, -1], [0, 1, 0]])
    assert matrix.won_matches().tolist() == [0.75, 0.0, 0.75]


def test_a_matrix_of_another_shape_is_refused() -> None:
    with pytest.raises(BidlabError, match="swings of 2 pairs for 3 seeds: 3 are wanted"):
        SeedMatrix((1, 2, 3), np.zeros((2, 5), np.int64))


# --- choices ------------------------------------------------------------------------------------------------


def test_where_one_seed_beats_all_every_choice_takes_it() -> None:
    assert best_seed(TRANSITIVE).seeds == (3,)
    assert nash_mixture(TRANSITIVE).seeds == (3,)
    assert nash_mixture(TRANSITIVE).worst == 0  # against itself
    assert best_seed(TRANSITIVE).mean == pytest.approx(20 / 3)
    assert robust_seeds(TRANSITIVE, 2).weights == ((3, 0.5), (4, 0.5))
    assert robust_seeds(TRANSITIVE, 2).mean == pytest.approx((20 + 2) / 2 / 3)


def test_rock_paper_scissors_has_one_equilibrium_and_no_best_seed() -> None:
    nash = nash_mixture(ROCK_PAPER_SCISSORS)
    assert dict(nash.weights) == pytest.approx({1: 1 / 3, 2: 1 / 3, 3: 1 / 3})
    assert nash.worst == pytest.approx(0) and nash.mean == pytest.approx(0)
    best = best_seed(ROCK_PAPER_SCISSORS)
    assert best.seeds == (1,) and best.mean == 0 and (best.worst, best.against) == (-3, 2)


def test_a_seed_that_loses_to_one_and_wins_from_all_others_is_best_but_not_safe() -> None:
    matrix = of_rows([[0, 9, 9, -1], [-9, 0, 0, 1], [-9, 0, 0, 1], [1, -1, -1, 0]])
    assert best_seed(matrix).seeds == (1,) and best_seed(matrix).worst == -1
    assert nash_mixture(matrix).worst == pytest.approx(0, abs=1e-9) and len(nash_mixture(matrix).seeds) > 1


@given(st.integers(2, 6).flatmap(lambda n: st.lists(st.integers(-30, 30), min_size=n * n, max_size=n * n)))
def test_the_equilibrium_is_one_and_has_the_value_that_nashpy_finds(numbers: list[int]) -> None:
    size = int(len(numbers) ** 0.5)
    upper = np.triu(np.array(numbers, float).reshape(size, size), 1)
    imps = upper - upper.T
    weights = equilibrium(imps)
    assert weights.min() >= 0 and weights.sum() == pytest.approx(1)
    least = (weights @ imps).min()
    row, column = nashpy.Game(imps).linear_program()
    assert least == pytest.approx(float(row @ imps @ column), abs=1e-6) and least == pytest.approx(
        0, abs=1e-6
    )


def test_the_equilibrium_of_a_game_that_is_not_symmetric_agrees_with_nashpy() -> None:
    imps = np.array([[3.0, -1.0, 2.0], [-2.0, 4.0, 0.0], [1.0, 1.0, -5.0]])
    row, column = nashpy.Game(imps).linear_program()
    assert equilibrium(imps) == pytest.approx(row, abs=1e-6)
    assert (equilibrium(imps) @ imps).min() == pytest.approx(float(row @ imps @ column))


def test_more_robust_seeds_than_there_are_is_an_error() -> None:
    with pytest.raises(BidlabError, match="the 5 best of 4 seeds: 1 to 4 are possible"):
        robust_seeds(TRANSITIVE, 5)


# --- luck ---------------------------------------------------------------------------------------------------


def test_luck_alone_shows_what_equal_seeds_show() -> None:
    matrix = noise()
    luck = luck_alone(matrix, seed=1, repeats=500)
    best, spread = lucky_best_of(40, 64, matrix.board_spread)
    assert luck.lucky_spread == pytest.approx(spread, rel=0.02)
    assert luck.lucky_best == pytest.approx(best, rel=0.04)
    assert luck.lucky_best < luck.lucky_best_95 < 2 * luck.lucky_best


def test_of_equal_seeds_one_matrix_in_twenty_looks_beyond_luck() -> None:
    found = [luck_alone(noise(12, 16, seed), seed=1, repeats=200).is_beyond_luck for seed in range(200)]
    assert 2 <= sum(found) <= 20  # 10 on average


def test_seeds_that_differ_are_found_beyond_luck_and_equal_ones_are_not() -> None:
    assert luck_alone(of_strengths(TWENTIETHS, 64, seed=2), seed=1, repeats=300).spread_chance < 0.01
    assert not luck_alone(noise(), seed=1, repeats=300).is_beyond_luck


def test_flipped_signs_leave_every_swing_as_great() -> None:
    matrix = of_rows([[0, 5], [-5, 0]])
    drawn = lucky_scores(matrix, seed=1, repeats=100)
    assert set(drawn[:, 0]) == {-5.0, 5.0} and (drawn[:, 0] == -drawn[:, 1]).all()


def test_a_board_without_swings_shows_no_best() -> None:
    still = SeedMatrix((1, 2, 3), np.zeros((3, 8), np.int64))
    luck = luck_alone(still, seed=1, repeats=50)
    assert (luck.best, luck.lucky_best, luck.spread_chance) == (0, 0, 1.0) and not luck.is_beyond_luck
    assert shrunken(still).strengths == (0, 0, 0) and shrunken(still).kept == 0


def test_shrunken_strengths_are_near_the_true_ones() -> None:
    strengths = 0.1 * np.random.default_rng(7).standard_normal(40)
    strengths -= strengths.mean()
    errors, naive = [], []
    for seed in range(10):
        matrix = of_strengths(strengths, 64, seed)
        found = shrunken(matrix)
        errors.append(np.mean((np.array(found.strengths) - strengths) ** 2))
        naive.append(np.mean((matrix.scores / (40 * 64) - strengths) ** 2))
        assert found.between == pytest.approx(strengths.std(ddof=1), abs=0.035)
        assert found.between_95 > found.between
    assert np.mean(errors) < np.mean(naive)
    # The error that is told is the error that there is.
    assert np.sqrt(np.mean(errors)) == pytest.approx(shrunken(of_strengths(strengths, 64, 0)).error, rel=0.25)


def test_of_equal_seeds_nothing_is_left_of_the_best() -> None:
    left = [max(shrunken(noise(seed=seed)).strengths) for seed in range(30)]
    shown = [noise(seed=seed).scores.max() / (40 * 64) for seed in range(30)]
    assert np.median(left) < 0.01 and np.mean(left) < np.mean(shown) / 5


# --- cross-validation ---------------------------------------------------------------------------------------


def test_the_best_of_more_seeds_wins_more_from_the_rest_where_seeds_differ() -> None:
    folds = crossvalidated(of_strengths(TWENTIETHS, 64, seed=3), seed=1, draws=300)
    assert [fold.size for fold in folds] == list(range(1, 31)) and len(folds[0].robust) == len(SHARES)
    assert abs(folds[0].best) < 1.5  # one seed alone is no choice
    assert folds[4].best > 2 and folds[29].best > folds[4].best > folds[0].best
    assert folds[29].best > 2 * folds[29].lucky


def test_the_best_of_equal_seeds_wins_nothing_from_the_rest() -> None:
    curves = [crossvalidated(noise(12, 16, seed), seed=1, draws=60) for seed in range(30)]
    means = np.array([[fold.best for fold in folds] for folds in curves])
    error = means.std(axis=0, ddof=1) / np.sqrt(len(curves))
    assert (np.abs(means.mean(axis=0)) < 4 * error).all()
    # How far one matrix strays is what each says of itself.
    told = np.mean([[fold.lucky for fold in folds] for folds in curves], axis=0)
    assert means.std(axis=0)[2:] == pytest.approx(told[2:], rel=0.5)


def test_a_transitive_matrix_is_cross_validated_by_hand() -> None:
    folds = crossvalidated(of_rows([[0, 8], [-8, 0]]), seed=1, draws=200)
    assert len(folds) == 1 and folds[0].best == pytest.approx(0, abs=2)
    three = crossvalidated(of_rows([[0, 6, 6], [-6, 0, 6], [-6, -6, 0]]), seed=1, draws=3000)
    # Of two seeds the better one meets the third: it wins 6 unless the third is the best of all.
    assert three[1].best == pytest.approx(6 * 2 / 3 - 6 / 3, abs=0.5)


# --- bandits ------------------------------------------------------------------------------------------------


def pulled(policy: Ucb | Halving, strengths: list[float], budget: int) -> list[Pulled]:
    """All pulls of a policy where nothing is left to chance."""
    before: list[Pulled] = []
    while wanted := policy.pulls(before):
        before += [Pulled(arm, block, strengths[arm], 9.0) for arm, block in wanted]
        assert len(before) <= budget
    return before


@pytest.mark.parametrize("arms", [3, 4, 5, 8, 13, 40])
def test_bandits_find_the_best_where_nothing_is_left_to_chance(arms: int) -> None:
    strengths = [((7 * arm) % arms) / arms for arm in range(arms)]
    budget = arms * (arms - 1) // 2
    for policy in (Ucb(arms, budget, 64), Halving(arms, budget)):
        before = pulled(policy, strengths, budget)
        assert policy.chosen(before) == int(np.argmax(strengths))
        assert len(before) > 0.6 * budget
        assert len({(one.arm, one.block) for one in before}) == len(before)  # no board twice


def test_halving_compares_seeds_on_the_same_boards() -> None:
    before = pulled(Halving(40, 780), [arm / 40 for arm in range(40)], 780)
    blocks = {arm: sorted(one.block for one in before if one.arm == arm) for arm in range(40)}
    assert all(played == list(range(len(played))) for played in blocks.values())
    assert len({len(played) for played in blocks.values()}) == 5  # five rounds: 40, 20, 10, 5 and 2 seeds
    assert len(blocks[39]) == max(map(len, blocks.values()))


def test_at_equal_numbers_of_boards_bandits_choose_better_than_the_matrix() -> None:
    found = contest(40, 64, between=0.05, board_spread=2.7, repeats=120)
    matrix, ucb, halving = found.strengths
    assert 0.03 < matrix < found.best
    assert ucb > matrix + found.errors[0] and halving > matrix
    shared = contest(40, 64, between=0.05, board_spread=2.7, shared=0.5, repeats=120)
    assert shared.strengths[2] > halving  # common boards help most where the same boards are compared
