"""Conditional dealing: exact counts beside a plain twin and beside all deals listed, and even draws."""

from __future__ import annotations

import _thread
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product
from math import comb, factorial, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from bidlab._native import Condition, ConditionalDealer, cell_counts
from bidlab.bridge.cards import Card, Suit
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.meaning.features import ACES, KINGS, Feature, holds, of_suit

Shape = tuple[int, int, int, int]  # clubs first
Rule = Callable[[Shape, int], bool]  # of shape and high-card points

SHAPES: list[Shape] = [
    (c, d, h, 13 - c - d - h) for c in range(14) for d in range(14 - c) for h in range(14 - c - d)
]
ALL_CARDS = (1 << 52) - 1
ALL_DEALS = factorial(52) // factorial(13) ** 4
NOTHING_KNOWN = np.zeros(4, dtype=np.uint64)


def condition(rule: Rule, *finer: tuple[Feature, int, int]) -> Condition:
    """The cells that the rule names and, within them, ranges of features."""
    cells = np.array([sum(1 << p for p in range(38) if rule(shape, p)) for shape in SHAPES], dtype=np.uint64)
    nodes = [[0, 1 + len(finer), 0, 0, 0]]
    nodes += [[2, i + 2, feature.number, least, most] for i, (feature, least, most) in enumerate(finer)]
    return Condition(
        np.array(nodes, dtype=np.int32),
        np.ones(len(nodes)),
        np.zeros((0, 9), dtype=np.uint64),
        np.zeros((0, 560), dtype=np.float32),
        cells,
        np.zeros_like(cells) if finer else cells,
    )


def balanced(shape: Shape) -> bool:
    return tuple(sorted(shape)) in {(3, 3, 3, 4), (2, 3, 4, 4), (2, 3, 3, 5)}


def points(least: int, most: int) -> Rule:
    return lambda shape, p: least <= p <= most


ANYTHING = condition(lambda shape, p: True)
STRONG_NOTRUMP = condition(lambda shape, p: balanced(shape) and 15 <= p <= 17)
SPADES_NO_CLUB = condition(lambda shape, p: shape[3] >= 7 and shape[0] == 0 and 13 <= p <= 16)
D4 = (STRONG_NOTRUMP, None, SPADES_NO_CLUB, None)


def bits(cards: str) -> int:
    """Any number of cards, spades first."""
    suits = cards.split(".")
    return sum(1 << 13 * (3 - i) + "23456789TJQKA".index(rank) for i in range(4) for rank in suits[i])


def known(**hands: int) -> NDArray[np.uint64]:
    return np.array([hands.get(seat, 0) for seat in "NESW"], dtype=np.uint64)


def fulfils(deals: NDArray[np.uint64], conditions: tuple[Condition | None, ...]) -> NDArray[np.bool_]:
    good = np.ones(len(deals), dtype=bool)
    for seat, wanted in enumerate(conditions):
        if wanted is not None:
            good &= wanted.admits(np.ascontiguousarray(deals[:, seat]))
    return good


# Known answers.


def test_cells_of_all_hands() -> None:
    counts = cell_counts(ALL_CARDS)
    assert counts.shape == (560, 38)
    assert int(counts.sum()) == comb(52, 13) == 635_013_559_600
    assert int((counts > 0).sum()) == 15_152
    assert int(counts[SHAPES.index((4, 3, 3, 3)), 37]) == 1  # AKQJ of clubs, AKQ of the others
    assert int(cell_counts(bits("AKQ2.T83.KQ9.A76")).sum()) == 1


def test_unconstrained_conditions_count_all_deals() -> None:
    for conditions in (
        [ANYTHING, None, ANYTHING, None],
        [None, None, None, ANYTHING],
        [None, None, None, None],
    ):
        dealer = ConditionalDealer(NOTHING_KNOWN, conditions, wants_tables=True)
        assert dealer.count == dealer.completions == ALL_DEALS
        assert dealer.is_exact_count and not dealer.is_impossible


