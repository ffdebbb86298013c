"""bidlab practise, as a user types it."""

import io
import json

import pytest
from tests.cli.saying import fails
from tests.systems.small import SmallBook

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.cli import explaining


@pytest.fixture
def practised(said, monkeypatch: pytest.MonkeyPatch):
    """The command with these lines typed, and a small system in place of natural."""

    def run(typed: str, *words: str):
        small = lambda text: Expert(SmallBook(), "small") if text == "natural" else bidder(text)  # noqa: E731
        monkeypatch.setattr(explaining, "bidder", small)
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return said("practise", "--seed", "7", *words)

    return run


def test_a_board_is_bid_to_the_end_and_told(practised) -> None:
    status, out, err = practised("P\n" * 20)
    assert (status, err) == (0, "")
    assert out.startswith("You are South; everybody bids small. Type a call")
    assert "\nBoard 1: North deals, nobody vulnerable.\n" in out
    assert "Your call: " in out and "\nPar " in out and " for you\n" in out
    assert out.rstrip().splitlines()[-1].startswith("1 board: ")


def test_where_you_differ_the_experts_call_is_told_with_reasons(practised) -> None:
    out = practised("7N\n" + "P\n" * 20, "--seat", "N")[1]
    assert "\nYou called 7NT; the expert calls " in out
    assert "  By small.bids:" in out
    assert "0 of 1 calls as the expert's." in out


def test_hint_and_meanings_are_given_before_the_call(practised) -> None:
    out = practised("h\n?\nP\n" + "P\n" * 20)[1]
    assert "The expert calls " in out and "  Shows " in out
    assert "North  " in out


def test_what_is_no_call_is_answered_with_help(practised) -> None:
    status, out, _ = practised("huh\n\n1C\n1C\nXX\nP\n" + "P\n" * 20, "--seat", "N")
    assert status == 0
    assert "huh" in out and out.count("Type a call") >= 3


def test_quitting_ends_quietly(practised) -> None:
    status, out, err = practised("q\n")
    assert (status, err) == (0, "") and "IMP" not in out
    assert practised("")[0] == 0


def test_json_goes_to_standard_output_alone(practised) -> None:
    status, out, err = practised("P\n" * 20, "--json", "--boards", "2")
    shown = [json.loads(line) for line in out.splitlines()]
    assert status == 0 and [one["board"] for one in shown] == [1, 2] and "Your call: " in err


def test_wrong_input_is_one_line(practised) -> None:
    fails(practised("", "--seat", "Q"), "Q")
    fails(practised("", "--system", "pass"), "'pass' bids by no written system")
