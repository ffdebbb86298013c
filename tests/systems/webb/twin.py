"""WEBB's systems, slow and obvious: words read field by field, graphs walked as the thesis tells it.

Written from docs/evolution.md and Woolever 2001, chapter 3; shares nothing with the native kernel. Calls are
numbers, pass 0, double 1, redouble 2, 1C 3 .. 7NT 37; seats N 0 .. W 3.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import lru_cache

from tests.systems.webb import twin_options

from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import SEATS

# Table 2.1, in thousandths, from the two up.
WEIGHTS = (0, 0, 0, 0, 0, 17, 69, 156, 371, 822, 1544, 2740, 4280)

# Least and most of strength, clubs, diamonds, hearts, spades; with options of points, controls, losers, too.
Box = tuple[tuple[int, int], ...]
Test = tuple[int, int, int]  # a feature, and the least and the most that pass
WHOLE: Box = ((0, 449), (0, 13), (0, 13), (0, 13), (0, 13))
FAR = 10_000
VULNERABILITIES = ("none", "NS", "EW", "both")
PASS, DOUBLE, REDOUBLE, FIRST_BID, LAST_BID = 0, 1, 2, 3, 37


def values(hand: int) -> tuple[int, ...]:
    """Strength in steps of 5/64, and the four lengths, of a hand of 52 bits."""
    suits = [[rank for rank in range(13) if hand >> (13 * suit + rank) & 1] for suit in range(4)]
    thousandths = sum(WEIGHTS[rank] for suit in suits for rank in suit)
    return (round(thousandths / 1000 / (5 / 64)), *map(len, suits))


def all_values(hand: int) -> tuple[int, ...]:
    """The same, and all that options ask about."""
    own = values(hand)
    return (*own, *twin_options.more_values(hand, own[1:]))


def bits(word: int, low: int, high: int) -> int:
    """The bits of a word from low to high, both included."""
    return word >> low & ((1 << (high - low + 1)) - 1)


@dataclass(frozen=True)
class System:
    words: list[list[int]]  # [state][entry]
    transitions: list[list[int]]  # [state][call]; the last is the state that is inherited from
    inheritance: int
    options: frozenset[str] = frozenset()

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
    strength, clubs, diamonds, hearts, spades, *more = box
    shapes = [
        (c, d, h, 13 - c - d - h)
        for c in range(clubs[0], clubs[1] + 1)
        for d in range(diamonds[0], diamonds[1] + 1)
        for h in range(hearts[0], hearts[1] + 1)
        if spades[0] <= 13 - c - d - h <= spades[1]
    ]
    if not shapes:
        return None
    return (strength, *((min(lengths), max(lengths)) for lengths in zip(*shapes, strict=True)), *more)


def narrowed(box: Box | None, test: Test) -> Box | None:
    """The hands of a box that pass a test."""
    if box is None:
        return None
    feature, least, most = test
    if feature >= 8:
        suits = twin_options.implied_lengths(feature, least, most)
        both = zip(box[1:5], suits, strict=True)
        return tightened((box[0], *((max(a, c), min(b, d)) for (a, b), (c, d) in both), *box[5:]))
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
    jump: int = 0  # of steps of one word that lead within it: how far; of others in words
    is_far: bool = False


ALWAYS: Test = (0, -FAR, FAR)
NEVER: Test = (0, FAR, FAR)


def named_suit(which: int, seat: int, known: list[Box]) -> int | None:
    """The suit in which partner (2) or one opponent (3) is known to have most cards, three or more."""
    players = [(seat + 2) % 4] if which == 2 else [(seat + 1) % 4, (seat + 3) % 4]
    least, suit = max((max(known[player][1 + suit][0] for player in players), suit) for suit in range(4))
    return suit if least >= 3 else None


def suit_asked(word: int, seat: int, known: list[Box], options: frozenset[str]) -> int | None:
    """The suit of a length or a holding."""
    if "named-suits" in options and bits(word, 14, 15) >= 2:
        return named_suit(bits(word, 14, 15), seat, known)
    return bits(word, 12, 13)


def hidden_test(word: int, seat: int, known: list[Box], options: frozenset[str]) -> Test:
    """The test of a question about shape or holdings."""
    type_ = bits(word, 0, 7)
    if type_ < 208:
        kind = type_ % 8
        feature = 8 + kind if kind < 4 else 12 + bits(word, 12, 13)
        widths = (bits(word, 8, 11), bits(word, 8, 9), 1, bits(word, 8, 12))
        constant = widths[kind] if kind < 4 else bits(word, 8, 10) - 2
        if kind == 2 and bits(word, 17, 17):
            return (10, -FAR, 0)
    else:
        suit = suit_asked(word, seat, known, options)
        if suit is None:
            return NEVER
        kind = type_ % 4
        feature = 16 + 4 * kind + suit
        constant = (1 + bits(word, 8, 8), bits(word, 8, 10), bits(word, 8, 13), bits(word, 8, 10))[kind]
    return (feature, -FAR, constant) if bits(word, 17, 17) else (feature, constant, FAR)


def test_of(word: int, seat: int, known: list[Box], options: frozenset[str] = frozenset()) -> Test:
    """The values of the bidder for which a decision on numbers is true."""
    type_ = bits(word, 0, 7)
    if (192 <= type_ < 208 and "shape" in options) or (208 <= type_ < 224 and "holdings" in options):
        return hidden_test(word, seat, known, options)
    feature, constant, totals = 0, bits(word, 8, 16), (510, 513)
    if 104 <= type_ < 112 and "controls" in options:
        feature, constant, totals = 6, bits(word, 8, 11), (12, 12)
    elif 112 <= type_ < 120 and "points" in options:
        feature, constant, totals = 5, bits(word, 8, 13), (-FAR, FAR)
    elif 120 <= type_ < 128 and "losers" in options:
        feature, constant, totals = 7, bits(word, 8, 12), (-FAR, FAR)
    elif type_ >= 128:
        suit = suit_asked(word, seat, known, options)
        if suit is None:
            return NEVER
        feature, constant, totals = 1 + suit, bits(word, 8, 11), (13, 13)
    whose = {(seat + i) % 4 for i in range(4) if word >> (22 - i) & 1}
    if bits(word, 18, 18):
        whose = {seat}
    return sum_test(feature, constant, totals, whose, bool(bits(word, 17, 17)), seat, known)


def sum_test(feature: int, constant: int, totals: tuple[int, int], whose: set[int], is_at_most: bool,
             seat: int, known: list[Box]) -> Test:  # fmt: skip
    """The values of the bidder for which players surely have at least (at most) a constant."""
    if whose == {seat}:
        return (feature, -FAR, constant) if is_at_most else (feature, constant, FAR)
    low_total, high_total = totals

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
    top = (*WHOLE, *twin_options.MORE)[feature][1]
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


def suit_bid(suit: int | None, parameter: int, auction: Auction) -> int | None:
    """The bid of a suit: levels above the lowest, or a level by its number; None where there is none."""
    if suit is None:
        return None
    if bits(parameter, 0, 2) < 4:
        return bid_of(1 << 6 | bits(parameter, 3, 4) << 3 | suit, auction)
    game_or_more = (5 if suit < 2 else 4, 5, 6, 7)[bits(parameter, 3, 4)]
    level = {4: 2, 5: 3, 6: 4, 7: game_or_more}[bits(parameter, 0, 2)]
    return bid_of(5 * (level - 1) + suit, auction)


def fit_test(suit: int, cards: int, seat: int, known: list[Box]) -> Test:
    """Whether the bidder and partner surely have so many cards of a suit."""
    return sum_test(1 + suit, cards, (13, 13), {seat, (seat + 2) % 4}, False, seat, known)


def word_steps(word: int, auction: Auction, known: list[Box], options: frozenset[str]) -> list[Step]:
    """What a word stands for; jumps that lead out of it are in words."""
    seat, type_ = int(auction.turn), bits(word, 0, 7)
    if bits(word, 31, 31):
        jump = bits(word, 24, 30)
        if type_ >= 240 and "fit" in options:
            suits = [3, 2] if bits(word, 12, 12) else [3, 2, 1, 0]
            tests = [fit_test(suit, 7 + bits(word, 8, 9), seat, known) for suit in suits]
            if not bits(word, 17, 17):
                return [Step(test=test, jump=jump, is_far=True) for test in tests]
            out = [Step(test=test, jump=len(suits) - i + 1) for i, test in enumerate(tests)]
            return [*out, Step(test=ALWAYS, jump=jump, is_far=True)]
        if (64 <= type_ < 96 and "bidding" in options) or (96 <= type_ < 104 and "vulnerability" in options):
            test = ALWAYS if twin_options.is_true(word, auction) else NEVER
        else:
            test = test_of(word, seat, known, options)
        return [Step(test=test, jump=jump, is_far=True)]
    which, parameter = bits(word, 8, 9), bits(word, 0, 5)
    if "suit-bids" not in options or bits(word, 6, 7) != 1 or not which:
        return [Step(call=bid_of(word, auction))]
    if which == 1:
        return [Step(call=suit_bid(named_suit(2, seat, known), parameter, auction))]
    steps: list[Step] = []
    for suit in (3, 2, 1, 0):
        if which == 2:
            steps.append(Step(test=(12 + suit, -FAR, -1), jump=2))
        else:
            steps += [Step(test=fit_test(suit, 8, seat, known), jump=2), Step(test=ALWAYS, jump=2)]
        steps.append(Step(call=suit_bid(suit, parameter, auction)))
    return steps


def steps_of(system: System, state: int, auction: Auction, known: list[Box]) -> list[Step]:
    """The row of a state, each entry resolved, with the pass behind it."""
    row, entries = system.row(state), len(system.words[0])
    of_words = [word_steps(word, auction, known, system.options) for word in row]
    begins = [sum(map(len, of_words[:i])) for i in range(len(row) + 1)]
    steps: list[Step] = []
    for number, some in enumerate(of_words):
        for step in some:
            target = len(steps) + step.jump
            if step.is_far:
                target = begins[min(number + 1 + step.jump % entries, len(row))]
            steps.append(Step(call=step.call, test=step.test, jump=target))
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
        side = int(self.auction.turn) % 2
        return chosen(self.steps(), all_values(hand) if self.sides[side].options else values(hand))

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


def started(north_south: System, east_west: System, dealer: int, vulnerable: int = 0) -> Table:
    """A table before its first call."""
    auction = Auction(SEATS[dealer], VULNERABILITIES[vulnerable], "")
    whole = (*WHOLE, *twin_options.MORE) if north_south.options else WHOLE
    return Table((north_south, east_west), auction, [whole] * 4)