def test_strong_notrump_facing_five_hearts() -> None:
    hearts = condition(lambda shape, p: shape[2] >= 5 and 8 <= p <= 9)
    dealer = ConditionalDealer(NOTHING_KNOWN, [STRONG_NOTRUMP, None, hearts, None])
    assert dealer.method == "tables" and dealer.is_exact_count
    assert dealer.count / ALL_DEALS == pytest.approx(0.0017542936002, rel=1e-10)


def test_one_in_four_hundred_thousand() -> None:
    dealer = ConditionalDealer(NOTHING_KNOWN, D4)
    assert dealer.count / ALL_DEALS == pytest.approx(2.482376690e-6, rel=1e-9)
    deals = dealer.deal(1, 1, 10_000)
    assert fulfils(deals, D4).all()
    assert dealer.tries == dealer.dealt == 10_000  # nothing is rejected


def test_own_hand_known_and_three_described() -> None:
    own = known(S=bits("AKQ2.T83.KQ9.A76"))
    conditions = [
        condition(lambda shape, p: shape[3] >= 4 and p <= 5),
        condition(lambda shape, p: shape[2] <= 2 and p >= 6),
        None,
        condition(lambda shape, p: shape[2] >= 5 and 10 <= p <= 12),
    ]
    dealer = ConditionalDealer(own, conditions)
    assert dealer.is_exact_count
    assert dealer.count == 414_403_121_913_482
    assert dealer.completions == factorial(39) // factorial(13) ** 3
    dealer.deal(3, 1, 1000)
    assert dealer.tries == 1000


def test_seats_are_alike() -> None:
    hearts = condition(lambda shape, p: shape[2] >= 6 and p >= 12)
    counts = set()
    for one, other in ((0, 1), (1, 0), (0, 2), (3, 1), (2, 3)):
        conditions: list[Condition | None] = [None] * 4
        conditions[one], conditions[other] = STRONG_NOTRUMP, hearts
        counts.add(ConditionalDealer(NOTHING_KNOWN, conditions).count)
    assert len(counts) == 1 and counts != {0}


# A slow twin: suit by suit, honour by honour, with Python's whole numbers.

Ways = dict[tuple[int, int], int]  # by points of the two hands


@cache
def ways_in_suit(honours: tuple[int, ...], spots: int, one: int, other: int) -> Ways:
    ways: Counter[tuple[int, int]] = Counter()
    for owners in product(range(3), repeat=len(honours)):
        first, second = one - owners.count(0), other - owners.count(1)
        if first < 0 or second < 0:
            continue
        had = [sum(h for h, owner in zip(honours, owners, strict=True) if owner == i) for i in range(2)]
        ways[had[0], had[1]] += comb(spots, first) * comb(max(spots - first, 0), second)
    return {had: count for had, count in ways.items() if count}


def joined(one: Ways, other: Ways) -> Ways:
    ways: Counter[tuple[int, int]] = Counter()
    for (a, b), n in one.items():
        for (c, d), m in other.items():
            ways[a + c, b + d] += n * m
    return ways


Cells = dict[Shape, set[int]]


