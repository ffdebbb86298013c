"""bidlab's own JSON: a list of boards, each with `deal`, `dealer`, `vulnerable` and what else is known."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar, cast

from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SEATS, Card, Seat
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import BidlabError, FormatError, NotationError, quoted
from bidlab.bridge.hands import Deal
from bidlab.formats.records import Names, Note, Record, Reporter, Table, in_order, within

T = TypeVar("T")

_KEYS = frozenset(
    "deal dealer vulnerable number auction call_notes contract declarer result score play card_notes names"
    " room tags tables comments".split()
)


def board_dict(record: Record) -> dict[str, Any]:
    """A record as JSON has it; what is unknown is left out."""
    board = record.board
    shown: dict[str, Any] = {
        "number": board.number,
        "deal": str(board.deal),
        "dealer": str(board.dealer),
        "vulnerable": str(board.vulnerable),
    }
    if board.number is None:
        del shown["number"]
    if record.auction is not None:
        shown["auction"] = [str(call) for call in record.auction.calls]
    if record.contract is not None:
        shown["contract"] = record.contract.name
        if record.contract.declarer is not None:
            shown["declarer"] = str(record.contract.declarer)
    if record.tricks is not None:
        shown["result"] = record.tricks
    if record.result is not None:
        shown["score"] = record.result.score
    if record.play:
        shown["play"] = [str(card) for card in record.play]
    if any(record.names):
        shown["names"] = {str(seat): record.names[seat] for seat in SEATS if record.names[seat]}
    if record.room:
        shown["room"] = record.room
    for key, notes in (("call_notes", record.call_notes), ("card_notes", record.card_notes)):
        if notes:
            shown[key] = [_note_dict(note) for note in notes]
    if record.tags:
        shown["tags"] = dict(record.tags)
    if record.tables:
        shown["tables"] = [
            {"tag": table.tag, "columns": table.columns, "rows": list(table.rows)} for table in record.tables
        ]
    if record.comments:
        shown["comments"] = list(record.comments)
    return shown


def _note_dict(note: Note) -> dict[str, Any]:
    shown: dict[str, Any] = {"place": note.place}
    if note.alert:
        shown["alert"] = True
    if note.text:
        shown["text"] = note.text
    if note.nags:
        shown["nags"] = list(note.nags)
    return shown


def json_lines(records: Iterable[Record]) -> Iterator[str]:
    """The lines of a JSON file: a list with one board a line."""
    yield "["
    waiting = ""
    for record in records:
        if waiting:
            yield waiting + ","
        waiting = json.dumps(board_dict(record), ensure_ascii=False)
    if waiting:
        yield waiting
    yield "]"


# --- reading --------------------------------------------------------------------------------------------

_SPACE = re.compile(r"[\s,]*")
_BLANK = re.compile(r"\s*")
# Where reading goes on after a board that is no JSON: a line that begins with a brace, or a brace after one.
_NEXT_BOARD = re.compile(r"\n[^\S\n]*(?=\{)|\}\s{0,99},\s{0,99}(?=\{)")
_MOST_WAITING = 1 << 24  # characters of one board


def read_json(pieces: Iterable[str], report: Reporter) -> Iterator[Record]:
    """The records of a JSON file, given as text cut anywhere; one board at a time is in memory."""
    for line, value in _items(pieces, report):
        record = _record(value, line, report)
        if record is not None:
            yield record


def _items(given: Iterable[str], report: Reporter) -> Iterator[tuple[int, object]]:
    """The items of a list, or of several values on end, each with the number of its first line."""
    decoder = json.JSONDecoder()
    pieces = iter(given)
    text = next(pieces, "")
    place = _past(_BLANK, text, 0)
    in_list = text[place : place + 1] == "["
    line = 1 + text.count("\n", 0, place)
    place += in_list
    between = _SPACE if in_list else _BLANK
    while True:
        start = _past(between, text, place)
        line += text.count("\n", place, start)
        place = start
        if in_list and text[place : place + 1] == "]":
            rest = text[place + 1 :].strip()
            if rest:
                report(line, f"{quoted(rest)} after the list ignored", False)
            return
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:  # ValueError: no JSON, or a number without end
            piece = next(pieces, None) if len(text) - place < _MOST_WAITING else None
            if piece is not None:
                text, place = text[place:] + piece, 0
                continue
            if place == len(text):
                if in_list:
                    report(line, "the list of boards has no end: ] is wanted", True)
                return
            _report_syntax(error, text, place, line, report)
            following = _NEXT_BOARD.search(text, place)
            if following is None:
                return
            line += text.count("\n", place, following.end())
            place = following.end()
        else:
            yield line, value
            line += text.count("\n", place, end)
            place = end


def _past(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _report_syntax(error: Exception, text: str, place: int, line: int, report: Reporter) -> None:
    position = min(getattr(error, "pos", place), max(len(text) - 1, 0))
    why = getattr(error, "msg", "nested too deeply")
    shown = quoted(text[position : position + 40].split("\n")[0])
    report(line + text.count("\n", place, position), f"no JSON at {shown}: {why}", True)


def _record(value: object, line: int, report: Reporter) -> Record | None:
    if not isinstance(value, dict):
        report(line, f"no board {quoted(value)}: an object with deal, dealer ... is wanted", True)
        return None
    try:
        return _board_record(value, line, report)
    except BidlabError as error:
        report(line, f"board left out: {error}", True)
    except RecursionError:
        report(line, "board left out: it is nested too deeply", True)
    return None


def _board_record(value: Mapping[str, Any], line: int, report: Reporter) -> Record:
    unknown = sorted(value.keys() - _KEYS)
    if unknown:
        report(line, f"key {quoted(unknown[0])} ignored: boards have no such key", False)
    number = _integer(value, "number", 1, (1 << 63) - 1)
    deal_text = _text(value, "deal")
    if not deal_text:
        raise FormatError("no deal: a key deal such as 'N:... ... ... ...' is wanted")
    deal = Deal.parse(deal_text, spots=True).completed()

    def known(key: str, read: Callable[[], T]) -> T | None:
        """What a key says, or None and a report where that cannot be read."""
        try:
            return read()
        except BidlabError as error:
            report(line, f"{key} left out: {error}", True)
            return None

    dealer = known("dealer", lambda: Seat(_text(value, "dealer")) if value.get("dealer") else None)
    vulnerable = known(
        "vulnerable", lambda: Vulnerability(_text(value, "vulnerable")) if value.get("vulnerable") else None
    )
    board = Board(deal, dealer, vulnerable, number)
    auction = known("auction", lambda: _auction(value, board))
    contract = known("contract", lambda: _contract(value, auction))
    if contract is None and auction is not None:
        contract = auction.contract
    play = tuple(map(Card, _texts(value, "play")))
    if play and contract is not None and contract.declarer is not None and contract.strain is not None:
        play, problem = in_order(play, contract.declarer.next, contract.strain, deal)
        if problem:
            report(line, problem, True)
    elif play:
        report(line, "play left out: it needs a contract with its declarer to be followed", False)
        play = ()
    tricks = known("result", lambda: _integer(value, "result", 0, 13))
    return Record(
        board=board,
        auction=auction,
        contract=contract,
        tricks=tricks if contract is not None and not contract.is_passed_out else None,
        play=play,
        names=_names(value),
        room=_text(value, "room"),
        call_notes=within(_notes(value, "call_notes"), len(auction) if auction is not None else 0),
        card_notes=within(_notes(value, "card_notes"), len(play)),
        tags=tuple(sorted((tag, str(text)) for tag, text in _mapping(value, "tags").items())),
        tables=_tables(value),
        comments=tuple(_texts(value, "comments")),
    )


def _auction(value: Mapping[str, Any], board: Board) -> Auction | None:
    given = value.get("auction")
    if given is None:
        return None
    calls = given if isinstance(given, str) else _texts(value, "auction")
    return Auction(board.dealer, board.vulnerable, calls)


def _contract(value: Mapping[str, Any], auction: Auction | None) -> Contract | None:
    text = _text(value, "contract")
    bid = auction.contract if auction is not None else None
    if not text:
        return bid
    seat = _text(value, "declarer")
    contract = Contract.parse(text, Seat(seat) if seat else None)
    if bid is not None and contract.declarer is None and contract.name == bid.name:
        return bid
    return contract


def _names(value: Mapping[str, Any]) -> Names:
    given = _mapping(value, "names")
    names = {Seat(seat): _text(given, seat) for seat in given}
    return cast(Names, tuple(names.get(seat, "") for seat in SEATS))


def _notes(value: Mapping[str, Any], key: str) -> tuple[Note, ...]:
    notes = []
    for item in _list(value, key):
        if not isinstance(item, dict):
            raise FormatError(f"no note {quoted(item)}: an object with place and text is wanted")
        place = _integer(item, "place", 0, 400)
        nags = tuple(nag for nag in _list(item, "nags") if isinstance(nag, int))
        notes.append(Note(place or 0, _text(item, "text"), bool(item.get("alert")), nags))
    return tuple(notes)


def _tables(value: Mapping[str, Any]) -> tuple[Table, ...]:
    tables = []
    for item in _list(value, "tables"):
        if not isinstance(item, dict):
            raise FormatError(f"no table {quoted(item)}: an object with tag, columns, rows is wanted")
        tables.append(Table(_text(item, "tag"), _text(item, "columns"), tuple(_texts(item, "rows"))))
    return tuple(tables)


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise NotationError(f"{key} {quoted(text)}: a text is wanted")
    return text


def _integer(value: Mapping[str, Any], key: str, least: int, most: int) -> int | None:
    number = value.get(key)
    if number is None:
        return None
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise NotationError(f"{key} {quoted(number)}: a number from {least} to {most} is wanted")
    return number


def _list(value: Mapping[str, Any], key: str) -> list[Any]:
    items = value.get(key)
    if items is None:
        return []
    if not isinstance(items, list):
        raise FormatError(f"{key} {quoted(items)}: a list is wanted")
    return items


def _texts(value: Mapping[str, Any], key: str) -> list[str]:
    items = value.get(key)
    if isinstance(items, str):
        return items.split()
    texts = _list(value, key)
    for text in texts:
        if not isinstance(text, str):
            raise FormatError(f"{key} {quoted(text)}: texts are wanted")
    return texts


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    items = value.get(key)
    if items is None:
        return {}
    if not isinstance(items, dict):
        raise FormatError(f"{key} {quoted(items)}: an object is wanted")
    return items
