"""A system read for the linter: every error of its text, not only the first, and the exceptions it lists.

Reading stops at the first error. To find the next one, the lines of the first are left out and the text is
read again.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from bidlab.bridge.errors import BidlabError
from bidlab.systems.checks.findings import Finding, Kind
from bidlab.systems.errors import SystemTextError
from bidlab.systems.loading import Loader, shown_name
from bidlab.systems.syntax import Place, SystemText
from bidlab.systems.system import System
from bidlab.systems.text import LARGEST, read_file, read_text

_MOST_ERRORS = 20
_EXCEPTION = re.compile(r"#\s*check:\s*ok\b\s*(?P<reason>.*)$")
_GOES_ON = re.compile(r"(?:[,;]|(?:^|\s)or)\s*$")


@dataclass
class Sources:
    """The lines of all files of a system, by the names that places have."""

    lines: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, path: Path) -> None:
        """Read the lines of a file, if it is text of a sensible size; no lines can be left out of another."""
        if name in self.lines or not path.is_file() or path.stat().st_size > LARGEST:
            return
        with suppress(UnicodeDecodeError):
            self.lines[name] = path.read_text(encoding="utf-8").splitlines()

    def whole(self, file: str, line: int) -> range:
        """The lines, from 1, of the rule or header that a line belongs to."""
        rows = [row.partition("#")[0] for row in self.lines.get(file, [])]
        first = last = line
        while first > 1 and first - 2 < len(rows) and _GOES_ON.search(rows[first - 2]):
            first -= 1
        while last - 1 < len(rows) and _GOES_ON.search(rows[last - 1]):
            last += 1
        return range(first, last + 1)

    def reason(self, place: Place) -> str | None:
        """Why a line is as it is, where it says `# check: ok REASON`."""
        rows = self.lines.get(place.file, [])
        for number in self.whole(place.file, place.line):
            found = _EXCEPTION.search(rows[number - 1]) if number <= len(rows) else None
            if found:
                return found["reason"].strip()
        return None

    def exceptions(self) -> list[tuple[Place, str]]:
        """Every `# check: ok` with its reason."""
        return [
            (Place(file, number, found.start() + 1), found["reason"].strip())
            for file, rows in self.lines.items()
            for number, row in enumerate(rows, 1)
            if (found := _EXCEPTION.search(row))
        ]

    def block(self, place: Place) -> set[int]:
        """The lines to leave out with a line that cannot be read: it and what stands beneath it."""
        rows = self.lines.get(place.file, [])
        lines = self.whole(place.file, place.line)
        found = set(lines)
        indent = _indent(rows[lines[0] - 1]) if lines[0] <= len(rows) else 0
        for number in range(lines[-1] + 1, len(rows) + 1):
            row = rows[number - 1].partition("#")[0]
            if row.strip() and _indent(row) <= indent:
                break
            found.add(number)
        return found


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


class _PatchedLoader(Loader):
    """Reads files without the lines that are left out."""

    def __init__(self, sources: Sources, omitted: dict[str, set[int]]) -> None:
        super().__init__({})
        self.sources, self.omitted = sources, omitted

    def _read(self, path: Path) -> SystemText:
        name = shown_name(path)
        if path not in self.texts:
            self.sources.add(name, path)
            omitted = self.omitted.get(name)
            if omitted:
                rows = enumerate(self.sources.lines[name], 1)
                left = "\n".join("" if number in omitted else row for number, row in rows)
                self.texts[path] = read_text(left, name)
            else:
                self.texts[path] = read_file(path, name)
        return self.texts[path]


@dataclass(frozen=True, slots=True)
class Read:
    """A system, its files, and what could not be read of them."""

    system: System | None  # None where errors are so bad that nothing is left
    sources: Sources
    errors: tuple[Finding, ...]


def read_system(path: Path) -> Read:
    """The system of a file, without the lines that cannot be read, and an error for each of those."""
    if not path.is_file():
        raise BidlabError(f"no file {path}: a system's text is wanted, or the name of a system")
    sources = Sources()
    omitted: dict[str, set[int]] = {}
    errors: list[Finding] = []
    system: System | None = None
    while len(errors) < _MOST_ERRORS:
        loader = _PatchedLoader(sources, omitted)
        try:
            text = loader.load(path)
            system = System(
                text, tuple(loader.texts.values()), tuple(loader.sections), programs=loader.programs
            )
            break
        except SystemTextError as error:
            errors.append(Finding(error.place, Kind.TEXT, error.what))
            left_out = omitted.setdefault(error.place.file, set())
            more = sources.block(error.place) - left_out
            if not more or error.place.file not in sources.lines:
                break
            left_out |= more
    return Read(system, sources, tuple(errors))
