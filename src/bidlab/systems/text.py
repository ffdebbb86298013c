"""A file of the system language read into its tree: blocks of rules under headers, by indentation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from lark import Token, Tree

from bidlab.bridge.errors import did_you_mean, quoted
from bidlab.systems.errors import SystemTextError
from bidlab.systems.grammar import (
    effect_words,
    header_words,
    read_effects,
    read_head,
    read_header,
    read_include,
    read_interruption,
    read_rule,
    read_set,
    read_use,
    read_written,
)
from bidlab.systems.lines import Line, lines_of
from bidlab.systems.syntax import (
    CallKind,
    EffectWord,
    Header,
    HeaderKind,
    Interruption,
    Part,
    Phrase,
    Place,
    Programs,
    RuleLine,
    Section,
    Side,
    Step,
    SystemText,
)

LARGEST = 1_000_000  # bytes of a file
DEEPEST = 40  # rules beneath rules


def read_file(path: Path, name: str = "") -> SystemText:
    """The tree of a file; errors call it by a name, its path where none is given."""
    name = name or str(path)
    place = Place(name, 1)
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise SystemTextError(place, f"cannot be read: {error.strerror or error}") from None
    if len(content) > LARGEST:
        raise SystemTextError(place, f"larger than {LARGEST:,} bytes: a system's text is wanted")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        raise SystemTextError(
            Place(name, line, column), f"byte {content[error.start]:#04x} is no UTF-8 text"
        ) from None
    return read_text(text, name)


@lru_cache(maxsize=128)  # two systems share most of their conventions
def read_text(text: str, file: str = "text") -> SystemText:
    """The tree of a text."""
    return _TextReader(text, file).whole()


class _Frame:
    """A line whose deeper lines are being collected."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.below: list[_Frame] = []


