"""The leaves of a tree as rules that a person reads.

Leaves are joined where they make the same call, the call of most hands goes to the end as the one for any
other hand, what is quickly said stands before what is not, and whatever the rules above already take care of
is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import Call
from bidlab.dealing import deal_bits
from bidlab.learning.cotrain.networks import Network, NetworkRule
from bidlab.meaning.conditions import ANYTHING, All, Any, Condition, Not, Range, all_of, any_of, opposite
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.simplify import simplified
from bidlab.systems.situations import Situation

_DEALS, _SEED = 20_000, 1933  # hands by which rules are compared
_FEWEST = 2000  # of them that fit what is known
_ASTRAY = 0.002  # of the hands may get another call for a plainer rule
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Leaf:
    """The hands of one end of the tree, and their call."""

    condition: Condition
    call: Call
    lessons: int
    worth: float  # IMPs of the call over the rules' own choice, a lesson


def worded(situation: Situation, leaves: Sequence[Leaf], known: Condition = ANYTHING) -> Network:
    """The network of a tree's leaves; `known` is what the hands have shown already."""
    hands = _hands(known)
    by_call: dict[Call, list[Condition]] = defaultdict(list)
    for leaf in leaves:
        by_call[leaf.call].append(leaf.condition)
    rules = [NetworkRule(one, call) for call, some in by_call.items() for one in _alternatives(some)]
    masks = {rule: Meaning(rule.condition).admits(hands) for rule in rules}
    chosen = np.zeros(len(hands), dtype=np.uint8)  # leaves share no hands
    for rule, mask in masks.items():
        chosen[mask] = rule.call
    usual = max(by_call, key=lambda call: (int((chosen == call).sum()), -call))
    special = [rule for rule in rules if rule.call != usual]
    return Network(situation, (*_plainest(special, hands, chosen), NetworkRule(ANYTHING, usual)))


def _hands(known: Condition) -> NDArray[np.uint64]:
    """Random hands with what is known; where they are too rare, any hands."""
    every = np.ascontiguousarray(deal_bits(_DEALS, _SEED).reshape(-1))
    fitting = every[Meaning(known).admits(every)] if known != ANYTHING else every
    return (fitting if len(fitting) >= _FEWEST else every)[:_DEALS]


def _alternatives(conditions: Sequence[Condition]) -> Iterator[Condition]:
    """The same hands in fewer and plainer conditions, each by itself."""
    joined = simplified(any_of(conditions))
    for one in joined.parts if isinstance(joined, Any) and joined.parts else (joined,):
        yield from _opened(one)


def _opened(condition: Condition) -> Iterator[Condition]:
    """A condition whose alternatives have several parts as one condition each: rules are shorter so."""
    parts = condition.parts if isinstance(condition, All) else ()
    for at, part in enumerate(parts):
        if isinstance(part, Any) and any(isinstance(one, All) for one in part.parts):
            for one in part.parts:
                inner = one.parts if isinstance(one, All) else (one,)
                yield from _opened(all_of((*parts[:at], *inner, *parts[at + 1 :])))
            return
    yield condition


def _plainest(
    rules: Sequence[NetworkRule], hands: NDArray[np.uint64], chosen: NDArray[np.uint8]
) -> Iterator[NetworkRule]:
    """The rules in the order in which they take the fewest words, without those that take no hand.

    What is long to say is often short after the rules that take the rest.
    """
    left: Mask = np.ones(len(hands), dtype=bool)  # hands that no rule has taken
    allowed = int(_ASTRAY * len(hands))
    waiting = list(rules)
    while waiting:
        said = [_shortest(rule, hands, left, chosen, allowed) for rule in waiting]
        lengths = [(_length(condition), int((mask & left).sum())) for condition, mask in said]
        at = min(range(len(waiting)), key=lambda place: (lengths[place], waiting[place].call))
        condition, mask = said[at]
        if lengths[at][1]:
            yield NetworkRule(condition, waiting[at].call)
        left = left & ~mask
        del waiting[at]


def _length(condition: Condition) -> int:
    """How long a condition is in words."""
    return len(str(Meaning(condition)).split())


def _shortest(
    rule: NetworkRule, hands: NDArray[np.uint64], left: Mask, chosen: NDArray[np.uint8], allowed: int
) -> tuple[Condition, Mask]:
    """A rule's condition in fewer words that hardly change which hands it takes, and those hands."""
    condition = simplified(rule.condition)
    own = Meaning(condition).admits(hands)
    mask = own
    going = True
    while going:
        going = False
        for shorter in _shorter(condition):
            wider = Meaning(shorter).admits(hands)
            astray = left & (wider & (chosen != rule.call) | own & ~wider)
            if int(astray.sum()) <= allowed:
                condition, mask, going = shorter, wider, True
                break
    return condition, mask


def _shorter(condition: Condition) -> Iterator[Condition]:
    """Conditions in fewer words: without a part, with a range open at one end, denying one thing of two."""
    if condition == ANYTHING:
        return
    parts = condition.parts if isinstance(condition, All) else (condition,)
    for at, part in enumerate(parts):
        for plainer in _plainer(part):
            yield all_of((*parts[:at], *plainer, *parts[at + 1 :]))


def _plainer(part: Condition) -> Iterator[tuple[Condition, ...]]:
    yield ()
    match part:
        case Range(feature, least, most):
            if feature.least < least and most < feature.most:
                yield (Range(feature, least, feature.most),)
                yield (Range(feature, feature.least, most),)
        case Not(All(inner)):
            for one in inner:
                yield (opposite(one),)
