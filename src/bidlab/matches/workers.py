"""Processes that work side by side, and whose findings come in the order of the tasks.

A pool of the standard library sends everything through threads and queues and copies it several times,
which costs as much as cheap bidders do. Here each worker has a line of its own to the process that asks,
arrays come in memory that both share, and tasks that are quickly done are given and answered many at a time.
"""

from __future__ import annotations

import os
import pickle
import struct
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from itertools import accumulate
from mmap import MAP_PRIVATE, mmap
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from socket import MSG_WAITALL, recv_fds, send_fds, socket, socketpair
from tempfile import TemporaryFile
from threading import Event
from typing import Any, BinaryIO, Generic, TypeVar

from bidlab.bridge.errors import BidlabError

Task = TypeVar("Task")
Found = TypeVar("Found")
Begin = Callable[[], AbstractContextManager[Callable[[Task], Found]]]

_AHEAD = 2  # messages that a worker has: one to go on with while the answer to the other is read
_QUICK = 0.02  # seconds: a message that takes less is too short
_MOST = 32  # tasks in a message
_A_LOOK = 0.2  # seconds between two looks whether somebody asked to stop
_PIECE = 1 << 20  # bytes written to a file at once
_ALIGNED = 64
_GONE = (EOFError, BrokenPipeError, ConnectionResetError)  # of a line that has no other end
_HEAD = struct.Struct("<II")  # before a message: the bytes of its pickle, the number of its buffers


