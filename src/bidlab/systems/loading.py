"""A system's files put together: conventions and other files put in where they are named, parameters set.

What comes out is a plain list of blocks in the order in which their rules are tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from bidlab.bridge.errors import BidlabError, did_you_mean, quoted
from bidlab.systems.errors import SystemTextError
from bidlab.systems.raising import Raised, without_last_pass
from bidlab.systems.rules import SECOND_THOUGHTS, Written
from bidlab.systems.second_thoughts import SecondThoughts, weights_names
from bidlab.systems.syntax import Include, Phrase, Place, Programs, Section, SetLine, SystemText, Use
from bidlab.systems.text import read_file

if TYPE_CHECKING:
    from bidlab.systems.webb.system import WebbSystem

SUFFIX = ".bids"
_MOST_FILES = 1000  # put into one system, each as often as it is used
_LONGEST = 10_000  # characters of a condition with its parameters
# Parameters that are no text for a condition: one names weights, the other is on or off.
SWITCHES_FOR_ALL = SECOND_THOUGHTS_SWITCH, SYSTEMS_ON_SWITCH = "second-thoughts", "systems-on"
PARAMETER = re.compile(r"\$([A-Za-z]\w*(?:-[A-Za-z]\w*)*)", re.ASCII)


def books_folder() -> Path:
    """Where bidlab's own systems are: `natural/natural.bids`, `conventions/stayman.bids`."""
    return Path(str(files("bidlab.systems"))) / "books"


def book_names() -> list[str]:
    """The names of bidlab's own systems."""
    folder = books_folder()
    nested = (path.stem for path in folder.glob(f"*/*{SUFFIX}") if path.stem == path.parent.name)
    return sorted({*nested, *(path.stem for path in folder.glob(f"*{SUFFIX}"))})


def system_file(name: str) -> Path:
    """The file of a system by its name or path."""
    path = Path(name)
    if path.suffix == SUFFIX or path.parent != Path():
        return path
    for candidate in (books_folder() / name / f"{name}{SUFFIX}", books_folder() / f"{name}{SUFFIX}"):
        if candidate.is_file():
            return candidate
    known = book_names()
    there = f"one of {', '.join(known)}, or " if known else ""
    raise BidlabError(
        f"no system {quoted(name)}: {there}a file ending in {SUFFIX} is wanted{did_you_mean(name, known)}"
    )


def shown_name(path: Path) -> str:
    """A file as errors and explanations call it: bidlab's own from `books/` on."""
    try:
        return f"books/{path.resolve().relative_to(books_folder().resolve()).as_posix()}"
    except ValueError:
        return str(path)


def _switch(name: str) -> str:
    """The name of a parameter or convention as a switch: Python's keywords have no hyphens."""
    return name.replace("_", "-")


@dataclass
class _Scope:
    """The parameters that a text sees: its own, then those of the text that uses it."""

    values: dict[str, str] = field(default_factory=dict)
    fixed: dict[str, str] = field(default_factory=dict)  # set from outside, whatever the text says
    outer: _Scope | None = None

    def value(self, name: str) -> str | None:
        """The value of a parameter, None where it is not set."""
        if name in self.values:
            return self.fixed.get(_switch(name), self.values[name])
        return self.outer.value(name) if self.outer else None

    def names(self) -> list[str]:
        """All names that are seen."""
        return [*self.values, *(self.outer.names() if self.outer else ())]

    def filled(self, phrase: Phrase) -> Phrase:
        """A phrase with values in place of `$name`; the places of the rest stay right."""
        text, end = "", 0
        pieces = list(phrase.pieces)
        for match in PARAMETER.finditer(phrase.text):
            place = phrase.at(match.start())
            value = self.value(match[1])
            if value is None:
                hint = did_you_mean(match[1], self.names())
                raise SystemTextError(place, f"no parameter ${match[1]} is set{hint}: 'set {match[1]} ...'")
            text += phrase.text[end : match.start()]
            grown = len(text) + len(value) - match.end()
            later = [(at, one) for at, one in phrase.pieces if at >= match.end()]
            if len(text) + len(value) > _LONGEST:
                raise SystemTextError(
                    place, f"${match[1]} makes the line longer than {_LONGEST:,} characters"
                )
            pieces = [(at, one) for at, one in pieces if at < len(text)]
            pieces += [(len(text) + i, place) for i in range(len(value))]  # all of it stands at the `$`
            pieces.append((len(text) + len(value), phrase.at(match.end())))
            pieces += [(at + grown, one) for at, one in later]
            text, end = text + value, match.end()
        return Phrase(text + phrase.text[end:], tuple(pieces)) if end else phrase


