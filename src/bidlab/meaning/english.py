"""Meanings said in English, short as at the table and long as in a book."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from bidlab.bridge.cards import SUITS, Card, Rank, Suit
from bidlab.meaning import features as f
from bidlab.meaning.cells import cell_sets, every_range
from bidlab.meaning.classes import HandClass
from bidlab.meaning.conditions import (
    All,
    Any,
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeWord,
)
from bidlab.meaning.features import Feature
from bidlab.meaning.words import HOW_MANY, MAJORS, MINORS, QUALITIES
from bidlab.meaning.writing import figure, number_range

_STRENGTHS = ("hcp", "points", "webb", "adjusted", "class", "support")
_RANKS = {Rank.ACE: "ace", Rank.KING: "king", Rank.QUEEN: "queen", Rank.JACK: "jack", Rank.TEN: "ten"}


def short_english(condition: Condition) -> str:
    """What a player would say when asked: "15-17, balanced"."""
    return _Speaker(is_long=False).whole(condition)


def long_english(condition: Condition) -> str:
    """A sentence for a book: "15 to 17 high-card points, balanced; may have a five-card major."."""
    text = _Speaker(is_long=True).whole(condition)
    remark = _remark(condition)
    return text[0].upper() + text[1:] + (f"; {remark}" if remark else "") + "."


def _remark(condition: Condition) -> str:
    """What a listener might not expect of a balanced hand."""
    parts = condition.parts if isinstance(condition, All) else (condition,)
    if ShapeWord("balanced") not in parts:
        return ""
    cells = cell_sets(condition).possible
    if not cells.any():
        return ""
    longest_major = every_range(cells)[f.MAJOR.number][1]
    says_so = any(isinstance(p, Range) and (p.feature.kind in ("major", "length")) for p in parts)
    if longest_major == 5 and not says_so:
        return "may have a five-card major"
    return ""


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a list: "hearts", "hearts and clubs", "hearts, diamonds and clubs"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


class _Speaker:
    """Says conditions, shorter or longer."""

    def __init__(self, is_long: bool) -> None:
        self.is_long = is_long

    def whole(self, condition: Condition) -> str:
        """A condition by itself."""
        match condition:
            case Any(()):
                return "no hand"
            case All(()):
                return "any hand"
            case Any(parts):
                return self._either(parts, "; or " if self._is_heavy(parts) else " or ")
            case All(parts):
                return self._together(parts)
        return self._together((condition,))

    def _is_heavy(self, parts: Iterable[Condition]) -> bool:
        return any(isinstance(part, All | Any) for part in parts)

    def _either(self, parts: Sequence[Condition], between: str) -> str:
        counted = self._counts(parts)
        if counted:
            return counted
        text = between.join(self.whole(part) for part in parts)
        return f"either {text}" if self.is_long or between != " or " else text

    def _counts(self, parts: Sequence[Condition]) -> str:
        """Values of one feature: "12-14 or 18-19", "none or three key cards"."""
        ranges = [part for part in parts if isinstance(part, Range)]
        if len(ranges) != len(parts) or len({part.feature for part in ranges}) != 1:
            return ""
        feature = ranges[0].feature
        if feature == f.HCP and not self.is_long:
            return " or ".join(number_range(part) for part in ranges)
        if feature == f.HCP:
            return " or ".join(span_text(part) for part in ranges) + " high-card points"
        if feature.kind in ("length", "key cards", "aces", "kings", "controls", "losers") and all(
            part.is_exact for part in ranges
        ):
            if not self.is_long:
                return f"{' or '.join(str(part.least) for part in ranges)} {_plural(feature)}"
            numbers = [HOW_MANY[part.least] if part.least else "none" for part in ranges]
            return f"{' or '.join(numbers)} {_plural(feature)}"
        return ""

    # What holds together.

    def _together(self, parts: Sequence[Condition]) -> str:
        """Strength and shape first, then what the hand is said to hold, then what it is not."""
        ranges = [part for part in parts if isinstance(part, Range)]
        first = [self._strength(part) for part in ranges if part.feature.kind in _STRENGTHS]
        first += [part.word for part in parts if isinstance(part, ShapeWord)]
        either = [self._inner(part) for part in parts if isinstance(part, Any | All)]
        denied = [self._denied(part) for part in parts if isinstance(part, Not)]
        held = self._held(parts, ranges)
        if denied and not (first or held or either):
            return ", ".join(denied).replace("but not", "anything but", 1)
        if first and held and self.is_long:
            with_ = ", with" if any(isinstance(part, ShapeWord) for part in parts) else " with"
            return ", ".join([f"{', '.join(first)}{with_} {listed(held)}", *either, *denied])
        return ", ".join([*first, *held, *either, *denied])

    def _held(self, parts: Sequence[Condition], ranges: Sequence[Range]) -> list[str]:
        said = self._shape(parts)
        said += self._lengths([part for part in ranges if part.feature.kind == "length"])
        said += self._comparisons([part for part in parts if isinstance(part, Longer)])
        said += self._by_suit(
            [part for part in ranges if part.feature.kind in ("stopper", "control", "quality")]
        )
        said += [self._other(part) for part in ranges if _is_other(part.feature)]
        said += self._cards([part for part in ranges if part.feature.card is not None])
        return said

    def _inner(self, part: Any | All) -> str:
        if isinstance(part, Any) and part.parts:
            heavy = self._is_heavy(part.parts)
            return (
                self._counts(part.parts)
                or f"either {(', or ' if heavy else ' or ').join(map(self.whole, part.parts))}"
            )
        return self.whole(part)

    def _denied(self, part: Not) -> str:
        inner = part.part
        if not isinstance(inner, All):
            return f"not {self.whole(inner)}"
        shapes = [part for part in inner.parts if isinstance(part, ShapeWord)]
        others = tuple(part for part in inner.parts if part not in shapes)
        if not shapes or not others:
            return f"but not {self._together(inner.parts).replace(', ', ' with ', 1)}"
        shape, rest = " ".join(part.word for part in shapes), self._together(others)
        return f"but not {shape} with {rest}" if self.is_long else f"but not {rest} {shape}"

    def _strength(self, part: Range) -> str:
        feature = part.feature
        if feature == f.WEBB:
            part = Range(
                feature, _tenths(part.least), part.most if part.most == feature.most else _tenths(part.most)
            )
        if feature == f.CLASS:
            words = [str(HandClass(n)) for n in (part.least, part.most)]
            return words[0] if part.is_exact else f"{words[0]} to {words[1]}"
        if feature.kind == "support":
            values = f"{span_text(part)} points" if self.is_long else number_range(part)
            return f"{values} in support of {feature.suit.word if feature.suit is not None else ''}"
        if not self.is_long:
            unit = {"hcp": "", "points": " points", "webb": " WEBB points", "adjusted": " adjusted points"}
            return (
                number_range(part) + unit[feature.kind]
                if not _is_bare_number(part)
                else f"{part.least} points"
            )
        unit = {
            "hcp": "high-card points",
            "points": "points counting length",
            "webb": "points by WEBB's weights",
            "adjusted": "adjusted points",
        }
        return f"{span_text(part)} {unit[feature.kind]}"

    def _shape(self, parts: Sequence[Condition]) -> list[str]:
        said = []
        for part in parts:
            match part:
                case Pattern():
                    said.append(_pattern(part))
                case Range(feature) if feature.kind in ("major", "minor", "longest", "shortest"):
                    said.append(_longest(part))
        return said

    def _lengths(self, parts: Sequence[Range]) -> list[str]:
        exact = {part.feature.suit: part.least for part in parts if part.is_exact}
        if len(exact) == 3 and sum(exact.values()) <= 13:
            missing = next(suit for suit in SUITS if suit not in exact)
            exact[missing] = 13 - sum(exact.values())
        if len(exact) == 4 and sum(exact.values()) == 13:
            if not self.is_long:
                return ["=".join(str(exact[suit]) for suit in reversed(SUITS))]
            words = [f"{HOW_MANY[exact[suit]]} {_cards_of(suit, exact[suit])}" for suit in reversed(SUITS)]
            return [f"exactly {listed(words)}"]
        # The longest suits first, as a player would name them; suits of which the same is said together.
        ordered = sorted(parts, key=lambda part: (-part.least, part.most, -(part.feature.suit or 0)))
        said = []
        for (_, most), group in groupby(ordered, key=lambda part: (part.least, part.most)):
            same = list(group)
            if len(same) > 1 and most > 0:
                suits = listed([part.feature.suit.word for part in same if part.feature.suit is not None])
                count = count_text(same[0]) if self.is_long else number_range(same[0])
                said.append(f"{count} cards in each of {suits}" if self.is_long else f"{count} in {suits}")
            else:
                said += [_length(part) if self.is_long else _short_length(part) for part in same]
        return said

    def _comparisons(self, parts: Sequence[Longer]) -> list[str]:
        said = []
        left = list(parts)
        for suit in SUITS:
            own = [part for part in left if part.longer == suit]
            bys = {part.by for part in own}
            if len({part.shorter for part in own}) == 3 and len(own) == 3 and bys in ({0}, {1}):
                said.append(
                    f"{suit.word} {'longest' if bys == {1} else 'at least as long as any other suit'}"
                )
                left = [part for part in left if part not in own]
        for part in list(left):
            back = Longer(part.shorter, part.longer, 0)
            if part.by == 0 and back in left and part in left:
                said.append(f"{part.longer.word} and {part.shorter.word} equally long")
                left = [other for other in left if other not in (part, back)]
        return said + [_comparison(part) for part in left]

    def _by_suit(self, parts: Sequence[Range]) -> list[str]:
        """Stoppers, controls and quality, suits that have the same in one phrase."""
        named = [(_grade(part), part.feature.suit) for part in parts]
        said = []
        for (one, many), group in groupby(sorted(named, key=lambda n: n[0][0]), key=lambda n: n[0]):
            suits = [suit.word for _, suit in sorted(group, key=lambda n: -(n[1] or 0)) if suit is not None]
            said.append((one if len(suits) == 1 else many).format(listed(suits, _last(one))))
        return said

    def _cards(self, parts: Sequence[Range]) -> list[str]:
        said = []
        for is_held, words in ((1, "the {}"), (0, "without the {}")):
            for suit in reversed(SUITS):
                cards = [p.feature.card for p in parts if p.least == is_held and p.feature.card is not None]
                ranks = [rank_word(card) for card in sorted(cards, reverse=True) if card.suit == suit]
                if ranks:
                    said.append(words.format(f"{listed(ranks, 'and' if is_held else 'or')} of {suit.word}"))
        return said

    def _other(self, part: Range) -> str:
        feature = part.feature
        suit = feature.suit.word if feature.suit is not None else ""
        match feature.kind:
            case "texture":
                return _texture(part, "")
            case "suit texture":
                return _texture(part, suit)
            case "top three":
                return f"{count_text(part)} of the top three {_singular(suit)} honours"
            case "top five":
                return f"{count_text(part)} of the top five {_singular(suit)} honours"
            case "suit hcp":
                return f"{span_text(part)} points in {suit}"
            case "suit losers":
                return f"{count_text(part)} loser{'' if part.most == 1 else 's'} in {suit}"
        return f"{count_text(part)} {_plural(feature, part)}"


def _is_other(feature: Feature) -> bool:
    said = (*_STRENGTHS, "length", "stopper", "control", "quality", "major", "minor", "longest", "shortest")
    return feature.card is None and feature.kind not in said


def _is_bare_number(part: Range) -> bool:
    return part.feature == f.HCP and part.is_exact


def _tenths(thousandths: int) -> int:
    """WEBB's points as people say them: to the nearest tenth, as no player counts thousandths."""
    return 100 * round(thousandths / 100)


