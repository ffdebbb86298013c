"""A position: the rules of the player to call, tried from the top; and what each call means by them.

The first rule whose condition holds makes the call. So a call means: one of its own conditions, and none of
those that stand before it and make another call.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bidlab.bridge.calls import Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.conditions import ANYTHING, Condition, Not, all_of, any_of
from bidlab.meaning.meaning import Meaning
from bidlab.systems.rules import Rule
from bidlab.systems.state import State


@dataclass(frozen=True, slots=True)
class SystemMeaning(Meaning):
    """What a call means by a system, and which: who plays the same one reads the call by its own book."""

    system: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """The rules of the player to call, the last of which takes any hand."""

    rules: tuple[Rule, ...]
    state: State = field(default_factory=State)

    def choice(self, hand: Hand) -> int:
        """The number of the first rule that holds; of the last, for a hand that earlier calls have denied."""
        return next((number for number, _ in self.holding(hand)), len(self.rules) - 1)

    def holding(self, hand: Hand) -> Iterator[tuple[int, Rule]]:
        """The rules that hold for a hand, with their numbers, in order."""
        for number, rule in enumerate(self.rules):
            if rule.condition == ANYTHING or Meaning(rule.condition).admits(hand):
                yield number, rule

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls that some rule makes, in the order of the rules."""
        return tuple(dict.fromkeys(rule.call for rule in self.rules))

    def rules_of(self, call: Call) -> tuple[Rule, ...]:
        """The rules that make a call."""
        return tuple(rule for rule in self.rules if rule.call == call)

    def meaning(self, call: Call) -> Meaning | None:
        """What a call says of the hand; None if no rule makes it."""
        before: list[Condition] = []
        ways: list[Condition] = []
        for rule in self.rules:
            if rule.call == call:
                ways.append(all_of((rule.condition, *(Not(one) for one in before))))
            else:
                before.append(rule.condition)
        return Meaning(any_of(ways)) if ways else None
