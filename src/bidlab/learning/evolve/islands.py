"""Who plays the tournaments of islands between two exchanges: threads of this process, or workers on ray.

Until they look at each other again islands have nothing to do with each other, so that it is the same
whoever plays them, and in which order.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any, Protocol

from bidlab.learning.cluster import Cluster, ray_failure
from bidlab.learning.evolve.measuring import climbing_boards, tournament_deals
from bidlab.systems.webb import Population, Rules, Standing, played
from bidlab.systems.webb.climbing import Steps, climbed

_A_CHUNK = 0.2  # seconds: as long a native call may last, so that an interruption is heard
_A_LOOK = 0.2  # seconds between two looks at how far others are


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """Somebody has asked to stop."""


@dataclass(frozen=True, eq=False)
class Work:
    """What an island plays until the next exchange; it can travel to another process."""

    standing: Standing
    turns: int
    rules: Rules
    seed: int
    deals: str
    migrants: Population | None
    migration: float
    steps: Steps | None = None  # of a climb

    def played(self, turns: int, standing: Standing, threads: int) -> Standing:
        """A part of it, from where it stands."""
        if self.steps is not None:
            boards = climbing_boards(self.deals)
            return climbed(standing, boards, turns, self.steps, seed=self.seed, threads=threads)
        return played(
            standing,
            tournament_deals(self.deals),
            turns,
            self.rules,
            seed=self.seed,
            migrants=self.migrants,
            migration=self.migration,
            threads=threads,
        )


Tell = Callable[[int], None]  # told how many turns more are played, of all islands together


class Players(Protocol):
    """Whoever plays the islands."""

    def play(self, works: Sequence[Work], tell: Tell, stop: Event) -> tuple[Standing, ...]:
        """The standing of each island after its turns; raises Stopped where somebody asks to stop."""

    def close(self) -> None:
        """End what was started for it."""


class Here:
    """Threads of this process: islands side by side, and threads that are left over within islands."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def play(self, works: Sequence[Work], tell: Tell, stop: Event) -> tuple[Standing, ...]:
        """The standing of each island after its turns."""
        side_by_side = min(len(works), self.threads)
        within = max(1, self.threads // len(works))
        lock = Lock()
        told = 0

        def count(turns: int) -> None:
            nonlocal told
            with lock:
                told += turns

        def told_now() -> None:
            nonlocal told
            with lock:
                turns, told = told, 0
            tell(turns)

        with ThreadPoolExecutor(side_by_side) as pool:
            waiting = [pool.submit(_played_in_chunks, work, within, count, stop) for work in works]
            left = set(waiting)
            while left:
                done, left = wait(left, timeout=_A_LOOK, return_when=FIRST_EXCEPTION)
                told_now()
                if any(one.exception() for one in done):
                    stop.set()
            told_now()
            return tuple(one.result() for one in waiting)

    def close(self) -> None:
        """Nothing was started that has not ended."""


def _played_in_chunks(work: Work, threads: int, count: Tell, stop: Event) -> Standing:
    standing, left, chunk = work.standing, work.turns, 8
    while left:
        if stop.is_set():
            raise Stopped
        turns = min(chunk, left)
        before = time.monotonic()
        standing = work.played(turns, standing, threads)
        spent = time.monotonic() - before
        left -= turns
        count(turns)
        chunk = max(1, min(4 * chunk, int(turns * _A_CHUNK / max(spent, 1e-6))))
    return standing


class OnRay:
    """Workers of a ray cluster, an island each."""

    def __init__(self, address: str) -> None:
        self._cluster = Cluster(address)
        self._ray = self._cluster.ray

    def play(self, works: Sequence[Work], tell: Tell, stop: Event) -> tuple[Standing, ...]:
        """The standing of each island after its turns."""
        ray: Any = self._ray
        task = ray.remote(_played_at_once)
        turns = {task.remote(work): (place, work.turns) for place, work in enumerate(works)}
        found: dict[int, Standing] = {}
        left = list(turns)
        try:
            while left:
                done, left = ray.wait(left, timeout=_A_LOOK)
                for one in done:
                    place, count = turns[one]
                    found[place] = ray.get(one)
                    tell(count)
                if stop.is_set():
                    raise Stopped
        except ray.exceptions.RayError as error:
            raise ray_failure(error) from None
        finally:
            for one in left:
                ray.cancel(one, force=True)
        return tuple(found[place] for place in range(len(works)))

    def close(self) -> None:
        """Leave the cluster, where it was joined here."""
        self._cluster.close()


def _played_at_once(work: Work) -> Standing:
    return work.played(work.turns, work.standing, 1)