def span_text(part: Range) -> str:
    """A range in figures and words: "15 to 17", "at least 12", "at most 9"."""
    feature, least, most = part.feature, part.least, part.most
    if part.is_exact:
        return f"exactly {figure(least, feature)}"
    if most == feature.most:
        return f"at least {figure(least, feature)}"
    if least == feature.least:
        return f"at most {figure(most, feature)}"
    return f"{figure(least, feature)} to {figure(most, feature)}"


def count_text(part: Range) -> str:
    """A count in words: "two", "at least two", "no", "two or three"."""
    feature, least, most = part.feature, part.least, part.most
    if feature.scale != 1:
        return span_text(part)
    if part.is_exact:
        return HOW_MANY[least] if least else "no"
    if most == feature.most:
        return f"at least {HOW_MANY[least]}"
    if least == feature.least:
        return f"at most {HOW_MANY[most]}"
    return f"{HOW_MANY[least]} {'or' if most == least + 1 else 'to'} {HOW_MANY[most]}"


def _plural(feature: Feature, part: Range | None = None) -> str:
    suit = feature.suit
    is_one = part is not None and part.most == 1 and part.least >= 0
    match feature.kind:
        case "length":
            assert suit is not None
            return suit.word
        case "key cards":
            assert suit is not None
            return f"key card{'' if is_one else 's'} for {suit.word}"
        case "aces" | "kings" | "controls" | "losers":
            return feature.kind[:-1] if is_one else feature.kind
    return feature.kind


