"""An evolution from its first turn to its last, in a folder that it can go on from at any moment.

The state of a run is that after a whole epoch: all islands have played equally many rounds, and next they see
each other's best. What happens in an epoch depends on that state and the settings alone, so that a run which
was killed ends as one that was not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Self

from bidlab.learning.evolve.islands import Here, Players, Stopped, Work
from bidlab.learning.evolve.measuring import Measure
from bidlab.learning.evolve.records import (
    KIND,
    VERSION,
    Closest,
    EvolutionRun,
    Row,
    checkpoint_of,
    rows_csv,
    run_of,
)
from bidlab.learning.evolve.seeding import first_standings, joined, tournament_seed
from bidlab.learning.evolve.settings import Settings
from bidlab.runs import RunFolder
from bidlab.runs.folder import refuse_used
from bidlab.systems.webb import Population, Standing

CHECKPOINT_SECONDS = 15.0
_KEPT = 10  # how often the best system is kept as it was then
MEASURED_ON = "tune"


@dataclass(frozen=True, slots=True)
class Tick:
    """How far a run is, told several times a second."""

    boards: int  # that members have played
    total: int
    row: Row | None  # the newest measurement


class Evolution:
    """A run in its folder; `run` goes on with it."""

    def __init__(self, folder: RunFolder, run: EvolutionRun, threads: int) -> None:
        self._folder = folder
        self.state = run
        self._threads = threads or os.cpu_count() or 1
        self._measure: Measure | None = None

    @classmethod
    def begun(cls, path: Path, settings: Settings, threads: int = 0) -> Self:
        """A new run; what is wrong with the settings or the folder is said before anything is written."""
        refuse_used(path)
        standings = first_standings(settings, threads)
        folder = RunFolder.begun(
            path, KIND, VERSION, {"bidlab": version("bidlab"), "settings": settings.to_json()}
        )
        return cls(folder, EvolutionRun(path, settings, standings, (), None, 0.0, 0.0), threads)

    @classmethod
    def resumed(cls, path: Path, threads: int = 0) -> Self:
        """The run of a folder, from its newest whole checkpoint on."""
        folder = RunFolder.opened(path, KIND, VERSION)
        run = run_of(folder, folder.latest())
        if not run.standings:  # killed before there was one
            run = replace(run, standings=first_standings(run.settings, threads))
        return cls(folder, run, threads)

    # --- the loop -----------------------------------------------------------------------------------------

    def run(
        self,
        *,
        players: Players | None = None,
        stop: Event | None = None,
        tell: Callable[[Tick], None] = lambda tick: None,
        minutes: float | None = None,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> EvolutionRun:
        """The run at its end, or where it was stopped or its minutes were over; a checkpoint is written."""
        playing = players or Here(self._threads)
        stopping = stop or Event()
        self._folder.lock()
        try:
            self._run(playing, stopping, tell, minutes, checkpoint_seconds)
        finally:
            self._folder.unlock()
        return self.state

    def _run(
        self,
        players: Players,
        stop: Event,
        tell: Callable[[Tick], None],
        minutes: float | None,
        checkpoint_seconds: float,
    ) -> None:
        begun = saved = time.monotonic()
        before = self.state.seconds
        if not self.state.rows:
            self._report()
        self._save()
        if self.state.is_finished:
            return
        while not stop.is_set():
            try:
                standings = players.play(self._works(), self._counted(tell), stop)
            except Stopped:
                break
            now = time.monotonic()
            self.state = replace(self.state, standings=standings, seconds=before + now - begun)
            if self._is_due(self.state.settings.report_count):
                self._report()
            is_over = minutes is not None and now - begun >= 60 * minutes
            if is_over or self.state.is_finished:
                break
            if now - saved >= checkpoint_seconds:
                self._save()
                saved = now
        self._save()

    def _works(self) -> tuple[Work, ...]:
        """What each island plays until the next exchange."""
        settings, turn = self.state.settings, self.state.turn
        epoch_end = turn // settings.turns_an_epoch * settings.turns_an_epoch + settings.turns_an_epoch
        turns = min(epoch_end, settings.turns) - turn
        bests = [_best(one) for one in self.state.standings]
        return tuple(
            Work(
                standing,
                turns,
                settings.rules,
                tournament_seed(settings, island),
                settings.deals,
                joined(others) if (others := bests[:island] + bests[island + 1 :]) else None,
                settings.migration_at(turn),
                settings.steps if settings.is_climb else None,
            )
            for island, standing in enumerate(self.state.standings)
        )

    def _counted(self, tell: Callable[[Tick], None]) -> Callable[[int], None]:
        """A function that is told of turns, and tells of boards."""
        settings = self.state.settings
        a_turn = settings.boards_a_turn
        done = self.state.boards
        total = settings.turns * a_turn * settings.islands
        row = self.state.rows[-1] if self.state.rows else None

        def count(turns: int) -> None:
            nonlocal done
            done += turns * a_turn
            tell(Tick(done, total, row))

        return count

    # --- what is kept of it -------------------------------------------------------------------------------

    def _is_due(self, times: int) -> bool:
        """Whether something that is done so many times in a run is due now."""
        settings = self.state.settings
        epoch = -(-self.state.turn // settings.turns_an_epoch)
        return settings.is_reported(epoch, times)

    def _report(self) -> None:
        """Measure the best of each island, and keep what was found."""
        state = self.state
        if self._measure is None:
            self._measure = Measure.of(MEASURED_ON, state.settings.measured)
        bests = [_best(one) for one in state.standings]
        distances = self._measure.distances(joined(bests), self._threads).tolist()
        rows = [_row(state, island, distance) for island, distance in enumerate(distances)]
        nearest = min(rows, key=lambda row: row.objective)
        closest = state.closest
        if closest is None or nearest.objective < closest.objective:
            system = bests[nearest.island].system(0)
            closest = Closest(system, nearest.objective, nearest.boards, nearest.island)
        self.state = replace(state, rows=(*state.rows, *rows), closest=closest, passing=self._measure.passing)
        if state.turn and (self._is_due(_KEPT) or self.state.is_finished):
            self._folder.write(f"best-{rows[0].boards:010d}.json", self.state.best.to_json())

    def _save(self) -> None:
        """Write the checkpoint, and what is read off it."""
        self._folder.save(*checkpoint_of(self.state))
        self._folder.write("progress.csv", rows_csv(self.state.rows))
        self._folder.write("best.json", self.state.best.to_json())
        if self.state.closest is not None:
            self._folder.write("closest.json", self.state.closest.system.to_json())


def _best(standing: Standing) -> Population:
    best, members = standing.best, standing.population
    return replace(
        members, words=members.words[best : best + 1], transitions=members.transitions[best : best + 1]
    )


def _row(state: EvolutionRun, island: int, objective: float) -> Row:
    """What is told of an island: as it stands, and since the measurement before."""
    standing = state.standings[island]
    before = state.rows[-state.settings.islands + island] if state.rows else None
    members = len(standing.fitness)
    pushes, replaced, boards = standing.count("pushes"), standing.replacements, standing.count("boards")
    played = boards - (before.boards * members if before else 0)
    return Row(
        island,
        boards // members,
        objective,
        float(standing.imps[standing.best]),
        float(standing.ages.mean()),
        int(standing.ages.max()),
        played / max(1, replaced - (before.replaced if before else 0)),
        (pushes - (before.pushes if before else 0)) / max(1, played),
        replaced,
        pushes,
        round(state.seconds, 3),
    )
