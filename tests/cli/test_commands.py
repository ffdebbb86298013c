"""The program as a user types it."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.saying import fails

from bidlab.dealing import random_deal
from bidlab.formats import read_boards

FILES = Path(__file__).parents[1] / "formats" / "files"
DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def typed(*words: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own, as a shell does."""
    command = [sys.executable, "-m", "bidlab", *words]
    return subprocess.run(
        command, input=given, capture_output=True, timeout=60, check=False, env=os.environ | environment
    )


# --- score ---


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("4SX", "9", "nv"), "4♠X-1, 9 tricks, not vulnerable: -100\n"),
        (("3NT", "=", "v"), "3NT=, 9 tricks, vulnerable: +600\n"),
        (("6c", "+1", "v"), "6♣+1, 13 tricks, vulnerable: +1390\n"),
        (("4H", "-2", "v"), "4♥-2, 8 tricks, vulnerable: -200\n"),
        (("4H by N", "10", "NS"), "4♥=, 10 tricks, vulnerable: +620\n"),
        (("4H by N", "10", "EW"), "4♥=, 10 tricks, not vulnerable: +420\n"),
        (("Pass", "0", "v"), "passed out: 0\n"),
    ],
)
def test_score(said, words: tuple[str, ...], line: str) -> None:
    assert said("score", *words) == (0, line, "")


def test_score_as_json(said) -> None:
    status, out, _ = said("score", "4SX", "9", "nv", "--json")
    assert status == 0
    assert json.loads(out) == {"contract": "4SX", "tricks": 9, "vulnerable": False, "score": -100}


def test_bad_score_is_one_line(said) -> None:
    fails(said("score", "8S", "9", "nv"), "no contract '8S'", "a level 1 to 7")
    fails(said("score", "4S", "14", "nv"), "14 tricks", "0 to 13")
    fails(said("score", "4S", "many", "nv"), "no result 'many'")
    fails(said("score", "1C", "-8", "nv"), "-1 tricks")
    fails(said("score", "4S", "9", "red"), "no vulnerability 'red': v or nv is wanted")
    fails(said("score", "4S", "9", "NS"), "nobody declares 4S", "'4S by N'")
    fails(said("score", "4S", "9"), "VUL", "bidlab score --help")
    fails(said("score", "4S", "9", "nv", "extra"), "extra")


# --- deal ---


def test_deal_draws_a_board_and_repeats_it(said) -> None:
    status, out, err = said("deal", "--seed", "26862")
    assert status == 0 and err == ""
    assert out.startswith("Board 1             ♠ A96\nNorth deals         ♥ AQ6\n")
    assert said("deal", "--seed", "26862") == (status, out, err)


def test_deal_without_a_seed_says_which_it_took(said) -> None:
    _, out, err = said("deal")
    seed = err.removeprefix("seed ").strip()
    assert said("deal", "--seed", seed)[1] == out


def test_deal_as_json_and_as_files(said, tmp_path: Path) -> None:
    _, out, _ = said("deal", "-n", "3", "--seed", "5", "--first", "7", "--json")
    boards = json.loads(out)
    assert [board["number"] for board in boards] == [7, 8, 9]
    assert boards[1]["deal"] == str(random_deal(5, 8))
    for suffix in ("pbn", "lin", "json", "url"):
        path = tmp_path / f"deals.{suffix}"
        status, out, err = said("deal", "-n", "3", "--seed", "5", "--first", "7", "--out", str(path))
        assert (status, out) == (0, "") and err == f"3 boards written to {path}\n"
        assert [str(record.board.deal) for record in read_boards(path)] == [b["deal"] for b in boards]


def test_bad_deal_is_one_line(said, tmp_path: Path) -> None:
    fails(said("deal", "--boards", "0"), "--boards")
    fails(said("deal", "--seed", "-1"), "--seed")
    fails(said("deal", "--seed", str(1 << 70)), "seed")
    fails(said("deal", "--seed", "1", "--out", str(tmp_path / "deals.txt")), "suffixes .pbn .lin .json .url")
    fails(said("deal", "--seed", "1", "--out", str(tmp_path)), str(tmp_path))
    fails(said("deal", "--seed", "1", "--out", str(tmp_path / "no" / "x.pbn")), "no directory")


