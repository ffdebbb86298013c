"""A system's text as a tree: headers, rules, conventions used, each with its place in the file.

This is the text as it was written, before suits are put in for `M` or `X` and before conventions are put in
for `use`; the linter and `system show` walk over it. Everything is frozen and says where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from bidlab.bridge.calls import Call

if TYPE_CHECKING:
    from bidlab.systems.webb.system import WebbSystem


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words of the text, which may go on over several lines: each piece with where it begins."""

    text: str
    pieces: tuple[tuple[int, Place], ...]  # offset in the text, place in the file

    @property
    def place(self) -> Place:
        """Where the words begin."""
        return self.pieces[0][1]

    def at(self, offset: int) -> Place:
        """The place in the file of a character of the text."""
        offset = max(offset, 0)
        start, place = self.pieces[0]
        if len(self.pieces) > 1:
            start, place = next(piece for piece in reversed(self.pieces) if piece[0] <= offset)
        return place if offset == start else Place(place.file, place.line, place.column + offset - start)

    def __str__(self) -> str:
        return self.text


# Calls.


class CallKind(Enum):
    """What stands where a call is wanted."""

    FIXED = "a call: 1N, P, X"
    BID = "a level and a suit variable: 2M, 3oM"
    LOWEST = "the lowest legal bid of a suit: lowest M"
    JUMP = "one level more than the lowest: jump M"
    STEP = "so many bids above the last: step 1"
    ANY = "any call but a pass"
    ANY_BID = "any bid"
    OVER = "what a convention is used over"


@dataclass(frozen=True, slots=True)
class CallPattern:
    """A call as it is written, perhaps with a suit variable."""

    kind: CallKind
    place: Place
    call: Call | None = None  # FIXED
    level: int = 0  # BID; how many steps: STEP
    suit: str = ""  # BID, LOWEST, JUMP: M oM m om X Y Z W; LOWEST and JUMP also hearts, notrump, their suit

    def __str__(self) -> str:
        match self.kind:
            case CallKind.FIXED:
                return str(self.call)
            case CallKind.BID:
                return f"{self.level}{self.suit}"
            case CallKind.STEP:
                return f"step {self.level}"
            case CallKind.LOWEST | CallKind.JUMP:
                return f"{self.kind.name.lower()} {self.suit}"
        return {CallKind.ANY: "any", CallKind.ANY_BID: "bid", CallKind.OVER: "over"}[self.kind]


class Side(Enum):
    """Whose call a step of a sequence is."""

    OURS = "ours"  # plain
    THEIRS = "theirs"  # in parentheses
    EITHER = "either"  # `-`: a pass of whoever's turn it is


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a sequence; an opponent's may be one of several: `(X or 2C)`."""

    side: Side
    calls: tuple[CallPattern, ...]  # of EITHER: a pass
    place: Place

    def __str__(self) -> str:
        if self.side is Side.EITHER:
            return "-"
        text = " or ".join(str(call) for call in self.calls)
        return f"({text})" if self.side is Side.THEIRS else text


@dataclass(frozen=True, slots=True)
class Predicate:
    """One qualifier of a header or a rule, one predicate of `when`: `agreed M`, `Z above X`, `third seat`.

    The kind is a word of the grammar (`grammar.lark`, the names after `->`); the rest is what it speaks of.
    """

    kind: str
    place: Place
    text: str  # as written
    suit: str = ""  # a variable, a suit in words or a role: M, hearts, their suit
    other: str = ""  # the second suit of a comparison
    what: str = ""  # asked
    least: int = 0  # of numbers: seats, lengths, points
    most: int = 0
    call: CallPattern | None = None
    negated: bool = False

    def __str__(self) -> str:
        return self.text


# Rules.


