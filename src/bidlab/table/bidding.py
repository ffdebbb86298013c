"""Boards bid to the end: many tables in step, each bidder asked for all its players at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.boards import VULNERABILITIES, Board
from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import SEATS
from bidlab.meaning.meaning import Meaning
from bidlab.table.auctions import NO_CALL, AuctionBatch, Seats, contracts_of
from bidlab.table.bidder import Bidder, BidderError, Decisions
from bidlab.table.views import Calls, ViewBatch

Bits = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """Boards in arrays: the hands, who deals, who is vulnerable, and their numbers."""

    bits: Bits  # [board, seat N E S W]
    dealers: Seats
    vulnerable: Seats
    numbers: NDArray[np.int64]

    @classmethod
    def numbered(cls, bits: Bits, first: int = 1) -> Boards:
        """Deals as boards `first`, `first` + 1 ..: dealer and vulnerability by number."""
        numbers = np.arange(first, first + len(bits), dtype=np.int64)
        cycle = (numbers - 1) % 16
        vulnerable = (cycle + cycle // 4) % 4
        return cls(bits, ((numbers - 1) % 4).astype(np.uint8), vulnerable.astype(np.uint8), numbers)

    @classmethod
    def of(cls, boards: Sequence[Board]) -> Boards:
        """Boards given one by one."""
        return cls(
            np.array([board.deal.bits for board in boards], dtype=np.uint64).reshape(len(boards), 4),
            np.array([board.dealer for board in boards], dtype=np.uint8),
            np.array([board.vulnerable for board in boards], dtype=np.uint8),
            np.array([board.number or i for i, board in enumerate(boards, 1)], dtype=np.int64),
        )

    def rows(self, which: NDArray[np.intp]) -> Boards:
        """Some of the boards."""
        return Boards(self.bits[which], self.dealers[which], self.vulnerable[which], self.numbers[which])

    def __len__(self) -> int:
        return len(self.bits)


@dataclass(frozen=True, slots=True, eq=False)
class BidTables:
    """Tables that were bid: the calls, the contracts, and what was disclosed."""

    boards: Boards
    calls: Calls  # [table, place], NO_CALL after the end
    last: Seats  # the last bid, 0 when passed out
    doubled: Seats
    declarers: Seats
    said: tuple[Meaning, ...]  # every meaning that was disclosed, once
    disclosed: NDArray[np.int32]  # [table, place]: which of them, -1 where there was none

    def auction(self, table: int) -> Auction:
        """The auction of one table."""
        made = self.calls[table]
        dealer, vulnerable = self.boards.dealers[table], self.boards.vulnerable[table]
        calls = [CALLS[call] for call in made[made != NO_CALL].tolist()]
        return Auction(SEATS[dealer], VULNERABILITIES[vulnerable], calls)

    def meanings(self, table: int) -> tuple[Meaning | None, ...]:
        """What each call of one table was said to mean."""
        length = int((self.calls[table] != NO_CALL).sum())
        return tuple(self.said[i] if i >= 0 else None for i in self.disclosed[table, :length].tolist())


def bid_tables(
    boards: Boards, bidders: Sequence[Bidder], ns: Seats, ew: Seats, *, wants_meanings: bool = True
) -> BidTables:
    """Every board bid once, with bidder number ns[i] at North-South and ew[i] at East-West of table i.

    All tables go on in step. At each step a bidder gets one batch with all players that it bids for. Where
    nobody wants to know afterwards what the calls meant, bidders that can bid whole tables do so.
    """
    if not wants_meanings and len(boards):
        whole = _whole_auctions(boards, bidders, ns, ew)
        if whole is not None:
            return finished_tables(boards, whole)
    auctions, shown = AuctionBatch(len(boards)), Disclosures(len(boards))
    going = np.arange(len(boards))
    while len(going):
        place = auctions.place
        seats = (boards.dealers[going] + place) % 4
        turn = np.where(seats % 2 == 0, ns[going], ew[going])
        calls = np.zeros(len(going), dtype=np.uint8)
        for number, bidder in enumerate(bidders):
            own = np.flatnonzero(turn == number)
            if len(own):
                tables = going[own]
                decided = _legal(bidder, _views(boards, auctions, shown, tables, seats[own]))
                calls[own] = decided.calls
                if decided.meanings is not None:
                    shown.add(tables, place, decided.meanings)
        auctions.make(going, calls)
        going = going[~auctions.ended(going)]
    told = shown.so_far(np.arange(len(boards)), auctions.place)
    return _finished(boards, auctions, tuple(shown.said), told)


def _whole_auctions(boards: Boards, bidders: Sequence[Bidder], ns: Seats, ew: Seats) -> Calls | None:
    """The auctions of tables at which the same two bidders meet, if the first can bid them as a whole."""
    one, other = int(ns[0]), int(ew[0])
    same_two = ((ns == one) & (ew == other)) | ((ns == other) & (ew == one))
    if not same_two.all():
        return None
    return bidders[one].auctions(bidders[other], boards.bits, boards.dealers, boards.vulnerable, ns == one)


def finished_tables(boards: Boards, calls: Calls) -> BidTables:
    """The tables of auctions that are over, NO_CALL after their ends, with nothing disclosed."""
    longest = int((calls != NO_CALL).any(axis=0).sum())
    nothing = np.full((len(boards), longest), -1, dtype=np.int32)
    return BidTables(boards, calls[:, :longest], *contracts_of(calls, boards.dealers), (), nothing)


def _finished(
    boards: Boards, auctions: AuctionBatch, said: tuple[Meaning, ...], disclosed: NDArray[np.int32]
) -> BidTables:
    everywhere = np.arange(len(boards))
    return BidTables(
        boards,
        auctions.so_far(everywhere),
        auctions.last,
        auctions.doubled,
        auctions.declarers(boards.dealers),
        said,
        disclosed,
    )


class Disclosures:
    """What the calls of many tables were said to mean, as numbers.

    A few meanings are said at many tables: numbers are small, and quickly sent from one process to another.
    """

    def __init__(self, tables: int) -> None:
        self.said: list[Meaning] = []
        self._number: dict[Meaning, int] = {}
        self._objects: dict[int, tuple[Meaning, int]] = {}  # by id: most come again, and hashing takes long
        self._numbers = np.full((tables, 16), -1, dtype=np.int32)

    def add(self, tables: NDArray[np.intp], place: int, meanings: Sequence[Meaning | None]) -> None:
        """Note the meanings of one call at some tables."""
        while place >= self._numbers.shape[1]:
            self._numbers = np.hstack([self._numbers, np.full_like(self._numbers, -1)])
        different = {id(meaning): meaning for meaning in meanings}
        if len(different) == 1:
            self._numbers[tables, place] = self._number_of(meanings[0])
            return
        number = {key: self._number_of(meaning) for key, meaning in different.items()}
        self._numbers[tables, place] = [number[id(meaning)] for meaning in meanings]

    def _number_of(self, meaning: Meaning | None) -> int:
        if meaning is None:
            return -1
        known = self._objects.get(id(meaning))
        if known is None:
            number = self._number.setdefault(meaning, len(self.said))
            if number == len(self.said):
                self.said.append(meaning)
            known = self._objects[id(meaning)] = (meaning, number)
        return known[1]

    def so_far(self, tables: NDArray[np.intp], places: int) -> NDArray[np.int32]:
        """Array [table, place] of numbers of meanings, -1 where none was said."""
        while places > self._numbers.shape[1]:
            self._numbers = np.hstack([self._numbers, np.full_like(self._numbers, -1)])
        return self._numbers[tables, :places]


def _views(
    boards: Boards,
    auctions: AuctionBatch,
    shown: Disclosures,
    tables: NDArray[np.intp],
    seats: Seats,
) -> ViewBatch:
    """What the players to call at some tables see."""
    return ViewBatch(
        boards.bits[tables, seats],
        boards.dealers[tables],
        boards.vulnerable[tables],
        auctions.so_far(tables),
        auctions.legal(tables),
        shown.so_far(tables, auctions.place) if shown.said else None,
        shown.said,
    )


def _legal(bidder: Bidder, views: ViewBatch) -> Decisions:
    """A bidder's decisions; an error where one is no legal call."""
    decided = bidder.decide_many(views)
    calls = np.asarray(decided.calls)
    if calls.shape != (len(views),):
        raise BidderError(f"{bidder.name} gave {calls.shape} calls for {len(views)} players")
    good = calls < len(CALLS)
    good[good] = views.legal[np.flatnonzero(good), calls[good]]
    if not good.all():
        wrong = int(np.argmin(good))
        view, call = views[wrong], int(calls[wrong])
        said = CALLS[call].readable if call < len(CALLS) else f"call {call}"
        raise BidderError(f'{bidder.name} made the illegal call {said} in "{view.auction}" with {view.hand}')
    return decided
