"""Boosting: cells, clean seeds, situations, and runs that end alike however often they were killed."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.bidders import slipping

from bidlab.bidders import bidder
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.learning import cluster
from bidlab.learning.boost import Boosting, BoostRun, Findings, Settings, Tick, read_run
from bidlab.learning.boost.bandits import Bandit, opponent
from bidlab.learning.boost.cells import ALIKE, Cell, PlayedBoards, play_cell
from bidlab.learning.boost.clean import check_clean
from bidlab.learning.boost.matrix import SeedMatrix, matrix_cells
from bidlab.learning.boost.players import Here, OnRay
from bidlab.learning.boost.report import report_html
from bidlab.learning.boost.settings import source_of
from bidlab.learning.boost.situations import by_contract, by_height, contract_kinds, portfolio
from bidlab.learning.boost.swings import deciders, swings_of, without_deciders
from bidlab.learning.boost.validating import fresh_seed, match_cells, planned
from bidlab.matches import match
from bidlab.runs.folder import BEFORE, NEWEST, RUN

with slipping.known():
    SMALL = Settings("slipping,rate=0.1", seeds=4, boards=6, new_boards=7, ways=("matrix", "ucb", "halving"))


@pytest.fixture(autouse=True)
def slipping_kind() -> Iterator[None]:
    """A bidder whose seeds differ in strength, as a package of its own would bring it."""
    with slipping.known():
        yield


def ran(path: Path, settings: Settings = SMALL, workers: int = 1, **words: Any) -> BoostRun:
    return Boosting.begun(path, settings, workers).run(**words)


def like(run: BoostRun) -> dict[str, list[Any]]:
    """All that must be the same of two runs."""
    return {
        f"{stage} {name}": array.tolist()
        for stage, boards in run.played.items()
        for name, array in boards.arrays().items()
    }


def files(path: Path) -> dict[str, bytes]:
    return {name: (path / name).read_bytes() for name in ("matrix.csv", "choices.json")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoostRun]:
    """The small run, played at a stretch."""
    with slipping.known():
        yield ran(tmp_path_factory.mktemp("boost") / "whole")


# --- cells --------------------------------------------------------------------------------------------------


def test_no_two_cells_share_a_board_and_all_boards_are_training_ones() -> None:
    settings = Settings("random", seeds=40, boards=64)
    cells = matrix_cells(settings)
    numbers = [n for cell in cells for n in range(cell.first_board, cell.first_board + cell.boards)]
    assert len(cells) == 780 and len(set(numbers)) == len(numbers) == 49_920 == settings.matrix_boards
    assert {cell.deal_set for cell in cells} == {"library train"}
    assert len({(cell.first, cell.second) for cell in cells}) == 780
    # Each seed meets 39 others over 2,496 boards.
    assert sum(cell.boards for cell in cells if "random,seed=7" in (cell.first, cell.second)) == 2496


def test_a_cell_is_a_match_of_the_two_seeds() -> None:
    cell = Cell("slipping,rate=0.3,seed=1", "slipping,rate=0.3,seed=2", "library tune", 1, 60)
    found = match(cell.first, cell.second, boards=60, library="tune")
    played = play_cell(cell)
    assert played.swings.tolist() == found.swings.tolist()
    assert played.perfect_swings.tolist() == found.perfect_swings.tolist()
    back = play_cell(replace(cell, first=cell.second, second=cell.first))
    assert back.swings.tolist() == (-found.swings).tolist()
    assert not play_cell(replace(cell, second=cell.first)).swings.any()


def test_what_is_kept_of_a_board_tells_where_the_auctions_parted() -> None:
    cell = Cell("slipping,rate=0.3,seed=1", "slipping,rate=0.3,seed=2", "library tune", 1, 60)
    played = play_cell(cell)
    found = match(cell.first, cell.second, boards=60, library="tune").parts
    place = 0
    for part in found:
        for row in range(len(part.boards)):
            one, other = part.tables.auction(row), part.tables.auction(row + len(part.boards))
            same = [a == b for a, b in zip(one.calls, other.calls, strict=False)]
            if one.calls == other.calls:
                assert played.parted[place] == ALIKE
            else:
                before = one.calls[: same.index(False) if False in same else len(same)]
                assert played.parted[place] == max([call for call in before if call >= 3], default=0)
            place += 1
    assert 5 < (played.parted == ALIKE).sum() < 55


def test_boards_with_and_without_simulation_are_told_apart_where_the_bidder_tells() -> None:
    cell = Cell("slipping,rate=0.1,seed=1", "slipping,rate=0.1,seed=2", "library tune", 1, 100)
    played = play_cell(cell)
    shares = swings_of(played)
    assert shares.unsimulated is not None and 0.2 < shares.unsimulated < 0.95
    # Where neither slipped, both called as natural does.
    assert (played.parted[played.simulated == 0] == ALIKE).all()
    assert shares.alike + shares.same_contract + shares.pushes + shares.swings == pytest.approx(1)
    untold = play_cell(Cell("random,seed=1", "random,seed=2", "library tune", 1, 10))
    assert swings_of(untold).unsimulated is None


def test_a_bidder_that_decides_one_by_one_can_tell_too() -> None:
    made = slipping.Slipping(1, 0.2, True, False, "x")
    view = next(iter(source_views()))
    assert made.decide(view).is_simulated is not None
    told = slipping.Bidder.decide_many(made, slipping.ViewBatch.of([view, view]))
    assert told.simulated is not None and told.simulated.shape == (2,)


def source_views() -> Iterator[Any]:
    from tests.bidders.positions import views

    yield from views(3, seed=1, length=2)


# --- clean seeds and wrong settings -------------------------------------------------------------------------


def test_a_bidder_whose_calls_change_with_the_seed_fixed_is_refused(tmp_path: Path) -> None:
    dirty = replace(SMALL, bidder="slipping,rate=0.5,dirty=1")
    with pytest.raises(BidlabError, match=r"bid board .* and then as .*with its seed fixed a bidder has to"):
        Boosting.begun(tmp_path / "run", dirty)
    assert not (tmp_path / "run").exists()
    check_clean(SMALL)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"bidder": "pass"}, "'pass' has no seeds to choose from: a bidder with a parameter seed"),
        ({"bidder": "natural"}, "'natural' has no seeds to choose from"),
        ({"bidder": "rnadom"}, r"no bidder 'rnadom' \(did you mean 'random'"),
        ({"seeds": 1}, "seeds 1: one seed has nobody to play; 2 to 1,000"),
        ({"seeds": 0}, "seeds 0: one seed has nobody"),
        ({"seeds": 1001}, "seeds 1001: 2 to 1,000 are possible"),
        ({"boards": 0}, "boards 0: 1 to 100,000 are possible"),
        ({"robust": 41}, "robust 41: 0 to 40 are possible"),
        ({"new_boards": -1}, "new boards -1: 0 to"),
        ({"seed": -1}, "seed -1: 0 to"),
        ({"ways": ("matrx",)}, r"no way 'matrx' to find a seed \(did you mean 'matrix'"),
        ({"ways": ("ucb", "ucb")}, "ways ucb, ucb: each once"),
        ({"seeds": 2, "ways": ("ucb",)}, "a bandit over 2 seeds: 3 or more"),
    ],
)
def test_wrong_settings_are_said_in_a_line(words: dict[str, Any], said: str) -> None:
    with pytest.raises(BidlabError, match=said):
        Settings(**({"bidder": "random"} | words))


def test_boards_that_may_not_be_learned_from_are_refused(tmp_path: Path) -> None:
    for deals in ("judge", "tune"):
        with pytest.raises(BidlabError, match=f"library {deals} is for .*not for learning"):
            Boosting.begun(tmp_path / "run", replace(SMALL, deals=deals))
    with pytest.raises(BidlabError, match=r"library train is for .*not for judging"):
        Boosting.begun(tmp_path / "run", replace(SMALL, judged_on="train"))
    with pytest.raises(BidlabError, match=r"no boards 1-780000 in library train.*--deals drawn draws"):
        Boosting.begun(tmp_path / "run", Settings("random", seeds=40, boards=1000))
    assert not (tmp_path / "run").exists()


def test_the_default_seed_is_that_of_the_text() -> None:
    assert Settings("slipping,seed=99,rate=0.2").default_seed == 99
    assert Settings("slipping,seed=99,rate=0.2").bidder_with(3) == "slipping,rate=0.2,seed=3"
    assert Settings("slipping").default_seed == 0


# --- matches on new boards ----------------------------------------------------------------------------------


def test_new_boards_are_new_and_each_match_has_its_own() -> None:
    settings = Settings("slipping,seed=99", seeds=4, boards=6, new_boards=70)
    matrix = SeedMatrix((1, 2, 3, 4), np.arange(36).reshape(6, 6))
    matches = planned(settings, matrix, {"ucb": 4})
    assert [one.what for one in matches] == [
        "best against worst",
        "best against second",
        "best against default",
        "best against fresh",
        "best against ucb",
    ]
    assert (matches[0].first, matches[2].second, matches[3].second) == (2, 99, None)
    cells = match_cells(settings, matches)
    numbers = [n for cell in cells for n in range(cell.first_board, cell.first_board + cell.boards)]
    assert numbers == list(range(1, 5 * 70 + 1))
    chosen_by, judged_by = settings.deal_sets
    assert {cell.deal_set for cell in cells} == {judged_by} != {chosen_by}
    drawn = Settings("slipping", deals="drawn").deal_sets
    assert (
        drawn[0] != drawn[1]
        and source_of(drawn[0]).boards(1, 5).bits.tolist() != source_of(drawn[1]).boards(1, 5).bits.tolist()
    )


def test_a_fresh_seed_is_another_on_every_board_and_none_of_those_compared() -> None:
    settings = Settings("slipping", seeds=4, new_boards=1000)
    fresh = {fresh_seed(settings, board) for board in range(1, 1001)}
    assert len(fresh) > 995 and not fresh & set(settings.seed_numbers)
    cells = match_cells(settings, planned(settings, None, {"ucb": 2})[1:])
    assert len(cells) == 1000 and len({cell.second for cell in cells}) > 995


def test_bandits_meet_the_same_opponents_on_the_same_boards(whole: BoostRun) -> None:
    bandit = Bandit("halving", SMALL)
    cells = bandit.cells(PlayedBoards.nothing())
    by_seed = {text: [c for c in cells if c.first == text] for text in {cell.first for cell in cells}}
    assert len(by_seed) == 4
    first, *others = by_seed.values()
    for other in others:
        assert [(c.second, c.first_board) for c in other] == [(c.second, c.first_board) for c in first]
    assert first[0].second.endswith(f"seed={opponent(SMALL, 1)}")
    assert len(whole.played["ucb"]) == SMALL.matrix_boards


# --- situations and swings ----------------------------------------------------------------------------------


def contracts(*bids: tuple[int, int]) -> np.ndarray:
    """Contracts by the last bids of two tables."""
    return np.array([[[one, 0, 0], [other, 0, 0]] for one, other in bids], dtype=np.uint8)


def test_contracts_are_told_apart_as_part_scores_games_and_slams() -> None:
    bids = "1C 2N 3N 3S 4C 4H 4S 5C 5D 6C 7N".split()
    from bidlab.bridge.calls import Call

    kinds = contract_kinds(np.array([[int(Call(bid)), 0, 0] for bid in bids], dtype=np.uint8))
    assert kinds.tolist() == [0, 0, 1, 0, 0, 1, 1, 1, 1, 2, 2]
    assert contract_kinds(np.zeros((1, 3), np.uint8)).tolist() == [0]


def test_a_seed_that_is_best_for_slams_alone_is_found_there() -> None:
    rng = np.random.default_rng(1)
    pairs, boards = 28, 200
    one, other = np.triu_indices(8, 1)
    slam = rng.random((pairs, boards)) < 0.2
    swings = np.where(rng.random((pairs, boards)) < 0.3, rng.normal(0, 6, (pairs, boards)), 0).round()
    swings += np.where(slam & (one == 5)[:, None], 4, 0) - np.where(slam & (other == 5)[:, None], 4, 0)
    matrix = SeedMatrix(tuple(range(1, 9)), swings.astype(np.int64))
    count = pairs * boards
    last = np.where(slam.reshape(-1), 28, 5)  # 6C, or a part-score
    parted = np.where(slam.reshape(-1), 20, 0)  # above 3NT, or before the first bid
    played = PlayedBoards(
        np.arange(count),
        np.zeros((count, 2), np.int32),
        np.zeros((count, 2), np.int32),
        contracts(*((bid, 5) for bid in last.tolist())),
        parted.astype(np.uint8),
        np.zeros(count, np.int8),
    )
    part_scores, games, slams = by_contract(matrix, played, seed=1)
    assert slams.best == 6 and slams.is_beyond_luck and slams.score > 2 * slams.lucky_best
    assert not part_scores.is_beyond_luck and games.boards == 0 and games.chance == 1
    assert part_scores.boards + slams.boards == count
    heights = by_height(matrix, played, seed=1)
    assert portfolio(heights, matrix.seeds, best=2) == {"low": 2, "middle": 2, "high": 6}
    assert portfolio(heights, matrix.seeds, best=6) is None


def test_the_boards_that_decided_are_those_of_the_seed_by_their_size() -> None:
    matrix = SeedMatrix((1, 2, 3), np.array([[1, -7], [5, 0], [20, -20]]))
    played = PlayedBoards.joined(
        [
            PlayedBoards(
                np.array([board]),
                np.zeros((1, 2), np.int32),
                np.zeros((1, 2), np.int32),
                contracts((5, 0)),
                np.zeros(1, np.uint8),
                np.zeros(1, np.int8),
            )
            for board in range(1, 7)
        ]
    )
    first = deciders(matrix, played, row=0, count=2)
    assert [(one.board, one.against, one.imps) for one in first] == [(2, 2, -7), (3, 3, 5)]
    assert (first[0].north_south, first[0].east_west) == ("1♥ by N", "passed out")
    second = deciders(matrix, played, row=1, count=9)
    assert [(one.board, one.against, one.imps) for one in second] == [
        (5, 3, 20), (6, 3, -20), (2, 1, 7), (1, 1, -1)
    ]  # fmt: skip
    assert (second[2].north_south, second[2].east_west) == ("passed out", "1♥ by N")
    assert without_deciders(matrix, row=1, count=2) == -21 and without_deciders(matrix, row=1, count=0) == 6


# --- runs ---------------------------------------------------------------------------------------------------


def test_a_run_has_its_matrix_its_choices_and_its_matches(whole: BoostRun) -> None:
    found = Findings(whole)
    assert whole.is_finished and found.matrix is not None and found.swings is not None
    assert len(whole.played["matrix"]) == 36 == found.swings.boards
    assert [one.name for one in found.choices] == ["best", "robust", "nash"]
    assert set(found.picks) == {"ucb", "halving"}
    assert [one.plain.boards for one in found.confirmations] == [7] * len(found.planned)
    lines = (whole.folder / "matrix.csv").read_text().splitlines()
    assert lines[0] == "seed,1,2,3,4,score" and len(lines) == 5
    assert [int(line.split(",")[-1]) for line in lines[1:]] == found.matrix.scores.tolist()


def test_seeds_that_slip_less_are_found_and_boosted(tmp_path: Path) -> None:
    settings = Settings("slipping,rate=0.15", seeds=6, boards=100, new_boards=0)
    found = Findings(ran(tmp_path / "run", settings))
    assert found.matrix is not None and found.luck is not None and found.luck.is_beyond_luck
    rates = [slipping.slip_rate(seed, 0.15, even=False) for seed in settings.seed_numbers]
    assert found.choices[0].seeds[0] == 1 + int(np.argmin(rates))
    assert np.corrcoef(found.matrix.scores, rates)[0, 1] < -0.9
    assert "differ by more than luck" in found.verdict()
    boosted = bidder(f"boosted:{tmp_path / 'run'}")
    member = bidder(settings.bidder_with(found.choices[0].seeds[0]))
    for view in source_views():
        assert boosted.decide(view).call == member.decide(view).call


def test_of_seeds_that_slip_alike_no_gain_is_shown(tmp_path: Path) -> None:
    settings = Settings("slipping,rate=0.1,even=1", seeds=6, boards=60, new_boards=0)
    found = Findings(ran(tmp_path / "run", settings))
    assert found.luck is not None and not found.luck.is_beyond_luck
    assert found.verdict().startswith("No gain is shown") and found.portfolio is None


def test_workers_change_nothing(tmp_path: Path, whole: BoostRun) -> None:
    run = ran(tmp_path / "run", workers=3)
    assert like(run) == like(whole) and files(tmp_path / "run") == files(whole.folder)


def fake_ray() -> Any:
    """As much of ray as is used: tasks are done when they are asked for."""
    ray = SimpleNamespace(is_running=False, cancelled=0)
    ray.exceptions = SimpleNamespace(RayError=type("RayError", (Exception,), {}))
    ray.is_initialized = lambda: ray.is_running
    ray.init = lambda **options: setattr(ray, "is_running", True)
    ray.shutdown = lambda: setattr(ray, "is_running", False)
    ray.cluster_resources = lambda: {"CPU": 3.0}
    ray.remote = lambda function: SimpleNamespace(remote=lambda *words: (function, *words))
    ray.wait = lambda tasks, timeout: (tasks, [])
    ray.get = lambda task: task[0](*task[1:])
    ray.cancel = lambda task, force: setattr(ray, "cancelled", ray.cancelled + 1)
    return ray


def test_cells_on_ray_come_to_the_same(
    tmp_path: Path, whole: BoostRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = fake_ray()
    monkeypatch.setattr(cluster, "loaded_ray", lambda: ray)
    players = OnRay("somewhere")
    assert like(ran(tmp_path / "run", players=players)) == like(whole)
    players.close()
    assert not ray.is_running


def test_what_fails_on_ray_is_said_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = fake_ray()

    def fail(task: object) -> None:
        raise ray.exceptions.RayError("out of\nmemory")

    ray.get = fail
    monkeypatch.setattr(cluster, "loaded_ray", lambda: ray)
    with pytest.raises(BidlabError, match="a worker on ray failed: RayError: out of memory"):
        ran(tmp_path / "run", players=OnRay("somewhere"))
    assert ray.cancelled == 5  # of the six cells


def test_cells_on_a_local_ray_cluster_come_to_the_same(tmp_path: Path) -> None:
    if find_spec("ray") is None:
        pytest.skip("NO RAY: cells on a cluster are not tested; pip install 'bidlab[ray]'")
    settings = Settings("random", seeds=4, boards=5, new_boards=4)
    players = OnRay("local")
    try:
        run = ran(tmp_path / "ray", settings, players=players)
    finally:
        players.close()
    assert like(run) == like(ran(tmp_path / "here", settings))


def test_the_page_of_a_run_has_its_figures_in_it(whole: BoostRun) -> None:
    page = report_html(Findings(whole))
    assert page.count("<svg") == 6 == page.count("</svg>") and "<script" not in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    ).replace("https://matplotlib.org", "")
    assert page == report_html(Findings(whole))
    for words in ("Seeds of slipping,rate=0.1", "By situation", "Boards that decided", "best against worst"):
        assert words in page


# --- killed, stopped, and gone on with ----------------------------------------------------------------------


def test_stopped_after_any_cell_a_run_ends_as_if_it_was_not(tmp_path: Path, whole: BoostRun) -> None:
    path = tmp_path / "pieces"
    Boosting.begun(path, SMALL, 1)
    stops = 0
    while not (run := Boosting.resumed(path, 1).run(minutes=0)).is_finished:
        stops += 1
    assert stops > 50
    assert like(run) == like(whole) and files(path) == files(whole.folder)


@pytest.mark.parametrize("workers", [1, 2])
def test_asked_to_stop_it_leaves_a_checkpoint_and_goes_on(
    tmp_path: Path, whole: BoostRun, workers: int
) -> None:
    path, stop = tmp_path / "run", Event()

    def tell(tick: Tick) -> None:
        assert 0 < tick.boards <= tick.total and 0 < tick.share <= 1
        if tick.stage == "ucb" and tick.boards > 20:
            stop.set()

    run = ran(path, workers=workers, stop=stop, tell=tell)
    assert not run.is_finished and 36 + 20 < run.boards <= 36 + 36
    assert like(read_run(path)) == like(run)
    assert like(Boosting.resumed(path, workers).run()) == like(whole)


def test_killed_at_five_random_moments_it_ends_with_the_same_numbers(tmp_path: Path, whole: BoostRun) -> None:
    path, moments = tmp_path / "killed", random.Random(1)
    Boosting.begun(path, SMALL, 1)
    for _ in range(5):
        child = os.fork()
        if not child:
            try:
                Boosting.resumed(path, 1).run(checkpoint_seconds=0)
            finally:
                os._exit(0)
        time.sleep(moments.uniform(0.02, 0.6))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert like(Boosting.resumed(path, 1).run()) == like(whole) and files(path) == files(whole.folder)


def test_a_worker_that_outlives_a_kill_does_not_keep_the_folder(tmp_path: Path) -> None:
    path, cells = tmp_path / "run", tmp_path / "begun"
    Boosting.begun(path, replace(SMALL, ways=("matrix",), new_boards=0), 1)
    asked = (path / RUN).read_text()
    (path / RUN).write_text(asked.replace("rate=0.1", "rate=0.1,pause=1"))
    child = os.fork()
    if not child:
        try:
            os.environ["SLIPPING_BEGUN"] = str(cells)
            Boosting.resumed(path, 2).run()
        finally:
            os._exit(0)
    for _ in range(200):
        if cells.exists():
            break
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    other = Boosting.resumed(path, 1)
    other._folder.lock()  # at once, whatever the workers are at
    other._folder.unlock()


def test_two_seeds_are_enough(tmp_path: Path) -> None:
    settings = Settings("slipping,rate=0.2", seeds=2, boards=1, new_boards=2)
    found = Findings(ran(tmp_path / "run", settings))
    assert found.confirmations[0].what == "best against worst"
    assert "best against second" not in [one.what for one in found.planned]
    assert len(found.folds) == 1 and found.luck is not None and "<svg" in report_html(found)


def test_a_cut_checkpoint_is_told_and_the_one_before_it_taken(tmp_path: Path, whole: BoostRun) -> None:
    path = tmp_path / "run"
    Boosting.begun(path, SMALL, 1)
    for _ in range(4):
        Boosting.resumed(path, 1).run(minutes=0)
    content = (path / NEWEST).read_bytes()
    (path / NEWEST).write_bytes(content[: len(content) // 2])
    boosting = Boosting.resumed(path, 1)
    assert len(boosting.state.notes) == 1 and "is damaged" in boosting.state.notes[0]
    assert like(boosting.run()) == like(whole)
    for name in (NEWEST, BEFORE):
        (path / name).write_bytes(b"PK")
    with pytest.raises(FormatError, match="no checkpoint is whole; begin again in a new folder"):
        Boosting.resumed(path)


def test_a_checkpoint_that_lacks_something_is_said_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "run"
    boosting = Boosting.begun(path, SMALL, 1)
    boosting._folder.save({}, {"seconds": 0.0, "is_finished": False})
    with pytest.raises(FormatError, match="a checkpoint without 'matrix_numbers': begin in a new folder"):
        Boosting.resumed(path)


def test_a_folder_of_another_bidder_or_kind_is_refused(tmp_path: Path, whole: BoostRun) -> None:
    with pytest.raises(BidlabError, match=r"has a run of 'slipping,rate=0\.1', not of 'random'"):
        Boosting.resumed(whole.folder, bidder="random")
    assert Boosting.resumed(whole.folder, bidder=" slipping,rate=0.1").state.is_finished
    with pytest.raises(BidlabError, match="has a run: go on with it by --resume"):
        Boosting.begun(whole.folder, SMALL)
    (tmp_path / RUN).write_text('{"format": "bidlab evolution run", "version": 1}')
    with pytest.raises(FormatError, match="is of no boosting run"):
        Boosting.resumed(tmp_path)
    (tmp_path / RUN).write_text('{"format": "bidlab boosting run", "version": 1, "settings": {"seeds": 3}}')
    with pytest.raises(FormatError, match="settings that cannot be read"):
        Boosting.resumed(tmp_path)


def test_one_process_at_a_time_runs_in_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "run"
    boosting = Boosting.begun(path, SMALL, 1)
    boosting._folder.lock()
    with pytest.raises(BidlabError, match="is being run by another process"):
        Boosting.resumed(path, 1).run()
    boosting._folder.unlock()


def test_bidders_are_closed_when_a_run_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    monkeypatch.setattr(slipping.Slipping, "close", lambda self: closed.append(self.name))
    players = Here(1)
    cells = matrix_cells(replace(SMALL, seeds=12))[:11]
    list(players.play(cells, Event()))
    assert len(closed) == 4  # eight are kept
    players.close()
    assert len(closed) == 12