def _cards_of(suit: Suit, count: int) -> str:
    return _singular(suit.word) if count == 1 else suit.word


def _singular(word: str) -> str:
    return word[:-1]


def _length(part: Range) -> str:
    suit, least, most = part.feature.suit, part.least, part.most
    assert suit is not None
    if most == 0:
        return f"void in {suit.word}"
    if part.is_exact and least <= 2:
        return f"a {'singleton' if least == 1 else 'doubleton'} {_singular(suit.word)}"
    if (least, most) == (0, 1):
        return f"at most one {_singular(suit.word)}"
    return f"{count_text(part)} {suit.word}"


def _short_length(part: Range) -> str:
    suit, least, most = part.feature.suit, part.least, part.most
    assert suit is not None
    if most == 0:
        return f"void in {suit.word}"
    if part.is_exact and least <= 2:
        return f"{'singleton' if least == 1 else 'doubleton'} {_singular(suit.word)}"
    if (least, most) == (0, 1):
        return f"short {suit.word}"
    if least == 0:
        return f"at most {most} {suit.word}"
    return f"{number_range(part)} {suit.word}"


def _longest(part: Range) -> str:
    """A longest major, minor or suit, and the shortest suit."""
    what = {"major": "major", "minor": "minor", "longest": "suit", "shortest": "suit"}[part.feature.kind]
    least, most = part.least, part.most
    if part.feature.kind == "shortest":
        if part.most == 0:
            return "a void"
        if part.least == part.feature.least:
            return {1: "a singleton or void", 2: "a suit of two cards or fewer"}[most]
        if (least, most) == (1, 1):
            return "a singleton and no void"
        if most == part.feature.most:
            return {1: "no void", 2: "no singleton or void", 3: "4-3-3-3"}[least]
        return f"{count_text(part)} cards in the shortest suit"
    if least == part.feature.least and most <= 2:
        return f"at most {HOW_MANY[most]} card{'s' * (most > 1)} in either {what}"
    if least == part.feature.least:
        return f"no {HOW_MANY[most + 1]}-card {what}"
    if most == part.feature.most:
        return f"a {HOW_MANY[least]}-card or longer {what}"
    if part.is_exact:
        return f"a {HOW_MANY[least]}-card {what}"
    return f"{count_text(part)} cards in the longest {what}"


