"""bidlab solve, as a user types it."""

import json
from pathlib import Path

import pytest
from tests.cli.saying import fails

from bidlab.formats.files import read_boards
from bidlab.formats.optimum import optimum_tricks

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
TRICKS = [[7, 5, 7, 5], [5, 7, 5, 7], [6, 6, 6, 6], [5, 8, 5, 8], [6, 6, 6, 6]]


@pytest.fixture
def said(said):
    """The same, for this command."""
    return lambda *words: said("solve", *words)


def test_a_deal_gives_table_and_par(said) -> None:
    status, out, _ = said(DEAL)
    assert status == 0
    assert out.splitlines()[-7:] == [
        "         ♣   ♦   ♥   ♠  NT",
        "North    7   5   6   5   6",
        "South    7   5   6   5   6",
        "East     5   7   6   8   6",
        "West     5   7   6   8   6",
        "",
        "Par +110 East-West: 2♠ by East-West",
    ]


def test_par_follows_the_vulnerability_asked_for(said) -> None:
    shown = json.loads(said(DEAL, "--vul", "EW", "--dealer", "S", "--json")[1])
    assert shown["par"] == {"score": -110, "contracts": ["2S by E", "2S by W"]}
    assert (shown["dealer"], shown["vulnerable"]) == ("S", "EW")
    assert shown["tricks"]["S"] == {"N": 5, "E": 8, "S": 5, "W": 8}


def test_a_file_is_solved_into_another_with_tables_and_par(said, tmp_path: Path) -> None:
    source, target = tmp_path / "in.pbn", tmp_path / "out.pbn"
    boards = "\n".join(
        f'[Board "{number}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n' for number in (1, 2, 3)
    )
    source.write_text(boards)
    status, out, err = said(str(source), "--out", str(target))
    assert (status, out, err) == (0, "", f"3 boards solved and written to {target}\n")
    read = list(read_boards(target))
    assert [optimum_tricks(record) for record in read] == [TRICKS] * 3
    assert read[0].tag("OptimumScore") == "NS -110" and read[0].tag("ParContract") == "EW 2S="


def test_a_file_is_shown_board_by_board(said, tmp_path: Path) -> None:
    source = tmp_path / "in.pbn"
    source.write_text(f'[Board "7"]\n[Deal "{DEAL}"]\n\n[Board "8"]\n[Deal "{DEAL}"]\n')
    status, out, _ = said(str(source))
    assert status == 0 and out.count("Par +110 East-West") == 2 and "Board 8" in out


def test_card_values_of_the_lead_and_of_a_later_position(said) -> None:
    status, out, _ = said(DEAL, "--card-values", "--contract", "2S by W")
    assert status == 0
    assert out.startswith("North to play; North's side has 0, the other side 0. Tricks to come:\n")
    shown = json.loads(said(DEAL, "--card-values", "--contract", "2S by W", "--json")[1])
    assert shown["to_play"] == "N" and max(shown["values"].values()) == 5
    later = json.loads(
        said(DEAL, "--card-values", "--contract", "2S by W", "--play", "CT C4 CA", "--json")[1]
    )
    assert later["to_play"] == "W" and set(later["values"]) == {"CK", "CJ", "C3"}


def test_what_is_wrong_is_said_in_one_line(said, tmp_path: Path) -> None:
    fails(said(DEAL.replace("QJ6", "QJJ")), "J")
    fails(said(DEAL.replace("QJ6", "QJ")), "cards")
    fails(said(DEAL.replace("873", "87A")), "A")
    fails(said("N:- 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"), "not complete")
    fails(said(DEAL, "--card-values"), "--contract")
    fails(said(DEAL, "--contract", "4S by N"), "--card-values")
    fails(said(DEAL, "--card-values", "--contract", "4S"), "declarer")
    fails(said(DEAL, "--card-values", "--contract", "2S by W", "--play", "CT D4"), "revoke")
    fails(said(DEAL, "--card-values", "--contract", "2S by W", "--play", "CA"), "North", "South")
    fails(said(DEAL, "--vul", "us"), "us")
    fails(said(str(tmp_path / "none.pbn")), "none.pbn")
