"""BML notes as a system: the tree of calls is followed, descriptions are understood as far as they go.

BML (Bridge Bidding Markup Language, by Erik Sjöstrand and Gert-Jan Paulissen) is how many players keep their
notes: tables of calls, indented, one line of free text for each. What is not understood is noted line by
line; a call whose description says nothing about the hand is kept, so that its answers are followed, but is
never made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import Suit
from bidlab.systems.bml_lines import Row, blocks_of
from bidlab.systems.bml_words import understood
from bidlab.systems.errors import SystemTextError
from bidlab.systems.grammar import read_effects
from bidlab.systems.loading import shown_name
from bidlab.systems.syntax import (
    CallKind,
    CallPattern,
    Header,
    HeaderKind,
    Interruption,
    Phrase,
    Place,
    Predicate,
    RuleLine,
    Section,
    Side,
    Step,
    SystemText,
)
from bidlab.systems.system import System
from bidlab.systems.tree import Tree
from bidlab.systems.variables import Bindings, every_binding, is_variable

_CALL = re.compile(
    r"(?P<level>[1-7])(?P<strain>NT|N|oM|om|red|black|steps?|[MmXYZ]|(?:!?[CDHScdhs♣♦♥♠])+)"
    r"|(?P<word>Pass|P|Dbl|D|X|Rdbl|R|XX)"
)
_SUITS = {"red": "DH", "black": "CS"}
_WORDS = {"P": Call.PASS, "D": Call.DOUBLE, "X": Call.DOUBLE, "R": Call.REDOUBLE}
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Note:
    """Something in the notes that was not understood."""

    place: Place
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True, slots=True)
class Notes:
    """BML notes as the tree of a system, and what was not understood."""

    text: SystemText
    notes: tuple[Note, ...]

    def system(self) -> System:
        """The system that the notes describe."""
        return System(self.text, (self.text,), self.text.sections)


def load_bml(path: str | Path) -> Notes:
    """The notes in a file, and in those that it includes."""
    path = Path(path)
    try:
        content = path.read_bytes()[:1_000_001]
    except OSError as error:
        raise SystemTextError(Place(str(path), 1), f"cannot be read: {error.strerror or error}") from None
    return parse_bml(content.decode("utf-8", errors="replace"), shown_name(path), path.parent)


def parse_bml(text: str, file: str = "notes.bml", folder: Path | None = None) -> Notes:
    """The notes of a text; files that it includes are looked for in a folder."""
    return _BmlReader(file).read(text, folder)


class _BmlReader:
    """Turns tables of calls into blocks of rules."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.notes: list[Note] = []
        self.sections: list[Section] = []

    def read(self, text: str, folder: Path | None) -> Notes:
        document = blocks_of(text, self.file, folder)
        for place, what in document.notes:
            self.note(place, what)
        for block in document.blocks:
            self._table(block.rows, block.seat, block.vulnerable)
        title = document.meta.get("TITLE", Path(self.file).stem)
        about = document.meta.get("DESCRIPTION", "")
        tree = SystemText(self.file, "system", title, about, (), tuple(self.sections), Place(self.file, 1))
        return Notes(tree, tuple(dict.fromkeys(self.notes)))

    def note(self, place: Place, text: str) -> None:
        """Keep something that was not understood."""
        self.notes.append(Note(place, text))

    # Tables.

    def _table(self, rows: Sequence[Row], seat: str, vulnerable: str) -> None:
        first = rows[0]
        if not re.search(r"[-;]", first.call):
            self._openings(rows, _table_qualifiers(seat, vulnerable, 0, first.place))
            return
        words = [word for word in re.split(r"[-;]+", first.call) if word]
        try:
            histories = list(product(*(_steps(word, first.place) for word in words)))
        except ValueError:
            self.note(first.place, f"no sequence of calls: {first.call!r}")
            return
        for history in histories:
            calls = sum(step.side is Side.OURS for step in history)
            qualifiers = _table_qualifiers(seat, vulnerable, calls, first.place)
            header = Header(HeaderKind.SEQUENCE, first.place, tuple(history), qualifiers)
            self._section(Section(header, self._nodes(rows[1:], history)))

    def _openings(self, rows: Sequence[Row], qualifiers: tuple[Predicate, ...]) -> None:
        ours: list[Row] = []
        for row, below in _grouped(rows):
            if not row.call.startswith("("):
                ours += [row, *below]
                continue
            for step in self._their_steps(row):
                header = Header(HeaderKind.SEQUENCE, row.place, (step,), qualifiers)
                self._section(Section(header, self._nodes(below, (step,))))
        if ours:
            header = Header(HeaderKind.OPENING, ours[0].place, qualifiers=qualifiers)
            self._section(Section(header, self._nodes(ours, ())))

    def _section(self, section: Section) -> None:
        if not section.rules:
            return
        try:
            Tree([section])
        except SystemTextError as error:
            self.note(error.place, error.what)
        else:
            self.sections.append(section)

    def _nodes(
        self, rows: Sequence[Row], history: Sequence[Step], depth: int = 0
    ) -> tuple[RuleLine | Interruption, ...]:
        groups = list(_grouped(rows))
        if groups and depth > _DEEPEST:
            self.note(rows[0].place, f"more than {_DEEPEST} calls beneath each other")
            return ()
        # A plain call counts before one with a letter, and the letter does not stand for its suit.
        taken = [call.call for row, _ in groups for call in self._calls(row) if call.kind is CallKind.FIXED]
        found: list[RuleLine | Interruption] = []
        for row, below in groups:
            if row.call.startswith("("):
                found += self._interrupted(row, below, history, depth)
                continue
            for call in self._calls(row):
                later = (*history, Step(Side.OURS, (call,), row.place))
                children = self._nodes(below, later, depth + 1)
                qualifiers = _apart(call, taken, history)
                found.append(self._rule(row, call, qualifiers, children, _letters(later)))
        return tuple(found)

    def _interrupted(
        self, row: Row, below: Sequence[Row], history: Sequence[Step], depth: int
    ) -> Iterator[RuleLine | Interruption]:
        """What is done over an opponent's call; after a pass that is what follows anyway."""
        for step in self._their_steps(row):
            children = self._nodes(below, (*history, step), depth + 1)
            if step.calls[0].call == Call.PASS:
                yield from children
            elif children:
                yield Interruption((step,), row.place, (), children)

    def _their_steps(self, row: Row) -> list[Step]:
        try:
            return _steps(row.call, row.place)
        except ValueError:
            self.note(row.place, f"no call: {row.call!r}")
            return []

    def _calls(self, row: Row) -> list[CallPattern]:
        try:
            return [step.calls[0] for step in _steps(row.call, row.place)]
        except ValueError:
            self.note(row.place, f"no call: {row.call!r}")
            return []

    # One line.

    def _rule(
        self,
        row: Row,
        call: CallPattern,
        qualifiers: tuple[Predicate, ...],
        children: tuple[RuleLine | Interruption, ...],
        letters: Bindings,
    ) -> RuleLine:
        suit = call.suit or (Suit(int(call.call.strain)).word if _is_suit_bid(call) and call.call else "")
        said = understood(row.description, suit, letters)
        for words in said.rest:
            self.note(row.place, f"not understood: {words!r}")
        condition = said.condition
        if not condition:
            self.note(row.place, f"{call}: nothing about the hand is understood, so the call is never made")
            condition = "no hand"
        effects = read_effects(_phrase(", ".join(said.effects), row.place)) if said.effects else ()
        phrase = _phrase(condition, row.place)
        return RuleLine(call, row.place, qualifiers, phrase, effects, row.description, children)


