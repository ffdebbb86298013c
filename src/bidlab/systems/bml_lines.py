"""BML notes as blocks of lines: pieces cut and pasted, other files put in, tables told from prose."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from bidlab.systems.syntax import Place

_DEEPEST = 20  # files in files
_MOST_LINES = 100_000  # with everything that is included and pasted
_LARGEST = 1_000_000
_BID = re.compile(
    r"\(?(?:[1-7](?:NT|N|oM|om|red|black|steps?|[MmXYZ]|(?:!?[CDHScdhs♣♦♥♠])+)|Pass|P|Dbl|D|X|XX|Rdbl|R)\)?"
)
_CALLS = re.compile(rf"(?P<call>{_BID.pattern}(?:[-;]+(?:{_BID.pattern})?)*)(?P<after>\s*=?\s*)(?P<text>.*)")
_META = re.compile(r"#\+?(TITLE|DESCRIPTION|AUTHOR)\s*:\s*(.*)")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    place: Place
    indent: int
    call: str
    description: str


@dataclass(frozen=True, slots=True)
class Block:
    """A table, with the seat and the vulnerability that it is for."""

    rows: tuple[Row, ...]
    seat: str
    vulnerable: str


@dataclass
class Document:
    """All tables of some notes."""

    blocks: list[Block] = field(default_factory=list)
    meta: dict[str, str] = field(default_factory=dict)
    notes: list[tuple[Place, str]] = field(default_factory=list)


_Line = tuple[Place, str]


def blocks_of(text: str, file: str, folder: Path | None) -> Document:
    """The tables of a text."""
    document = Document()
    lines = _pasted(_included(text, file, folder, document, 0), document)
    seat, vulnerable = "0", "00"
    block: list[_Line] = []
    for place, line in [*lines, (Place(file, 1), "")]:
        words = line.split()
        if words and words[0] == "#SEAT":
            seat = _setting(words, r"0|1|2|3|4|12|34", seat, place, document)
        elif words and words[0] == "#VUL":
            vulnerable = _setting(words, r"[YN0][YN0]", vulnerable, place, document)
        elif words and words[0] in ("#HIDE", "#BIDTABLE", "#ENDBIDTABLE"):
            continue
        elif match := _META.match(line.strip()):
            document.meta.setdefault(match[1], match[2].strip())
        elif words:
            block.append((place, line))
        else:
            if block and _is_table(block[0][1]):
                document.blocks.append(Block(_rows(block, document), seat, vulnerable))
            block = []
    return document


def _setting(words: list[str], allowed: str, now: str, place: Place, document: Document) -> str:
    value = words[1] if len(words) > 1 else ""
    if re.fullmatch(allowed, value):
        return value
    document.notes.append((place, f"not understood: {' '.join(words)!r}"))
    return now


def _included(text: str, file: str, folder: Path | None, document: Document, depth: int) -> list[_Line]:
    found: list[_Line] = []
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        place = Place(file, number)
        words = line.split()
        if line.startswith("//"):
            continue
        if not words or words[0] != "#INCLUDE":
            found.append((place, line))
        elif len(words) > 1:
            found += _file(words[1], place, folder, document, depth)
        if len(found) > _MOST_LINES:
            document.notes.append((place, f"more than {_MOST_LINES:,} lines: the rest is left out"))
            return found
    return found


def _file(name: str, place: Place, folder: Path | None, document: Document, depth: int) -> list[_Line]:
    path = (folder or Path()) / name
    if depth >= _DEEPEST:
        document.notes.append((place, f"{name} is included too deeply"))
        return []
    try:
        text = path.read_bytes()[:_LARGEST].decode("utf-8", errors="replace")
    except (OSError, ValueError) as error:
        document.notes.append((place, f"{name} cannot be read: {error}"))
        return []
    return _included(text, str(path), path.parent, document, depth + 1)


def _pasted(lines: list[_Line], document: Document) -> list[_Line]:
    """The lines with what was copied or cut put in where it is pasted."""
    clips: dict[str, list[_Line]] = {}
    found: list[_Line] = []
    open_clip: tuple[str, bool] | None = None
    for place, line in lines:
        words = line.split()
        command = words[0] if words else ""
        if command in ("#COPY", "#CUT") and len(words) > 1:
            open_clip = (words[1], command == "#CUT")
            clips[words[1]] = []
        elif command in ("#ENDCOPY", "#ENDCUT"):
            open_clip = None
        elif command == "#PASTE" and len(words) > 1:
            found += _clip(clips.get(words[1]), words, line, place, document)
        else:
            if open_clip:
                clips[open_clip[0]].append((place, line))
            if not (open_clip and open_clip[1]):
                found.append((place, line))
        if len(found) > _MOST_LINES:
            document.notes.append((place, f"more than {_MOST_LINES:,} lines: the rest is left out"))
            break
    return found


def _clip(
    clip: list[_Line] | None, words: list[str], line: str, place: Place, document: Document
) -> list[_Line]:
    if clip is None:
        document.notes.append((place, f"nothing was copied as {words[1]!r}"))
        return []
    indent = len(line) - len(line.lstrip())
    least = min((len(one) - len(one.lstrip()) for _, one in clip if one.strip()), default=0)
    found = []
    for where, one in clip:
        for word in words[2:]:
            target, _, replacement = word.partition("=")
            one = one.replace(target, replacement) if target else one
        found.append((where, " " * indent + one[least:]))
    return found


def _is_table(line: str) -> bool:
    match = _CALLS.fullmatch(line.strip())
    # A sentence may well begin with "D" or "P"; a table begins with a bid or an opponent's call.
    return (
        match is not None and match["call"][0] in "(1234567" and (not match["text"] or bool(match["after"]))
    )


def _rows(block: list[_Line], document: Document) -> tuple[Row, ...]:
    """The lines of a table; lines that go on with a description are added to it."""
    rows: list[Row] = []
    column = -1  # where the last description begins
    for place, line in block:
        indent = len(line) - len(line.lstrip())
        if rows and indent == column:
            last = rows.pop()
            rows.append(Row(last.place, last.indent, last.call, f"{last.description} {line.strip()}"))
            continue
        match = _CALLS.fullmatch(line.strip())
        if match is None or (match["text"] and not match["after"]):
            document.notes.append((place, f"not understood: {line.strip()!r}"))
            continue
        column = indent + match.start("text") if match["text"] else -1
        place = Place(place.file, place.line, indent + 1)
        rows.append(Row(place, indent, match["call"], match["text"].strip()))
    return tuple(rows)
