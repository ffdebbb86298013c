"""Evolution: settings, seeding, islands, and runs that end alike however often they were killed."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.learning import cluster
from bidlab.learning.evolve import Evolution, EvolutionRun, Settings, Tick, preset, read_run
from bidlab.learning.evolve.islands import Here, OnRay
from bidlab.learning.evolve.measuring import Measure, tournament_deals
from bidlab.learning.evolve.seeding import first_standings, joined
from bidlab.matches import distance_from_par
from bidlab.runs.folder import BEFORE, NEWEST, RUN
from bidlab.systems.webb import (
    Population,
    Rules,
    Standing,
    WebbSystem,
    played,
    random_population,
    turns_a_round,
)

SMALL = Settings(
    boards=20_000, population=8, states=2, entries=4, rules=Rules(threshold=-5), measured=50, reports=10,
    seed=3,
)  # fmt: skip
ISLANDS = replace(SMALL, islands=3, migration=0.2, exchange=4, later_migration=0.5, later_from=0.5)


def ran(path: Path, settings: Settings = SMALL, **options: Any) -> EvolutionRun:
    return Evolution.begun(path, settings, threads=1).run(**options)


def like(run: EvolutionRun) -> tuple[object, ...]:
    """All of a run but its folder and its clock."""
    rows = [{**asdict(row), "seconds": 0} for row in run.rows]
    closest = run.closest and (run.closest.system, run.closest.objective, run.closest.boards)
    return run.settings, run.standings, rows, closest, run.passing


def files(path: Path) -> dict[str, str]:
    """The systems that a run has written."""
    return {file.name: file.read_text() for file in path.glob("*.json") if file.name != RUN}


# --- settings -----------------------------------------------------------------------------------------------


def test_boards_are_whole_rounds_and_at_least_as_many_as_asked() -> None:
    for settings in (SMALL, ISLANDS, replace(SMALL, population=7), replace(SMALL, boards=1)):
        assert settings.turns % turns_a_round(settings.population) == 0
        members = settings.population - settings.population % 2
        played = settings.turns * members * settings.islands
        a_round = turns_a_round(settings.population) * members * settings.islands
        assert settings.boards <= played < settings.boards + a_round


def test_settings_come_back_from_their_json() -> None:
    for settings in (SMALL, ISLANDS, preset("run-c"), replace(SMALL, start=("a.json",))):
        assert Settings.from_json(settings.to_json(), "run") == settings
    with pytest.raises(FormatError, match="run has other settings than this version: colour"):
        Settings.from_json(SMALL.to_json() | {"colour": 1}, "run")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"population": 1},
            "population 1: 2 to 100,000 members are possible, so that they can play each other",
        ),
        ({"states": 0}, "states 0: 1 to 64 states"),
        ({"entries": 65}, "entries 65: 1 to 64 entries"),
        ({"islands": 0}, "islands 0: 1 to"),
        ({"migration": 0.1}, "migration 0.1 with one island"),
        ({"islands": 2, "migration": 1.5}, "migration 1.5: a share from 0 to 1"),
        ({"seeding": "mikro"}, r"no seeding 'mikro' \(did you mean 'micro'\?\)"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, object], said: str) -> None:
    with pytest.raises(BidlabError, match=said):
        replace(SMALL, **change)  # type: ignore[arg-type]


def test_reports_are_as_many_as_asked_and_the_last_at_the_end(tmp_path: Path) -> None:
    run = ran(tmp_path / "run")
    assert len(run.rows) == 11 and run.rows[0].boards == 0 and run.rows[-1].boards == SMALL.turns
    assert [row.boards for row in run.rows] == sorted({row.boards for row in run.rows})


# --- what a run leaves --------------------------------------------------------------------------------------


def test_a_run_leaves_what_the_documentation_lists(tmp_path: Path) -> None:
    run = ran(tmp_path / "run")
    names = {file.name for file in (tmp_path / "run").iterdir()}
    assert {RUN, NEWEST, BEFORE, "progress.csv", "best.json", "closest.json"} <= names
    kept = sorted(name for name in names if name.startswith("best-"))
    assert 2 <= len(kept) <= 11 and kept[-1] == f"best-{SMALL.turns:010d}.json"
    best = WebbSystem.from_json((tmp_path / "run" / "best.json").read_text())
    assert best == run.best == run.standings[0].population.system(0)
    lines = (tmp_path / "run" / "progress.csv").read_text().splitlines()
    assert lines[0].startswith("island,boards,objective,best_fitness,mean_age,highest_age,lifetime,push_rate")
    assert len(lines) == 1 + len(run.rows)
    assert run.closest is not None
    assert run.closest.objective == min(row.objective for row in run.rows)
    assert like(read_run(tmp_path / "run")) == like(run)


def test_rows_count_what_happened_since_the_row_before(tmp_path: Path) -> None:
    run = ran(tmp_path / "run")
    members = SMALL.population
    for before, row in zip(run.rows, run.rows[1:], strict=False):
        boards = (row.boards - before.boards) * members
        assert row.push_rate == pytest.approx((row.pushes - before.pushes) / boards)
        assert row.lifetime == pytest.approx(boards / max(1, row.replaced - before.replaced))
    assert run.rows[-1].replaced == run.standings[0].replacements > 50


def test_objective_is_the_distance_from_par_of_matches() -> None:
    measure = Measure.of("tune", 200)
    systems = random_population(3, states=2, entries=4, seed=5)
    assert measure.passing == pytest.approx(8.0, abs=1.0)
    distances = measure.distances(systems, threads=2)
    for system, distance in zip(systems.systems, distances, strict=True):
        alone = measure.distances(Population.of([system]))
        assert alone[0] == distance


def test_passing_always_measures_as_par_itself() -> None:
    from bidlab.bidders.registry import bidder
    from bidlab.library import library
    from bidlab.matches.sources import LibraryBoards

    found = distance_from_par(bidder("pass"), LibraryBoards(library("tune")), 300)
    assert Measure.of("tune", 300).passing == pytest.approx(found.plain.mean)
    nobody = Population(np.full((1, 1, 1), 0xC1, np.uint32), np.zeros((1, 1, 39), np.uint8))
    assert Measure.of("tune", 300).distances(nobody)[0] == pytest.approx(found.plain.mean)


def test_deals_kept_for_judging_or_tuning_are_not_learned_from() -> None:
    for name in ("judge", "tune"):
        with pytest.raises(BidlabError, match="not for learning"):
            tournament_deals(name)


# --- seeding ------------------------------------------------------------------------------------------------


def test_seeding_depends_on_seed_and_island() -> None:
    once, again = first_standings(ISLANDS), first_standings(ISLANDS)
    assert once == again
    assert len({standing.population.words.tobytes() for standing in once}) == 3
    assert first_standings(replace(ISLANDS, seed=4))[0] != once[0]


def test_winners_of_small_tournaments_beat_random_systems() -> None:
    deals = tournament_deals("train")
    settings = replace(SMALL, population=24, states=4, entries=8)
    plain = first_standings(settings)[0].population
    winners = first_standings(replace(settings, seeding="micro"))[0].population
    assert winners != plain and len(winners) == 24
    together = Standing.of(joined([winners, plain]))
    after = played(together, deals, 10 * turns_a_round(48), Rules(threshold=-(10**6)), seed=1)
    names = {words.tobytes() for words in winners.words}
    won = [words.tobytes() in names for words in after.population.words]
    assert after.imps[won].mean() > 100  # of some 500 boards, and the others have lost as much


def test_earlier_systems_are_the_first_members(tmp_path: Path) -> None:
    run = ran(tmp_path / "run")
    file = str(tmp_path / "run" / "best.json")
    from_file = first_standings(replace(SMALL, start=(file,)))[0].population
    assert from_file.system(0) == run.best
    assert from_file.system(1) != run.standings[0].population.system(1)
    from_run = first_standings(replace(SMALL, start=(str(tmp_path / "run"),)))[0].population
    assert from_run == run.standings[0].population
    with pytest.raises(
        BidlabError, match="has 2 states of 4 entries with an inheritance of 3: 5 of 4 with 3"
    ):
        first_standings(replace(SMALL, states=5, start=(file,)))
    with pytest.raises(BidlabError, match=r"none\.json: no such file of a system"):
        first_standings(replace(SMALL, start=(str(tmp_path / "none.json"),)))


# --- islands ------------------------------------------------------------------------------------------------


def test_islands_end_alike_with_any_number_of_threads(tmp_path: Path) -> None:
    one = ran(tmp_path / "one", ISLANDS)
    many = Evolution.begun(tmp_path / "many", ISLANDS, threads=4).run()
    assert like(one) == like(many) and files(tmp_path / "one") == files(tmp_path / "many")
    assert len(one.rows) == 3 * (len(one.rows) // 3) and {row.island for row in one.rows} == {0, 1, 2}


def test_migrants_come_from_other_islands_and_more_of_them_later(tmp_path: Path) -> None:
    run = ran(tmp_path / "run", ISLANDS)
    shares = [one.count("migrants") / one.replacements for one in run.standings]
    assert all(0.2 < share < 0.5 for share in shares)
    alone = ran(tmp_path / "alone", replace(ISLANDS, migration=0.0, later_migration=None))
    assert all(one.count("migrants") == 0 for one in alone.standings)
    # Without migrants an island is a run of its own.
    assert alone.standings[0] != run.standings[0]


def fake_ray() -> Any:
    """As much of ray as is used: tasks are done when they are asked for."""
    ray = SimpleNamespace(is_running=False)
    ray.exceptions = SimpleNamespace(RayError=type("RayError", (Exception,), {}))
    ray.is_initialized = lambda: ray.is_running
    ray.init = lambda **options: setattr(ray, "is_running", True)
    ray.shutdown = lambda: setattr(ray, "is_running", False)
    ray.remote = lambda function: SimpleNamespace(remote=lambda *words: (function, *words))
    ray.wait = lambda tasks, timeout: (tasks[-1:], tasks[:-1])  # the last is ready first
    ray.get = lambda task: task[0](*task[1:])
    ray.cancel = lambda task, force: None
    return ray


def test_islands_on_ray_end_as_they_do_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake_ray()
    monkeypatch.setattr(cluster, "loaded_ray", lambda: ray)
    players = OnRay("somewhere")
    run = ran(tmp_path / "ray", ISLANDS, players=players)
    players.close()
    assert like(run) == like(ran(tmp_path / "here", ISLANDS)) and not ray.is_running


def test_an_address_where_nobody_listens_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "loaded_ray", fake_ray)
    for address in ("127.0.0.1:1", "ray://127.0.0.1:1"):
        with pytest.raises(BidlabError, match=f"no ray cluster at '{address}': Connection refused"):
            OnRay(address)


def test_what_fails_on_ray_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake_ray()

    def fail(task: object) -> None:
        raise ray.exceptions.RayError("out of\nmemory")

    ray.get = fail
    monkeypatch.setattr(cluster, "loaded_ray", lambda: ray)
    with pytest.raises(BidlabError, match="a worker on ray failed: RayError: out of memory"):
        ran(tmp_path / "ray", ISLANDS, players=OnRay("somewhere"))


def test_islands_on_a_local_ray_cluster_end_as_they_do_here(tmp_path: Path) -> None:
    if find_spec("ray") is None:
        pytest.skip("NO RAY: islands on a cluster are not tested; pip install 'bidlab[ray]'")
    settings = replace(ISLANDS, exchange=400)
    players = OnRay("local")
    try:
        run = ran(tmp_path / "ray", settings, players=players)
    finally:
        players.close()
    assert like(run) == like(ran(tmp_path / "here", settings))


# --- killed, stopped, and gone on with ----------------------------------------------------------------------


def test_stopped_at_any_epoch_a_run_ends_as_if_it_was_not(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole", ISLANDS)
    path = tmp_path / "pieces"
    Evolution.begun(path, ISLANDS, threads=2)
    stops = 0
    while not (run := Evolution.resumed(path, threads=2).run(minutes=0)).is_finished:
        stops += 1
    assert stops > 3
    assert like(run) == like(whole) and files(path) == files(tmp_path / "whole")


def test_asked_to_stop_it_leaves_a_checkpoint_and_goes_on(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole")
    path, stop = tmp_path / "run", Event()

    def tell(tick: Tick) -> None:
        assert 0 <= tick.boards <= tick.total
        if tick.boards > 5000:
            stop.set()

    run = ran(path, stop=stop, tell=tell)
    assert not run.is_finished and 0 < run.boards <= 20_000
    assert like(Evolution.resumed(path).run()) == like(whole)


def forked(work: Callable[[], object]) -> int:
    """The number of a new process that does the work and ends."""
    if child := os.fork():
        return child
    try:
        work()
    finally:
        os._exit(0)


LONGER = replace(ISLANDS, boards=600_000, exchange=30, reports=40)


def test_killed_at_five_random_moments_it_ends_bit_for_bit_the_same(tmp_path: Path) -> None:
    began = time.monotonic()
    whole = ran(tmp_path / "whole", LONGER)
    lasts = time.monotonic() - began
    path, moments = tmp_path / "killed", random.Random(1)
    Evolution.begun(path, LONGER)
    turns = [0]
    for _ in range(5):
        child = forked(lambda: Evolution.resumed(path, threads=1).run(checkpoint_seconds=0.0))
        time.sleep(lasts * moments.uniform(0.02, 0.25))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] in (0, signal.SIGKILL)
        turns.append(read_run(path).turn)
    assert turns == sorted(turns) and turns[-1] > 0
    run = Evolution.resumed(path, threads=2).run()
    assert like(run) == like(whole) and files(path) == files(tmp_path / "whole")
    progress = [(folder / "progress.csv").read_text().splitlines() for folder in (path, tmp_path / "whole")]
    without_clock = [[line.rpartition(",")[0] for line in lines] for lines in progress]
    assert without_clock[0] == without_clock[1]


def test_killed_before_its_first_checkpoint_it_begins_again(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole")
    path = tmp_path / "run"
    Evolution.begun(path, SMALL)
    assert [file.name for file in path.iterdir()] == [RUN]
    assert like(Evolution.resumed(path).run()) == like(whole)


def test_a_checkpoint_cut_short_costs_no_more_than_the_time_to_play_again(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole")
    path = tmp_path / "run"
    Evolution.begun(path, SMALL)
    for _ in range(4):
        Evolution.resumed(path).run(minutes=0)
    (path / NEWEST).write_bytes((path / NEWEST).read_bytes()[:1000])
    resumed = Evolution.resumed(path)
    assert "checkpoint.npz is damaged" in resumed.state.notes[0]
    assert like(resumed.run()) == like(whole)


def test_a_full_disk_ends_a_run_with_a_line_and_loses_no_checkpoint(tmp_path: Path) -> None:
    import resource

    whole = ran(tmp_path / "whole")
    path = tmp_path / "run"
    Evolution.begun(path, SMALL)
    for _ in range(3):
        turn = Evolution.resumed(path).run(minutes=0).turn
    said = tmp_path / "said"

    def on_a_full_disk() -> None:
        evolution = Evolution.resumed(path)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
        try:
            evolution.run()
        except BidlabError as error:
            said.write_text(str(error)[:400])

    os.waitpid(forked(on_a_full_disk), 0)
    assert "cannot be written: File too large; what was there before stands" in said.read_text()
    assert read_run(path).turn == turn and not read_run(path).notes
    assert like(Evolution.resumed(path).run()) == like(whole)


def test_a_folder_is_run_by_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "run"
    first = Evolution.begun(path, SMALL)
    second = Evolution.resumed(path)

    def tell(tick: Tick) -> None:
        with pytest.raises(BidlabError, match="is being run by another process"):
            second.run()

    assert first.run(tell=tell).is_finished


def test_runs_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    Evolution.begun(path, SMALL)
    text = (path / RUN).read_text()
    (path / RUN).write_text(text.replace('"version": 1', '"version": 9'))
    with pytest.raises(FormatError, match="has a run of version 9: this bidlab goes on with version 1"):
        Evolution.resumed(path)


def test_threads_beyond_the_islands_work_within_them(tmp_path: Path) -> None:
    run = Evolution.begun(tmp_path / "run", SMALL, threads=3).run(players=Here(3))
    assert like(run) == like(ran(tmp_path / "one"))
