"""Headers, calls, qualifiers and effects read by the grammar (`grammar.lark`) into the tree of the text."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import Suit
from bidlab.bridge.errors import did_you_mean, quoted
from bidlab.systems.errors import SystemTextError
from bidlab.systems.syntax import (
    CallKind,
    CallPattern,
    EffectWord,
    Header,
    HeaderKind,
    Include,
    Phrase,
    Place,
    Predicate,
    SetLine,
    Side,
    Step,
    Use,
)

_Tree = Tree[Token]
_ROLES = {
    "partners": "partner's suit",
    "mine": "my suit",
    "theirs_suit": "their suit",
    "agreed_suit": "the agreed suit",
    "fourth": "the fourth suit",
}
_ORDINALS = ("first", "second", "third", "fourth")
_KINDS = {"any_call": CallKind.ANY, "any_bid": CallKind.ANY_BID}
_FIXED = re.compile(r"P|Pass|XX?|[1-7](?:NT?|[CDHS♣♦♥♠])")


@cache
def _parser() -> Lark:
    text = files("bidlab.systems").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        text,
        start=["head", "rule", "interruption", "effects"],
        parser="lalr",
        propagate_positions=True,
        maybe_placeholders=False,
    )


@cache
def _literals() -> dict[str, str]:
    """The words of the grammar by the names that its terminals have."""
    return {
        terminal.name: terminal.pattern.value
        for terminal in _parser().terminals
        if isinstance(terminal.pattern, PatternStr)
    }


@cache
def effect_words() -> frozenset[str]:
    """The words that an effect can begin with."""
    return _first_words("effects")


@cache
def header_words() -> frozenset[str]:
    """The words that a line without indentation can begin with."""
    return _first_words("head")


def _first_words(start: str) -> frozenset[str]:
    accepted: set[str] = _parser().parse_interactive("", start=start).accepts()  # type: ignore[no-untyped-call]
    return frozenset(_literals()[name] for name in accepted if name in _literals())


def _parsed(phrase: Phrase, start: str) -> _Tree:
    try:
        return _tree_of(phrase.text, start)
    except UnexpectedInput as error:
        raise _friendly(error, phrase, start) from None


@lru_cache(maxsize=1 << 13)  # a system's lines have few different calls and effects; nobody changes a tree
def _tree_of(text: str, start: str) -> _Tree:
    return _parser().parse(text, start=start)


# What is read.


def read_head(phrase: Phrase) -> _Tree:
    """The tree of a line without indentation; its `data` says which kind it is."""
    return _parsed(phrase, "head")


def read_header(tree: _Tree, phrase: Phrase) -> Header:
    """The header of a block of rules."""
    reader = _Reader(phrase)
    kind = HeaderKind(str(tree.data))
    is_sequence = kind is HeaderKind.SEQUENCE
    steps = reader.steps(_child(tree, 0)) if is_sequence else ()
    qualifiers = reader.predicates(tree.children[1:] if is_sequence else tree.children)
    return Header(kind, phrase.place, steps, qualifiers)


def read_use(tree: _Tree, phrase: Phrase) -> Use:
    """A convention that is used, with its sequences and parameters."""
    reader = _Reader(phrase)
    name, *rest = tree.children
    trees = [child for child in rest if isinstance(child, Tree)]
    overs = tuple(reader.steps(one) for one in trees if one.data == "steps")
    settings = tuple(reader.setting(one) for one in trees if one.data == "setting")
    is_off = any(one.data == "off" for one in trees)
    return Use(str(name), phrase.place, overs, settings, is_off)


def read_set(tree: _Tree, phrase: Phrase) -> SetLine:
    """A parameter and its value."""
    return _Reader(phrase).setting(tree)


def read_include(tree: _Tree, phrase: Phrase) -> Include:
    """The name of another file."""
    return Include(str(tree.children[0]), phrase.place)


def read_written(tree: _Tree, phrase: Phrase) -> tuple[Step, ...]:
    """The sequence that a convention is written over."""
    return _Reader(phrase).steps(_child(tree, 0))


def read_rule(phrase: Phrase) -> tuple[CallPattern, tuple[Predicate, ...]]:
    """The call of a rule and its qualifiers, from the first column."""
    tree = _parsed(phrase, "rule")
    reader = _Reader(phrase)
    return reader.made(_child(tree, 0)), reader.predicates(tree.children[1:])


def read_interruption(phrase: Phrase) -> tuple[tuple[Step, ...], tuple[Predicate, ...]]:
    """The calls of a line that begins with an opponent's call, and its qualifiers."""
    tree = _parsed(phrase, "interruption")
    reader = _Reader(phrase)
    return reader.steps(_child(tree, 0)), reader.predicates(tree.children[1:])


