"""Conventions switched off from outside: what is left is a system like any other."""

import numpy as np
import pytest
from bench.conventions import worths
from tests.systems.twin import audit

from bidlab.bidders.registry import bidder
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.library import library
from bidlab.matches import match
from bidlab.matches.sources import LibraryBoards
from bidlab.systems.book import Book
from bidlab.systems.system import System
from bidlab.table.bidding import Boards
from bidlab.table.seatview import SeatView

SYSTEMS = ("sayc", "bws")
ALL = [(name, convention) for name in SYSTEMS for convention in System.load(name).conventions]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_dozen_conventions_or_more_are_files_of_their_own(name: str) -> None:
    assert len(System.load(name).conventions) >= 12


@pytest.mark.parametrize(
    ("convention", "hand", "auction", "call"),
    [
        ("michaels", "KQ952.AQ863.4.72", "1D", "2D"),
        ("stayman", "KQ92.A863.J4.Q72", "1N P", "2C"),
        ("transfers", "Q9652.863.J4.Q72", "1N P", "2H"),
        ("weak-twos", "KQJ952.63.J4.972", "", "2S"),
        ("negative-doubles", "952.AQ63.84.K972", "1D 1S", "X"),  # used in a part of the system's text
    ],
)
def test_a_convention_that_is_off_is_not_bid(convention: str, hand: str, auction: str, call: str) -> None:
    view = SeatView(Hand.parse(hand), Auction("N", "none", auction))
    on, off = bidder("sayc"), bidder(f"sayc,{convention}=off")
    assert on.decide(view).call == Call(call)
    assert off.decide(view).call != Call(call)


def test_a_wrong_name_is_told_with_the_conventions_that_there_are() -> None:
    with pytest.raises(BidlabError) as told:
        bidder("sayc,michael=off")
    text = str(told.value)
    assert text.startswith("SAYC has no switch 'michael' (did you mean 'michaels'?): its conventions are ")
    assert "stayman, takeout-doubles, transfers" in text and "\n" not in text


def test_worths_are_those_of_the_match() -> None:
    source = LibraryBoards(library("tune"))
    rows = {one.convention: one for one in worths("sayc", ["stayman", "high-negative-doubles"], source, 300)}
    for convention, switched in (("stayman", "off"), ("high-negative-doubles", "on")):
        players = ["sayc", f"sayc,{convention}={switched}"]
        played = match(*(players if switched == "off" else players[::-1]), boards=300, library="tune")
        assert rows[convention].plain == played.plain
        assert rows[convention].perfect == played.perfect
        assert rows[convention].differing >= np.count_nonzero(played.swings)


@pytest.mark.full
@pytest.mark.parametrize(("name", "convention"), ALL)
def test_without_a_convention_calls_are_legal_and_hands_inside_their_meanings(
    name: str, convention: str
) -> None:
    switched = "off" if System.load(name).conventions[convention] else "on"
    found = audit(Book(System.load(name, **{convention: switched})), Boards.numbered(deal_bits(200, seed=5)))
    assert not found.wrong, found.wrong
