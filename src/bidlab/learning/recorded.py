"""Recorded auctions in arrays, for imitation: from the files that people keep, and from bidders.

What cannot be learned from is left out and told, with its file, its board and what is wrong: an auction with
an illegal call or without an end, a deal of which cards are unknown, more calls than there is room for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SEATS
from bidlab.bridge.errors import BidlabError, FormatError, IllegalCallError
from bidlab.formats.files import read_boards
from bidlab.formats.records import Problem, Record
from bidlab.learning.arrays import named_arrays
from bidlab.library import packed_deals
from bidlab.table.auctions import CALL_COUNT, NO_CALL, AuctionBatch
from bidlab.table.bidder import Bidder
from bidlab.table.bidding import BidTables, Boards, bid_tables

PLACES = 40  # calls of an auction that there is room for
SUFFIXES = (".json", ".lin", ".npz", ".pbn")
_ROWS = 100_000  # of a file of arrays, looked at together
_PORTION = 2_000  # boards that are bid together

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An auction that cannot be learned from, and why."""

    kind: str  # a few words, the same for all of a kind: "not ended"
    file: str
    line: int  # 0 where no line is to blame
    board: str  # "board 7", "row 12"; empty where it is unknown
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.board, self.text) if part)


OnLeftOut = Callable[[LeftOut], None]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedAuctions:
    """Whole, legal auctions with their deals, a row each, as imitation reads them."""

    pack: Bytes  # [auction, 13], the deal as libraries pack it
    dealer: Bytes  # N 0 .. W 3
    vulnerable: Bytes  # [auction, side N-S E-W]
    calls: Bytes  # [auction, 40], 255 after the end

    def __len__(self) -> int:
        return len(self.pack)

    @classmethod
    def joined(cls, parts: Sequence[RecordedAuctions]) -> RecordedAuctions:
        """The auctions of all parts, in their order."""
        if not parts:
            return cls(*(np.zeros(shape, np.uint8) for shape in ((0, 13), 0, (0, 2), (0, PLACES))))
        columns = zip(*((part.pack, part.dealer, part.vulnerable, part.calls) for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))

    def rows(self, which: Flags) -> RecordedAuctions:
        """Some of the auctions."""
        return RecordedAuctions(
            self.pack[which], self.dealer[which], self.vulnerable[which], self.calls[which]
        )

    def save(self, path: Path) -> None:
        """Write the arrays; what was there before stands until the new file is whole."""
        partial = path.with_suffix(".partial.npz")
        np.savez_compressed(
            partial, pack=self.pack, dealer=self.dealer, vul=self.vulnerable, calls=self.calls
        )
        partial.replace(path)


def read_auctions(source: str | Path, on_left_out: OnLeftOut) -> Iterator[RecordedAuctions]:
    """The auctions of a file, or of all files of a folder and those below it, a part a file.

    Files are PBN, LIN or bidlab's JSON, or arrays (.npz) as `RecordedAuctions.save` writes them.
    """
    path = Path(source)
    if not path.is_dir():
        yield _read_file(path, on_left_out)
        return
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    if not files:
        raise BidlabError(f"no auctions in {source}: files {' '.join(SUFFIXES)} are wanted there")
    for file in files:
        yield _read_file(file, on_left_out)


def _read_file(path: Path, on_left_out: OnLeftOut) -> RecordedAuctions:
    if path.suffix.lower() == ".npz":
        return _read_arrays(path, on_left_out)
    return _of_records(_usable(path, on_left_out))


# --- files of boards --------------------------------------------------------------------------------------

# What readers say of a record that has its auction with it, and what they say of play and result alone.
_SPOILS = re.compile(r"(auction|dealer|vulnerab\w+) left out|.* is assumed$")
_BESIDE = re.compile(
    r"(play|contract|result|names|tag\b.*) left out|no claim|passes after the end|.* ignored"
)


def _usable(path: Path, on_left_out: OnLeftOut) -> Iterator[Record]:
    """The records that can be learned from; what was said since the last one belongs to the next."""
    said: list[Problem] = []
    for record in read_boards(path, on_problem=said.append):
        spoilt = next((problem for problem in said if _SPOILS.match(problem.text)), None)
        _tell_lost(said, path, on_left_out)
        found = _fault(record) if spoilt is None else (_kind(spoilt), spoilt.text)
        if found is None:
            yield record
        else:
            line = spoilt.line if spoilt is not None else 0
            on_left_out(LeftOut(found[0], str(path), line, _board_name(record), found[1]))
        said.clear()
    _tell_lost(said, path, on_left_out)


def _tell_lost(said: Iterable[Problem], path: Path, on_left_out: OnLeftOut) -> None:
    """Tell what no record came of, such as a deal with a card twice."""
    for problem in said:
        if problem.is_error and not _SPOILS.match(problem.text) and not _BESIDE.match(problem.text):
            on_left_out(LeftOut(_kind(problem), str(path), problem.line, "", problem.text))


