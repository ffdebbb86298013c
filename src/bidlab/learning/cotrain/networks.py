"""Decision networks: what to call in one situation, as rules from the top; and the hierarchy of several.

Emmons calls what his partners learn a decision network. Here it is the list of rules that a decision tree
comes to, so that it can be written in the system language and read by people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bidlab.bridge.calls import Call
from bidlab.meaning.conditions import Condition
from bidlab.systems.hierarchy import Hierarchy, Node, Pointer
from bidlab.systems.hierarchy_system import system_text
from bidlab.systems.situations import Situation


@dataclass(frozen=True, slots=True)
class NetworkRule:
    """With a hand that fulfils the condition, and none before it, this call."""

    condition: Condition
    call: Call


@dataclass(frozen=True, slots=True)
class Network:
    """The rules of one situation; the last takes any hand."""

    situation: Situation
    rules: tuple[NetworkRule, ...]

    @property
    def node(self) -> Node:
        """The network as a node of a hierarchy."""
        below = (Node(rule.condition, actions=frozenset([rule.call])) for rule in self.rules)
        pointers = tuple(Pointer(node, rank) for rank, node in enumerate(below, 1))
        return Node(where=self.situation, pointers=pointers)

    @classmethod
    def of(cls, node: Node) -> Network:
        """The network that a node was made of."""
        assert node.where is not None
        rules = (NetworkRule(below.node.condition, min(below.node.actions)) for below in node.pointers)
        return cls(node.where, tuple(rules))


def hierarchy_of(networks: Sequence[Network]) -> Hierarchy:
    """A root with all calls over some networks, the first learned first."""
    return Hierarchy.ranked(network.node for network in networks)


def networks_of(hierarchy: Hierarchy) -> tuple[Network, ...]:
    """The networks of such a hierarchy."""
    return tuple(Network.of(pointer.node) for pointer in hierarchy.root.pointers)


def networks_text(networks: Sequence[Network], name: str) -> str:
    """The text of the system that a pair with these networks plays."""
    many = "nothing agreed yet" if not networks else f"{len(networks)} learned network"
    title = many + ("s" if len(networks) > 1 else "")
    return system_text(hierarchy_of(networks), name, title)
