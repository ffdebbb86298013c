"""A system that evolved, written in the system language: it bids the same on any board, at all four seats.

With one system at the table an auction reaches few points: each call is one of a few, and it narrows what its
maker can hold. So every point is written by its sequence of calls, with plain tests of one hand; what
programs ask of others is worked out already. Points where all hands pass are left to the last line.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bidlab._native import webb_sequences
from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.meaning.cells import Cells, cell_sets, whole
from bidlab.meaning.meaning import Meaning
from bidlab.systems.situations import sequence_text
from bidlab.systems.webb.book import WebbBook
from bidlab.systems.webb.hands import DOMAINS, Bounds, Hands, beside, hull
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.programs import programs_text
from bidlab.systems.webb.reading import PlainRule, is_artificial, live_rules, makers, needed, plain_rules
from bidlab.systems.webb.system import WebbSystem

MOST_POINTS = 40_000  # of auctions, before those where all pass are left out
_PASS = int(Call.PASS)
_ORDINALS = ("first", "second", "third", "fourth")
_BOARDS = 20_000
_FEWEST, _ONE_IN = 5, 500  # visits of a point that is written, of those that are left to programs
_ANY_HAND: Hands = ({feature: DOMAINS[feature] for feature in range(8)},)

CallRow = tuple[int, ...]
_WHEREVER: list[tuple[str, tuple[int, ...]]] = [("", ())]
_VULNERABLE = (
    ("not vulnerable", (0, 2)),
    ("vulnerable", (1, 3)),
    ("not they are vulnerable", (0, 1)),
    ("they are vulnerable", (2, 3)),
    ("not vulnerable, not they are vulnerable", (0,)),
    ("unfavourable", (1,)),
    ("favourable", (2,)),
    ("vulnerable, they are vulnerable", (3,)),
)
Line = tuple[PlainRule, bool]  # a rule, and whether its call is artificial


class TooManyPointsError(BidlabError):
    """A system whose auctions reach too many points to be written one by one."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of an auction: the calls so far, the rules there, and the state of the side to call."""

    calls: CallRow
    rules: tuple[PlainRule, ...]
    own: Bounds  # what the player to call can hold
    state: int
    sides: int | None = None  # who is vulnerable, bit 0 the dealer's side; None: it makes no difference

    @property
    def passes(self) -> int:
        """How many passed before the first bid."""
        return next((place for place, call in enumerate(self.calls) if call != _PASS), len(self.calls))

    @property
    def sequence(self) -> CallRow:
        """The calls from the first bid on."""
        return self.calls[self.passes :]

    @property
    def place(self) -> tuple[int, int]:
        """The seat of the player to call, and who is vulnerable: bit 0 we, 1 they."""
        sides = self.sides or 0
        return len(self.calls) % 4 + 1, sides if len(self.calls) % 2 == 0 else sides >> 1 | (sides & 1) << 1

    @property
    def lines(self) -> tuple[Line, ...]:
        """The rules, each with whether it names a suit that it does not show."""
        return tuple((rule, is_artificial(self.rules, rule.call, self.own)) for rule in self.rules)


@dataclass(frozen=True, slots=True)
class Block:
    """A header of the text with its rules: a sequence, in some seats of the player to call."""

    sequence: CallRow
    seats: tuple[int, ...]  # empty: in all
    vulnerable: str  # a qualifier, or nothing
    lines: tuple[Line, ...]
    visits: int  # by the auctions that were counted
    points: tuple[Point, ...]  # with the passes before the first bid

    def header(self) -> str:
        """The header's line."""
        parts = [sequence_text(self.sequence) if self.sequence else "opening"]
        if self.seats:
            parts.append(f"{' or '.join(_ORDINALS[seat - 1] for seat in self.seats)} seat")
        return ", ".join([*parts, self.vulnerable] if self.vulnerable else parts)


@dataclass(frozen=True)
class Counted:
    """Auctions of a system on random boards: how often each point comes up, and with which hands."""

    deals: NDArray[np.uint64]  # [board, seat], the first dealt
    sides: tuple[int | None, ...]  # who is vulnerable, where that makes a difference
    auctions: tuple[CallRow, ...]
    visits: Counter[tuple[int | None, CallRow]]


