"""A hierarchy as a tree that people read, and read back to the same one.

    all calls
      1. [opening]: all calls
        1. 15-17, balanced: 1N
        2. 5+ spades, 11-21: 1S 2S
        3. any hand: P

A line is a node: its rank among those beside it, the situation in brackets, the condition on the hand, and
after the colon its calls. What stands deeper is pointed to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.errors import BidlabError, FormatError, quoted
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.reading import read_meaning
from bidlab.meaning.writing import meaning_text
from bidlab.systems.hierarchy import ALL_CALLS, Hierarchy, Node, Pointer
from bidlab.systems.situations import Situation

_EVERY, _NONE, _ANY_HAND = "all calls", "no call", "any hand"
_INDENT = "  "
_LINE = re.compile(r"(?P<rank>[0-9]{1,9})\. (?:\[(?P<where>[^]]*)\] ?)?(?P<condition>[^:]*): (?P<calls>.+)")


def tree_text(hierarchy: Hierarchy) -> str:
    """The tree of a hierarchy, a line a node."""
    return "\n".join(_lines(hierarchy.root, "", 0)) + "\n"


def _lines(node: Node, rank: str, depth: int) -> Iterator[str]:
    constraints = [] if node.where is None else [f"[{node.where}]"]
    if node.condition != ANYTHING or (not constraints and rank):
        constraints.append(meaning_text(node.condition))
    head = " ".join(constraints)
    yield f"{_INDENT * depth}{rank}{head}{': ' if head else ''}{_calls_text(node.actions)}"
    for pointer in sorted(node.pointers, key=lambda one: one.rank):
        yield from _lines(pointer.node, f"{pointer.rank}. ", depth + 1)


def _calls_text(calls: frozenset[Call]) -> str:
    if calls == ALL_CALLS:
        return _EVERY
    return " ".join(str(call) for call in sorted(calls)) or _NONE


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the tree, taken apart."""

    number: int
    depth: int
    rank: int
    node: Node


def read_tree(text: str, source: str = "tree") -> Hierarchy:
    """The hierarchy of a tree's text; an error with file and line where it cannot be read."""
    lines = [_read(line, number, source) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or lines[0].depth:
        raise FormatError(f"{source}: no hierarchy: its root, {quoted(_EVERY)} at the left, is wanted first")
    node, rest = _joined(lines[0], lines[1:], source)
    if rest:
        raise FormatError(f"{source}:{rest[0].number}: a second root: one is wanted")
    return Hierarchy(node)


def _joined(head: _Line, rest: list[_Line], source: str) -> tuple[Node, list[_Line]]:
    """A node with all that stands deeper, and the lines after it."""
    pointers: list[Pointer] = []
    while rest and rest[0].depth > head.depth:
        below = rest[0]
        if below.depth > head.depth + 1:
            raise FormatError(f"{source}:{below.number}: indented too deep: two spaces a step are wanted")
        node, rest = _joined(below, rest[1:], source)
        pointers.append(Pointer(node, below.rank))
    return Node(head.node.condition, head.node.where, head.node.actions, tuple(pointers)), rest


def _read(line: str, number: int, source: str) -> _Line:
    depth, odd = divmod(len(line) - len(line.lstrip(" ")), len(_INDENT))
    try:
        if odd:
            raise BidlabError("indented by an odd number of spaces: two a step are wanted")
        if not depth:
            head, _, calls = line.rpartition(": ")
            return _Line(number, 0, 1, _node(head, calls))
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise BidlabError(f"no node {quoted(line.strip())}: one such as '1. 5+ spades: 1S' is wanted")
        where = found["where"] and f"[{found['where']}]"
        head = f"{where or ''} {found['condition']}".strip()
        return _Line(number, depth, int(found["rank"]), _node(head, found["calls"]))
    except BidlabError as error:
        raise FormatError(f"{source}:{number}: {error}") from None


def _node(head: str, calls: str) -> Node:
    where, _, condition = head.rpartition("]")
    situation = Situation.parse(where.lstrip("[")) if where else None
    meant = read_meaning(condition.strip())[0] if condition.strip() else ANYTHING
    return Node(meant, situation, _read_calls(calls))


def _read_calls(text: str) -> frozenset[Call]:
    if text.strip() == _EVERY:
        return ALL_CALLS
    if text.strip() == _NONE:
        return frozenset()
    return frozenset(CALLS[Call(word)] for word in text.split())
