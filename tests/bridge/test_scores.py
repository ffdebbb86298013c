"""Duplicate scores against a second implementation, written from the tables of the laws in another way."""

import itertools

import pytest

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import STRAINS, Seat, Strain
from bidlab.bridge.contracts import DOUBLINGS, Contract, Doubling, Result
from bidlab.bridge.errors import BidlabError, NotationError

# The tables of law 77 as they are printed (also in seed 000, appendix B): not vulnerable, vulnerable.
FIRST_TRICK = {"C": 20, "D": 20, "H": 30, "S": 30, "N": 40}
NEXT_TRICK = {"C": 20, "D": 20, "H": 30, "S": 30, "N": 30}
GAME_LEVEL = {  # table B.2: the lowest level that is game
    "": {"C": 5, "D": 5, "H": 4, "S": 4, "N": 3},
    "X": {"C": 3, "D": 3, "H": 2, "S": 2, "N": 2},
    "XX": {"C": 2, "D": 2, "H": 1, "S": 1, "N": 1},
}
PART_SCORE, GAME, SMALL_SLAM, GRAND_SLAM = (50, 50), (300, 500), (500, 750), (1000, 1500)
OVERTRICK = {"X": (100, 200), "XX": (200, 400)}
INSULT = {"": 0, "X": 50, "XX": 100}
UNDERTRICKS = {  # the first, second, third and every later undertrick
    "": ((50, 50, 50, 50), (100, 100, 100, 100)),
    "X": ((100, 200, 200, 300), (200, 300, 300, 300)),
    "XX": ((200, 400, 400, 600), (400, 600, 600, 600)),
}


def tabulated_score(level: int, strain: str, doubling: str, vulnerable: bool, tricks: int) -> int:
    made = range(7, tricks + 1)[:level] if tricks >= level + 6 else ()
    if not made:
        prices = UNDERTRICKS[doubling][vulnerable]
        return -sum(prices[min(i, 3)] for i in range(level + 6 - tricks))
    score = 0
    for trick in made:
        value = FIRST_TRICK[strain] if trick == 7 else NEXT_TRICK[strain]
        score += value * {"": 1, "X": 2, "XX": 4}[doubling]
    score += (GAME if level >= GAME_LEVEL[doubling][strain] else PART_SCORE)[vulnerable]
    score += {6: SMALL_SLAM, 7: GRAND_SLAM}.get(level, (0, 0))[vulnerable]
    for _ in range(level + 7, tricks + 1):
        score += OVERTRICK[doubling][vulnerable] if doubling else NEXT_TRICK[strain]
    return score + INSULT[doubling]


def test_every_score_equals_the_laws_tables() -> None:
    count = 0
    for level, strain, doubling, vulnerable, tricks in itertools.product(
        range(1, 8), STRAINS, DOUBLINGS, (False, True), range(14)
    ):
        contract = Contract(level, strain, doubling)
        expected = tabulated_score(level, str(strain), str(doubling), vulnerable, tricks)
        assert contract.score(tricks, vulnerable) == expected, (contract, vulnerable, tricks)
        count += 1
    assert count == 35 * 3 * 2 * 14


@pytest.mark.parametrize(
    ("contract", "tricks", "vulnerable", "score"),
    [
        ("1C", 7, False, 70),
        ("3N", 9, True, 600),
        ("4S", 10, False, 420),
        ("2DX", 8, False, 180),
        ("2HX", 8, False, 470),
        ("1NXX", 7, True, 760),
        ("7NXX", 13, True, 2980),
        ("7NXX", 0, True, -7600),
        ("7NXX", 0, False, -7000),
        ("4SX", 9, False, -100),
        ("6SX", 9, True, -800),
        ("1NX", 6, True, -200),
    ],
)
def test_scores_that_every_player_knows(contract: str, tricks: int, vulnerable: bool, score: int) -> None:
    assert Contract.parse(contract).score(tricks, vulnerable) == score


def test_law_77_doubled_undertricks_vulnerable() -> None:
    scores = [Contract.parse("7CX").score(13 - down, True) for down in (1, 2, 3, 4)]
    assert scores == [-200, -500, -800, -1100]


def test_law_77_doubled_undertricks_not_vulnerable() -> None:
    scores = [Contract.parse("7CX").score(13 - down, False) for down in (1, 2, 3, 4, 5)]
    assert scores == [-100, -300, -500, -800, -1100]


def test_result_scores_from_north_south() -> None:
    for declarer in Seat:
        for vulnerable in Vulnerability:
            result = Result(Contract.parse("3N", declarer), 9, vulnerable)
            side = 1 if declarer.is_north_south else -1
            assert result.score == side * (600 if vulnerable.includes(declarer) else 400)
    assert Result(Contract.passed_out(), 0, Vulnerability.BOTH).score == 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4SX", "4SX"),
        ("3nt", "3N"),
        ("3NTxx", "3NXX"),
        ("5♥*", "5HX"),
        ("4 spades doubled by South", "4SX by S"),
        ("1N by W", "1N by W"),
        ("3NXS", "3NX by S"),
        ("3NS", "3N by S"),
        ("3NTN", "3N by N"),
        ("pass", "Pass"),
        ("AP", "Pass"),
    ],
)
def test_contracts_are_read_as_people_write_them(text: str, name: str) -> None:
    assert str(Contract.parse(text)) == name
    assert Contract.parse(name) == Contract.parse(text)


@pytest.mark.parametrize("text", ["8S", "0C", "4", "S4", "4SXXX", "4Z", "", "4S by Q", "44S"])
def test_contract_that_does_not_exist(text: str) -> None:
    with pytest.raises(NotationError, match=r"no contract .*: a level 1 to 7, a strain C D H S N"):
        Contract.parse(text)


def test_contract_out_of_range_cannot_be_made() -> None:
    with pytest.raises(NotationError, match="level 8"):
        Contract(8, Strain.CLUBS)
    with pytest.raises(NotationError, match="level 1"):
        Contract(1, None)
    with pytest.raises(BidlabError, match="14 tricks"):
        Contract(1, Strain.CLUBS).score(14, False)
    with pytest.raises(BidlabError, match="needs its declarer"):
        Result(Contract(1, Strain.CLUBS), 7, Vulnerability.NONE)
    with pytest.raises(BidlabError, match="-1 tricks"):
        Result(Contract.parse("1C by N"), -1, Vulnerability.NONE)


def test_undoubled_is_false_and_doubled_is_true() -> None:
    assert not Doubling.UNDOUBLED and Doubling.DOUBLED and Doubling.REDOUBLED
