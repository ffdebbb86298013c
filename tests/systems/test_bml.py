"""BML notes: the tree of calls and what of the descriptions is understood; the rest is noted."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.systems.auctions import calls_at, meaning_at, rule_at, table_at

from bidlab.bidders.registry import bidder
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import Suit
from bidlab.bridge.errors import BidlabError
from bidlab.systems.bml import load_bml, parse_bml
from bidlab.systems.bml_words import understood
from bidlab.systems.checking import check_system
from bidlab.systems.errors import SystemTextError
from bidlab.systems.named import load_system
from bidlab.systems.rules import Forcing
from bidlab.systems.system import System
from bidlab.table.seatview import SeatView

FILE = Path(__file__).parent / "notes.bml"
NOTES = load_bml(FILE)


@pytest.fixture(scope="module")
def club() -> System:
    return NOTES.system()


def test_the_title_is_read(club: System) -> None:
    assert (club.name, club.title) == ("Club notes", "strong club, weak notrump")


def test_a_table_of_openings(club: System) -> None:
    calls = calls_at(club, "", we_vulnerable=True)
    assert calls == ["1C", "1D", "1H", "1S", "2C", "2D", "2H", "2S", "2N", "3N"]
    assert meaning_at(club, "", "1D", we_vulnerable=True) == "2+ diamonds, 11-15"
    assert rule_at(club, "", "1C").effects.forcing == Forcing.ROUND


def test_a_plain_call_counts_before_a_letter(club: System) -> None:
    assert meaning_at(club, "", "2C") == "6+ clubs or (5 clubs, 4 hearts), 11-15"


def test_deeper_lines_are_partners_answers(club: System) -> None:
    assert calls_at(club, "1C P") == ["1D", "1H", "1S", "1N"]
    assert meaning_at(club, "1C P", "1S") == "5+ spades, 8+"
    assert calls_at(club, "1C P 1D P") == ["1H"]


def test_a_description_goes_on_in_the_next_line(club: System) -> None:
    assert meaning_at(club, "", "2S") == "6 spades, 5-10, 2 of the top three in spades"


def test_seat_and_vulnerability(club: System) -> None:
    assert meaning_at(club, "", "1N", seat=1) == "12-14, balanced"
    assert meaning_at(club, "", "1N", seat=4) == "15-17, balanced"
    assert "1N" not in calls_at(club, "", we_vulnerable=True)


def test_an_opponents_double_in_a_table(club: System) -> None:
    assert calls_at(club, "1N P 2C X") == ["XX", "2D"]
    assert table_at(club, "1N P 2C P") == [("2D", "no 4-card major")]


def test_what_was_cut_is_pasted(club: System) -> None:
    assert rule_at(club, "1N P", "2H").effects.transfers == Suit.SPADES
    assert meaning_at(club, "1N P 2D P", "2H") == "0-3 hearts"


def test_sequences_of_both_sides(club: System) -> None:
    assert calls_at(club, "1N P P") == ["X", "2C"]
    assert calls_at(club, "1C 1D")[0] == "X"
    assert calls_at(club, "1N P 2C P 2H P") == ["3H"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (14, "not understood: 'Nebulous with'"),
        (20, "not understood: 'Gambling'"),
        (20, "3N: nothing about the hand is understood, so the call is never made"),
        (56, "missing.bml cannot be read"),
        (60, "not understood: 'something odd'"),
    ],
)
def test_what_is_not_understood_is_noted_line_by_line(line: int, what: str) -> None:
    assert any(f"{FILE}:{line}:" in str(note) and what in str(note) for note in NOTES.notes)


def test_a_call_without_a_condition_is_never_made(club: System) -> None:
    assert meaning_at(club, "", "3N") == "no hand"


@pytest.mark.parametrize(
    ("description", "condition", "effects"),
    [
        ("Natural game force, 8+ hcp", "8+ hcp", ("forcing to game",)),
        ("17--19 bal, 2--3!h", "17-19 balanced, 2-3 hearts", ()),
        ("Invitational with 4!h and 5+ minor", "with 4 hearts and 5+ in a minor", ("invites",)),
        ("6+ suit, 4--8 hcp", "6+ M, 4-8 hcp", ()),
        ("Weak, 6M", "6M", ()),
        ("5+!d, suggestion to play", "5+ diamonds", ("signs off",)),
        ("Splinter", "", ("splinter",)),
    ],
)
def test_a_description_is_understood(description: str, condition: str, effects: tuple[str, ...]) -> None:
    said = understood(description, "M", (("M", Suit.HEARTS),))
    assert (said.condition.removeprefix("with "), said.effects) == (condition.removeprefix("with "), effects)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemTextError, match="cannot be read"):
        load_bml("nothing.bml")


@given(st.text(max_size=100), st.integers(0, 3000), st.integers(0, 40))
def test_damaged_notes_are_read(scrap: str, start: int, length: int) -> None:
    text = FILE.read_text(encoding="utf-8")
    parse_bml(text[:start] + scrap + text[start + length :]).system()


PIECES = "1C|2HS|(D)|1M|2oM|1N-2C;|-|;|5+|!h|\n|\n\n|\n  |X|1step|#PASTE|#CUT|a".split("|")


@given(st.lists(st.sampled_from(PIECES)))
def test_any_pieces_of_notes_are_read(pieces: list[str]) -> None:
    parse_bml(" ".join(pieces)).system()


def test_notes_bid_by_the_name_of_their_file() -> None:
    assert load_system(str(FILE)).start.number == 0
    assert (
        str(bidder(f"expert:{FILE}").decide(SeatView("AKQ2.T83.KQ9.A76", Auction("N", "none", ""))).call)
        == "1C"
    )


def test_what_was_not_understood_is_found_by_the_check() -> None:
    found = [str(finding) for finding in check_system(FILE).findings]
    assert any("text: not understood: 'Gambling'" in line for line in found)


def test_notes_have_nothing_to_switch() -> None:
    with pytest.raises(BidlabError, match="notes in BML have nothing to switch"):
        load_system(str(FILE), stayman="off")
