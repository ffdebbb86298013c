"""Climbs in run folders: they end alike however often they stop, and say what is wrong before they begin."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.learning.evolve import Evolution, EvolutionRun, Settings, preset, read_run
from bidlab.systems.webb import OPTIONS, WebbSystem
from bidlab.systems.webb.climbing import Steps
from bidlab.systems.webb.skeleton import skeleton

SMALL = Settings(
    boards=60_000, population=2, states=9, entries=20, seeding="skeleton", options=OPTIONS, search="climb",
    steps=Steps(children=6, stages=(20, 60, 200), kept=(3, 2, 1), certainty=(0.0, 0.0, 0.0), hall=2,
                ranked=2),
    measured=200, reports=3, seed=3, exchange=1,
)  # fmt: skip


def like(run: EvolutionRun) -> tuple[object, ...]:
    """All of a run but its folder and its clock."""
    rows = [{**asdict(row), "seconds": 0} for row in run.rows]
    return run.settings, run.standings, rows, run.passing


def test_a_climb_that_stopped_after_every_turn_ends_as_one_that_did_not(tmp_path: Path) -> None:
    whole = Evolution.begun(tmp_path / "whole", SMALL, threads=1).run()
    parts = Evolution.begun(tmp_path / "parts", SMALL, threads=2).run(minutes=0.0)
    stops = 0
    while not parts.is_finished:
        parts = Evolution.resumed(tmp_path / "parts", threads=1 + stops % 2).run(minutes=0.0)
        stops += 1
    assert stops >= 3 and like(parts) == like(whole) and like(read_run(tmp_path / "parts")) == like(whole)
    assert whole.boards >= SMALL.boards
    assert (tmp_path / "whole" / "best.json").read_text() == (tmp_path / "parts" / "best.json").read_text()


def test_the_best_is_a_system_with_its_options(tmp_path: Path) -> None:
    run = Evolution.begun(tmp_path / "run", replace(SMALL, boards=10_000), threads=1).run()
    written = WebbSystem.from_json((tmp_path / "run" / "best.json").read_text())
    assert written == run.best and written.options == OPTIONS
    started = Evolution.begun(
        tmp_path / "next", replace(SMALL, start=(str(tmp_path / "run" / "best.json"),)), threads=1
    )
    assert started.state.standings[0].population.system(0) == written


def test_modern_is_a_climb_from_the_skeleton_with_as_many_boards_as_run_a() -> None:
    modern = preset("modern")
    assert modern.is_climb and modern.boards == preset("run-a").boards
    assert Settings.from_json(modern.to_json(), "run") == modern
    skeleton(states=modern.states, entries=modern.entries, options=modern.options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"search": "clmb"}, "no search 'clmb'"),
        ({"options": ("shape", "bidding")}, "each once, in the order"),
        ({"options": ()}, "no skeleton without the option bidding"),
        ({"islands": 2, "migration": 0.1}, "its islands are apart"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(BidlabError, match=message):
        Evolution.begun(tmp_path / "run", replace(SMALL, **change), threads=1)  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()


def test_systems_with_other_options_are_refused_as_members(tmp_path: Path) -> None:
    file = tmp_path / "few.json"
    options = ("bidding", "points", "shape", "fit", "suit-bids")
    file.write_text(skeleton(states=9, entries=20, options=options).to_json())
    with pytest.raises(BidlabError, match="has the options bidding, points, shape, fit, suit-bids"):
        Evolution.begun(tmp_path / "run", replace(SMALL, start=(str(file),)), threads=1)
    file.write_text(file.read_text().replace("points", "pints"))
    with pytest.raises((BidlabError, FormatError), match="no option 'pints'"):
        WebbSystem.from_json(file.read_text(), "few.json")
