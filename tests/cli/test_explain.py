"""bidlab explain, as a user types it."""

import json

import pytest
from tests.bidders.test_robots import BOT
from tests.cli.saying import fails
from tests.systems.small import SmallBook

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.cli import explaining


@pytest.fixture
def said(said, monkeypatch: pytest.MonkeyPatch):
    """The command, with a small system in place of natural."""
    small = lambda text: Expert(SmallBook(), "small") if text == "natural" else bidder(text)  # noqa: E731
    monkeypatch.setattr(explaining, "bidder", small)
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *words: said("explain", *words, "--deals", "2000")


def test_every_call_so_far_is_explained(said) -> None:
    status, out, err = said("natural", "1N P 2C P")
    assert (status, err) == (0, "")
    assert out.splitlines()[:3] == ["West   North  East   South", "       1NT    Pass   2♣", "Pass   ?"]
    assert "North  1NT    Shows 15 to 17 high-card points, balanced; may have a five-card major." in out
    assert "South  2♣     Shows at least 8 high-card points" in out


def test_the_state_is_told_to_the_player_to_call(said) -> None:
    out = said("natural", "1N P 2C P")[1]
    assert "North to call.\n" in out
    assert "  North has shown 15-17, balanced.\n" in out
    assert "  Partner asks for a four-card major.\n" in out


def test_all_continuations_are_in_a_table_with_share_and_example(said) -> None:
    out = said("natural", "1N P 2C P")[1]
    rows = [line.split("  ") for line in out.splitlines() if line.startswith(("2♥", "2♠", "2♦"))]
    assert [row[0] for row in rows] == ["2♥", "2♠", "2♦"]
    assert all(" ± " in line for line in out.splitlines() if line.startswith("2♥"))
    assert "[small.bids:1]" in out and "deals that agree with the auction." in out


def test_after_a_bid_partners_answers_are_shown_too(said) -> None:
    out = said("natural", "1N P 2C")[1]
    assert "\nWest to call.\n" in out and "\nIf West passes: North to call.\n" in out


def test_without_an_auction_the_openings_are_shown(said) -> None:
    out = said("natural")[1]
    assert out.startswith("North to call.\n")
    assert "15-17, balanced" in out and "P" in out


def test_json_has_everything(said) -> None:
    shown = json.loads(said("natural", "1N P 2C P", "--json", "--seed", "5")[1])
    assert [one["call"] for one in shown["calls"]] == ["1N", "P", "2C", "P"]
    assert shown["calls"][2]["does"] == ["asks for a four-card major", "forcing for one round"]
    assert shown["calls"][2]["rules"] == [
        {
            "file": "small.bids",
            "line": 1,
            "context": "1N -",
            "condition": "8+, 4 hearts or 4 spades, 3-4 hearts",
            "text": "Stayman",
        }
    ]
    assert [one["call"] for one in shown["continuations"]] == ["2H", "2S", "2D"]
    assert sum(one["share"] for one in shown["continuations"]) == pytest.approx(1)
    assert all(one["example"] for one in shown["continuations"])
    assert shown["state"][0] == "Partner asks for a four-card major."


def test_an_ended_auction_has_no_table(said) -> None:
    out = said("natural", "P P P P")[1]
    assert out.rstrip().endswith("The auction has ended: passed out.")


def test_wrong_input_is_one_line(said) -> None:
    fails(said("natural", "1S 1H"), "illegal call 1H over 1S", "the lowest is 1NT")
    fails(said("natural", "1S huh"), "huh")
    fails(said("natrual", "1S"), "no bidder 'natrual'")
    fails(said("natural", "1S", "--dealer", "Q"), "Q")


# --- bidders without rules ------------------------------------------------------------------------------

ROBOT = f"exec:python '{BOT}'"


def test_a_robot_is_explained_by_what_it_does(said) -> None:
    status, out, err = said(ROBOT, "1N P")
    assert (status, err) == (0, "")
    assert "North  1NT    Shows 15 to 17 high-card points, balanced" in out
    assert "[estimated, 0.5% outside]" in " ".join(out.split())
    rows = [line for line in out.splitlines() if line.startswith(("3NT", "2♥"))]
    assert len(rows) == 2 and all(" ± " in row and "% outside]" in row for row in rows)
    assert "What calls show is estimated; so many of their hands lie outside." in out


def test_json_says_that_a_meaning_was_estimated(said) -> None:
    shown = json.loads(said(ROBOT, "1N P", "--json")[1])
    assert shown["calls"][0]["estimated"] and "% outside)" in shown["calls"][0]["meaning"]
    assert not json.loads(said("natural", "1N P", "--json")[1])["calls"][0]["estimated"]
    first = shown["continuations"][0]
    assert first["share"] > 0 and first["standard_error"] > 0 and first["example"]


def test_a_call_that_a_bidder_never_makes_tells_nothing(said) -> None:
    out = said("pass", "1S")[1]
    assert "The system has no such call here" in out and "\nPass  always" in out
