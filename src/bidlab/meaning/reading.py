"""Meanings read from short text: `15-17, balanced`; `5+ hearts, 8-11`; `longer hearts than spades`.

Loosest first: `;` parts alternatives, `,` joins what holds together, `or` parts alternatives inside
that, and words side by side (or `and`, `with`) hold together: "5+ spades or 5+ hearts, 8-11" is a
major suit with 8 to 11 points. Parentheses and `not` work as expected. A number without a word
counts high-card points; numbers that go down and could be lengths are a shape: 8-11 are points, 5-4
is a shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bidlab.bridge.cards import SUITS, Card, Suit
from bidlab.bridge.errors import NotationError, did_you_mean, quoted
from bidlab.meaning import features as f
from bidlab.meaning.classes import HandClass
from bidlab.meaning.conditions import (
    ANYTHING,
    NOTHING,
    SHAPE_WORDS,
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeWord,
    all_of,
    any_of,
    opposite,
)
from bidlab.meaning.errors import MeaningTextError
from bidlab.meaning.features import Feature
from bidlab.meaning.words import (
    BEFORE_SUIT,
    CONTROLS,
    COUNTS,
    HONOURS,
    MAJORS,
    MINORS,
    PLAIN,
    QUALITIES,
    SHORT,
    STOPPERS,
    WORDS,
    feature_words,
)

_TOKEN = re.compile(
    r"\s*(?:(?P<shape>\d+(?:=\d+){3}|\d+(?:-\d+){2,3}\+?|\d+-\d+\+)"
    r"|(?P<range>(?:\d+(?:\.\d+)?½?|½)(?:[ ]?\+|(?:-|\s+-\s+)(?:\d+(?:\.\d+)?½?|½)|-(?![\w(]))?)"
    r"|(?P<card>[SHDC♠♥♦♣][AKQJT2-9](?!\w))"
    r"|(?P<word>[♠♥♦♣]|[A-Za-z]+(?:['-][A-Za-z]+)*)"
    r"|(?P<mark>[;,()%-])|(?P<odd>\S))",
    re.ASCII,
)
_DASHES = str.maketrans("–−—’", "---'")  # as they come out of word processors
_DEEPEST = 40
_SUITS = {
    text.lower(): suit for suit in SUITS for text in (suit.letter, suit.word, suit.word[:-1], suit.symbol)
}
# Numbers in words come as numbers: "three" and "3" are one.
_WRITTEN = {word: str(number) for number, word in enumerate(COUNTS)}
_T = TypeVar("_T")


def _by_first_word(phrases: Mapping[tuple[str, ...], _T]) -> dict[str, list[tuple[tuple[str, ...], _T]]]:
    """Phrases by their first words, the longest first, since short ones begin them."""
    found: dict[str, list[tuple[tuple[str, ...], _T]]] = {}
    for words, meant in sorted(phrases.items(), key=lambda item: -len(item[0])):
        found.setdefault(_WRITTEN.get(words[0], words[0]), []).append((words, meant))
    return found


_BEFORE_SUIT = _by_first_word({words: kind for words, kind in BEFORE_SUIT.items() if words})
_PLAIN = _by_first_word(PLAIN)
_LONG = re.compile(r"\d{7}")
_NUMBER = re.compile(r"(\d*(?:\.\d+)?)(½?)")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark of the text."""

    kind: str
    text: str
    column: int  # from 1
    raw: str = ""  # of a word: as it was written


def read_meaning(text: str) -> tuple[Condition, float]:
    """The condition of a text, and the share of hands that it says lie outside."""
    return Reader(text).whole()


