"""Team matches: every board is bid at two tables with the seats swapped, and the scores are compared.

At the first table the first bidder sits North-South, at the second East-West. All results are IMPs
from the first bidder's side, twice: **plain**, contracts as they were bid, and **perfect**, with
every contract that fails doubled, since double-dummy scoring never punishes an overbid otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bidlab.matches.sources import Source, check_boards
from bidlab.matches.statistics import SequentialTest, Summary
from bidlab.matches.workers import Workers
from bidlab.meaning.meaning import Meaning
from bidlab.table.auctions import Seats
from bidlab.table.bidder import Bidder
from bidlab.table.bidding import BidTables, Boards, bid_tables
from bidlab.table.scoring import Scores, imp_array, scores
from bidlab.table.views import Calls

MakeBidder = Callable[[], Bidder]  # can be sent to another process
Progress = Callable[[int, Summary], None]

_PORTIONS, _LEAST_PORTION = 16, 50  # a match has so many portions at least, unless they got too short
Portion = tuple[int, int]  # the first board, and how many


@dataclass(frozen=True, slots=True, eq=False)
class BidBoards:
    """Boards bid at both tables: first table of board i at i, the second at i + len(boards).

    What can be made from the rest is not kept: all of it has to come from another process.
    """

    boards: Boards  # each once
    calls: Calls  # the fields of BidTables
    last: Seats
    doubled: Seats
    declarers: Seats
    said: tuple[Meaning, ...]
    disclosed: NDArray[np.int32] | None  # None: nothing was said
    plain: Scores  # [2, board], points from North-South's side
    perfect: Scores

    @property
    def tables(self) -> BidTables:
        """Both tables of every board."""
        said = np.full(self.calls.shape, -1, dtype=np.int32) if self.disclosed is None else self.disclosed
        both = twice(self.boards)
        return BidTables(both, self.calls, self.last, self.doubled, self.declarers, self.said, said)

    @property
    def swings(self) -> NDArray[np.int64]:
        """IMPs of the first bidder, contracts as bid."""
        return imp_array(self.plain[0] - self.plain[1])

    @property
    def perfect_swings(self) -> NDArray[np.int64]:
        """IMPs of the first bidder, contracts that fail doubled."""
        return imp_array(self.perfect[0] - self.perfect[1])


@dataclass(frozen=True, slots=True, eq=False)
class MatchResult:
    """What a match came to, with everything that was bid."""

    first: str
    second: str
    source: str
    parts: tuple[BidBoards, ...]
    answer: str | None = None  # of a sequential test that stopped the match

    @property
    def swings(self) -> NDArray[np.int64]:
        """IMPs of the first bidder on each board, contracts as bid."""
        return np.concatenate([part.swings for part in self.parts])

    @property
    def perfect_swings(self) -> NDArray[np.int64]:
        """IMPs of the first bidder on each board, contracts that fail doubled."""
        return np.concatenate([part.perfect_swings for part in self.parts])

    @property
    def plain(self) -> Summary:
        """The match as it was bid."""
        return Summary.of(self.swings)

    @property
    def perfect(self) -> Summary:
        """The match against perfect defence."""
        return Summary.of(self.perfect_swings)

    @property
    def boards(self) -> int:
        """How many boards were bid."""
        return sum(part.plain.shape[1] for part in self.parts)


def bid_both_tables(
    bidders: Sequence[Bidder], boards: Boards, source: Source, *, wants_meanings: bool = True
) -> BidBoards:
    """Boards bid by two bidders at two tables, and scored."""
    count = len(boards)
    ns = np.repeat(np.array([0, 1], dtype=np.uint8), count)
    tables = bid_tables(twice(boards), bidders, ns, 1 - ns, wants_meanings=wants_meanings)
    tricks = source.tricks(tables)
    plain, perfect = (
        scores(tables, tricks, perfect=with_doubles).reshape(2, count) for with_doubles in (False, True)
    )
    shown = tables.disclosed if tables.said else None
    made = (tables.calls, tables.last, tables.doubled, tables.declarers, tables.said, shown)
    return BidBoards(boards, *made, plain, perfect)


def twice(boards: Boards) -> Boards:
    """All boards, and all of them again."""
    return Boards(
        np.concatenate([boards.bits] * 2),
        np.concatenate([boards.dealers] * 2),
        np.concatenate([boards.vulnerable] * 2),
        np.concatenate([boards.numbers] * 2),
    )


def play_match(
    first: MakeBidder,
    second: MakeBidder,
    source: Source,
    boards: int,
    *,
    first_board: int = 1,
    workers: int = 1,
    test: SequentialTest | None = None,
    progress: Progress | None = None,
    wants_meanings: bool = True,
) -> MatchResult:
    """A match over boards of a source; with a test, it stops as soon as the answer is clear.

    The result is the same for any number of workers: boards are bid in portions, and read in order. It holds
    what the calls were said to mean, unless that is not wanted: written systems bid much faster then.
    """
    check_boards(source, first_board, boards)
    portions = list(portions_of(source, first_board, boards))
    parts: list[BidBoards] = []
    swings: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    answer = None
    with _Team(first, second, source, workers, wants_meanings) as team:
        for part in team.bid(portions):
            parts.append(part)
            if progress is None and test is None:
                continue
            swings = np.concatenate([swings, part.swings])
            if progress is not None:
                progress(len(swings), Summary.of(swings))
            answer = test.answer(swings) if test is not None else None
            if answer is not None:
                break
        names = team.names
    return MatchResult(*names, source.name, tuple(parts), answer)


def portions_of(source: Source, first: int, boards: int) -> Iterator[Portion]:
    """The first board and the number of boards of each portion that is bid together.

    Short matches have short portions, so that all workers get some; how many there are changes nothing.
    """
    size = min(source.portion, max(_LEAST_PORTION, -(-boards // _PORTIONS)))
    for start in range(first, first + boards, size):
        yield start, min(size, first + boards - start)


class _Team:
    """The two bidders at work, here or in other processes."""

    def __init__(
        self, first: MakeBidder, second: MakeBidder, source: Source, workers: int, wants_meanings: bool
    ) -> None:
        self._make, self._source, self._wants_meanings = (first, second), source, wants_meanings
        self._bidders: tuple[Bidder, Bidder] | None = None
        self._workers: Workers[Portion, BidBoards] | None = None
        if workers > 1:
            self._workers = Workers(workers, partial(_at_work, first, second, source, wants_meanings))

    @property
    def names(self) -> tuple[str, str]:
        """What the bidders are called."""
        one, other = self._own()
        return one.name, other.name

    def _own(self) -> tuple[Bidder, Bidder]:
        if self._bidders is None:
            self._bidders = (self._make[0](), self._make[1]())
        return self._bidders

    def __enter__(self) -> _Team:
        if self._workers is not None:
            self._workers.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.__exit__()
        for bidder in self._bidders or ():
            bidder.close()

    def bid(self, portions: Sequence[Portion]) -> Iterator[BidBoards]:
        """The portions of boards, bid, in their order."""
        if self._workers is None:
            for portion in portions:
                boards = self._source.boards(*portion)
                yield bid_both_tables(self._own(), boards, self._source, wants_meanings=self._wants_meanings)
            return
        yield from self._workers.map(portions)


@contextmanager
def _at_work(
    first: MakeBidder, second: MakeBidder, source: Source, wants_meanings: bool
) -> Iterator[Callable[[Portion], BidBoards]]:
    """The work of another process, with bidders of its own."""
    with closing(first()) as one, closing(second()) as other:
        yield lambda portion: bid_both_tables(
            (one, other), source.boards(*portion), source, wants_meanings=wants_meanings
        )