@dataclass(frozen=True, slots=True)
class EffectWord:
    """One effect of a call: `agrees M`, `asks key cards of M`, `forcing to game`, `priority 2`."""

    kind: str  # forcing, game, invites, signs_off, agrees, asks, transfers, artificial, priority, word
    place: Place
    text: str  # as written
    suit: str = ""
    what: str = ""  # of asks; the word itself of words for people
    number: int = 0  # of priority

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A call, the condition on the hand, what the call does, words; beneath it what partner does next."""

    call: CallPattern
    place: Place
    qualifiers: tuple[Predicate, ...] = ()  # after a comma in the first column: `4X, X below M`
    condition: Phrase | None = None  # None: any hand
    effects: tuple[EffectWord, ...] = ()
    text: str = ""
    children: tuple[RuleLine | Interruption, ...] = ()


@dataclass(frozen=True, slots=True)
class Interruption:
    """An opponent's call among the replies to a rule, and what our side does over it: `(X)`."""

    steps: tuple[Step, ...]
    place: Place
    qualifiers: tuple[Predicate, ...] = ()
    children: tuple[RuleLine | Interruption, ...] = ()

    def __str__(self) -> str:
        return ", ".join([" ".join(str(step) for step in self.steps), *(q.text for q in self.qualifiers)])


# Headers.


class HeaderKind(Enum):
    """How a block of rules says where it applies."""

    OPENING = "opening"
    SEQUENCE = "sequence"
    WHEN = "when"


@dataclass(frozen=True, slots=True)
class Header:
    """Where the rules beneath apply: nobody has bid, a sequence of calls, or a state of the auction."""

    kind: HeaderKind
    place: Place
    steps: tuple[Step, ...] = ()  # of SEQUENCE
    qualifiers: tuple[Predicate, ...] = ()  # of WHEN: its predicates; none: otherwise

    def __str__(self) -> str:
        steps = " ".join(str(step) for step in self.steps)
        parts = [part for part in (steps, *(q.text for q in self.qualifiers)) if part]
        text = ", ".join(parts)
        if self.kind is HeaderKind.WHEN:
            return f"when {text}" if parts else "otherwise"
        return ", ".join(["opening", *parts]) if self.kind is HeaderKind.OPENING else text


@dataclass(frozen=True, slots=True)
class Section:
    """A header and the rules beneath it."""

    header: Header
    rules: tuple[RuleLine | Interruption, ...]

    @property
    def place(self) -> Place:
        """Where the header stands."""
        return self.header.place


# Lines about other files.


@dataclass(frozen=True, slots=True)
class SetLine:
    """A parameter and its value: `set notrump 15-17`; `$notrump` in a condition stands for the value."""

    name: str
    value: str
    place: Place

    @property
    def phrase(self) -> Phrase:
        """The value with its place, one character after the name."""
        place = self.place
        return Phrase(self.value, ((0, Place(place.file, place.line, place.column + len(self.name) + 1)),))


@dataclass(frozen=True, slots=True)
class Use:
    """A convention put in here, over some sequences, with parameters set: `use stayman over 2N, game=5`."""

    name: str
    place: Place
    overs: tuple[tuple[Step, ...], ...] = ()  # one for each `over`
    parameters: tuple[SetLine, ...] = ()
    is_off: bool = False  # `use smolen, off`: only if switched on by name


@dataclass(frozen=True, slots=True)
class Include:
    """Another file, read as if it stood here."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class Programs:
    """Programs of a system that evolved, which call where no rule speaks: `programs inherit 3`."""

    system: WebbSystem
    place: Place


Part = Section | SetLine | Use | Include | Programs


@dataclass(frozen=True, slots=True)
class SystemText:
    """One file: what it is called, and its parts in order."""

    file: str
    kind: str  # system, convention, or part: a file to include, without a name
    name: str
    title: str = ""  # the words in quotes beside the name
    over: tuple[Step, ...] = ()  # of a convention: what it is `written over`
    parts: tuple[Part, ...] = ()
    place: Place = field(default_factory=lambda: Place("", 1))

    @property
    def sections(self) -> tuple[Section, ...]:
        """The blocks of rules, without what other files bring."""
        return tuple(part for part in self.parts if isinstance(part, Section))

    def rule_lines(self) -> Iterator[tuple[Section, RuleLine]]:
        """Every rule of this file with the section that it stands in, from the top."""
        for section in self.sections:
            for rule in _rules_within(section.rules):
                yield section, rule


def _rules_within(nodes: tuple[RuleLine | Interruption, ...]) -> Iterator[RuleLine]:
    for node in nodes:
        if isinstance(node, RuleLine):
            yield node
        yield from _rules_within(node.children)