class Workers(Generic[Task, Found]):
    """Forked processes, each with what `begin` gives there: a function for the tasks, closed at the end."""

    def __init__(self, count: int, begin: Begin[Task, Found]) -> None:
        self._count, self._begin = count, begin
        self._processes: list[BaseProcess] = []
        self._lines: list[socket] = []

    def __enter__(self) -> Workers[Task, Found]:
        context = get_context("fork")
        for _ in range(self._count):
            here, there = socketpair()
            self._lines.append(here)
            process = context.Process(target=_serve, args=(there, self._lines, self._begin))
            process.start()
            there.close()  # so that the line is dead when the worker is
            self._processes.append(process)
        return self

    def __exit__(self, *_: object) -> None:
        for line in self._lines:
            line.close()  # a worker ends when nobody listens
        for process in self._processes:
            process.join()

    def abandon(self) -> None:
        """End the workers at once, whatever they are at; tasks that were not answered are lost."""
        for process in self._processes:
            process.kill()  # they may have inherited a handler that puts off any softer signal

    def map(self, tasks: Sequence[Task], stop: Event | None = None) -> Iterator[Found]:
        """The findings of the tasks, in their order; they end early where somebody sets `stop`.

        Workers are given no more than two messages each beyond what was read: nobody may want the rest.
        How many tasks are in a message follows the clock, what is found does not.
        """
        busy = dict.fromkeys(self._lines, 0)
        found: dict[int, list[Found | _Failed]] = {}  # by the place of the first task
        asked = place = 0
        size = 1
        while place < len(tasks):
            while asked < min(len(tasks), place + _AHEAD * self._count * size):
                line = min(self._lines, key=busy.__getitem__)
                if busy[line] == _AHEAD:
                    break
                # Towards the end messages get short again, so that all workers end at the same time.
                given = tasks[asked : asked + max(1, min(size, (len(tasks) - asked) // (2 * self._count)))]
                with suppress(*_GONE):  # the answer will say so
                    _send(line, (asked, given))
                busy[line] += 1
                asked += len(given)
            if stop is not None and stop.is_set():
                return
            if place not in found:
                ready = wait(self._lines, None if stop is None else _A_LOOK)
                for line in (line for line in self._lines if line in ready):
                    at, several, spent = _answer(line)
                    found[at] = several
                    busy[line] -= 1
                    if spent < _QUICK and len(several) == size < _MOST:
                        size *= 2
                continue
            for one in found.pop(place):
                if isinstance(one, _Failed):
                    raise one.error
                place += 1
                yield one


@dataclass(frozen=True)
class _Failed:
    """What is found where an error came up; it is raised when its turn comes, as if there were one worker."""

    error: Exception


def _answer(line: socket) -> tuple[int, list[Any], float]:
    """The place of the first task, what was found, and the seconds it took."""
    try:
        place, several, spent = _received(line)
    except _GONE:
        raise BidlabError("a worker process ended before its work was done") from None
    if place is None:
        raise several[0].error
    return place, several, spent


def _serve(line: socket, other_ends: Sequence[socket], begin: Begin[Any, Any]) -> None:
    """What a worker does: tasks until there are no more."""
    for other in other_ends:  # of this and of earlier workers: they must be dead when the parent closes them
        other.close()
    try:
        with begin() as work:
            while True:
                place, tasks = _received(line)
                begun = time.perf_counter()
                several = list(_findings(work, tasks))
                _send(line, (place, several, time.perf_counter() - begun))
    except (*_GONE, KeyboardInterrupt):
        pass  # nobody listens any more
    except Exception as error:  # not of a task: the work could not begin
        with suppress(*_GONE):
            _send(line, (None, [_Failed(_portable(error))], 0.0))
            while line.recv(1 << 16):  # tasks that are on their way find somebody until the error is read
                pass


def _findings(work: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
    """What is found for tasks, up to the first error."""
    for task in tasks:
        try:
            yield work(task)
        except Exception as error:
            yield _Failed(_portable(error))
            return


def _portable(error: Exception) -> Exception:
    """An error that can be sent, with the place where it came up."""
    error.add_note("in a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return BidlabError(f"{type(error).__name__} in a worker process: {error}")
    return error


def _send(line: socket, message: object) -> None:
    """A message: its pickle over the line; the bytes of its arrays, from multiples of 64 on, in a file.

    The file has no name and lives in memory. The other end maps it, so that arrays are not copied there.
    """
    buffers: list[pickle.PickleBuffer] = []
    pickled = pickle.dumps(message, 5, buffer_callback=buffers.append)
    raw = [buffer.raw() for buffer in buffers]
    sizes = struct.pack(f"<{len(raw)}Q", *(len(one) for one in raw))
    told = b"".join([_HEAD.pack(len(pickled), len(raw)), sizes, pickled])
    if not raw:
        line.sendall(told)
        return
    with _nameless_file() as file:
        for one in raw:
            file.write(one)
            file.write(bytes(-len(one) % _ALIGNED))
        file.flush()
        sent = send_fds(line, [told], [file.fileno()])
        line.sendall(told[sent:])


def _nameless_file() -> BinaryIO:
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("bidlab"), "wb", _PIECE)
    return TemporaryFile()


def _received(line: socket) -> Any:
    """The next message; its arrays stay in the file that came with it."""
    head, files, _, _ = recv_fds(line, _HEAD.size, 1)
    if not head:
        raise EOFError
    try:
        head += _filled(line, _HEAD.size - len(head))
        length, count = _HEAD.unpack(head)
        sizes = struct.unpack(f"<{count}Q", _filled(line, 8 * count))
        pickled = _filled(line, length)
        # Private: an array may be written to, and nobody else sees it.
        is_empty = not files or not os.fstat(files[0]).st_size
        arrays = memoryview(bytearray() if is_empty else mmap(files[0], 0, MAP_PRIVATE))
    finally:
        for file in files:
            os.close(file)
    begins = accumulate((size + -size % _ALIGNED for size in sizes), initial=0)
    buffers = [arrays[begin : begin + size] for begin, size in zip(begins, sizes, strict=False)]
    return pickle.loads(pickled, buffers=buffers)


def _filled(line: socket, length: int) -> bytes:
    """So many bytes."""
    room = bytearray(length)
    done = 0
    while done < length:
        got = line.recv_into(memoryview(room)[done:], 0, MSG_WAITALL)
        if not got:
            raise EOFError
        done += got
    return bytes(room)
