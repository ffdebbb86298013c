"""Entries of programs, as values to read and write: decisions and bids (Woolever 2001, sections 3.1 to 3.3).

An entry is 32 bits; `native/webb/program.hpp` has the layout. Several words are the same entry, as some
bits are unused and some fields are read by their remainder: `entry_of(word_of(entry))` is the entry again,
`word_of(entry_of(word))` need not be the word.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.cards import STRAINS, SUITS, Strain, Suit
from bidlab.bridge.errors import BidlabError

STEP = 5 / 64  # points of a step of strength
MOST_STEPS, MOST_CARDS = 511, 15  # the constants that fit in their bits
MOST_ENTRIES = 64


class Players(IntFlag):
    """Whose strength or length a decision adds up, as the player to call sees them."""

    RIGHT = 1
    PARTNER = 2
    LEFT = 4
    BIDDER = 8

    @property
    def words(self) -> str:
        """As in "bidder and partner"."""
        named = [one.name.lower() for one in reversed(Players) if one in self and one.name]
        return " and ".join(named) or "nobody"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether some players surely have at least (at most) so much; where they have, so many entries ahead."""

    suit: Suit | None  # None: strength, in steps of 5/64
    constant: int
    jump: int
    is_at_most: bool = False
    players: Players = Players.BIDDER

    def __post_init__(self) -> None:
        most = MOST_STEPS if self.suit is None else MOST_CARDS
        if not 0 <= self.constant <= most:
            raise BidlabError(f"no decision on {self.constant}: 0 to {most} fits in its bits")
        if not 1 <= self.jump <= MOST_ENTRIES:
            raise BidlabError(f"no jump of {self.jump} entries: 1 to {MOST_ENTRIES} are possible")

    def __str__(self) -> str:
        what = f"{self.constant * STEP:.2f} points" if self.suit is None else f"{self.constant} {self._suit}"
        bound = "at most" if self.is_at_most else "at least"
        return f"if {self.players.words} {bound} {what}: {self.jump} ahead"

    @property
    def _suit(self) -> str:
        assert self.suit is not None
        return self.suit.word


class Kind(IntEnum):
    """How a bid names its call."""

    DIRECT = 0
    RELATIVE = 1
    STEPS = 2
    PASS_OR_DOUBLE = 3


@dataclass(frozen=True, slots=True)
class Bid:
    """A call by name, by strain and levels above the lowest, by steps; or a pass, or a double."""

    kind: Kind
    parameter: int

    def __post_init__(self) -> None:
        if not 0 <= self.parameter < 64:
            raise BidlabError(f"no bid with parameter {self.parameter}: 0 to 63 fits in its bits")

    @classmethod
    def direct(cls, call: Call | str) -> Bid:
        """A bid by its name."""
        named = Call(call)
        if not named.is_bid:
            raise BidlabError(f"no direct bid of {named}: a level and a strain are wanted")
        return cls(Kind.DIRECT, int(named) - 3)

    @classmethod
    def relative(cls, strain: Strain, levels: int = 0) -> Bid:
        """A strain at its lowest level, or up to three levels higher."""
        return cls(Kind.RELATIVE, 8 * levels + int(strain))

    @classmethod
    def steps(cls, count: int) -> Bid:
        """So many steps above the cheapest bid; after a call of the opponent before, step 0 is a pass."""
        return cls(Kind.STEPS, count)

    @classmethod
    def passing(cls) -> Bid:
        """A pass."""
        return cls(Kind.PASS_OR_DOUBLE, 1)

    @classmethod
    def doubling(cls) -> Bid:
        """A double, or a redouble."""
        return cls(Kind.PASS_OR_DOUBLE, 0)

    def __str__(self) -> str:
        match self.kind:
            case Kind.DIRECT:
                return f"bid {CALLS[3 + self.parameter % 35]}"
            case Kind.RELATIVE:
                levels = self.parameter // 8 % 4
                strain = STRAINS[self.parameter % 8 % 5].name.lower()
                return f"bid {strain}, {'lowest' if not levels else f'{levels} above the lowest'}"
            case Kind.STEPS:
                return f"bid step {self.parameter % 8}"
            case _:
                return "pass" if self.parameter % 2 else "double or redouble"


Entry = Decision | Bid


def word_of(entry: Entry) -> int:
    """The word of an entry, unused bits 0.

    >>> hex(word_of(Decision(Suit.SPADES, 6, jump=2))), hex(word_of(Bid.direct("1NT")))
    ('0x81403680', '0x4')
    """
    if isinstance(entry, Bid):
        return entry.kind << 6 | entry.parameter
    word = 1 << 31 | (entry.jump - 1) << 24 | entry.players << 19 | entry.is_at_most << 17
    word |= entry.constant << 8
    return word if entry.suit is None else word | 128 | entry.suit << 12


def entry_of(word: int, entries: int) -> Entry:
    """The entry that a word is, in programs of so many entries.

    >>> print(entry_of(0x81403680, entries=8))
    if bidder at least 6 spades: 2 ahead
    """
    if not word >> 31:
        return Bid(Kind(word >> 6 & 3), word & 63)
    jump = 1 + (word >> 24 & 127) % entries
    players = Players.BIDDER if word >> 18 & 1 else Players(word >> 19 & 15)
    is_at_most = bool(word >> 17 & 1)
    if word >> 7 & 1:
        return Decision(SUITS[word >> 12 & 3], word >> 8 & 15, jump, is_at_most, players)
    return Decision(None, word >> 8 & 511, jump, is_at_most, players)
