"""The blocks of a system put together as one tree of points, along which auctions are followed.

A point is a place of an auction as one side sees it; its edges are calls of ours or of theirs. Sequences are
written short, and made whole here: the passes that they imply are edges like all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import IllegalCallError
from bidlab.systems.effects import priority_of
from bidlab.systems.errors import SystemTextError
from bidlab.systems.forecasts import ForecastWords
from bidlab.systems.predicates import bound_letter, speaks_of_suits_only, suits_allow
from bidlab.systems.rules import Written
from bidlab.systems.syntax import (
    CallKind,
    CallPattern,
    HeaderKind,
    Interruption,
    Phrase,
    Place,
    Predicate,
    RuleLine,
    Section,
    Side,
    Step,
)
from bidlab.systems.variables import Bindings, bids, bound_suit, every_binding, is_variable


@dataclass(eq=False, slots=True)
class Point:
    """A place that auctions come to: the rules there if our side is to call, and the calls that lead on."""

    number: int
    rules: list[TreeRule] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    qualifiers: tuple[Predicate, ...] = ()


@dataclass(eq=False, slots=True)
class Edge:
    """A call that leads from a point to another."""

    is_ours: bool
    calls: tuple[CallPattern, ...]
    to: Point
    rule: TreeRule | None = None  # that makes the call; None for the calls of a header


@dataclass(eq=False, slots=True)
class TreeRule:
    """A rule of the text at its point."""

    line: RuleLine
    order: int  # from the top of the text
    is_when: bool
    after: Point
    source: Written
    priority: int
    samples: tuple[Bindings, ...]  # suits that the variables before it can stand for
    # Whether it may be absent for the state of an auction: then only the book knows that it made a call.
    is_conditional: bool
    # Of the line's condition: what asks for a forecast, what asks the hand, and what that asks of the state.
    forecast: ForecastWords | None = None
    condition: Phrase | None = None
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Whole:
    """One call of a sequence made whole."""

    is_ours: bool
    calls: tuple[CallPattern, ...]
    place: Place


_RELATIVE = (CallKind.LOWEST, CallKind.JUMP, CallKind.STEP)
_PASS = CallPattern(CallKind.FIXED, Place("", 0), Call.PASS)


class Tree:
    """All points of a system."""

    def __init__(self, sections: Iterable[Section]) -> None:
        self.points: list[Point] = []
        self.rules: list[TreeRule] = []
        self.root = self._point()
        self.openings: list[Point] = []
        self.whens: list[Point] = []
        for section in sections:
            self._section(section)

    @cached_property
    def digest(self) -> str:
        """A short name that differs for different rules or another order of them."""
        lines = (
            f"{rule.source} {rule.source.context} {rule.line.call} {rule.line.condition}"
            for rule in self.rules
        )
        return sha256("\n".join(lines).encode(errors="backslashreplace")).hexdigest()[:16]

    def _point(self, qualifiers: tuple[Predicate, ...] = ()) -> Point:
        point = Point(len(self.points), qualifiers=qualifiers)
        self.points.append(point)
        return point

    def _section(self, section: Section) -> None:
        header = section.header
        samples: list[Bindings] = [()]
        gap: Point | None = None
        if header.kind is HeaderKind.SEQUENCE:
            steps, has_gap = whole_steps(header.steps)
            samples = _legal_samples(steps, header.place, str(header))
            point, gap = self._path(self.root, steps, has_gap, header.qualifiers)
        else:
            point = self._point(header.qualifiers)
            (self.whens if header.kind is HeaderKind.WHEN else self.openings).append(point)
        samples = _qualified(samples, header.qualifiers)
        self._block(point, gap, section.rules, samples, _Context(str(header), header.kind is HeaderKind.WHEN))

    def _path(
        self, point: Point, steps: Sequence[_Whole], has_gap: bool, qualifiers: tuple[Predicate, ...]
    ) -> tuple[Point, Point | None]:
        """The point after some calls, and the one before their implied pass at the end."""
        gap = None
        for number, step in enumerate(steps, 1):
            is_last = number == len(steps)
            if is_last and has_gap:
                gap = point
            following = self._point(qualifiers if is_last else ())
            point.edges.append(Edge(step.is_ours, step.calls, following))
            point = following
        return point, gap

    def _block(
        self,
        point: Point,
        gap: Point | None,
        nodes: Sequence[RuleLine | Interruption],
        samples: list[Bindings],
        context: _Context,
    ) -> None:
        for node in nodes:
            if isinstance(node, RuleLine):
                self._rule(point, node, samples, context)
            else:
                self._interruption(gap, node, samples, context)

    def _rule(self, point: Point, line: RuleLine, samples: list[Bindings], context: _Context) -> None:
        after = self._point()
        needs_state = any(not speaks_of_suits_only(one) for one in (*point.qualifiers, *line.qualifiers))
        called = _called(samples, line.call)
        if not called:
            raise SystemTextError(
                line.call.place, f"no suit is left for {line.call}: other letters stand for all it could be"
            )
        made = _qualified(called, line.qualifiers)
        rule = TreeRule(
            line,
            order=len(self.rules),
            is_when=context.is_when,
            after=after,
            source=Written(line.place.file, line.place.line, context.text),
            priority=priority_of(line.effects),
            samples=tuple(made),
            is_conditional=context.is_when or needs_state or line.call.kind in _RELATIVE,
        )
        self.rules.append(rule)
        point.rules.append(rule)
        point.edges.append(Edge(True, (line.call,), after, rule))
        if line.children:
            answers = self._point()
            after.edges.append(Edge(False, (_PASS,), answers))
            self._block(answers, after, line.children, made, _Context(f"{context.text} {line.call}"))

    def _interruption(
        self, gap: Point | None, node: Interruption, samples: list[Bindings], context: _Context
    ) -> None:
        if gap is None:
            raise SystemTextError(
                node.place, f"{node} where it is our turn: the call before it is the opponents' already"
            )
        steps, has_gap = whole_steps(node.steps)
        point, after = self._path(gap, steps, has_gap, node.qualifiers)
        for step in steps:
            samples = [more for call in step.calls for more in _called(samples, call)]
        samples = _qualified(list(dict.fromkeys(samples)), node.qualifiers)
        self._block(point, after, node.children, samples, _Context(f"{context.text} {node}"))


@dataclass(frozen=True, slots=True)
class _Context:
    """What the rules of a block stand under."""

    text: str
    is_when: bool = False


# Sequences made whole.


def whole_steps(steps: Sequence[Step]) -> tuple[list[_Whole], bool]:
    """The calls of a sequence with the passes that it implies; and whether the last one is implied.

    After them our side is to call.
    """
    first = steps[0]
    if first.side is Side.EITHER or first.calls[0].call == Call.PASS:
        raise SystemTextError(
            first.place, f"{first} before the first bid: passes there are skipped; 'passed hand' asks for one"
        )
    ours = first.side is Side.OURS
    found: list[_Whole] = []
    for step in steps:
        if step.side is not Side.EITHER and (step.side is Side.OURS) != ours:
            found.append(_Whole(ours, (_PASS,), step.place))
            ours = not ours
        found.append(_Whole(ours, step.calls, step.place))
        ours = not ours
    if ours:
        return found, False
    found.append(_Whole(False, (_PASS,), steps[-1].place))
    return found, True


def _legal_samples(steps: Sequence[_Whole], place: Place, text: str) -> list[Bindings]:
    """The suits for which a sequence is legal; an error where there are none."""
    calls = tuple(tuple(map(_anywhere, step.calls)) for step in steps)
    for number, step in enumerate(steps, 1):
        ways, error = _legal_ways(calls[:number])
        if not ways:
            raise _never(step, text, error)
    if all(auction.is_ended for auction, _ in ways):
        raise SystemTextError(place, f"the auction has ended after {text!r}: no call is left to be made")
    return list(dict.fromkeys(bindings for _, bindings in ways))


_Ways = tuple[tuple[Auction, Bindings], ...]


@lru_cache(maxsize=1 << 13)  # most sequences begin as others do
def _legal_ways(calls: tuple[tuple[CallPattern, ...], ...]) -> tuple[_Ways, str | None]:
    """The auctions of some steps with their suits, and what was wrong with the last that was illegal."""
    if not calls:
        return ((Auction(), ()),), None
    error: str | None = None
    found: dict[tuple[Call | None, Bindings], tuple[Auction, Bindings]] = {}
    for auction, bindings in _legal_ways(calls[:-1])[0]:
        for call, more in _sample_calls(calls[-1], auction, bindings):
            try:
                longer = auction.after(call)
            except IllegalCallError as illegal:
                error = str(illegal)
                continue
            found.setdefault((longer.last_bid, more), (longer, more))
    return tuple(found.values()), error


def _anywhere(call: CallPattern) -> CallPattern:
    """A call without its place, so that it is the same as those of other lines."""
    return _placeless(call.kind, call.call, call.level, call.suit)


@lru_cache(maxsize=1 << 10)
def _placeless(kind: CallKind, call: Call | None, level: int, suit: str) -> CallPattern:
    return CallPattern(kind, Place("", 0), call, level, suit)


def _never(step: _Whole, text: str, error: str | None) -> SystemTextError:
    """The error for a call that no suits make legal."""
    calls = " or ".join(str(call) for call in step.calls)
    why = "its suit must differ from those before it"
    if error is not None:
        is_fixed = all(call.kind is CallKind.FIXED for call in step.calls)
        reason = error.partition('": ')[2]
        why = reason if is_fixed or "outrank" not in reason else "a bid must outrank the one before it"
    return SystemTextError(step.place, f"{calls} can never be called in {text!r}: {why}")


def _sample_calls(
    calls: Sequence[CallPattern], auction: Auction, bindings: Bindings
) -> Iterator[tuple[Call, Bindings]]:
    for pattern in calls:
        if pattern.kind in (CallKind.ANY, CallKind.ANY_BID):
            higher = [call for call in auction.legal_calls() if call.is_bid]
            if higher:
                yield higher[0], bindings
        else:
            yield from bids(pattern, bindings)


# Suits that variables can stand for.


def _called(samples: list[Bindings], call: CallPattern) -> list[Bindings]:
    """The samples after a call, whose suit may be a variable."""
    if not call.suit or not is_variable(call.suit):
        return samples
    found = (more for one in samples for _, more in every_binding(call.suit, one))
    return list(dict.fromkeys(found))


def _qualified(samples: list[Bindings], qualifiers: Sequence[Predicate]) -> list[Bindings]:
    """The samples that qualifiers leave; an error where they leave none, or speak of no suit."""
    for one in qualifiers:
        letter = bound_letter(one)
        if letter:
            samples = list(dict.fromkeys(more for s in samples for _, more in every_binding(letter, s)))
        for name in (one.suit, one.other):
            if name and is_variable(name) and samples and bound_suit(name, samples[0]) is None:
                raise SystemTextError(
                    one.place, f"{name} in {one.text!r} stands for no suit: no call names it"
                )
        if speaks_of_suits_only(one):
            samples = [sample for sample in samples if suits_allow(one, sample)]
        if not samples:
            raise SystemTextError(one.place, f"{one.text!r} can never hold: no suits are left")
    return samples
