"""Boards and auctions drawn as text, with suit signs, for people to read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SUITS, Seat, Suit
from bidlab.bridge.contracts import Result
from bidlab.bridge.hands import Hand
from bidlab.formats.records import NO_NAMES, Names, Note, Record

_SIGN = re.compile(r"[!@\\]([cdhsCDHS])(?![A-Za-z])")
_GRID_ORDER = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)


def board_diagram(board: Board, names: Names = NO_NAMES) -> str:
    """The four hands around the table, with number, dealer and vulnerability in the corner."""
    north, east, south, west = (_hand_lines(board.deal[seat], seat, names) for seat in Seat)
    corner = [f"Board {board.number}"] if board.number is not None else []
    corner += [f"{board.dealer.word} deals", _capitalised(board.vulnerable.word)]
    left = max(len(line) for line in west + corner) + 3
    middle = max(max(len(line) for line in north + south), 9) + 3
    rows = [f"{corner[i] if i < len(corner) else '':<{left}}{line}" for i, line in enumerate(north)]
    rows += [f"{w:<{left + middle}}{e}" for w, e in zip(west, east, strict=True)]
    rows += [" " * left + line for line in south]
    return "\n".join(row.rstrip() for row in rows)


def _hand_lines(hand: Hand | None, seat: Seat, names: Names) -> list[str]:
    """A hand's suits, below its player's name if any player has one; dots where it is unknown."""
    heading = [names[seat] or seat.word] if any(names) else []
    if hand is None:
        return heading + [f"{suit.symbol} ..." for suit in reversed(SUITS)]
    return heading + [f"{suit.symbol} {hand.suit_text(suit) or '-'}" for suit in reversed(SUITS)]


def auction_grid(auction: Auction, notes: Iterable[Note] = ()) -> str:
    """The auction in columns West, North, East, South; alerts and explanations as footnotes."""
    marks: dict[int, str] = {}
    footnotes: list[str] = []
    for note in notes:
        if note.text:
            footnotes.append(_with_signs(note.text))
            marks[note.place] = marks.get(note.place, "") + f"[{len(footnotes)}]"
        elif note.alert:
            marks[note.place] = marks.get(note.place, "") + "*"
    offset = _GRID_ORDER.index(auction.dealer)
    cells = [""] * offset
    for place, call in enumerate(auction.calls):
        cells.append(call.symbol + marks.get(place, ""))
    if not auction.is_ended:
        cells.append("?")
    width = max([7, *(len(cell) + 2 for cell in cells)])
    rows = ["".join(f"{seat.word:<{width}}" for seat in _GRID_ORDER)]
    rows += [
        "".join(f"{cell:<{width}}" for cell in cells[start : start + 4]) for start in range(0, len(cells), 4)
    ]
    rows += [f"[{i}] {text}" for i, text in enumerate(footnotes, 1)]
    return "\n".join(row.rstrip() for row in rows)


def _with_signs(text: str) -> str:
    """Text with suit signs for what BBO (!h, in vugraph @h) and PBN (\\H) write instead."""
    return _SIGN.sub(lambda match: Suit(match[1]).symbol, text)


def result_text(result: Result) -> str:
    """The result in words, as in "4♠X by East, one down: +100 to North-South"."""
    contract = result.contract
    if contract.declarer is None:
        return "Passed out: 0"
    over = result.tricks - contract.tricks_needed
    if over == 0:
        made = "just made"
    elif over > 0:
        made = f"made with {over} overtrick{'s' if over > 1 else ''}"
    else:
        made = f"{_count(-over)} down"
    side = "North-South" if result.score > 0 else "East-West"
    return f"{contract.symbol} by {contract.declarer.word}, {made}: +{abs(result.score)} to {side}"


def _count(number: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven")
    return words[number] if number < len(words) else str(number)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def record_diagram(record: Record) -> str:
    """Everything that is known of a record: event, hands, auction, lead and result."""
    event = ", ".join(
        text
        for text in (record.tag("Event"), record.tag("Stage") or record.tag("Round"), _room(record))
        if text
    )
    parts = [event] if event else []
    parts.append(board_diagram(record.board, record.names))
    if record.auction is not None:
        parts.append(auction_grid(record.auction, record.call_notes))
    ending = []
    if record.play:
        ending.append(f"Lead: {record.play[0].symbol}")
    if record.result is not None:
        ending.append(result_text(record.result))
    elif record.contract is not None:
        by = record.contract.declarer
        ending.append(f"Contract: {record.contract.symbol}" + (f" by {by.word}" if by is not None else ""))
    if ending:
        parts.append("\n".join(ending))
    return "\n\n".join(parts)


def _room(record: Record) -> str:
    return f"{record.room.lower()} room" if record.room else ""
