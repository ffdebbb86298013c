"""What can be counted in a hand: points, lengths, tricks, stoppers ... each a whole number with a name.

A feature that comes in halves (quick tricks, playing tricks) or in thousandths (WEBB's points) is counted in
those, and `scale` says how many make one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab._native import features as _native_features
from bidlab.bridge.cards import CARDS, SUITS, Card, Suit
from bidlab.bridge.errors import DealError
from bidlab.bridge.hands import ALL_CARDS, NO_SPOTS, Hand


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that can be counted in a hand, with the least and the most that a hand can have of it."""

    number: int  # the feature's number in the native kernels
    kind: str
    least: int
    most: int
    scale: int = 1
    suit: Suit | None = None
    card: Card | None = None

    def __str__(self) -> str:
        return self.kind if self.suit is None else f"{self.kind} in {self.suit.word}"

    def __repr__(self) -> str:
        return f"<{self}>"


# Kinds in the order of native/meaning/features.hpp: name, least, most, how many make one. Some hand has the
# least and some hand the most of each; a test finds them.
_OF_A_HAND = (
    ("hcp", 0, 37, 1),
    ("points", 0, 37, 1),  # length never makes up for the honours it displaces
    ("webb", 0, 35_078, 1000),  # AKQJ.AKQ.AKQ.AKQ
    ("adjusted", 0, 36, 1),  # the 37 of AKQJ.AKQ.AKQ.AKQ are too flat and too few quick tricks
    ("controls", 0, 12, 1),
    ("aces", 0, 4, 1),
    ("kings", 0, 4, 1),
    ("quick tricks", 0, 16, 2),
    ("losers", 0, 12, 1),
    ("playing tricks", 2, 26, 2),  # the fourth trump always takes one
    ("texture", -12, 12, 1),
    ("class", 0, 10, 1),
    ("longest", 4, 13, 1),
    ("shortest", 0, 3, 1),
    ("major", 0, 13, 1),
    ("minor", 0, 13, 1),
)
_OF_A_SUIT = (
    ("length", 0, 13, 1),
    ("suit hcp", 0, 10, 1),
    ("top three", 0, 3, 1),
    ("top five", 0, 5, 1),
    ("suit texture", -3, 3, 1),
    ("stopper", 0, 2, 1),
    ("key cards", 0, 5, 1),
    ("quality", 0, 5, 1),
    ("support", 0, 37, 1),  # what shortness adds, honours lose
    ("control", 0, 2, 1),
    ("suit losers", 0, 3, 1),
)


def _features() -> tuple[Feature, ...]:
    found = [Feature(i, *row) for i, row in enumerate(_OF_A_HAND)]
    for row in _OF_A_SUIT:
        found += [Feature(len(found) + suit, *row, suit=suit) for suit in SUITS]
    found += [Feature(len(found) + card, f"holds {card}", 0, 1, card=card) for card in CARDS]
    return tuple(found)


FEATURES = _features()
(
    HCP,
    POINTS,
    WEBB,
    ADJUSTED,
    CONTROLS,
    ACES,
    KINGS,
    QUICK_TRICKS,
    LOSERS,
    PLAYING_TRICKS,
    TEXTURE,
    CLASS,
    LONGEST,
    SHORTEST,
    MAJOR,
    MINOR,
) = FEATURES[: len(_OF_A_HAND)]
_FIRST_OF_KIND = {row[0]: len(_OF_A_HAND) + 4 * i for i, row in enumerate(_OF_A_SUIT)}
_FIRST_CARD = len(_OF_A_HAND) + 4 * len(_OF_A_SUIT)
SUIT_KINDS = tuple(_FIRST_OF_KIND)


def of_suit(kind: str, suit: Suit) -> Feature:
    """The feature of one suit, as in of_suit("stopper", Suit.HEARTS)."""
    return FEATURES[_FIRST_OF_KIND[kind] + suit]


def length(suit: Suit) -> Feature:
    """The number of cards of a suit."""
    return FEATURES[_FIRST_OF_KIND["length"] + suit]


def holds(card: Card) -> Feature:
    """1 for a hand with this card, 0 for one without."""
    return FEATURES[_FIRST_CARD + card]


def feature_table(hands: NDArray[np.uint64] | Sequence[Hand]) -> NDArray[np.int32]:
    """Array [hand, feature] of all features, of hands or of an array of their 52-bit words.

    >>> row = feature_table([Hand.parse("AKQ2.T83.KQ9.A76")])[0]
    >>> int(row[HCP.number]), int(row[QUICK_TRICKS.number])  # in half tricks
    (18, 8)
    """
    return _native_features(hand_bits(hands))


def hand_bits(hands: NDArray[np.uint64] | Sequence[Hand]) -> NDArray[np.uint64]:
    """The 52-bit words of hands, or an array of such words; an error where one has not 13 cards."""
    if isinstance(hands, np.ndarray):
        return _checked(hands)
    words = np.array([hand.bits if hand.spots == NO_SPOTS else 0 for hand in hands], dtype=np.uint64)
    whole = np.bitwise_count(words) == 13
    if not whole.all():
        raise DealError(f"no features of '{hands[int(whole.argmin())]}': 13 named cards are wanted")
    return words


def _checked(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The words as the kernel wants them; an error where one is not a hand."""
    if words.dtype != np.uint64 or words.ndim != 1:
        raise DealError(
            f"no features of an array {words.dtype}{list(words.shape)}: "
            "one row of uint64 is wanted, a word a hand"
        )
    whole = (np.bitwise_count(words) == 13) & (words <= np.uint64(ALL_CARDS))
    if not whole.all():
        at = int(whole.argmin())
        raise DealError(
            f"no features of {int(words[at]):#x}, word {at}: 13 of 52 bits are wanted, a bit a card"
        )
    return np.ascontiguousarray(words)
