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
    text, first = "", 0  # a command whose value has not ended yet, and the number of its line
    for number, line in enumerate(lines, 1):
        if _ENCODED.search(line):
            line = unquote(line, errors="replace")  # copied out of a link
        if not text:
            parts = line.split("|")
            if len(parts) & 1 and not parts[-1].strip() and _KNOWN.issuperset(parts[:-1:2]):
                for i in range(0, len(parts) - 1, 2):  # a line as it should be
                    yield Command(parts[i], parts[i + 1], number)
                continue
            if line[:1] == "%":
                continue
            text, first = line, number
        else:
            start = _COMMAND_START.match(line)
            if start is not None and start[1].lower() in _KNOWN:
                yield from _closed(text + "|", first)
                text, first = line, number
            else:
                text = f"{text}\n{line}"
        end = _open_command(text)
        yield from _closed(text[:end], first)
        text = text[end:]
        if len(text) > 1 << 20:
            text = ""
    if text.strip():
        name, _, value = text.partition("|")
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


def _open_command(text: str) -> int:
    """Where a command begins whose value has not ended; the text's length if there is none."""
    place = 0
    for _, _, _, end in _parts(text):
        place = end
    return place if "|" in text[place:].lstrip("|") else len(text)


def _closed(text: str, line: int) -> Iterator[Command]:
    for name, value, start, _ in _parts(text):
        yield Command(name, value, line + text.count("\n", 0, start + 1))
