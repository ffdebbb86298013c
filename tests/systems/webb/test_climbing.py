"""Climbs: what a generation does, that it depends on its arguments alone, and that systems get better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bidlab._native import webb_par, webb_variants
from bidlab.bridge.errors import BidlabError
from bidlab.doubledummy import par_scores
from bidlab.library import library
from bidlab.systems.webb import OPTIONS, Population, WebbSystem, random_population
from bidlab.systems.webb.climbing import TURN_BOARDS, SolvedBoards, Steps, climbed, first_climb
from bidlab.systems.webb.skeleton import skeleton
from bidlab.table.scoring import contract_scores, imp_array

QUICK = Steps(children=6, stages=(20, 60, 200), kept=(3, 2, 1), certainty=(0.0, 0.0, 0.0), hall=3, ranked=2,
              honoured=2, merged=4)  # fmt: skip


def boards(count: int = 3000) -> SolvedBoards:
    return SolvedBoards.numbered(*library("train").deals(1, count))


def parents(count: int = 2) -> Population:
    return Population.of([skeleton()] * count)


def distance(population: Population, number: int, where: SolvedBoards) -> float:
    """IMPs from par of a member at all four seats."""
    who = np.array([[number, -1]], np.int32)
    return -float(where.imps(population.native, population.native, who, 1).mean())


def test_par_is_that_of_double_dummy() -> None:
    some = boards(500)
    assert (some.par == par_scores(some.tricks, some.dealers, some.vulnerable)).all()
    assert (webb_par(some.tricks, some.dealers, some.vulnerable) == some.par).all()


def test_imps_are_those_of_the_contracts() -> None:
    some, two = boards(200), random_population(2, states=4, entries=8, seed=3, options=OPTIONS)
    found = some.imps(two.native, two.native, np.array([[0, -1], [0, 1]], np.int32), 1)
    own = np.zeros(200, np.int32)
    odd = (np.arange(200) % 2).astype(np.int32)

    def imps(ns: object, ew: object) -> np.ndarray:
        contracts = two.native.bid(ns, ew, some.hands, some.dealers, vulnerable=some.vulnerable)
        strain = (contracts[:, 0].astype(np.intp) + 2) % 5
        tricks = some.tricks[np.arange(200), strain, contracts[:, 2]]
        return imp_array(contract_scores(contracts, some.vulnerable, tricks) - some.par)

    assert (found[0] == -np.abs(imps(own, own))).all()
    assert (found[1] == np.where(odd, -1, 1) * imps(odd, 1 - odd)).all()


def test_who_differs_in_nothing_that_was_touched_bids_the_same() -> None:
    some, count = boards(150), 300
    few = Population.of([skeleton(), skeleton()])
    few = replace(few, words=few.words.copy(), transitions=few.transitions.copy())
    which = np.zeros(count, np.int32)
    none = np.zeros((0, few.words[0].size), np.uint32), np.zeros((0, few.transitions[0].size), np.uint32)
    words, links = webb_variants(few.words, few.transitions, 1023, which, which, *none, 9, 0)
    children = Population(words, links, 3, OPTIONS)
    different = np.concatenate(
        [(words != few.words[0]).reshape(count, -1), (links != few.transitions[0]).reshape(count, -1)], axis=1
    )
    for opponent in (-1, 0):
        imps, touched = some.traced(few.native, few.native, np.array([[0, opponent]], np.int32), 1)
        bits = np.unpackbits(touched[0].view(np.uint8), axis=1, bitorder="little").astype(bool)
        depends = (bits[None, :, : different.shape[1]] & different[:, None, :]).any(axis=2)
        who = np.stack([np.arange(count), np.full(count, opponent)], axis=1).astype(np.int32)
        found = some.imps(children.native, few.native, who, 2)
        assert (found == imps)[~depends].all()
        assert 0.1 < depends.mean() < 0.9 and (found != imps).any()
        again = some.imps(children.native, few.native, who, 1, ~depends)
        assert (again == np.where(depends, found, 0)).all()


def test_climb_is_the_same_in_one_go_in_parts_and_on_any_number_of_threads() -> None:
    start, where = first_climb(parents(), QUICK), boards()
    once = climbed(start, where, 6, QUICK, seed=5, threads=1)
    again = climbed(start, where, 2, QUICK, seed=5, threads=3)
    for _ in range(4):
        again = climbed(again, where, 1, QUICK, seed=5, threads=2)
    assert once == again and once.turn == 6
    assert once.count("boards") >= 6 * TURN_BOARDS and once.count("ended") > 4
    assert climbed(start, where, 6, QUICK, seed=6) != once


def test_climb_brings_random_systems_nearer_to_par() -> None:
    steps = Steps(children=24, stages=(60, 240, 960), kept=(4, 2, 1), certainty=(0.3, 0.3, 0.3))
    start = random_population(2, states=4, entries=8, seed=1, options=OPTIONS)
    after = climbed(first_climb(start, steps), boards(20_000), 15, steps, seed=1, threads=2)
    assert after.count("bit_mutation") >= 2
    fresh = SolvedBoards.numbered(*library("tune").deals(1, 3000))
    assert distance(after.population, after.best, fresh) < distance(start, 0, fresh) - 0.5


def test_parents_and_earlier_systems_stand_apart() -> None:
    start = first_climb(parents(), QUICK)
    assert len(start.population) == 2 + QUICK.hall
    after = climbed(start, boards(), 10, QUICK, seed=2)
    assert after.best < 2 and (after.fitness[2:] < -(1 << 50)).all()
    assert (after.imps[:2] < 0).all()


def test_variants_are_children_by_few_changes() -> None:
    few = parents(1)
    which = np.zeros(400, np.int32)
    none = np.zeros((0, few.words[0].size), np.uint32), np.zeros((0, few.transitions[0].size), np.uint32)
    words, links = webb_variants(few.words, few.transitions, 1023, which, which, *none, 7, 0)
    edits = (words != few.words).sum(axis=(1, 2)) + (links != few.transitions).sum(axis=(1, 2))
    assert np.median(edits) <= 3 and (edits > 0).mean() > 0.8
    assert links.max() < few.words.shape[1]
    later, _ = webb_variants(few.words, few.transitions, 1023, which[:10], which[:10], *none, 7, 390)
    assert (later == words[390:]).all()  # child 390 of a seed is the same, whoever comes with it


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kept": (1,)}, "as many of each"),
        ({"children": 0}, "1 child or more"),
        ({"against": 1.0}, "a share from 0 to 1"),
        ({"ranked": 0}, "1 or more are wanted"),
    ],
)
def test_steps_that_make_no_sense_are_refused(change: dict[str, int], message: str) -> None:
    with pytest.raises(BidlabError, match=message):
        replace(QUICK, **change)


def test_skeleton_needs_its_options_and_room() -> None:
    with pytest.raises(BidlabError, match="no skeleton without the option bidding"):
        skeleton(options=("shape",))
    with pytest.raises(BidlabError, match="no skeleton of 4 states with 8 entries: 9 of 19 or more"):
        skeleton(states=4, entries=8)
    system = skeleton(states=10, entries=20)
    assert WebbSystem.from_json(system.to_json()) == system and system.options == OPTIONS


def test_skeleton_is_nearer_to_par_than_passing() -> None:
    some = SolvedBoards.numbered(*library("tune").deals(1, 3000))
    passing = float(np.abs(imp_array(some.par)).mean())
    assert distance(parents(), 0, some) < 0.7 * passing
