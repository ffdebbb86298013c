"""Hands for tests: any hand, and freaks that chance seldom deals."""

from itertools import permutations

import numpy as np
from hypothesis import strategies as st

from bidlab.bridge.cards import SUITS
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits

RANKS = "AKQJT98765432"

any_hand = st.sets(st.integers(0, 51), min_size=13, max_size=13).map(Hand.of)


@st.composite
def freak_hands(draw: st.DrawFn) -> Hand:
    """A hand of any shape, all shapes alike, with cards from the top, from the bottom or from anywhere."""
    cuts = sorted(draw(st.lists(st.integers(0, 13), min_size=3, max_size=3)))
    lengths = [b - a for a, b in zip([0, *cuts], [*cuts, 13], strict=True)]
    suits = []
    for length in lengths:
        ranks = draw(st.sampled_from([RANKS, RANKS[::-1]]) | st.permutations(RANKS).map("".join))
        suits.append(ranks[:length])
    return Hand.parse(".".join(suits))


def shapes() -> set[tuple[int, ...]]:
    """The 560 shapes."""
    return {(a, b, c, 13 - a - b - c) for a in range(14) for b in range(14 - a) for c in range(14 - a - b)}


def extreme_hands() -> list[Hand]:
    """Of every shape the hands with the highest and with the lowest cards, and with cards from the middle."""
    orders = (RANKS, RANKS[::-1], "98T76543JQKA2", "KA234567QJT89")
    return [
        Hand.parse(".".join(order[:length] for length in shape))
        for shape in sorted(shapes())
        for order in orders
    ]


def random_words(count: int, seed: int) -> np.ndarray:
    """So many random hands, as words."""
    return deal_bits(-(-count // 4), seed).ravel()[:count]


def renamed(hand: Hand, order: tuple[int, ...]) -> Hand:
    """The hand with its suits renamed: suit i becomes order[i]."""
    return Hand(sum(hand.holding(suit) << 13 * order[suit] for suit in SUITS))


RENAMINGS = tuple(permutations(range(4)))
