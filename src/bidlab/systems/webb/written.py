"""Programs written by hand: words by what they ask or bid, and jumps to labels.

    program(["open", bid("1C"), when(strength(12), "open"), ...], entries=16)

Questions go with `when`, which says where they jump; what is "no bid" goes on to the next entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from bidlab.bridge.cards import Strain, Suit
from bidlab.bridge.errors import BidlabError
from bidlab.systems.webb.entries import STEP, Bid, Decision, Players, word_of

US = Players.BIDDER | Players.PARTNER
THEM = Players.LEFT | Players.RIGHT
PASS, DOUBLE = word_of(Bid.passing()), word_of(Bid.doubling())
END = "end"  # where the next program begins
_IDLE = word_of(Decision(None, 0, 1))
_OF_BIDDING = 64  # the first type of facts of the auction


class Fact(IntEnum):
    """Questions that the auction answers, in the order of native/webb/facts.hpp."""

    ACTED = 0
    AT_LEAST = 1
    STRAIN = 2
    LAST_BIDDER = 3
    NAMED = 4
    LEVEL = 5
    DOUBLED = 6
    FREE = 7
    AGAIN = 8
    OPENER = 9


Jump = tuple[int, str]  # the word of a question, and the label that it jumps to


def when(question: int, label: str) -> Jump:
    """A question that jumps to a label where it is true."""
    return question, label


def program(lines: Sequence[int | str | Jump], entries: int) -> tuple[int, ...]:
    """The words of a program, filled up with entries that do nothing; a text stands before what it labels."""
    words = [line for line in lines if not isinstance(line, str)]
    if len(words) > entries:
        raise BidlabError(f"a program of {len(words)} entries: {entries} are possible")
    places = {END: entries}
    for line in lines:
        if isinstance(line, str):
            places[line] = sum(not isinstance(one, str) for one in lines[: lines.index(line)])
    found = []
    for at, line in enumerate(words):
        if isinstance(line, tuple):
            ahead = places[line[1]] - at
            if not 1 <= ahead <= entries:
                raise BidlabError(f"a jump from entry {at} to {line[1]!r}: it can go forward only")
            found.append(line[0] | (ahead - 1) << 24)
        else:
            found.append(line)
    return (*found, *[_IDLE] * (entries - len(found)))


def _question(
    type_: int, constant: int = 0, players: Players = Players.BIDDER, *, is_opposite: bool = False
) -> int:
    return 1 << 31 | players << 19 | is_opposite << 17 | constant << 8 | type_


def strength(points: float, players: Players = Players.BIDDER, *, at_most: bool = False) -> int:
    """Players have so many of WEBB's points together."""
    return word_of(Decision(None, round(points / STEP), 1, at_most, players))


def cards(suit: Suit, count: int, players: Players = Players.BIDDER, *, at_most: bool = False) -> int:
    """Players have so many cards of a suit together."""
    return word_of(Decision(suit, count, 1, at_most, players))


def fact(which: Fact, parameter: int = 0, players: Players | None = None, *, is_not: bool = False) -> int:
    """Something that the auction answers."""
    type_ = next(number for number in range(_OF_BIDDING, 96) if number % len(Fact) == which)
    return _question(type_, parameter, players or Players(0), is_opposite=is_not)


def points(count: int, players: Players = Players.BIDDER, *, at_most: bool = False) -> int:
    """Players have so many points: high cards, and one for each card beyond the fourth of a suit."""
    return _question(112, count, players, is_opposite=at_most)


def longest(count: int, *, at_most: bool = False) -> int:
    """The bidder's longest suit has so many cards."""
    return _question(192, count, is_opposite=at_most)


def balanced(*, is_not: bool = False) -> int:
    """The bidder is 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
    return _question(194, is_opposite=is_not)


def fit(count: int, *, in_major: bool = False) -> int:
    """The bidder and partner surely have so many cards, seven to ten, of some suit, or of a major."""
    return _question(240, count - 7 | in_major << 4)


def bid(name: str) -> int:
    """A bid by its name."""
    return word_of(Bid.direct(name))


GAME = 0  # as a level: four of a major, five of a minor


def longest_suit(level: int | None = None, *, above: int = 0) -> int:
    """The bidder's longest suit, at a level from 2 on, or so many levels above the lowest possible."""
    return _suit_bid(2, level, above)


def fitting_suit(level: int | None = None, *, above: int = 0) -> int:
    """The highest suit of which bidder and partner surely have eight cards, in the same ways."""
    return _suit_bid(3, level, above)


def _suit_bid(which: int, level: int | None, above: int) -> int:
    if level is None:
        named = above << 3
    elif level == GAME or level > 4:
        named = 7 | (max(level - 4, 0)) << 3
    else:
        named = level + 2
    return word_of(Bid.relative(Strain.CLUBS)) | named | which << 8
