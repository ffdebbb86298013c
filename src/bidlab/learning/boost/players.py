"""Who plays the cells: this process, several processes side by side, or workers on ray.

Cells have nothing to do with each other, so that it is the same whoever plays them. What they came to is
given in the order of the cells, so that what was kept before a kill is always the beginning of the list.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Event
from typing import Protocol, Self

from bidlab.learning.boost.cells import Cell, PlayedBoards, close_bidders, play_cell
from bidlab.learning.cluster import Cluster, ray_failure
from bidlab.matches.workers import Workers

_A_LOOK = 0.2  # seconds between two looks whether somebody asked to stop


class Players(Protocol):
    """Whoever plays cells."""

    def play(self, cells: Sequence[Cell], stop: Event) -> Iterator[PlayedBoards]:
        """The boards of each cell, in order; ends early where somebody asks to stop."""

    def close(self) -> None:
        """End what was started for it."""


class Here:
    """This process alone, or so many beside it."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._processes: Workers[Cell, PlayedBoards] | None = None
        self._is_at_work = False  # cells are being played that nobody waits for any more

    def begun(self) -> Self:
        """The same, with its processes begun."""
        if self.workers > 1 and self._processes is None:
            self._processes = Workers(self.workers, _at_work)
            self._processes.__enter__()
        return self

    def play(self, cells: Sequence[Cell], stop: Event) -> Iterator[PlayedBoards]:
        """The boards of each cell, in order."""
        if self.workers == 1:
            for cell in cells:
                if stop.is_set():
                    return
                yield play_cell(cell)
            return
        self.begun()
        assert self._processes is not None
        self._is_at_work = True
        yield from self._processes.map(cells, stop)
        self._is_at_work = stop.is_set()

    def close(self) -> None:
        """End the processes, in the middle of a cell if need be, and close the bidders."""
        if self._processes is not None:
            if self._is_at_work:
                self._processes.abandon()
            self._processes.__exit__()
            self._processes = None
        close_bidders()


@contextmanager
def _at_work() -> Iterator[Callable[[Cell], PlayedBoards]]:
    """The work of another process; an interruption is for the one that asks, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        yield play_cell
    finally:
        close_bidders()


class OnRay:
    """Workers of a ray cluster, a cell each."""

    def __init__(self, address: str) -> None:
        self._cluster = Cluster(address)

    def play(self, cells: Sequence[Cell], stop: Event) -> Iterator[PlayedBoards]:
        """The boards of each cell, in order; two cells a processor are on their way."""
        ray = self._cluster.ray
        task = ray.remote(play_cell)
        ahead = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        waiting = iter(cells)
        running = deque(task.remote(cell) for cell in islice(waiting, ahead))
        try:
            while running and not stop.is_set():
                done, _ = ray.wait([running[0]], timeout=_A_LOOK)
                if done:
                    found: PlayedBoards = ray.get(running.popleft())
                    running.extend(task.remote(cell) for cell in islice(waiting, 1))
                    yield found
        except ray.exceptions.RayError as error:
            raise ray_failure(error) from None
        finally:
            for one in running:
                ray.cancel(one, force=True)

    def close(self) -> None:
        """Leave the cluster, where it was joined here."""
        self._cluster.close()