@dataclass(frozen=True)
class Tree:
    """Points that auctions reach, all of them or the common ones, and how often each comes up."""

    points: tuple[Point, ...]
    counted: Counted = field(repr=False)
    rest: WebbSystem | None = None  # where some points are left out: the programs that speak there

    @property
    def boards(self) -> int:
        """How many auctions were counted."""
        return len(self.counted.auctions)

    def hands(self, block: Block) -> NDArray[np.uint64]:
        """The hands of the players who come to a block's points, on the boards that were counted."""
        found = []
        for point in block.points:
            length = len(point.calls)
            rows = zip(self.counted.sides, self.counted.auctions, strict=True)
            which = [
                i
                for i, (sides, row) in enumerate(rows)
                if sides == point.sides and row[:length] == point.calls
            ]
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
        """The blocks of points with the same calls from the first bid on; places with one list are one."""
        is_one = len({point.lines for point in group}) == 1 and self.rest is None
        by_side: dict[int, dict[int, Point]] = defaultdict(dict)
        for point in group:
            seat, sides = point.place
            by_side[sides][seat] = point
        # Vulnerabilities of which all seats have the same lists go together.
        alike: dict[tuple[tuple[int, tuple[Line, ...]], ...], list[int]] = defaultdict(list)
        for sides, seats in sorted(by_side.items()):
            alike[tuple((seat, seats[seat].lines) for seat in sorted(seats))].append(sides)
        for among in alike.values():
            is_wherever = len(among) == 4 or (len(alike) == 1 and self.rest is None) or group[0].sides is None
            words = _WHEREVER if is_wherever else _vulnerable_words(among)
            for word, covered in words:
                yield from self._of_seats([by_side[side] for side in covered or among], word, is_one)

    def _of_seats(self, sides: Sequence[dict[int, Point]], vulnerable: str, is_one: bool) -> Iterator[Block]:
        """The blocks of some vulnerabilities that have the same lists in every seat."""
        by_seat = sides[0]
        runs: list[list[int]] = []
        for seat in sorted(by_seat):
            last = runs[-1][-1] if runs else 0
            if runs and (is_one or (seat == last + 1 and by_seat[last].lines == by_seat[seat].lines)):
                runs[-1].append(seat)
            else:
                runs.append([seat])
        for run in runs:
            lines = by_seat[run[0]].lines
            if [rule.call for rule, _ in lines] == [_PASS]:
                continue
            points = tuple(one[seat] for one in sides for seat in run)
            visits = sum(self.counted.visits[point.sides, point.calls] for point in points)
            is_anywhere = len(run) == 4 or (len(runs) == 1 and self.rest is None)
            seats = () if is_anywhere else tuple(run)
            yield Block(points[0].sequence, seats, vulnerable, lines, visits, points)


def _vulnerable_words(among: Sequence[int]) -> list[tuple[str, tuple[int, ...]]]:
    """Qualifiers for some vulnerabilities, bit 0 we and 1 they, each with those that it covers."""
    left = set(among)
    found: list[tuple[str, tuple[int, ...]]] = []
    for word, covered in _VULNERABLE:
        if set(covered) <= left:
            found.append((word, covered))
            left -= set(covered)
    return found