def twin_count(pool: int, held: list[int], first: Cells, second: Cells, third: Cells | None) -> int:
    """The ways to deal hands 1 and 2, with the cards left in the cells of a third if there is one."""
    suits = [pool >> 13 * suit & 0x1FFF for suit in range(4)]
    honours = [tuple(rank - 8 for rank in range(9, 13) if suit >> rank & 1) for suit in suits]
    total = 0
    for (shape1, points1), (shape2, points2) in product(first.items(), second.items()):
        get1, get2, left = [], [], []
        for suit in range(4):
            get1.append(shape1[suit] - length(held[0], suit))
            get2.append(shape2[suit] - length(held[1], suit))
            left.append(suits[suit].bit_count() - get1[-1] - get2[-1])
        if min(get1 + get2 + left) < 0:
            continue
        points3 = None
        if third is not None:
            shape3 = tuple(left[suit] + length(held[2], suit) for suit in range(4))
            points3 = third.get(shape3, set())  # type: ignore[call-overload]
        parts = [
            ways_in_suit(honours[s], suits[s].bit_count() - len(honours[s]), get1[s], get2[s])
            for s in range(4)
        ]
        for (p, q), ways in joined(joined(parts[0], parts[1]), joined(parts[2], parts[3])).items():
            rest = 40 - p - q - high_cards(held[0]) - high_cards(held[1])
            if p + high_cards(held[0]) not in points1 or q + high_cards(held[1]) not in points2:
                continue
            if points3 is None or rest - high_cards(held[3]) in points3:
                total += ways
    return total


def length(hand: int, suit: int) -> int:
    return (hand >> 13 * suit & 0x1FFF).bit_count()


def high_cards(hand: int) -> int:
    return sum((rank - 8) for rank in range(9, 13) for suit in range(4) if hand >> 13 * suit + rank & 1)


def random_cells(generator: np.random.Generator, count: int) -> Cells:
    """Likely shapes, each with its own scattered points."""
    likely = [shape for shape in SHAPES if max(shape) <= 6 and min(shape) >= 1]
    chosen = generator.choice(len(likely), count, replace=False)
    return {likely[i]: {int(p) for p in generator.integers(0, 25, 8)} for i in chosen}


def of_cells(cells: Cells) -> Condition:
    return condition(lambda shape, p: p in cells.get(shape, ()))