class _TextReader:
    """Walks through the lines of one file."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = lines_of(text, file)
        self.kind, self.name, self.title = "part", Path(file).stem, ""
        self.place = Place(file, 1)
        self.over: tuple[Step, ...] = ()
        self.parts: list[Part] = []

    def whole(self) -> SystemText:
        """The tree of the file."""
        for frame in _nested(self.lines):
            self._top(frame)
        return SystemText(
            self.file, self.kind, self.name, self.title, self.over, tuple(self.parts), self.place
        )

    def _top(self, frame: _Frame) -> None:
        line, phrase = frame.line, frame.line.whole
        self._check_first_word(phrase)
        tree = read_head(phrase)
        kind = str(tree.data)
        if kind in ("opening", "sequence", "when"):
            self.parts.append(self._section(read_header(tree, phrase), frame))
            return
        if kind == "programs":
            from bidlab.systems.webb.programs import read_programs  # few systems have them

            states = [(below.line.whole, [one.line.whole for one in below.below]) for below in frame.below]
            self.parts.append(Programs(read_programs(phrase, states), phrase.place))
            return
        if frame.below:
            raise SystemTextError(
                frame.below[0].line.place,
                f"a rule beneath {quoted(phrase.text)}: a header is wanted above it",
            )
        if kind in ("system", "convention"):
            self._named(kind, str(tree.children[0]), line)
        elif kind == "written":
            self.over = read_written(tree, phrase)
            _check_bid_at_end(self.over, phrase)
        else:
            self.parts.append(_other_part(kind, tree, phrase))

    def _check_first_word(self, phrase: Phrase) -> None:
        word = phrase.text.split(maxsplit=1)[0].rstrip(",")
        if word.isalpha() and len(word) > 3 and word not in header_words() and word not in ("Pass", "over"):
            raise SystemTextError(
                phrase.place,
                f"{quoted(word)} where a header ('opening', '1M -', 'when agreed M', 'use ...') is wanted"
                f"{did_you_mean(word, header_words())}",
            )

    def _named(self, kind: str, name: str, line: Line) -> None:
        if self.kind != "part":
            raise SystemTextError(
                line.place, f"a second name, {quoted(name)}: the file is {self.name} already"
            )
        self.kind, self.name, self.title, self.place = kind, name.strip(), line.text or "", line.place

    def _section(self, header: Header, frame: _Frame) -> Section:
        if frame.line.text is not None:
            raise SystemTextError(frame.line.place, "words in quotes beside a header: they belong to rules")
        if header.kind is HeaderKind.WHEN:
            for below in frame.below:
                if below.line.columns[0].text.startswith("("):
                    raise SystemTextError(
                        below.line.place, "an opponent's call right beneath 'when': say 'they doubled' there"
                    )
        return Section(header, tuple(_node(below) for below in frame.below))


def _other_part(kind: str, tree: Tree[Token], phrase: Phrase) -> Part:
    if kind == "set_line":
        return read_set(tree, phrase)
    return read_use(tree, phrase) if kind == "use" else read_include(tree, phrase)


def _nested(lines: Sequence[Line]) -> list[_Frame]:
    """The lines without indentation, each with the deeper ones beneath it."""
    tops: list[_Frame] = []
    stack: list[_Frame] = []
    for line in lines:
        frame = _Frame(line)
        while stack and stack[-1].line.indent >= line.indent:
            stack.pop()
        if line.indent > 0 and not stack:
            raise SystemTextError(line.place, "indented without a header above it")
        if stack and stack[-1].below and stack[-1].below[0].line.indent != line.indent:
            wanted = stack[-1].below[0].line.indent
            raise SystemTextError(
                line.place, f"indented by {line.indent}: {wanted} would be in line with those above"
            )
        if len(stack) > DEEPEST:
            raise SystemTextError(line.place, f"more than {DEEPEST} rules beneath each other")
        (stack[-1].below if stack else tops).append(frame)
        stack.append(frame)
    return tops


def _node(frame: _Frame) -> RuleLine | Interruption:
    if frame.line.columns[0].text.startswith("("):
        return _interruption(frame)
    return _rule(frame)


def _interruption(frame: _Frame) -> Interruption:
    line = frame.line
    if line.text is not None:
        raise SystemTextError(line.place, "words in quotes beside an opponent's call: they belong to rules")
    steps, qualifiers = read_interruption(line.whole)
    for step in steps:
        if any(call.kind is CallKind.OVER for call in step.calls):
            raise SystemTextError(step.place, "'over' begins a header; it cannot stand beneath one")
    if not frame.below:
        raise SystemTextError(
            line.place, f"no rules beneath {quoted(line.whole.text)}: what does our side do?"
        )
    return Interruption(steps, line.place, qualifiers, tuple(_node(below) for below in frame.below))


def _rule(frame: _Frame) -> RuleLine:
    line = frame.line
    call, qualifiers = read_rule(line.columns[0])
    condition, effects = _columns(line.columns[1:])
    children = tuple(_node(below) for below in frame.below)
    return RuleLine(call, line.place, qualifiers, condition, effects, line.text or "", children)


def _columns(columns: tuple[Phrase, ...]) -> tuple[Phrase | None, tuple[EffectWord, ...]]:
    """The condition and the effects among the columns after the call."""
    condition: Phrase | None = None
    if columns and not _is_effects(columns[0]):
        condition, columns = columns[0], columns[1:]
    if not columns:
        return condition, ()
    effects = read_effects(columns[0])
    if len(columns) > 1:
        raise SystemTextError(
            columns[1].place,
            f"{quoted(columns[1].text)}: one more column after the effects; a comma and one space join them",
        )
    return condition, effects


def _is_effects(column: Phrase) -> bool:
    return column.text.split(maxsplit=1)[0].rstrip(",") in effect_words()


def _check_bid_at_end(steps: tuple[Step, ...], phrase: Phrase) -> None:
    calls = [step.calls[0] for step in steps if step.side is Side.OURS]
    if not calls:
        raise SystemTextError(
            phrase.place, "'written over' wants a call of our side, as in 'written over 1N'"
        )
