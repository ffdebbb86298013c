"""What happened: records of both tables of every board, and the boards that swung most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bidlab.bridge.boards import VULNERABILITIES, Board
from bidlab.bridge.cards import SEATS
from bidlab.bridge.contracts import Result
from bidlab.bridge.hands import Deal
from bidlab.doubledummy import Par, Solver, Tables, par
from bidlab.formats.diagram import auction_grid, board_diagram, result_text
from bidlab.formats.optimum import with_optimum
from bidlab.formats.records import Names, Note, Record
from bidlab.matches.match import BidBoards, MatchResult
from bidlab.meaning.conditions import ANYTHING

_ROOMS = ("Open", "Closed")


def match_records(match: MatchResult) -> Iterator[Record]:
    """Both tables of every board, with the trick table and par."""
    solver = Solver(warm=False)
    for part in match.parts:
        tables = solver.solve(part.boards.bits)
        for place in range(len(part.boards)):
            found = board_par(part, place, tables[place])
            for room in (0, 1):
                record = table_record(match, part, place, room, tables[place])
                yield with_optimum(record, tables[place].tolist(), found.results)


def board_of(part: BidBoards, place: int) -> Board:
    """One board of a part of a match."""
    boards = part.boards
    return Board(
        Deal.of_bits(boards.bits[place].tolist()),
        SEATS[boards.dealers[place]],
        VULNERABILITIES[boards.vulnerable[place]],
        int(boards.numbers[place]),
    )


def board_par(part: BidBoards, place: int, table: Tables) -> Par:
    """Par of one board."""
    board = board_of(part, place)
    return par(table, board.dealer, board.vulnerable)


def table_record(match: MatchResult, part: BidBoards, place: int, room: int, table: Tables) -> Record:
    """One table of one board: who sat where, the auction with its meanings, contract and tricks."""
    at = place + room * len(part.boards)
    auction = part.tables.auction(at)
    notes = [
        Note(i, meaning.short())
        for i, meaning in enumerate(part.tables.meanings(at))
        if meaning is not None and meaning.condition != ANYTHING
    ]
    contract = auction.contract
    assert contract is not None  # the auction has ended
    tricks = None
    if contract.strain is not None and contract.declarer is not None:
        tricks = int(table[contract.strain, contract.declarer])
    names: Names = (match.first, match.second, match.first, match.second)
    if room == 1:
        names = (match.second, match.first, match.second, match.first)
    return Record(
        board_of(part, place),
        auction,
        contract,
        tricks,
        names=names,
        room=_ROOMS[room],
        call_notes=tuple(notes),
    )


def swing_boards(match: MatchResult, count: int) -> Iterator[str]:
    """The boards that swung most, in words: the hands, both auctions, what came of them, and par."""
    swings = match.swings
    order = np.argsort(-np.abs(swings), kind="stable")[:count]
    starts = np.cumsum([0, *(len(part.boards) for part in match.parts)])
    for number in order.tolist():
        if not swings[number]:
            return
        chunk = int(np.searchsorted(starts, number, side="right")) - 1
        yield _swing_text(match, match.parts[chunk], number - int(starts[chunk]), int(swings[number]))


def _swing_text(match: MatchResult, part: BidBoards, place: int, swing: int) -> str:
    board = board_of(part, place)
    table = Solver(threads=1).trick_table(board.deal)
    lines = [board_diagram(board), ""]
    for room in (0, 1):
        record = table_record(match, part, place, room, table)
        assert record.auction is not None and record.contract is not None
        result = Result(record.contract, record.tricks or 0, board.vulnerable)
        lines += [
            f"{_ROOMS[room]} room: {record.names[0]} North-South, {record.names[1]} East-West",
            auction_grid(record.auction, record.call_notes),
            result_text(result),
            "",
        ]
    winner = match.first if swing > 0 else match.second
    lines.append(f"{abs(swing)} IMPs to {winner}. Par: {board_par(part, place, table)}")
    return "\n".join(lines)
