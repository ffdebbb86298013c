"""A count of work that takes longer than two seconds, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

T = TypeVar("T")
_PATIENCE = 2.0  # seconds
_EVERY = 256


def counted(items: Iterable[T], doing: str) -> Iterator[T]:
    """The same items; on a terminal, how many have passed is shown once it takes long."""
    if not sys.stderr.isatty():
        yield from items
        return
    begun = time.monotonic()
    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed} boards"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(doing, total=None, visible=False)
        for count, item in enumerate(items, 1):
            yield item
            if count % _EVERY == 0 and time.monotonic() - begun > _PATIENCE:
                bar.update(task, completed=count, visible=True)
                bar.refresh()
