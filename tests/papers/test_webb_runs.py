"""Woolever 2001, chapter 5: the parameters of its runs, and how long members live."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bidlab.learning.evolve import preset
from bidlab.learning.evolve.measuring import tournament_deals
from bidlab.systems.webb import Rules, Standing, played, random_population, turns_a_round


def test_table_5_1_has_the_presets() -> None:
    a, b, c = map(preset, ("run-a", "run-b", "run-c"))
    assert [one.seeding for one in (a, b, c)] == ["random"] * 3
    assert [one.islands for one in (a, b, c)] == [1, 1, 13]
    assert [one.population for one in (a, b, c)] == [128, 256, 128]
    assert [one.states for one in (a, b, c)] == [4, 4, 8]
    assert [one.entries for one in (a, b, c)] == [8, 8, 16]
    assert [one.inheritance for one in (a, b, c)] == [3] * 3
    assert [one.rules.threshold for one in (a, b, c)] == [-15] * 3
    assert [one.rules.push_penalty for one in (a, b, c)] == [1] * 3  # P/256 IMPs
    assert [one.boards for one in (a, b, c)] == [173_000_000, 175_000_000, 4_990_000_000]
    assert (a.migration, b.migration, c.migration) == (0, 0, 1 / 1000)


def test_run_a_is_1_35_million_boards_a_member_and_run_b_nearly_700_000() -> None:
    assert preset("run-a").turns == pytest.approx(1.35e6, rel=0.002)
    assert preset("run-b").turns == pytest.approx(0.684e6, rel=0.002)


def test_run_c_has_ten_times_the_migrants_from_3_2_of_its_4_99_thousand_million_boards_on() -> None:
    c = preset("run-c")
    assert c.migration_at(int(0.64 * c.turns)) == 1 / 1000
    assert c.migration_at(int(0.642 * c.turns)) == 1 / 100


@cache
def run_a(boards: int) -> tuple[Standing, ...]:
    """The standings of a population of 128 after every ten rounds."""
    deals = tournament_deals("train")
    standings = [Standing.of(random_population(128, states=4, entries=8, seed=1))]
    while standings[-1].count("boards") < boards:
        standings.append(played(standings[-1], deals, 10 * turns_a_round(128), Rules(), seed=1, threads=2))
    return tuple(standings)


def steps(standings: tuple[Standing, ...], name: str) -> np.ndarray:
    return np.diff([one.count(name) for one in standings])


def check_ages_and_pushes(boards: int) -> None:
    standings = run_a(boards)
    lifetimes = steps(standings, "boards") / np.diff([one.replacements for one in standings])
    oldest = np.array([one.ages.max() for one in standings[1:]])
    # "The expected age of the oldest member at any time should be approximately eight times the average age."
    assert 4 < np.median(oldest / lifetimes) < 16
    # Where ages plummet pushes do: who differs from the rest has them replaced.
    pushes = steps(standings, "pushes") / steps(standings, "boards")
    assert np.corrcoef(pushes, np.log(lifetimes))[0, 1] > 0.5
    assert pushes.max() < 1 and lifetimes.max() < 1000


def test_the_oldest_is_some_eight_times_as_old_and_pushes_go_with_ages() -> None:
    check_ages_and_pushes(1_200_000)


@pytest.mark.full
def test_so_it_stays_in_a_longer_run() -> None:
    check_ages_and_pushes(20_000_000)
