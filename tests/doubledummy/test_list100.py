"""The solver beside every answer of the test hands of DDS: tables, leads, and plays card by card."""

from pathlib import Path

import pytest
from tests.doubledummy.list100 import Answer, answers

from bidlab.bridge.play import Play
from bidlab.doubledummy import Solver


@pytest.fixture(scope="module")
def list100(shared_data: Path) -> list[Answer]:
    found = list(answers(shared_data))
    assert len(found) == 100
    return found


@pytest.fixture(scope="module")
def solver() -> Solver:
    """One for all tests: what it has learnt of one deal must be right in the next."""
    return Solver()


def test_all_20_results_of_each_deal(list100: list[Answer], solver: Solver) -> None:
    tables = solver.solve([answer.deal for answer in list100])
    for answer, table in zip(list100, tables, strict=True):
        assert table.tolist() == answer.table, str(answer.deal)


def test_value_of_each_card_on_lead(list100: list[Answer], solver: Solver) -> None:
    leads = solver.card_values([Play(answer.deal, answer.strain, answer.leader) for answer in list100])
    for answer, values in zip(list100, leads, strict=True):
        assert len(values) == 13
        assert values == answer.leads, str(answer.deal)


def test_value_after_each_card_of_a_play(list100: list[Answer], solver: Solver) -> None:
    for answer in list100:
        plays = [
            Play(answer.deal, answer.strain, answer.leader, answer.cards[:i])
            for i in range(len(answer.trace))
        ]
        for play, values in zip(plays, solver.card_values(plays), strict=True):
            place = len(play.cards)
            assert declarers_total(play, max(values.values())) == answer.trace[place], shown(play)
            if place + 1 < len(answer.trace):
                assert declarers_total(play, values[answer.cards[place]]) == answer.trace[place + 1], shown(
                    play
                )


def declarers_total(play: Play, value: int) -> int:
    """Declarer's tricks in all, from the value of a card: the tricks to come of the side that plays it."""
    assert play.to_play is not None
    total = play.won[play.to_play & 1] + value
    is_declarers = play.to_play & 1 != play.leader & 1
    return total if is_declarers else 13 - total


def shown(play: Play) -> str:
    return f"{play.deal}, {play.strain} led by {play.leader}: {' '.join(map(str, play.cards))}"
