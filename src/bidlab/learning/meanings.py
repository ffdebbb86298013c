"""Meanings learned from boards: how often each auction begins so, and which hands made its last call.

A bidder that cannot explain itself is bid at all four seats of many boards. Every beginning of an auction
that comes up often enough is kept with hands of the player who made its last call. Each is described by a
meaning (`bidlab.meaning.fitting`), and the book of them (`bidlab.bidders.meaningbook`) is what the bidder
discloses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.meaningbook import Entry, MeaningBook
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.meaning.fitting import fitted
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import typical_hand
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidder import Bidder
from bidlab.table.bidding import Boards, bid_tables
from bidlab.table.views import Calls

Progress = Callable[[int], object]

BATCH = 20_000  # boards bid in step
MOST_HANDS = 400
LEAST = 1e-5  # how often, a board, an auction must begin so
_FEWEST = 40  # hands; with fewer a meaning says too little to be kept
_PIECE = 200  # sequences that a worker describes at a time


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Beginnings of auctions, how many boards had them, and hands that made their last call."""

    calls: Calls  # [sequence, place], NO_CALL after the end
    count: NDArray[np.int64]
    hands: NDArray[np.uint64]  # [sequence, hand], 0 where there are no more
    boards: int  # how many were bid in all

    def __len__(self) -> int:
        return len(self.count)

    @classmethod
    def read(cls, *files: Path) -> Gathered:
        """The arrays of a file, as `write` or a training (`selfplay.gather`) leaves them; or of its parts."""
        parts = [cls._of_file(file) for file in files]
        if any(part.boards != parts[0].boards for part in parts):
            raise BidlabError(f"{files[0]} and the others are no parts of one gathering: their boards differ")
        width = max(part.calls.shape[1] for part in parts)
        return cls(
            np.concatenate([_widened(part.calls, width) for part in parts]),
            np.concatenate([part.count for part in parts]),
            np.concatenate([part.hands for part in parts]),
            parts[0].boards,
        )

    @classmethod
    def _of_file(cls, file: Path) -> Gathered:
        try:
            with np.load(file) as arrays:
                return cls(
                    arrays["calls"], arrays["count"], _as_words(arrays["hands"]), int(arrays["boards"])
                )
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise BidlabError(f"{file} holds no gathered hands: {error}") from None

    def with_more(self, other: Gathered) -> Gathered:
        """The same sequences with hands of another gathering too; how often they come up stays."""
        rows = {_key(calls): row for row, calls in enumerate(other.calls)}
        more = np.zeros((len(self), other.hands.shape[1]), dtype=np.uint64)
        for row, calls in enumerate(self.calls):
            found = rows.get(_key(calls))
            if found is not None:
                more[row] = other.hands[found]
        return Gathered(self.calls, self.count, np.hstack([self.hands, more]), self.boards)

    def common(self, least: float) -> Gathered:
        """Those that at least so large a share of the boards had."""
        kept = self.count >= least * self.boards
        return Gathered(self.calls[kept], self.count[kept], self.hands[kept], self.boards)

    def write(self, file: Path) -> None:
        """Keep the arrays in a file."""
        np.savez_compressed(
            file, calls=self.calls, count=self.count, hands=self.hands, boards=np.int64(self.boards)
        )


