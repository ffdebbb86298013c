"""Trainings that are stopped go on: nothing is lost, and what comes out is what would have come out."""

from __future__ import annotations

import csv
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="NO TORCH: the training of networks is NOT tested; pip install torch"
)

from bidlab.bidders.registry import bidder  # noqa: E402
from bidlab.dealing import deal_bits  # noqa: E402
from bidlab.learning.recorded import auctions_of  # noqa: E402
from bidlab.learning.selfplay.imitate import ImitationSettings, imitate  # noqa: E402
from bidlab.learning.selfplay.runs import Budget, Run, Stoppable, changed_settings, stopped_by_signals  # noqa: E402
from bidlab.learning.selfplay.selfplay import SelfPlaySettings, Sources, self_play  # noqa: E402
from bidlab.library import library, packed_deals, packed_tables  # noqa: E402
from bidlab.table.bidding import Boards  # noqa: E402

CPU = torch.device("cpu")
TINY = ImitationSettings(batch=64, width=16, depth=2, validate_every=20, held_out=0.1)
TOY = SelfPlaySettings(
    tables=32, batch=128, validation_boards=50, validate_every=0.2, width=16, depth=2, league_every=0.3
)


@pytest.fixture(scope="module")
def auctions(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("auctions") / "natural.npz"
    auctions_of(bidder("natural"), Boards.numbered(deal_bits(200, seed=1)), pytest.fail).save(path)
    return path


@pytest.fixture(scope="module")
def sources(tmp_path_factory) -> Sources:
    folder = tmp_path_factory.mktemp("deals")
    for name, count in (("train", 200), ("tune", 50)):
        bits, tables = library(name).deals(1, count)
        np.savez(folder / f"{name}.npz", pack=packed_deals(bits), tables=packed_tables(tables))
    return Sources((folder / "train.npz",), folder / "tune.npz")


def _stopped_at(steps: int, *places: int) -> Stoppable:
    """A budget that is ended while step number `places[0]` (from 0) is being made."""
    budget = Stoppable(steps, None, lambda made, share: budget.stop() if made in places else None)
    return budget


def _arrays(path: Path) -> dict[str, bytes]:
    with np.load(path) as held:
        return {name: held[name].tobytes() for name in held if name != "about"}


def _curves(folder: Path) -> list[dict[str, str]]:
    """The rows, without what depends on the clock."""
    clocks = ("seconds", "decisions_a_second", "playing")
    with (folder / "curves.csv").open() as stream:
        return [{key: row[key] for key in row if key not in clocks} for row in csv.DictReader(stream)]


def test_an_imitation_that_was_stopped_twice_ends_as_if_it_had_not_been(auctions, tmp_path):
    imitate(auctions, tmp_path / "whole", Budget(100), TINY, CPU, quiet=True)
    for place in (37, 58):
        budget = _stopped_at(100, place)
        imitate(auctions, tmp_path / "parts", budget, TINY, CPU, quiet=True)
        assert budget.is_stopped
    assert [row["step"] for row in _curves(tmp_path / "parts")] == ["20", "40"]
    imitate(auctions, tmp_path / "parts", Stoppable(100), TINY, CPU, quiet=True)
    for file in ("weights.npz", "last.npz", "checkpoint.npz"):
        assert _arrays(tmp_path / "whole" / file) == _arrays(tmp_path / "parts" / file), file
    assert _curves(tmp_path / "whole") == _curves(tmp_path / "parts")


def test_an_imitation_that_ended_hard_goes_on_from_its_last_checkpoint(auctions, tmp_path, monkeypatch):
    """What was noted after the checkpoint is noted once: it comes again."""
    monkeypatch.setattr("bidlab.learning.selfplay.imitate._SAVED_EVERY", 0.0)
    imitate(auctions, tmp_path / "whole", Budget(100), TINY, CPU, quiet=True)

    def fail(made: int, share: float) -> None:
        monkeypatch.setattr("bidlab.learning.selfplay.imitate._SAVED_EVERY", 0.0 if made < 45 else 1e9)
        if made == 70:
            raise MemoryError

    with pytest.raises(MemoryError):
        imitate(auctions, tmp_path / "hard", Stoppable(100, None, fail), TINY, CPU, quiet=True)
    assert [row["step"] for row in _curves(tmp_path / "hard")] == ["20", "40", "60"]
    imitate(auctions, tmp_path / "hard", Stoppable(100), TINY, CPU, quiet=True)
    assert _curves(tmp_path / "whole") == _curves(tmp_path / "hard")
    assert _arrays(tmp_path / "whole/last.npz") == _arrays(tmp_path / "hard/last.npz")


@pytest.mark.parametrize("critic", ["own", "table"])
def test_self_play_that_was_stopped_twice_ends_as_if_it_had_not_been(sources, tmp_path, critic):
    settings = replace(TOY, critic=critic)
    self_play(sources, tmp_path / "whole", Budget(20), settings, CPU, quiet=True)
    for budget in (_stopped_at(20, 7), _stopped_at(20, 13), Stoppable(20)):
        self_play(sources, tmp_path / "parts", budget, settings, CPU, quiet=True)
    for file in ("weights.npz", "last.npz", "checkpoint.npz"):
        assert _arrays(tmp_path / "whole" / file) == _arrays(tmp_path / "parts" / file), file
    assert _curves(tmp_path / "whole") == _curves(tmp_path / "parts")


def test_the_step_in_which_a_budget_is_ended_is_its_last():
    told = []
    budget = Stoppable(10, None, lambda made, share: told.append((made, share)))
    assert budget.share(3, 0.0) == 0.3 and not budget.is_stopped
    budget.stop()
    budget.stop()
    assert budget.is_stopped and budget.share(3, 0.0) == 0.3 and budget.share(4, 0.0) == 1.0
    assert told == [(3, 0.3), (3, 0.3), (4, 0.4)]
    assert Stoppable(10, 5.0).share(1, 2.5) == Budget(10, 5.0).share(1, 2.5) == 0.5


def test_the_first_signal_stops_and_the_second_does_what_it_did():
    budget, said = Stoppable(10), []
    # Where the tests run in the background the shell has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with stopped_by_signals(budget, lambda: said.append("stopping")):
        signal.raise_signal(signal.SIGINT)
        assert budget.is_stopped and said == ["stopping"]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_run_without_a_checkpoint_begins_its_curves_anew(tmp_path):
    Run(tmp_path, {}, quiet=True).note(step=1, loss=2.0)
    Run(tmp_path, {}, quiet=True).note(step=1, loss=3.0)
    assert _curves(tmp_path) == [{"step": "1", "loss": "3"}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("widht=3", "no setting 'widht' .did you mean 'width'"),
        ("width", "no value in 'width'"),
        ("width=wide", "width=wide: a whole number is wanted"),
        ("width=0", "a whole number from 1 is wanted"),
        ("seed=-1", "a whole number from 0 is wanted"),
        ("rate=nan", "a finite number is wanted"),
        ("residual=maybe", "yes or no is wanted"),
    ],
)
def test_a_wrong_setting_is_said(change, said):
    with pytest.raises(ValueError, match=said):
        changed_settings(ImitationSettings, [change])


def test_settings_have_the_types_of_their_defaults():
    found = changed_settings(ImitationSettings, ["width=32", "rate = 0.5", "residual=yes", "seed=0"])
    assert found == {"width": 32, "rate": 0.5, "residual": True, "seed": 0}


def test_auctions_of_which_none_can_be_kept_apart_are_refused(auctions, tmp_path):
    settings = ImitationSettings(batch=64, width=16, depth=2, held_out=0.0)
    with pytest.raises(ValueError, match="200 auctions to learn from and 0 kept apart"):
        imitate(auctions, tmp_path, Budget(1), settings, CPU, quiet=True)
