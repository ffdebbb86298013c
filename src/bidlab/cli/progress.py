"""What is shown of work that takes longer than two seconds, on a terminal only: a count or a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

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
    with ExitStack() as shown:
        tell: Callable[[int], None] | None = None
        for count, item in enumerate(items, 1):
            yield item
            if count % _EVERY == 0 and time.monotonic() - begun > _PATIENCE:
                tell = tell or shown.enter_context(_counter(doing, begun))
                tell(count)


@contextmanager
def _counter(doing: str, begun: float) -> Iterator[Callable[[int], None]]:
    """A function to tell how many boards have passed, which are shown with the time since they began."""
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    with _bar(
        SpinnerColumn(), TextColumn("{task.description} {task.completed} boards"), TimeElapsedColumn()
    ) as bar:
        task = bar.add_task(doing, total=None)
        bar.tasks[0].start_time = begun

        def tell(count: int) -> None:
            bar.update(task, completed=count)
            bar.refresh()

        yield tell


def _bar(*columns: ProgressColumn) -> Progress:
    """A bar on the terminal that goes when all is done.

    Lines that are printed meanwhile go past it only where they go to the terminal too, not into a file.
    """
    from rich.console import Console
    from rich.progress import Progress

    return Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        redirect_stdout=sys.stdout.isatty(),
    )


def _bar_with_words() -> Progress:
    """A bar with what is done before it and words of the task's own, `shown`, behind it."""
    from rich.progress import BarColumn, TextColumn  # of no use where there is no terminal

    return _bar(TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[shown]}"))


@contextmanager
def measured(doing: str, things: str) -> Iterator[Callable[[int, int], None]]:
    """A function to tell how many things are done, of how many; on a terminal a bar shows it.

    The bar has the rate and the time that is left. What was done when it is told first does not count for
    them: work that goes on from where it was is not faster for that.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with _bar_with_words() as bar:
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
    with _bar_with_words() as bar:
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
    with _bar_with_words() as bar:
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
