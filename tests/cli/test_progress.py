"""What is shown of long work, and that what is printed meanwhile goes where it was sent."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from select import select

import pytest

from bidlab.cli import progress

_END = "<the end>"


@contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """Standard error is a terminal; a function for what was shown on it."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as stream, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setenv("TERM", "xterm")

        def shown() -> str:
            print(_END, end="", file=stream, flush=True)  # what was written comes through in pieces
            found = b""
            while not found.endswith(_END.encode()):
                assert select([ours], [], [], 10)[0], found
                found += os.read(ours, 1 << 16)
            return found.decode().removesuffix(_END)

        yield shown
    os.close(ours)


def test_lines_go_into_a_file_while_a_count_is_shown_on_the_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    monkeypatch.setattr(progress, "_EVERY", 1)
    with terminal(monkeypatch) as shown, (tmp_path / "out.txt").open("w") as file:
        with redirect_stdout(file):
            for number in progress.counted(range(3), "bidding"):
                print(f"board {number}")
        told = shown()
    assert (tmp_path / "out.txt").read_text() == "board 0\nboard 1\nboard 2\n"
    assert "bidding 2 boards" in told and "board 1" not in told


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as shown:
        assert list(progress.counted(range(3), "bidding")) == [0, 1, 2]
        print("done", file=sys.stderr, flush=True)
        assert shown().split() == ["done"]
