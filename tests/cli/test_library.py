"""bidlab library build and bidlab library info, as a user types them."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.cli.saying import fails
from tests.library.solving import built, fake_solve

from bidlab.cli import main, progress
from bidlab.library import library, reading

ROOT = Path(__file__).parents[2]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to work in, with a stand-in for the solver and no shipped libraries."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "bidlab.doubledummy", SimpleNamespace(solve=fake_solve))
    monkeypatch.setattr(reading, "_folder", lambda: tmp_path / "solved")
    return folder


def build(
    said: Any, *words: str, name: str = "mine", deals: int = 250, seed: int = 7
) -> tuple[int, str, str]:
    return said("library", "build", name, "-n", str(deals), "--seed", str(seed), *words)


# --- build ---


def test_build_solves_into_a_file_here(said, here: Path) -> None:
    assert build(said) == (0, "", "mine.deals is finished: 250 deals solved\n")
    opened = library("mine.deals")
    assert (opened.name, opened.seed, opened.count) == ("mine", 7, 250)
    assert opened.header.solver == "bidlab.doubledummy"


def test_build_again_is_finished_and_more_goes_on(said, here: Path) -> None:
    build(said)
    assert build(said) == (0, "", "mine.deals is finished: it holds all its 250 deals\n")
    status, _, err = build(said, deals=1200)
    assert status == 0
    assert err == (
        "mine.deals holds 250 of 1,200 deals: going on with the others\n"
        "mine.deals is finished: 950 deals solved, 250 were there\n"
    )
    _, _, err = build(said, deals=20)
    assert err.endswith("it holds all its 1,200 deals, more than the 20 that were asked for\n")


def test_build_where_it_is_told_to(said, here: Path) -> None:
    (here / "folder").mkdir()
    build(said, "--out", "folder")
    build(said, "--out", "other.x", "--purpose", "tune", "--first", "11", "--threads", "2")
    assert library("folder/mine.deals").purpose == "other"
    assert (library("other.x").purpose, library("other.x").first) == ("tune", 11)
    build(said, name="judge", deals=3)
    assert library("judge.deals").purpose == "judge"


def test_build_mends_a_damaged_file(said, here: Path) -> None:
    build(said)
    whole = Path("mine.deals").read_bytes()
    Path("mine.deals").write_bytes(whole[:3500] + b"x" + whole[3501:])
    status, _, err = build(said)
    assert status == 0 and err.endswith("100 deals solved, 150 were there\n")
    assert Path("mine.deals").read_bytes() == whole


def test_bad_builds_are_one_line(said, here: Path) -> None:
    build(said)
    fails(build(said, seed=8), "mine.deals has the seed 7, not 8")
    fails(build(said, "--purpose", "fun"), "no purpose 'fun': one of train, tune, judge, other is wanted")
    fails(build(said, deals=0), "--deals")
    fails(build(said, seed=-1), "--seed")
    fails(build(said, seed=1 << 70), "seed")
    fails(build(said, name="../x"), "no name for a library: '../x'")
    fails(build(said, "--out", "no/x.deals"), "no directory no to build x.deals in")
    fails(said("library", "build", "mine", "-n", "5"), "--seed", "bidlab library build --help")
    Path("notes.txt").write_text("precious")
    fails(build(said, "--out", "notes.txt"), "notes.txt is no library of solved deals")
    assert Path("notes.txt").read_text() == "precious"


def test_build_without_ray(said, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    fails(build(said, "--ray"), "ray is not installed: pip install 'bidlab[ray]'")
    assert not Path("mine.deals").exists()


def test_interrupted_build_says_how_far_it_is(said, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def solve(bits: np.ndarray, threads: int = 0) -> np.ndarray:
        calls.append(len(bits))
        if sum(calls) > 120:
            raise KeyboardInterrupt
        return fake_solve(bits)

    monkeypatch.setitem(sys.modules, "bidlab.doubledummy", SimpleNamespace(solve=solve))
    text = "bidlab: interrupted: mine.deals holds 100 of 250 deals, and the same command goes on from there\n"
    assert build(said, "--threads", "8") == (130, "", text)
    monkeypatch.setitem(sys.modules, "bidlab.doubledummy", SimpleNamespace(solve=fake_solve))
    assert build(said)[2].endswith("150 deals solved, 100 were there\n")


SLOW = """
import sys, time
from types import SimpleNamespace
from bidlab.cli.library import register
from bidlab.cli.main import main
from tests.library.solving import fake_solve
def solve(bits, threads=0):
    time.sleep(0.02)
    return fake_solve(bits)