class Loader:
    """Reads a system and what it names."""

    def __init__(self, switches: Mapping[str, str]) -> None:
        self.switches = {_switch(name): value for name, value in switches.items()}
        self.parameters: set[str] = set()  # names that a switch can have: the system's own `set` lines,
        self.conventions: dict[str, bool] = {}  # and its `use` lines at any depth; whether they are on
        self.texts: dict[Path, SystemText] = {}
        self.sections: list[Section] = []
        self.programs: WebbSystem | None = None
        self.second_thoughts: SecondThoughts | None = None
        self.are_systems_on = False
        self.count = 0

    def load(self, path: Path) -> SystemText:
        """Read a system from its file, and all that it uses, into the sections."""
        text = self._read(path)
        self.add(text, path)
        return text

    def add(self, text: SystemText, path: Path) -> None:
        """Put in a system whose text has been read."""
        scope = _Scope(fixed=dict(self.switches))
        over = text.over or None
        self._parts(text, [path], scope, Raised(text.over, over) if over else None)
        known = {*self.conventions, *self.parameters}
        for name in self.switches:
            if name not in known:
                conventions = ", ".join(sorted(self.conventions)) or "none"
                parameters = ", ".join(sorted(self.parameters)) or "none"
                raise BidlabError(
                    f"{text.name} has no switch {quoted(name)}{did_you_mean(name, known)}: "
                    f"its conventions are {conventions}; its parameters {parameters}"
                )

    def _read(self, path: Path) -> SystemText:
        if path not in self.texts:
            self.texts[path] = read_file(path, shown_name(path))
        return self.texts[path]

    def _parts(self, text: SystemText, stack: list[Path], scope: _Scope, raised: Raised | None) -> None:
        for part in text.parts:
            if isinstance(part, SetLine):
                self._set(part, scope)
            elif isinstance(part, Use):
                self._use(part, stack, scope, raised)
            elif isinstance(part, Programs):
                self.programs = part.system
            elif isinstance(part, Include):
                path = self._found(part.name, part.place, stack)
                self._parts(self._read(path), [*stack, path], scope, raised)
            else:
                self._section(part, scope, raised)

    def _set(self, part: SetLine, scope: _Scope) -> None:
        if scope.outer is None:  # of the system, not of a convention
            self.parameters.add(_switch(part.name))
        scope.values[part.name] = scope.filled(part.phrase).text
        if scope.outer is None:
            self._set_for_all(part, scope.value(part.name))

    def _set_for_all(self, part: SetLine, value: str | None) -> None:
        """Take in a parameter that is about every auction of the system."""
        if part.name == SECOND_THOUGHTS_SWITCH:
            self.second_thoughts = _second_thoughts(value, part.place)
        elif part.name == SYSTEMS_ON_SWITCH:
            if value not in ("on", "off"):
                raise SystemTextError(part.place, f"{SYSTEMS_ON_SWITCH} {value}: on or off is wanted")
            self.are_systems_on = value == "on"

    def _section(self, section: Section, scope: _Scope, raised: Raised | None) -> None:
        placed = (raised or Raised()).section(section, scope.filled)
        if placed is not None:
            self.sections.append(placed)

    def _use(self, part: Use, stack: list[Path], scope: _Scope, raised: Raised | None) -> None:
        switch = self.switches.get(_switch(part.name), "off" if part.is_off else "on")
        if switch not in ("on", "off"):
            raise BidlabError(f"{part.name}={switch}: a convention is switched on or off")
        self.conventions[_switch(part.name)] = switch == "on"
        path = self._found(part.name, part.place, stack)
        text = self._read(path)
        if text.kind == "system":
            raise SystemTextError(part.place, f"{part.name} is a system, no convention: 'include' puts it in")
        inner = self._settings(part, text, scope)
        overs = [(raised or Raised()).steps(without_last_pass(over)) for over in part.overs] or [text.over]
        if part.overs and not text.over:
            raise SystemTextError(
                part.place, f"{part.name} is not written over any call: 'use {part.name}' is wanted"
            )
        for over in overs:
            if switch == "on":
                self._parts(text, [*stack, path], _Scope(fixed=inner, outer=scope), Raised(text.over, over))

    def _settings(self, part: Use, text: SystemText, scope: _Scope) -> dict[str, str]:
        """The parameters that a `use` sets, each of them one of the convention's own."""
        known = [one.name for one in text.parts if isinstance(one, SetLine)]
        for setting in part.parameters:
            if setting.name not in known:
                hint = did_you_mean(setting.name, known)
                raise SystemTextError(setting.place, f"{part.name} has no parameter {setting.name!r}{hint}")
        return {_switch(one.name): scope.filled(one.phrase).text for one in part.parameters}

    def _found(self, name: str, place: Place, stack: list[Path]) -> Path:
        """The file of a convention or a part: beside the file that names it, or among bidlab's own."""
        own = books_folder()
        folders = [stack[-1].parent, stack[0].parent, own / "conventions", own]
        stem = name.removesuffix(SUFFIX)
        path = next((p for f in folders if (p := f / f"{stem}{SUFFIX}").is_file()), None)
        if path is None:
            known = sorted({p.stem for f in folders for p in _texts_in(f)})
            raise SystemTextError(
                place, f"no file {stem}{SUFFIX} for {quoted(name)}{did_you_mean(name, known)}"
            )
        if path.resolve() in [one.resolve() for one in stack]:
            way = " -> ".join(shown_name(one) for one in (*stack, path))
            raise SystemTextError(place, f"{name} puts itself in again: {way}")
        self.count += 1
        if self.count > _MOST_FILES:
            raise SystemTextError(place, f"more than {_MOST_FILES:,} files put into one system")
        return path


def _second_thoughts(weights: str | None, place: Place) -> SecondThoughts | None:
    """Those that a line asks for."""
    if weights is None or weights == "off":
        return None
    if weights not in weights_names():
        known = ", ".join(weights_names())
        raise SystemTextError(place, f"{SECOND_THOUGHTS_SWITCH} {weights}: {known} or off is wanted")
    return SecondThoughts(Written(place.file, place.line, SECOND_THOUGHTS), weights)


def _texts_in(folder: Path) -> Iterable[Path]:
    return folder.glob(f"*{SUFFIX}") if folder.is_dir() else ()
