"""Doubles of which a text does not speak: the same calls follow, where it says that systems are on."""

import pytest

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.systems.book import Book
from bidlab.systems.errors import SystemTextError
from bidlab.systems.rules import Written
from bidlab.systems.system import System

TEXT = """opening
  1N   15-17, balanced
1N
  2C   8+                    asks majors
    2D   no 4-card major     artificial
      3N   10+
      2N   8-9
    (X)
      XX   5+ clubs
"""


def written(text: str, auction: str) -> list[str]:
    rules = Book(System.parse(text)).position(Auction("N", "none", auction)).rules
    return [str(rule.call) for rule in rules if isinstance(rule.source, Written)]


def test_a_double_that_is_not_written_changes_nothing() -> None:
    on = "set systems-on on\n" + TEXT
    assert written(TEXT, "1N P 2C P 2D P") == written(on, "1N P 2C P 2D X") == ["3N", "2N"]
    assert written(TEXT, "1N P 2C P 2D X") == []


def test_a_double_that_is_written_has_its_own_answers() -> None:
    assert written("set systems-on on\n" + TEXT, "1N P 2C X") == ["XX"]


def test_an_overcall_is_no_double() -> None:
    assert written("set systems-on on\n" + TEXT, "1N P 2C P 2D 2S") == []


@pytest.mark.parametrize("system", ["sayc", "bws"])
def test_nobody_sits_in_an_answer_to_stayman_that_was_doubled(system: str) -> None:
    book = Book(System.load(system))
    position = book.position(Auction("N", "none", "1N P 2C P 2D X"))
    for hand, call in (("AQ76.KJ72.97.K72", "3N"), ("AQ76.9832.97.Q72", "2N")):
        assert position.rules[position.choice(Hand.parse(hand))].call == Call(call)


def test_systems_are_on_or_off() -> None:
    with pytest.raises(SystemTextError, match="systems-on maybe: on or off is wanted"):
        System.parse("set systems-on maybe\n" + TEXT)
    assert System.load("sayc").fingerprint != System.load("sayc", systems_on="off").fingerprint
    assert not System.load("natural").are_systems_on