# --- show ---


def test_show_draws_boards_with_auction_and_result(said) -> None:
    status, out, err = said("show", str(FILES / "plain.pbn"))
    assert (status, err) == (0, "")
    assert "Club teams, open room\n" in out
    assert "1♣[1]" in out and "[1] may be short" in out
    assert out.endswith("Passed out: 0\n") and "2♠ by West, just made: +110 to East-West" in out


def test_show_one_board_and_json(said) -> None:
    status, out, _ = said("show", str(FILES / "vugraph.lin"), "--board", "4", "--json")
    boards = json.loads(out)
    assert status == 0 and [board["number"] for board in boards] == [4, 4]
    assert {key: boards[1][key] for key in ("auction", "contract", "declarer", "result", "score")} == {
        "auction": ["1D", "P", "1S"],
        "contract": "3NX",
        "declarer": "E",
        "result": 7,
        "score": 500,
    }
    fails(said("show", str(FILES / "vugraph.lin"), "--board", "77"), "no board 77 in")


def test_show_reads_a_link(said) -> None:
    link = "https://www.bridgebase.com/tools/handviewer.html?n=sakqj&a=1n"
    fails(said("show", link), "link: deal left out", "4 cards in North's hand")
    status, out, _ = said("show", link.replace("sakqj", "sakqjhakqdakqcakq"))
    assert status == 0 and "♠ AKQJ" in out


# --- convert ---


def test_convert_by_suffix_and_back(said, tmp_path: Path) -> None:
    source = FILES / "vugraph.lin"
    expected = list(read_boards(source))
    steps = [source, *(tmp_path / name for name in ("a.pbn", "b.lin", "c.json", "d.pbn"))]
    for one, other in itertools.pairwise(steps):
        status, out, err = said("convert", str(one), str(other))
        assert (status, out) == (0, "") and f"4 boards written to {other}" in err
    assert list(read_boards(steps[-1])) == expected


def test_convert_says_what_a_format_cannot_hold(said, tmp_path: Path) -> None:
    _, _, err = said("convert", str(FILES / "plain.pbn"), str(tmp_path / "x.lin"))
    assert "note: " in err and "LIN cannot hold: tag Site (2 times)" in err and "tables (1 time)" in err


def test_convert_through_standard_streams() -> None:
    text = (FILES / "plain.pbn").read_bytes()
    result = typed("convert", "-", "-", "--to", "json", given=text)
    assert result.returncode == 0 and result.stderr == b""
    assert len(json.loads(result.stdout)) == 2
    back = typed("convert", "-", "-", given=result.stdout)
    assert back.returncode == 0 and back.stdout.startswith(b"% PBN 2.1\r\n% EXPORT\r\n[Event")


def test_convert_keeps_good_boards_and_exits_2(said, tmp_path: Path) -> None:
    source, target = tmp_path / "mixed.pbn", tmp_path / "out.json"
    source.write_text(f'[Board "1"]\n[Deal "{DEAL}"]\n\n[Board "2"]\n[Deal "{DEAL.replace("K5", "J5")}"]\n')
    status, _, err = said("convert", str(source), str(target))
    assert status == 2
    assert f"bidlab: {source}:5: deal left out: SJ held twice, by North and South" in err
    assert [record.board.number for record in read_boards(target)] == [1]


def test_convert_leaves_the_target_alone_when_nothing_reads(said, tmp_path: Path) -> None:
    source, target = tmp_path / "bad.pbn", tmp_path / "out.pbn"
    target.write_text("precious")
    source.write_text("nothing of interest\n")
    assert said("convert", str(source), str(target))[0] == 2
    source.write_text(f'[Board "2"]\n[Deal "{DEAL.replace("K5", "J5")}"]\n')
    assert said("convert", str(source), str(target))[0] == 2
    assert target.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.pbn", "out.pbn"]


def test_convert_onto_itself_is_safe(said, tmp_path: Path) -> None:
    path = tmp_path / "same.pbn"
    path.write_bytes((FILES / "plain.pbn").read_bytes())
    expected = list(read_boards(path))
    assert said("convert", str(path), str(path))[0] == 0
    assert list(read_boards(path)) == expected


