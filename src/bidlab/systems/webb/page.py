"""A page on a system that evolved: its common auctions, how often calls come up and what they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

import numpy as np

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import SEATS
from bidlab.systems.explaining import explained_call
from bidlab.systems.samples import choices
from bidlab.systems.webb.book import webb_rules
from bidlab.systems.webb.writing import Block, Tree

_LINES, _WIDE = 56, 106  # of a page, which stands behind number signs
_SELDOM = 0.001  # share of a point's hands from which a call is named
_FEW = 30  # hands, from which something can be told of a point


def common_auctions(tree: Tree, lines: int = _LINES) -> list[str]:
    """The lines of a page: the commonest points where something is to be decided, and their calls.

    Of seats in which the same calls show the same, the commonest stands for all.
    """
    found: list[str] = []
    seen: set[tuple[tuple[int, ...], tuple[str, ...]]] = set()
    for block in tree.blocks():
        if block.visits < _FEW:
            continue
        calls = list(_calls(tree, block))
        key = (block.sequence, tuple(f"{call} {shows}" for call, _, shows in calls))
        if len(calls) < 2 or key in seen:  # nothing to decide, or nothing new
            continue
        seen.add(key)
        share = f"   ({100 * block.visits / tree.boards:.1f}% of auctions)" if block.sequence else ""
        part = [*([""] if found else []), f"{block.header()}{share}"]
        for call, often, shows in calls:
            part += wrap(f"  {call!s:<3} {100 * often:5.1f}%  {shows}", _WIDE, subsequent_indent=" " * 14)
        if len(found) + len(part) > lines:
            break
        found += part
    return found


def _calls(tree: Tree, block: Block) -> Iterator[tuple[Call, float, str]]:
    """The calls of a point that come up: each with its share of the hands, and what it shows."""
    hands = tree.hands(block)
    position = webb_rules([rule for rule, _ in block.lines], block.points[0].own, "", 0)
    made = np.array([int(rule.call) for rule in position.rules])[choices(position, hands)]
    for call in sorted(position.calls, key=_rank):
        often = float((made == int(call)).mean())
        if often >= _SELDOM:
            told = explained_call(position, SEATS[0], call, hands)
            yield call, often, told.shows + ("; artificial" if "artificial" in told.does else "")


def _rank(call: Call) -> int:
    """The order on the page: bids from the lowest, then double, redouble and pass."""
    return int(call) if call.is_bid else 100 - int(call)


def page_lines(tree: Tree) -> Sequence[str]:
    """The page, with a word on how to read it."""
    return [
        "WEBB points: A 4.28 K 2.74 Q 1.544 J 0.822 10 0.371 9 0.156 8 0.069 7 0.017; others count length.",
        "Shares are counted on this system's own auctions; what a call shows is rounded here, exact below.",
        "",
        *common_auctions(tree),
        "",
        "All rules, common auctions first: our calls, (theirs), - a pass; the first rule that holds.",
    ]
