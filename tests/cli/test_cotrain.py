"""The command cotrain: begun, stopped, gone on with, told; errors on one line."""

from __future__ import annotations

import inspect
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.learning.students import Student

from bidlab.cli.cotraining import cotrain
from bidlab.cli.cotraining_figures import draw_curve
from bidlab.learning.cotrain import CoTraining, Settings

TINY = ("--networks", "1", "--samples", "2", "--practice", "4", "--opponents", "pass", "--measured", "0")


def test_help_tells_the_defaults_of_the_settings() -> None:
    told = {}
    for name, parameter in inspect.signature(cotrain, eval_str=True).parameters.items():
        option = parameter.annotation.__metadata__[0]
        if isinstance(option.show_default, str):
            told[name] = option.show_default
    assert told == {name: str(value) for name, value in Settings().to_json().items()}


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """The folder of a run to its end, by students who think by a formula."""
    asked = Settings(
        1, practice=12, lessons=300, trial=64, opponents="pass", control="pass", measured=16, tries=2000
    )
    CoTraining.begun(tmp_path / "run", asked, 1, Student).run()
    return tmp_path / "run"


def test_a_run_by_thinkers_is_stopped_and_gone_on_with(said, tmp_path: Path):
    folder = str(tmp_path / "run")
    status, out, err = said("cotrain", "--out", folder, *TINY, "--workers", "1", "--minutes", "0")
    assert (status, err) == (0, "")
    assert out.startswith(f"{folder}: to be gone on with (practise), ")
    assert f"plays 0 networks; {folder}/networks/00.bids" in " ".join(out.split())
    status, out, _ = said("cotrain", "--resume", folder, "--workers", "1", "--minutes", "0", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["stage"] in ("learn", "practise")
    assert found["settings"]["samples"] == 2


def test_a_signal_to_all_its_processes_leaves_a_checkpoint(said, tmp_path: Path):
    folder = tmp_path / "run"
    asked = [*TINY, "--practice", "5000", "--workers", "2"]
    command = [sys.executable, "-m", "bidlab", "cotrain", "--out", str(folder), *asked]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    until = time.monotonic() + 60
    while not (folder / "checkpoint.npz").exists() and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1].startswith(f"bidlab: interrupted: {folder} has a checkpoint after 0 networks")
    assert said("cotrain", "--resume", str(folder), "--workers", "1", "--minutes", "0")[0] == 0


def test_a_finished_run_tells_what_was_tried_and_draws_the_curve(said, finished: Path):
    status, out, err = said("cotrain", "--resume", str(finished), "--plot")
    assert (status, err) == (0, "")
    assert out.splitlines()[0].startswith(f"{finished}: finished, all networks are learned, ")
    assert "opening" in out
    assert ": kept" in out
    assert "after   0 networks  +0.00 ± 0.00" in out
    assert (finished / "curve.png").stat().st_size > 5000


def test_a_picture_needs_points_and_a_suffix(finished: Path, tmp_path: Path):
    run = CoTraining.resumed(finished).state
    draw_curve(run, tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ((), "no folder: --out RUN for a new run, or --resume RUN to go on, is wanted"),
        (("--resume", "nowhere"), "nowhere has no run: there is no run.json in it"),
        (("--resume", "nowhere", "--networks", "3"), "(networks was given)"),
        (("--out", "{}/a", "--networks", "0"), "networks 0: 1 to 1,000 are possible"),
        (("--out", "{}/a", "--opponents", "nobody"), "no bidder 'nobody'"),
        (("--out", "{}/a", "--control", "nobody"), "no bidder 'nobody'"),
        (("--out", "{}/a", "--thinking", "colour=red,samples=x"), "samples"),
    ],
)
def test_errors_are_one_line(said, tmp_path: Path, arguments: tuple[str, ...], wanted: str):
    status, out, err = said("cotrain", *(one.format(tmp_path) for one in arguments))
    assert (status, out) == (2, "")
    assert wanted in err
    assert err.count("\n") == 1
    assert not (tmp_path / "a").exists()
