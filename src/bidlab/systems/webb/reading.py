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
    length,
    of_suit,
)
from bidlab.meaning.meaning import Meaning
from bidlab.systems.webb.hands import DOMAINS, NO_BOUND, Bounds, Hands, Interval, few, hull, parted, within
from bidlab.systems.webb.inference import least_thousandths

_NEGATED = 8  # the bit of a lane that has a number's negative
_BALANCED, _LEADS = 18, range(20, 24)
_COUNTED = {
    **{5: POINTS, 6: CONTROLS, 7: LOSERS, 16: LONGEST, 17: SHORTEST, 19: PLAYING_TRICKS},
    **{1 + suit: length(suit) for suit in SUITS},
    **{
        first + suit: of_suit(kind, suit)
        for first, kind in ((32, "stopper"), (36, "quality"), (48, "support"), (52, "top five"))
        for suit in SUITS
    },
}
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
    """A feature within bounds, in the language of meanings."""
    low, high = DOMAINS[feature]
    least, most = max(least, low), min(most, high)
    if feature == 0:
        top = WEBB.most if most >= high else least_thousandths(most + 1) - 1
        return Range(WEBB, least_thousandths(least), top)
    if feature == _BALANCED:
        return ShapeWord("balanced") if least else Not(ShapeWord("balanced"))
    if feature in _LEADS:
        suit = SUITS[feature - _LEADS.start]
        parts = [_leads(suit, least)] if least > low else []
        return all_of(parts + ([Not(_leads(suit, most + 1))] if most < high else []))
    return Range(_COUNTED[feature], least, most)


def _leads(suit: Suit, by: int) -> Condition:
    """A suit longer than every other by so many cards."""
    return all_of(Longer(suit, other, by) for other in SUITS if other != suit)


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
    for rule in rules:
        box = within(own, dict(rule.bounds)) if rule.call == call else None
        if box is not None and box[suit][0] < _SHOWN and _fewest(rule, SUITS[suit - 1]) < _SHOWN:
            return True
    return False


def _fewest(rule: PlainRule, suit: Suit) -> int:
    """The fewest cards of a suit in hands of a rule; more than its bounds say where it compares suits."""
    if all(feature < _BALANCED for feature, _ in rule.bounds):
        return 0
    ranges = rule.meaning().ranges()
    return ranges[length(suit)][0] if ranges else 13


def live_rules(rules: Sequence[PlainRule], hands: Hands) -> tuple[PlainRule, ...]:
    """The rules that some of the hands come to; the last of them takes what is left."""
    left, kept = list(hands), []
    for rule in rules:
        taken, left = parted(left, dict(rule.bounds))
        if taken:
            kept.append(rule)
    return tuple(needed([*kept[:-1], PlainRule(kept[-1].call)], hull(hands)))


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
            needed(_joined(one, feature, passed, box) + other, box),
            needed(_joined(other, feature, failed, box) + one, box),
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


def needed(rules: list[PlainRule], box: Bounds) -> list[PlainRule]:
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