def read_effects(phrase: Phrase) -> tuple[EffectWord, ...]:
    """The effects of a call, from their column."""
    tree = _parsed(phrase, "effects")
    reader = _Reader(phrase)
    return tuple(reader.effect(child) for child in tree.children if isinstance(child, Tree))


def _child(tree: _Tree, number: int) -> _Tree:
    child = tree.children[number]
    assert isinstance(child, Tree)
    return child


class _Reader:
    """Turns trees of the grammar into the types of the text, with places from one phrase."""

    def __init__(self, phrase: Phrase) -> None:
        self.phrase = phrase

    def place(self, node: _Tree | Token) -> Place:
        """Where something stands in the file."""
        start = node.start_pos if isinstance(node, Token) else getattr(node.meta, "start_pos", 0)
        return self.phrase.at(start or 0)

    def words(self, tree: _Tree) -> str:
        """The text of a tree as it was written."""
        return " ".join(self.phrase.text[tree.meta.start_pos : tree.meta.end_pos].split())

    def steps(self, tree: _Tree) -> tuple[Step, ...]:
        """The calls of a sequence."""
        return tuple(self.step(child) for child in tree.children if isinstance(child, Tree))

    def step(self, tree: _Tree) -> Step:
        """One call of a sequence."""
        place = self.place(tree)
        match tree.data:
            case "ours":
                return Step(Side.OURS, (self.call(tree),), place)
            case "over":
                return Step(Side.OURS, (CallPattern(CallKind.OVER, place),), place)
            case "either":
                return Step(Side.EITHER, (CallPattern(CallKind.FIXED, place, Call.PASS),), place)
        calls = tuple(self.call(child) for child in tree.children if isinstance(child, Tree))
        return Step(Side.THEIRS, calls, place)

    def call(self, tree: _Tree) -> CallPattern:
        """A call of a sequence or a rule."""
        if tree.data in _KINDS:
            return CallPattern(_KINDS[str(tree.data)], self.place(tree))
        if tree.data == "pass_":
            return CallPattern(CallKind.FIXED, self.place(tree), Call.PASS)
        token = tree.children[0]
        assert isinstance(token, Token)
        return self.call_token(token)

    def call_token(self, token: Token) -> CallPattern:
        """A call by its text, perhaps with a suit variable."""
        if _FIXED.fullmatch(token):
            return CallPattern(CallKind.FIXED, self.place(token), Call(str(token)))
        return CallPattern(CallKind.BID, self.place(token), level=int(token[0]), suit=str(token[1:]))

    def made(self, tree: _Tree) -> CallPattern:
        """The call of a rule."""
        match tree.data:
            case "lowest" | "jump":
                kind = CallKind.LOWEST if tree.data == "lowest" else CallKind.JUMP
                return CallPattern(kind, self.place(tree), suit=self.strain(_child(tree, 0)))
            case "step":
                return CallPattern(CallKind.STEP, self.place(tree), level=int(str(tree.children[0])))
        return self.call(tree)

    def strain(self, tree: _Tree) -> str:
        """A suit or notrump."""
        child = tree.children[0]
        return "notrump" if isinstance(child, Token) else self.suit(child)

    def suit(self, tree: _Tree) -> str:
        """A suit: its word, a variable or a role."""
        if tree.data in _ROLES:
            return _ROLES[str(tree.data)]
        token = tree.children[0]
        assert isinstance(token, Token)
        return str(token) if token.type == "VARIABLE" else Suit(str(token)).word

    def predicates(self, nodes: list[Token | _Tree]) -> tuple[Predicate, ...]:
        """The qualifiers after a comma."""
        return tuple(self.predicate(node) for node in nodes if isinstance(node, Tree))

    def predicate(self, tree: _Tree) -> Predicate:
        """One qualifier."""
        negated = tree.data == "negated"
        inner = _child(tree, 0) if negated else tree
        suits = [self.suit(child) for child in inner.children if isinstance(child, Tree)]
        tokens = [child for child in inner.children if isinstance(child, Token)]
        kind = str(inner.data)
        least, most = self.numbers(kind, tokens)
        return Predicate(
            kind,
            self.place(tree),
            self.words(tree),
            suit=suits[0] if suits else "",
            other=suits[1] if len(suits) > 1 else "",
            what=" ".join(tokens) if kind == "asked" else "",
            least=least,
            most=most,
            call=self.call_token(tokens[0]) if kind == "below_call" else None,
            negated=negated,
        )

    def numbers(self, kind: str, tokens: list[Token]) -> tuple[int, int]:
        """The seats (first and last of one or two) or the range that a qualifier speaks of."""
        if kind == "seats":
            numbers = sorted(_ORDINALS.index(str(token)) + 1 for token in tokens)
            if numbers != list(range(numbers[0], numbers[-1] + 1)):
                raise SystemTextError(self.place(tokens[0]), "seats apart: seats in a row are wanted")
            return numbers[0], numbers[-1]
        if kind not in ("partner_showed", "i_showed"):
            return 0, 0
        low, dash, high = tokens[0].rstrip("+").partition("-")
        if dash and not high:
            return 0, int(low)
        return int(low), int(high or (37 if tokens[0].endswith("+") else low))

    def setting(self, tree: _Tree) -> SetLine:
        """A parameter and its value."""
        name, value = tree.children
        return SetLine(str(name), str(value).strip(), self.place(name))

    def effect(self, tree: _Tree) -> EffectWord:
        """One effect."""
        suits = [self.suit(child) for child in tree.children if isinstance(child, Tree)]
        tokens = [str(child) for child in tree.children if isinstance(child, Token)]
        kind = str(tree.data)
        return EffectWord(
            kind,
            self.place(tree),
            self.words(tree),
            suit=suits[0] if suits else "",
            what=" ".join(tokens) if kind == "asks" else "",
            number=int(tokens[0]) if kind == "priority" else 0,
        )


