"""Who solves the deals of a library: threads of this process, or workers on ray."""

from __future__ import annotations

import importlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Any, Protocol

import numpy as np

from bidlab.bridge.errors import BidlabError
from bidlab.library.packing import Bits, Tables

# Between two calls of the solver an interruption is heard and progress is told. Each call ends with threads
# that wait for the slowest deal, so it must not be short: this many deals a thread cost a few hundredths.
_DEALS_A_THREAD = 16


class Solve(Protocol):
    """What solves deals: tables of tricks for an array of deals, by that many threads; 0 for all cores."""

    def __call__(self, bits: Bits, /, *, threads: int = 0) -> Tables:
        """Array [deal, strain C D H S NT, declarer N E S W] of tricks."""
        ...


OnSolved = Callable[[int], None]  # told how many more deals are solved
Solved = Generator[Tables, None, None]


def own_solve() -> Solve:
    """bidlab's own solver; it is loaded only when something is solved."""
    from bidlab.doubledummy import solve

    return solve


def solved_here(blocks: Iterable[Bits], solve: Solve, threads: int, on_solved: OnSolved) -> Solved:
    """The tables of each block of deals, in their order.

    With many threads some blocks are solved together, so that all have work.
    """
    enough = _DEALS_A_THREAD * (threads or os.cpu_count() or 1)
    waiting = iter(blocks)
    while group := _group(waiting, enough):
        bits = np.concatenate(group)
        tables = []
        for piece in np.array_split(bits, -(-len(bits) // enough)):
            tables.append(solve(piece, threads=threads))
            on_solved(len(piece))
        ends = np.cumsum([len(block) for block in group])
        yield from np.split(np.concatenate(tables), ends[:-1])


def _group(blocks: Iterator[Bits], enough: int) -> list[Bits]:
    """The next blocks, up to that many deals but at least one block."""
    group = list(islice(blocks, 1))
    while group and sum(map(len, group)) + len(group[0]) <= enough:
        following = list(islice(blocks, 1))
        if not following:
            break
        group += following
    return group


def solved_on_ray(blocks: Iterable[Bits], solve: Solve, on_solved: OnSolved) -> Solved:
    """The tables of each block of deals, in their order; every worker of the cluster solves a block."""
    ray = loaded_ray()
    begun_here = not ray.is_initialized()
    if begun_here:
        ray.init(configure_logging=False, log_to_driver=False, include_dashboard=False)
    try:
        # One CPU a task, which is what ray takes for granted; two for each worker, so that none has to wait.
        task = ray.remote(_solve_block)
        ahead = max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
        waiting = iter(blocks)
        running = deque(task.remote(solve, block) for block in islice(waiting, ahead))
        while running:
            tables: Tables = ray.get(running.popleft())
            running.extend(task.remote(solve, block) for block in islice(waiting, 1))
            on_solved(len(tables))
            yield np.array(tables)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", error)  # what went wrong there, without the way it came back
        text = " ".join(str(cause).split())
        raise BidlabError(f"a worker on ray failed: {type(cause).__name__}: {text}") from error
    finally:
        if begun_here:
            ray.shutdown()


def _solve_block(solve: Solve, block: Bits) -> Tables:
    # An array that comes over ray is read-only, which a solver need not expect.
    return solve(np.array(block), threads=1)


def loaded_ray() -> Any:
    """The package ray; an error where it is not installed."""
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise BidlabError("ray is not installed: pip install 'bidlab[ray]', or build without --ray") from None
