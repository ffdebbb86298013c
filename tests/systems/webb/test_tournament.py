"""Tournaments of WEBB's systems: native and twin agree to the bit, and the books are balanced."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from tests.systems.webb.populations import random_systems
from tests.systems.webb.tournament_twin import Member, Tournament

from bidlab._native import WebbDeals, webb_boards, webb_imps, webb_scores
from bidlab.bridge.boards import dealer_of, vulnerability_of
from bidlab.bridge.cards import STRAINS
from bidlab.bridge.comparison import imps
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.scores import contract_score
from bidlab.library import library
from bidlab.systems.webb import (
    Operator,
    Population,
    Rules,
    Standing,
    played,
    random_population,
    turns_a_round,
)

BITS, TABLES = library("tune").deals(count=300)
DEALS = WebbDeals(BITS, TABLES)
SMALL = Rules(threshold=-6, push_penalty=16)


def apt(count: int, seed: int = 1, states: int = 3, entries: int = 6) -> Population:
    systems = random_systems(count, states, entries, seed, apt=True)
    return Population(systems.words, systems.transitions, systems.inheritance)


# --- the twin ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("members", "turns", "rules", "migration"),
    [
        (6, 25, SMALL, 0.0),
        (5, 25, replace(SMALL, contest=3), 0.0),
        (2, 40, SMALL, 0.0),
        (8, 16, replace(SMALL, weights=(0, 0, 0, 0, 0, 1, 2, 3, 4)), 0.5),
    ],
    ids=["even", "odd", "two", "migrants"],
)
def test_native_tournament_is_the_twins(members: int, turns: int, rules: Rules, migration: float) -> None:
    check_against_twin(apt(members), turns, rules, migration)


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, 2])
def test_native_tournament_of_run_a_is_the_twins(seed: int) -> None:
    check_against_twin(random_population(128, states=4, entries=8, seed=seed), 16, Rules(threshold=-2), 0.0)


def check_against_twin(population: Population, turns: int, rules: Rules, migration: float) -> None:
    members, (states, entries) = len(population), population.words.shape[1:]
    others = apt(3, seed=9, states=states, entries=entries)
    plain = Tournament.of(population, BITS, TABLES, rules, seed=77, migration=migration)
    plain.migrants = [Member(*pair) for pair in zip(others.words, others.transitions, strict=True)]
    plain.play(turns)
    native = played(
        Standing.of(population), DEALS, turns, rules, seed=77, migrants=others, migration=migration, threads=2
    )
    unit = 256 * members
    assert native.fitness.tolist() == [member.fitness * unit for member in plain.members]
    assert native.pushes.tolist() == [member.pushes for member in plain.members]
    assert native.ages.tolist() == [member.age for member in plain.members]
    assert np.array_equal(native.population.words, [member.words for member in plain.members])
    assert np.array_equal(native.population.transitions, [member.transitions for member in plain.members])
    assert native.replacements == plain.replaced > 2


def test_native_scores_are_the_laws() -> None:
    wanted = [
        [
            [
                [contract_score(level, strain, doubled, vulnerable, tricks) for tricks in range(14)]
                for level in range(1, 8)
                for strain in STRAINS
            ]
            for doubled in range(3)
        ]
        for vulnerable in (False, True)
    ]
    assert webb_scores().tolist() == wanted
    for points in range(-7700, 7701, 10):
        assert webb_imps(points) == imps(points)


# --- boards -----------------------------------------------------------------------------------------------


def test_boards_are_all_deals_in_another_order_each_time() -> None:
    first, second = webb_boards(5, 100, 0, 100)[:, 0], webb_boards(5, 100, 100, 100)[:, 0]
    assert sorted(first) == sorted(second) == list(range(100))
    assert (first != second).any() and (first != webb_boards(6, 100, 0, 100)[:, 0]).any()
    assert np.array_equal(webb_boards(5, 100, 93, 14)[:, 0], [*first[93:], *second[:7]])


def test_a_deal_comes_with_every_dealer_and_vulnerability_in_sixteen_passes() -> None:
    boards = webb_boards(5, 10, 0, 160)
    assert set(Counter(map(tuple, boards.tolist())).values()) == {1}
    for at, (deal, dealer, vulnerable) in enumerate(boards.tolist()):
        number = deal + at // 10 + 1
        assert (dealer_of(number), vulnerability_of(number)) == (dealer, vulnerable)


# --- what a tournament keeps --------------------------------------------------------------------------------


@pytest.mark.parametrize("members", [2, 7, 32])
def test_fitness_adds_up_to_zero_whatever_happens(members: int) -> None:
    standing = Standing.of(apt(members))
    for _ in range(10):
        standing = played(standing, DEALS, 50, SMALL, seed=3)
        assert standing.fitness.sum() == 0
    assert standing.replacements > 2 and standing.count("pushes") > 10


@pytest.mark.parametrize("members", [16, 15])
def test_result_depends_neither_on_threads_nor_on_where_it_was_cut(members: int) -> None:
    start = Standing.of(apt(members))
    whole = played(start, DEALS, 333, SMALL, seed=3, threads=1)
    assert played(start, DEALS, 333, SMALL, seed=3, threads=4) == whole
    pieces = start
    for turns in (1, 0, 99, 14, 219):
        pieces = played(pieces, DEALS, turns, SMALL, seed=3, threads=2)
    assert pieces == whole
    assert played(start, DEALS, 333, SMALL, seed=4) != whole


def test_members_stand_by_fitness_after_a_round() -> None:
    standing = played(Standing.of(apt(16)), DEALS, 4 * turns_a_round(16), SMALL, seed=3)
    assert (np.diff(standing.fitness) <= 0).all() and standing.best == 0
    assert standing.imps.max() == standing.fitness[0] / (256 * 16)


def test_in_a_round_each_meets_each_once() -> None:
    for members in (6, 7):
        tournament = Tournament([None] * members, 3, BITS, TABLES, SMALL, 1)  # type: ignore[list-item]
        met: Counter[frozenset[int]] = Counter()
        for tournament.turn in range(turns_a_round(members)):
            met.update(map(frozenset, tournament.pairs()))
        assert set(met.values()) == {1} and len(met) == members * (members - 1) // 2


def test_without_a_reachable_threshold_nobody_is_replaced() -> None:
    start = Standing.of(apt(8))
    after = played(start, DEALS, 70, replace(SMALL, threshold=-100_000), seed=3)
    assert after.replacements == 0
    assert after.ages.tolist() == [70] * 8 and after.count("boards") == 560
    assert sorted(map(bytes, after.population.words)) == sorted(map(bytes, start.population.words))


def test_operators_are_taken_as_often_as_their_weights_say() -> None:
    weights = (1, 0, 2, 0, 1, 0, 0, 4, 0)
    after = played(Standing.of(apt(32)), DEALS, 1500, replace(SMALL, threshold=-1, weights=weights), seed=3)
    found = [after.count(one.name.lower()) for one in Operator]
    assert sum(found) == after.replacements > 2000
    assert np.allclose(np.array(found) / sum(found), np.array(weights) / 8, atol=0.04)


def test_migrants_come_as_often_as_asked() -> None:
    after = played(
        Standing.of(apt(32)), DEALS, 1500, replace(SMALL, threshold=-1), seed=3,
        migrants=apt(2, seed=5), migration=0.25,
    )  # fmt: skip
    assert after.count("migrants") / after.replacements == pytest.approx(0.25, abs=0.03)


def test_like_systems_push_and_the_penalty_replaces_them() -> None:
    one = apt(1)
    same = Population(np.repeat(one.words, 8, axis=0), np.repeat(one.transitions, 8, axis=0))
    kept = played(Standing.of(same), DEALS, 500, replace(SMALL, push_penalty=0), seed=3)
    assert kept.replacements == 0 and kept.count("pushes") == kept.count("boards")
    assert kept.pushes.tolist() == [500] * 8 and not kept.fitness.any()
    # All of them pay alike, and all is given back: only what differs changes that.
    odd = Population(
        np.concatenate([same.words[:7], apt(1, seed=4).words]),
        np.concatenate([same.transitions[:7], apt(1, seed=4).transitions]),
    )
    assert played(Standing.of(odd), DEALS, 500, SMALL, seed=3).replacements > 0


# --- wrong input --------------------------------------------------------------------------------------------


def test_a_population_of_one_has_nobody_to_play() -> None:
    with pytest.raises(BidlabError, match="a population of 1: at least 2 members"):
        Standing.of(apt(1))


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"threshold": 3}, "fitness threshold of 3 IMPs"),
        ({"push_penalty": -1}, "push penalty of -1/256"),
        ({"weights": (0,) * 9}, "one from 0 for each of 9"),
        ({"weights": (1, 2)}, "one from 0 for each of 9"),
        ({"contest": 0}, "contest of 0 parents"),
    ],
)
def test_rules_that_cannot_be_are_refused(rules: dict[str, object], said: str) -> None:
    with pytest.raises(BidlabError, match=said):
        Rules(**rules)  # type: ignore[arg-type]
