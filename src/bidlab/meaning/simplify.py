"""The same hands, said as a player would say them.

What a call means is its own condition and not those before it, so that raw meanings are heaps of
negations. Here each part is read beside the others: what they already promise is left out,
alternatives that they exclude go, ranges of one feature become one. Every step keeps the hands
exactly; `cells.py` answers what implies what.
"""

from __future__ import annotations

from collections.abc import Iterable

from bidlab.bridge.cards import Suit
from bidlab.meaning.cells import Cells, cell_sets, is_within, whole
from bidlab.meaning.conditions import (
    ANYTHING,
    NOTHING,
    All,
    Any,
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
from bidlab.meaning.features import MAJOR, MINOR, Feature, length

_ROUNDS = 5  # more than any meaning was seen to need; a round more changes words only, never hands


def simplified(condition: Condition) -> Condition:
    """The same hands in fewer and plainer words."""
    for _ in range(_ROUNDS):
        before = condition
        condition = _Context(whole(), {}).simplified(condition)
        if condition == before:
            break
    return condition


class _Context:
    """What is promised already: a set of cells that holds all hands in question, and ranges of features."""

    def __init__(self, cells: Cells, ranges: dict[Feature, Range]) -> None:
        self.cells = cells
        self.ranges = ranges

    def beside(self, parts: Iterable[Condition]) -> _Context:
        """The context in which also all of some parts hold."""
        cells, ranges = self.cells, dict(self.ranges)
        for part in parts:
            cells = cells & cell_sets(part).possible
            if isinstance(part, Range):
                known = ranges.get(part.feature, part)
                least, most = max(known.least, part.least), min(known.most, part.most)
                if least <= most:
                    ranges[part.feature] = Range(part.feature, least, most)
        return _Context(cells, ranges)

    def simplified(self, condition: Condition) -> Condition:
        """A condition that admits the same hands of this context."""
        sets = cell_sets(condition)
        if not (self.cells & sets.possible).any():
            return NOTHING
        if is_within(self.cells, sets.certain):
            return ANYTHING
        match condition:
            case Range():
                return self._range(condition)
            case Not(part):
                return self._not(part)
            case All(parts):
                return self._all(parts)
            case Any(parts):
                return self._any(parts)
        return condition

    def _range(self, condition: Range) -> Condition:
        known = self.ranges.get(condition.feature)
        if known is None:
            return condition
        least, most = max(known.least, condition.least), min(known.most, condition.most)
        if least > most:
            return NOTHING
        if (least, most) == (known.least, known.most):
            return ANYTHING
        return Range(condition.feature, least, most)

    def _not(self, part: Condition) -> Condition:
        part = self.simplified(part)
        match part:
            case Range(feature) if feature.kind == "length" and part.is_exact:
                other = self.simplified(opposite(part))
                return Not(part) if isinstance(other, Any) and other.parts else other
            case Range() | Longer() | Not():
                return self.simplified(opposite(part))
            case Any(parts):
                return self.simplified(all_of(Not(p) for p in parts))
            case All(parts):
                return Not(part) if parts else NOTHING
        return Not(part)

    def _all(self, parts: tuple[Condition, ...]) -> Condition:
        merged = _one_range_a_feature(_flat(parts, All))
        if merged is None:
            return NOTHING
        # What takes many words is tried first, so that it goes and the plain words stay.
        for part in sorted(merged, key=_words, reverse=True):
            at = merged.index(part)
            others = merged[:at] + merged[at + 1 :]
            plainer = self.beside(others).simplified(part)
            if plainer == NOTHING:
                return NOTHING
            merged[at : at + 1] = _flat((plainer,), All)
        again = _one_range_a_feature(merged)
        return NOTHING if again is None else all_of(_at_most_in_both(again))

    def _any(self, parts: tuple[Condition, ...]) -> Condition:
        alternatives: list[Condition] = []
        for part in _flat((self.simplified(part) for part in _flat(parts, Any)), Any):
            if part == ANYTHING:
                return ANYTHING
            if part not in alternatives:
                alternatives.append(part)
        alternatives = self._without_covered(alternatives)
        alternatives = _at_least_in_one(_united(alternatives))
        return _common_first(alternatives)

    def _without_covered(self, alternatives: list[Condition]) -> list[Condition]:
        """The alternatives less those whose hands another one has."""
        kept = list(alternatives)
        for part in sorted(alternatives, key=_words, reverse=True):
            others = [other for other in kept if other is not part]
            if not others:
                break
            cells = self.cells & cell_sets(part).possible
            promised = set(_flat((part,), All))
            if is_within(cells, cell_sets(any_of(others)).certain) or any(
                set(_flat((other,), All)) <= promised for other in others
            ):
                kept = others
        return kept


def _flat(parts: Iterable[Condition], kind: type[All] | type[Any]) -> list[Condition]:
    """The parts, with those of the same kind opened."""
    found: list[Condition] = []
    for part in parts:
        if isinstance(part, kind):
            found += _flat(part.parts, kind)
        else:
            found.append(part)
    return found


def _one_range_a_feature(parts: Iterable[Condition]) -> list[Condition] | None:
    """The parts with one range for each feature, in the order they came; None where nothing is left."""
    found: list[Condition] = []
    place: dict[Feature, int] = {}
    for part in parts:
        if part == NOTHING:
            return None
        if not isinstance(part, Range):
            if part not in found:
                found.append(part)
            continue
        at = place.setdefault(part.feature, len(found))
        if at == len(found):
            found.append(part)
            continue
        known = found[at]
        assert isinstance(known, Range)
        least, most = max(known.least, part.least), min(known.most, part.most)
        if least > most:
            return None
        found[at] = Range(part.feature, least, most)
    return found


_PAIRS = (
    (length(Suit.SPADES), length(Suit.HEARTS), MAJOR),
    (length(Suit.DIAMONDS), length(Suit.CLUBS), MINOR),
)


def _lengths_among(parts: list[Condition]) -> int:
    return sum([isinstance(part, Range) and part.feature.kind == "length" for part in parts])


def _at_most_in_both(parts: list[Condition]) -> list[Condition]:
    """At most four spades and at most four hearts: no five-card major."""
    if _lengths_among(parts) < 2:  # as mostly, and the rest takes long
        return parts
    for one, other, longest in _PAIRS:
        for most in range(1, 8):
            pair = [Range(one, 0, most), Range(other, 0, most)]
            if all(part in parts for part in pair):
                at = min(map(parts.index, pair))
                parts = [part for part in parts if part not in pair]
                parts.insert(at, Range(longest, 0, most))
    return parts


def _at_least_in_one(parts: list[Condition]) -> list[Condition]:
    """Five or more spades, or five or more hearts: a five-card major."""
    if _lengths_among(parts) < 2:
        return parts
    for one, other, longest in _PAIRS:
        for least in range(4, 14):
            pair = [Range(one, least, 13), Range(other, least, 13)]
            if all(part in parts for part in pair):
                at = min(map(parts.index, pair))
                parts = [part for part in parts if part not in pair]
                parts.insert(at, Range(longest, least, 13))
    return parts


def _words(condition: Condition) -> int:
    """Roughly how many words a condition takes."""
    match condition:
        case Not(part):
            return 2 + _words(part)
        case All(parts) | Any(parts):
            return 2 + sum(map(_words, parts))
        case Longer():
            return 4
        case Pattern() | ShapeWord():
            return 1
        case Range(feature, least, most):
            return 2 + (least > feature.least) + (most < feature.most)
    return 1


def _united(alternatives: list[Condition]) -> list[Condition]:
    """Alternatives that differ in one range alone, where the two ranges touch, made one."""
    found = list(alternatives)
    changed = True
    while changed:
        changed = False
        for i, one in enumerate(found):
            for j in range(i + 1, len(found)):
                both = _union(one, found[j])
                if both is not None:
                    found[i : i + 1] = [both]
                    del found[j]
                    changed = True
                    break
            if changed:
                break
    return found


def _union(one: Condition, other: Condition) -> Condition | None:
    ours, theirs = _flat((one,), All), _flat((other,), All)
    if _is_exact_shape(ours) and _is_exact_shape(theirs):
        return None
    mine = [part for part in ours if part not in theirs]
    yours = [part for part in theirs if part not in ours]
    if len(mine) != 1 or len(yours) != 1 or len(ours) != len(theirs):
        return None
    a, b = mine[0], yours[0]
    if not isinstance(a, Range) or not isinstance(b, Range) or a.feature != b.feature:
        return None
    if max(a.least, b.least) > min(a.most, b.most) + 1:
        return None
    wide = Range(a.feature, min(a.least, b.least), max(a.most, b.most))
    return all_of(wide if part == a else part for part in ours)


def _is_exact_length(part: Condition) -> bool:
    return isinstance(part, Range) and part.feature.kind == "length" and part.is_exact


def _is_exact_shape(parts: list[Condition]) -> bool:
    """Whether the parts name a shape, as 4=4=4=1: its lengths are best said together."""
    return sum(map(_is_exact_length, parts)) >= 3


def _common_first(alternatives: list[Condition]) -> Condition:
    """What all alternatives promise, said once before them."""
    opened = [_flat((part,), All) for part in alternatives]
    if len(opened) < 2:
        return any_of(alternatives)
    common = [part for part in opened[0] if all(part in other for other in opened[1:])]
    if all(map(_is_exact_shape, opened)):
        common = [part for part in common if not _is_exact_length(part)]
    if not common:
        return any_of(alternatives)
    rest = [all_of(part for part in other if part not in common) for other in opened]
    return All((*common, any_of(rest)))