class Reader:
    """Walks through the tokens of one text."""

    words: Sequence[str] = WORDS  # those known, to suggest one

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.at = 0
        self.depth = 0
        self._reads: dict[str, Callable[[], Condition]] | None = None  # made when a word asks for it

    def _tokens(self) -> list[Token]:
        found = []
        for match in _TOKEN.finditer(self.text.translate(_DASHES)):
            kind = match.lastgroup
            assert kind is not None
            word, column = match[kind], match.start(kind) + 1
            raw = word
            if kind == "odd":
                raise self._error(f"{quoted(word)} has no meaning", column)
            if kind in ("range", "shape") and _LONG.search(word):
                raise self._error(f"{quoted(word)} is too large a number", column)
            if kind == "range":
                word = "".join(word.split())
            if kind == "word":
                word = word if word in "♠♥♦♣" else word.lower()
                if word in ("a", "an", "the"):
                    continue
                if word in COUNTS:
                    kind, word = "range", str(COUNTS.index(word))
            found.append(Token(kind, word, column, raw))
        return found

    def _error(self, what: str, column: int | None = None) -> MeaningTextError:
        if column is None:
            column = self.tokens[self.at].column if self.at < len(self.tokens) else len(self.text) + 1
        return MeaningTextError(what, column, self.text)

    # Tokens.

    def _peek(self, ahead: int = 0) -> Token:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else Token("end", "", len(self.text) + 1)

    def _next_is(self, *words: str, ahead: int = 0) -> bool:
        tokens, at = self.tokens, self.at + ahead
        for word in words:
            if at >= len(tokens) or tokens[at].text != _WRITTEN.get(word, word):
                return False
            at += 1
        return True

    def _take(self, *words: str) -> bool:
        """Step over some words if they come next."""
        if self.at >= len(self.tokens) or not self._next_is(*words):
            return False
        self.at += len(words)
        return True

    def _expect(self, *words: str) -> None:
        if not self._take(*words):
            token = self._peek()
            given = quoted(token.text) if token.text else "the end"
            raise self._error(f"{given} where {quoted(' '.join(words))} is wanted")

    # From the loosest to the tightest.

    def whole(self) -> tuple[Condition, float]:
        """The condition, and the share of hands outside it."""
        if not self.tokens:
            raise self._error("no words: a meaning is wanted, as in '15-17, balanced' or 'any hand'", 1)
        condition = self._alternatives()
        outside = self._outside()
        if self.at < len(self.tokens):
            raise self._unknown()
        return condition, outside

    def _outside(self) -> float:
        """The share in a closing "(3% outside)"."""
        if not (self._next_is("(") and self._next_is("%", "outside", ")", ahead=2)):
            return 0.0
        token = self._peek(1)
        if token.kind != "range" or not token.text[-1].isdigit() or not 0 < float(token.text) < 100:
            raise self._error(
                f"{quoted(token.text)} where a percentage between 0 and 100 is wanted", token.column
            )
        self.at += 5
        return float(token.text) / 100

    def _alternatives(self) -> Condition:
        parts = [self._list()]
        while self._take(";"):
            self._take("or")
            parts.append(self._list())
        return any_of(parts)

    def _list(self) -> Condition:
        parts = [self._either()]
        while self._take(","):
            self._take("and")
            parts.append(self._either())
        return all_of(parts)

    def _either(self) -> Condition:
        parts = [self._together()]
        while self._take("or"):
            parts.append(self._together())
        return any_of(parts)

    def _together(self) -> Condition:
        parts = [self._one()]
        while True:
            joined = self._take("and") or self._take("with") or self._take("but")
            token = self._peek()
            is_over = token.kind == "end" or token.text in (";", ",", ")", "or") or self._is_outside()
            if is_over and not joined:
                return all_of(parts)
            parts.append(self._one())

    def _is_outside(self) -> bool:
        return self._next_is("(") and self._next_is("%", "outside", ahead=2)

    def _one(self) -> Condition:
        token = self._peek()
        if token.text in ("(", "not"):
            return self._deeper()
        if token.kind == "shape":
            return self._shape()
        if token.kind == "range":
            return self._number()
        if token.kind == "card":
            self.at += 1
            return Range(f.holds(_card(token.text)), 1, 1)
        if token.kind == "word":
            return self._word()
        if token.kind == "end":
            raise self._error("the text ends where a condition is wanted")
        raise self._error(f"{quoted(token.text)} where a condition is wanted")

    def _deeper(self) -> Condition:
        """What stands in parentheses or after `not`."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._error(f"too deep: more than {_DEEPEST} parentheses in each other")
        if self._take("not"):
            condition: Condition = Not(self._one())
        else:
            self._expect("(")
            condition = self._alternatives()
            self._expect(")")
        self.depth -= 1
        return condition

    # Shapes.

    def _shape(self) -> Condition:
        token = self._peek()
        self.at += 1
        if "=" in token.text:
            lengths = [int(n) for n in token.text.split("=")]
            if sum(lengths) != 13:
                raise self._error(f"{token.text} are {sum(lengths)} cards: 13 are wanted", token.column)
            return all_of(
                Range(f.length(suit), n, n) for suit, n in zip(reversed(SUITS), lengths, strict=True)
            )
        or_longer = token.text.endswith("+")
        return self._pattern([int(n) for n in token.text.rstrip("+").split("-")], or_longer, token)

    def _pattern(self, lengths: list[int], or_longer: bool, token: Token) -> Condition:
        cards = sum(lengths)
        if cards > 13 or (len(lengths) == 4 and cards < 13 and not or_longer):
            raise self._error(f"{token.text} are {cards} cards: a hand has 13", token.column)
        suits: tuple[Suit, ...] = SUITS
        if self._take("in"):
            suits = self._suits(len(lengths))
        return Pattern(tuple(sorted(lengths, reverse=True)), suits, or_longer)

    def _suits(self, wanted: int) -> tuple[Suit, ...]:
        token = self._peek()
        if self._take("majors"):
            suits = list(MAJORS)
        elif self._take("minors"):
            suits = list(MINORS)
        else:
            suits = [self._suit()]
            # No more than wanted: after a comma a suit may begin the next condition.
            while len(suits) < wanted and self._suit_at(1) and (self._next_is("and") or self._next_is(",")):
                self.at += 1
                suits.append(self._suit())
        if len(set(suits)) != wanted:
            count = len(set(suits))
            raise self._error(f"{wanted} lengths for {count} suit{'s' * (count > 1)}", token.column)
        return tuple(sorted(suits))

    def _named_suit(self, ahead: int = 0) -> tuple[Suit, int] | None:
        """The suit that comes next and how many words name it."""
        token = self._peek(ahead)
        suit = _SUITS.get(token.text) if token.kind == "word" else None
        return None if suit is None else (suit, 1)

    def _suit_at(self, ahead: int = 0) -> Suit | None:
        named = self._named_suit(ahead)
        return named[0] if named else None

    def _suit(self) -> Suit:
        named = self._named_suit()
        if named is None:
            token = self._peek()
            given = quoted(token.text) if token.text else "the end"
            raise self._error(f"{given} where a suit is wanted{did_you_mean(token.text, _suit_words())}")
        self.at += named[1]
        return named[0]

    # Numbers and what they count.

    def _number(self) -> Condition:
        token = self._peek()
        self.at += 1
        values = [token.text]
        if token.text.isdigit():  # "0 or 3 key cards": the word comes after the last
            while self._next_is("or") and self._peek(1).kind == "range" and self._peek(1).text.isdigit():
                values.append(self._peek(1).text)
                self.at += 2
        down = re.fullmatch(r"(\d+)-(\d+)", token.text)
        if down and not self._unit_follows():
            lengths = [int(down[1]), int(down[2])]
            if lengths[0] >= lengths[1] and sum(lengths) <= 13:
                return self._pattern(lengths, False, token)
        if self._next_is("card") or self._next_is("-", "card"):  # a 5-card major may well have six cards
            values = [value if value[-1] in "+-" or "-" in value else f"{value}+" for value in values]
        return self._counted(values, token)

    def _counted(self, values: list[str], token: Token) -> Condition:
        """What the words after a number count, in one of some ranges."""
        if self._next_is("in") and self._suit_at(1) is not None:  # 3+ in hearts
            self.at += 1
        feature = self._unit()
        return any_of(self._range(value, feature, token.column) for value in values)

    def _unit_follows(self) -> bool:
        at = self.at
        try:
            self._unit()
            return self.at > at
        except NotationError:
            return False
        finally:
            self.at = at

    def _unit(self) -> Feature:
        """The feature named by the words that come next; without any, high-card points."""
        self._take("-")  # of "5-card"
        first = self._peek().text
        for words, kind in _BEFORE_SUIT.get(first, ()):
            if self._next_is(*words) and self._suit_at(len(words)) is not None:
                self.at += len(words)
                return f.of_suit(kind, self._suit())
        if self._suit_at() is not None:
            return f.of_suit(BEFORE_SUIT[()], self._suit())
        for words, feature in _PLAIN.get(first, ()):
            if self._take(*words):
                return feature
        if self._next_is("of", "top") or self._next_is("key") or self._next_is("in", "support"):
            raise self._error(
                f"{quoted(self._peek().text)}: 'of the top three in spades', 'key cards in spades' or "
                "'in support of spades' are wanted"
            )
        return f.HCP

    def _range(self, text: str, feature: Feature, column: int) -> Condition:
        least, most = self._limits(text, feature, column)
        return self._checked(feature, least, most, text, column)

    def _limits(self, text: str, feature: Feature, column: int) -> tuple[int, int]:
        """The least and the most that a number or range says."""
        low, dash, high = text.rstrip("+").partition("-")
        least = self._value(low, feature, column)
        if text.endswith("+"):
            most = feature.most
        elif dash and not high:
            least, most = feature.least, least
        else:
            most = self._value(high, feature, column) if high else least
        return least, most

    def _checked(self, feature: Feature, least: int, most: int, text: str, column: int) -> Condition:
        if least > feature.most or most < feature.least:
            raise self._error(f"no hand has {_thing(feature, text)}: {_limit(feature)}", column)
        if least > most:
            low, _, high = text.partition("-")
            hint = f"{high}-{low}" if high else "the lower number first"
            raise self._error(f"range {text} is turned round: {hint} is wanted", column)
        return Range(feature, max(least, feature.least), min(most, feature.most))

    def _value(self, text: str, feature: Feature, column: int) -> int:
        number, half = _NUMBER.fullmatch(text).groups()  # type: ignore[union-attr]
        value = (float(number or 0) + (0.5 if half else 0)) * feature.scale
        if abs(value - round(value)) > 1e-9:
            raise self._error(f"{text} {feature}: a whole number is wanted", column)
        return round(value)

    # Words.

    def _word(self) -> Condition:
        token = self._peek()
        word = token.text
        if self._suit_at() is not None:
            return self._comparison()
        if word in SHAPE_WORDS:
            self.at += 1
            return ShapeWord(word)
        if self._reads is None:
            self._reads = self._readers()
        if word not in self._reads:
            raise self._unknown()
        return self._reads[word]()

    def _readers(self) -> dict[str, Callable[[], Condition]]:
        """What reads on, by the first word of a condition."""
        return {
            "longer": self._longer,
            "longest": self._longest,
            "any": self._anything,
            "at": self._at_least,
            "no": self._no,
            "class": self._class,
            "texture": self._texture,
            **dict.fromkeys(SHORT, self._shortness),
            **dict.fromkeys((*STOPPERS, *CONTROLS, *QUALITIES), self._graded),
            **dict.fromkeys(HONOURS, self._honour),
        }

    def _unknown(self) -> NotationError:
        token = self._peek()
        if token.kind == "word" and token.text not in self.words:
            return self._error(f"unknown word {quoted(token.raw)}{did_you_mean(token.text, self.words)}")
        return self._error(f"{quoted(token.text)} has no meaning here")

    def _longer(self) -> Condition:
        self._expect("longer")
        longer = self._suit()
        self._expect("than")
        return self._different(longer, self._suit(), 1)

    def _longest(self) -> Condition:
        self._expect("longest")
        self._take("suit")
        longest = self._suit()
        return all_of(Longer(longest, suit, 0) for suit in SUITS if suit != longest)

    def _comparison(self) -> Condition:
        token = self._peek()
        suit = self._suit()
        if self._take("longer", "than"):
            return self._different(suit, self._suit(), 1)
        if self._take("shorter", "than"):
            return self._different(self._suit(), suit, 1)
        if self._take("not", "shorter", "than"):
            return self._different(suit, self._suit(), 0)
        if self._take("not", "longer", "than"):
            return self._different(self._suit(), suit, 0)
        if self._take("as", "long", "as"):
            other = self._suit()
            return all_of((self._different(suit, other, 0), self._different(other, suit, 0)))
        if self._next_is("at") and self._peek(2).text.isdigit():
            is_least = self._next_is("least", ahead=1)
            number = int(self._peek(2).text)
            word = "longer" if is_least else "shorter"
            if self._next_is(word, "than", ahead=3) and (is_least or self._next_is("most", ahead=1)):
                self.at += 5
                return self._different(suit, self._suit(), number if is_least else -number)
        raise self._error(
            f"{suit.word} without a number or a comparison: '5+ {suit.word}' or "
            f"'longer {suit.word} than ...' is wanted",
            token.column,
        )

    def _different(self, longer: Suit, shorter: Suit, by: int) -> Condition:
        if longer == shorter:
            raise self._error(f"{longer.word} compared with themselves", self._peek(-1).column)
        return Longer(longer, shorter, by)

    def _anything(self) -> Condition:
        self._expect("any")
        self._expect("hand")
        return ANYTHING

    def _at_least(self) -> Condition:
        self._expect("at")
        is_least = self._take("least")
        if not is_least:
            self._expect("most")
        token = self._peek()
        if token.kind != "range" or token.text[-1] in "+-" or "-" in token.text:
            raise self._error("a number is wanted")
        self.at += 1
        return self._range(token.text + ("+" if is_least else "-"), self._unit(), token.column)

    def _no(self) -> Condition:
        self._expect("no")
        token = self._peek()
        if self._take("hand"):
            return NOTHING
        if token.kind == "card":
            self.at += 1
            return Range(f.holds(_card(token.text)), 0, 0)
        if token.text in HONOURS and self._next_is("of", ahead=1):
            return opposite(self._honour())
        if token.kind == "range":  # no 4-card major
            self.at += 1
            feature = self._unit()
            least = self._value(token.text.rstrip("+-"), feature, token.column)
            return self._checked(feature, feature.least, least - 1, token.text, token.column)
        if token.text in (*STOPPERS, *CONTROLS, *QUALITIES) and token.text != "second-round":
            positive = self._graded()
            assert isinstance(positive, Range)
            return Range(positive.feature, 0, positive.least - 1)
        at = self.at
        feature = self._unit()
        if self.at == at:
            raise self._unknown()
        return Range(feature, feature.least, max(feature.least, 0))

    def _honour(self) -> Condition:
        """A card in words: the queen of hearts."""
        rank = HONOURS[self._peek().text]
        self.at += 1
        self._expect("of")
        return Range(f.holds(Card(self._suit().letter + rank)), 1, 1)

    def _graded(self) -> Condition:
        token = self._peek()
        self.at += 1
        if token.text in QUALITIES:
            return Range(f.of_suit("quality", self._suit()), QUALITIES.index(token.text) + 1, 5)
        is_only = self._take("only")
        if token.text in STOPPERS:
            least, most = STOPPERS[token.text]
            most = 1 if is_only else most
            kind = "stopper"
        else:
            least, most = CONTROLS[token.text]
            if token.text != "control":
                self._expect("control")
            kind = "control"
        self._expect("in")
        return Range(f.of_suit(kind, self._suit()), least, most)

    def _shortness(self) -> Condition:
        count = SHORT[self._peek().text]
        self.at += 1
        self._take("in")
        return Range(f.length(self._suit()), count, count)

    def _class(self) -> Condition:
        self._expect("class")
        first = self._class_name()
        last = self._class_name() if self._take("to") else first
        if first > last:
            raise self._error(f"classes turned round: {last} to {first} is wanted")
        return Range(f.CLASS, first, last)

    def _class_name(self) -> HandClass:
        for one in sorted(HandClass, key=lambda c: -len(str(c))):
            if self._take(*str(one).split()):
                return one
        token = self._peek()
        names = [str(one) for one in HandClass]
        raise self._error(f"{quoted(token.text)} is no class: one of {', '.join(names)} is wanted")

    def _texture(self) -> Condition:
        token = self._peek()
        self._expect("texture")
        feature = f.of_suit("suit texture", self._suit()) if self._take("in") else f.TEXTURE
        least, is_open = self._signed()
        most = feature.most if is_open else least
        if self._take("to"):
            most, _ = self._signed()
        return self._checked(feature, least, most, f"{least}-{most}", token.column)

    def _signed(self) -> tuple[int, bool]:
        sign = -1 if self._take("-") else 1
        token = self._peek()
        if token.kind != "range" or not token.text.rstrip("+").isdigit():
            raise self._error("a number is wanted, as in 'texture 3+' or 'texture -2 to 2'")
        self.at += 1
        return sign * int(token.text.rstrip("+")), token.text.endswith("+")


def _card(text: str) -> Card:
    return Card(Suit(text[0]).letter + text[1])


def _suit_words() -> list[str]:
    return [suit.word for suit in SUITS]


def _thing(feature: Feature, text: str) -> str:
    return f"{text} {'points' if feature == f.HCP else feature_words(feature)}"


def _limit(feature: Feature) -> str:
    if feature.kind == "length":
        return "a suit has 13 cards"
    if feature.least > 0:
        return f"from {feature.least} to {feature.most} is possible"
    return f"a hand has at most {feature.most / feature.scale:g}"
