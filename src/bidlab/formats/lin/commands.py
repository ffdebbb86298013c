"""From the lines of a LIN file to its commands: two letters, a bar, a value, a bar.

Real files have bars too many and too few, text between commands and values over several lines. A line that
begins with a command begins anew, and within a line a known command is taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

_KNOWN = frozenset(
    "vg rs pn pw mp bn mn pg qx st md sv mb an pc mc ob nt rh ah sk sa at bt ht lc ls hc hs va cp cs cr cg"
    " cb fp fs lb 3b ih ip ub up tc tu se sb sc so pf kr mh ia nc d3 sh xx ap".split()
)
_LONGEST_VALUE = 1 << 16  # lines
_ENCODED = re.compile(r"md%7c", re.IGNORECASE)
_COMMAND_START = re.compile(r"\s*([A-Za-z0-9^]{2})\|")


class Command(NamedTuple):
    """One command of a LIN file."""

    name: str  # two letters, lower case
    value: str
    line: int
    is_closed: bool = True  # False where the file ends before the value does


def commands(lines: Iterable[str]) -> Iterator[Command]:
    """The commands of a LIN file."""
    waiting: list[str] = []  # the lines of a command whose value has not ended yet
    first = 0  # the number of the first of them
    for number, line in enumerate(lines, 1):
        encoded = _ENCODED.search(line)
        if encoded is not None and line.count("|", 0, encoded.start()) % 2 == 0:
            line = unquote(line, errors="replace")  # copied out of a link, and not told of in a value
        if not waiting:
            parts = line.split("|")
            if len(parts) & 1 and not parts[-1].strip() and _KNOWN.issuperset(parts[:-1:2]):
                for i in range(0, len(parts) - 1, 2):  # a line as it should be
                    yield Command(parts[i], parts[i + 1], number)
                continue
            if line[:1] == "%":
                continue
        else:
            start = _COMMAND_START.match(line)
            if start is not None and start[1].lower() in _KNOWN:
                found, _, _ = _closed("\n".join(waiting) + "|", first)
                yield from found
                waiting = []
            elif "|" not in line:
                if len(waiting) < _LONGEST_VALUE:
                    waiting.append(line)
                continue
        first = first if waiting else number
        found, rest, first = _closed("\n".join([*waiting, line]), first)
        yield from found
        waiting = [rest] if rest else []
    rest = "\n".join(waiting)
    if rest.strip():
        name, _, value = rest.partition("|")
        yield Command(name.strip()[-2:].lower(), value, first, is_closed=False)


def _parts(text: str) -> Iterator[tuple[str, str, int, int]]:
    """Name, value, and the range in the text of each command whose value has ended."""
    place = 0
    last: tuple[str, str, int, int] | None = None
    while True:
        bar = text.find("|", place)
        if bar < 0:
            break
        name = text[place:bar].strip()[-2:].lower()
        end = text.find("|", bar + 1)
        if name not in _KNOWN:
            # A bar too many, or the rest of a value that had one in it: go on at the next bar if a
            # command that we know stands there.
            following = text[bar + 1 : end if end >= 0 else len(text)].strip().lower()
            if not name or following in _KNOWN:
                if name and last is not None:
                    last = (last[0], f"{last[1]}|{text[place:bar]}", last[2], bar + 1)
                place = bar + 1
                continue
        if end < 0:
            break
        if last is not None:
            yield last
        last = name, text[bar + 1 : end], place, end + 1
        place = end + 1
    if last is not None:
        yield last


def _closed(text: str, line: int) -> tuple[list[Command], str, int]:
    """The commands of a text whose values end in it, the rest that begins another, and its line."""
    found = []
    counted = end = 0  # how far lines were counted, and where the last command ends
    for name, value, start, past in _parts(text):
        line += text.count("\n", counted, start + 1)
        counted, end = start + 1, past
        found.append(Command(name, value, line))
    rest = text[end:]
    line += text.count("\n", counted, end)
    return found, rest if "|" in rest.lstrip("|") else "", line
