"""A boosting from its first cell to its last, in a folder that it can go on from at any moment.

The state of a run are the boards that were played, stage by stage and in their order. What is played next
follows from them and the settings alone, so that a run which was killed ends as one that was not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Self

from bidlab.bidders.boosted import CHOICES_FILE
from bidlab.learning.boost.bandits import Bandit
from bidlab.learning.boost.cells import Cell, PlayedBoards
from bidlab.learning.boost.clean import check_clean
from bidlab.learning.boost.findings import Findings
from bidlab.learning.boost.matrix import matrix_cells
from bidlab.learning.boost.players import Here, Players
from bidlab.learning.boost.records import (
    KIND,
    NEW,
    VERSION,
    BoostRun,
    check_bidder,
    checkpoint_of,
    matrix_csv,
    run_of,
)
from bidlab.learning.boost.settings import Settings
from bidlab.learning.boost.validating import match_cells, most_new_boards
from bidlab.runs import RunFolder
from bidlab.runs.folder import refuse_used

CHECKPOINT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Tick:
    """How far a run is, told after every cell."""

    stage: str
    boards: int  # of this stage
    total: int
    share: float  # of all stages, 0 to 1, as far as their boards are known


class Boosting:
    """A run in its folder; `run` goes on with it."""

    def __init__(self, folder: RunFolder, run: BoostRun, workers: int) -> None:
        self._folder = folder
        self.state = run
        self._workers = workers or os.cpu_count() or 1

    @classmethod
    def begun(cls, path: Path, settings: Settings, workers: int = 0) -> Self:
        """A new run; what is wrong with settings, folder or bidder is said before anything is written."""
        refuse_used(path)
        settings.check_deals(most_new_boards(settings))
        check_clean(settings)
        asked = {"bidlab": version("bidlab"), "settings": settings.to_json()}
        folder = RunFolder.begun(path, KIND, VERSION, asked)
        return cls(folder, run_of(folder, None), workers)

    @classmethod
    def resumed(cls, path: Path, workers: int = 0, bidder: str | None = None) -> Self:
        """The run of a folder, from its newest whole checkpoint on."""
        folder = RunFolder.opened(path, KIND, VERSION)
        run = run_of(folder, folder.latest())
        check_bidder(run, bidder)
        return cls(folder, run, workers)

    # --- the loop -----------------------------------------------------------------------------------------

    def run(
        self,
        *,
        players: Players | None = None,
        stop: Event | None = None,
        tell: Callable[[Tick], None] = lambda tick: None,
        minutes: float | None = None,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> BoostRun:
        """The run at its end, or where it was stopped or its minutes were over; a checkpoint is written."""
        if self.state.is_finished:
            return self.state
        # Processes begin before the folder is locked: one that outlives a kill for a cell must not hold it.
        playing = players or Here(self._workers).begun()
        deadline = None if minutes is None else time.monotonic() + 60 * minutes
        try:
            self._folder.lock()
            for stage in self.state.stages:
                if not self._play(stage, playing, stop or Event(), tell, deadline, checkpoint_seconds):
                    return self.state
            self.state = replace(self.state, is_finished=True)
            self._save()
        finally:
            if players is None:
                playing.close()
            self._folder.unlock()
        return self.state

    def _play(
        self,
        stage: str,
        players: Players,
        stop: Event,
        tell: Callable[[Tick], None],
        deadline: float | None,
        checkpoint_seconds: float,
    ) -> bool:
        """Play a stage; whether it is at its end. Cells that are lost by a kill are played again."""
        plan = _plan(stage, self.state)
        saved = now = time.monotonic()
        parts: list[PlayedBoards] = []
        is_over = False  # a cell is played in any case
        while not (is_over or stop.is_set()) and (cells := plan.cells(self.state.played[stage])):
            total = plan.total
            for found in players.play(cells, stop):
                parts.append(found)
                before, now = now, time.monotonic()
                self.state = replace(self.state, seconds=self.state.seconds + now - before)
                tell(self._tick(stage, sum(map(len, parts)), total))
                is_over = deadline is not None and now >= deadline
                if is_over or now - saved >= checkpoint_seconds:
                    self._keep(stage, parts)
                    self._save()
                    saved = time.monotonic()
                if is_over:
                    break
            self._keep(stage, parts)
        self._save()
        is_ended = not plan.cells(self.state.played[stage])
        if is_ended:
            self._write_findings()
        return is_ended

    def _tick(self, stage: str, more: int, total: int) -> Tick:
        """How far the run is, with boards that are not kept yet."""
        everything = expected_boards(self.state)
        done = len(self.state.played[stage]) + more
        return Tick(stage, done, total, min(1.0, (self.state.boards + more) / everything))

    def _keep(self, stage: str, parts: list[PlayedBoards]) -> None:
        """Add the boards of cells to the state."""
        played = dict(self.state.played)
        played[stage] = PlayedBoards.joined([played[stage], *parts])
        parts.clear()
        self.state = replace(self.state, played=played)

    # --- what is kept of it -------------------------------------------------------------------------------

    def _save(self) -> None:
        self._folder.save(*checkpoint_of(self.state))

    def _write_findings(self) -> None:
        """Write what can be read off the state: the matrix, and the chosen seeds."""
        found = Findings(self.state)
        if found.matrix is not None:
            self._folder.write("matrix.csv", matrix_csv(found.matrix))
        if found.choices or found.picks:
            self._folder.write(CHOICES_FILE, found.chosen.to_json())


# --- what is played next ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Listed:
    """Cells that are known in advance, of which those at the beginning are played."""

    listed: Sequence[Cell]

    @property
    def total(self) -> int:
        return sum(cell.boards for cell in self.listed)

    def cells(self, played: PlayedBoards) -> Sequence[Cell]:
        """The cells after those that are played."""
        boards = 0
        for place, cell in enumerate(self.listed):
            if boards >= len(played):
                return self.listed[place:]
            boards += cell.boards
        return ()


@dataclass(frozen=True)
class _Pulled:
    """The cells of a bandit."""

    bandit: Bandit
    total: int

    def cells(self, played: PlayedBoards) -> Sequence[Cell]:
        """What the bandit asks for."""
        return self.bandit.cells(played)


def _plan(stage: str, run: BoostRun) -> _Listed | _Pulled:
    if stage == "matrix":
        return _Listed(matrix_cells(run.settings))
    if stage == NEW:
        return _Listed(match_cells(run.settings, Findings(run).planned))
    return _Pulled(Bandit(stage, run.settings), run.settings.matrix_boards)


def expected_boards(run: BoostRun) -> int:
    """The boards of all stages; matches on new boards are four until it is known how many there are."""
    settings = run.settings
    return len(settings.ways) * settings.matrix_boards + 4 * settings.new_boards
