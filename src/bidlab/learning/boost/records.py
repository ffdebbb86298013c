"""The folder of a boosting: what was asked for, and the boards of every stage that were played so far.

run.json                what was asked for; never rewritten
checkpoint.npz          the boards of the matrix, of the bandits and of the matches on new boards
checkpoint.before.npz   the one before
matrix.csv              R(i, j) in IMPs, once the matrix is played
choices.json            the chosen seeds, which `boosted:RUN` bids with
report.html             with --report
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError, FormatError, quoted
from bidlab.learning.boost.cells import PlayedBoards
from bidlab.learning.boost.matrix import SeedMatrix
from bidlab.learning.boost.settings import Settings
from bidlab.runs import Checkpoint, RunFolder

KIND, VERSION = "boosting", 1
NEW = "new"  # the stage of the matches on new boards


@dataclass(frozen=True)
class BoostRun:
    """A run as far as it is: the boards of each stage, in the order in which they are played."""

    folder: Path
    settings: Settings
    played: Mapping[str, PlayedBoards]
    seconds: float = 0.0
    is_finished: bool = False
    notes: tuple[str, ...] = ()  # what was wrong with newer checkpoints

    @property
    def stages(self) -> tuple[str, ...]:
        """What is played, one after the other."""
        return (*self.settings.ways, *((NEW,) if self.settings.new_boards else ()))

    @property
    def boards(self) -> int:
        """The boards of all stages so far."""
        return sum(len(self.played[stage]) for stage in self.stages)

    @property
    def matrix(self) -> SeedMatrix | None:
        """The matrix; None where it is not asked for, or not complete yet."""
        boards = self.played.get("matrix")
        if boards is None or len(boards) < self.settings.matrix_boards:
            return None
        return SeedMatrix.of(self.settings, boards)


def read_run(path: Path | str) -> BoostRun:
    """The run in a folder; an error of one line where it cannot be read."""
    folder = RunFolder.opened(Path(path), KIND, VERSION)
    return run_of(folder, folder.latest())


def run_of(folder: RunFolder, checkpoint: Checkpoint | None) -> BoostRun:
    """The run of a folder at a checkpoint."""
    settings = Settings.from_json(folder.asked.get("settings", {}), str(folder.path))
    fresh = BoostRun(folder.path, settings, {})
    if checkpoint is None:
        return BoostRun(folder.path, settings, {stage: PlayedBoards.nothing() for stage in fresh.stages})
    arrays, facts = checkpoint.arrays, checkpoint.facts
    try:
        played = {stage: _boards(arrays, stage) for stage in fresh.stages}
        seconds, is_finished = float(facts["seconds"]), bool(facts["is_finished"])
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{folder.path}: a checkpoint without {error}: begin in a new folder") from None
    return BoostRun(folder.path, settings, played, seconds, is_finished, checkpoint.notes)


def checkpoint_of(run: BoostRun) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts that `run_of` reads."""
    arrays = {
        f"{stage}_{name}": array
        for stage, boards in run.played.items()
        for name, array in boards.arrays().items()
    }
    return arrays, {"seconds": run.seconds, "is_finished": run.is_finished}


def _boards(arrays: Mapping[str, NDArray[Any]], stage: str) -> PlayedBoards:
    found = PlayedBoards(*(arrays[f"{stage}_{one.name}"] for one in fields(PlayedBoards)))
    if len({len(array) for array in found.arrays().values()}) > 1:
        raise ValueError(f"boards of {stage} in one number")
    return found


def check_bidder(run: BoostRun, bidder: str | None) -> None:
    """Raise where a run is of another bidder than the one that is asked for."""
    if bidder is not None and bidder.strip() != run.settings.bidder:
        raise BidlabError(
            f"{run.folder} has a run of {quoted(run.settings.bidder)}, not of {quoted(bidder)}: name that "
            "one or none, or take a new folder by --out"
        )


def matrix_csv(matrix: SeedMatrix) -> str:
    """R(i, j) in IMPs as lines with commas: a seed, its IMPs against every seed, its cumulative score."""
    heads = ["seed", *map(str, matrix.seeds), "score"]
    lines = [",".join(heads)]
    for seed, row, score in zip(matrix.seeds, matrix.imps.tolist(), matrix.scores.tolist(), strict=True):
        lines.append(",".join(str(int(number)) for number in (seed, *row, score)))
    return "\n".join(lines) + "\n"
