"""What the check says of small systems, one thing at a time."""

from pathlib import Path

import pytest

from bidlab.systems.checking import Kind, check_system

OPENING = "system Test\nopening\n  1N  15-17, balanced\n  1S  12-20, 5+ spades\n  P\n"


@pytest.fixture
def found(tmp_path: Path):
    """The findings of a text beneath two openings: line (from the end of those) and kind."""

    def check(text: str) -> list[tuple[int, Kind]]:
        path = tmp_path / "test.bids"
        path.write_text(OPENING + text, encoding="utf-8")
        before = OPENING.count("\n")
        return [(finding.place.line - before, finding.kind) for finding in check_system(path).findings]

    return check


def test_a_rule_covered_in_part_is_no_finding(found):
    assert not found("1S\n  3S  4+ spades, 10-12\n  2S  3+ spades, 6-11\n")


def test_a_rule_covered_by_two_others_together(found):
    assert found("1N\n  2N  8-9\n  3N  10-11\n  2S  8-11, 5+ spades\n") == [(4, Kind.COVERED)]


def test_a_rule_that_fires_for_some_suits_only_is_no_finding(found):
    assert not found("1N\n  2S  5+ spades, 0-7\n  2M  5+ M, 0-7\n")


def test_a_longer_list_of_the_same_call_is_no_duplicate(found):
    assert not found("1N\n  3N  10-15, balanced\n  3N  10-15, 5+ clubs\n")


def test_the_same_line_over_other_suits_is_no_duplicate(found):
    assert not found("(1X)\n  1N, X is clubs  15-17\n    P\n  1N, X is diamonds  15-17\n    P\n")


def test_a_redouble_of_nothing_is_illegal(found):
    assert found("1N\n  XX  8+\n") == [(2, Kind.ILLEGAL)]


def test_passing_a_takeout_double_for_penalties_is_no_finding(found):
    assert not found("(1S)\n  X  12+, 0-2 spades  takeout, forcing\n    P  5+ spades  penalty\n")


def test_an_ask_of_trumps_must_be_answered_too(found):
    text = "1S\n  2N  4+ spades, 13+  asks shortness, agrees spades\n    3C  0-1 clubs  artificial\n"
    assert found(text) == [(2, Kind.DISTURBED), (2, Kind.HOLE)]


def test_a_raise_by_their_suit_needs_no_written_answers(found):
    assert not found("1S (2C)\n  3C  3+ spades, 11+  agrees spades, artificial, forcing\n")


def test_a_preference_with_two_cards_is_natural(found):
    assert not found("1S\n  1N  6-10\n    2D  4+ diamonds\n      2S  2 spades\n")


def test_a_context_that_nothing_brings_about(found):
    assert found("when asked aces\n  5C  0-1 aces  artificial\n") == [(1, Kind.CONTEXT)]


def test_states_that_exclude_each_other(found):
    assert found("when contested, uncontested\n  P\n") == [(1, Kind.CONTEXT)]


def test_an_exception_needs_a_reason(found):
    assert found("1N\n  XX  8+  # check: ok\n") == [(2, Kind.ILLEGAL), (2, Kind.EXCEPTION)]


def test_every_line_that_cannot_be_read_is_found(found):
    text = "1N\n  2N  8-9 hpc\n    3N  16+\n  3N  10-15,\n      balnced\n1S\n  2S  6-9  invite\n"
    assert found(text) == [(2, Kind.TEXT), (5, Kind.TEXT), (7, Kind.TEXT)]
