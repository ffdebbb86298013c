"""What a run's folder says: where it stands, and how it got there."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import FormatError
from bidlab.learning.evolve.settings import Settings
from bidlab.runs import Checkpoint, RunFolder
from bidlab.systems.webb import Population, Standing, WebbSystem

KIND, VERSION = "evolution", 1
_STANDING = ("fitness", "pushes", "ages", "tally")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of progress.csv: an island when it was measured."""

    island: int
    boards: int  # a member
    objective: float  # IMPs from par of the best member at all four seats
    best_fitness: float  # IMPs
    mean_age: float  # boards that members had played
    highest_age: int
    lifetime: float  # boards a replacement since the line before
    push_rate: float  # of the boards since the line before
    replaced: int  # members since the beginning
    pushes: int  # since the beginning, a board of a member each
    seconds: float  # of the run; the only number that is not the same every time

    @property
    def shown(self) -> tuple[str, ...]:
        """The fields as progress.csv has them."""
        return tuple(f"{value:.6g}" if isinstance(value, float) else str(value) for value in astuple(self))


COLUMNS = tuple(one.name for one in fields(Row))


def rows_csv(rows: Sequence[Row]) -> str:
    """The text of progress.csv."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row.shown for row in rows)
    return stream.getvalue()


@dataclass(frozen=True, eq=False)
class Closest:
    """The system that was nearest to par of all that were measured."""

    system: WebbSystem
    objective: float
    boards: int  # a member had played when it was measured
    island: int


@dataclass(frozen=True, eq=False)
class EvolutionRun:
    """A run as its newest whole checkpoint has it."""

    folder: Path
    settings: Settings
    standings: tuple[Standing, ...]  # an island each; none before the first checkpoint
    rows: tuple[Row, ...]
    closest: Closest | None
    passing: float  # IMPs from par of passing always, on the boards of the objective
    seconds: float
    notes: tuple[str, ...] = ()  # what was wrong with newer checkpoints

    @property
    def turn(self) -> int:
        """The turns that each island has played."""
        return self.standings[0].turn if self.standings else 0

    @property
    def is_finished(self) -> bool:
        """Whether all boards that were asked for are played."""
        return bool(self.standings) and self.turn >= self.settings.turns

    @property
    def boards(self) -> int:
        """The boards that all members have played."""
        return sum(one.count("boards") for one in self.standings)

    @property
    def best_island(self) -> int:
        """The island whose best member is nearest to par by the last measurement."""
        last = self.rows[-self.settings.islands :]
        return min(last, key=lambda row: row.objective).island if last else 0

    @property
    def best(self) -> WebbSystem:
        """The member with the highest fitness, on the best island."""
        standing = self.standings[self.best_island]
        return standing.population.system(standing.best)


def read_run(path: Path | str) -> EvolutionRun:
    """The run in a folder; an error of one line where it cannot be read."""
    folder = RunFolder.opened(Path(path), KIND, VERSION)
    return run_of(folder, folder.latest())


def run_of(folder: RunFolder, checkpoint: Checkpoint | None) -> EvolutionRun:
    """The run of a folder at a checkpoint."""
    settings = Settings.from_json(folder.asked["settings"], str(folder.path))
    if checkpoint is None:
        return EvolutionRun(folder.path, settings, (), (), None, 0.0, 0.0)
    arrays, facts = checkpoint.arrays, checkpoint.facts
    try:
        standings = tuple(
            _standing(arrays, settings, island, facts["turn"]) for island in range(settings.islands)
        )
        rows = tuple(_row(values) for values in arrays["rows"].tolist())
        closest = _closest(arrays, facts, settings)
        passing, seconds = float(facts["passing"]), float(facts["seconds"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise FormatError(f"{folder.path}: a checkpoint without {error}: begin in a new folder") from None
    return EvolutionRun(folder.path, settings, standings, rows, closest, passing, seconds, checkpoint.notes)


def checkpoint_of(run: EvolutionRun) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays and facts that `run_of` reads."""
    arrays: dict[str, NDArray[Any]] = {
        "words": np.stack([one.population.words for one in run.standings]),
        "transitions": np.stack([one.population.transitions for one in run.standings]),
        "rows": np.array([astuple(row) for row in run.rows], np.float64).reshape(-1, len(COLUMNS)),
    }
    for name in _STANDING:
        arrays[name] = np.stack([getattr(one, name) for one in run.standings])
    facts: dict[str, Any] = {"turn": run.turn, "passing": run.passing, "seconds": run.seconds}
    if run.closest is not None:
        nearest = Population.of([run.closest.system])
        arrays |= {"closest_words": nearest.words, "closest_transitions": nearest.transitions}
        facts["closest"] = [run.closest.objective, run.closest.boards, run.closest.island]
    return arrays, facts


def _standing(arrays: Mapping[str, NDArray[Any]], settings: Settings, island: int, turn: int) -> Standing:
    population = Population(
        arrays["words"][island], arrays["transitions"][island], settings.inheritance, settings.options
    )
    fitness, pushes, ages, tally = (arrays[name][island] for name in _STANDING)
    return Standing(population, fitness, pushes, ages, tally, turn)


def _row(values: Sequence[float]) -> Row:
    kinds = (int, int, float, float, float, int, float, float, int, int, float)
    return Row(*(kind(value) for kind, value in zip(kinds, values, strict=True)))


def _closest(
    arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], settings: Settings
) -> Closest | None:
    if "closest" not in facts:
        return None
    objective, boards, island = facts["closest"]
    population = Population(
        arrays["closest_words"], arrays["closest_transitions"], settings.inheritance, settings.options
    )
    return Closest(population.system(0), float(objective), int(boards), int(island))
