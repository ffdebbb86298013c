"""Which rules ever make their call: gathered over all places, told once the walk is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from bidlab.bridge.calls import Call
from bidlab.meaning.cells import cell_sets
from bidlab.meaning.conditions import ANYTHING, Condition
from bidlab.meaning.meaning import Meaning
from bidlab.systems.checks.examples import example_hand
from bidlab.systems.checks.findings import Finding, Kind
from bidlab.systems.syntax import Place, RuleLine
from bidlab.systems.walking import Tried, Visit

_MOST_DOUBTS = 6  # places where hands are drawn before a rule is taken for dead


@dataclass
class _Line:
    """What has been seen of one line of a text."""

    line: RuleLine
    is_legal: bool = False  # somewhere
    fires: bool = False  # somewhere
    doubts: list[tuple[Visit, int]] = field(default_factory=list)  # only drawn hands can tell
    example: tuple[Visit, int] | None = None  # the first place where it is legal, and its number there
    illegal: tuple[Visit, Tried] | None = None


class Firing:
    """Notes at every place which rules speak."""

    def __init__(self) -> None:
        self.lines: dict[Place, _Line] = {}

    def add(self, visit: Visit) -> None:
        """Note one place."""
        for number, tried in enumerate(visit.tried):
            line = tried.line.line
            seen = self.lines.setdefault(line.place, _Line(line))
            if seen.fires:
                continue
            if not tried.is_legal:
                seen.illegal = seen.illegal or (visit, tried)
                continue
            seen.is_legal = True
            seen.example = seen.example or (visit, number)
            if tried.is_sure:
                seen.fires = True
            elif tried.left.any() and len(seen.doubts) < _MOST_DOUBTS:
                seen.doubts.append((visit, number))

    def findings(self) -> Iterator[Finding]:
        """A finding for every line that never makes its call."""
        for seen in self.lines.values():
            if seen.fires or any(_may_fire(*doubt) for doubt in seen.doubts):
                continue
            if not seen.is_legal:
                yield _illegal(seen)
            elif seen.example is not None:
                yield _dead(seen, *seen.example)


def _may_fire(visit: Visit, number: int) -> bool:
    """Whether some hand comes to a rule, by drawn hands; where none can be drawn the rule has the benefit."""
    tried = visit.tried[number]
    above = [one.rule.condition for one in visit.tried[:number] if one.is_legal]
    if example_hand(visit, tried.left, tried.rule.condition, above) is not None:
        return True
    return example_hand(visit, tried.left, tried.rule.condition) is None


def _illegal(seen: _Line) -> Finding:
    assert seen.illegal is not None
    visit, tried = seen.illegal
    call, last = tried.rule.call, visit.auction.last_bid
    if call == Call.DOUBLE:
        what, mend = "X is illegal here: no bid of theirs is there to double", "an opponent's bid before it"
    elif call == Call.REDOUBLE:
        what, mend = "XX is illegal here: no bid of ours is doubled", "an opponent's double before it"
    else:
        what, mend = f"{call} cannot be bid over {last}", f"a bid above {last}"
    return Finding(
        seen.line.place, Kind.ILLEGAL, what, f"{mend} is wanted, or another call", str(visit.auction)
    )


def _dead(seen: _Line, visit: Visit, number: int) -> Finding:
    """Why a line never speaks, by its first place."""
    tried = visit.tried[number]
    condition = tried.rule.condition
    place, auction = seen.line.place, str(visit.auction)
    words = seen.line.condition.text if seen.line.condition else "any hand"
    if Meaning(condition).is_nothing:
        return Finding(place, Kind.IMPOSSIBLE, f"no hand has '{words}'", "change the condition", auction)
    if not (cell_sets(condition).possible & visit.known).any():
        what = f"no hand that has come here has '{words}'"
        return Finding(place, Kind.IMPOSSIBLE, what, "look at what its holder has shown before", auction)
    above = [one for one in visit.tried[:number] if one.is_legal]
    whole = next((one for one in above if one.rule.condition == ANYTHING), None)
    if whole is not None:
        what = f"{tried.rule.call} is never reached: {_named(whole)} takes every hand"
        return Finding(place, Kind.HIDDEN, what, "write it above that rule, or leave it out", auction)
    takers = _takers(condition, above)
    few = len(takers) <= 2
    names = " and ".join(map(_named, takers)) if few else f"the rules from {_named(takers[0])} on"
    what = f"{tried.rule.call} never comes up: {names} take{'s' if len(takers) == 1 else ''} every such hand"
    return Finding(place, Kind.COVERED, what, "write it higher, or leave it out", auction)


def _named(one: Tried) -> str:
    return f"{one.rule.call} of line {one.line.line.place.line}" + (
        f" of {one.line.line.place.file.rpartition('/')[2]}"
    )


def _takers(condition: Condition, above: list[Tried]) -> list[Tried]:
    """The rules above that take hands of a condition: one alone where one is enough."""
    wanted = cell_sets(condition).possible
    for one in above:
        if not (wanted & ~cell_sets(one.rule.condition).certain).any():
            return [one]
    takers, left = [], wanted
    for one in above:
        certain = cell_sets(one.rule.condition).certain
        if (left & certain).any():
            takers.append(one)
            left = left & ~certain
    if np.any(left):  # what is left is taken in part by rules that cells cannot tell
        takers = [one for one in above if (wanted & cell_sets(one.rule.condition).possible).any()]
    return takers or above
