"""What a co-training's folder says: where it stands, and what was tried.

networks/03.bids        the system that the pair plays with three networks
trials/007.bids         the same with the network that was tried then
log.csv, points.csv     what became of each, and how strong the pair was
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import FormatError
from bidlab.learning.cotrain.curve import Point
from bidlab.learning.cotrain.lessons import Lessons
from bidlab.learning.cotrain.networks import Network, hierarchy_of, networks_of
from bidlab.learning.cotrain.playing import Gains
from bidlab.learning.cotrain.settings import Settings
from bidlab.runs import Checkpoint, RunFolder
from bidlab.systems.hierarchy_text import read_tree, tree_text
from bidlab.systems.situations import Situation

KIND, VERSION = "co-training", 1
MEASURE, PRACTISE, LEARN, TRY, DONE = "measure", "practise", "learn", "try", "done"
KEPT, DROPPED, NOT_PROVEN, TOO_RARE = "kept", "dropped", "not proven", "too rare"


@dataclass(frozen=True, slots=True)
class Trial:
    """A line of log.csv: a network that was learned, and what became of it."""

    number: int
    situation: str
    often: float  # a practice board
    gain: float  # IMPs a practice board that look-ahead gained there over the rules
    lessons: int
    rules: int
    boards: int  # with the situation, of the trial
    mean: float  # IMPs a board of the pair with the network over the pair without it
    stderr: float
    verdict: str

    @property
    def is_kept(self) -> bool:
        """Whether the pair plays it."""
        return self.verdict == KEPT


@dataclass(frozen=True, slots=True, eq=False)
class CoTrainingRun:
    """A run as its newest whole checkpoint has it."""

    folder: Path
    settings: Settings
    stage: str = PRACTISE
    networks: tuple[Network, ...] = ()
    trials: tuple[Trial, ...] = ()
    points: tuple[Point, ...] = ()
    gains: Gains = field(default_factory=dict)  # of practice since the last network
    practised: int = 0  # boards of that
    rounds: int = 0  # of practice, finished
    board: int = 1  # the next of the stage
    situation: Situation | None = None  # that is being learned
    lessons: Lessons = field(default_factory=Lessons.none)
    learned: Network | None = None  # and is being tried
    swings: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    seconds: float = 0.0
    why_done: str = ""
    notes: tuple[str, ...] = ()  # what was wrong with newer checkpoints

    @property
    def is_finished(self) -> bool:
        """Whether there is nothing left to do."""
        return self.stage == DONE

    @property
    def set_aside(self) -> frozenset[Situation]:
        """The situations whose networks were dropped: until another is kept, and for good the second time."""
        dropped = [one.situation for one in self.trials if not one.is_kept]
        newly = dropped[len(dropped) - self.dropped_in_a_row :]
        return frozenset(Situation.parse(one) for one in dropped if one in newly or dropped.count(one) > 1)

    @property
    def dropped_in_a_row(self) -> int:
        """How many networks were dropped since the last that was kept."""
        kept = [place for place, one in enumerate(self.trials) if one.is_kept]
        return len(self.trials) - 1 - kept[-1] if kept else len(self.trials)


def read_run(path: Path | str) -> CoTrainingRun:
    """The run in a folder; an error of one line where it cannot be read."""
    folder = RunFolder.opened(Path(path), KIND, VERSION)
    return run_of(folder, folder.latest())


def run_of(folder: RunFolder, checkpoint: Checkpoint | None) -> CoTrainingRun:
    """The run of a folder at a checkpoint."""
    settings = Settings.from_json(folder.asked["settings"], str(folder.path))
    if checkpoint is None:
        return begun(folder.path, settings)
    facts, arrays = checkpoint.facts, checkpoint.arrays
    try:
        gains = {Situation.parse(name): (int(n), float(gain)) for name, (n, gain) in facts["gains"].items()}
        learned = _networks(facts["learned"])
        return CoTrainingRun(
            folder.path,
            settings,
            facts["stage"],
            _networks(facts["networks"]),
            tuple(Trial(*row) for row in facts["trials"]),
            tuple(Point(*row) for row in facts["points"]),
            gains,
            facts["practised"],
            facts["rounds"],
            facts["board"],
            None if facts["situation"] is None else Situation.parse(facts["situation"]),
            Lessons(arrays["hands"], arrays["values"]),
            learned[0] if learned else None,
            arrays["swings"],
            float(facts["seconds"]),
            facts["why_done"],
            checkpoint.notes,
        )
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise FormatError(f"{folder.path}: a checkpoint without {error}: begin in a new folder") from None


def begun(path: Path, settings: Settings) -> CoTrainingRun:
    """A run before its first board."""
    return CoTrainingRun(path, settings, MEASURE if 0 in settings.points else PRACTISE)


def checkpoint_of(run: CoTrainingRun) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts that `run_of` reads."""
    arrays: dict[str, NDArray[Any]] = {
        "hands": run.lessons.hands,
        "values": run.lessons.values,
        "swings": run.swings,
    }
    facts: dict[str, Any] = {
        "stage": run.stage,
        "networks": tree_text(hierarchy_of(run.networks)),
        "trials": [astuple(one) for one in run.trials],
        "points": [astuple(one) for one in run.points],
        "gains": {str(situation): list(found) for situation, found in run.gains.items()},
        "practised": run.practised,
        "rounds": run.rounds,
        "board": run.board,
        "situation": None if run.situation is None else str(run.situation),
        "learned": tree_text(hierarchy_of([] if run.learned is None else [run.learned])),
        "seconds": run.seconds,
        "why_done": run.why_done,
    }
    return arrays, facts


def _networks(text: str) -> tuple[Network, ...]:
    return networks_of(read_tree(text, "checkpoint"))


def table_csv(rows: Sequence[Trial] | Sequence[Point], kind: type[Trial] | type[Point]) -> str:
    """The text of log.csv or points.csv."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([one.name for one in fields(kind)])
    writer.writerows(
        [f"{value:.6g}" if isinstance(value, float) else str(value) for value in astuple(row)] for row in rows
    )
    return stream.getvalue()


def merged(gains: Mapping[Situation, tuple[int, float]], more: Gains) -> Gains:
    """What practice gained, with that of more boards."""
    found = dict(gains)
    for situation, (count, gain) in more.items():
        before = found.get(situation, (0, 0.0))
        found[situation] = (before[0] + count, before[1] + gain)
    return found
