"""What a hand lacks for a condition, in words: "18 high-card points, it wants 15 to 17"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bidlab.bridge.cards import SUITS
from bidlab.bridge.hands import Hand
from bidlab.meaning.classes import HandClass
from bidlab.meaning.conditions import (
    NOTHING,
    All,
    Any,
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeWord,
    without_not,
)
from bidlab.meaning.english import count_text, rank_word, short_english, span_text
from bidlab.meaning.features import Feature, feature_table, length
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.words import HOW_MANY, QUALITIES
from bidlab.meaning.writing import figure

_MOST = 2  # parts that are named; a hand that lacks more is far away, and the first ones say so
_GRADES = {
    "stopper": ("no stopper in {}", "only a half-stopper in {}", "a stopper in {}"),
    "control": ("no control in {}", "second-round control in {}", "first-round control in {}"),
    "quality": ("no biddable {}", *(f"{word} {{}}" for word in QUALITIES)),
}
_IN_FIGURES = {
    "hcp": "high-card points",
    "points": "points with length",
    "webb": "points by WEBB's weights",
    "adjusted": "adjusted points",
    "quick tricks": "quick tricks",
    "playing tricks": "playing tricks",
    "suit hcp": "points in {}",
    "support": "points in support of {}",
}
_IN_WORDS = {
    "controls": "controls",
    "aces": "aces",
    "kings": "kings",
    "losers": "losers",
    "length": "{}",
    "top three": "of the top three {}",
    "top five": "of the top five {}",
    "key cards": "key cards for {}",
    "suit losers": "losers in {}",
    "longest": "cards in the longest suit",
    "shortest": "cards in the shortest suit",
    "major": "cards in the longer major",
    "minor": "cards in the longer minor",
}


def shortfalls(condition: Condition, hand: Hand) -> tuple[str, ...]:
    """What keeps a hand from fulfilling a condition, part by part; nothing where it does.

    >>> [*shortfalls(Meaning.parse("15-17, balanced").condition, Hand.parse("AKQ2.T83.KQ9.A76"))]
    ['18 high-card points, it wants 15 to 17']
    >>> [*shortfalls(Meaning.parse("4+ hearts or 5+ spades").condition, Hand.parse("AKQ2.T83.KQ9.A76"))]
    ['three hearts, it wants at least four']
    """
    if Meaning(condition).admits(hand):
        return ()
    return tuple(dict.fromkeys(_Held(hand).lacks(without_not(condition))))


def shortfall_text(condition: Condition, hand: Hand) -> str:
    """The same as one phrase, the first things that are missing only."""
    return "; ".join(shortfalls(condition, hand)[:_MOST])


class _Held:
    """A hand that is looked at, with all its features."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.values: Sequence[int] = feature_table([hand])[0].tolist()
        self.lengths = [self.values[length(suit).number] for suit in SUITS]

    def lacks(self, condition: Condition) -> Iterable[str]:
        """What is missing of a condition that the hand does not fulfil, `Not` before shapes only."""
        if condition == NOTHING:
            return ["no hand fits"]
        if isinstance(condition, All):
            missing = [part for part in condition.parts if not Meaning(part).admits(self.hand)]
            return [text for part in missing for text in self.lacks(part)]
        if isinstance(condition, Any):
            return self._lacks_all(condition)
        return [self._atom(condition)]

    def _lacks_all(self, condition: Any) -> Iterable[str]:
        """Of alternatives the nearest is what the hand might have been; values of one feature go together."""
        ranges = [part for part in condition.parts if isinstance(part, Range)]
        if len(ranges) == len(condition.parts) and len({part.feature for part in ranges}) == 1:
            return [f"{self._held(ranges[0].feature)}, it wants {short_english(condition)}"]
        return self.lacks(min(condition.parts, key=lambda part: Meaning(part).misfit(self.hand)))

    def _atom(self, part: Condition) -> str:
        match part:
            case Range():
                return self._range(part)
            case Longer(longer, shorter, by) if by >= 1:
                more = "longer" if by == 1 else f"{HOW_MANY[by]} longer"
                return f"{longer.word} not {more} than {shorter.word}"
            case Longer(longer, shorter, by):
                fewer = "shorter" if by == 0 else f"more than {HOW_MANY[-by]} shorter"
                return f"{longer.word} {fewer} than {shorter.word}"
            case ShapeWord(word):
                return f"{self._shape()}, which is not {word}"
            case Pattern():
                return f"{self._shape()} shape, it wants {short_english(part)}"
            case Not(ShapeWord(word)):
                return f"a {word} hand, it wants another shape"
        return f"{self._shape()} shape, it wants {short_english(part)}"

    def _shape(self) -> str:
        return "-".join(map(str, sorted(self.lengths, reverse=True)))

    def _range(self, part: Range) -> str:
        feature = part.feature
        if feature.card is not None:
            card = f"{rank_word(feature.card)} of {feature.card.suit.word}"
            return f"without the {card}" if part.least else f"with the {card}"
        if feature.kind in _GRADES or feature.kind == "class":
            return f"{self._held(feature)}, it wants {short_english(part)}"
        wanted = count_text(part) if feature.kind in _IN_WORDS else span_text(part)
        return f"{self._held(feature)}, it wants {'none' if wanted == 'no' else wanted}"

    def _held(self, feature: Feature) -> str:
        """What the hand has of a feature."""
        value, kind = self.values[feature.number], feature.kind
        suit = feature.suit.word if feature.suit is not None else ""
        if kind in _GRADES:
            return _GRADES[kind][value].format(suit)
        if kind == "class":
            return f"the hand is {HandClass(value)}"
        if kind in _IN_WORDS:
            words = _IN_WORDS[kind].format(suit)
            if value == 1 and kind not in ("top three", "top five"):
                words = words.removesuffix("s") if kind in ("length", "aces", "kings") else words
            return f"{HOW_MANY[value] if value else 'none' if words.startswith('of') else 'no'} {words}"
        if kind in _IN_FIGURES:
            return f"{figure(value, feature)} {_IN_FIGURES[kind].format(suit)}"
        return f"{kind} {figure(value, feature)}{f' in {suit}' if suit else ''}"
