"""A natural system in a few programs, to start a search from: rough, but with a place for everything.

One opens the longest suit with 12 points, a balanced hand of 15 to 17 with 1NT, a long suit with less at the
two or three level; overcalls a five-card suit, doubles with 15. Partner raises, bids his longest suit or
notrump; opener then shows whether he has 16. From then on one general program places the contract: game with
25 points between the two hands, in a major with eight cards, else in notrump; slam with 30 and eight cards of
a suit.
"""

from __future__ import annotations

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.cards import Strain, Suit
from bidlab.bridge.errors import BidlabError
from bidlab.systems.webb.options import OPTIONS
from bidlab.systems.webb.system import WebbState, WebbSystem
from bidlab.systems.webb.written import (
    DOUBLE,
    END,
    GAME,
    PASS,
    THEM,
    US,
    Fact,
    Jump,
    balanced,
    bid,
    cards,
    fact,
    fit,
    fitting_suit,
    longest,
    longest_suit,
    points,
    program,
    when,
)

NEEDED = ("bidding", "points", "shape", "fit", "suit-bids")
_OPENING, _OVERCALL, _OVER_SUIT, _OVER_NOTRUMP, _OVER_LONG_SUIT, _OVER_DOUBLE, _GENERAL, _SLAM, _REBID = (
    range(9)
)
FEWEST_STATES, FEWEST_ENTRIES = 9, 19


def _place(name: str) -> int:
    """A bid as facts of the auction count it."""
    return int(Call(name)) - int(Call("1C"))


_PROGRAMS: dict[int, list[int | str | Jump]] = {
    _OPENING: [
        when(fact(Fact.OPENER, players=THEM), END),
        when(points(12), "open"),
        when(fact(Fact.AGAIN), "pass"),
        when(longest(7), "seven"),
        when(longest(5, at_most=True), "pass"),
        when(points(6), "six"),
        "pass",
        PASS,
        "seven",
        longest_suit(3),
        PASS,
        "six",
        longest_suit(2),
        PASS,
        "open",
        when(balanced(is_not=True), "suit"),
        when(points(18), "suit"),
        when(points(15), "notrump"),
        "suit",
        longest_suit(),
        "notrump",
        bid("1NT"),
    ],
    _OVERCALL: [
        when(fact(Fact.AT_LEAST, _place("4C")), "pass"),
        when(fact(Fact.AGAIN), END),
        when(points(9, at_most=True), "pass"),
        when(longest(5), "five"),
        when(points(14, at_most=True), "pass"),
        when(balanced(), "notrump"),
        DOUBLE,
        "notrump",
        bid("1NT"),
        DOUBLE,
        "five",
        when(fact(Fact.LEVEL, 1, is_not=True), "suit"),
        when(points(12, at_most=True), "pass"),
        "suit",
        longest_suit(),
        PASS,
        "pass",
        PASS,
    ],
    _OVER_SUIT: [
        when(points(5, at_most=True), "pass"),
        when(fit(8, in_major=True), END),
        when(points(26, US), END),
        when(fact(Fact.LEVEL, 1), "higher"),
        when(longest(5), "five"),
        when(cards(Suit.SPADES, 4), "spades"),
        when(cards(Suit.HEARTS, 4), "hearts"),
        bid("1NT"),
        when(fit(8), END),
        PASS,
        "spades",
        bid("1S"),
        "hearts",
        bid("1H"),
        bid("1NT"),
        "five",
        longest_suit(),
        "higher",
        when(points(22, US, at_most=True), END),
        "pass",
        PASS,
    ],
    _OVER_NOTRUMP: [
        when(points(7, at_most=True), "weak"),
        when(cards(Suit.SPADES, 5), "spades"),
        when(cards(Suit.HEARTS, 5), "hearts"),
        when(points(17), END),
        when(points(10), "game"),
        PASS,
        "game",
        bid("3NT"),
        "spades",
        when(points(10), "three spades"),
        bid("2S"),
        "three spades",
        bid("3S"),
        "hearts",
        when(points(10), "three hearts"),
        bid("2H"),
        "three hearts",
        bid("3H"),
        "weak",
        when(longest(4, at_most=True), END),
        longest_suit(2),
    ],
    _OVER_LONG_SUIT: [
        when(fit(8), END),
        when(points(15, at_most=True), "pass"),
        when(longest(6), "six"),
        bid("3NT"),
        "pass",
        PASS,
        "six",
        longest_suit(),
        PASS,
    ],
    _OVER_DOUBLE: [
        when(points(12), END),
        when(fact(Fact.FREE), END),
        longest_suit(),
        PASS,
    ],
    _GENERAL: [
        when(points(30, US), END),
        when(fact(Fact.AT_LEAST, _place("4C")), "pass"),
        when(points(25, US), "game"),
        when(fit(8), "fit"),
        when(points(22, US), "invite"),
        "pass",
        PASS,
        "game",
        when(fit(8, in_major=True), "major"),
        bid("3NT"),
        PASS,
        "major",
        fitting_suit(GAME),
        "invite",
        bid("2NT"),
        PASS,
        "fit",
        when(points(19, US), "raise"),
        when(fact(Fact.LAST_BIDDER, players=US), "enough"),
        when(fact(Fact.AT_LEAST, _place("3C")), "enough"),
        "raise",
        fitting_suit(),
        "enough",
        PASS,
    ],
    _SLAM: [
        when(fact(Fact.AT_LEAST, _place("6C")), "pass"),
        when(fit(8), "fit"),
        when(points(34, US), "notrump"),
        bid("3NT"),
        PASS,
        "fit",
        fitting_suit(6),
        "notrump",
        bid("6NT"),
        "pass",
        PASS,
    ],
    _REBID: [
        when(points(25, US), END),
        when(points(15, at_most=True), "minimum"),
        when(fit(8), "jump"),
        when(longest(6), "six"),
        bid("2NT"),
        PASS,
        "jump",
        fitting_suit(above=1),
        "six",
        longest_suit(above=1),
        PASS,
        "minimum",
        when(fact(Fact.FREE), END),
        when(fit(8), "raise"),
        when(longest(6), "own"),
        bid("1NT"),
        PASS,
        "raise",
        fitting_suit(),
        PASS,
        "own",
        longest_suit(),
        PASS,
    ],
}


