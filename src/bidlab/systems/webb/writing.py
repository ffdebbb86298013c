"""A system that evolved, written in the system language: it bids the same on any board, at all four seats.

With one system at the table an auction reaches few points: each call is one of a few, and it narrows what its
maker can hold. So every point is written by its sequence of calls, with plain tests of one hand; what
programs ask of others is worked out already. Points where all hands pass are left to the last line.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bidlab._native import webb_sequences
from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.meaning.meaning import Meaning
from bidlab.systems.webb.hands import Bounds, Hands, beside, hull
from bidlab.systems.webb.inference import MOST_STRENGTH
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.reading import PlainRule, bounds_of, is_artificial, live_rules, makers, plain_rules
from bidlab.systems.webb.system import WebbSystem

MOST_POINTS = 200_000  # of auctions, before those where all pass are left out
_PASS = int(Call.PASS)
_ORDINALS = ("first", "second", "third", "fourth")
_BOARDS = 20_000
_ANY_HAND: Hands = (bounds_of(((0, MOST_STRENGTH), *((0, 13),) * 4)),)

CallRow = tuple[int, ...]
Line = tuple[PlainRule, bool]  # a rule, and whether its call is artificial


@dataclass(frozen=True, slots=True)
class Point:
    """A point of an auction: the calls so far, the rules there, and the state of the side to call."""

    calls: CallRow
    rules: tuple[PlainRule, ...]
    own: Bounds  # what the player to call can hold
    state: int

    @property
    def passes(self) -> int:
        """How many passed before the first bid."""
        return next((place for place, call in enumerate(self.calls) if call != _PASS), len(self.calls))

    @property
    def sequence(self) -> CallRow:
        """The calls from the first bid on."""
        return self.calls[self.passes :]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The rules, each with whether it names a suit that it does not show."""
        return tuple((rule, is_artificial(self.rules, rule.call, self.own)) for rule in self.rules)


@dataclass(frozen=True, slots=True)
class Block:
    """A header of the text with its rules: a sequence, in some seats of the player to call."""

    sequence: CallRow
    seats: tuple[int, ...]  # empty: in all
    lines: tuple[Line, ...]
    visits: int  # by the auctions that were counted
    points: tuple[Point, ...]  # with the passes before the first bid

    def header(self) -> str:
        """The header's line."""
        where = sequence_text(self.sequence) if self.sequence else "opening"
        if not self.seats:
            return where
        return f"{where}, {' or '.join(_ORDINALS[seat - 1] for seat in self.seats)} seat"


@dataclass(frozen=True)
class Counted:
    """Auctions of a system on random boards: how often each point comes up, and with which hands."""

    deals: NDArray[np.uint64]  # [board, seat], the first dealt
    auctions: tuple[CallRow, ...]
    visits: Counter[CallRow]


@dataclass(frozen=True)
class Tree:
    """All points that an auction can reach, and how often each comes up among some boards."""

    points: tuple[Point, ...]
    counted: Counted = field(repr=False)

    @property
    def boards(self) -> int:
        """How many auctions were counted."""
        return len(self.counted.auctions)

    def hands(self, block: Block) -> NDArray[np.uint64]:
        """The hands of the players who come to a block's points, on the boards that were counted."""
        found = []
        for point in block.points:
            length = len(point.calls)
            which = [i for i, row in enumerate(self.counted.auctions) if row[:length] == point.calls]
            found.append(self.counted.deals[which, length % 4])
        return np.concatenate(found)

    def blocks(self) -> list[Block]:
        """The headers to write, the openings first, then by how often they come up."""
        groups: dict[CallRow, list[Point]] = defaultdict(list)
        for point in self.points:
            groups[point.sequence].append(point)
        found = [block for group in groups.values() for block in self._blocks_of(group)]
        return sorted(found, key=lambda block: (bool(block.sequence), -block.visits, len(block.sequence)))

    def _blocks_of(self, group: Sequence[Point]) -> Iterator[Block]:
        """The blocks of points with the same calls from the first bid on; seats with one list are one."""
        by_seat = {len(point.calls) % 4 + 1: point for point in group}
        runs: list[list[int]] = []
        for seat in sorted(by_seat):
            last = runs[-1][-1] if runs else 0
            if runs and seat == last + 1 and by_seat[last].lines == by_seat[seat].lines:
                runs[-1].append(seat)
            else:
                runs.append([seat])
        for run in runs:
            lines = by_seat[run[0]].lines
            if [rule.call for rule, _ in lines] == [_PASS]:
                continue
            points = tuple(by_seat[seat] for seat in run)
            visits = sum(self.counted.visits[point.calls] for point in points)
            yield Block(group[0].sequence, () if len(runs) == 1 else tuple(run), lines, visits, points)