# Errors in the words of the game.

_THINGS = {
    "CALL": "a call",
    "VARIABLE": "a suit",
    "NAME": "a name",
    "VALUE": "a value",
    "SETTING": "a value",
    "TITLE": "a name",
    "WORD": "a word",
    "RANGE": "a range such as 5+",
    "NUMBER": "a number",
    "SIGNED": "a number",
}


def _friendly(error: UnexpectedInput, phrase: Phrase, start: str) -> SystemTextError:
    at = error.pos_in_stream
    if at is None or at < 0 or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        at = len(phrase.text)
    found = re.compile(r"[\w'-]+|\S").match(phrase.text, at)
    word = found[0] if found else ""
    allowed: set[str] = set()
    if isinstance(error, UnexpectedCharacters):
        allowed = set(error.allowed or ())
    elif isinstance(error, UnexpectedToken):
        allowed = set(error.accepts or error.expected or ())
    given = quoted(word) if word else "the end"
    known = [_literals()[name] for name in allowed if name in _literals()]
    hint = did_you_mean(word, known) if len(word) > 1 else ""
    return SystemTextError(phrase.at(at), f"{given} where {_wanted(allowed, start, at)} is wanted{hint}")


def _wanted(allowed: set[str], start: str, at: int) -> str:
    """What would be right at a place, in words."""
    if "FAVOURABLE" in allowed:
        return "a qualifier ('third seat', 'vulnerable', 'Z above X', 'agreed M' ...)"
    if "INVITES" in allowed:
        return "an effect ('forcing', 'invites', 'agrees M', 'asks shortness' ...)"
    if "OPENING" in allowed:
        return "a header ('opening', '1M -', 'when agreed M', 'use stayman over 1N' ...)"
    if "LOWEST" in allowed:
        return "a call ('1N', '2M', 'P', 'X', 'lowest M', 'step 1')"
    if start == "rule" and at and "COMMA" in allowed:
        return "the end of the call, two spaces and the condition"
    literals = sorted(_literals()[name] for name in allowed if name in _literals())
    things = [_THINGS[name] for name in sorted(allowed) if name in _THINGS]
    wanted = [*dict.fromkeys(things), *(quoted(word) for word in literals[:8])]
    return " or ".join(wanted) or "the end"
