"""How a long run is stopped: the first Ctrl-C asks it to end with a checkpoint, the second ends it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


@contextmanager
def stopped_by_signals(stop: Event) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM end the run with a checkpoint; the second does what it always does."""
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in signals}

    def ask(number: int, frame: FrameType | None) -> None:
        for each, usual in before.items():
            signal.signal(each, usual)
        stop.set()
        print("bidlab: stopping; once more to stop without a checkpoint", file=sys.stderr)

    for number in signals:
        signal.signal(number, ask)
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
