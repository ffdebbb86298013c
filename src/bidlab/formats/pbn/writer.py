"""Writing PBN 2.1 in the export format that the standard prescribes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Seat, Strain
from bidlab.bridge.errors import quoted
from bidlab.bridge.play import players
from bidlab.formats.records import Note, Record, Table, one_line
from bidlab.formats.shortfall import Shortfall

HEADER = ("% PBN 2.1", "% EXPORT")
_VULNERABLE = {
    Vulnerability.NONE: "None",
    Vulnerability.NS: "NS",
    Vulnerability.EW: "EW",
    Vulnerability.BOTH: "All",
}
_MANDATORY = frozenset(
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result"
    " Auction Play Note".split()
)
_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
_TABLE_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*Table", re.ASCII)
_MOST_NOTES = 32
_LINE = 79  # lines of 80 characters and more are discouraged
_LONGEST = 253  # and with its line end none may pass 255


def pbn_lines(records: Iterable[Record], shortfall: Shortfall) -> Iterator[str]:
    """The lines of a PBN file without its heading."""
    for i, record in enumerate(records):
        if i:
            yield ""
        yield from _game(record, shortfall)


def _game(record: Record, shortfall: Shortfall) -> Iterator[str]:
    board = record.board
    contract = record.contract
    tags = dict(record.tags)
    number = str(board.number) if board.number is not None else tags.pop("Board", "?")
    if any(hand is not None and any(hand.spots) for hand in board.deal.hands):
        shortfall.note("spot cards written x, which the standard does not know")
    yield _tag("Event", tags.pop("Event", "?"), shortfall)
    yield _tag("Site", tags.pop("Site", "?"), shortfall)
    yield _tag("Date", tags.pop("Date", "?"), shortfall)
    yield _tag("Board", number, shortfall)
    for seat in (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH):
        yield _tag(seat.word, record.names[seat] or "?", shortfall)
    yield f'[Dealer "{board.dealer}"]'
    yield f'[Vulnerable "{_VULNERABLE[board.vulnerable]}"]'
    known = any(hand is not None for hand in board.deal.hands)
    yield f'[Deal "{board.deal.text(board.dealer) if known else "?"}"]'
    yield _tag("Scoring", tags.pop("Scoring", "?"), shortfall)
    if contract is None:
        yield from ('[Declarer "?"]', '[Contract "?"]', '[Result "?"]')
    elif contract.strain is None:
        yield from ('[Declarer ""]', '[Contract "Pass"]', '[Result ""]')
    else:
        yield f'[Declarer "{"?" if contract.declarer is None else contract.declarer}"]'
        yield f'[Contract "{contract.level}{_strain(contract.strain)}{contract.doubling}"]'
        yield f'[Result "{"?" if record.tricks is None else record.tricks}"]'
    if record.room:
        tags["Room"] = record.room
    for tag in sorted(tags):
        if tag in _MANDATORY or not _TAG_NAME.fullmatch(tag):
            shortfall.note(f"tag {quoted(tag)}")
        else:
            yield _tag(tag, tags[tag], shortfall)
    for comment in record.comments:
        yield from _comment(comment, shortfall)
    if record.auction is not None and record.auction.calls:
        yield from _auction(record.auction, record.call_notes, shortfall)
    if record.play:
        yield from _play(record, shortfall)
    for table in sorted(record.tables, key=lambda table: table.tag):
        yield from _table(table, shortfall)


def _tag(name: str, value: str, shortfall: Shortfall, is_table: bool = False) -> str:
    value = one_line(value)
    if value == "#" or value[:2] == "##":
        value = f" {value}"  # or it would stand for what an earlier game has
    if not is_table:  # the columns of a table have bare backslashes, as in Result\2R
        value = value.replace("\\", "\\\\").replace('"', '\\"')
    line = f'[{name} "{value}"]'
    if len(line) > _LONGEST:
        shortfall.note(f"tag {name} longer than the {_LONGEST} characters of a line")
    return line


def _table(table: Table, shortfall: Shortfall) -> Iterator[str]:
    if not _TABLE_NAME.fullmatch(table.tag) or '"' in table.columns:
        shortfall.note(f"table {quoted(table.tag)}")
        return
    yield _tag(table.tag, table.columns, shortfall, is_table=True)
    for row in table.rows:
        line = one_line(row) if "\n" in row or "\r" in row else row
        if not line.strip() or line.lstrip()[0] in "[%{;" or len(line) > _LONGEST:
            shortfall.note("rows of tables that look like something else")
        else:
            yield line


def _strain(strain: Strain) -> str:
    return "NT" if strain == Strain.NOTRUMP else str(strain)


def _comment(text: str, shortfall: Shortfall) -> Iterator[str]:
    yield from _wrapped(_braced(text, shortfall))


def _braced(text: str, shortfall: Shortfall) -> list[str]:
    """The words of a comment, with its braces."""
    if "}" in text:
        shortfall.note("} in comments, written as )")
    return ("{" + text.replace("}", ")") + "}").split(" ")


def _call_text(call: Call) -> str:
    if call == Call.PASS:
        return "Pass"
    return call.readable


class _Footnotes:
    """The numbered notes of one section, equal texts under one number."""

    def __init__(self, shortfall: Shortfall) -> None:
        self._numbers: dict[str, int] = {}
        self._shortfall = shortfall

    def marks(self, notes: Iterable[Note]) -> list[str]:
        """What stands behind a call or card: a note's number, glyphs, comments."""
        nags: set[int] = set()
        comments: list[str] = []
        alerts: list[str] = []
        for note in notes:
            nags.update(note.nags)
            text = one_line(note.text)
            if note.alert:
                alerts.append(text)
            elif text:
                comments += _braced(text, self._shortfall)
        marks = self._reference("; ".join(filter(None, alerts))) if alerts else []
        return [*marks, *(f"${nag}" for nag in sorted(nags)), *comments]

    def _reference(self, text: str) -> list[str]:
        """The number of an alert's text; the text itself where there are too many."""
        number = self._numbers.setdefault(text, len(self._numbers) + 1)
        if number <= _MOST_NOTES:
            return [f"={number}="]
        self._shortfall.note(f"more than {_MOST_NOTES} different alerts in one auction, as comments")
        del self._numbers[text]
        return _braced(text, self._shortfall)

    def lines(self) -> Iterator[str]:
        """The tags that explain the numbers."""
        for text, number in self._numbers.items():
            yield _tag("Note", f"{number}:{text}", self._shortfall)


