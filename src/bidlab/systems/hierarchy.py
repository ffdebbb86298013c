"""Emmons' bidding hierarchy: nodes of constraints, actions and pointers, read forwards or backwards.

Forwards a hand and an auction give the calls to be considered: a search goes from the root down every
pointer whose node's constraints are met, to a lower rank only where nothing of a higher rank was met, and the
actions of the lowest nodes that it comes to are the candidates. Backwards a call and an auction give the
constraints: all ways down to nodes with that call, each less what a higher rank would have taken (Emmons
2009, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Hand
from bidlab.meaning.conditions import ANYTHING, Condition, Not, all_of, any_of
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.reading import read_meaning
from bidlab.meaning.writing import meaning_text
from bidlab.systems.position import Position
from bidlab.systems.situations import Situation

ALL_CALLS = frozenset(CALLS)


@dataclass(frozen=True, slots=True)
class Node:
    """What must hold of hand and auction, the calls that may be made then, and pointers to closer nodes."""

    condition: Condition = ANYTHING
    where: Situation | None = None  # None: anywhere
    actions: frozenset[Call] = ALL_CALLS
    pointers: tuple[Pointer, ...] = ()

    def __post_init__(self) -> None:
        # As its words say it, so that a node that was written down is equal to the one that is read.
        object.__setattr__(self, "condition", _as_said(self.condition))

    def is_met(self, hand: Hand, here: Situation) -> bool:
        """Whether a hand in a situation meets the constraints."""
        if self.where not in (None, here):
            return False
        return self.condition == ANYTHING or Meaning(self.condition).admits(hand)

    def ranks(self, by_rank: bool = True) -> list[list[Node]]:
        """The nodes that are pointed to, those of the first rank first; all at once if ranks do not count."""
        if not by_rank:
            return [[pointer.node for pointer in self.pointers]]
        ordered = sorted(self.pointers, key=lambda pointer: pointer.rank)
        return [[pointer.node for pointer in some] for _, some in groupby(ordered, lambda one: one.rank)]


@dataclass(frozen=True, slots=True)
class Pointer:
    """The way from a node to another; of several those of rank 1 are tried first."""

    node: Node
    rank: int = 1

    def __post_init__(self) -> None:
        if self.rank < 1:
            raise BidlabError(f"a pointer of rank {self.rank}: a whole number from 1 on is wanted")


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """A tree of nodes; the empty one is a root with all calls.

    >>> notrump = Node(Meaning.parse("15-17, balanced").condition, actions=frozenset([Call("1N")]))
    >>> one_or_two = frozenset([Call("1S"), Call("2S")])
    >>> spades = Node(Meaning.parse("5+ spades, 11-21").condition, actions=one_or_two)
    >>> opening = Hierarchy.ranked([notrump, spades])
    >>> hand, auction = Hand.parse("AQJ62.T83.KQ.A76"), Auction("N")
    >>> [str(call) for call in opening.candidates(hand, auction)]
    ['1N']
    >>> [str(call) for call in opening.candidates(hand, auction, by_rank=False)]
    ['1S', '1N', '2S']
    >>> len(opening.candidates(Hand.parse("AQJ6.T832.K2.976"), auction))  # no node speaks: any legal call
    36
    >>> print(opening.meaning(Call("1C"), auction))  # of the root alone: what the nodes below did not take
    not (15-17, balanced), not (5+ spades, 11-21)
    """

    root: Node = field(default_factory=Node)

    @classmethod
    def of(cls, position: Position) -> Hierarchy:
        """The hierarchy of a position of a written system: a node for each rule, ranked in their order."""
        nodes = (Node(rule.condition, actions=frozenset([rule.call])) for rule in position.rules)
        return cls.ranked(nodes)

    @classmethod
    def ranked(cls, nodes: Iterable[Node]) -> Hierarchy:
        """A root with all calls over some nodes, each tried only where none before it is met."""
        return cls(Node(pointers=tuple(Pointer(node, rank) for rank, node in enumerate(nodes, 1))))

    # Forwards.

    def lowest(self, hand: Hand, auction: Auction, *, by_rank: bool = True) -> tuple[Node, ...]:
        """The lowest nodes that the search comes to, each once."""
        found = _lowest(self.root, hand, Situation.of(auction), by_rank)
        return tuple(dict.fromkeys(found))

    def candidates(self, hand: Hand, auction: Auction, *, by_rank: bool = True) -> tuple[Call, ...]:
        """The legal calls among the actions of the lowest nodes, lowest first.

        Without ranks: of all nodes whose constraints are met, and not of the first alone.
        """
        allowed: set[Call] = set()
        for node in self.lowest(hand, auction, by_rank=by_rank):
            allowed |= node.actions
        return tuple(call for call in auction.legal_calls() if call in allowed)

    # Backwards.

    def meaning(self, call: Call, auction: Auction, *, by_rank: bool = True) -> Meaning | None:
        """What a call of the player to call says of the hand; None if no hand makes it.

        Without ranks: what the hands have in common that may make it, though something else comes first.
        """
        if not auction.is_legal(call):
            return None
        ways = tuple(_ways(self.root, call, Situation.of(auction), by_rank))
        found = Meaning(any_of(ways))
        return None if not ways or found.is_nothing else found


def _lowest(node: Node, hand: Hand, here: Situation, by_rank: bool) -> Iterator[Node]:
    for rank in node.ranks(by_rank):
        met = [below for below in rank if below.is_met(hand, here)]
        if met:
            for below in met:
                yield from _lowest(below, hand, here, by_rank)
            return
    yield node


def _ways(node: Node, call: Call, here: Situation, by_rank: bool) -> Iterator[Condition]:
    """The conditions, each by itself, on which a search that has come to a node ends with a call."""
    taken: list[Condition] = []  # what higher ranks took
    for rank in node.ranks(by_rank):
        reached = [below for below in rank if below.where in (None, here)]
        for below in reached:
            for way in _ways(below, call, here, by_rank):
                yield _together([below.condition, way], taken)
        taken += [below.condition for below in reached]
    if call in node.actions:
        yield _together([], taken)


def _together(held: Iterable[Condition], denied: Iterable[Condition]) -> Condition:
    return all_of([one for one in held if one != ANYTHING] + [Not(one) for one in denied])


_ROUNDS = 5


@lru_cache(maxsize=1 << 14)
def _as_said(condition: Condition) -> Condition:
    """The same hands, in the form that its words are read in."""
    for _ in range(_ROUNDS):
        before = condition
        condition = read_meaning(meaning_text(condition))[0]
        if condition == before:
            break
    return condition
