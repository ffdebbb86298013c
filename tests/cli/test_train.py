"""`bidlab train`: networks trained from what people have, with runs that go on, and their weights."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.cli.saying import fails

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.dealing import random_deal
from bidlab.formats.files import write_boards
from bidlab.formats.records import Record
from bidlab.library import library, packed_deals, packed_tables

torch = pytest.importorskip(
    "torch", reason="NO TORCH: the training of networks is NOT tested; pip install torch"
)

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
TINY = [*"--set batch=64 --set width=16 --set depth=2 --set validate_every=20 --set held_out=0.2".split()]
TOY = [*"--set tables=32 --set batch=128 --set width=16 --set depth=2 --set validation_boards=50".split()]


@pytest.fixture(autouse=True)
def one_thread():
    """Sums in one order: so that runs repeat, and beside other tests run faster."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def imitated(said, tmp_path) -> Path:
    """A run of 20 steps."""
    run = tmp_path / "imitated"
    result = said(
        "train", "imitate", "--bidder", "pass", "-n", "200", "--out", str(run), "--steps", "20", *TINY
    )
    assert result[0] == 0, result
    return run


@pytest.fixture
def deals(tmp_path) -> dict[str, str]:
    """A few deals of the shipped libraries, by their names."""
    files = {}
    for name, count in (("train", 200), ("tune", 50), ("judge", 10)):
        bits, tables = library(name).deals(1, count)
        path = tmp_path / f"{name}.npz"
        np.savez(path, pack=packed_deals(bits), tables=packed_tables(tables))
        files[name] = str(path)
    return files


def _game(number: int, calls: str) -> str:
    return f'[Board "{number}"]\n[Dealer "N"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n[Auction "N"]\n{calls}\n\n'


def _started(*words: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "bidlab", *words],
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def _interrupted(run: Path, lines: int, *words: str) -> str:
    """Start a training, send it SIGINT when its curves have so many lines, and give its standard error."""
    process = _started(*words)
    patience = time.monotonic() + 60
    curves = run / "curves.csv"
    while not curves.exists() or curves.read_text().count("\n") < lines:
        assert process.poll() is None and time.monotonic() < patience, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    return err.decode()


def _arrays(path: Path) -> dict[str, bytes]:
    with np.load(path) as held:
        return {name: held[name].tobytes() for name in held if name != "about"}


def _column(run: Path, name: str) -> list[int]:
    with (run / "curves.csv").open() as stream:
        return [int(row[name]) for row in csv.DictReader(stream)]


@pytest.mark.parametrize("command", ["imitate", "selfplay", "show", "plot"])
def test_every_command_has_help_with_an_example(said, command):
    status, out, err = said("train", command, "--help")
    assert (status, err) == (0, "")
    assert f"Example: bidlab train {command} " in out


# --- imitate ---


def test_imitation_learns_from_good_auctions_and_tells_the_others(said, tmp_path):
    bad = [_game(40 + i, "1S Pass 2S") for i in range(6)] + [_game(50, "1S Pass 2S Pass 2H Pass Pass Pass")]
    (tmp_path / "match.pbn").write_text(
        "".join(_game(i, "1S Pass 2S Pass Pass Pass") for i in (1, 2)) + "".join(bad)
    )
    run = tmp_path / "run"
    words = ["--bidder", "pass", "--boards", "100", "--out", str(run), "--steps", "3", *TINY, "--json"]
    status, out, err = said("train", "imitate", str(tmp_path / "match.pbn"), *words)
    assert status == 0
    assert 'match.pbn: board 40: auction not ended: "1S P 2S"' in err
    assert err.count("bidlab: left out: ") == 5
    assert f"7 left out (not ended 6, illegal call 1): all are listed in {run / 'left-out.txt'}" in err
    assert "102 auctions to learn from" in err
    listed = (run / "left-out.txt").read_text().splitlines()
    assert len(listed) == 7 and "board 50: auction left out: illegal call 2H over 2S" in listed[-1]
    shown = json.loads(out)
    assert shown["state"] == "finished" and shown["steps"] == 3 and shown["decisions"] == 3 * 64
    assert shown["changed"] == {"batch": 64, "width": 16, "depth": 2, "validate_every": 20, "held_out": 0.2}
    assert shown["sources"]["auctions"] == [str(tmp_path / "match.pbn")]


def test_imitation_that_is_interrupted_goes_on_to_the_same_end(said, tmp_path):
    words = ["train", "imitate", "--bidder", "random", "-n", "200", "--steps", "500", *TINY]
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    err = _interrupted(parts, 2, *words, "--out", str(parts))
    assert "stopping after this step" in err
    assert "and the same command goes on from there" in err
    shown = json.loads(said("train", "show", str(parts), "--json")[1])
    assert shown["state"] == "interrupted" and 20 <= shown["steps"] < 500
    assert said(*words, "--out", str(parts))[0] == 0
    assert said(*words, "--out", str(whole))[0] == 0
    assert _column(parts, "step") == _column(whole, "step") == list(range(20, 501, 20))
    for file in ("weights.npz", "last.npz", "checkpoint.npz"):
        assert _arrays(parts / file) == _arrays(whole / file), file


