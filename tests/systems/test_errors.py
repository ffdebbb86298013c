"""Texts that are no system: each is refused with its place, what was given and what would be right."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.errors import BidlabError
from bidlab.systems.errors import SystemTextError
from bidlab.systems.state import State
from bidlab.systems.system import System
from bidlab.systems.text import LARGEST, read_file, read_text

VALID = (Path(__file__).parent / "hard_things.bids").read_text(encoding="utf-8")

BAD = [
    # text, where, what is said
    ("opening\n  1N  15-17 hpc", "2:13", "unknown word 'hpc' (did you mean 'hcp'?)"),
    ("opening\n  1M  5+ M,\n      12-21 pionts", "3:13", "unknown word 'pionts' (did you mean 'points'?)"),
    ("opening\n  1N  15-17  forceing", "2:14", "did you mean 'forcing'?"),
    ("opening\n  1N  15-17, forcing", "2:14", "a column of its own"),
    ("openning\n  1N  15-17", "1:1", "did you mean 'opening'?"),
    ("opening, thrid seat\n  1N", "1:10", "where a qualifier"),
    ("opening\n  8C  15+", "2:3", "where a call"),
    ("opening\n  1N 15-17", "2:6", "two spaces and the condition"),
    ("opening\n  2X  5+ Y", "2:10", "Y stands for no suit here"),
    ("opening\n  2C  22+  agrees M", "2:12", "M in 'agrees M' stands for no suit here"),
    ("1X, Z above X\n  2C", "1:5", "Z in 'Z above X' stands for no suit"),
    ("1X 2Y, Y above X, Y below X\n  2N", "1:19", "can never hold"),
    ("1X 1Y 2Z 3W\n  4M", "2:3", "no suit is left for 4M"),
    ("2C 1N\n  2N", "1:4", "1N can never be called in '2C 1N': a bid must outrank 2C"),
    ("1X 1X\n  2N", "1:4", "a bid must outrank the one before it"),
    ("1M 2oM 2M 3M 3M\n  4N", "1:14", "3M can never be called"),
    ("X\n  2N", "1:1", "nobody has bid"),
    ("1N - -\n  2N", "1:1", "the auction has ended"),
    ("- 1N\n  2N", "1:1", "passes there are skipped"),
    ("P 1N\n  2N", "1:1", "passes there are skipped"),
    ("1N (X\n  2N", "1:6", "the end where"),
    ("1N -\n  (X)\n    XX  9+", "2:3", "the opponents' already"),
    ("when agreed M\n  (X)\n    XX  9+", "2:3", "'they doubled'"),
    ("1N\n  2C  8+\n    (X)", "3:5", "no rules beneath '(X)'"),
    ("when agred M\n  4N", "1:6", "did you mean 'agreed'?"),
    ("  1N  15-17", "1:3", "indented without a header"),
    ("opening\n  1N  15-17\n 1S  5+ S", "3:2", "indented by 1: 2 would be in line"),
    ("opening\n  1N  15-17\n\t1S  5+ S", "3:1", "indented by tabs, line 2 by spaces"),
    ('opening\n  1N  15-17  "strong', "2:14", "quotes are not closed"),
    ('opening\n  1N  15-17  "strong"  forcing', "2:14", "the last of a line"),
    ('opening\n  "strong"', "2:1", "stands alone"),
    ('opening "all"\n  1N', "1:1", "words in quotes beside a header"),
    ("opening\n  1N  $range", "2:7", "no parameter $range is set"),
    ("set range 15-17\nopening\n  1N  $rnge", "3:7", "did you mean 'range'?"),
    ("set range 15-17 hpc\nopening\n  1N  balanced, $range", "3:17", "unknown word 'hpc'"),
    ("set range 15-17\nopening\n  1N  $range, 5+ M, $range", "3:18", "M stands for no suit"),
    ("set a " + "$b" * 9 + "\n", "1:7", "no parameter $b is set"),
    ("set a 1 or 2\n" + "set a $a or $a\n" * 30, "11:13", "longer than 10,000"),
    ("use staymn over 1N", "1:1", "no file staymn.bids"),
    ("system A\nsystem B", "2:1", "a second name"),
    ("set a 5\n  1N", "2:3", "a header is wanted above it"),
    ("over -\n  2C", "1:1", "'written over 1N' is wanted"),
    ("opening\n  1N  15-17, 3+ S  forcing  invites", "2:29", "one more column after the effects"),
    ("opening\n  1N  17-15", "2:7", "turned round"),
    ("opening\n  1N  38+", "2:7", "no hand has 38+ points"),
    ("opening\n  1N  " + "9" * 5000, "2:7", "too large a number"),
    ("opening\n  1N  " + "(" * 100, "2:47", "too deep"),
    ("opening\n  \x00", "2:3", "where a call"),
    ("1N\n" + "\n".join(f"{'  ' * d}2C  8+" for d in range(1, 60)), "42:83", "more than 40"),
]


@pytest.mark.parametrize(("text", "where", "what"), BAD)
def test_a_bad_text_is_refused_at_its_place(text: str, where: str, what: str) -> None:
    with pytest.raises(SystemTextError) as error:
        System.parse(text, "my.bids")
    assert str(error.value).startswith(f"my.bids:{where}: ")
    assert what in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_of_other_bytes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd.bids"
    file.write_bytes(b"opening\n  1N  15-17\xff")
    with pytest.raises(SystemTextError, match=r"odd.bids:2:12: byte 0xff is no UTF-8 text"):
        read_file(file)


def test_a_very_large_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large.bids"
    file.write_bytes(b"# " + b"x" * LARGEST)
    with pytest.raises(SystemTextError, match="larger than 1,000,000 bytes"):
        read_file(file)


def test_an_error_in_a_convention_says_where_the_convention_has_it(tmp_path: Path) -> None:
    (tmp_path / "asks.bids").write_text("convention asks\nwritten over 1N\nover\n  2C  8+ pionts\n")
    (tmp_path / "mine.bids").write_text("use asks over 2N\n")
    with pytest.raises(SystemTextError, match=r"asks.bids:4:10: unknown word 'pionts'"):
        System.load(tmp_path / "mine.bids")


def test_a_convention_has_the_parameters_that_it_sets(tmp_path: Path) -> None:
    (tmp_path / "asks.bids").write_text("convention asks\nset invite 8\n1N\n  2C  $invite+\n")
    (tmp_path / "mine.bids").write_text("use asks, invit=9\n")
    with pytest.raises(SystemTextError, match=r"mine.bids:1:11: asks has no parameter 'invit'.*'invite'"):
        System.load(tmp_path / "mine.bids")


def test_word_processors_dashes_quotes_and_ends_of_lines_are_read() -> None:
    odd = System.parse("\ufeffopening\r\n  1N  15–17, balanced  “strong”\r\n")
    rule = odd.rules(odd.start, State())[0]
    assert rule.text == "strong"


def _bid_a_little(system: System, seed: int) -> None:
    """Walk through a random auction: rules are asked for everywhere and nothing may break."""
    drawn = random.Random(seed)
    auction, cursor = Auction(), system.start
    for _ in range(8):
        rules = system.rules(cursor, State(last_bid=auction.last_bid))
        calls = [rule.call for rule in rules if auction.is_legal(rule.call)] or list(auction.legal_calls())
        call = drawn.choice(calls)
        cursor = cursor.after(call, [rule for rule in rules if rule.call == call])
        auction = auction.after(call)
        if auction.is_ended:
            return


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A valid text with some pieces cut out, doubled, moved or replaced."""
    text = VALID
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        piece = text[start:end]
        scraps = ["", piece * 2, "\n", "  ", "\t", *'()",;-$X9é', "of", "or"]
        text = text[:start] + draw(st.sampled_from(scraps) | st.text(max_size=5)) + text[end:]
    return text


@given(damaged(), st.integers(0, 2**32))
def test_a_damaged_text_is_read_or_refused(text: str, seed: int) -> None:
    try:
        system = System.parse(text, "/nowhere/damaged.bids")
    except BidlabError as error:
        assert "\n" not in str(error)
        return
    _bid_a_little(system, seed)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_text(text)
    except SystemTextError as error:
        assert str(error).startswith("text:")


@given(st.integers(0, 2**32))
def test_a_valid_system_has_rules_or_none_in_every_auction(seed: int) -> None:
    _bid_a_little(HARD, seed)


HARD = System.parse(VALID)


def test_every_call_leads_somewhere() -> None:
    passed = HARD.start.after(CALLS[0])
    for call in CALLS[3:]:
        assert HARD.start.after(call).after(CALLS[0]) is passed.after(call).after(CALLS[0])
