"""Distance from par: how far scores are from what perfect bidding would score (Woolever 2001, section 4.3).

A bidder sits at all four seats; the distance of a board is the absolute difference between its
score and par, in IMPs. Passing always is the mark that any system must beat.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.comparison import imps
from bidlab.bridge.contracts import Contract, Doubling, Result
from bidlab.bridge.errors import BidlabError
from bidlab.doubledummy import Solver, par
from bidlab.formats.records import Record
from bidlab.matches.match import Progress, portions_of
from bidlab.matches.sources import Source, check_boards
from bidlab.matches.statistics import Summary
from bidlab.table.bidder import Bidder
from bidlab.table.bidding import bid_tables
from bidlab.table.scoring import imp_array, scores


@dataclass(frozen=True, slots=True, eq=False)
class Distance:
    """IMPs from par of each board: as bid, with failing contracts doubled, and for passing it out."""

    name: str
    source: str
    plain_imps: NDArray[np.int64]
    perfect_imps: NDArray[np.int64]
    passing_imps: NDArray[np.int64]

    @property
    def plain(self) -> Summary:
        """Contracts as they were bid."""
        return Summary.of(self.plain_imps)

    @property
    def perfect(self) -> Summary:
        """Contracts that fail doubled."""
        return Summary.of(self.perfect_imps)

    @property
    def passing(self) -> Summary:
        """Every board passed out."""
        return Summary.of(self.passing_imps)


def distance_from_par(
    bidder: Bidder, source: Source, boards: int, *, first_board: int = 1, progress: Progress | None = None
) -> Distance:
    """How far a bidder at all four seats stands from par on boards of a source."""
    check_boards(source, first_board, boards)
    found: list[NDArray[np.int64]] = []
    for start, count in portions_of(source, first_board, boards):
        own = source.boards(start, count)
        nobody = np.zeros(len(own), dtype=np.uint8)
        tables = bid_tables(own, [bidder], nobody, nobody, wants_meanings=False)
        tricks, par_score = source.tricks(tables), source.par(own)
        points = [scores(tables, tricks), scores(tables, tricks, perfect=True), np.zeros_like(par_score)]
        found.append(np.array([np.abs(imp_array(score - par_score)) for score in points]))
        if progress is not None:
            so_far = np.concatenate(found, axis=1)
            progress(so_far.shape[1], Summary.of(so_far[0]))
    return Distance(bidder.name, source.name, *np.concatenate(found, axis=1))


def distance_of_records(records: Iterable[Record], name: str) -> Distance:
    """The same of contracts that were bid elsewhere: records of a file that have a deal and a contract."""
    kept = [(record, contract) for record in records if (contract := _contract(record)) is not None]
    tables = Solver(warm=False).solve([record.board.deal for record, _ in kept])
    rows = []
    for (record, contract), table in zip(kept, tables, strict=True):
        board = record.board
        par_score = par(table, board.dealer, board.vulnerable).score
        tricks = 0
        if contract.strain is not None and contract.declarer is not None:
            tricks = int(table[contract.strain, contract.declarer])
        played = (contract, _doubled_if_failing(contract, tricks))
        points = [Result(one, tricks, board.vulnerable).score for one in played]
        rows.append([abs(imps(score - par_score)) for score in (*points, 0)])
    if not rows:
        raise BidlabError(f"no board of {name} has all its cards and a contract with its declarer")
    return Distance(name, name, *np.array(rows, dtype=np.int64).T)


def _contract(record: Record) -> Contract | None:
    """The contract of a record that can be scored: with its declarer, and with all cards known."""
    contract = record.contract
    if contract is None and record.auction is not None:
        contract = record.auction.contract
    if contract is None or not record.board.deal.is_complete:
        return None
    return contract if contract.is_passed_out or contract.declarer is not None else None


def _doubled_if_failing(contract: Contract, tricks: int) -> Contract:
    if contract.is_passed_out or tricks >= contract.tricks_needed or contract.doubling != Doubling.UNDOUBLED:
        return contract
    return Contract(contract.level, contract.strain, Doubling.DOUBLED, contract.declarer)
