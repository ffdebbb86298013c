"""Random hierarchies for hypothesis, and a search of them that is slow and obvious."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.meaning.strategies import conditions

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning
from bidlab.systems.hierarchy import ALL_CALLS, Hierarchy, Node, Pointer
from bidlab.systems.situations import Situation

OPENING, OVER_SPADE = Situation(), Situation.parse("1S")
situations = st.sampled_from([None, None, OPENING, OVER_SPADE])
actions = st.one_of(
    st.just(ALL_CALLS), st.sets(st.sampled_from(CALLS[:12]), min_size=1, max_size=3).map(frozenset)
)
leaves = st.builds(Node, conditions(), situations, actions)


def _pointing(below: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pointers = st.lists(st.builds(Pointer, below, st.integers(1, 3)), min_size=1, max_size=4)
    return st.builds(Node, conditions(), situations, actions, pointers.map(tuple))


nodes = st.recursive(leaves, _pointing, max_leaves=6)
hierarchies = st.lists(st.builds(Pointer, nodes, st.integers(1, 3)), max_size=4).map(
    lambda pointers: Hierarchy(Node(pointers=tuple(pointers)))
)


def plain_candidates(node: Node, hand: Hand, here: Situation) -> set[Call]:
    """The actions of the lowest nodes, by the words of section 3.2."""
    for rank in sorted({pointer.rank for pointer in node.pointers}):
        followed = [
            pointer.node
            for pointer in node.pointers
            if pointer.rank == rank
            and (pointer.node.where is None or pointer.node.where == here)
            and Meaning(pointer.node.condition).admits(hand)
        ]
        if followed:
            return set().union(*(plain_candidates(below, hand, here) for below in followed))
    return set(node.actions)
