"""bidlab boost: begun, interrupted, gone on with, told and drawn; and what is wrong in a line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.saying import fails

from bidlab.cli.boosting import REPORT
from bidlab.learning.boost import read_run

Said = Callable[..., tuple[int, str, str]]
SMALL = "--seeds 4 --boards 6 --new-boards 5 --workers 1".split()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is finished."""
    from bidlab.cli.main import run as program

    folder = tmp_path_factory.mktemp("boost") / "run"
    assert program(["boost", "random,seed=9", *SMALL, "--seed", "4", "--out", str(folder)]) == 0
    return folder


def test_a_run_says_what_it_found(said: Said, run: Path) -> None:
    status, out, err = said("boost", "--resume", str(run))
    assert status == 0 and not err
    words = " ".join(out.split())
    assert out.startswith(f"{run}: finished, ")
    assert "random,seed=9, seeds 1 to 4, 6 boards of train a pair; 56 boards so far in all; seed 4" in words
    assert "luck alone would show a best of" in words and "with its luck taken off" in words
    for name in ("best", "robust", "nash", "scores", "boards"):
        assert f"\n  {name} " in out
    assert "best against default (seed 9): " in words and "best against fresh (a fresh seed on every" in words
    assert f"boosted:{run},choice=best|robust|nash" in "".join(out.split())


def test_a_run_is_told_as_json(said: Said, run: Path) -> None:
    status, out, _ = said("boost", "--resume", str(run), "--json")
    told = json.loads(out)
    assert status == 0 and told["is_finished"] and told["seeds"] == [1, 2, 3, 4]
    assert [sum(row) for row in told["matrix"]] == told["scores"] and sum(told["scores"]) == 0
    assert [one["name"] for one in told["choices"]] == ["best", "robust", "nash"]
    assert told["luck"]["repeats"] == 2000 and len(told["folds"]) == 3
    assert [one["what"] for one in told["new_boards"]][:2] == ["best against worst", "best against second"]
    assert told["settings"]["bidder"] == "random,seed=9" and told["swings"]["unsimulated"] is None


def test_a_run_has_a_page_with_figures(said: Said, run: Path) -> None:
    status, out, _ = said("boost", "--resume", str(run), "--report")
    assert status == 0 and REPORT in out
    page = (run / REPORT).read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and page.count("<svg") == 6


def test_what_was_chosen_plays_matches(said: Said, run: Path) -> None:
    for choice in ("best", "robust", "nash"):
        status, out, _ = said(
            "match", f"boosted:{run},choice={choice}", "random", "--boards", "20", "--library", "tune"
        )
        assert status == 0 and f"choice={choice} against random, 20 boards of tune" in out


def test_after_its_minutes_it_can_go_on(said: Said, run: Path, tmp_path: Path) -> None:
    pieces = tmp_path / "pieces"
    words = ("random,seed=9", *SMALL, "--seed", "4", "--out", str(pieces))
    status, out, _ = said("boost", *words, "--minutes", "0")
    assert status == 0 and f"{pieces}: not finished" in out and read_run(pieces).boards == 6
    assert said("boost", "random,seed=9", "--resume", str(pieces))[0] == 0
    assert (pieces / "matrix.csv").read_bytes() == (run / "matrix.csv").read_bytes()
    assert (pieces / "choices.json").read_bytes() == (run / "choices.json").read_bytes()


def test_bandits_alone_choose_seeds_too(said: Said, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    status, out, _ = said("boost", "random", *SMALL, "--way", "ucb", "--way", "halving", "--out", str(folder))
    words = " ".join(out.split())
    assert status == 0 and "with as many boards as the matrix" in words and "scores" not in words
    assert "ucb against default (seed 0)" in words and "halving against fresh" in words
    assert said("match", f"boosted:{folder},choice=ucb", "pass", "-n", "5", "--library", "tune")[0] == 0
    assert said("boost", "--resume", str(folder), "--report", "--json")[0] == 0


def test_interrupted_it_ends_with_a_checkpoint_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["boost", "random", "--seeds", "30", "--boards", "40", "--new-boards", "0", "--out", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bidlab", *words, "--workers", "2", "--checkpoint", "0"],
        stderr=subprocess.PIPE, text=True, env=os.environ,
    )  # fmt: skip
    for _ in range(600):
        if (folder / "checkpoint.npz").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"interrupted: {folder} has a checkpoint after" in err and f"--resume {folder} goes on" in err
    assert 0 < read_run(folder).boards < 435 * 40


# --- wrong input --------------------------------------------------------------------------------------------


def test_wrong_input_is_said_in_a_line(said: Said, run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    out = ("--out", str(folder))
    fails(said("boost"), "no bidder: bidlab boost BIDDER --out RUN, or --resume RUN")
    fails(said("boost", "random"), "no folder: --out RUN for a new run, or --resume RUN")
    fails(said("boost", "random", *out, "--seeds", "1"), "seeds 1: one seed has nobody to play")
    fails(said("boost", "pass", *out), "'pass' has no seeds to choose from", "bidlab bidders lists them")
    fails(said("boost", "natural", *out), "'natural' has no seeds to choose from")
    fails(said("boost", "randm", *out), "no bidder 'randm' (did you mean 'random'?)")
    fails(said("boost", "random", *out, "--boards", "0"), "boards 0: 1 to 100,000 are possible")
    fails(said("boost", "random", *out, "--way", "exp3"), "no way 'exp3' to find a seed")
    fails(said("boost", "random", *out, "--deals", "judge"), "library judge is for", "not for learning")
    fails(said("boost", "random", *out, "--deals", "none"), "none")
    fails(said("boost", "--resume", str(folder)), f"{folder} has no run")
    fails(said("boost", "pass", "--resume", str(run)), f"{run} has a run of 'random,seed=9', not of 'pass'")
    fails(said("boost", "--resume", str(run), "--seeds", "5"), "no --out or settings", "seeds was given")
    fails(said("boost", "random", "--out", str(run)), "has a run: go on with it by --resume")
    fails(said("match", f"boosted:{folder}", "pass"), "has no chosen seeds")
    assert not folder.exists()


def test_without_ray_it_says_so(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    fails(said("boost", "random", "--out", str(tmp_path / "run"), "--ray", "local"), "ray is not installed")
    assert not (tmp_path / "run").exists()


def test_the_help_has_an_example(said: Said) -> None:
    status, out, _ = said("boost", "--help")
    assert status == 0 and "bidlab boost random --seeds 10" in out
