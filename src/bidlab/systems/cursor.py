"""How far an auction has followed the sequences of a system, for both sides at once.

A thread is one way in which the calls so far are those of a sequence, with the suits of its variables, as
seen by one of the two sides. A cursor is the set of all threads. There is one cursor object for each such
set, so that cursors are compared and kept by identity.

Where systems are on, a double of theirs that no sequence speaks of is taken for a pass: the same calls
follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from bidlab.bridge.calls import Call
from bidlab.systems.predicates import speaks_of_suits_only, suits_allow
from bidlab.systems.rules import Rule
from bidlab.systems.tree import Edge, Point, Tree
from bidlab.systems.variables import Bindings, matches


class Thread(NamedTuple):
    """A point that the auction has come to, the suits of the variables, and whose turn it is."""

    point: int
    bindings: Bindings
    is_ours: bool  # whether the player to call belongs to the side that sees it so


class Origin(NamedTuple):
    """The rule of the text that a rule of a position comes from, with its suits."""

    tree: str  # the digest of all rules of the system
    order: int
    bindings: Bindings


class Cursor:
    """A point of an auction as the sequences of a system see it."""

    __slots__ = ("_after", "_are_systems_on", "_made", "_tree", "calls", "number", "threads")

    def __init__(
        self,
        tree: Tree,
        number: int,
        threads: tuple[Thread, ...],
        made: Callable[[tuple[Thread, ...], tuple[Call, ...] | None], Cursor],
        calls: tuple[Call, ...] | None = None,
        *,
        are_systems_on: bool = False,
    ) -> None:
        self._tree = tree
        self._are_systems_on = are_systems_on
        self._made = made
        self._after: dict[tuple[Call, bool, tuple[tuple[int, Bindings], ...]], Cursor] = {}
        self.number = number
        self.threads = threads
        self.calls = calls  # all so far, where programs want to know; else None

    def __repr__(self) -> str:
        return f"<Cursor {self.number}: {len(self.threads)} threads>"

    @property
    def is_start(self) -> bool:
        """Whether nobody has bid."""
        return any(thread.point == self._tree.root.number for thread in self.threads)

    def after(self, call: Call, rules: Sequence[Rule] = ()) -> Cursor:
        """The cursor after one more call.

        `rules` are those of the position that make the call. Given any, the answers beneath them are
        followed and no others; without them a call is taken for that of every rule that could have made it,
        but for rules that depend on the state of the auction. The calls of headers need no rules.
        """
        origins = [rule.origin for rule in rules if isinstance(rule.origin, Origin)]
        digest = self._tree.digest
        own = dict.fromkeys((one.order, one.bindings) for one in origins if one.tree == digest)
        key = (call, bool(rules), tuple(own))
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self._step(call, bool(rules), tuple(own))
        return found

    def _step(self, call: Call, are_known: bool, own: tuple[tuple[int, Bindings], ...]) -> Cursor:
        calls = None if self.calls is None else (*self.calls, call)
        if self.is_start and call == Call.PASS:
            return self._made(self.threads, calls)
        threads = dict.fromkeys(self._followed(call, are_known, self.threads))
        if call == Call.DOUBLE and self._are_systems_on and not any(one.is_ours for one in threads):
            doubled = [one for one in self.threads if not one.is_ours]
            threads |= dict.fromkeys(self._followed(Call.PASS, are_known, doubled))
        for order, bindings in own:
            threads[Thread(self._tree.rules[order].after.number, bindings, False)] = None
        # Points without edges and rules lead nowhere.
        leading = tuple(one for one in threads if self._leads_on(self._tree.points[one.point]))
        return self._made(leading, calls)

    def _followed(self, call: Call, are_known: bool, threads: Sequence[Thread]) -> Iterator[Thread]:
        for thread in threads:
            for edge in self._tree.points[thread.point].edges:
                if edge.is_ours != thread.is_ours or (edge.rule and (are_known or edge.rule.is_conditional)):
                    continue
                for bindings in _ways(edge, call, thread.bindings):
                    yield Thread(edge.to.number, bindings, not thread.is_ours)

    @staticmethod
    def _leads_on(point: Point) -> bool:
        return bool(point.edges or point.rules)


def _ways(edge: Edge, call: Call, bindings: Bindings) -> Iterator[Bindings]:
    qualifiers = (*edge.to.qualifiers, *(edge.rule.line.qualifiers if edge.rule else ()))
    static = [one for one in qualifiers if speaks_of_suits_only(one)]
    for pattern in edge.calls:
        more = matches(pattern, call, bindings)
        if more is not None and all(suits_allow(one, more) for one in static):
            yield more
            return


class Cursors:
    """All cursors of a system."""

    def __init__(self, tree: Tree, *, keeps_calls: bool = False, are_systems_on: bool = False) -> None:
        self.tree = tree
        self._are_systems_on = are_systems_on
        self.found: dict[tuple[tuple[Thread, ...], tuple[Call, ...] | None], Cursor] = {}
        points = (tree.root, *tree.openings)
        self.start = self.cursor(
            tuple(Thread(point.number, (), is_ours) for is_ours in (True, False) for point in points),
            () if keeps_calls else None,
        )

    def cursor(self, threads: tuple[Thread, ...], calls: tuple[Call, ...] | None = None) -> Cursor:
        """The one cursor of some threads, and of the calls where they are kept."""
        key = (threads, calls)
        if key not in self.found:
            self.found[key] = Cursor(
                self.tree,
                len(self.found),
                threads,
                self.cursor,
                calls,
                are_systems_on=self._are_systems_on,
            )
        return self.found[key]
