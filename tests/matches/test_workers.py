"""Workers: findings in the order of the tasks, errors in their turn, and nobody left behind."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import active_children
from threading import Event

import numpy as np
import pytest

from bidlab.bridge.errors import BidlabError
from bidlab.matches.workers import Workers


@contextmanager
def squares() -> Iterator[Callable[[int], object]]:
    def work(task: int) -> object:
        if task == 13:
            raise ValueError("no thirteen")
        if task == 99:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.001 * (task % 3))
        return task, np.full(task, task, dtype=np.int64), np.full(3, task, dtype=np.int32)[::2]

    yield work


@contextmanager
def nothing() -> Iterator[Callable[[int], object]]:
    raise BidlabError("nothing to work with")
    yield


@pytest.mark.parametrize("count", [1, 2, 3])
def test_findings_come_in_order_and_keep_their_values(count: int) -> None:
    tasks = [task for task in range(80) if task != 13]
    with Workers(count, squares) as workers:
        for task, (number, many, few) in zip(tasks, workers.map(tasks), strict=True):
            assert number == task and many.tolist() == [task] * task and few.tolist() == [task] * 2
            many += 1  # arrays can be written to, and none is on top of another
            assert few.tolist() == [task] * 2 and many.flags.aligned
    assert not active_children()


def test_large_findings_go_through() -> None:
    with Workers(2, squares) as workers:
        sizes = [len(many) for _, many, _ in workers.map([3_000_000, 5, 2_000_000, 7])]
    assert sizes == [3_000_000, 5, 2_000_000, 7]


def test_an_error_is_raised_in_its_turn() -> None:
    with Workers(2, squares) as workers:
        found = workers.map(range(40))
        assert [next(found)[0] for _ in range(13)] == list(range(13))
        with pytest.raises(ValueError, match="no thirteen") as raised:
            next(found)
    assert "in a worker process" in raised.value.__notes__[0]
    assert not active_children()


def test_work_that_cannot_begin_and_workers_that_die() -> None:
    with pytest.raises(BidlabError, match="nothing to work with"), Workers(2, nothing) as workers:
        list(workers.map(range(40)))
    with pytest.raises(BidlabError, match="ended before its work was done"), Workers(2, squares) as workers:
        list(workers.map(range(90, 110)))
    assert not active_children()


def test_the_rest_is_left_when_nobody_wants_it() -> None:
    with Workers(2, squares) as workers:
        assert next(workers.map(range(14, 10_000)))[0] == 14
    assert not active_children()


@contextmanager
def sleepers() -> Iterator[Callable[[float], float]]:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def work(seconds: float) -> float:
        time.sleep(seconds)
        return seconds

    yield work


def test_somebody_who_stops_waits_for_no_task_and_ends_those_at_work() -> None:
    stop, begun = Event(), time.monotonic()
    with Workers(2, sleepers) as workers:
        for found in workers.map([0.0, 60.0, 60.0, 60.0], stop):
            assert found == 0.0
            stop.set()
        workers.abandon()
    assert time.monotonic() - begun < 20 and not active_children()