def test_what_cannot_be_imitated_is_one_line_and_leaves_nothing(said, tmp_path):
    run = tmp_path / "run"
    out = ["--out", str(run), "--steps", "1"]
    (tmp_path / "none.pbn").write_text(_game(1, "1S Pass 2S").replace("2S\n", "2S Pass Pass Pass\n"))
    good = str(tmp_path / "none.pbn")
    fails(said("train", "imitate", *out), "files with auctions, or --bidder, are wanted")
    fails(said("train", "imitate", "natural", *out), "natural: no such file", "--bidder natural")
    fails(said("train", "imitate", "x.pbn", *out), "x.pbn: no such file or folder of auctions")
    fails(said("train", "imitate", "--bidder", "nobody", *out), "no bidder 'nobody'")
    fails(
        said("train", "imitate", "--bidder", "pass", "--seed", "1001", *out), "library judge", "for judging"
    )
    fails(said("train", "imitate", "--bidder", "pass", "--seed", "1002", *out), "library tune", "for mending")
    fails(
        said("train", "imitate", good, *out, "--set", "widht=3"), "no setting 'widht' (did you mean 'width'?)"
    )
    fails(said("train", "imitate", good, *out, "--device", "moon"), "no device 'moon': cpu or cuda is wanted")
    if not torch.cuda.is_available():
        fails(said("train", "imitate", good, *out, "--device", "cuda"), "torch finds no GPU here")
    assert not run.exists()
    fails(said("train", "imitate", good, "--out", good), "is a file: a folder for the run is wanted")
    fails(said("train", "imitate", good, "--out", str(tmp_path)), "is no run's folder and not empty")
    status, _, err = said("train", "imitate", good, *out, "--set", "held_out=0.000001")
    assert status == 2 and "1 auctions to learn from and 0 kept apart" in err


def test_nothing_to_learn_from_is_said_with_the_reasons(said, tmp_path):
    (tmp_path / "open.pbn").write_text(_game(7, "1S Pass 2S"))
    status, _, err = said("train", "imitate", str(tmp_path / "open.pbn"), "--out", str(tmp_path / "run"))
    assert status == 2
    assert "open.pbn: board 7: auction not ended" in err and "no auction that can be learned from" in err
    assert (tmp_path / "run/left-out.txt").is_file()


def test_a_folder_goes_on_with_the_same_run_only(said, imitated):
    words = ["train", "imitate", "--bidder", "pass", "--out", str(imitated)]
    assert said(*words, "-n", "200", "--steps", "20", *TINY)[0] == 0
    fails(said(*words, "-n", "300", "--steps", "20", *TINY), "has a run with other boards: take a new folder")
    fails(
        said(*words, "-n", "200", "--steps", "30", *TINY), "has a run with another steps: take a new folder"
    )
    fails(said("train", "selfplay", "--out", str(imitated)), "has a run with other")
    (imitated / "checkpoint.npz").write_bytes(b"cut short")
    fails(said(*words, "-n", "200", "--steps", "20", *TINY), "checkpoint.npz: no file of arrays")


def test_settings_are_listed(said, tmp_path):
    status, out, _ = said(
        "train", "imitate", "--out", str(tmp_path / "x"), "--device", "cpu", "--set", "help"
    )
    assert status == 0 and "rate=0.001\n" in out and "batch=1024\n" in out
    assert not (tmp_path / "x").exists()


# --- selfplay ---


def test_self_play_goes_from_an_imitation_and_measures_agreement(said, imitated, deals, tmp_path):
    run = tmp_path / "run"
    words = ["--deals", deals["train"], "--validation", deals["tune"], "--steps", "4", *TOY]
    start = ["--start", str(imitated / "weights.npz"), "--auctions", str(imitated / "auctions.npz")]
    status, out, err = said("train", "selfplay", *start, *words, "--out", str(run))
    assert status == 0, err
    out = " ".join(out.split())  # long paths break lines
    assert "self-play, finished" in out and "200 solved deals" in out and "4 rounds made" in out
    assert "% of recorded calls before" in out
    assert _arrays(run / "start.npz") == _arrays(imitated / "weights.npz")
    assert _column(run, "round")[-1] == 4


def test_self_play_that_is_interrupted_goes_on(said, deals, tmp_path):
    run = tmp_path / "run"
    words = ["train", "selfplay", "--deals", deals["train"], "--validation", deals["tune"], "--out", str(run)]
    words += ["--steps", "60", *TOY, "--set", "validate_every=0.1"]
    err = _interrupted(run, 3, *words)
    assert "stopping after this round" in err
    made = json.loads(said("train", "show", str(run), "--json")[1])["rounds"]
    assert f"checkpoint after {made} rounds" in err and 0 < made < 60
    status, out, _ = said(*words)
    assert status == 0 and "60 rounds made" in out
    rounds = _column(run, "round")
    assert rounds == sorted(set(rounds)) and rounds[-1] == 60