def _as_words(hands: NDArray[np.uint8] | NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hands as 52-bit words; a training writes seven bytes each, lowest first."""
    if hands.ndim == 2:
        return hands.astype(np.uint64)
    words = np.zeros((*hands.shape[:2], 8), dtype=np.uint8)
    words[:, :, : hands.shape[2]] = hands
    return words.view("<u8")[:, :, 0].astype(np.uint64)


def _key(calls: Calls) -> bytes:
    return bytes(calls[calls != NO_CALL])


# --- gathering ------------------------------------------------------------------------------------------


def gathered(
    bidder: Bidder,
    boards: int,
    seed: int,
    least: float = LEAST,
    *,
    most_hands: int = MOST_HANDS,
    progress: Progress | None = None,
) -> Gathered:
    """What boards 1, 2 .. of a seed show of a bidder at all four seats.

    Auctions that begin so at `least` of the boards or more are kept, with up to `most_hands` hands each:
    those of the first boards, which are as good as any.
    """
    parts = []
    for first in range(1, boards + 1, BATCH):
        count = min(BATCH, boards + 1 - first)
        dealt = Boards.numbered(deal_bits(count, seed, first), first)
        nobody = np.zeros(count, dtype=np.uint8)
        parts.append((dealt, bid_tables(dealt, [bidder], nobody, nobody, wants_meanings=False).calls))
        if progress is not None:
            progress(count)
    width = max(calls.shape[1] for _, calls in parts)
    made = np.concatenate([_widened(calls, width) for _, calls in parts])
    bits = np.concatenate([dealt.bits for dealt, _ in parts])
    dealers = np.concatenate([dealt.dealers for dealt, _ in parts])
    return _beginnings(made, bits, dealers, max(1, ceil(least * boards)), most_hands)


def _widened(calls: Calls, width: int) -> Calls:
    return np.pad(calls, ((0, 0), (0, width - calls.shape[1])), constant_values=NO_CALL)


def _beginnings(
    made: Calls, bits: NDArray[np.uint64], dealers: NDArray[np.uint8], fewest: int, most_hands: int
) -> Gathered:
    """All beginnings that at least so many boards have, the shortest first."""
    sequences, counts, hands = [], [], []
    going = np.arange(len(made))  # boards whose auction so far is common enough
    group = np.zeros(len(made), dtype=np.int64)
    for place in range(made.shape[1]):
        still = made[going, place] != NO_CALL
        going, group = going[still], group[still]
        keys = group * 64 + made[going, place]
        _, group, count = np.unique(keys, return_inverse=True, return_counts=True)
        own = bits[going, (dealers[going] + place) % 4]
        order = np.argsort(group, kind="stable")
        starts = np.cumsum(count) - count
        for number in np.flatnonzero(count >= fewest).tolist():
            held = order[starts[number] : starts[number] + count[number]]
            sequences.append(
                np.pad(
                    made[going[held[0]], : place + 1], (0, made.shape[1] - place - 1), constant_values=NO_CALL
                )
            )
            counts.append(int(count[number]))
            row = np.zeros(most_hands, dtype=np.uint64)
            row[: min(len(held), most_hands)] = own[held[:most_hands]]
            hands.append(row)
        kept = count[group] >= fewest
        going, group = going[kept], group[kept]
    return Gathered(
        np.array(sequences, dtype=np.uint8).reshape(len(sequences), made.shape[1]),
        np.array(counts, dtype=np.int64),
        np.array(hands, dtype=np.uint64).reshape(len(hands), most_hands),
        len(made),
    )


# --- describing -----------------------------------------------------------------------------------------


def book_of(
    found: Gathered, *, cover: float = 0.96, workers: int = 1, progress: Progress | None = None
) -> MeaningBook:
    """The book of all sequences that have hands enough, each described by a meaning."""
    entries: list[Entry] = []
    pieces = [slice(first, first + _PIECE) for first in range(0, len(found), _PIECE)]
    asked = ((found.calls[piece], found.count[piece], found.hands[piece], cover) for piece in pieces)
    for part in _mapped(asked, workers):
        entries += part
        if progress is not None:
            progress(_PIECE)
    return MeaningBook.of(entries, found.boards)


_Piece = tuple[Calls, NDArray[np.int64], NDArray[np.uint64], float]


def _mapped(asked: Iterator[_Piece], workers: int) -> Iterator[list[Entry]]:
    if workers < 2:
        yield from map(_described, asked)
        return
    with ProcessPoolExecutor(workers) as processes:
        yield from processes.map(_described, asked)


def _described(piece: _Piece) -> list[Entry]:
    """The entries of some sequences."""
    calls, counts, hands, cover = piece
    entries = []
    for row, count, words in zip(calls, counts.tolist(), hands, strict=True):
        held = words[words != 0]
        if len(held) >= min(_FEWEST, count) and len(held):
            made = tuple(row[row != NO_CALL].tolist())
            meaning: Meaning = fitted(held, cover=cover)
            entries.append(Entry(made, meaning, count, typical_hand(held)))
    return entries
