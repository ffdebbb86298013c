"""Links to Bridge Base Online's hand viewer, both ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, quote, unquote_plus

from bidlab.bridge.errors import quoted
from bidlab.formats.lin.reader import read_lin
from bidlab.formats.lin.writer import board_line, note_shortfall
from bidlab.formats.records import Record, Reporter
from bidlab.formats.shortfall import Shortfall

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"
_LINK = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
_LIN = re.compile(r"[?&]lin=([^&#]*)", re.IGNORECASE)
_CLAIM = re.compile(r"[?&]c=(\d+)")
_STEP = re.compile(
    r"(?P<call>[1-7][CDHSN]T?|P|D|XX|X|R)(?P<alert>!?)(?:\((?P<text>[^)]*)\))?|\{(?P<comment>[^}]*)\}|[-?\s]",
    re.IGNORECASE,
)
_FINAL = re.compile(r"-([1-7])([CDHSN])(X{0,2})([NESW])", re.IGNORECASE)
_DEALERS = {"s": "1", "w": "2", "n": "3", "e": "4"}


def viewer_link(record: Record) -> str:
    """The link that shows a record in BBO's hand viewer."""
    return f"{VIEWER}?lin={quote(board_line(record), safe='', errors='replace')}"


def link_lines(records: Iterable[Record], shortfall: Shortfall) -> Iterator[str]:
    """One link a record."""
    for record in records:
        note_shortfall(record, shortfall, frozenset())
        yield viewer_link(record)


def read_links(lines: Iterable[str], report: Reporter) -> Iterator[Record]:
    """The records of all links to the hand viewer in a text."""
    for number, line in enumerate(lines, 1):
        line = line.strip()
        # A line that is a link may have blanks in it; in other text a blank or a quote ends a link.
        for link in [line] if line.lower().startswith("http") else _LINK.findall(line):
            said: list[tuple[str, bool]] = []
            records = list(read_lin([_lin_of(link)], lambda _, *what: said.append(what)))  # noqa: B023
            if not records and not said:
                said.append((f"no board in link {quoted(link)}", False))
            for text, is_error in said:
                report(number, text, is_error)
            yield from records


def _lin_of(link: str) -> str:
    """The LIN that a link carries, or that its parameters say, as the viewer itself reads them."""
    match = _LIN.search(link)
    if match is not None:
        lin = unquote_plus(match[1], errors="replace").replace("\n", " ")
        claim = _CLAIM.search(link)
        return lin if claim is None or "mc|" in lin else f"{lin}mc|{claim[1]}|"
    query = link.partition("?")[2].partition("#")[0]
    given = {key.lower(): value for key, value in parse_qsl(query)}
    if not given.keys() & {"n", "e", "s", "w", "a"}:
        return ""
    return "".join(f"{name}|{value}|" for name, value in _commands(given))


def _commands(given: dict[str, str]) -> Iterator[tuple[str, str]]:
    names = [given.get(key, "") for key in ("sn", "wn", "nn", "en")]
    yield "pn", ",".join(name.replace(",", "%COMMA%").replace("|", "%PIPE%") for name in names)
    hands = ",".join(given.get(seat, "").replace(",", "") for seat in "swne")
    yield "md", _DEALERS.get(given.get("d", "n")[:1].lower(), "3") + hands
    if "b" in given:
        yield "ah", f"Board {given['b']}"
    yield "sv", given.get("v", "o")
    auction = given.get("a", "")
    final = _FINAL.match(auction)
    if final is not None:
        yield "rs", f"{final[1]}{final[2]}{final[4]}{final[3]}"
    else:
        yield from _auction(auction)
    for card in re.findall(r"[cdhs](?:10|[akqjt2-9])", re.sub(r"\{[^}]*\}", "", given.get("p", "")), re.I):
        yield "pc", card
    if "c" in given:
        yield "mc", given["c"]


def _auction(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        step = _STEP.match(text, place)
        if step is None:
            yield "mb", text[place:]  # the reader says what is wrong with it
            return
        if step["call"]:
            yield "mb", step["call"] + step["alert"]
        explained = step["text"] or step["comment"]
        if explained:
            yield "an", explained.removeprefix("+").replace("|", "%PIPE%")
        place = step.end()
