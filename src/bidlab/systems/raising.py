"""A convention's blocks put over the call that it is used over: `over` replaced, bids raised by levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise

from bidlab.bridge.calls import Call
from bidlab.systems.errors import SystemTextError
from bidlab.systems.syntax import (
    CallKind,
    CallPattern,
    Header,
    Interruption,
    Phrase,
    Predicate,
    RuleLine,
    Section,
    Side,
    Step,
)
from bidlab.systems.variables import is_variable

Fill = Callable[[Phrase], Phrase]


def without_last_pass(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """A sequence up to our side's last call; the convention says what the opponents do over it."""
    ends_in_pass = len(steps) > 1 and steps[-1].side is Side.EITHER and steps[-2].side is Side.OURS
    return steps[:-1] if ends_in_pass else steps


class Raised:
    """Puts blocks of a convention where it is used; without a sequence it leaves them as they are."""

    def __init__(self, written: tuple[Step, ...] = (), over: tuple[Step, ...] | None = None) -> None:
        self.over = _renamed(over, _variables(written)) if over else ()
        level, before = _level(over or ()), _level(written)
        self.levels = level - before if level and before else 0

    def section(self, section: Section, fill: Fill) -> Section | None:
        """A block with its calls raised and its parameters filled in; None where it does not apply."""
        header = section.header
        if self._is_answered(header.steps):
            return None
        moved = Header(
            header.kind, header.place, self.steps(header.steps), self._predicates(header.qualifiers)
        )
        return Section(moved, tuple(self._node(node, fill) for node in section.rules))

    def steps(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """A sequence with `over` replaced."""
        found: list[Step] = []
        for step in steps:
            if step.side is Side.EITHER and found and found[-1] is self._their_call:
                continue  # where they called over it, they did not pass
            if step.calls[0].kind is not CallKind.OVER:
                found.append(replace(step, calls=tuple(self._call(call) for call in step.calls)))
            elif self.over:
                found += self.over
            else:
                raise SystemTextError(
                    step.place, "'over' in a file that is not used over a call: 'written over 1N' is wanted"
                )
        return tuple(found)

    @property
    def _their_call(self) -> Step | None:
        """The opponents' call at the end of the sequence: `use stayman over 1N (X)`."""
        return self.over[-1] if self.over and self.over[-1].side is Side.THEIRS else None

    def _is_answered(self, steps: tuple[Step, ...]) -> bool:
        """Whether a block is about an opponent's call where another one was made."""
        return self._their_call is not None and any(
            step.calls[0].kind is CallKind.OVER and following.side is Side.THEIRS
            for step, following in pairwise(steps)
        )

    def _node(self, node: RuleLine | Interruption, fill: Fill) -> RuleLine | Interruption:
        children = tuple(self._node(child, fill) for child in node.children)
        qualifiers = self._predicates(node.qualifiers)
        if isinstance(node, Interruption):
            return replace(node, steps=self.steps(node.steps), qualifiers=qualifiers, children=children)
        condition = fill(node.condition) if node.condition else None
        call = self._call(node.call)
        return replace(node, call=call, qualifiers=qualifiers, condition=condition, children=children)

    def _predicates(self, predicates: Iterable[Predicate]) -> tuple[Predicate, ...]:
        return tuple(replace(one, call=self._call(one.call)) if one.call else one for one in predicates)

    def _call(self, pattern: CallPattern) -> CallPattern:
        if not self.levels:
            return pattern
        is_bid = pattern.kind is CallKind.FIXED and pattern.call is not None and pattern.call.is_bid
        if not is_bid and pattern.kind is not CallKind.BID:
            return pattern
        level = (pattern.call.level if pattern.call else pattern.level) + self.levels
        if not 1 <= level <= 7:
            raise SystemTextError(pattern.place, f"{pattern} raised by {self.levels} levels is no bid")
        if pattern.call:
            return replace(pattern, call=Call.bid(level, pattern.call.strain))
        return replace(pattern, level=level)


def _variables(steps: Iterable[Step]) -> set[str]:
    return {call.suit.removeprefix("o") for step in steps for call in step.calls if is_variable(call.suit)}


def _renamed(steps: tuple[Step, ...], shared: set[str]) -> tuple[Step, ...]:
    """The sequence with variables that the convention does not know set apart from its own."""

    def call_of(call: CallPattern) -> CallPattern:
        if not is_variable(call.suit) or call.suit.removeprefix("o") in shared:
            return call
        return replace(call, suit=f"{call.suit}'")

    return tuple(replace(step, calls=tuple(call_of(call) for call in step.calls)) for step in steps)


def _level(steps: tuple[Step, ...]) -> int | None:
    """The level of our side's last bid in a sequence; None where it has none."""
    for step in reversed(steps):
        call = step.calls[0]
        if step.side is Side.OURS and call.kind is CallKind.BID:
            return call.level
        if step.side is Side.OURS and call.call is not None and call.call.is_bid:
            return call.call.level
    return None
