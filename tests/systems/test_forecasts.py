"""Forecasts in the text of a system: `9.2+ tricks in M`."""

import numpy as np
import pytest
from tests.systems.twin import boards_of

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.meaning import Meaning
from bidlab.systems.book import Book
from bidlab.systems.errors import SystemTextError
from bidlab.systems.rules import Judged, Rule, Written
from bidlab.systems.system import System

_OPENINGS = "opening\n  1M  5+ M, 12-21\n  1m  3+ m, 12-21\n"
_CONTRACTS = """when not vulnerable
  6X   11.64+ tricks in X
  6N   11.5+ tricks in notrump, stopper in their suits
  4M   9.2+ tricks in M
  3N   8.4+ tricks in notrump, stopper in their suits
  5m   10.2+ tricks in m
when vulnerable
  6X   11.64+ tricks in X
  6N   11.5+ tricks in notrump, stopper in their suits
  4M   9.05+ tricks in M
  3N   8.2+ tricks in notrump, stopper in their suits
  5m   10.05+ tricks in m
"""


def made(book: Book, auction: str, call: str, vulnerable: str = "none") -> list[Rule]:
    position = book.position(Auction("N", vulnerable, auction))
    return [rule for rule in position.rules if rule.call == Call(call)]


@pytest.mark.parametrize("vulnerable", ["none", "both"])
@pytest.mark.parametrize(
    ("auction", "call"), [("1S P", "4S"), ("1H 2D", "4H"), ("1D 1S", "5D"), ("P P 1S X", "6S")]
)
def test_a_forecast_has_the_hands_of_judgement(auction: str, call: str, vulnerable: str) -> None:
    text, plain = Book(System.parse(_OPENINGS + _CONTRACTS)), Book(System.parse(_OPENINGS))
    written = made(text, auction, call, vulnerable)[0]
    judged = made(plain, auction, call, vulnerable)[0]
    assert isinstance(written.source, Written)
    assert isinstance(judged.source, Judged)
    assert written.condition == judged.condition != ANYTHING
    assert written.forecast is None  # it has become the condition


def test_forecasts_at_judgements_margins_change_no_auction() -> None:
    boards = boards_of(3000, seed=8)
    text, plain = Book(System.parse(_OPENINGS + _CONTRACTS)), Book(System.parse(_OPENINGS))
    one = text.bid(boards.bits, boards.dealers, boards.vulnerable)
    other = plain.bid(boards.bits, boards.dealers, boards.vulnerable)
    length = min(one.shape[1], other.shape[1])
    differ = np.any(one[:, :length] != other[:, :length], axis=1)
    # Where two suits are good enough, judgement bids the longer one and the text the first.
    assert differ.mean() < 0.01


def test_a_forecast_stands_beside_other_conditions() -> None:
    book = Book(
        System.parse(_OPENINGS + "when they bid\n  3N  8.4+ tricks in notrump, stopper in their suits\n")
    )
    (rule, *_) = made(book, "1S 2D", "3N")
    assert isinstance(rule.source, Written)
    assert str(rule.condition) != str(ANYTHING)
    weak, open_in_diamonds, stopped = "KJ4.852.J93.K764", "KJ4.AQ52.93.K764", "K4.QJ52.AQ93.764"
    decide = [rule.call for rule in book.position(Auction("N", "none", "1S 2D")).rules]
    assert decide[0] == Call("3N")
    hands = np.array([Hand.parse(hand).bits for hand in (weak, open_in_diamonds, stopped)], dtype=np.uint64)
    node = np.full(3, book.node(Auction("N", "none", "1S 2D")), dtype=np.int32)
    _, calls = book.choose(node, hands)
    assert [Call("3N") == call for call in calls] == [False, False, True]


@pytest.mark.parametrize(
    ("auction", "call"),
    [
        ("1S P 4S P", "6S"),  # signed off
        ("1S P P X", "4S"),  # my own bid came back
        ("1S 2S P P", "4D"),
    ],
)
def test_no_contract_is_thought_of_where_judgement_would_not(auction: str, call: str) -> None:
    text = _OPENINGS + _CONTRACTS + "1S\n  4S     signs off\n"
    assert not [r for r in made(Book(System.parse(text)), auction, call) if isinstance(r.source, Written)]


def test_enough_to_compete_is_a_forecast_too() -> None:
    text = _OPENINGS + "when they bid\n  lowest X   enough to compete in X\n"
    rule = made(Book(System.parse(text)), "1S 2D", "2S")[0]
    judged = next(
        rule
        for rule in made(Book(System.parse(_OPENINGS)), "1S 2D", "2S")
        if rule.source.kind == "competition"
    )
    assert isinstance(rule.source, Written)
    assert rule.condition == judged.condition


@pytest.mark.parametrize("auction", ["1S 2D", "1H 3C P P", "1S 2D P 3D", "1H 1N"])
def test_enough_to_double_has_the_hands_of_judgement(auction: str) -> None:
    text = _OPENINGS + "when contested\n  X   enough to double   penalty\n"
    doubles = made(Book(System.parse(text)), auction, "X")
    judged = [rule for rule in made(Book(System.parse(_OPENINGS)), auction, "X") if rule.effects.words]
    assert [rule.condition for rule in doubles] == [judged[0].condition]
    assert isinstance(doubles[0].source, Written)


def test_nobody_doubles_a_transfer_for_penalty() -> None:
    book = Book(System.parse(_OPENINGS + "when contested\n  X   enough to double   penalty\n"))
    auction = Auction("N", "none", "1N P 4H")
    shown = (Meaning.parse("15-17, balanced"), None)
    for fourth, doubles in (("6+ hearts", True), ("6+ spades", False)):
        position = book.position(auction, [*shown, Meaning.parse(fourth)])
        assert any(rule.call == Call("X") for rule in position.rules) == doubles


def test_partners_double_is_answered_before_anybody_competes_or_doubles() -> None:
    text = (
        _OPENINGS
        + "(1H)\n  X  12+, 2- hearts  takeout\nwhen contested\n  lowest X   enough to compete in X\n"
    )
    rules = Book(System.parse(text)).position(Auction("N", "none", "1H X P")).rules
    assert rules and not [rule for rule in rules if isinstance(rule.source, Written)]


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("9.2+ tricks in Q", "text:2:22: tricks in 'Q': name a suit"),
        ("9.2+ tricks in M; or 3+ M", "a forecast stands once"),
        ("9+ tricks in M, 8+ tricks in notrump", "a forecast stands once"),
        ("9 tricks in M", "a forecast stands once"),
        ("enough to double; or 20+", "a forecast stands once"),
        ("9.2+ tricks in M, 3+ hcpp", "hcpp"),
    ],
)
def test_what_is_wrong_with_a_forecast_is_said_at_its_place(condition: str, says: str) -> None:
    with pytest.raises(SystemTextError, match="text:2:") as error:
        System.parse(f"when agreed M\n  4M   {condition}")
    assert says in str(error.value).replace("text:2:23", "text:2:22")


def test_below_a_call_gives_its_letter_every_suit_that_is_left() -> None:
    book = Book(System.parse(_OPENINGS + "when partner has bid, below 4M\n  4M   6+ M, 20+\n"))
    assert isinstance(made(book, "1H P", "4H")[0].source, Written)
    assert isinstance(made(book, "1H P", "4S")[0].source, Written)
    over = made(book, "1H 4H", "4S")
    assert isinstance(over[0].source, Written)
    assert not [rule for rule in made(book, "1H 4H", "4H") if isinstance(rule.source, Written)]
