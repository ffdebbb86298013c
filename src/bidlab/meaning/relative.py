"""Conditions that speak of more than one hand: suit variables, partner's suit, combined points, unbid suits.

The same reader reads them as reads plain meanings; what it does not know by itself it asks a relation. What
comes back speaks of one hand only: `25+ combined` opposite partner's twelve is 13+.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bidlab.bridge.cards import SUITS, Suit
from bidlab.bridge.errors import quoted
from bidlab.meaning import features as f
from bidlab.meaning.conditions import ANYTHING, NOTHING, Condition, Not, Range, all_of, any_of
from bidlab.meaning.features import Feature
from bidlab.meaning.reading import Reader, Token
from bidlab.meaning.words import MAJORS, MINORS, WORDS

VARIABLES = ("M", "oM", "m", "om", "X", "Y", "Z", "W")
ROLES = {  # the words after articles are gone, and the name that a relation is asked for
    ("partner's", "suit"): "partner's suit",
    ("my", "suit"): "my suit",
    ("their", "suit"): "their suit",
    ("agreed", "suit"): "the agreed suit",
    ("fourth", "suit"): "the fourth suit",
}
_ROLES_BEGIN = {words[0] for words in ROLES}
_EVERY, _SOME = ("every", "each", "all"), ("some", "any", "one")
_KINDS = {
    **dict.fromkeys(("suit", "suits"), SUITS),
    **dict.fromkeys(("major", "majors"), MAJORS),
    **dict.fromkeys(("minor", "minors"), MINORS),
}
_WORDS = sorted(
    {*WORDS, *_EVERY, *_SOME, *_KINDS, *(word for role in ROLES for word in role)}
    | {"unbid", "other", "combined", "together", "expected", "likely", "minimum", "maximum", "fit"}
)


class NoSuchSuitError(LookupError):
    """Asked for a suit that nobody has shown here, or that is not agreed."""


class Relation(Protocol):
    """What the words stand for that speak of more than one hand."""

    def suit(self, name: str) -> Suit | None:
        """The suit of a variable or a role; None for a variable that stands for none, an error for a role."""

    def suits(self, name: str) -> tuple[Suit, ...]:
        """The `unbid suits` or `their suits`."""

    def numbers(self, name: str) -> tuple[int, ...]:
        """Points or least lengths that were shown.

        `my points` (least and most), `partner's points` (the least), `partner's lengths` (of each suit); and
        what is to be expected: `partner's expected points`, `partner's expected support` of each suit,
        `partner's expected lengths`. Of one suit by its name: `partner's lengths in M`.
        """


def read_relative(text: str, relation: Relation) -> Condition:
    """The condition of a text on one hand, given what its words stand for."""
    return _RelativeReader(text, relation).whole()[0]


class _RelativeReader(Reader):
    """Asks a relation for what a plain meaning does not know."""

    words = _WORDS

    def __init__(self, text: str, relation: Relation) -> None:
        super().__init__(text)
        self.relation = relation
        # Suits that one condition speaks of at once, as in "every unbid suit": the condition is read once for
        # each of them. Where the group stands, how it joins, which suits, and the one whose turn it is.
        self.group: tuple[int, bool, tuple[Suit, ...]] | None = None
        self.turn = 0

    # Suits.

    def _named_suit(self, ahead: int = 0) -> tuple[Suit, int] | None:
        token = self._peek(ahead)
        if token.kind == "word" and token.raw in VARIABLES:
            suit = self.relation.suit(token.raw)
            if suit is None:
                raise self._error(
                    f"{token.raw} stands for no suit here: a call or a qualifier before it must name it",
                    token.column,
                )
            return suit, 1
        for words, name in ROLES.items() if token.text in _ROLES_BEGIN else ():
            if self._next_is(*words, ahead=ahead):
                suit = self.relation.suit(name)
                assert suit is not None
                return suit, len(words)
        return self._of_group(ahead) or super()._named_suit(ahead)

    def _of_group(self, ahead: int) -> tuple[Suit, int] | None:
        """The suit whose turn it is, where a group of suits comes next."""
        found = self._group_at(ahead)
        if found is None:
            return None
        suits, is_every, count = found
        self.group = (self.at + ahead, is_every, suits)
        # Without any suit the words still have to be read; what they say is then left out.
        return (suits[self.turn] if self.turn < len(suits) else Suit.CLUBS), count

    def _group_at(self, ahead: int) -> tuple[tuple[Suit, ...], bool, int] | None:
        """The suits of "every unbid suit", "some other major than X", "their suits"; and how many words."""
        if self._next_is("their", "suits", ahead=ahead):
            return self.relation.suits("their suits"), True, 2
        first = self._peek(ahead).text
        if first not in (*_EVERY, *_SOME):
            return None
        which, kind = self._peek(ahead + 1).text, self._peek(ahead + 2).text
        if which in _KINDS:
            return _KINDS[which], first in _EVERY, 2
        if kind not in _KINDS or which not in ("unbid", "other"):
            return None
        if which == "unbid":
            unbid = self.relation.suits("unbid suits")
            return tuple(suit for suit in unbid if suit in _KINDS[kind]), first in _EVERY, 3
        if not self._next_is("than", ahead=ahead + 3):
            raise self._error(f"'than' is wanted after 'other {kind}', as in 'every other suit than X'")
        but = self._named_suit(ahead + 4)
        if but is None:
            raise self._error("a suit is wanted after 'than'", self._peek(ahead + 4).column)
        return tuple(suit for suit in _KINDS[kind] if suit != but[0]), first in _EVERY, 4 + but[1]

    def _one(self) -> Condition:
        if self._peek().text in ("(", "not"):
            return super()._one()
        start, self.group, self.turn = self.at, None, 0
        condition = super()._one()
        if self.group is None:
            return condition
        _, is_every, suits = self.group
        parts = [condition] if suits else []
        for self.turn in range(1, len(suits)):
            self.at = start
            parts.append(super()._one())
        self.group, self.turn = None, 0
        if is_every:
            return all_of(parts) if parts else ANYTHING
        return any_of(parts) if parts else NOTHING

    def _different(self, longer: Suit, shorter: Suit, by: int) -> Condition:
        if longer == shorter:  # two names for one suit
            return ANYTHING if by <= 0 else NOTHING
        return super()._different(longer, shorter, by)

    # Points and lengths together with partner's, and of what has been shown.

    def _counted(self, values: list[str], token: Token) -> Condition:
        if self._take("combined"):
            partner = self.relation.numbers("partner's points")[0]
            return self._beside(values, self._unit(), partner, token)
        if self._take("expected"):
            feature = self._unit()
            return self._beside(values, feature, self._expected(feature), token)
        lengths = "partner's expected lengths" if self._take("likely") else "partner's lengths"
        if self._take("together"):
            self._expect("in")
            suit = self._suit()
            return self._beside(values, f.length(suit), self._of_suit(lengths, suit), token)
        return super()._counted(values, token)

    def _beside(self, values: list[str], feature: Feature, partner: int, token: Token) -> Condition:
        """Ranges of what two hands have together, less what partner has at least."""
        parts: list[Condition] = []
        for value in values:
            least, most = self._limits(value, feature, token.column)
            if value[-1] != "+":
                most -= partner
            if value[-1] != "-":
                least -= partner
            parts.append(_clipped(feature, least, most))
        return any_of(parts)

    def _expected(self, feature: Feature) -> int:
        """Partner's expected points, or what he is worth in support of a suit."""
        if feature.kind == "support" and feature.suit is not None:
            return self._of_suit("partner's expected support", feature.suit)
        return self.relation.numbers("partner's expected points")[0]

    def _unit_follows(self) -> bool:
        words = ("combined", "together", "expected", "likely")
        return any(map(self._next_is, words)) or super()._unit_follows()

    def _readers(self) -> dict[str, Callable[[], Condition]]:
        more = {"minimum": self._half, "maximum": self._half, "fit": self._fit}
        return super()._readers() | more

    def _half(self) -> Condition:
        """The lower or the upper half of the points shown so far."""
        is_upper = self._peek().text == "maximum"
        self.at += 1
        least, most = self.relation.numbers("my points")
        half = (least + most + 1) // 2
        return _clipped(f.HCP, half, f.HCP.most) if is_upper else _clipped(f.HCP, 0, half - 1)

    def _fit(self) -> Condition:
        self._expect("fit")
        self._expect("in")
        suit = self._suit()
        return _clipped(f.length(suit), 8 - self._of_suit("partner's lengths", suit), 13)

    def _of_suit(self, question: str, suit: Suit) -> int:
        """What partner has of the suit that was just read; where it has a name, no other is asked for."""
        name = self._peek(-1).raw if self._peek(-1).raw in VARIABLES else ""
        name = next((role for words, role in ROLES.items() if self._next_is(*words, ahead=-len(words))), name)
        if name:
            return self.relation.numbers(f"{question} in {name}")[0]
        return self.relation.numbers(question)[suit]

    def _no(self) -> Condition:
        if self._next_is("fit", ahead=1):
            self._expect("no")
            return Not(self._fit())
        return super()._no()

    def _anything(self) -> Condition:
        if self._next_is("hand", ahead=1):
            return super()._anything()
        raise self._error(f"{quoted(self._peek(1).text)} where 'hand' is wanted: 'any hand'")


def _clipped(feature: Feature, least: int, most: int) -> Condition:
    """A range as far as a hand can have it."""
    least, most = max(least, feature.least), min(most, feature.most)
    if least > most:
        return NOTHING
    return ANYTHING if (least, most) == (feature.least, feature.most) else Range(feature, least, most)