def _by_place(notes: Iterable[Note]) -> dict[int, list[Note]]:
    places: dict[int, list[Note]] = {}
    for note in notes:
        places.setdefault(note.place, []).append(note)
    return places


def _wrapped(tokens: list[str]) -> Iterator[str]:
    """Tokens with a blank between them, in lines below 80 characters where they can be."""
    line = ""
    for token in tokens:
        # A line that began with a bracket or a per cent sign would not be read as what it is.
        if line and len(line) + 1 + len(token) > _LINE and token[:1] not in ("[", "%"):
            yield line
            line = ""
        line = f"{line} {token}" if line else token
    if line:
        yield line


def _auction(auction: Auction, notes: tuple[Note, ...], shortfall: Shortfall) -> Iterator[str]:
    yield f'[Auction "{auction.dealer}"]'
    places = _by_place(notes)
    footnotes = _Footnotes(shortfall)
    row: list[str] = []
    for place, call in enumerate(auction.calls):
        row.append(_call_text(call))
        row += footnotes.marks(places.get(place, ()))
        if place % 4 == 3:
            yield from _wrapped(row)
            row = []
    if not auction.is_ended:
        row.append("*")
    yield from _wrapped(row)
    yield from footnotes.lines()


def _play(record: Record, shortfall: Shortfall) -> Iterator[str]:
    contract, leader = record.contract, record.leader
    if contract is None or contract.strain is None or leader is None:
        shortfall.note("play without a contract, left out")
        return
    yield f'[Play "{leader}"]'
    places = _by_place(record.card_notes)
    footnotes = _Footnotes(shortfall)
    seats = players(record.play, leader, contract.strain)
    for start in range(0, len(record.play), 4):
        row: dict[int, list[str]] = {}
        for place in range(start, min(start + 4, len(record.play))):
            column = (seats[place] - leader) & 3
            row[column] = [str(record.play[place]), *footnotes.marks(places.get(place, ()))]
        yield from _wrapped([token for column in range(4) for token in row.get(column, ["-"])])
    if len(record.play) < 52:
        yield "*"
    yield from footnotes.lines()
