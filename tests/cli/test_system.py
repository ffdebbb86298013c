"""The commands system list, system show and system export."""

import json
from pathlib import Path

import pytest

TEXT = 'system Small  "one opening"\nopening\n  1N  15-17, balanced\n  P\n1N\n  3N  10+   signs off\n  P\n'


@pytest.fixture
def small(tmp_path: Path) -> str:
    """The file of a small system."""
    path = tmp_path / "small.bids"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def test_list_names_natural_with_its_title(said):
    status, out, _ = said("system", "list")
    assert status == 0
    assert "natural  five-card majors" in out
    assert "natural" in [one["name"] for one in json.loads(said("system", "list", "--json")[1])]


def test_show_prints_markdown(said, small: str):
    status, out, err = said("system", "show", small)
    assert (status, err) == (0, "")
    assert out.startswith("# Small\n\n*one opening*\n")
    assert "### 1NT\n\n- **3NT** 10+ — *to play*\n- **Pass** 0-9\n" in out


def test_show_writes_a_page(said, small: str, tmp_path: Path):
    page = tmp_path / "small.html"
    status, out, err = said("system", "show", small, "--html", "--out", str(page))
    assert (status, out, err) == (0, "", f"Small written to {page}\n")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_show_as_json(said, small: str):
    notes = json.loads(said("system", "show", small, "--json")[1])
    assert [chapter["title"] for chapter in notes["chapters"]] == ["Openings", "Responses"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("nothing",), "no system 'nothing'"),
        (("natural", "--html", "--json"), "one of them is wanted"),
        (("natural", "--out", "/no/such/folder/notes.md"), "no directory /no/such/folder"),
        (("natural,stayman=perhaps",), "a convention is switched on or off"),
    ],
)
def test_wrong_input_is_told_in_a_line(said, words: tuple[str, ...], problem: str):
    status, out, err = said("system", "show", *words)
    assert (status, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


EVOLVED = str(Path(__file__).parents[1] / "bidders" / "files" / "evolved.json")


def test_export_writes_a_system_that_evolved(said, tmp_path: Path):
    out = tmp_path / "best.bids"
    status, printed, err = said("system", "export", EVOLVED, str(out), "--boards", "500")
    assert (status, err) == (0, "")
    assert printed.startswith(f"{out}: ") and "points of auctions" in printed
    assert out.read_text(encoding="utf-8").startswith(
        'system best   "evolved: 4 states of 8 entries"\n# Points'
    )
    shown = json.loads(said("system", "export", EVOLVED, str(out), "--boards", "500", "--json")[1])
    assert shown["bytes"] == out.stat().st_size and shown["rules"] > shown["headers"]


def test_export_refuses_what_it_cannot_write(said, tmp_path: Path):
    status, _, err = said("system", "export", EVOLVED, str(tmp_path / "best.txt"))
    assert status == 2 and "a file ending in .bids is wanted" in err
    status, _, err = said("system", "export", str(tmp_path / "none.json"), str(tmp_path / "best.bids"))
    assert status == 2 and "cannot read" in err
    status, _, err = said("system", "export", EVOLVED, str(tmp_path / "no" / "best.bids"))
    assert status == 2 and "no directory" in err
    assert list(tmp_path.iterdir()) == []
