"""bidlab bid, as a user types it."""

import json
import re
from pathlib import Path

import pytest
from tests.bidders.networks import written
from tests.cli.saying import fails
from tests.systems.small import SmallBook

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.bridge.calls import Call
from bidlab.bridge.cards import Seat
from bidlab.cli import bidding
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import Explained
from bidlab.table import Decision

# North 16 balanced, South ten points with five hearts.
DEAL = "N:A96.AQ6.Q65.KQ86 J7542.K52.T4.JT5 QT3.JT984.A32.A7 K8.73.KJ987.9432"


@pytest.fixture
def said(said, monkeypatch: pytest.MonkeyPatch):
    """The command, with a small system in place of natural."""

    def small(text, seed=0):
        return Expert(SmallBook(), "small") if text == "natural" else bidder(text, seed)

    monkeypatch.setattr(bidding, "bidder", small)
    monkeypatch.setenv("COLUMNS", "100")
    return lambda *words: said("bid", *words)


def test_a_deal_is_bid_solved_and_compared_with_par(said) -> None:
    status, out, err = said(DEAL)
    assert (status, err) == (0, "")
    diagram, grid, result = out.rstrip().split("\n\n")
    assert diagram.startswith("North deals") and grid.splitlines()[1] == "       1NT    Pass   2♦"
    assert result.splitlines()[0].startswith("2♦ by South") and result.splitlines()[1].startswith("Par ")


def test_every_call_is_explained_with_the_hand_in_view(said) -> None:
    out = said(DEAL, "--explain")[1]
    assert "North  1NT    Shows 15 to 17 high-card points, balanced;" in out
    told = " ".join(out.split())
    assert "Not forcing. By small.bids:3 under opening. Not 2NT: 17 high-card points, it wants" in told
    assert "Transfers to hearts; forcing for one round." in told
    assert "By judgement: nothing is better than a pass (nothing is known of this auction)." in told


def test_bidders_that_have_no_book_say_what_they_say(said) -> None:
    out = said(DEAL, "--ew", "pass", "--explain")[1]
    assert "East   Pass   Shows any hand. Always passes." in out


def test_a_network_tells_the_chances_of_its_call_and_of_others(said, tmp_path: Path) -> None:
    network = f"network:{written(tmp_path)}"
    status, out, err = said("--hand", "AKQ2.T83.KQ9.A76", "--ns", network, "--ew", network)
    assert (status, err) == (0, "")
    told, considered = out.split("\n\nAlso considered:\n")
    assert re.search(r"\n  The network's likeliest call, \d+%; next \S+, \d+%\.$", told)
    assert all(re.fullmatch(r"  \S+  \d+%", line) for line in considered.splitlines())
    shown = json.loads(said("--hand", "AKQ2.T83.KQ9.A76", "--ns", network, "--ew", network, "--json")[1])
    assert 0 < shown["candidates"][0]["value"] < 1 and shown["candidates"][0]["note"].endswith("%")
    assert f"  {shown['candidates'][1]['note']}\n" in considered


def test_a_network_that_is_none_is_one_line(said, tmp_path: Path) -> None:
    (tmp_path / "w.npz").write_text("no network")
    fails(said(DEAL, "--ns", "network:expert"), "no network 'expert' (did you mean 'experts'?)")
    fails(said(DEAL, "--ns", str(tmp_path / "w.npz")), "w.npz is no network: it is no whole .npz file")


def test_json_of_a_board(said) -> None:
    shown = json.loads(said(DEAL, "--explain", "--json", "--vul", "NS")[1])
    assert shown["auction"][:3] == ["1N", "P", "2D"] and shown["vulnerable"] == "NS"
    assert shown["contract"] == "2D by S" and shown["ns"] == "small"
    assert shown["calls"][0]["rule"]["line"] == 3
    assert [one["call"] for one in shown["calls"][0]["not"]] == ["2C", "2N"]
    assert set(shown["par"]) == {"score", "contracts"}


def test_a_file_is_bid_board_by_board(said, tmp_path: Path) -> None:
    source = tmp_path / "in.pbn"
    source.write_text(f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{DEAL}"]\n')
    status, out, _ = said(str(source))
    assert status == 0 and out.count("Par ") == 2
    assert said(str(source), "--board", "8")[1].count("Par ") == 1
    fails(said(str(source), "--board", "9"), "no board 9")


def test_one_call_for_one_hand_with_its_reasons(said) -> None:
    status, out, _ = said("--hand", "AKQ2.T83.KQ9.A76", "--auction", "1N P")
    assert status == 0
    assert "South holds ♠ AKQ2  ♥ T83  ♦ KQ9  ♣ A76, 18 points, not vulnerable" in out
    assert (
        "\n2♣\n  Shows at least 8" in out and "  Asks for a four-card major; forcing for one round.\n" in out
    )


def test_one_call_as_json_has_candidates(said) -> None:
    words = ("--hand", "KQ32.T83.KQ9.876", "--auction", "1N P", "--vul", "both", "--json")
    shown = json.loads(said(*words)[1])
    assert (shown["call"], shown["seat"], shown["vulnerable"]) == ("2C", "S", "both")
    assert [one["call"] for one in shown["candidates"]] == ["2C", "3N", "P"]


def test_wrong_input_is_one_line(said) -> None:
    fails(said(), "is wanted")
    fails(said(DEAL, "--hand", "AKQ2.T83.KQ9.A76"), "one of them")
    fails(said(DEAL, "--auction", "1N"), "--auction goes with --hand")
    fails(said("--hand", "AKQ2.T83.KQ9.A7"), "12 cards")
    fails(said("--hand", "AKQ2.T83.KQ9.A76", "--auction", "1N 1C"), "illegal call 1C")
    fails(said("--hand", "AKQ2.T83.KQ9.A76", "--auction", "P P P P"), "has ended")
    fails(said(DEAL, "--ns", "naturl"), "no bidder 'naturl'")
    fails(said("nosuch.pbn"), "nosuch.pbn")
    fails(said("N:AKQ2.T83.KQ9.A76 - - -"), "not complete")


def test_an_estimated_meaning_says_so() -> None:
    meaning = Meaning.parse("15-17, balanced (1% outside)")
    explained = Explained(Seat("N"), Call("1N"), meaning, meaning.short())
    told = bidding.ToldCall(explained, Decision(Call("1N"), meaning), None)
    assert told.sentences() == ("Shows 15-17, balanced (estimated).",)
    assert told.as_json()["estimated"]
