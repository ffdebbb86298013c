"""A walk through the auctions of a system: every place that its text speaks of, with hands behind the calls.

Both sides bid the system. From a place the walk goes on by the calls that written rules make, by those that
headers name, and by the opponents' calls that the text answers. A place is left once its rules and sequences
have been seen often enough.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.dealing import deal_bits
from bidlab.meaning.cells import Cells, cell_sets
from bidlab.systems.book import Book
from bidlab.systems.cursor import Cursor, Origin, Thread
from bidlab.systems.position import Position
from bidlab.systems.rules import Rule, Written
from bidlab.systems.state import State
from bidlab.systems.syntax import CallKind, CallPattern
from bidlab.systems.system import System
from bidlab.systems.tree import Edge, TreeRule
from bidlab.systems.variables import Bindings, bids

_RANDOM = 60_000  # hands of the pool that random hands are taken from
_ODD = 60_000  # of the pool of hands that hardly ever come up
# Seats and vulnerabilities in an order that shows different openings early.
_ROOTS = tuple(
    Auction("N", vulnerable, "P " * passes)
    for vulnerable, passes in (
        *(("none", 0), ("both", 2), ("none", 3), ("both", 1), ("NS", 0), ("EW", 0)),
        *(("both", 0), ("none", 1), ("none", 2), ("both", 3), ("NS", 2), ("EW", 2)),
    )
)


@dataclass(frozen=True, slots=True)
class Tried:
    """A written rule at a place: whether it is legal there, and for which hands it is left to speak."""

    rule: Rule
    line: TreeRule  # of the text
    is_legal: bool
    left: Cells  # cells in which some hand may come to it; empty: no hand does
    is_sure: bool  # whether some hand surely does


@dataclass(frozen=True)
class Visit:
    """A place: an auction and what the system says to the player to call."""

    system: System
    book: Book
    auction: Auction
    node: int
    state: State
    cursor: Cursor
    written: tuple[Rule, ...]  # in order; some may be illegal

    @cached_property
    def known(self) -> Cells:
        """The cells of the hands that the player to call can hold."""
        return self.book.known(self.node, len(self.auction) % 4)

    def line_of(self, rule: Rule) -> TreeRule:
        """The line of the text that a written rule comes from."""
        assert isinstance(rule.origin, Origin)
        return self.system.tree.rules[rule.origin.order]

    @property
    def position(self) -> Position:
        """All rules, those of judgement too."""
        return self.book.position_at(self.node)

    @property
    def is_quiet(self) -> bool:
        """Whether the opponent on the right passed."""
        return not self.state.is_doubled and not self.state.is_overcalled

    @cached_property
    def tried(self) -> tuple[Tried, ...]:
        """The written rules, each with what those above leave to it."""
        surely = np.zeros_like(self.known)  # taken by the rules above
        perhaps = np.zeros_like(self.known)
        found = []
        for rule in self.written:
            is_legal = self.auction.is_legal(rule.call)
            possible, certain = cell_sets(rule.condition)
            left = possible & self.known & ~surely
            is_sure = bool((certain & self.known & ~perhaps).any())
            found.append(Tried(rule, self.line_of(rule), is_legal, left, is_sure))
            if is_legal:
                surely, perhaps = surely | certain, perhaps | possible
        return tuple(found)

    @property
    def uncovered(self) -> Cells:
        """The cells in which a hand may have no written call."""
        left = self.known
        for tried in self.tried:
            if tried.is_legal:
                left = left & ~cell_sets(tried.rule.condition).certain
        return left

    def earlier(self) -> Iterator[tuple[int, Call]]:
        """The calls of the player to call so far, each with the node before it; the first one first."""
        auction = self.auction
        for place in range(len(auction) % 4, len(auction), 4):
            before = Auction(auction.dealer, auction.vulnerable, auction.calls[:place])
            yield self.book.node(before), auction.calls[place]

    def random_hands(self) -> NDArray[np.uint64]:
        """Random hands that make the calls of the player to call so far; none where that is very rare."""
        return self._making_the_calls(_pool())

    def odd_hands(self) -> NDArray[np.uint64]:
        """Hands that make these calls among those that hardly ever come up: very weak, strong or long."""
        return self._making_the_calls(_odd_pool())

    def _making_the_calls(self, hands: NDArray[np.uint64]) -> NDArray[np.uint64]:
        for node, call in self.earlier():
            _, calls = self.book.choose(np.full(len(hands), node, dtype=np.int32), hands)
            hands = np.ascontiguousarray(hands[calls == int(call)])
            if not len(hands):
                break
        return hands


@cache
def _pool() -> NDArray[np.uint64]:
    return deal_bits(_RANDOM // 4, seed=1).reshape(-1)


@cache
def _odd_pool() -> NDArray[np.uint64]:
    """Hands drawn with a liking for high or low cards and for some suits, each hand with its own."""
    random = np.random.default_rng(1)
    ranks, suits = np.arange(52) % 13 - 6, np.arange(52) // 13
    liking = random.uniform(-1.2, 1.2, (_ODD, 1)) * ranks + random.normal(0, 1.5, (_ODD, 4))[:, suits]
    # The thirteen with the highest marks: drawn one by one with these weights, without replacement.
    marks = liking + random.gumbel(size=(_ODD, 52))
    chosen = np.argpartition(-marks, 13, axis=1)[:, :13].astype(np.uint64)
    hands: NDArray[np.uint64] = (np.uint64(1) << chosen).sum(axis=1, dtype=np.uint64)
    return hands


class Walk:
    """Places of a system, each reached by an auction."""

    def __init__(self, system: System, most: int = 1) -> None:
        self.system = system
        self.book = Book(system)
        self.most = most  # times that the same rules and sequences are followed on
        self._seen: Counter[Hashable] = Counter()

    def visit(self, auction: Auction) -> Visit:
        """The place that an auction comes to."""
        node = self.book.node(auction)
        cursor = self.book.cursor_at(node)
        assert isinstance(cursor, Cursor)
        state = self.book.state_at(node)
        # What programs say is no line of the text.
        written = tuple(rule for rule in self.book.written_at(node) if isinstance(rule.origin, Origin))
        return Visit(self.system, self.book, auction, node, state, cursor, written)

    def visits(self) -> Iterator[Visit]:
        """All places, shorter auctions first."""
        queue = deque(_ROOTS)
        known = set(queue)
        while queue:
            visit = self.visit(queue.popleft())
            is_asked = visit.state.is_forced and visit.state.is_artificial
            if not visit.written and not visit.cursor.threads and not is_asked:
                continue
            yield visit
            if visit.auction in _ROOTS or self._is_news(visit):
                for auction in self._following(visit):
                    if auction not in known and not auction.is_ended:
                        known.add(auction)
                        queue.append(auction)

    def _is_news(self, visit: Visit) -> bool:
        """Whether something of the place has not been followed often enough; and note that it is now."""
        keys: list[Hashable] = [("thread", thread) for thread in visit.cursor.threads]
        for rule in visit.written:
            assert isinstance(rule.origin, Origin)
            keys.append((rule.origin.order, rule.origin.bindings))
        is_news = any(self._seen[key] < self.most for key in keys)
        if is_news:
            self._seen.update(keys)
        return is_news

    def _following(self, visit: Visit) -> Iterator[Auction]:
        for tried in visit.tried:
            if tried.is_legal and tried.left.any():
                made = visit.auction.after(tried.rule.call)
                yield made
                if not made.is_ended:
                    yield made.after(Call.PASS)
                if tried.rule.effects.asks is not None and tried.rule.call < CALLS[-1]:
                    # What was asked may be answered by state, also over an opponent's call.
                    yield from (made.after(Call.DOUBLE), made.after(CALLS[tried.rule.call + 1]))
        for thread in visit.cursor.threads:
            for edge in self.system.tree.points[thread.point].edges:
                if edge.rule is None and edge.is_ours == thread.is_ours:
                    for call in edge_calls(edge, thread, visit.auction):
                        yield visit.auction.after(call)


def edge_calls(edge: Edge, thread: Thread, auction: Auction) -> Iterator[Call]:
    """The legal calls of an edge; of "any call" a double and the lowest bid of every strain."""
    for pattern in edge.calls:
        for call in _calls(pattern, thread.bindings, auction):
            if auction.is_legal(call):
                yield call


def _calls(pattern: CallPattern, bindings: Bindings, auction: Auction) -> Iterable[Call]:
    if pattern.kind in (CallKind.ANY, CallKind.ANY_BID):
        higher = [call for call in auction.legal_calls() if call.is_bid][:5]
        return [Call.DOUBLE, *higher] if pattern.kind is CallKind.ANY else higher
    return [call for call, _ in bids(pattern, bindings)]


def is_written(rule: Rule) -> bool:
    """Whether a rule stands in the text."""
    return isinstance(rule.source, Written)
