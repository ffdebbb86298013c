"""What is shown of work that takes longer than two seconds, on a terminal only: a count or a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from bidlab.matches.statistics import Summary

T = TypeVar("T")
_PATIENCE = 2.0  # seconds
_EVERY = 256
_BETWEEN = 0.25  # seconds, at least, between two pictures of a bar that is told often


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


@contextmanager
def measured(doing: str, things: str) -> Iterator[Callable[[int, int], None]]:
    """A function to tell how many things are done, of how many; on a terminal a bar shows it.

    The bar has the rate and the time that is left. What was done when it is told first does not count for
    them: work that goes on from where it was is not faster for that.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[shown]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(doing, total=None, visible=False, shown="")
        start, earlier = time.monotonic(), -1

        def tell(done: int, total: int) -> None:
            nonlocal start, earlier
            now = time.monotonic()
            if earlier < 0:
                start, earlier = now, done
            if now - start > _PATIENCE and done > earlier:
                rate = (done - earlier) / (now - start)
                left = time_text((total - done) / rate)
                shown = f"{done:,} of {total:,} {things}, {rate:,.1f} a second, {left} left"
                bar.update(task, completed=done, total=total, visible=True, shown=shown)
                bar.refresh()

        yield tell


def time_text(seconds: float) -> str:
    """A time in its two largest units.

    >>> [time_text(seconds) for seconds in (7.4, 130, 7500, 200_000)]
    ['7 s', '2 min 10 s', '2 h 5 min', '2 d 7 h']
    """
    whole = round(seconds)
    parts = (whole // 86400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s")
    shown = [f"{number} {unit}" for number, unit in parts]
    largest = next((i for i, (number, _) in enumerate(parts) if number), 3)
    return " ".join(shown[largest : largest + 2])


@contextmanager
def told_means(doing: str) -> Iterator[Callable[[int, int, Summary], None]]:
    """A function to tell how many boards are done, of how many, and their mean so far; a bar shows it."""
    if not sys.stderr.isatty():
        yield lambda done, total, so_far: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[shown]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(doing, total=None, visible=False, shown="")
        start = time.monotonic()

        def tell(done: int, total: int, so_far: Summary) -> None:
            if time.monotonic() - start > _PATIENCE:
                shown = f"{done:,} of {total:,} boards, {so_far.mean:+.2f} ± {so_far.stderr:.2f}"
                bar.update(task, completed=done, total=total, visible=True, shown=shown)
                bar.refresh()

        yield tell


@contextmanager
def told_share(doing: str) -> Iterator[Callable[[float, Callable[[], str]], None]]:
    """A function to tell what share is done, 0 to 1, and what makes the words beside it; a bar shows it."""
    if not sys.stderr.isatty():
        yield lambda share, words: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[shown]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(doing, total=1.0, visible=False, shown="")
        start = shown_at = time.monotonic()
        earlier = -1.0

        def tell(share: float, words: Callable[[], str]) -> None:
            nonlocal earlier, shown_at
            now = time.monotonic()
            earlier = share if earlier < 0 else earlier
            if now - start > _PATIENCE and now - shown_at > _BETWEEN and share > earlier:
                shown_at = now
                left = time_text((1 - share) / (share - earlier) * (now - start))
                bar.update(task, completed=share, visible=True, shown=f"{words()}, {left} left")
                bar.refresh()

        yield tell