def _pattern(part: Pattern) -> str:
    text = "-".join(map(str, part.lengths))
    if part.or_longer:
        text = f"at least {text}"
    if len(part.suits) == 4:
        return text
    if part.suits == MAJORS:
        return f"{text} in the majors"
    if part.suits == MINORS:
        return f"{text} in the minors"
    return f"{text} in {listed([suit.word for suit in reversed(part.suits)])}"


def _comparison(part: Longer) -> str:
    longer, shorter = part.longer.word, part.shorter.word
    if part.by == 1:
        return f"longer {longer} than {shorter}"
    if part.by == 0:
        return f"{longer} at least as long as {shorter}"
    if part.by > 1:
        return f"at least {HOW_MANY[part.by]} more {longer} than {shorter}"
    return f"at most {HOW_MANY[-part.by]} fewer {longer} than {shorter}"


def _grade(part: Range) -> tuple[str, str]:
    """How a stopper, a control or a quality is said, for one suit and for several."""
    span = (part.least, part.most)
    if part.feature.kind == "stopper":
        return {
            (2, 2): ("a stopper in {}", "stoppers in {}"),
            (1, 2): ("at least a half-stopper in {}", "at least half-stoppers in {}"),
            (1, 1): ("a half-stopper in {}", "half-stoppers in {}"),
            (0, 1): ("no stopper in {}", "no stopper in {}"),
            (0, 0): ("not even a half-stopper in {}", "not even half-stoppers in {}"),
        }[span]
    if part.feature.kind == "control":
        return {
            (2, 2): ("first-round control in {}", "first-round control in {}"),
            (1, 2): ("a control in {}", "controls in {}"),
            (1, 1): ("second-round control in {}", "second-round control in {}"),
            (0, 1): ("no first-round control in {}", "no first-round control in {}"),
            (0, 0): ("no control in {}", "no control in {}"),
        }[span]
    words = []
    if part.least:
        words.append(f"{QUALITIES[part.least - 1]} {{}}")
    if part.most < 5:
        words.append(f"no {QUALITIES[part.most]} {{}}" if not words else f"but not {QUALITIES[part.most]}")
    text = " ".join(words)
    return text, text


def _last(phrase: str) -> str:
    return "or" if phrase.startswith("no") else "and"


def rank_word(card: Card) -> str:
    """The rank of a card: "ace", "ten", "seven"."""
    return _RANKS[card.rank] if card.rank in _RANKS else HOW_MANY[int(card.rank) + 2]


def _texture(part: Range, suit: str) -> str:
    where = f" in {suit}" if suit else ""
    if part.most == part.feature.most and part.least > 0:
        return f"good intermediates{where} (texture {part.least} or more)"
    if part.least == part.feature.least and part.most < 0:
        return f"poor intermediates{where} (texture {part.most} or less)"
    return f"texture {part.least} to {part.most}{where}"
