"""Seats, suits, strains, ranks and cards, in the one encoding that all of bidlab uses.

Clubs 0 .. spades 3, notrump 4; two 0 .. ace 12; card = 13 * suit + rank; seats N 0, E 1, S 2, W 3.
Each type is an integer, so that it indexes arrays directly, and each is made from its number or from
text: ``Seat("N")``, ``Suit("hearts")``, ``Strain("NT")``, ``Card("SA")``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from operator import index
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from bidlab.bridge.errors import NotationError, quoted


class _Names(NamedTuple):
    """How the values of one type are written and read."""

    letters: Sequence[str]  # the short name of each value
    by_text: Mapping[str, int]  # every text that is read, in upper case
    expected: str  # what an error says is wanted


_NAMES: dict[type, _Names] = {}


def _words(name: str) -> str:
    """The name of a type as people say it: "hand class" for HandClass."""
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", name).lower()


class Named(IntEnum):
    """An integer that is read from text and printed as a short name, both told to `name_values`."""

    if TYPE_CHECKING:  # _missing_ lets text in

        def __new__(cls, value: int | str) -> Self:  # noqa: D102
            ...

    @property
    def letter(self) -> str:
        """The short name by which the value is printed."""
        return _NAMES[type(self)].letters[self]

    @classmethod
    def _missing_(cls, value: object) -> Self:
        names = _NAMES[cls]
        number = names.by_text.get(value.strip().upper()) if isinstance(value, str) else None
        if number is None:
            raise NotationError(
                f"no {_words(cls.__name__)} {quoted(value)}: one of {names.expected} is wanted"
            )
        return cls(number)

    def __bool__(self) -> bool:
        return True  # so that a seat or a call is told from None, North and pass included

    def __str__(self) -> str:
        return self.letter

    def __format__(self, spec: str) -> str:
        return format(self.letter, spec)


def name_values(
    kind: type[Named], letters: Sequence[str], by_text: Mapping[str, int], expected: str = ""
) -> None:
    """Say how the values of a type are written, which texts stand for them, and what an error asks for."""
    _NAMES[kind] = _Names(letters, by_text, expected or " ".join(letters))


_SEAT_WORDS = ("North", "East", "South", "West")
_SEATS = {w[0]: i for i, w in enumerate(_SEAT_WORDS)} | {w.upper(): i for i, w in enumerate(_SEAT_WORDS)}


class Seat(Named):
    """A player's place at the table, clockwise from North.

    >>> Seat("N").next, Seat("north").partner, str(Seat.WEST)
    (<Seat.EAST: 1>, <Seat.SOUTH: 2>, 'W')
    """

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    @property
    def word(self) -> str:
        """The seat's full name, as in "North"."""
        return _SEAT_WORDS[self]

    @property
    def next(self) -> Seat:
        """The player to the left, whose turn comes next."""
        return SEATS[(self + 1) & 3]

    @property
    def partner(self) -> Seat:
        """The player opposite."""
        return SEATS[(self + 2) & 3]

    @property
    def is_north_south(self) -> bool:
        """Whether the seat belongs to North-South."""
        return not self & 1

    def plus(self, steps: int) -> Seat:
        """The seat that many places to the left."""
        return SEATS[(self + steps) & 3]


name_values(Seat, "NESW", _SEATS)
SEATS = tuple(Seat)

_SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
_SYMBOLS = "♣♦♥♠"
_SUITS = {
    text.upper(): i for i, word in enumerate(_SUIT_WORDS) for text in (word[0], word, word[:-1], _SYMBOLS[i])
}
_STRAINS = _SUITS | dict.fromkeys(("N", "NT", "NOTRUMP", "NOTRUMPS", "NO TRUMP", "NO TRUMPS", "SA"), 4)


class Suit(Named):
    """One of the four suits, clubs lowest.

    >>> Suit("S").symbol, Suit.HEARTS.word
    ('♠', 'hearts')
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def symbol(self) -> str:
        """The suit's sign, as in "♠"."""
        return _SYMBOLS[self]

    @property
    def word(self) -> str:
        """The suit's name, as in "spades"."""
        return _SUIT_WORDS[self]

    @property
    def strain(self) -> Strain:
        """The strain in which this suit is trumps."""
        return STRAINS[self]


name_values(Suit, "CDHS", _SUITS)
SUITS = tuple(Suit)


class Strain(Named):
    """What a bid names: a suit or notrump, clubs lowest.

    >>> Strain("NT"), Strain("spades").suit
    (<Strain.NOTRUMP: 4>, <Suit.SPADES: 3>)
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    @property
    def symbol(self) -> str:
        """The strain as people write it: a suit's sign or "NT"."""
        return "NT" if self == 4 else _SYMBOLS[self]

    @property
    def word(self) -> str:
        """The strain's name, as in "spades" or "notrump"."""
        return "notrump" if self == 4 else _SUIT_WORDS[self]

    @property
    def suit(self) -> Suit | None:
        """The trump suit, or None in notrump."""
        return None if self == 4 else SUITS[self]


name_values(Strain, "CDHSN", _STRAINS)
STRAINS = tuple(Strain)

_RANK_LETTERS = "23456789TJQKA"
_RANKS = {letter: i for i, letter in enumerate(_RANK_LETTERS)} | {"10": 8}


class Rank(Named):
    """The rank of a card, two lowest.

    >>> Rank("A") > Rank("10"), str(Rank.TEN)
    (True, 'T')
    """

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12


name_values(Rank, _RANK_LETTERS, _RANKS)
RANKS = tuple(Rank)

_CARD_TEXTS = tuple(suit + rank for suit in "CDHS" for rank in _RANK_LETTERS)
_CARDS = {text: i for i, text in enumerate(_CARD_TEXTS)} | {
    f"{suit}10": 13 * i + 8 for i, suit in enumerate("CDHS")
}


class Card(int):
    """One of the 52 cards, made from its number 13 * suit + rank or from text, suit first.

    >>> Card("SA"), Card("h10"), Card(0), Card("SA") == 51
    (Card('SA'), Card('HT'), Card('C2'), True)
    """

    __slots__ = ()
    _all: ClassVar[tuple[Card, ...]] = ()

    def __new__(cls, value: int | str) -> Card:  # noqa: D102
        number = _CARDS.get(value.strip().upper(), -1) if isinstance(value, str) else index(value)
        if not 0 <= number < 52:
            raise NotationError(
                f"no card {quoted(value)}: a suit C D H S and a rank, as in SA or HT, is wanted"
            )
        return cls._all[number]

    def __getnewargs__(self) -> tuple[int]:
        return (int(self),)

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return SUITS[self // 13]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return RANKS[self % 13]

    @property
    def symbol(self) -> str:
        """The card as people write it, as in "♠A"."""
        return _SYMBOLS[self // 13] + _RANK_LETTERS[self % 13]

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return _CARD_TEXTS[self]

    def __repr__(self) -> str:
        return f"Card({_CARD_TEXTS[self]!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


CARDS = Card._all = tuple(int.__new__(Card, number) for number in range(52))
