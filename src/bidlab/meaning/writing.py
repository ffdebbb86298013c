"""Meanings written as short text, which `reading.py` reads back to the same hands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from bidlab.bridge.cards import SUITS
from bidlab.meaning import features as f
from bidlab.meaning.classes import HandClass, halves_text
from bidlab.meaning.conditions import All, Any, Condition, Longer, Not, Pattern, Range, ShapeWord
from bidlab.meaning.features import Feature
from bidlab.meaning.words import MAJORS, MINORS, QUALITIES, feature_words

_STOPPER = {
    (2, 2): "stopper in {}",
    (1, 2): "half-stopper in {}",
    (1, 1): "half-stopper only in {}",
    (0, 1): "no stopper in {}",
    (0, 0): "no half-stopper in {}",
}
_CONTROL = {
    (2, 2): "first-round control in {}",
    (1, 2): "control in {}",
    (1, 1): "second-round control in {}",
    (0, 1): "no first-round control in {}",
    (0, 0): "no control in {}",
}
_SINGULAR = ("length", "aces", "kings", "losers")
_LONGER_SUIT = {"major": "major", "minor": "minor", "longest": "suit"}


def meaning_text(condition: Condition) -> str:
    """The condition in the words of the language."""
    condition = _opened(condition)
    match condition:
        case Any(parts) if len(parts) > 1 and not _is_count(condition):
            return "; or ".join(_list(part) for part in parts)
    return _list(condition)


def _list(condition: Condition) -> str:
    """On one side of a semicolon."""
    condition = _opened(condition)
    match condition:
        case All(parts) if parts:
            return ", ".join(_either(part) for part in _with_longest(_with_shape(parts)))
    return _either(condition)


def _either(condition: Condition | str) -> str:
    """On one side of a comma."""
    if isinstance(condition, str):
        return condition
    condition = _opened(condition)
    match condition:
        case Any(parts) if len(parts) > 1 and not _is_count(condition):
            return " or ".join(_one(part) for part in parts)
    return _one(condition)


def _opened(condition: Condition) -> Condition:
    """The only part of what has only one."""
    while isinstance(condition, All | Any) and len(condition.parts) == 1:
        condition = condition.parts[0]
    return condition


def _one(condition: Condition) -> str:
    condition = _opened(condition)
    match condition:
        case Range():
            return _range(condition)
        case Longer(longer, shorter, by):
            return _longer(longer.word, shorter.word, by)
        case Pattern():
            return _pattern(condition)
        case ShapeWord(word):
            return word
        case Not(part):
            return f"not {_one(part)}"
        case All(()):
            return "any hand"
        case Any(()):
            return "no hand"
        case Any(parts) if _is_count(condition):
            return _count(parts)
        case All(parts) if len(said := _with_shape(parts)) == 1 and isinstance(said[0], str):
            return said[0]
    return f"({meaning_text(condition)})"


def _with_shape(parts: tuple[Condition, ...]) -> list[Condition | str]:
    """The parts, with exact lengths of three suits or four said as 4=4=3=2."""
    exact = {
        part.feature.suit: part.least
        for part in parts
        if isinstance(part, Range) and part.feature.kind == "length" and part.is_exact
    }
    if len(exact) == 3 and sum(exact.values()) <= 13:
        missing = next(suit for suit in SUITS if suit not in exact)
        exact[missing] = 13 - sum(exact.values())
    if len(exact) != 4 or sum(exact.values()) != 13:
        return list(parts)
    shape = "=".join(str(exact[suit]) for suit in reversed(SUITS))
    found: list[Condition | str] = []
    for part in parts:
        if isinstance(part, Range) and part.feature.kind == "length" and part.is_exact:
            if shape not in found:
                found.append(shape)
        else:
            found.append(part)
    return found


def _with_longest(parts: list[Condition | str]) -> list[Condition | str]:
    """The parts, with a suit not shorter than all others said as longest, and two as long as each other."""
    for suit in SUITS:
        over = [Longer(suit, other, 0) for other in SUITS if other != suit]
        if all(part in parts for part in over):
            parts = _replaced(parts, over, f"longest suit {suit.word}")
    for one, other in combinations(reversed(SUITS), 2):
        both = [Longer(one, other, 0), Longer(other, one, 0)]
        if all(part in parts for part in both):
            parts = _replaced(parts, both, f"{one.word} as long as {other.word}")
    return parts


def _replaced(parts: list[Condition | str], old: Sequence[Condition], new: str) -> list[Condition | str]:
    at = min(parts.index(part) for part in old)
    left = [part for part in parts if part not in old]
    return [*left[:at], new, *left[at:]]


def _is_count(condition: Any) -> bool:
    """Whether it reads "0 or 3 key cards": exact values of one feature that is counted in words."""
    parts = condition.parts
    return len(parts) > 1 and all(
        isinstance(part, Range)
        and part.is_exact
        and part.feature == parts[0].feature  # type: ignore[union-attr]
        and part.feature.scale == 1
        and _is_counted(part.feature)
        and not (part.feature.kind == "length" and part.least == 0)
        for part in parts
    )


def _count(parts: tuple[Condition, ...]) -> str:
    ranges = [part for part in parts if isinstance(part, Range)]
    return f"{' or '.join(str(part.least) for part in ranges)} {feature_words(ranges[0].feature)}"


_NOT_COUNTED = ("class", "texture", "suit texture", "stopper", "control", "quality")


def _is_counted(feature: Feature) -> bool:
    """Whether a number comes before its words."""
    return feature.card is None and feature.kind not in _NOT_COUNTED


def _range(part: Range) -> str:
    feature, least, most = part.feature, part.least, part.most
    suit = feature.suit.word if feature.suit is not None else ""
    if (least, most) == (feature.least, feature.most):
        return "any hand"
    if feature.card is not None:
        return str(feature.card) if least else f"no {feature.card}"
    match feature.kind:
        case "class":
            names = [str(HandClass(n)) for n in (least, most)]
            return f"class {names[0]}" if part.is_exact else f"class {' to '.join(names)}"
        case "texture" | "suit texture":
            values = f"{least}+" if most == feature.most and least >= 0 else f"{least} to {most}"
            return f"texture in {suit} {values}" if suit else f"texture {values}"
        case "stopper":
            return _STOPPER[least, most].format(suit)
        case "control":
            return _CONTROL[least, most].format(suit)
        case "quality":
            return _quality(suit, least, most)
        case "length" if most == 0:
            return f"void in {suit}"
        case "major" | "minor" if least == 0 and most <= 2:
            return f"{number_range(part)} in each {feature.kind}"
        case "major" | "minor" | "longest" if least == feature.least and most < 13:
            return f"no {most + 1}-card {_LONGER_SUIT[feature.kind]}"
    return _number(part)


def _number(part: Range) -> str:
    feature = part.feature
    values = number_range(part)
    if feature == f.HCP and not part.is_exact:
        return values
    words = feature_words(feature)
    if part.least == feature.least > 0 and not part.is_exact:
        return f"at most {figure(part.most, feature)} {words}"
    return f"{values} {words.removesuffix('s') if values == '1' and feature.kind in _SINGULAR else words}"


def number_range(part: Range) -> str:
    """A range in figures: 15-17, 5+, 4, 0-3."""
    feature, least, most = part.feature, part.least, part.most
    if part.is_exact:
        return figure(least, feature)
    if most == feature.most:
        return f"{figure(least, feature)}+"
    return f"{figure(least, feature)}-{figure(most, feature)}"


def figure(value: int, feature: Feature) -> str:
    """A value in figures: 5, 2½, 14.275."""
    if feature.scale == 2:
        return halves_text(value)
    return (
        f"{value / feature.scale:g}"
        if feature.scale == 1
        else f"{value / feature.scale:.3f}".rstrip("0").rstrip(".")
    )


def _quality(suit: str, least: int, most: int) -> str:
    words = []
    if least > 0:
        words.append(f"{QUALITIES[least - 1]} {suit}")
    if most < 5:
        words.append(f"no {QUALITIES[most]} {suit}")
    return words[0] if len(words) == 1 else f"({', '.join(words)})"


def _longer(longer: str, shorter: str, by: int) -> str:
    if by == 1:
        return f"longer {longer} than {shorter}"
    if by == 0:
        return f"{longer} not shorter than {shorter}"
    if by > 1:
        return f"{longer} at least {by} longer than {shorter}"
    return f"{longer} at most {-by} shorter than {shorter}"


def _pattern(part: Pattern) -> str:
    text = "-".join(map(str, part.lengths)) + ("+" if part.or_longer else "")
    if len(part.suits) == 4:
        return text
    if part.suits == MAJORS:
        return f"{text} in the majors"
    if part.suits == MINORS:
        return f"{text} in the minors"
    return f"{text} in {' and '.join(suit.word for suit in reversed(part.suits))}"
