"""bidlab evolve: begun, interrupted, gone on with, drawn; and what is wrong in a line."""

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

from bidlab.cli.evolution_figures import draw_evolution
from bidlab.cli.evolving import PICTURE
from bidlab.learning.evolve import Evolution, Settings, read_run
from bidlab.systems.webb import WebbSystem

Said = Callable[..., tuple[int, str, str]]
SMALL = (
    "--boards 2e4 --population 8 --states 2 --entries 4 --rule threshold=-5 --measured 50 --threads 1".split()
)


def test_a_run_says_where_it_stands_and_what_it_wrote(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    status, out, err = said("evolve", "--out", str(run), *SMALL, "--seed", "4")
    assert status == 0 and not err
    assert "finished" in out and "8 systems, 2 states of 4 entries; seed 4" in out
    assert "IMPs from par" in out and str(run / "best.json") in out.replace("\n           ", "")
    assert len(WebbSystem.from_json((run / "best.json").read_text()).states) == 2
    settings = read_run(run).settings
    assert (settings.boards, settings.rules.threshold, settings.seed) == (20_000, -5, 4)


def test_a_finished_run_is_told_again_as_json(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    said("evolve", "--out", str(run), *SMALL)
    status, out, _ = said("evolve", "--resume", str(run), "--json")
    told = json.loads(out)
    assert status == 0 and told["is_finished"] and told["boards"] >= 20_000
    assert told["rows"][0]["objective"] == read_run(run).rows[-1].objective
    assert told["settings"]["population"] == 8


def test_after_its_minutes_it_can_go_on(said: Said, tmp_path: Path) -> None:
    run, whole = tmp_path / "run", tmp_path / "whole"
    said("evolve", "--out", str(whole), *SMALL)
    status, out, _ = said("evolve", "--out", str(run), *SMALL, "--minutes", "0")
    assert status == 0 and "% played" in out
    assert said("evolve", "--resume", str(run))[0] == 0
    assert (run / "best.json").read_bytes() == (whole / "best.json").read_bytes()


def test_islands_and_presets_are_settings_too(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("--preset", "run-c", "--islands", "2", "--migration", "0.25", *SMALL)
    status, out, _ = said("evolve", "--out", str(run), *words)
    settings = read_run(run).settings
    assert status == 0 and "2 islands of 8 systems" in out
    assert (settings.islands, settings.migration, settings.later_migration) == (2, 0.25, 0.01)


def test_a_run_is_drawn(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert said("evolve", "--out", str(run), *SMALL, "--plot")[0] == 0
    assert (run / PICTURE).read_bytes().startswith(b"\x89PNG")
    many = Evolution.begun(tmp_path / "many", Settings(boards=20_000, population=4, islands=3, measured=20))
    draw_evolution([read_run(run), many.run()], tmp_path / "both.svg")
    text = (tmp_path / "both.svg").read_text()
    assert "<svg" in text and "run" in text


def test_interrupted_it_ends_with_a_checkpoint_and_status_130(tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ["evolve", "--out", str(run), *SMALL[2:], "--boards", "1e9", "--checkpoint", "1000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "bidlab", *words], stderr=subprocess.PIPE, text=True, env=os.environ
    )
    for _ in range(600):
        if (run / "progress.csv").exists():
            break
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"interrupted: {run} has a checkpoint after" in err and f"--resume {run} goes on" in err
    assert read_run(run).boards > 0


def test_rules_are_listed_as_they_are_by_default(said: Said) -> None:
    status, out, _ = said("evolve", "--rule", "help")
    assert status == 0
    assert out.splitlines()[:2] == ["threshold=-15", "push_penalty=1"] and "weights=1,1,1" in out


# --- wrong input --------------------------------------------------------------------------------------------


def test_wrong_input_is_said_in_a_line(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    out = ("--out", str(run))
    fails(said("evolve"), "no folder: --out RUN for a new run, or --resume RUN")
    fails(said("evolve", *out, "--population", "1"), "population 1: 2 to 100,000 members are possible")
    fails(said("evolve", *out, "--boards", "many"), "no number of boards 'many'", "173e6")
    fails(said("evolve", *out, "--boards", "0"), "no number of boards '0'")
    fails(said("evolve", *out, "--preset", "run-d"), "no preset 'run-d'", "run-a, run-b, run-c")
    fails(said("evolve", *out, "--rule", "treshold=-9"), "no rule 'treshold' (did you mean 'threshold'?)")
    fails(said("evolve", *out, "--rule", "low=few"), "no value of a rule in 'low=few'")
    fails(said("evolve", *out, "--rule", "weights=1,2"), "one from 0 for each of 9 operators")
    fails(said("evolve", *out, "--migration", "0.1"), "migration 0.1 with one island")
    fails(said("evolve", *out, "--deals", "judge"), "library judge is for", "not for learning")
    fails(said("evolve", *out, "--from", str(tmp_path / "no.json")), "no such file of a system")
    fails(said("evolve", "--resume", str(run)), f"{run} has no run")
    assert not run.exists()


def test_a_folder_with_a_run_is_not_begun_again(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    said("evolve", "--out", str(run), *SMALL)
    fails(said("evolve", "--out", str(run), *SMALL), "has a run: go on with it by --resume")
    fails(
        said("evolve", "--resume", str(run), "--seed", "2"),
        "no --out, --preset or settings",
        "seed was given",
    )


def test_a_folder_of_another_version_or_kind_is_refused(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    said("evolve", "--out", str(run), *SMALL)
    file = run / "run.json"
    text = file.read_text()
    file.write_text(text.replace('"version": 1', '"version": 2', 1))
    fails(said("evolve", "--resume", str(run)), f"{run} has a run of version 2", "goes on with version 1")
    file.write_text(text.replace("bidlab evolution run", "bidlab other run"))
    fails(said("evolve", "--resume", str(run)), "is of no evolution run")
    file.write_text(text.replace('"population"', '"people"'))
    fails(said("evolve", "--resume", str(run)), "other settings than this version: people, population")
    (run / "checkpoint.npz").write_bytes(b"")
    (run / "checkpoint.before.npz").write_bytes(b"")
    file.write_text(text)
    fails(said("evolve", "--resume", str(run)), "no checkpoint is whole; begin again in a new folder")


def test_a_damaged_checkpoint_is_told(said: Said, tmp_path: Path) -> None:
    run = tmp_path / "run"
    said("evolve", "--out", str(run), *SMALL)
    best = (run / "best.json").read_bytes()
    path = run / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:500])
    status, out, err = said("evolve", "--resume", str(run))
    assert status == 0 and "finished" in out
    assert err.startswith(f"bidlab: {path} is damaged") and "going on from the one before" in err
    assert (run / "best.json").read_bytes() == best


def test_a_cluster_that_is_not_there_is_said(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    fails(said("evolve", "--out", str(tmp_path / "run"), *SMALL, "--ray", "local"), "ray is not installed")
    assert not (tmp_path / "run").exists()