def reached_tree(
    system: WebbSystem, boards: int = _BOARDS, seed: int = 1, tell: Callable[[int, int], None] | None = None
) -> Tree:
    """Every point that auctions of a system at all four seats reach; an error where they are too many.

    `tell` hears how many points of how many have been read.
    """
    if system.options:
        raise BidlabError(
            f"the system asks and bids beyond the thesis ({', '.join(system.options)}): "
            "such systems cannot be written as rules yet"
        )
    population = Population.of([system])
    found = webb_sequences(population.native, 0, MOST_POINTS)
    if found is None:
        raise BidlabError(
            f"the system's auctions reach more than {MOST_POINTS:,} points: too many to be written one by one"
        )
    parents, calls, states, own, starts, steps = (array.tolist() for array in found)
    grown: list[_Grown | None] = []
    for number, parent in enumerate(parents):
        if tell is not None:
            tell(number, len(parents))
        before = grown[parent] if parent >= 0 else _Grown(None, (_ANY_HAND,) * 4, {})
        calls_so_far = _row(before, calls[number]) if before is not None else None
        if before is None or calls_so_far is None:
            grown.append(None)
            continue
        rules = plain_rules(steps[starts[number] : starts[number + 1]], own[number])
        grown.append(_after(before, calls_so_far, rules, states[number]))
    points = tuple(one.point for one in grown if one is not None and one.point is not None)
    return Tree(points, _counted(population, boards, seed))


@dataclass(frozen=True)
class _Grown:
    """A point, what each of the four can hold by his own calls, and the hands of each call."""

    point: Point | None  # None: before the first call
    held: tuple[Hands, ...]  # from the dealer on
    made: dict[int, Hands]


def _row(before: _Grown, call: int) -> CallRow | None:
    """The calls after one more; None where no hand makes it."""
    if before.point is None:
        return ()
    return (*before.point.calls, call) if before.made.get(call) else None


def _after(before: _Grown, calls: CallRow, rules: Sequence[PlainRule], state: int) -> _Grown | None:
    """The point after a call, with the rules that live; None where no deal comes there."""
    held = list(before.held)
    if calls:
        held[(len(calls) - 1) % 4] = before.made[calls[-1]]
    mover = len(calls) % 4
    possible = beside(held[mover], [hands for seat, hands in enumerate(held) if seat != mover])
    if not possible:
        return None
    live = live_rules(rules, possible)
    # Others are looked at only for which rules live: who reads the text reads each player by his own calls.
    made = makers(live, held[mover])
    return _Grown(Point(calls, live, hull(held[mover]), state), tuple(held), made)


def _counted(population: Population, boards: int, seed: int) -> Counted:
    """Auctions on random boards; North deals, as seats and vulnerability make no difference."""
    nobody = np.zeros(boards, dtype=np.int32)
    dealers = np.zeros(boards, dtype=np.uint8)
    deals = deal_bits(boards, seed)
    starts, calls = population.native.auctions(nobody, nobody, deals, dealers)
    ends = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    rows = tuple(tuple(calls[begin:end].tolist()) for begin, end in ends)
    visits: Counter[CallRow] = Counter()
    for row, count in Counter(rows).items():
        for length in range(len(row)):
            visits[row[:length]] += count
    return Counted(deals, rows, visits)


def sequence_text(sequence: Sequence[int]) -> str:
    """A sequence as headers have it: our calls, (theirs), and the passes that do not go without saying.

    >>> sequence_text([int(Call(call)) for call in "1S P 2S 3H P P".split()])
    '(1S) (2S) 3H -'
    >>> sequence_text([int(Call(call)) for call in "1S P".split()])
    '1S'
    """
    words: list[str] = []
    for place, call in enumerate(sequence):
        is_ours = (len(sequence) - place) % 2 == 0
        if call == _PASS:
            words.append("-")
            continue
        if words and words[-1] == "-":  # a call out of turn implies one pass
            words.pop()
        words.append(str(CALLS[call]) if is_ours else f"({CALLS[call]})")
    if words and words[-1] == "-":
        words.pop()
    return " ".join(words)


def system_text(tree: Tree, name: str, title: str, page: Sequence[str] = ()) -> str:
    """The text of a system, common auctions first; `page` are lines for the reader before it."""
    blocks = tree.blocks()
    out = [f'system {name}   "{title}"', *(f"# {line}".rstrip() for line in page)]
    is_rare = False
    for block in blocks:
        if block.sequence and not block.visits and not is_rare:
            is_rare = True
            out += ["", f"# What follows came up in none of {tree.boards:,} auctions."]
        often = f"{100 * block.visits / tree.boards:.2g}%" if block.visits and block.sequence else ""
        header = block.header()
        out += ["", f"{header:<40}  # {often}" if often else header]
        out += [rule_line(rule, is_artificial) for rule, is_artificial in block.lines]
    out += ["", "otherwise", "  P"]
    return "\n".join(out) + "\n"


def rule_line(rule: PlainRule, is_artificial: bool) -> str:
    """A rule as the language has it."""
    condition = str(Meaning(rule.condition())) if rule.bounds else ""
    columns = [f"  {CALLS[rule.call]!s:<3}"]
    if condition:
        columns.append(condition)
    if is_artificial:
        columns.append("artificial")
    return "  ".join(columns).rstrip()
