"""A program at one point of an auction, read as a list of plain rules: the first that holds makes the call.

What everybody knows is resolved by the kernel, so that only tests of the caller's own hand are left: a graph
of tests that ends in calls. Read from its end it becomes a list. Of a test, the rules of one way come first,
each with the test added; they take every hand that passes it, so that those of the other way need not say
that they fail it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.cards import SUITS, Strain, Suit
from bidlab.meaning.conditions import Condition, Longer, Not, Range, ShapeWord, all_of
from bidlab.meaning.features import (
    CONTROLS,
    LONGEST,
    LOSERS,
    PLAYING_TRICKS,
    POINTS,
    SHORTEST,
    WEBB,
    Feature,
    of_suit,
)
from bidlab.meaning.meaning import Meaning
from bidlab.systems.webb.hands import NO_BOUND, Bounds, Hands, Interval, few, hull, parted, within
from bidlab.systems.webb.inference import MOST_STRENGTH, least_thousandths

_NEGATED = 8  # the bit of a lane that has a number's negative
_BALANCED, _LEAD = 18, 20
_OF_A_HAND = {5: POINTS, 6: CONTROLS, 7: LOSERS, 16: LONGEST, 17: SHORTEST, 19: PLAYING_TRICKS}
_OF_A_SUIT = {8: "stopper", 9: "quality", 12: "support", 13: "top five"}  # by a fourth of the lane
_SHOWN = 3  # the least length of a suit that is shown by naming it


@dataclass(frozen=True, slots=True)
class PlainRule:
    """A call for the hands within some bounds."""

    call: int
    bounds: tuple[tuple[int, Interval], ...] = ()  # by feature, sorted; none: any hand

    def condition(self) -> Condition:
        """The bounds in the language of meanings."""
        return all_of(_condition(feature, *interval) for feature, interval in self.bounds)

    def meaning(self) -> Meaning:
        """The hands within the bounds."""
        return Meaning(self.condition())


def _condition(feature: int, least: int, most: int) -> Condition:
    """The hands that have a feature, by its lane in native/webb/box.hpp, from least to most."""
    if feature == _BALANCED:
        return ShapeWord("balanced") if least == 1 else Not(ShapeWord("balanced"))
    if _LEAD <= feature < _LEAD + 4:
        return _leads(SUITS[feature - _LEAD], least, most)
    return _range(feature, least, most)


def _leads(suit: Suit, least: int, most: int) -> Condition:
    """A suit that is longer than every other one by at least so many cards, and by at most so many."""

    def by(cards: int) -> Condition:
        return all_of([Longer(suit, other, cards) for other in SUITS if other != suit])

    parts: list[Condition] = []
    if least > -NO_BOUND:
        parts.append(by(least))
    if most < NO_BOUND:
        parts.append(Not(by(most + 1)))
    return all_of(parts)


def _range(feature: int, least: int, most: int) -> Range:
    if feature == 0:
        top = WEBB.most if most >= MOST_STRENGTH else least_thousandths(most + 1) - 1
        return Range(WEBB, least_thousandths(least), top)
    counted = _feature(feature)
    return Range(counted, max(least, counted.least), min(most, counted.most))


def _feature(number: int) -> Feature:
    if number in _OF_A_HAND:
        return _OF_A_HAND[number]
    kind, suit = ("length", number - 1) if number < 5 else (_OF_A_SUIT[number // 4], number % 4)
    return of_suit(kind, SUITS[suit])


def plain_rules(steps: Sequence[Sequence[int]], own: Sequence[Sequence[int]]) -> tuple[PlainRule, ...]:
    """The rules of a program's steps (`webb_position`), for hands within a box; the last takes any hand.

    >>> steps = [[-1, 4, 5, 1, 2], [7, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    >>> plain_rules(steps, [(0, 449), (0, 13), (0, 13), (0, 13), (0, 13)])
    (PlainRule(call=7, bounds=((4, (5, 13)),)), PlainRule(call=0, bounds=()))
    """
    return tuple(_Reader(steps).rules(0, bounds_of(own)))


def is_artificial(rules: Sequence[PlainRule], call: int, own: Bounds) -> bool:
    """Whether a call names a suit that it does not show: some hand makes it with fewer than three cards."""
    if not CALLS[call].is_bid or CALLS[call].strain == Strain.NOTRUMP:
        return False
    suit = 1 + int(CALLS[call].strain)
    boxes = (within(own, dict(rule.bounds)) for rule in rules if rule.call == call)
    return any(box is not None and box[suit][0] < _SHOWN for box in boxes)


def live_rules(rules: Sequence[PlainRule], hands: Hands) -> tuple[PlainRule, ...]:
    """The rules that some of the hands come to; the last of them takes what is left."""
    left, kept = list(hands), []
    for rule in rules:
        taken, left = parted(left, dict(rule.bounds))
        if taken:
            kept.append(rule)
    return tuple(_needed([*kept[:-1], PlainRule(kept[-1].call)], hull(hands)))


def makers(rules: Sequence[PlainRule], hands: Hands) -> dict[int, Hands]:
    """The hands that make each call."""
    left = list(hands)
    made: dict[int, list[Bounds]] = {}
    for rule in rules:
        taken, left = parted(left, dict(rule.bounds))
        made.setdefault(rule.call, []).extend(taken)
    return {call: few(boxes) for call, boxes in made.items()}


def bounds_of(box: Sequence[Sequence[int]]) -> Bounds:
    """A box of the kernel."""
    return {feature: (int(least), int(most)) for feature, (least, most) in enumerate(box)}


class _Reader:
    """Reads the rules of one point."""

    def __init__(self, steps: Sequence[Sequence[int]]) -> None:
        self.steps = steps
        self.known: dict[tuple[int, tuple[tuple[int, Interval], ...]], list[PlainRule]] = {}

    def rules(self, at: int, box: Bounds) -> list[PlainRule]:
        """The rules from a step on, for hands within a box."""
        call, lane, bound, jump, go_on = (int(number) for number in self.steps[at])
        if call >= 0:
            return [PlainRule(call)]
        key = (at, tuple(sorted(box.items())))
        if key not in self.known:
            self.known[key] = self._of_test(lane, bound, jump, go_on, box)
        return self.known[key]

    def _of_test(self, lane: int, bound: int, jump: int, go_on: int, box: Bounds) -> list[PlainRule]:
        feature = lane & ~_NEGATED
        if lane & _NEGATED:  # at most -bound
            passed, failed = (-NO_BOUND, -bound), (1 - bound, NO_BOUND)
        else:
            passed, failed = (bound, NO_BOUND), (-NO_BOUND, bound - 1)
        inside, outside = within(box, {feature: passed}), within(box, {feature: failed})
        if inside is None or outside is None:
            return self.rules(jump if outside is None else go_on, box)
        one, other = self.rules(jump, inside), self.rules(go_on, outside)
        if one == other:
            return one
        ways = (
            _needed(_joined(one, feature, passed, box) + other, box),
            _needed(_joined(other, feature, failed, box) + one, box),
        )
        return min(ways, key=_weight)


def _weight(rules: Sequence[PlainRule]) -> tuple[int, int]:
    """How much there is to read; a list that ends in a pass reads best."""
    ends_in_bid = rules[-1].call != int(Call.PASS)
    return len(rules) + sum(len(rule.bounds) for rule in rules) + ends_in_bid, len(rules)


def _joined(rules: Sequence[PlainRule], feature: int, interval: Interval, box: Bounds) -> list[PlainRule]:
    """The rules for those of their hands that pass a test; one that none passes is left out."""
    found = []
    for rule in rules:
        bounds = dict(rule.bounds)
        least, most = bounds.get(feature, (-NO_BOUND, NO_BOUND))
        bounds[feature] = (max(least, interval[0]), min(most, interval[1]))
        if within(box, bounds) is not None:
            found.append(PlainRule(rule.call, tuple(sorted(bounds.items()))))
    return found


def _needed(rules: list[PlainRule], box: Bounds) -> list[PlainRule]:
    """The rules less those that change no call, neighbours of one call joined where one range holds both."""
    found = rules
    while True:
        fewer = _without_idle(_merged(found), box)
        if fewer == found:
            return found
        found = fewer


def _without_idle(rules: list[PlainRule], box: Bounds) -> list[PlainRule]:
    """Without rules whose hands make the same call anyway, by the rules that follow."""
    kept: list[PlainRule] = []
    for number in range(len(rules) - 1, -1, -1):
        rule = rules[number]
        if not _is_idle(rule, kept, box):
            kept.insert(0, rule)
    return kept


def _is_idle(rule: PlainRule, following: Iterable[PlainRule], box: Bounds) -> bool:
    hands = within(box, dict(rule.bounds))
    if hands is None:
        return True
    for later in following:
        both = within(hands, dict(later.bounds))
        if both is None:
            continue
        if later.call != rule.call:
            return False
        if both == hands:
            return True
    return False


def _merged(rules: list[PlainRule]) -> list[PlainRule]:
    """Neighbours of one call that differ in one range only, made one where the ranges touch."""
    found: list[PlainRule] = []
    for rule in rules:
        both = _union(found[-1], rule) if found else None
        if both is not None:
            found[-1] = both
        else:
            found.append(rule)
    return found


def _union(one: PlainRule, other: PlainRule) -> PlainRule | None:
    if one.call != other.call:
        return None
    first, second = dict(one.bounds), dict(other.bounds)
    if first.keys() != second.keys():
        return None
    differing = [feature for feature in first if first[feature] != second[feature]]
    if len(differing) != 1:
        return one if not differing else None
    (feature,) = differing
    (low, high), (least, most) = sorted((first[feature], second[feature]))
    if least > high + 1:
        return None
    interval = (low, max(high, most))
    del first[feature]
    if interval[0] > -NO_BOUND or interval[1] < NO_BOUND:
        first[feature] = interval
    return PlainRule(one.call, tuple(sorted(first.items())))