def reached_tree(
    system: WebbSystem, boards: int = _BOARDS, seed: int = 1, tell: Callable[[int, int], None] | None = None
) -> Tree:
    """Every point that auctions of a system at all four seats reach; an error where they are too many.

    `tell` hears how many points of how many have been read.
    """
    population = Population.of([system])
    points: list[Point] = []
    every_side: tuple[int | None, ...] = (0, 1, 2, 3) if "vulnerability" in system.options else (None,)
    for sides in every_side:
        points += _points(population, sides, MOST_POINTS // len(every_side), tell)
    return Tree(tuple(points), _counted(population, every_side, boards, seed))


def common_tree(system: WebbSystem, boards: int = _BOARDS, seed: int = 1) -> Tree:
    """The points that auctions come to more than now and then; programs speak at all others."""
    book = WebbBook(system, "")
    sides: tuple[int | None, ...] = (0, 1, 2, 3) if "vulnerability" in system.options else (None,)
    counted = _counted(book.population, sides, boards, seed)
    common = [place for place, visits in counted.visits.items() if visits >= max(_FEWEST, boards // _ONE_IN)]
    grown: dict[tuple[int | None, CallRow], _Grown] = {}
    for side, calls in sorted(common, key=lambda place: len(place[1])):
        rules, _, state = book.read(side or 0, calls)
        before = grown[side, calls[:-1]] if calls else _START
        after = _after(before, calls, rules, state, side)
        assert after is not None  # auctions came there
        grown[side, calls] = after
    points = _by_cells([one.point for one in grown.values() if one.point is not None])
    return Tree(tuple(points), counted, system)


def _by_cells(points: Sequence[Point]) -> Iterator[Point]:
    """The points, parents first, without rules that shape and high-card points together rule out.

    A box knows nothing of what one number says of another: 13 points of WEBB's mean some of the other kind.
    """
    held: dict[tuple[int | None, CallRow], tuple[Cells, ...]] = {}  # after the calls
    for point in points:
        known = held.get((point.sides, point.calls), (whole(),) * 4)
        mover = len(point.calls) % 4
        left, kept = known[mover], []
        made: dict[int, Cells] = {}
        for rule in point.rules:
            possible, certain = cell_sets(rule.condition())
            if (possible & left).any():
                kept.append(rule)
                made[rule.call] = made.get(rule.call, np.zeros_like(left)) | (possible & left)
                left = left & ~certain
        for call, cells in made.items():
            held[point.sides, (*point.calls, call)] = (*known[:mover], cells, *known[mover + 1 :])
        if len(kept) < len(point.rules):
            kept = list(needed([*kept[:-1], PlainRule(kept[-1].call)], point.own))
        yield replace(point, rules=tuple(kept))


def _points(
    population: Population, sides: int | None, most: int, tell: Callable[[int, int], None] | None
) -> Iterator[Point]:
    """The points at one vulnerability."""
    found = webb_sequences(population.native, 0, most, sides or 0)
    if found is None:
        raise TooManyPointsError(
            f"the system's auctions reach more than {most:,} points: too many to be written one by one"
        )
    parents, calls, states, own, starts, steps = (array.tolist() for array in found)
    grown: list[_Grown | None] = []
    for number, parent in enumerate(parents):
        if tell is not None:
            tell(number, len(parents))
        before = grown[parent] if parent >= 0 else _START
        row = _row(before, calls[number]) if before is not None else None
        if before is None or row is None:
            grown.append(None)
            continue
        rules = plain_rules(steps[starts[number] : starts[number + 1]], own[number])
        grown.append(_after(before, row, rules, states[number], sides))
    yield from (one.point for one in grown if one is not None and one.point is not None)


@dataclass(frozen=True)
class _Grown:
    """A point, what each of the four can hold by his own calls, and the hands of each call."""

    point: Point | None  # None: before the first call
    held: tuple[Hands, ...]  # from the dealer on
    made: dict[int, Hands]


_START = _Grown(None, (_ANY_HAND,) * 4, {})


def _row(before: _Grown, call: int) -> CallRow | None:
    """The calls after one more; None where no hand makes it."""
    if before.point is None:
        return ()
    return (*before.point.calls, call) if before.made.get(call) else None


def _after(
    before: _Grown, calls: CallRow, rules: Sequence[PlainRule], state: int, sides: int | None
) -> _Grown | None:
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
    return _Grown(Point(calls, live, hull(held[mover]), state, sides), tuple(held), made)


def _counted(population: Population, every_side: Sequence[int | None], boards: int, seed: int) -> Counted:
    """Auctions on random boards; North deals, as who deals makes no difference."""
    nobody = np.zeros(boards, dtype=np.int32)
    dealers = np.zeros(boards, dtype=np.uint8)
    deals = deal_bits(boards, seed)
    sides = tuple(every_side[board % len(every_side)] for board in range(boards))
    vulnerable = np.array([side or 0 for side in sides], dtype=np.uint8)
    starts, calls = population.native.auctions(nobody, nobody, deals, dealers, vulnerable=vulnerable)
    ends = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    rows = tuple(tuple(calls[begin:end].tolist()) for begin, end in ends)
    visits: Counter[tuple[int | None, CallRow]] = Counter()
    for (side, row), count in Counter(zip(sides, rows, strict=True)).items():
        for length in range(len(row)):
            visits[side, row[:length]] += count
    return Counted(deals, sides, rows, visits)


def system_text(tree: Tree, name: str, title: str, page: Sequence[str] = ()) -> str:
    """The text of a system, common auctions first; `page` are lines for the reader before it."""
    blocks = tree.blocks()
    out = [f'system {name}   "{title}"', *(f"# {line}".rstrip() for line in page)]
    is_rare = False
    for block in blocks:
        if not block.visits and not is_rare and block.sequence:
            is_rare = True
            out += ["", f"# What follows came up in none of {tree.boards:,} auctions."]
        often = f"{100 * block.visits / tree.boards:.2g}%" if block.visits and block.sequence else ""
        header = block.header()
        out += ["", f"{header:<40}  # {often}" if often else header]
        out += [rule_line(rule, is_artificial) for rule, is_artificial in block.lines]
    if tree.rest is None:
        out += ["", "otherwise", "  P"]
    else:
        out += ["", "# Wherever no rule above speaks.", *programs_text(tree.rest)]
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
