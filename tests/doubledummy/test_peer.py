"""The solver beside DDS itself, as endplay brings it: not one result apart."""

from collections.abc import Callable
from itertools import islice
from random import Random

import numpy as np
import pytest

from bidlab.bridge.cards import CARDS, SUITS, Card, Rank, Suit
from bidlab.bridge.hands import Deal, Hand
from bidlab.dealing import deal_bits
from bidlab.doubledummy import solve

Dds = Callable[[list[Deal]], np.ndarray]
BATCH = 40  # deals that DDS takes at once


@pytest.fixture(scope="module")
def dds() -> Dds:
    """Tables [deal, strain C D H S NT, declarer N E S W] by DDS, on all cores."""
    pytest.importorskip("endplay")
    from endplay.dds import calc_all_tables
    from endplay.types import Deal as PeerDeal

    def tables(deals: list[Deal]) -> np.ndarray:
        found = calc_all_tables([PeerDeal(str(deal)) for deal in deals])
        # Its rows are spades hearts diamonds clubs notrump.
        return np.array([table.to_list() for table in found])[:, [3, 2, 1, 0, 4]]

    return tables


def agree(deals: list[Deal], dds: Dds) -> None:
    """Compare all results, batch by batch; the first difference names the deal."""
    for start in range(0, len(deals), BATCH):
        batch = deals[start : start + BATCH]
        for deal, ours, theirs in zip(batch, solve(batch), dds(batch), strict=True):
            assert ours.tolist() == theirs.tolist(), str(deal)


@pytest.mark.parametrize("count", [500, pytest.param(20_000, marks=pytest.mark.full)])
def test_random_deals(count: int, dds: Dds) -> None:
    agree([Deal.of_bits(bits) for bits in deal_bits(count, seed=count)], dds)


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.full)])
def test_unusual_deals(count: int, dds: Dds) -> None:
    agree(unusual_deals(count, Random(count)), dds)


def unusual_deals(count: int, random: Random) -> list[Deal]:
    """Long suits, two-suited hands, one-sided deals and hands alike in turn: what chance rarely deals."""
    kinds = (long_suits, two_suiters, all_honours, hands_alike)
    return [dealt(kinds[number % 4](random), random) for number in range(count)]


Wishes = list[list[Card]]  # for each of four hands, cards that it shall hold


def long_suits(random: Random) -> Wishes:
    """Nine to thirteen cards of a suit in one hand, and often as many of another in a second one."""
    wishes: Wishes = [[], [], [], []]
    for wish, suit in zip(wishes, random.sample(SUITS, random.choice([1, 2])), strict=False):
        wish += some_cards(suit, random.randint(9, 13), random)
    return wishes


def two_suiters(random: Random) -> Wishes:
    """Seven cards of one suit and six of another in one hand; in a second one the same of the other two."""
    suits = random.sample(SUITS, 4)
    return [
        some_cards(suits[0], 7, random) + some_cards(suits[1], 6, random),
        some_cards(suits[2], 7, random) + some_cards(suits[3], 6, random),
        [],
        [],
    ]


def all_honours(random: Random) -> Wishes:
    """Aces to tens in two hands, of partners or of opponents."""
    honours = [card for card in CARDS if card.rank >= Rank.TEN]
    random.shuffle(honours)
    return [honours[:10], honours[10:], [], []]


def hands_alike(random: Random) -> Wishes:
    """Four hands of one shape, each suit with the same four lengths."""
    lengths = random.choice(["4333", "4432", "5332", "5431", "4441", "6322"])
    wishes: Wishes = [[], [], [], []]
    for suit in SUITS:
        cards = iter(some_cards(suit, 13, random))
        for i, wish in enumerate(wishes):
            wish += islice(cards, int(lengths[(suit + i) % 4]))
    return wishes


def some_cards(suit: Suit, count: int, random: Random) -> list[Card]:
    return random.sample(CARDS[13 * suit : 13 * suit + 13], count)


def dealt(wishes: Wishes, random: Random) -> Deal:
    """A deal in which four players, in any order, hold what is wished; the rest is random."""
    rest = [card for card in CARDS if not any(card in wish for wish in wishes)]
    random.shuffle(rest)
    hands = [Hand.of([*wish, *(rest.pop() for _ in range(13 - len(wish)))]) for wish in wishes]
    random.shuffle(hands)
    return Deal.of(hands)