def test_deals_that_are_kept_for_judging_or_tuning_are_never_learned_from(said, deals, tmp_path):
    out = ["--out", str(tmp_path / "run"), "--steps", "1"]
    fails(
        said("train", "selfplay", "--deals", "judge", *out), "library judge is for judging, not for learning"
    )
    fails(said("train", "selfplay", "--deals", "tune", *out), "library tune is for mending, not for learning")
    fails(said("train", "selfplay", "--validation", "judge", *out), "library judge is for judging")
    fails(
        said("train", "selfplay", "--validation", "train", *out),
        f"train has {library('train').count:,} deals that are kept apart",
    )
    fails(said("train", "selfplay", "--deals", deals["judge"], *out), "has 10 deals of library judge")
    fails(said("train", "selfplay", "--deals", deals["tune"], *out), "has 50 deals of library tune")
    fails(said("train", "selfplay", "--validation", deals["judge"], *out), "has 10 deals of library judge")
    assert not (tmp_path / "run").exists()


def test_solved_deals_that_cannot_be_read_are_one_line(said, deals, tmp_path):
    out = ["--out", str(tmp_path / "run"), "--steps", "1"]
    fails(said("train", "selfplay", "--deals", "trian", *out), "no library 'trian'", "did you mean train?")
    odd = tmp_path / "odd.bin"
    odd.write_bytes(bytes(24))
    fails(
        said("train", "selfplay", "--deals", str(odd), *out), "odd.bin: 24 bytes", "23 bytes a deal is wanted"
    )
    odd.write_bytes(bytes(23))
    fails(said("train", "selfplay", "--deals", str(odd), *out), "odd.bin: deal 1: 52 cards in North's hand")
    np.savez(tmp_path / "odd.npz", pack=np.zeros((1, 13), np.uint8))
    fails(said("train", "selfplay", "--deals", str(tmp_path / "odd.npz"), *out), "pack and tables are wanted")
    fails(said("train", "selfplay", "--start", str(tmp_path / "odd.npz"), *out), "no weights of a network")
    fails(said("train", "selfplay", "--start", "w.npz", *out), "w.npz: no such file", "RUN/weights.npz")
    fails(said("train", "selfplay", "--set", "critic=me", *out), "critic 'me': own or table is wanted")
    assert not (tmp_path / "run").exists()


def test_solved_deals_come_from_plain_records_too(said, tmp_path):
    bits, tables = library("train").deals(1, 30)
    records = np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1)
    (tmp_path / "solved.bin").write_bytes(records.tobytes())
    words = ["--deals", str(tmp_path / "solved.bin"), "--deals", "train", "--steps", "1", *TOY, "--json"]
    status, out, _ = said("train", "selfplay", *words, "--out", str(tmp_path / "run"))
    assert status == 0 and json.loads(out)["last"]["deals"] == library("train").count + 30


# --- without torch ---


def test_without_torch_a_line_says_how_to_get_it(imitated, tmp_path):
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from bidlab.cli.main import run\n"
        "for words in (['imitate', '--bidder', 'pass'], ['selfplay']):\n"
        f"    assert run(['train', *words, '--out', {str(tmp_path / 'no')!r}]) == 2\n"
        f"assert run(['train', 'show', {str(imitated)!r}]) == 0\n"
        f"assert run(['train', 'plot', {str(imitated)!r}, '--out', {str(tmp_path / 'c.svg')!r}]) == 0\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    line = "bidlab: training needs torch, which is not installed: pip install bidlab[train]\n"
    assert done.stderr.startswith(line * 2)
    assert "batch 64" in done.stdout and "without torch" in done.stdout
    assert not (tmp_path / "no").exists() and (tmp_path / "c.svg").is_file()


# --- the page ---


def test_commands_of_the_page_run(said, tmp_path, monkeypatch):
    """Each as it is typed there, but with a short budget and small settings."""
    root = Path(__file__).parents[2]
    (tmp_path / "matches").mkdir()
    boards = [Board(random_deal(1, number), number=number) for number in range(1, 31)]
    records = [Record(board, Auction(board.dealer, board.vulnerable, "P P P P")) for board in boards]
    write_boards(records, tmp_path / "matches/passed.pbn")
    monkeypatch.chdir(tmp_path)
    page = (root / "docs/network.md").read_text(encoding="utf-8")
    typed = [line.split()[2:] for line in page.splitlines() if line.startswith("    $ bidlab train ")]
    assert [words[1] for words in typed] == ["imitate", "imitate", "selfplay", "show", "plot"]
    for words in typed:
        short = " ".join(words).replace("--boards 20000", "--boards 100")
        short = re.sub(r"--minutes \d+", "--steps 2", short)
        small = {"imitate": TINY, "selfplay": TOY}.get(words[1], [])
        result = said(*short.split(), *small)
        assert result[0] == 0, (words, result)
    assert (tmp_path / "curves.svg").is_file()
