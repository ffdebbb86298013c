"""Writing LIN, one board after the other, so that Bridge Base Online and `read_lin` read it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.cards import SUITS, Seat
from bidlab.bridge.contracts import Contract, trick_balance
from bidlab.bridge.hands import Hand
from bidlab.formats.records import Note, Record, one_line
from bidlab.formats.shortfall import Shortfall

_HELD_TAGS = frozenset(("Event", "HomeTeam", "Scoring", "Stage", "VisitTeam"))
_SCORING = {"IMP": "I", "MP": "P", "BAM": "B"}
_VULNERABLE = {
    Vulnerability.NONE: "o",
    Vulnerability.NS: "n",
    Vulnerability.EW: "e",
    Vulnerability.BOTH: "b",
}
_CALLS = ("p", "d", "r")


def lin_lines(records: Iterable[Record], shortfall: Shortfall) -> Iterator[str]:
    """The lines of a LIN file."""
    heading = ""
    for record in records:
        new_heading = _heading(record)
        if new_heading != heading:
            heading = new_heading
            yield heading or "vg|,,,,,,,,|"
        yield from _board(record, shortfall)


def escaped(text: str) -> str:
    """Text that holds neither bar nor comma nor line end."""
    return one_line(text).replace(",", "%COMMA%").replace("|", "%PIPE%")


def deal_text(board: Board) -> str:
    """The dealer's digit and the four hands, S W N E."""
    digit = (board.dealer + 2) % 4 + 1  # South is 1
    order = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
    return f"{digit}" + ",".join(_hand(board.deal[seat]) for seat in order)


def _hand(hand: Hand | None) -> str:
    if hand is None:
        return ""
    return "".join(f"{suit}{hand.suit_text(suit).upper()}" for suit in reversed(SUITS))


def _heading(record: Record) -> str:
    tags = dict(record.tags)
    title, stage, home, visit = (
        escaped(tags.get(tag, "")) for tag in ("Event", "Stage", "HomeTeam", "VisitTeam")
    )
    scoring = _SCORING.get(tags.get("Scoring", ""), "")
    if not (title or stage or home or visit or scoring):
        return ""
    return f"vg|{title},{stage},{scoring},1,,{home},,{visit},|"


def _board(record: Record, shortfall: Shortfall) -> Iterator[str]:
    note_shortfall(record, shortfall, _HELD_TAGS)
    yield "".join(f"{name}|{value}|" for name, value in _opening(record))
    if record.play:
        for start in range(0, len(record.play), 4):
            trick = record.play[start : start + 4]
            yield "".join(f"pc|{card}|" for card in trick) + "pg||"
    claim = _claim(record)
    if claim:
        yield f"{claim}pg||"


def board_line(record: Record) -> str:
    """All of a record on one line, as links to BBO's hand viewer carry it."""
    parts = [f"{name}|{value}|" for name, value in _opening(record)]
    parts += [f"pc|{card}|" for card in record.play]
    return "".join(parts) + _claim(record)


def _opening(record: Record) -> Iterator[tuple[str, str]]:
    """The commands of a board up to the end of its auction."""
    board = record.board
    if record.room in ("Open", "Closed"):
        yield "qx", f"{record.room[0].lower()}{board.number or ''}"
    north, east, south, west = map(escaped, record.names)
    yield "pn", f"{south},{west},{north},{east}"
    yield "st", ""
    yield "md", deal_text(board)
    if board.number is not None:
        yield "rh", ""
        yield "ah", f"Board {board.number}"
    yield "sv", _VULNERABLE[board.vulnerable]
    if _needs_result(record) and record.contract is not None:
        yield "rs", _result(record.contract, record.tricks)
    if record.auction is not None:
        yield from _calls(record)
        yield "pg", ""


def _calls(record: Record) -> Iterator[tuple[str, str]]:
    notes: dict[int, list[Note]] = {}
    for note in record.call_notes:
        notes.setdefault(note.place, []).append(note)
    if record.auction is None:
        return
    for place, call in enumerate(record.auction.calls):
        here = notes.get(place, ())
        alerts = [note.text for note in here if note.alert]
        yield "mb", (str(call) if call.is_bid else _CALLS[call]) + ("!" if alerts else "")
        for text in ("; ".join(filter(None, alerts)), *(note.text for note in here if not note.alert)):
            if text:
                yield "an", one_line(text).replace("|", "%PIPE%")


def _needs_result(record: Record) -> bool:
    """Whether auction and claim alone would not give the contract and the result back."""
    if record.contract is None:
        return False
    bid = record.auction.contract if record.auction is not None else None
    return bid != record.contract or (record.tricks == 0 and not record.play)


def _result(contract: Contract, tricks: int | None) -> str:
    """The contract as a list of results has it, as in 4HEx-1."""
    if contract.strain is None:
        return "PASS"
    balance = "" if tricks is None else trick_balance(contract, tricks)
    doubling = str(contract.doubling).lower()
    declarer = "" if contract.declarer is None else contract.declarer
    return f"{contract.level}{contract.strain}{declarer}{doubling}{balance}"


def _claim(record: Record) -> str:
    if record.tricks is None or record.contract is None or record.contract.is_passed_out:
        return ""
    return f"mc|{record.tricks}|"


def note_shortfall(record: Record, shortfall: Shortfall, held: frozenset[str]) -> None:
    """Count what LIN cannot hold of a record, given the tags that its place in a file can."""
    for tag, value in record.tags:
        if tag not in held or (tag == "Scoring" and value not in _SCORING):
            shortfall.note(f"tag {tag}")
    if record.room not in ("", "Open", "Closed"):
        shortfall.note(f"room {record.room}")
    if record.comments:
        shortfall.note("comments")
    if record.tables:
        shortfall.note("tables")
    if record.card_notes:
        shortfall.note("notes on cards")
    if any(note.nags for note in record.call_notes):
        shortfall.note("glyphs on calls, such as $1")
