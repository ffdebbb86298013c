"""What the conventions of a system are worth: the system against itself without each of them, in turn.

python bench/conventions.py SYSTEM [CONVENTION ...] [--boards N] [--first N] [--library NAME | --seed N]

A row is the match `bidlab match SYSTEM SYSTEM,CONVENTION=off` over the same boards, with the same figures.
Boards that are bid alike at both tables tie, so that only the others are scored. What the whole system's book
has seen serves every row. A convention that the system has switched off is played on against off.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.expert import Expert
from bidlab.bridge.errors import BidlabError, did_you_mean
from bidlab.library import library
from bidlab.matches.match import portions_of, twice
from bidlab.matches.sources import LibraryBoards, SeededBoards, Source, check_boards
from bidlab.matches.statistics import Summary
from bidlab.systems.book import Book
from bidlab.systems.named import load_system
from bidlab.systems.system import System
from bidlab.table.bidding import BidTables, Boards, bid_tables
from bidlab.table.scoring import imp_array, scores

Swings = NDArray[np.int64]


@dataclass(frozen=True)
class Worth:
    """What a convention is worth, in IMPs a board with it against without it."""

    convention: str
    differing: int  # boards that are bid in two ways
    plain: Summary
    perfect: Summary


def worths(
    system: str, conventions: Iterable[str], source: Source, boards: int, first: int = 1
) -> Iterator[Worth]:
    """The worth of some conventions of a system, one after the other."""
    check_boards(source, first, boards)
    whole = load_system(system)
    book = Book(whole)
    for convention in conventions:
        is_on = whole.conventions[convention]
        without = Book(load_system(system, **{convention: "off" if is_on else "on"}))
        players = (Expert(book, system), Expert(without, f"{system} without {convention}"))
        found = [
            _swings(players if is_on else players[::-1], source.boards(*portion), source)
            for portion in portions_of(source, first, boards)
        ]
        plain, perfect = (np.concatenate([part[i] for part in found]) for i in (1, 2))
        yield Worth(convention, sum(part[0] for part in found), Summary.of(plain), Summary.of(perfect))


def _swings(players: tuple[Expert, ...], boards: Boards, source: Source) -> tuple[int, Swings, Swings]:
    """How many boards are bid in two ways, and the IMPs of the first player on all of them, twice."""
    count = len(boards)
    ns = np.repeat(np.array([0, 1], dtype=np.uint8), count)
    tables = bid_tables(twice(boards), players, ns, 1 - ns, wants_meanings=False)
    differ = np.flatnonzero((tables.calls[:count] != tables.calls[count:]).any(axis=1))
    swings = [np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)]
    if len(differ):
        some = _rows(tables, np.concatenate([differ, differ + count]))
        tricks = source.tricks(some)
        for of, with_doubles in zip(swings, (False, True), strict=True):
            points = scores(some, tricks, perfect=with_doubles).reshape(2, len(differ))
            of[differ] = imp_array(points[0] - points[1])
    return len(differ), swings[0], swings[1]


def _rows(tables: BidTables, rows: NDArray[np.intp]) -> BidTables:
    boards = tables.boards
    return BidTables(
        Boards(boards.bits[rows], boards.dealers[rows], boards.vulnerable[rows], boards.numbers[rows]),
        tables.calls[rows],
        tables.last[rows],
        tables.doubled[rows],
        tables.declarers[rows],
        (),
        tables.disclosed[rows],
    )


def _asked_for(system: System, names: list[str]) -> list[str]:
    for name in names:
        if name not in system.conventions:
            known = ", ".join(system.conventions)
            raise BidlabError(
                f"{system.name} uses no {name}{did_you_mean(name, system.conventions)}: it has {known}"
            )
    return names or list(system.conventions)


def main(words: list[str]) -> None:
    """Print the table of a system."""
    parser = argparse.ArgumentParser(description="What the conventions of a system are worth.")
    parser.add_argument("system")
    parser.add_argument("conventions", nargs="*", help="those to measure; by default all that it uses")
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=1, help="the number of the first board")
    parser.add_argument("--library", help="solved boards of a library")
    parser.add_argument("--seed", type=int, default=1, help="boards dealt from a seed, and solved as needed")
    asked = parser.parse_args(words)
    source: Source = LibraryBoards(library(asked.library)) if asked.library else SeededBoards(asked.seed)
    names = _asked_for(load_system(asked.system), asked.conventions)
    print(f"{asked.system}, boards {asked.first} to {asked.first + asked.boards - 1} of {source.name}")
    print("IMPs a board, with the convention against without it")
    print(f"{'convention':<24}{'boards that differ':>20}{'as bid':>20}{'perfect defence':>20}")
    for row in worths(asked.system, names, source, asked.boards, asked.first):
        plain, perfect = (f"{of.mean:+.4f} ± {of.stderr:.4f}" for of in (row.plain, row.perfect))
        print(f"{row.convention:<24}{row.differing:>20,}{plain:>20}{perfect:>20}", flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BidlabError as error:
        sys.exit(f"conventions: {error}")