def _kind(problem: Problem) -> str:
    if "illegal call" in problem.text:
        return "illegal call"
    if problem.text.startswith("deal left out"):
        return "impossible deal"
    if problem.text.endswith("is assumed") or re.match(r"(dealer|vulnerab\w+) left out", problem.text):
        return "dealer or vulnerability unknown"
    return "unreadable"


def _fault(record: Record) -> tuple[str, str] | None:
    """Why a record cannot be learned from, as a kind and in full; None where it can be."""
    auction = record.auction
    if auction is None or not auction.calls:
        return "no auction", "no auction is recorded"
    if not record.board.deal.is_complete:
        known = sum(record.board.deal[seat] is not None for seat in SEATS)
        return "deal incomplete", f"deal incomplete: {known} of 4 hands are known"
    if not auction.is_ended:
        return "not ended", f'auction not ended: "{auction}"'
    if len(auction) > PLACES:
        return f"more than {PLACES} calls", f"{len(auction)} calls: there is room for {PLACES}"
    return None


def _board_name(record: Record) -> str:
    if record.board.number is None:
        return "board without a number"
    return f"board {record.board.number}" + (f" {record.room.lower()} room" if record.room else "")


def _of_records(records: Iterable[Record]) -> RecordedAuctions:
    bits, dealers, vulnerable, calls = [], [], [], []
    for record in records:
        assert record.auction is not None
        made = record.auction.calls
        bits.append(record.board.deal.bits)
        dealers.append(int(record.board.dealer))
        vulnerable.append([record.board.vulnerable & 1, record.board.vulnerable >> 1])
        calls.append([*made, *[NO_CALL] * (PLACES - len(made))])
    if not bits:
        return RecordedAuctions.joined([])
    return RecordedAuctions(
        packed_deals(np.array(bits, dtype=np.uint64)),
        np.array(dealers, dtype=np.uint8),
        np.array(vulnerable, dtype=np.uint8),
        np.array(calls, dtype=np.uint8),
    )


# --- files of arrays --------------------------------------------------------------------------------------


def _read_arrays(path: Path, on_left_out: OnLeftOut) -> RecordedAuctions:
    """The auctions of an .npz; every row is checked."""
    arrays = _arrays(path)
    count = len(arrays[0])
    parts = []
    for start in range(0, count, _ROWS):
        rows = _Rows(*(array[start : start + _ROWS] for array in arrays))
        kinds = rows.faults()
        for row in np.flatnonzero(kinds >= 0).tolist():
            kind = _FAULTS[kinds[row]]
            on_left_out(LeftOut(kind, str(path), 0, f"row {start + row}", rows.fault_text(kind, row)))
        parts.append(rows.auctions().rows(kinds < 0))
    return RecordedAuctions.joined(parts)


def _arrays(path: Path) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """The four arrays of a file, of the shapes that they must have."""
    pack, dealer, vulnerable, calls = named_arrays(path, "pack", "dealer", "vul", "calls")
    count = len(pack) if pack.ndim else 0
    shapes = {"pack": (count, 13), "dealer": (count,), "vul": (count, 2), "calls": (count, *calls.shape[1:2])}
    for (name, shape), array in zip(shapes.items(), (pack, dealer, vulnerable, calls), strict=True):
        if array.shape != shape or (name == "calls" and array.ndim != 2):
            wanted = list(shape) if name != "calls" else f"[{count}, {PLACES}]"
            raise FormatError(f"{path}: array {name} {list(array.shape)}: {wanted} is wanted")
        if array.dtype != np.uint8:
            raise FormatError(f"{path}: array {name} of {array.dtype}: uint8 is wanted")
    if calls.shape[1] < PLACES + 1:  # a column more than there is room for, so that too many are seen
        short = np.full((count, PLACES + 1 - calls.shape[1]), NO_CALL, dtype=np.uint8)
        calls = np.hstack([calls, short])
    return pack, dealer, vulnerable, calls


