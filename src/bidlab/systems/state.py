"""The state of an auction for the player to call, from public information only (Silveira's state variables).

Everything is derived from what the calls so far mean and do, whatever the system: what each player has shown,
whether partner must be answered, what is agreed, what was asked. Rules refer to it (`when agreed M, forcing
to game`; `25+ combined`; `stopper in their suits`), judgement estimates from it, `explain` prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import SUITS, Suit
from bidlab.systems.rules import Ask

_T = TypeVar("_T")
Interval = tuple[int, int]
Lengths = tuple[int, int, int, int]  # clubs, diamonds, hearts, spades


@dataclass(frozen=True, slots=True)
class Shown:
    """What one player has shown for sure: points, the least and most of each suit; and what to expect."""

    hcp: Interval = (0, 37)
    least: Lengths = (0, 0, 0, 0)
    most: Lengths = (13, 13, 13, 13)
    expected_hcp: float = 10.0
    expected_lengths: tuple[float, float, float, float] = (3.25, 3.25, 3.25, 3.25)
    # Of partner only, in whole numbers for rules: expected points; the same with the shortness that supports
    # each suit; expected lengths, 0.6 of a card counted as one.
    mean: int = 10
    worth: Lengths = (10, 10, 10, 10)
    likely: Lengths = (3, 3, 3, 3)


@dataclass(frozen=True, slots=True)
class State:
    """What the player to call knows from the calls alone."""

    me: Shown = Shown()
    partner: Shown = Shown()
    left: Shown = Shown()  # the opponent who calls next
    right: Shown = Shown()  # the opponent who called last
    seat: int = 1  # 1 dealer .. 4
    we_vulnerable: bool = False
    they_vulnerable: bool = False
    last_bid: Call | None = None
    agreed: Suit | None = None  # of our side
    asked: Ask | None = None  # by partner's last call
    transferred: Suit | None = None  # partner's last call asks for this suit
    my_suit: Suit | None = None  # of my last natural bid
    partner_suit: Suit | None = None  # of partner's last natural bid
    our_suits: tuple[Suit, ...] = ()  # of our side's natural bids
    their_suits: tuple[Suit, ...] = ()  # that the opponents have shown, the last one last
    is_game_forced: bool = False
    is_forced: bool = False  # I may not pass now
    is_invited: bool = False  # partner's last call invites
    is_signed_off: bool = False  # partner's last call signs off
    is_artificial: bool = False  # partner's last call does not show what it names
    is_contested: bool = False  # they have bid or doubled
    is_doubled: bool = False  # the opponent on the right just doubled or redoubled
    is_overcalled: bool = False  # the opponent on the right just bid
    we_opened: bool = False
    they_opened: bool = False
    i_passed: bool = False  # as a passed hand: my first call was a pass, before any bid
    partner_passed: bool = False
    partner_has_bid: bool = False
    i_have_bid: bool = False
    is_below_game: bool = True  # the last bid, whoever made it

    # Books look at these by themselves: they differ less often than what they are made of.

    @property
    def their_suit(self) -> Suit | None:
        """The last suit that the opponents have shown."""
        return self.their_suits[-1] if self.their_suits else None

    @property
    def unbid_suits(self) -> tuple[Suit, ...]:
        """The suits that nobody has bid naturally."""
        bid = {*self.our_suits, self.my_suit, self.partner_suit, *self.their_suits}
        return tuple(suit for suit in SUITS if suit not in bid)


class Memory(Protocol):
    """What was made of states before, by a key and by what its makers looked at."""

    def __call__(self, key: Hashable, make: Callable[[], Sequence[_T]]) -> Sequence[_T]:
        """What `make` gives, made only if it is not remembered."""


def made_anew(key: Hashable, make: Callable[[], Sequence[_T]]) -> Sequence[_T]:
    """The memory that keeps nothing."""
    return make()
