"""A hierarchy written in the system language: situations become headers, nodes their rules from the top.

The language tries one rule after the other and each makes one call. So of pointers of the same rank the first
is tried first, a node with several calls becomes as many rules, and one with all calls is left to the last
line, by which a player passes for whom nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bidlab.bridge.calls import Call
from bidlab.bridge.errors import BidlabError
from bidlab.meaning.conditions import ANYTHING, All, Condition, all_of
from bidlab.meaning.meaning import Meaning
from bidlab.systems.hierarchy import ALL_CALLS, Hierarchy, Node
from bidlab.systems.situations import Situation

_OTHERWISE = ("otherwise", "  P")


@dataclass(frozen=True, slots=True)
class _Line:
    """A rule as it will be written."""

    where: Situation | None
    condition: Condition
    call: Call


def system_text(hierarchy: Hierarchy, name: str, title: str = "", page: Sequence[str] = ()) -> str:
    """The text of a system that bids by a hierarchy; `page` are lines for the reader before its rules."""
    lines = list(_rules(hierarchy.root, None, ()))
    out = [f'system {name}   "{title}"' if title else f"system {name}"]
    out += [f"# {line}".rstrip() for line in page]
    for where in dict.fromkeys(line.where for line in lines if line.where is not None):
        out += ["", str(where), *(_text(line) for line in lines if line.where == where)]
    anywhere = [_text(line) for line in lines if line.where is None]
    return "\n".join([*out, "", _OTHERWISE[0], *anywhere, _OTHERWISE[1]]) + "\n"


def _rules(node: Node, where: Situation | None, held: tuple[Condition, ...]) -> Iterator[_Line]:
    """The rules of a node: of those that it points to, then its own."""
    if node.where is not None and where is not None and node.where != where:
        raise BidlabError(f"a node after {node.where} below one after {where}: no hand ever comes to it")
    where = node.where or where
    held = (*held, *_parts(node.condition))
    for rank in node.ranks():
        for below in rank:
            yield from _rules(below, where, held)
    if node.actions != ALL_CALLS:
        for call in sorted(node.actions):
            yield _Line(where, all_of(held), call)


def _parts(condition: Condition) -> tuple[Condition, ...]:
    return condition.parts if isinstance(condition, All) else (condition,)


def _text(line: _Line) -> str:
    condition = "" if line.condition == ANYTHING else str(Meaning(line.condition))
    return f"  {line.call!s:<3}  {condition}".rstrip()
