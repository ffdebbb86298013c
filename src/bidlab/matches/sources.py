"""Where boards come from and how many tricks their contracts take: a library of solved deals, or a seed."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SEATS, STRAINS
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.doubledummy import Solver, par_scores
from bidlab.library import Library
from bidlab.table.bidding import BidTables, Boards
from bidlab.table.scoring import Scores

Tricks = NDArray[np.uint8]


class Source(Protocol):
    """Boards by number, and what can be made on them."""

    portion: int  # boards that are bid together: enough to be fast, few enough for all workers to get some

    @property
    def name(self) -> str:
        """How the boards are named in results."""

    def boards(self, first: int, count: int) -> Boards:
        """Boards `first`, `first` + 1 .."""

    def tricks(self, tables: BidTables) -> Tricks:
        """The tricks of each table's contract, double dummy; 0 where it was passed out."""

    def par(self, boards: Boards) -> Scores:
        """Par of each board, from North-South's side."""


class LibraryBoards:
    """Boards of a library, whose tricks are known."""

    portion = 2000

    def __init__(self, library: Library) -> None:
        self.library = library

    @property
    def name(self) -> str:
        """The name of the library."""
        return self.library.name

    def boards(self, first: int, count: int) -> Boards:
        """Boards `first`, `first` + 1 .. of the library."""
        return Boards.numbered(self.library.bits(first, count), first)

    def _tables(self, boards: Boards) -> Tricks:
        first = int(boards.numbers.min())
        span = int(boards.numbers.max()) - first + 1
        return np.asarray(self.library.tables(first, span)[boards.numbers - first])

    def tricks(self, tables: BidTables) -> Tricks:
        """The tricks of each table's contract, read from the library."""
        strain = (tables.last.astype(np.intp) + 2) % 5
        known = self._tables(tables.boards)[np.arange(len(strain)), strain, tables.declarers]
        return np.where(tables.last > 0, known, 0).astype(np.uint8)

    def par(self, boards: Boards) -> Scores:
        """Par of each board, from the tables of the library."""
        return par_scores(self._tables(boards), boards.dealers, boards.vulnerable)


class SolvedBoards:
    """Boards of any kind, solved as they are needed: the strain that is played, and no more."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    @cached_property
    def _solver(self) -> Solver:
        return Solver(threads=self.threads, warm=False)

    def tricks(self, tables: BidTables) -> Tricks:
        """The tricks of each table's contract; the same contract on the same deal is solved once."""
        strain = (tables.last.astype(np.int64) + 2) % 5
        contract = np.where(tables.last > 0, 4 * strain + tables.declarers, -1)
        keys = np.column_stack([tables.boards.bits[:, :3].astype(np.int64), contract])
        asked, place = np.unique(keys, axis=0, return_index=False, return_inverse=True)
        place = place.reshape(-1)
        first = np.full(len(asked), -1)
        first[place[::-1]] = np.arange(len(place))[::-1]
        played = np.flatnonzero(asked[:, 3] >= 0)
        found = np.zeros(len(asked), dtype=np.uint8)
        if len(played):
            codes = asked[played, 3].tolist()
            contracts = [Contract(1, STRAINS[code // 4], declarer=SEATS[code % 4]) for code in codes]
            found[played] = self._solver.tricks(tables.boards.bits[first[played]], contracts)
        return found[place]

    def par(self, boards: Boards) -> Scores:
        """Par of each board, by solving it in every strain."""
        return par_scores(self._solver.solve(boards.bits), boards.dealers, boards.vulnerable)


class SeededBoards(SolvedBoards):
    """Boards dealt at random from a seed."""

    portion = 50

    def __init__(self, seed: int, threads: int = 1) -> None:
        super().__init__(threads)
        self.seed = seed

    @property
    def name(self) -> str:
        """The seed."""
        return f"seed {self.seed}"

    def boards(self, first: int, count: int) -> Boards:
        """Boards `first`, `first` + 1 .. of the seed."""
        return Boards.numbered(deal_bits(count, self.seed, first), first)


def check_boards(source: Source, first: int, boards: int) -> None:
    """Raise unless there are so many boards."""
    if boards < 1:
        raise BidlabError(f"{boards} boards: at least one is wanted")
    if isinstance(source, LibraryBoards) and first + boards - 1 > source.library.header.last:
        raise BidlabError(
            f"no boards {first}-{first + boards - 1} in library {source.name}: "
            f"it has {source.library.first}-{source.library.header.last}"
        )
