"""The command deal with meanings: boards, statistics, pictures, errors."""

import json
from pathlib import Path

import pytest
from tests.cli.saying import fails

from bidlab.dealing import Dealer
from bidlab.formats.files import read_boards
from bidlab.meaning.meaning import Meaning

ASKED = ("--north", "15-17 balanced", "--south", "5+ hearts, 8+", "--seed", "1")


def test_boards_are_those_that_were_asked_for(said) -> None:
    status, out, _ = said("deal", "-n", "20", *ASKED, "--json")
    boards = json.loads(out)
    assert status == 0 and len(boards) == 20
    expected = Dealer.of(N="15-17, balanced", S="5+ hearts, 8+").boards(20, seed=1)
    assert [board["deal"] for board in boards] == [str(board.deal) for board in expected]


def test_boards_go_to_any_format(said, tmp_path: Path) -> None:
    for suffix in ("pbn", "lin", "json", "url"):
        path = tmp_path / f"deals.{suffix}"
        status, out, _ = said("deal", "-n", "5", *ASKED, "--out", str(path))
        assert status == 0 and not out
        hands = [record.board.deal.hand("N") for record in read_boards(path)]
        assert len(hands) == 5 and Meaning.parse("15-17, balanced").admits(hands).all()


def test_a_hand_is_given_by_its_cards(said) -> None:
    own = "AKQ2.T83.KQ9.A76"
    status, out, _ = said("deal", "--south", own, "--north", "5+ hearts", "--seed", "3", "--json")
    assert status == 0 and json.loads(out)[0]["deal"].split()[2] == own


def test_stats_say_how_often_and_draw_bars(said) -> None:
    status, out, _ = said("deal", *ASKED, "--stats")
    lines = out.splitlines()
    assert status == 0
    assert lines[0] == "0.4518% of deals, one in 221 (counted exactly)"
    assert lines[1] == "10,000 deals of seed 1"
    assert lines[3] == "North: 15-17, balanced"
    assert [line.split()[-1] for line in lines[4:7]] == ["45.5%", "32.7%", "21.8%"]
    assert "█" in lines[4] and "South: 8+, 5+ hearts" in lines


def test_stats_of_a_finer_condition_have_a_standard_error(said) -> None:
    _, out, _ = said("deal", "--north", "15-17, stopper in hearts", "--seed", "2", "--stats")
    assert "standard error" in out.splitlines()[0] and "from 10,000 deals" in out.splitlines()[0]


def test_stats_as_json(said) -> None:
    status, out, _ = said("deal", "--north", "4-3-3-3", "--seed", "2", "--stats", "--json")
    shown = json.loads(out)
    assert status == 0 and shown["share"] == pytest.approx(0.10536, abs=1e-5) and shown["standard_error"] == 0
    assert set(shown["histograms"]["N"]["spades"]) == {"3", "4"}
    assert sum(shown["histograms"]["N"]["points"].values()) == pytest.approx(1)


def test_stats_of_random_deals_show_all_hands(said) -> None:
    status, out, _ = said("deal", "--seed", "2", "--stats")
    assert status == 0 and out.startswith("every deal\n")
    assert all(f"{seat}: any hand" in out for seat in ("North", "East", "South", "West"))


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_plot_draws_a_picture(said, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hands.{suffix}"
    status, out, err = said("deal", *ASKED, "--plot", str(path))
    assert (status, out, err) == (0, "", f"drawn into {path}\n")
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix]
    assert path.read_bytes().startswith(begins) and path.stat().st_size > 5000


def test_bad_meanings_are_one_line(said, tmp_path: Path) -> None:
    fails(said("deal", "--north", "15-17 balnced"), "unknown word 'balnced' (did you mean 'balanced'?)")
    fails(said("deal", "--north", "17-15"), "range 17-15 is turned round: 15-17 is wanted")
    fails(said("deal", "--north", "38+"), "no hand has 38+ points: a hand has at most 37")
    fails(said("deal", "--north", "9+ spades", "--south", "9+ spades"), "18 spades, and the pack has 13")
    fails(said("deal", "--north", "12+ (3% outside)"), "hands outside it; '12+' can")
    fails(said("deal", "--north", "AKQ2.T83.KQ9.A7"), "12 cards in hand")
    fails(said("deal", *ASKED, "--plot", str(tmp_path / "x.txt")), "one of the suffixes .png .svg .pdf")
    fails(said("deal", *ASKED, "--plot", str(tmp_path / "no" / "x.png")), "no/x.png")