@pytest.mark.parametrize("seed", range(3))
def test_count_of_two_hands_equals_the_twin(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = random_cells(generator, 8), random_cells(generator, 8)
    # North and South hold some cards already, and East too.
    pack = [1 << int(card) for card in generator.permutation(52)]
    held = [sum(pack[0:3]), sum(pack[3:5]), sum(pack[5:9])]
    pool = ALL_CARDS & ~sum(held)
    dealer = ConditionalDealer(
        known(N=held[0], S=held[1], E=held[2]),
        [of_cells(first), None, of_cells(second), None],
        wants_tables=True,
    )
    assert dealer.count == twin_count(pool, [*held, 0], first, second, None) * comb(9 + 13, 9)


@pytest.mark.parametrize("seed", range(3))
def test_count_of_three_hands_equals_the_twin(seed: int) -> None:
    generator = np.random.default_rng(seed)
    west = int(deal_bits(1, seed)[0][3])
    cells = [random_cells(generator, n) for n in (6, 7, 60)]
    pool = ALL_CARDS & ~west
    dealer = ConditionalDealer(known(W=west), [*map(of_cells, cells), None], wants_tables=True)
    assert dealer.is_exact_count
    assert dealer.count == twin_count(pool, [0, 0, 0, west], *cells) > 0


# Every deal listed: four hands short of two cards each have 2,520 completions.

SHORT_POOL = bits("AK2.Q3.J.A5")


def short_hands() -> NDArray[np.uint64]:
    """Four hands without the cards of the short pool, eleven cards each."""
    cards = [card for card in np.random.default_rng(4).permutation(52) if not SHORT_POOL >> int(card) & 1]
    return np.array([sum(1 << int(c) for c in cards[i::4]) for i in range(4)], dtype=np.uint64)


def completions(hands: NDArray[np.uint64]) -> Iterator[tuple[int, ...]]:
    pool = {1 << card for card in range(52) if SHORT_POOL >> card & 1}
    for north in combinations(sorted(pool), 2):
        for east in combinations(sorted(pool - {*north}), 2):
            for south in combinations(sorted(pool - {*north} - {*east}), 2):
                west = pool - {*north} - {*east} - {*south}
                yield tuple(int(h) | sum(c) for h, c in zip(hands, (north, east, south, west), strict=True))


# Each seat's points are near 10 here; all lie where some completions pass and some fail.
SOME_POINTS = condition(lambda shape, p: p % 3 != 0)
EVEN_SPADES = condition(lambda shape, p: shape[3] % 2 == 0 or p % 2 == 0)
ACE = condition(points(0, 37), (ACES, 2, 4))
TOP_SPADES = condition(points(0, 37), (of_suit("top three", Suit.SPADES), 1, 2))
WITH_ACE = condition(points(0, 37), (holds(Card("SA")), 1, 1))
WITHOUT_KING = condition(lambda shape, p: p % 4 != 1, (holds(Card("SK")), 0, 0))


@pytest.mark.parametrize(
    "conditions",
    [
        (SOME_POINTS, None, None, None),
        (None, TOP_SPADES, None, None),
        (None, EVEN_SPADES, None, SOME_POINTS),
        (WITH_ACE, None, None, SOME_POINTS),
        (WITHOUT_KING, None, WITHOUT_KING, None),
        (SOME_POINTS, EVEN_SPADES, SOME_POINTS, None),
        (WITHOUT_KING, EVEN_SPADES, None, ACE),
        (SOME_POINTS, SOME_POINTS, EVEN_SPADES, EVEN_SPADES),
        (EVEN_SPADES, WITHOUT_KING, WITH_ACE, SOME_POINTS),
        (WITHOUT_KING, WITHOUT_KING, WITHOUT_KING, TOP_SPADES),
    ],
)
def test_every_listed_deal_comes_equally_often(conditions: tuple[Condition | None, ...]) -> None:
    hands = short_hands()
    listed = np.array(list(completions(hands)), dtype=np.uint64)
    wanted = {tuple(row) for row in listed[fulfils(listed, conditions)].tolist()}
    assert 10 < len(wanted) < 2520
    dealer = ConditionalDealer(hands, conditions, wants_tables=True)
    count = 40 * len(wanted)
    seen = Counter(tuple(row) for row in dealer.deal(5, 1, count).tolist())
    assert set(seen) == wanted
    chi = sum((n - 40) ** 2 / 40 for n in seen.values())
    free = len(wanted) - 1
    assert abs(chi - free) < 4 * sqrt(2 * free)
    # The share that passes, times what is drawn from, is the number of deals.
    share = dealer.dealt / dealer.tries
    error = sqrt(share * (1 - share) / dealer.tries) * dealer.count
    assert abs(dealer.count * share - len(wanted)) <= 4 * error


@pytest.mark.parametrize("seed", range(4))
def test_known_hands_with_three_described_count_like_the_list(seed: int) -> None:
    hands = short_hands()
    listed = np.array(list(completions(hands)), dtype=np.uint64)
    last = listed[700 * seed]
    hands[3] = last[3]  # West is complete
    listed = listed[listed[:, 3] == last[3]]
    conditions = (SOME_POINTS, EVEN_SPADES, SOME_POINTS, None)
    dealer = ConditionalDealer(hands, conditions, wants_tables=True)
    assert dealer.completions == len(listed) == 90
    assert dealer.is_exact_count
    assert dealer.count == int(fulfils(listed, conditions).sum())


# Against plain dealing and testing.


def features_of(deals: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
    """Lengths and points of all hands: what the distributions are compared on."""
    columns = []
    for seat in range(4):
        hands = deals[:, seat]
        lengths = [np.bitwise_count(hands >> np.uint64(13 * s) & np.uint64(0x1FFF)) for s in range(4)]
        jacks = np.uint64(sum(1 << 13 * s + 9 for s in range(4)))
        high = sum((i + 1) * np.bitwise_count(hands & jacks << np.uint64(i)).astype(int) for i in range(4))
        columns += [*lengths, np.asarray(high)]
        columns.append(np.bitwise_count(hands & np.uint64(0x5555555555555)))  # every other card
    return [column.astype(np.int64) for column in columns]


def chi_squared(one: NDArray[np.int64], other: NDArray[np.int64]) -> tuple[float, int]:
    """Of two samples of one feature, with its degrees of freedom; rare values are put together."""
    size = int(max(one.max(), other.max())) + 1
    first = np.bincount(one, minlength=size).astype(float)
    second = np.bincount(other, minlength=size).astype(float)
    rare = first + second < 25
    first = np.append(first[~rare], first[rare].sum())
    second = np.append(second[~rare], second[rare].sum())
    keep = first + second >= 10
    first, second = first[keep], second[keep]
    n, m = first.sum(), second.sum()
    return float(((first * sqrt(m / n) - second * sqrt(n / m)) ** 2 / (first + second)).sum()), len(first) - 1


@pytest.mark.parametrize(
    ("conditions", "own"),
    [
        ((condition(lambda s, p: s[3] >= 6 and p >= 11), None, None, None), 0),
        ((STRONG_NOTRUMP, None, condition(lambda s, p: s[2] >= 5), None), 0),
        (
            (
                condition(lambda s, p: balanced(s) and p >= 11),
                condition(points(8, 15)),
                condition(lambda s, p: s[3] >= 5),
                None,
            ),
            0,
        ),
        (
            (
                condition(points(12, 37)),
                condition(lambda s, p: s[3] >= 5 and 5 <= p <= 14),
                condition(lambda s, p: s[2] >= 4 and 5 <= p <= 10),
                condition(points(0, 8)),
            ),
            0,
        ),
        (
            (
                None,
                condition(lambda s, p: s[2] >= 5 and p >= 8),
                condition(lambda s, p: s[1] >= 4 and p <= 9),
                condition(lambda s, p: p <= 12),
            ),
            bits("AKQ2.T83.KQ9.A76"),
        ),
        (
            (
                condition(points(10, 16), (ACES, 2, 2)),
                condition(lambda s, p: s[2] >= 5, (of_suit("top three", Suit.HEARTS), 2, 3)),
                None,
                None,
            ),
            0,
        ),
    ],
    ids="one two three four known finer".split(),
)
def test_distribution_is_that_of_dealing_and_testing(
    conditions: tuple[Condition | None, ...], own: int
) -> None:
    held = known(N=own)
    plain = ConditionalDealer(held, [None] * 4).deal(8, 1, 1_000_000)
    plain = plain[fulfils(plain, conditions)]
    assert len(plain) > 2000
    dealer = ConditionalDealer(held, conditions, wants_tables=True)
    deals = dealer.deal(9, 1, 40_000)
    assert fulfils(deals, conditions).all()
    assert (deals.sum(axis=1) == ALL_CARDS).all() and (np.bitwise_count(deals) == 13).all()
    for one, other in zip(features_of(deals), features_of(plain), strict=True):
        chi, free = chi_squared(one, other)
        assert chi <= free + 5 * sqrt(2 * max(free, 1))
    frequency = dealer.count / dealer.completions * dealer.dealt / dealer.tries
    assert frequency == pytest.approx(len(plain) / 1_000_000, rel=5 / sqrt(len(plain)))


def test_easy_conditions_are_dealt_without_tables() -> None:
    easy = condition(points(8, 14))
    dealer = ConditionalDealer(NOTHING_KNOWN, [easy, None, easy, None])
    assert dealer.method == "rejection" and not dealer.is_exact_count
    assert dealer.count == ALL_DEALS
    deals = dealer.deal(1, 1, 5000)
    assert fulfils(deals, (easy, None, easy, None)).all()
    exact = ConditionalDealer(NOTHING_KNOWN, [easy, None, easy, None], wants_tables=True).count / ALL_DEALS
    assert dealer.dealt / dealer.tries == pytest.approx(exact, rel=0.05)


# Deals by number.


@pytest.mark.parametrize(
    "conditions",
    [
        D4,
        (condition(points(8, 14)), None, condition(points(8, 14)), None),
        (STRONG_NOTRUMP, condition(points(0, 6)), condition(lambda s, p: s[2] >= 5, (ACES, 1, 1)), None),
    ],
)
def test_a_deal_depends_on_seed_and_number_alone(conditions: tuple[Condition | None, ...]) -> None:
    dealer = ConditionalDealer(NOTHING_KNOWN, conditions)
    batch = dealer.deal(7, 1, 1000)
    assert (batch == dealer.deal(7, 1, 1000, threads=4)).all()
    assert (batch[500:] == ConditionalDealer(NOTHING_KNOWN, conditions).deal(7, 501, 500)).all()
    assert (batch[17] == dealer.deal(7, 18, 1)[0]).all()
    assert not (batch == dealer.deal(8, 1, 1000)).all(axis=1).any()
    assert dealer.deal(7, 1, 0).shape == (0, 4)


def test_the_same_deals_on_every_machine() -> None:
    hands = ConditionalDealer(NOTHING_KNOWN, D4).deal(26862, 1, 1)[0].tolist()
    assert (
        " ".join(str(Hand(hand)) for hand in hands)
        == "AJT3.K932.62.AK5 9.J865.JT8.Q9874 K876542.AQ.KQ74. Q.T74.A953.JT632"
    )


def test_the_dealer_keeps_its_conditions() -> None:
    dealer = ConditionalDealer(NOTHING_KNOWN, [condition(points(25, 30), (ACES, 4, 4)), None, None, None])
    deals = dealer.deal(1, 1, 50)
    assert fulfils(deals, (condition(points(25, 30), (ACES, 4, 4)), None, None, None)).all()


def test_an_interruption_stops_the_search() -> None:
    # One hand in 23,000 has four aces and three kings; cells do not know: so many deals take minutes.
    rare = condition(points(0, 37), (ACES, 4, 4), (KINGS, 3, 3))
    dealer = ConditionalDealer(NOTHING_KNOWN, [rare, None, None, None])
    # A shell has its background jobs ignore interruptions: here they are heard.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            dealer.deal(1, 1, 100_000, threads=2, progress=lambda done: _thread.interrupt_main())
    finally:
        signal.signal(signal.SIGINT, before)
    assert dealer.dealt < 100_000


def test_progress_is_told_and_may_stop() -> None:
    told: list[int] = []
    dealer = ConditionalDealer(NOTHING_KNOWN, D4)
    dealer.deal(1, 1, 500, progress=told.append)
    assert told[-1] == 500

    def stop(done: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        dealer.deal(1, 1, 500, progress=stop)


# What cannot be.

NINE_SPADES = condition(lambda shape, p: shape[3] >= 9)
SPADE_ACE = condition(points(0, 37), (holds(Card("SA")), 1, 1))
OPENING = condition(points(11, 37))


@pytest.mark.parametrize(
    ("conditions", "held"),
    [
        ((NINE_SPADES, None, NINE_SPADES, None), NOTHING_KNOWN),
        ((condition(points(38, 40)), None, None, None), NOTHING_KNOWN),
        ((SPADE_ACE, SPADE_ACE, None, None), NOTHING_KNOWN),
        ((SPADE_ACE, None, None, None), known(W=bits("A.K.Q.J"))),
        ((OPENING,) * 4, NOTHING_KNOWN),
        ((None, OPENING, OPENING, OPENING), known(N=bits("AKQ2.T83.KQ9.A76"))),
        ((OPENING, None, None, None), known(N=bits("5432.5432.5432.2"))),
        ((None, None, None, SPADE_ACE), known(W=bits("KQJT98765432.A.."))),
        ((condition(lambda s, p: s == (13, 0, 0, 0)), None, SPADE_ACE, None), known(E=bits("...2"))),
    ],
)
def test_the_impossible_is_recognised(
    conditions: tuple[Condition | None, ...], held: NDArray[np.uint64]
) -> None:
    dealer = ConditionalDealer(held, conditions)
    assert dealer.is_impossible and dealer.count == 0
    with pytest.raises(ValueError, match="no deal fulfils"):
        dealer.deal(1, 1, 1)


def test_the_last_hand_is_tested_as_it_is() -> None:
    north, east, south, west = deal_bits(1, 3)[0].tolist()
    three = known(N=north, E=east, S=south)
    held = condition(lambda s, p: p == high_cards(west), (ACES, 0, 4))
    dealer = ConditionalDealer(three, [None, None, None, held])
    assert dealer.count == dealer.completions == 1
    assert dealer.deal(1, 1, 2).tolist() == [[north, east, south, west]] * 2
    missed = condition(points(0, 37), (ACES, 4, 4))
    assert ConditionalDealer(three, [None, None, None, missed]).is_impossible


@pytest.mark.parametrize(
    "held",
    [known(N=1, S=1), known(N=(1 << 14) - 1), known(N=1 << 52)],
    ids="twice too-many beyond".split(),
)
def test_wrong_known_cards_are_refused(held: NDArray[np.uint64]) -> None:
    with pytest.raises(ValueError, match="known cards"):
        ConditionalDealer(held, [None] * 4)
    with pytest.raises(ValueError, match="four conditions"):
        ConditionalDealer(NOTHING_KNOWN, [None] * 3)


# Trees that the kernel must not walk.


def tree(
    nodes: list[list[int]], scales: int | None = None, sets: int = 0, misfits: int | None = None
) -> Condition:
    cells = np.full(560, (1 << 38) - 1, dtype=np.uint64)
    return Condition(
        np.array(nodes, dtype=np.int32).reshape(-1, 5),
        np.ones(len(nodes) if scales is None else scales),
        np.zeros((sets, 9), dtype=np.uint64),
        np.zeros((sets if misfits is None else misfits, 560), dtype=np.float32),
        cells,
        np.zeros_like(cells),
    )


@pytest.mark.parametrize(
    "nodes",
    [
        [],
        [[0, 2, 0, 0, 0]],
        [[0, 0, 0, 0, 0]],
        [[4, 1, 0, 0, 0]],
        [[-1, 1, 0, 0, 0]],
        [[2, 1, -1, 0, 0]],
        [[2, 1, 100_000, 0, 0]],
        [[3, 1, 0, 0, 0]],
        [[2, 2, 0, 0, 0], [2, 2, 0, 0, 0]],
        [[0, 1, 0, 0, 0], [2, 2, 0, 0, 0]],
        [[0, 3, 0, 0, 0], [1, 4, 0, 0, 0], [2, 3, 0, 0, 0]],
        [[0, 3, 0, 0, 0], [1, 1, 0, 0, 0], [2, 3, 0, 0, 0]],
        [[0, 1000, 0, 0, 0]] * 1000,
    ],
)
def test_malformed_trees_are_refused(nodes: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="node"):
        tree(nodes)


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="one scale a node"):
        tree([[2, 1, 0, 0, 37]], scales=2)
    with pytest.raises(ValueError, match="misfits for each set"):
        tree([[2, 1, 0, 0, 37]], sets=1, misfits=2)
    with pytest.raises(ValueError, match="hand 1 has not 13"):
        ANYTHING.admits(np.array([bits("AKQ2.T83.KQ9.A76"), 7], dtype=np.uint64))


def test_empty_wholes_and_misfits() -> None:
    hands = np.array([bits("AKQ2.T83.KQ9.A76")], dtype=np.uint64)
    assert tree([[0, 1, 0, 0, 0]]).admits(hands).all()
    assert not tree([[1, 1, 0, 0, 0]]).admits(hands).any()
    assert tree([[2, 1, 0, 20, 37]]).misfit(hands).tolist() == [2.0]  # two points short
