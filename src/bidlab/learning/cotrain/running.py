"""A co-training from the empty hierarchy to its last network, in a folder that it can go on from.

Round by round: practise, find the situation where look-ahead gains most over the rules, take lessons in it,
grow a network, try it by a sequential test against the pair without it, keep it or set its situation aside.
Every stage reads its boards in order, and what it comes to depends on the settings alone; so a run that was
killed ends as one that was not, whatever the number of workers.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any, Self, TypeVar

import numpy as np

from bidlab.bridge.calls import Auction
from bidlab.bridge.errors import BidlabError
from bidlab.learning.cotrain import records
from bidlab.learning.cotrain.curve import Point
from bidlab.learning.cotrain.growing import grown
from bidlab.learning.cotrain.lessons import Lessons
from bidlab.learning.cotrain.networks import Network, hierarchy_of, networks_text
from bidlab.learning.cotrain.playing import (
    MakeStudent,
    Portion,
    learning,
    measuring,
    practising,
    thinkers,
    trying,
)
from bidlab.learning.cotrain.records import CoTrainingRun, Trial
from bidlab.learning.cotrain.settings import Settings
from bidlab.library import library
from bidlab.matches.by_name import maker
from bidlab.matches.sources import LibraryBoards
from bidlab.matches.statistics import SequentialTest, Summary
from bidlab.matches.workers import Begin, Workers
from bidlab.meaning.conditions import ANYTHING, Condition, all_of
from bidlab.runs import RunFolder
from bidlab.runs.folder import refuse_used
from bidlab.runs.seeds import seed_at
from bidlab.systems.situations import Situation

CHECKPOINT_SECONDS = 15.0
MEASURED_ON = "tune"
_PORTION = 4  # boards of a task
_FEWEST_TRIED = 32  # boards before a trial may be over: the spread must have been seen
_MOST_ROUNDS = 3  # of practice for one network
_RARE = 100  # a situation comes up on one practice board in so many at least
_PRACTICE, _LESSONS, _TRIAL = 1, 2, 3  # places of seeds

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Tick:
    """How far a run is, told after every portion of boards."""

    networks: int
    total: int
    doing: str
    share: float  # of the stage


class Stopped(Exception):  # noqa: N818 - no error: somebody asked for it
    """Raised inside a stage when the run is to end."""


class CoTraining:
    """A run in its folder; `run` goes on with it."""

    def __init__(self, folder: RunFolder, run: CoTrainingRun, workers: int, make: MakeStudent | None) -> None:
        self._folder = folder
        self.state = run
        self._workers = workers or os.cpu_count() or 1
        self._make = make or thinkers(run.settings.thinker)
        self._stop, self._saved, self._began, self._before = Event(), 0.0, 0.0, run.seconds
        self._tell: Callable[[Tick], None] = lambda tick: None
        self._until = float("inf")
        self._every = CHECKPOINT_SECONDS

    @classmethod
    def begun(cls, path: Path, settings: Settings, workers: int = 0, make: MakeStudent | None = None) -> Self:
        """A new run; what is wrong with the settings or the folder is said before anything is written."""
        refuse_used(path)
        maker(settings.opponents)
        maker(settings.control)
        if make is None:
            maker(settings.thinker("empty"))
        asked = {"bidlab": version("bidlab"), "settings": settings.to_json()}
        folder = RunFolder.begun(path, records.KIND, records.VERSION, asked)
        return cls(folder, records.begun(path, settings), workers, make)

    @classmethod
    def resumed(cls, path: Path, workers: int = 0, make: MakeStudent | None = None) -> Self:
        """The run of a folder, from its newest whole checkpoint on."""
        folder = RunFolder.opened(path, records.KIND, records.VERSION)
        return cls(folder, records.run_of(folder, folder.latest()), workers, make)

    # --- the loop -----------------------------------------------------------------------------------------

    def run(
        self,
        *,
        stop: Event | None = None,
        tell: Callable[[Tick], None] = lambda tick: None,
        minutes: float | None = None,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> CoTrainingRun:
        """The run at its end, or where it was stopped or its minutes were over; a checkpoint is written."""
        self._stop, self._tell, self._every = stop or Event(), tell, checkpoint_seconds
        self._folder.lock()
        try:
            self._began = self._saved = time.monotonic()
            self._until = self._began + 60 * minutes if minutes is not None else float("inf")
            self._write_texts()
            self._save()
            while not self.state.is_finished:
                self._stages[self.state.stage](self)
                self._save()
        except Stopped:
            self._save()
        finally:
            self._folder.unlock()
        return self.state

    def _work(self, begin: Begin[Portion, Found], last: int, doing: str, goal: int) -> Iterator[Found]:
        """What is found on portions of boards from the next one on, in order; the state moves on with each.

        `goal` is how many boards or findings end the stage, for those who watch.
        """
        tasks = [
            (first, min(_PORTION, last + 1 - first)) for first in range(self.state.board, last + 1, _PORTION)
        ]
        for (first, count), found in zip(tasks, self._findings(begin, tasks), strict=False):
            yield found
            now = time.monotonic()
            self.state = replace(self.state, board=first + count, seconds=self._before + now - self._began)
            done = min(1.0, self._done() / goal)
            self._tell(Tick(len(self.state.networks), self.state.settings.networks, doing, done))
            if self._stop.is_set() or now >= self._until:
                raise Stopped
            if now - self._saved >= self._every:
                self._save()

    def _findings(self, begin: Begin[Portion, Found], tasks: list[Portion]) -> Iterator[Found]:
        """What is found for each task, in order, here or by workers."""
        if self._workers == 1:
            with begin() as work:
                for task in tasks:
                    yield work(task)
            return
        with Workers(self._workers, partial(_undisturbed, begin, self._folder)) as workers:
            try:
                yield from workers.map(tasks, self._stop)
            except BidlabError:  # a signal to all processes ends workers, too
                if not self._stop.is_set():
                    raise
            if self._stop.is_set():
                workers.abandon()
                raise Stopped

    def _done(self) -> int:
        """How many boards or findings the stage has."""
        state = self.state
        many = {records.LEARN: len(state.lessons), records.TRY: len(state.swings)}
        return many.get(state.stage, state.board - 1)

    # --- the stages ---------------------------------------------------------------------------------------

    def _practise(self) -> None:
        """Practice boards with the present text, and the choice of a situation."""
        settings, rounds = self.state.settings, self.state.rounds
        begin = partial(
            practising, self._make, self._file(), settings.opponents, self._seed(_PRACTICE, rounds)
        )
        for gains in self._work(begin, settings.practice, "practising", settings.practice):
            self.state = replace(self.state, gains=records.merged(self.state.gains, gains))
        practised = self.state.practised + settings.practice
        self.state = replace(self.state, practised=practised, rounds=rounds + 1, board=1)
        self._choose()

    def _choose(self) -> None:
        """Go on with the situation where most is to be gained; with more practice where there is none."""
        state = self.state
        situation = best_situation(state)
        if situation is not None:
            self.state = replace(state, stage=records.LEARN, situation=situation, lessons=Lessons.none())
        elif state.practised < _MOST_ROUNDS * state.settings.practice:
            self.state = replace(state, stage=records.PRACTISE)
        else:
            self._end("no situation is left in which look-ahead gains over the rules")

    def _learn(self) -> None:
        """Lessons in the situation, and the network that grows from them."""
        settings, situation = self.state.settings, self._situation()
        seed = self._seed(_LESSONS, len(self.state.trials))
        begin = partial(learning, self._make, self._file(), settings.opponents, seed, situation)
        if len(self.state.lessons) < settings.lessons:
            for more in self._work(begin, settings.tries, f"lessons in {situation}", settings.lessons):
                self.state = replace(self.state, lessons=self.state.lessons.and_more([more]))
                if len(self.state.lessons) >= settings.lessons:
                    break
        lessons = self.state.lessons.first(settings.lessons)
        self.state = replace(self.state, lessons=lessons, board=1)
        if len(lessons) < settings.lessons // 4:
            self._concluded(records.TOO_RARE)
            return
        known = shown_before(self.state.networks, situation)
        network = grown(situation, lessons, settings.leaves, settings.calls, known)
        nothing = np.zeros(0, dtype=np.int64)
        self.state = replace(self.state, stage=records.TRY, learned=network, swings=nothing)
        self._write_trial()

    def _try(self) -> None:
        """The sequential test of the network against the pair without it."""
        settings, situation = self.state.settings, self._situation()
        test = SequentialTest(0.0, settings.gain, settings.error)
        files = (self._file(), str(self._path(self._trial_name())))
        seed = self._seed(_TRIAL, len(self.state.trials))
        begin = partial(trying, self._make, files, settings.opponents, seed, situation)
        answer = None
        for swings in self._work(begin, settings.tries, f"trying {situation}", settings.trial):
            self.state = replace(self.state, swings=np.concatenate([self.state.swings, swings]))
            have = len(self.state.swings)
            answer = test.answer(self.state.swings) if have >= _FEWEST_TRIED else None
            if answer is not None or have >= settings.trial:
                break
        verdicts = {"high": records.KEPT, "low": records.DROPPED, None: records.NOT_PROVEN}
        self._concluded(verdicts[answer])

    def _concluded(self, verdict: str) -> None:
        """Keep the network or set its situation aside, and go on."""
        state = self.state
        trial = _trial_of(state, verdict)
        clear = replace(
            state,
            trials=(*state.trials, trial),
            situation=None,
            learned=None,
            lessons=Lessons.none(),
            swings=np.zeros(0, dtype=np.int64),
            board=1,
        )
        if not trial.is_kept:
            self.state = clear
            if clear.dropped_in_a_row >= state.settings.set_aside:
                many = clear.dropped_in_a_row
                self._end(f"{many} networks in a row were dropped" if many > 1 else "a network was dropped")
            else:
                self._choose()
            return
        assert state.learned is not None
        networks = (*state.networks, state.learned)
        self.state = replace(clear, networks=networks, gains={}, practised=0, stage=records.PRACTISE)
        self._write_texts()
        if len(networks) in state.settings.points:
            self.state = replace(self.state, stage=records.MEASURE)
        elif len(networks) == state.settings.networks:
            self._end("all networks are learned")

    def _measure(self) -> None:
        """A match of the pair against the control pair."""
        settings = self.state.settings
        source = LibraryBoards(library(MEASURED_ON))
        begin = partial(measuring, self._make, self._file(), settings.control, source)
        for swings in self._work(begin, settings.measured, "measuring", settings.measured):
            self.state = replace(self.state, swings=np.concatenate([self.state.swings, swings]))
        found, count = Summary.of(self.state.swings), len(self.state.networks)
        points = (*self.state.points, Point(count, found.mean, found.stderr, found.boards))
        nothing = np.zeros(0, dtype=np.int64)
        self.state = replace(self.state, points=points, board=1, swings=nothing, stage=records.PRACTISE)
        if self.state.why_done:
            self.state = replace(self.state, stage=records.DONE)
        elif count == settings.networks:
            self._end("all networks are learned")

    def _end(self, why: str) -> None:
        """Come to the end, measured there too."""
        measured = {point.networks for point in self.state.points}
        is_due = bool(self.state.settings.points) and len(self.state.networks) not in measured
        stage = records.MEASURE if is_due else records.DONE
        nothing = np.zeros(0, dtype=np.int64)
        self.state = replace(self.state, stage=stage, why_done=why, board=1, swings=nothing)

    _stages: dict[str, Callable[[CoTraining], None]] = {  # noqa: RUF012 - never changed
        records.PRACTISE: _practise,
        records.LEARN: _learn,
        records.TRY: _try,
        records.MEASURE: _measure,
    }

    # --- files --------------------------------------------------------------------------------------------

    def _situation(self) -> Situation:
        assert self.state.situation is not None
        return self.state.situation

    def _seed(self, *place: int) -> int:
        return seed_at(self.state.settings.seed, *place) >> 1  # seeds of deals have 63 bits

    def _path(self, name: str) -> Path:
        return self._folder.path / name

    def _network_name(self, count: int) -> str:
        return f"networks/{count:02d}.bids"

    def _trial_name(self) -> str:
        return f"trials/{len(self.state.trials) + 1:03d}.bids"

    def _file(self) -> str:
        """The text that the pair plays now."""
        return str(self._path(self._network_name(len(self.state.networks))))

    def _write_texts(self) -> None:
        """Write the text of the pair, and of a network that is being tried; a kill may have come before."""
        self._write(self._network_name(len(self.state.networks)), self.state.networks)
        if self.state.learned is not None:
            self._write_trial()

    def _write_trial(self) -> None:
        assert self.state.learned is not None
        self._write(self._trial_name(), (*self.state.networks, self.state.learned))

    def _write(self, name: str, networks: tuple[Network, ...]) -> None:
        self._path(name).parent.mkdir(exist_ok=True)
        self._folder.write(name, networks_text(networks, f"Learned-{len(networks)}"))

    def _save(self) -> None:
        """Write the checkpoint, and what is read off it."""
        self._folder.save(*records.checkpoint_of(self.state))
        self._folder.write("log.csv", records.table_csv(self.state.trials, Trial))
        self._folder.write("points.csv", records.table_csv(self.state.points, Point))
        self._saved = time.monotonic()


def best_situation(run: CoTrainingRun) -> Situation | None:
    """Of those without a network and not set aside, the situation where most was gained; None: nowhere."""
    taken = run.set_aside | {network.situation for network in run.networks}
    least = max(2, run.practised // _RARE)
    open_ones = [
        (gain, situation)
        for situation, (count, gain) in run.gains.items()
        if situation not in taken and count >= least and gain > 0
    ]
    return max(open_ones)[1] if open_ones else None


def shown_before(networks: tuple[Network, ...], situation: Situation) -> Condition:
    """What the player to call in a situation has shown by the calls before, as the networks read them."""
    hierarchy = hierarchy_of(networks)
    calls = situation.calls
    shown = []
    for place in range(len(calls) % 4, len(calls), 4):
        meaning = hierarchy.meaning(calls[place], Auction(calls=calls[:place]))
        if meaning is not None and meaning.condition != ANYTHING:
            shown.append(meaning.condition)
    return all_of(shown)


def _trial_of(run: CoTrainingRun, verdict: str) -> Trial:
    assert run.situation is not None
    count, gain = run.gains[run.situation]
    swings = Summary.of(run.swings) if len(run.swings) else Summary(0.0, float("inf"), 0, 0, 0)
    return Trial(
        len(run.trials) + 1,
        str(run.situation),
        count / run.practised,
        gain / run.practised,
        len(run.lessons),
        0 if run.learned is None else len(run.learned.rules),
        swings.boards,
        swings.mean,
        swings.stderr,
        verdict,
    )


@contextmanager
def _undisturbed(begin: Begin[Any, Any], folder: RunFolder) -> Iterator[Callable[[Any], Any]]:
    """Work of a process that leaves it to its parent when to stop.

    It gives back the lock of the folder that it was born with: a worker may outlive a parent that is killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    folder.unlock()
    with begin() as work:
        yield work
