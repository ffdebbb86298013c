"""Building a library: its deals are solved and written block by block, and what is there already is kept."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from itertools import tee
from pathlib import Path

from bidlab.library.header import Header, Purpose
from bidlab.library.reading import Library, library
from bidlab.library.site import Site, locked
from bidlab.library.workers import Solve, loaded_ray, own_solve, solved_here, solved_on_ray

SOLVER = "bidlab.doubledummy"
OnProgress = Callable[[int, int], None]  # told how many deals are solved, and of how many


@dataclass(frozen=True, slots=True)
class Built:
    """A finished library, and how it came about: deals that were there, and deals that were solved now."""

    library: Library
    kept: int
    solved: int


def build(
    path: str | os.PathLike[str],
    name: str,
    *,
    count: int,
    seed: int,
    first: int = 1,
    purpose: Purpose | None = None,
    threads: int = 0,
    ray: bool = False,
    solve: Solve | None = None,
    solver: str = SOLVER,
    on_progress: OnProgress | None = None,
) -> Built:
    """Solve deals `first` .. `first` + `count` - 1 of a seed into a file; what has become of it.

    A file that is there is gone on with: its good deals are kept, and only what is missing or damaged is
    solved. A larger `count` makes it longer, a smaller one changes nothing. The purpose is by default that
    of the file, or the name if it is one, or else `other`. `solve` is bidlab's own solver unless given;
    the header names it as `solver`.
    """
    target = Path(path)
    asked = Header(name, purpose or _usual_purpose(name), seed, first, count, version("bidlab"), solver)
    solve = solve or own_solve()
    if ray:
        loaded_ray()  # before a file is begun
    with locked(target) as stream:
        site = Site.begun(stream, target, asked, is_purpose_given=purpose is not None)
        told = _Told(site.kept, site.header.count, on_progress)
        if site.missing:
            _fill(site, solve, threads, ray, told)
    return Built(library(target), site.kept, site.missing)


def _fill(site: Site, solve: Solve, threads: int, ray: bool, told: _Told) -> None:
    """Solve and write what is missing, in the order of the blocks."""
    ahead, behind = tee(site.tasks())
    blocks = (site.dealt(task) for task in ahead)
    if ray:
        tables = solved_on_ray(blocks, solve, told.add)
    else:
        tables = solved_here(blocks, solve, threads, told.add)
    with closing(tables):
        for task, solved in zip(behind, tables, strict=True):
            site.write(task, solved)


def _usual_purpose(name: str) -> Purpose:
    return Purpose(name) if name in {purpose.value for purpose in Purpose} else Purpose.OTHER


class _Told:
    """Counts solved deals for somebody who wants to know."""

    def __init__(self, done: int, total: int, on_progress: OnProgress | None) -> None:
        self._done, self._total, self._on_progress = done, total, on_progress
        self.add(0)

    def add(self, deals: int) -> None:
        """Count some more."""
        self._done += deals
        if self._on_progress is not None:
            self._on_progress(self._done, self._total)