def test_a_full_disk_is_one_line() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full on this machine")
    result = typed("convert", str(FILES / "plain.pbn"), "/dev/full", "--to", "pbn")
    assert result.returncode == 2
    assert result.stderr == b"bidlab: /dev/full: No space left on device\n"


# --- bad input ---


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            f'[Deal "{DEAL.replace("K5", "J5")}"]',
            ["x.pbn:1", "SJ held twice, by North and South"],
        ),
        (f'[Deal "{DEAL.replace("K5", "5")}"]', ["x.pbn:1", "12 cards in South's hand", "13 are wanted"]),
        (
            f'[Board "1"]\n[Deal "{DEAL}"]\n[Auction "N"]\n1S Pass 2S Pass\n2H',
            ["x.pbn:5", "illegal call 2H over 2S", "the lowest is 2NT"],
        ),
        (f'[Board "1"]\n[Deal "{DEAL}"]\n[Contract "9S"]', ["x.pbn:3", "no contract '9S'", "a level 1 to 7"]),
    ],
)
@pytest.mark.parametrize("command", ["show", "convert"])
def test_bad_input_is_one_line_and_status_2(
    said, tmp_path: Path, command, text: str, parts: list[str]
) -> None:
    path = tmp_path / "x.pbn"
    path.write_text(text + "\n")
    words = [command, str(path)] + ([str(tmp_path / "out.json")] if command == "convert" else [])
    status, _, err = said(*words)
    lines = [line for line in err.splitlines() if "note" not in line and "written" not in line]
    assert status == 2 and len(lines) == 1
    assert all(part in lines[0] for part in parts), lines[0]


def test_wrong_files_are_one_line(said, tmp_path: Path) -> None:
    fails(said("show", str(tmp_path)), f"{tmp_path} is a directory: a file of boards is wanted")
    fails(said("convert", str(tmp_path), "x.pbn"), "is a directory")
    fails(said("convert", str(FILES / "plain.pbn"), str(tmp_path)), str(tmp_path))
    fails(said("show", str(tmp_path / "none.pbn")), "none.pbn: No such file or directory")
    empty = tmp_path / "empty.pbn"
    empty.touch()
    fails(said("show", str(empty)), f"no boards in {empty}")
    strange = tmp_path / "strange.dat"
    strange.write_bytes(bytes(range(256)))
    fails(said("show", str(strange)), "looks like none of the formats pbn, lin, json, url")
    fails(said("convert", str(FILES / "plain.pbn"), str(tmp_path / "x"), "--to", "xml"), "no format 'xml'")
    fails(said("nonsense"), "nonsense", "bidlab --help")
    fails(said("show"), "FILE", "bidlab show --help")


def test_no_traceback_reaches_the_user(tmp_path: Path) -> None:
    for words in (("show", str(tmp_path)), ("score", "4S"), ("nonsense",), ("show", "none.lin")):
        result = typed(*words)
        assert result.returncode == 2
        assert b"Traceback" not in result.stderr and result.stderr.count(b"\n") == 1


# --- help and streams ---


@pytest.mark.parametrize("command", ["deal", "show", "convert", "score"])
def test_every_command_has_help_with_an_example(said, command: str) -> None:
    status, out, err = said(command, "--help")
    assert (status, err) == (0, "")
    assert f"Example: bidlab {command} " in out


def test_help_and_version(said) -> None:
    status, out, _ = said()
    assert status == 0 and "convert" in out
    assert said("--help")[1] == out
    assert said("--version")[1].startswith("bidlab 0.")


def test_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m bidlab deal -n 2000 --seed 1 | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert result.stdout.startswith(b"Board 1") and result.stderr == b""


def test_a_terminal_without_suit_signs_is_no_trouble() -> None:
    result = typed("deal", "--seed", "1", PYTHONIOENCODING="ascii")
    assert result.returncode == 0 and b"Board 1" in result.stdout and result.stderr == b""


def test_walkthrough_shows_one_deal_in_every_form() -> None:
    command = [sys.executable, "-m", "bidlab.cli.walkthrough"]
    out = subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode()
    for part in (
        "♠ A96",
        "2♦[2]",
        "Transfers to hearts",
        "4♥ by North, just made: +420",
        '[Contract "4H"]',
        "md|3SQT3",
        "handviewer",
    ):
        assert part in out
