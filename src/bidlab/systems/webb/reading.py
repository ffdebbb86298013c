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
from bidlab.bridge.cards import SUITS, Strain
from bidlab.meaning.conditions import Condition, Range, all_of
from bidlab.meaning.features import WEBB, Feature, length
from bidlab.meaning.meaning import Meaning
from bidlab.systems.webb.inference import MOST_STRENGTH, least_thousandths

Interval = tuple[int, int]
Bounds = dict[int, Interval]  # by feature of the kernel: strength 0 in steps, clubs 1 .. spades 4
_NEGATED = 8  # the bit of a lane that has a number's negative
_NO_BOUND = 1 << 14
_LENGTHS = range(1, 5)
_SHOWN = 3  # the least length of a suit that is shown by naming it


@dataclass(frozen=True, slots=True)
class PlainRule:
    """A call for the hands within some bounds."""

    call: int
    bounds: tuple[tuple[int, Interval], ...] = ()  # by feature, sorted; none: any hand

    def condition(self) -> Condition:
        """The bounds in the language of meanings."""
        return all_of(_range(feature, *interval) for feature, interval in self.bounds)

    def meaning(self) -> Meaning:
        """The hands within the bounds."""
        return Meaning(self.condition())


def _range(feature: int, least: int, most: int) -> Range:
    if feature == 0:
        top = WEBB.most if most >= MOST_STRENGTH else least_thousandths(most + 1) - 1
        return Range(WEBB, least_thousandths(least), top)
    counted = _feature(feature)
    return Range(counted, max(least, counted.least), min(most, counted.most))


def _feature(number: int) -> Feature:
    return length(SUITS[number - 1])


def plain_rules(steps: Sequence[Sequence[int]], own: Sequence[Sequence[int]]) -> tuple[PlainRule, ...]:
    """The rules of a program's steps (`webb_position`), for hands within a box; the last takes any hand.

    >>> steps = [[-1, 4, 5, 1, 2], [7, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    >>> plain_rules(steps, [(0, 449), (0, 13), (0, 13), (0, 13), (0, 13)])
    (PlainRule(call=7, bounds=((4, (5, 13)),)), PlainRule(call=0, bounds=()))
    """
    return tuple(_Reader(steps).rules(0, _bounds(own)))


def is_artificial(rules: Sequence[PlainRule], call: int, own: Sequence[Sequence[int]]) -> bool:
    """Whether a call names a suit that it does not show: some hand makes it with fewer than three cards."""
    if not CALLS[call].is_bid or CALLS[call].strain == Strain.NOTRUMP:
        return False
    suit = 1 + int(CALLS[call].strain)
    whole = _bounds(own)
    boxes = (_within(whole, dict(rule.bounds)) for rule in rules if rule.call == call)
    return any(box is not None and box[suit][0] < _SHOWN for box in boxes)


def _bounds(box: Sequence[Sequence[int]]) -> Bounds:
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
            passed, failed = (-_NO_BOUND, -bound), (1 - bound, _NO_BOUND)
        else:
            passed, failed = (bound, _NO_BOUND), (-_NO_BOUND, bound - 1)
        inside, outside = _within(box, {feature: passed}), _within(box, {feature: failed})
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
        least, most = bounds.get(feature, (-_NO_BOUND, _NO_BOUND))
        bounds[feature] = (max(least, interval[0]), min(most, interval[1]))
        if _within(box, bounds) is not None:
            found.append(PlainRule(rule.call, tuple(sorted(bounds.items()))))
    return found


def _within(box: Bounds, bounds: Bounds) -> Bounds | None:
    """The box with more bounds, lengths tightened as they add up to 13; None where no hand is left."""
    found = dict(box)
    for feature, (least, most) in bounds.items():
        low, high = found.get(feature, (-_NO_BOUND, _NO_BOUND))
        low, high = max(low, least), min(high, most)
        if low > high:
            return None
        found[feature] = (low, high)
    leasts = sum(found[suit][0] for suit in _LENGTHS)
    mosts = sum(found[suit][1] for suit in _LENGTHS)
    if leasts > 13 or mosts < 13:
        return None
    for suit in _LENGTHS:
        low, high = found[suit]
        found[suit] = (max(low, 13 - (mosts - high)), min(high, 13 - (leasts - low)))
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
    hands = _within(box, dict(rule.bounds))
    if hands is None:
        return True
    for later in following:
        both = _within(hands, dict(later.bounds))
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
    if interval[0] > -_NO_BOUND or interval[1] < _NO_BOUND:
        first[feature] = interval
    return PlainRule(one.call, tuple(sorted(first.items())))
