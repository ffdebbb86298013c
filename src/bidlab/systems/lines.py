"""A file as lines: comments cut off, long lines put together, columns parted, indentation measured.

Columns are parted by two or more spaces or a tab. A line that ends in `,`, `;` or `or` goes on in the next
one, whose first column then belongs to the last column so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bidlab.bridge.errors import quoted
from bidlab.systems.errors import SystemTextError
from bidlab.systems.syntax import Phrase, Place

# As word processors write them; each stands for one character, so that columns stay right.
_PLAIN = str.maketrans({"–": "-", "−": "-", "—": "-", "“": '"', "”": '"', "„": '"', "’": "'", "\u00a0": " "})
_COLUMN = re.compile(r"\S+(?: \S+)*")
_GOES_ON = re.compile(r"(?:[,;]|(?:^|\s)or)$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that says something, with what goes on beneath it."""

    place: Place
    indent: int
    columns: tuple[Phrase, ...]
    text: str | None  # in quotes at the end

    @property
    def whole(self) -> Phrase:
        """All columns as one phrase."""
        return joined(self.columns)


def lines_of(text: str, file: str) -> list[Line]:
    """The lines of a file that say something."""
    found: list[Line] = []
    goes_on = False
    indents: dict[str, Place] = {}
    rows = text.removeprefix("\ufeff").translate(_PLAIN).replace("\r\n", "\n").replace("\r", "\n")
    for number, row in enumerate(rows.split("\n"), 1):
        line = _line(row, Place(file, number))
        if line is None:
            continue
        if goes_on:
            line = _together(found.pop(), line)
        else:
            _check_indent(row, line.place, indents)
        goes_on = line.text is None and _GOES_ON.search(line.columns[-1].text) is not None
        found.append(line)
    return found


def _line(row: str, start: Place) -> Line | None:
    head, text = _parted(row, start)
    columns = tuple(_columns(head, start))
    if not columns:
        if text is None:
            return None
        raise SystemTextError(start, f"{quoted(text)} stands alone: words in quotes belong beside a rule")
    return Line(columns[0].place, len(head) - len(head.lstrip()), columns, text)


def _parted(row: str, start: Place) -> tuple[str, str | None]:
    """What stands before the quotes and what is in them; comments are gone."""
    head = re.match(r'[^"#]*', row)
    assert head is not None
    rest = row[head.end() :]
    if not rest.startswith('"'):
        return head[0], None
    column = Place(start.file, start.line, head.end() + 1)
    text, closed, after = rest[1:].partition('"')
    if not closed:
        raise SystemTextError(column, 'quotes are not closed: a " is wanted at the end of the text')
    after = after.partition("#")[0].strip()
    if after:
        raise SystemTextError(
            column, f"{quoted(after)} after the words in quotes: they are the last of a line"
        )
    return head[0], text


def _columns(head: str, start: Place) -> Iterator[Phrase]:
    for match in _COLUMN.finditer(head):
        yield Phrase(match[0], ((0, Place(start.file, start.line, match.start() + 1)),))


def _together(line: Line, more: Line) -> Line:
    last = joined((line.columns[-1], more.columns[0]))
    return Line(line.place, line.indent, (*line.columns[:-1], last, *more.columns[1:]), more.text)


def joined(phrases: tuple[Phrase, ...]) -> Phrase:
    """Some phrases as one, a space between them."""
    pieces: list[tuple[int, Place]] = []
    offset = 0
    for phrase in phrases:
        pieces += [(offset + start, place) for start, place in phrase.pieces]
        offset += len(phrase.text) + 1
    return Phrase(" ".join(phrase.text for phrase in phrases), tuple(pieces))


def _check_indent(row: str, place: Place, seen: dict[str, Place]) -> None:
    """Refuse tabs and spaces in one file's indentation: nobody sees which is deeper."""
    for character in row[: len(row) - len(row.lstrip())]:
        kind = "tabs" if character == "\t" else "spaces"
        other = "spaces" if kind == "tabs" else "tabs"
        seen.setdefault(kind, place)
        if other in seen:
            raise SystemTextError(
                Place(place.file, place.line),
                f"indented by {kind}, line {seen[other].line} by {other}: one of the two is wanted in a file",
            )