sys.modules["bidlab.doubledummy"] = SimpleNamespace(solve=solve)
"""


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_a_file_to_go_on_with(tmp_path: Path, sent: int, status: int) -> None:
    file = tmp_path / "mine.deals"
    words = ["library", "build", "mine", "-n", "90000", "--seed", "7", "--out", str(file), "--threads", "8"]
    hears = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # even in the background
    )
    command = [sys.executable, "-c", f"{hears}\n{SLOW}\nmain()", *words]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not file.exists() or file.stat().st_size < 8000:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(sent)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (status, b"")
    assert 200 < len(library(file, partial=True)) < 90000
    if sent == signal.SIGINT:
        assert err.count(b"\n") == 1 and b"of 90,000 deals, and the same command goes on" in err


def test_a_full_disk_is_one_line(said, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fsync(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    fails(build(said), "mine.deals: No space left on device; the blocks before stay whole")


# --- progress ---


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    built(Path("mine.deals"), 500, solver="bidlab.doubledummy")
    assert main.run(["library", "build", "mine", "-n", "1000", "--seed", "7", "--threads", "8"]) == 0
    shown = terminal.getvalue()
    assert "solving" in shown and "600 of 1,000 deals, " in shown
    assert " a second, " in shown and "0 s left" in shown


# --- info ---


def test_info_shows_libraries_by_file(said, here: Path) -> None:
    build(said)
    build(said, name="judge", deals=1200, seed=12)
    status, out, err = said("library", "info", "mine.deals", "judge.deals")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "name   purpose  deals  seed  solved by                 checked",
        f"mine   other    250    7     bidlab.doubledummy {version()}  good",
        f"judge  judge    1,200  12    bidlab.doubledummy {version()}  good",
    ]


def version() -> str:
    return library("mine.deals").header.version


def test_info_as_json(said, here: Path) -> None:
    build(said, "--first", "101")
    status, out, _ = said("library", "info", "mine.deals", "--json")
    assert status == 0
    assert json.loads(out) == [
        {
            "name": "mine",
            "file": "mine.deals",
            "purpose": "other",
            "seed": 7,
            "first": 101,
            "deals": 250,
            "readable": 250,
            "good": [[101, 350]],
            "version": version(),
            "solver": "bidlab.doubledummy",
            "bytes": 6786,
            "faults": [],
        }
    ]


def test_info_of_the_shipped_ones(said, here: Path) -> None:
    assert said("library", "info") == (
        0,
        "no libraries are shipped with this bidlab; bidlab library build makes one\n",
        "",
    )
    assert said("library", "info", "--json") == (0, "[]\n", "")
    (here.parent / "solved").mkdir()
    for name in ("tune", "judge"):
        built(here.parent / "solved" / f"{name}.deals", name=name)
    status, out, _ = said("library", "info")
    assert status == 0 and [line.split()[0] for line in out.splitlines()] == ["name", "judge", "tune"]
    assert said("library", "info", "tune")[1].splitlines()[1].startswith("tune ")
    fails(said("library", "info", "jugde"), "no library 'jugde': judge, tune shipped; did you mean judge?")


def test_info_tells_which_deals_are_good(said, here: Path) -> None:
    build(said, deals=450)
    content = bytearray(Path("mine.deals").read_bytes()[:9000])
    content[1024 + 2304 + 70] ^= 1
    Path("mine.deals").write_bytes(content)
    status, out, err = said("library", "info", "mine.deals")
    assert status == 2
    assert err.splitlines() == [
        "bidlab: mine.deals: block 2, deals 101-200: checksum does not match",
        "bidlab: mine.deals: cut short: 200 of 450 deals are whole",
    ]
    assert "200 of 450" in out and out.endswith("good 1-100 201-300\n")
    status, out, _ = said("library", "info", "mine.deals", "--json")
    assert status == 2 and json.loads(out)[0]["good"] == [[1, 100], [201, 300]]
    Path("mine.deals").write_bytes(content[:1024])
    assert said("library", "info", "mine.deals")[1].endswith("nothing good\n")


def test_bad_info_is_one_line_and_the_others_are_shown(said, here: Path) -> None:
    build(said)
    Path("bad.deals").write_bytes(b"x" * 2000)
    Path("empty.deals").touch()
    fails(said("library", "info", "bad.deals", "mine.deals"), "bad.deals is no library of solved deals")
    assert "mine" in said("library", "info", "bad.deals", "mine.deals")[1]
    fails(said("library", "info", "empty.deals"), "empty.deals is empty")
    fails(said("library", "info", "none.deals"), "none.deals: No such file or directory")
    fails(said("library", "info", str(here)), "is a directory")


def test_info_of_a_file_without_permission(said, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(said)

    def refuse(self: Path, *words: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    fails(said("library", "info", "mine.deals"), "mine.deals: Permission denied")


# --- help ---


@pytest.mark.parametrize("command", ["build", "info"])
def test_every_command_has_help_with_an_example(said, command: str) -> None:
    status, out, err = said("library", command, "--help")
    assert (status, err) == (0, "")
    assert f"Example: bidlab library {command} " in out


def test_library_alone_shows_its_commands(said) -> None:
    status, out, err = said("library")
    assert (status, err) == (0, "") and "build" in out and "info" in out
    assert said("library", "--help")[1] == out
    fails(said("library", "nonsense"), "nonsense", "bidlab library --help")
