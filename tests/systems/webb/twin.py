"""WEBB's systems, slow and obvious: words read field by field, graphs walked as the thesis tells it.

Written from docs/evolution.md and Woolever 2001, chapter 3; shares nothing with the native kernel. Calls are
numbers, pass 0, double 1, redouble 2, 1C 3 .. 7NT 37; seats N 0 .. W 3.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache

from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import SEATS

# Table 2.1, in thousandths, from the two up.
WEIGHTS = (0, 0, 0, 0, 0, 17, 69, 156, 371, 822, 1544, 2740, 4280)

Box = tuple[tuple[int, int], ...]  # least and most of strength, clubs, diamonds, hearts, spades
Test = tuple[int, int, int]  # a feature, and the least and the most that pass
WHOLE: Box = ((0, 449), (0, 13), (0, 13), (0, 13), (0, 13))
FAR = 10_000
PASS, DOUBLE, REDOUBLE, FIRST_BID, LAST_BID = 0, 1, 2, 3, 37


def values(hand: int) -> tuple[int, ...]:
    """Strength in steps of 5/64, and the four lengths, of a hand of 52 bits."""
    suits = [[rank for rank in range(13) if hand >> (13 * suit + rank) & 1] for suit in range(4)]
    thousandths = sum(WEIGHTS[rank] for suit in suits for rank in suit)
    return (round(thousandths / 1000 / (5 / 64)), *map(len, suits))


def bits(word: int, low: int, high: int) -> int:
    """The bits of a word from low to high, both included."""
    return word >> low & ((1 << (high - low + 1)) - 1)


@dataclass(frozen=True)
class System:
    words: list[list[int]]  # [state][entry]
    transitions: list[list[int]]  # [state][call]; the last is the state that is inherited from
    inheritance: int

    def row(self, state: int) -> list[int]:
        """The words that a state runs: its own program, then those that it inherits."""
        row = list(self.words[state])
        for _ in range(self.inheritance):
            state = self.transitions[state][38]
            row += self.words[state]
        return row


# Boxes.


@lru_cache(maxsize=1 << 16)
def tightened(box: Box) -> Box | None:
    """The box of the hands of 13 cards in a box, shape by shape; None where there are none."""
    if any(least > most for least, most in box):
        return None
    strength, clubs, diamonds, hearts, spades = box
    shapes = [
        (c, d, h, 13 - c - d - h)
        for c in range(clubs[0], clubs[1] + 1)
        for d in range(diamonds[0], diamonds[1] + 1)
        for h in range(hearts[0], hearts[1] + 1)
        if spades[0] <= 13 - c - d - h <= spades[1]
    ]
    if not shapes:
        return None
    return (strength, *((min(lengths), max(lengths)) for lengths in zip(*shapes, strict=True)))


def narrowed(box: Box | None, test: Test) -> Box | None:
    """The hands of a box that pass a test."""
    if box is None:
        return None
    feature, least, most = test
    if least <= box[feature][0] and box[feature][1] <= most:
        return box
    parts = list(box)
    parts[feature] = (max(least, box[feature][0]), min(most, box[feature][1]))
    return tightened(tuple(parts))


def hull(one: Box | None, other: Box | None) -> Box | None:
    """The smallest box around two."""
    if one is None or other is None:
        return one or other
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True))


# A program at a point of an auction.


@dataclass(frozen=True)
class Step:
    """An entry resolved: a call, or a test with where it leads; neither for a bid that cannot be made."""

    call: int | None = None
    test: Test | None = None
    jump: int = 0


def test_of(word: int, seat: int, known: list[Box]) -> Test:
    """The values of the bidder for which a decision is true."""
    if bits(word, 0, 7) < 128:
        feature, constant, low_total, high_total = 0, bits(word, 8, 16), 510, 513
    else:
        feature, constant, low_total, high_total = 1 + bits(word, 12, 13), bits(word, 8, 11), 13, 13
    whose = {(seat + i) % 4 for i in range(4) if word >> (22 - i) & 1}
    if bits(word, 18, 18):
        whose = {seat}
    is_at_most = bits(word, 17, 17)
    if whose == {seat}:
        return (feature, -FAR, constant) if is_at_most else (feature, constant, FAR)

    def is_true(own: int) -> bool:
        ranges = [known[player][feature] if player != seat else (own, own) for player in range(4)]
        meant = [ranges[player] for player in range(4) if player in whose]
        rest = [ranges[player] for player in range(4) if player not in whose]
        if is_at_most:
            surely = sum(most for _, most in meant) <= constant
            return surely or sum(least for least, _ in rest) >= high_total - constant
        surely = sum(least for least, _ in meant) >= constant
        return surely or sum(most for _, most in rest) <= low_total - constant

    # The more (or the less) he has himself the more it is true, so that one boundary tells all.
    top = WHOLE[feature][1]
    if is_true(0) and is_true(top):
        return (feature, -FAR, FAR)
    if is_true(0):
        return (feature, -FAR, bisect_left(range(top + 1), True, key=lambda own: not is_true(own)) - 1)
    return (feature, bisect_left(range(top + 1), True, key=is_true), FAR)


def opposite(test: Test) -> Test:
    """The test that the others pass."""
    feature, least, most = test
    if least > -FAR and most >= FAR:
        return (feature, -FAR, least - 1)
    if most < FAR:
        return (feature, most + 1, FAR)
    return (feature, FAR, FAR)


def bid_of(word: int, auction: Auction) -> int | None:
    """The call of a bid entry, or None for no bid."""
    kind, parameter = bits(word, 6, 7), bits(word, 0, 5)
    last = max((call for call in map(int, auction.calls) if call >= FIRST_BID), default=FIRST_BID - 1)
    if kind == 0:
        wanted = FIRST_BID + parameter % 35
    elif kind == 1:
        strain = (0, 1, 2, 3, 4, 0, 1, 2)[bits(parameter, 0, 2)]
        of_strain = [bid for bid in range(last + 1, LAST_BID + 40) if (bid - FIRST_BID) % 5 == strain]
        wanted = of_strain[bits(parameter, 3, 4)]
    elif kind == 2:
        is_free = bool(auction.calls) and auction.calls[-1] != PASS
        steps = ([PASS] if is_free else []) + list(range(last + 1, LAST_BID + 40))
        wanted = steps[bits(parameter, 0, 2)]
    elif parameter % 2:
        wanted = PASS
    else:
        wanted = next((call for call in (DOUBLE, REDOUBLE) if auction.is_legal(CALLS[call])), FAR)
    return wanted if wanted <= LAST_BID and auction.is_legal(CALLS[wanted]) else None


def steps_of(system: System, state: int, auction: Auction, known: list[Box]) -> list[Step]:
    """The row of a state, each entry resolved, with the pass behind it."""
    seat, row, entries = int(auction.turn), system.row(state), len(system.words[0])
    steps = []
    for at, word in enumerate(row):
        if bits(word, 31, 31):
            jump = min(at + 1 + bits(word, 24, 30) % entries, len(row))
            steps.append(Step(test=test_of(word, seat, known), jump=jump))
        else:
            steps.append(Step(call=bid_of(word, auction)))
    return [*steps, Step(call=PASS)]


def chosen(steps: list[Step], own: tuple[int, ...]) -> int:
    """The call of a hand."""
    at = 0
    while steps[at].call is None:
        test = steps[at].test
        jumps = test is not None and test[1] <= own[test[0]] <= test[2]
        at = steps[at].jump if jumps else at + 1
    call = steps[at].call
    assert call is not None
    return call


def shown(steps: list[Step], call: int, known: Box) -> Box | None:
    """Feature inferencing (3.4.1): the box of the hands that make a call, of those that are known."""
    boxes: list[Box | None] = [None] * len(steps)
    for at in reversed(range(len(steps))):
        step = steps[at]
        if step.call is not None:
            boxes[at] = known if step.call == call else None
        elif step.test is None:
            boxes[at] = boxes[at + 1]
        else:
            jumped = narrowed(boxes[step.jump], step.test)
            boxes[at] = hull(jumped, narrowed(boxes[at + 1], opposite(step.test)))
    return boxes[0]


# Auctions.


@dataclass
class Table:
    """An auction of two systems: what is known of each seat, and the graphs that told it."""

    sides: tuple[System, System]  # North-South, East-West
    auction: Auction
    known: list[Box] = field(default_factory=lambda: [WHOLE] * 4)
    states: list[int] = field(default_factory=lambda: [0, 0])
    graphs: list[list[tuple[list[Step], int]]] = field(default_factory=lambda: [[], [], [], []])

    def steps(self) -> list[Step]:
        """The row of the player to call."""
        side = int(self.auction.turn) % 2
        return steps_of(self.sides[side], self.states[side], self.auction, self.known)

    def choose(self, hand: int) -> int:
        """The call of the player whose turn it is."""
        return chosen(self.steps(), values(hand))

    def make(self, call: int) -> bool:
        """Make a call and infer; False where no hand makes all calls of its player."""
        seat = int(self.auction.turn)
        graphs = [*self.graphs[seat], (self.steps(), call)]
        box = self._inferred(graphs, self.known[seat])
        self.graphs[seat] = [] if box is None else graphs
        self.known[seat] = box or self.known[seat]
        self.states[seat % 2] = self.sides[seat % 2].transitions[self.states[seat % 2]][call]
        self.auction = self.auction.after(CALLS[call])
        return box is not None

    @staticmethod
    def _inferred(graphs: list[tuple[list[Step], int]], known: Box) -> Box | None:
        """Graph interference (3.4.2): every graph walked again until none tells more."""
        while True:
            box: Box | None = known
            for steps, call in graphs:
                if box is not None:
                    box = shown(steps, call, box)
            if box is None or box == known:
                return box
            known = box


def started(north_south: System, east_west: System, dealer: int) -> Table:
    """A table before its first call."""
    return Table((north_south, east_west), Auction(SEATS[dealer], "none", ""))