def skeleton(
    *, states: int = 16, entries: int = 24, inheritance: int = 3, options: tuple[str, ...] = OPTIONS
) -> WebbSystem:
    """The system; states that it does not need have the general program.

    >>> len(skeleton().states)
    16
    """
    missing = [name for name in NEEDED if name not in options]
    if missing:
        raise BidlabError(f"no skeleton without the option {missing[0]}: {', '.join(NEEDED)} are wanted")
    if states < FEWEST_STATES or entries < FEWEST_ENTRIES:
        raise BidlabError(
            f"no skeleton of {states} states with {entries} entries: "
            f"{FEWEST_STATES} of {FEWEST_ENTRIES} or more are wanted"
        )
    return WebbSystem(tuple(_state(number, entries) for number in range(states)), inheritance, options)


def _state(number: int, entries: int) -> WebbState:
    words = program(_PROGRAMS.get(number, _PROGRAMS[_GENERAL]), entries)
    inherits = {_OPENING: _OVERCALL, _GENERAL: _SLAM}.get(number, _GENERAL if number in _PROGRAMS else _SLAM)
    if number != _OPENING:
        return WebbState(words, tuple(map(_after, [number] * len(CALLS), CALLS)), inherits)
    to = [_OVER_LONG_SUIT] * len(CALLS)
    to[Call("P")], to[Call("X")], to[Call("XX")] = _OPENING, _OVER_DOUBLE, _GENERAL
    for name in ("1C", "1D", "1H", "1S"):
        to[Call(name)] = _OVER_SUIT
    to[Call("1NT")] = _OVER_NOTRUMP
    return WebbState(words, tuple(to), inherits)


def _after(number: int, call: Call) -> int:
    """The state after a call from any state but that of openings."""
    is_new_suit = call.is_bid and call.level <= 2 and call.strain != Strain.NOTRUMP
    return _REBID if number == _OVER_SUIT and is_new_suit else _GENERAL
