"""Whether sequences can come about: each call of ours in a header must be one that the system makes there."""

from __future__ import annotations

from collections.abc import Iterator

from bidlab.bridge.calls import Call
from bidlab.systems.checks.findings import Finding, Kind
from bidlab.systems.syntax import CallKind, CallPattern, Place
from bidlab.systems.system import System
from bidlab.systems.tree import Edge
from bidlab.systems.variables import Bindings, matches
from bidlab.systems.walking import Visit, is_written


class Sequences:
    """Notes at every place which calls of headers are made by rules, and which lines are come to."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._made: dict[int, bool] = {}  # by the edge's identity: whether its call is made
        self._edges: dict[int, tuple[Edge, Visit]] = {}
        self._at_start: dict[Place, tuple[bool, str]] = {}  # rules that ask for what was shown

    def add(self, visit: Visit) -> None:
        """Note one place."""
        self._add_relative(visit)
        calls: set[Call] | None = None
        for thread in visit.cursor.threads:
            if not thread.is_ours:
                continue
            for edge in self.system.tree.points[thread.point].edges:
                if edge.is_ours and edge.rule is None and not _is_pass(edge):
                    self._edges.setdefault(id(edge), (edge, visit))
                    if not self._made.get(id(edge), False):
                        calls = _calls_made(visit) if calls is None else calls
                        self._made[id(edge)] = _is_made(edge, calls, thread.bindings)

    def _add_relative(self, visit: Visit) -> None:
        """Whether a rule that says `minimum` stands where its holder has shown something."""
        for tried in visit.tried:
            if "my points" in tried.line.asked:
                place = tried.line.line.place
                had_shown = self._at_start.get(place, (False, ""))[0] or visit.state.i_have_bid
                self._at_start[place] = (had_shown, str(visit.auction))

    def findings(self) -> Iterator[Finding]:
        """A finding for every call of a header that no rule makes, and for every `minimum` of nothing."""
        for number, is_made in self._made.items():
            if not is_made:
                edge, visit = self._edges[number]
                pattern = edge.calls[0]
                before = f" after {visit.auction}" if visit.auction.calls else ""
                yield Finding(
                    pattern.place,
                    Kind.UNREACHED,
                    f"nothing makes the call {pattern}{before}, so that this never comes up",
                    "write the rule that makes it, or name another call",
                    str(visit.auction),
                )
        for place, (had_shown, auction) in self._at_start.items():
            if not had_shown:
                yield Finding(
                    place,
                    Kind.CONTRADICTION,
                    "'minimum' or 'maximum' where the player has shown nothing yet",
                    "say the points",
                    auction,
                )


def _calls_made(visit: Visit) -> set[Call]:
    """The calls of rules, and of judgement where the rules leave hands over."""
    calls = {one.rule.call for one in visit.tried if one.is_legal and one.left.any()}
    if visit.uncovered.any():
        calls |= {rule.call for rule in visit.position.rules if not is_written(rule)}
    return calls


def _is_pass(edge: Edge) -> bool:
    return all(pattern.call == Call.PASS for pattern in edge.calls)


def _is_made(edge: Edge, calls: set[Call], bindings: Bindings) -> bool:
    return any(_is_one(pattern, call, bindings) for pattern in edge.calls for call in calls)


def _is_one(pattern: CallPattern, call: Call, bindings: Bindings) -> bool:
    return pattern.kind in (CallKind.ANY, CallKind.ANY_BID) or matches(pattern, call, bindings) is not None
