"""The command check, by the example of its page."""

import json
import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "checking.md").read_text(encoding="utf-8")
CLUB = re.findall(r"```bids\n(.*?)```", PAGE, re.DOTALL)[0]
CLEAN = "system Clean\nopening\n  1N  15-17, balanced\n  P\n1N\n  3N  10+      signs off\n  P\n"


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The system of the page, in the folder that the program runs in."""
    monkeypatch.chdir(tmp_path)
    Path("club.bids").write_text(CLUB, encoding="utf-8")
    return "club.bids"


def test_the_page_shows_what_the_command_prints(said, club: str):
    shown = re.findall(r"```console\n\$ bidlab check club.bids\n(.*?)```", PAGE, re.DOTALL)[0]
    assert said("check", club) == (1, shown, "")


def test_findings_as_json(said, club: str):
    status, out, _ = said("check", club, "--json")
    found = json.loads(out)
    assert status == 1
    hole = next(one for one in found["findings"] if one["line"] == 13 and one["kind"] == "hole")
    assert (hole["file"], hole["column"], hole["auction"]) == ("club.bids", 3, "1N P 2C P")
    assert len(hole["hand"]) == 16


def test_an_exception_is_counted_and_shown_with_its_reason(said, club: str):
    text = CLUB.replace(
        "2H   6 spades, 5-9                     preempt", "2H   6 spades, 5-9  # check: ok a joke"
    )
    Path(club).write_text(text, encoding="utf-8")
    status, out, _ = said("check", club)
    assert status == 1
    assert "club.bids:9:3: strain: a joke" in out.partition("Meant so:")[2]
    assert "7 findings, 1 excused with a reason" in out


def test_a_clean_system_has_status_0(said, tmp_path: Path):
    path = tmp_path / "clean.bids"
    path.write_text(CLEAN, encoding="utf-8")
    status, out, _ = said("check", str(path))
    assert (status, out) == (0, "Clean: no findings, in 4 rules at 42 places of auctions.\n")


@pytest.mark.parametrize("name", ["nothing", "nothing.bids"])
def test_a_system_that_is_not_there_is_wrong_input(said, name: str):
    status, out, err = said("check", name)
    assert (status, out) == (2, "")
    assert name in err