_FAULTS = (
    "impossible deal", "dealer or vulnerability unknown", f"more than {PLACES} calls", "not ended",
    "illegal call", "no auction",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows of a file of arrays, not yet known to be possible."""

    pack: Bytes
    dealer: Bytes
    vulnerable: Bytes
    calls: Bytes  # [auction, 41 or more]

    def auctions(self) -> RecordedAuctions:
        return RecordedAuctions(self.pack, self.dealer, self.vulnerable, self.calls[:, :PLACES])

    def faults(self) -> NDArray[np.int8]:
        """For each row the number of what is wrong with it, -1 for nothing."""
        found = np.full(len(self.pack), -1, dtype=np.int8)
        illegal, ended = self._walked()
        for kind, wrong in (
            ("not ended", ~ended),
            ("illegal call", illegal),
            (f"more than {PLACES} calls", ~illegal & (self.calls[:, PLACES] != NO_CALL)),
            ("no auction", self.calls[:, 0] == NO_CALL),
            ("dealer or vulnerability unknown", (self.dealer > 3) | (self.vulnerable > 1).any(axis=1)),
            ("impossible deal", ~self._has_whole_deals()),
        ):
            found[wrong] = _FAULTS.index(kind)
        return found

    def _has_whole_deals(self) -> Flags:
        shifts = np.array([0, 2, 4, 6], dtype=np.uint8)
        holders = (self.pack[:, :, None] >> shifts & 3).reshape(-1, 52)
        counts = np.stack([(holders == seat).sum(axis=1) for seat in range(4)])
        whole: Flags = (counts == 13).all(axis=0)
        return whole

    def _walked(self) -> tuple[Flags, Flags]:
        """Which rows have an illegal call, or calls after the end, and which come to an end."""
        batch = AuctionBatch(len(self.calls))
        illegal, ended = np.zeros(len(self.calls), dtype=bool), np.zeros(len(self.calls), dtype=bool)
        going = np.arange(len(self.calls))
        for place in range(PLACES):
            going = going[self.calls[going, place] != NO_CALL]
            made = self.calls[going, place]
            legal = batch.legal(going)
            good = (made < CALL_COUNT) & legal[np.arange(len(going)), np.minimum(made, CALL_COUNT - 1)]
            illegal[going[~good]] = True
            going = going[good]
            batch.make(going, made[good])
            over = batch.ended(going)
            ended[going[over]] = True
            illegal[going[over]] = (self.calls[going[over], place + 1 :] != NO_CALL).any(axis=1)
            going = going[~over]
        return illegal, ended

    def fault_text(self, kind: str, row: int) -> str:
        """What is wrong with a row, in full."""
        if kind in ("impossible deal", "dealer or vulnerability unknown", "no auction"):
            dealer, vulnerable = int(self.dealer[row]), self.vulnerable[row].tolist()
            return {
                "impossible deal": "a deal that does not give each seat 13 cards",
                "no auction": "no auction is recorded",
            }.get(kind, f"dealer {dealer}, vulnerable {vulnerable}: 0 to 3, and 0 or 1 twice, are wanted")
        calls = [call for call in self.calls[row].tolist() if call != NO_CALL]
        if kind == "not ended":  # a hole ends it
            calls = calls[: int((self.calls[row] == NO_CALL).argmax())]
        if kind.startswith("more than"):
            return f"{len(calls)} calls or more: there is room for {PLACES}"
        odd = next((call for call in calls if call >= CALL_COUNT), None)
        if kind == "illegal call" and odd is not None:
            return f"no call of number {odd}: 0 to {CALL_COUNT - 1} are wanted, and {NO_CALL} after the end"
        try:
            auction = Auction(SEATS[self.dealer[row]], VULNERABILITIES[0], calls)
        except IllegalCallError as error:
            return str(error)
        return f'auction not ended: "{auction}"'


# --- bidders ----------------------------------------------------------------------------------------------


def auctions_of(
    bidder: Bidder,
    boards: Boards,
    on_left_out: OnLeftOut,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> RecordedAuctions:
    """The auctions of a bidder at all four seats of some boards."""
    parts = []
    for start in range(0, len(boards), _PORTION):
        rows = slice(start, start + _PORTION)
        some = Boards(boards.bits[rows], boards.dealers[rows], boards.vulnerable[rows], boards.numbers[rows])
        nobody = np.zeros(len(some), dtype=np.uint8)
        tables = bid_tables(some, [bidder], nobody, nobody, wants_meanings=False)
        parts.append(_of_tables(tables, bidder.name, on_left_out))
        on_progress(start + len(some), len(boards))
    return RecordedAuctions.joined(parts)


def _of_tables(tables: BidTables, name: str, on_left_out: OnLeftOut) -> RecordedAuctions:
    boards, made = tables.boards, tables.calls
    length = (made != NO_CALL).sum(axis=1)
    for row in np.flatnonzero(length > PLACES).tolist():
        text = f"{length[row]} calls: there is room for {PLACES}"
        on_left_out(LeftOut(f"more than {PLACES} calls", name, 0, f"board {boards.numbers[row]}", text))
    calls = np.full((len(boards), PLACES), NO_CALL, dtype=np.uint8)
    places = min(PLACES, made.shape[1])
    calls[:, :places] = made[:, :places]
    sides = np.stack([boards.vulnerable & 1, boards.vulnerable >> 1], axis=1)
    return RecordedAuctions(packed_deals(boards.bits), boards.dealers, sides, calls).rows(length <= PLACES)
