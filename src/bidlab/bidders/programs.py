"""A program that is talked to by lines, written and read at the same time, so that full pipes block nobody.

There are no threads: whoever waits for a line also writes what is unsent and empties the program's standard
error. While nobody waits, a program that says too much waits too.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen
from typing import IO

from bidlab.bridge.errors import quoted

_CHUNK = 1 << 16
_LONGEST = 1 << 20  # bytes of one line
_LAST_WORDS = 1 << 12  # bytes of standard error that are kept
_GRACE = 0.5  # seconds to end by itself


class ProgramError(Exception):
    """What a program did wrong, as the end of a sentence."""


class Program:
    """A running program, the first of a process group that ends with it."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        # "python" is the one that runs bidlab: not every machine has one of that name.
        started = [sys.executable if words[0] == "python" else words[0], *words[1:]]
        try:
            process = Popen(
                started, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE,
                env={**os.environ, **environment}, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise ProgramError(f"cannot start {quoted(words[0])}: {why}") from None
        self._process = process
        self._input, self._output, self._errors = _pipes(process)
        self._selector = selectors.DefaultSelector()
        # Also when nobody closes it: as this object goes, or as the interpreter ends.
        self._end = weakref.finalize(self, _end, process, self._selector, os.getpid())
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._output, self._errors):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._unsent = bytearray()
        self._unread = bytearray()  # a line without its end
        self._last_words = b""
        self._lines: deque[bytes] = deque()
        self._is_silent = False  # its output has ended

    def send(self, line: bytes) -> None:
        """Have a line written as soon as the program takes it."""
        if not self._unsent and self._input.fileno() not in self._selector.get_map():
            self._selector.register(self._input, selectors.EVENT_WRITE)
        self._unsent += line + b"\n"

    def line(self, seconds: float) -> bytes:
        """The next line that the program says; an error if it takes longer or has ended."""
        deadline = time.monotonic() + seconds
        while not self._lines:
            left = deadline - time.monotonic()
            if self._is_silent:
                raise ProgramError(self._how_it_ended())
            if left <= 0:
                raise ProgramError(f"no answer within {seconds:g} seconds")
            self._go_on(left)
        return self._lines.popleft()

    def close(self, last_line: bytes | None = None) -> None:
        """End the program: with a last line and time to go by itself, or at once."""
        if last_line is not None and self._end.alive:
            self.send(last_line)
            deadline = time.monotonic() + _GRACE
            while not self._is_silent and (left := deadline - time.monotonic()) > 0:
                with suppress(ProgramError):
                    self._go_on(left)
                if not self._unsent:
                    self._input.close()
            self._status(deadline)
        self._end()

    def _go_on(self, seconds: float) -> None:
        """Write and read what can be, waiting at most so long for something to do."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._input:
                self._write()
            elif key.fileobj is self._output:
                self._hear()
            else:
                self._hear_errors()

    def _write(self) -> None:
        try:
            sent = os.write(self._input.fileno(), self._unsent[:_CHUNK])
            del self._unsent[:sent]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not listen; what it still says is read
            self._unsent.clear()
        if not self._unsent:
            self._selector.unregister(self._input)

    def _hear(self) -> None:
        said = self._read(self._output)
        if not said:
            self._is_silent = True
            return
        *lines, rest = said.split(b"\n")
        for line in lines:
            self._lines.append(bytes(self._unread) + line)
            self._unread.clear()
        self._unread += rest
        if len(self._unread) > _LONGEST:
            raise ProgramError(f"said {quoted(_text(self._unread))}, a line without an end")

    def _hear_errors(self) -> None:
        self._last_words = (self._last_words + self._read(self._errors))[-_LAST_WORDS:]

    def _read(self, pipe: IO[bytes]) -> bytes:
        """What a pipe holds; nothing at its end, after which it is left alone."""
        said = os.read(pipe.fileno(), _CHUNK)
        if not said:
            self._selector.unregister(pipe)
        return said

    def _how_it_ended(self) -> str:
        """Its exit status and the last line of its standard error."""
        status = self._status(time.monotonic() + _GRACE)
        while self._errors.fileno() in self._selector.get_map() and self._selector.select(0):
            self._go_on(0)
        lines = [line for line in _text(self._last_words).splitlines() if line.strip()]
        words = f"; its last words were {quoted(lines[-1].strip(), 120)}" if lines else ""
        if status is None:
            return f"it closed its output{words}"
        how = f"with status {status}" if status >= 0 else f"by signal {-status}"
        return f"it ended {how}{words}"

    def _status(self, deadline: float) -> int | None:
        """The exit status, minus the signal if there was one; None if it runs on after the deadline.

        The process is not reaped, so that its group keeps its number until the group is ended.
        """
        while True:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is not None:
                return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
            if time.monotonic() > deadline:
                return None
            time.sleep(0.005)


def _pipes(process: Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    assert process.stdin and process.stdout and process.stderr
    return process.stdin, process.stdout, process.stderr


def _text(said: bytes | bytearray) -> str:
    return bytes(said).decode("utf-8", errors="replace")


def _end(process: Popen[bytes], selector: selectors.BaseSelector, owner: int) -> None:
    """End the whole group, wait for the program, close the pipes."""
    if os.getpid() == owner:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    else:  # a copy of this process, made by fork, owns nothing and has nothing to wait for
        process.returncode = 0
    selector.close()
    for pipe in _pipes(process):
        with suppress(OSError):
            pipe.close()