def _is_suit_bid(call: CallPattern) -> bool:
    return call.call is not None and call.call.is_bid and int(call.call.strain) < 4


def _phrase(text: str, place: Place) -> Phrase:
    # The words are no longer those of the file: all of them stand where the line begins.
    return Phrase(text, tuple((i, place) for i in range(len(text))) or ((0, place),))


def _grouped(rows: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """The rows of the outermost indentation, each with those beneath it."""
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and rows[end].indent > rows[at].indent:
            end += 1
        yield rows[at], list(rows[at + 1 : end])
        at = end


def _steps(word: str, place: Place) -> list[Step]:
    """The calls that a word stands for: `2HS` two of them. A ValueError where it is no call."""
    side = Side.THEIRS if word.startswith("(") else Side.OURS
    match = _CALL.fullmatch(word.strip("()"))
    if match is None:
        raise ValueError(word)
    return [Step(side, (pattern,), place) for pattern in _patterns(match, place)]


def _patterns(match: re.Match[str], place: Place) -> Iterator[CallPattern]:
    if match["word"]:
        word = match["word"]
        call = Call.REDOUBLE if word in ("XX", "Rdbl") else _WORDS[word[0]]
        yield CallPattern(CallKind.FIXED, place, call)
        return
    level, strain = int(match["level"]), match["strain"]
    if strain.startswith("step"):
        yield CallPattern(CallKind.STEP, place, level=level)
    elif is_variable(strain):
        yield CallPattern(CallKind.BID, place, level=level, suit=strain)
    elif strain.startswith("N"):
        yield CallPattern(CallKind.FIXED, place, Call.bid(level, "N"))
    else:
        for letter in _SUITS.get(strain, strain.replace("!", "")):
            yield CallPattern(CallKind.FIXED, place, Call.bid(level, letter.upper()))


# Suits and seats.


def _letters(steps: Sequence[Step]) -> Bindings:
    """Some suits for the letters of a sequence, to try a condition with."""
    bindings: Bindings = ()
    for call in (call for step in steps for call in step.calls if is_variable(call.suit)):
        bindings = next((more for _, more in every_binding(call.suit, bindings)), bindings)
    return bindings


def _apart(call: CallPattern, taken: Sequence[Call | None], history: Sequence[Step]) -> tuple[Predicate, ...]:
    """Qualifiers by which a letter stands for no suit that was named before or has a line of its own."""
    before = [pattern for step in history for pattern in step.calls]
    if call.kind is not CallKind.BID or any(one.suit == call.suit for one in before):
        return ()
    bids = [one for one in taken if one is not None and one.is_bid and one.level == call.level]
    bids += [one.call for one in before if one.call is not None and one.call.is_bid]
    named = {Suit(int(bid.strain)) for bid in bids if int(bid.strain) < 4}
    suits = [suit for suit, _ in every_binding(call.suit, ()) if suit in named]
    return tuple(
        Predicate("same", call.place, f"not {call.suit} is {suit.word}", call.suit, suit.word, negated=True)
        for suit in suits
    )


def _table_qualifiers(seat: str, vulnerable: str, our_calls: int, place: Place) -> tuple[Predicate, ...]:
    """The qualifiers of #SEAT, which counts opener's seat, and #VUL."""
    found: list[Predicate] = []
    if seat != "0":
        numbers = sorted((int(one) + 1 + 2 * (our_calls % 2)) % 4 or 4 for one in seat.translate(_MINUS_ONE))
        words = " or ".join(("first", "second", "third", "fourth")[number - 1] for number in numbers)
        found.append(Predicate("seats", place, f"{words} seat", least=numbers[0], most=numbers[-1]))
    for letter, kind in zip(vulnerable, ("vulnerable", "they_vulnerable"), strict=True):
        if letter != "0":
            text = {"vulnerable": "vulnerable", "they_vulnerable": "they are vulnerable"}[kind]
            is_not = letter == "N"
            found.append(Predicate(kind, place, f"not {text}" if is_not else text, negated=is_not))
    return tuple(found)


_MINUS_ONE = str.maketrans("1234", "0123")
