"""Suit variables: M a major, m a minor, X Y Z W any suits, all different; oM and om the other of their kind.

Names with an apostrophe (`X'`) belong to the sequence that a convention is used over: they are no variables
of its file, and differ from each other only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import SUITS, Strain, Suit
from bidlab.meaning.words import MAJORS, MINORS
from bidlab.systems.syntax import CallKind, CallPattern

Bindings = tuple[tuple[str, Suit], ...]  # variable and suit, in the order in which they were bound

_OTHER = {
    Suit.CLUBS: Suit.DIAMONDS,
    Suit.DIAMONDS: Suit.CLUBS,
    Suit.HEARTS: Suit.SPADES,
    Suit.SPADES: Suit.HEARTS,
}


def is_variable(name: str) -> bool:
    """Whether a name of a suit is a variable."""
    return name.rstrip("'") in ("M", "oM", "m", "om", "X", "Y", "Z", "W")


def _base(name: str) -> tuple[str, bool]:
    """The variable that a name speaks of, and whether it is the other one."""
    return (name[1:], True) if name[0] == "o" else (name, False)


def _domain(base: str) -> tuple[Suit, ...]:
    return {"M": MAJORS, "m": MINORS}.get(base[0], SUITS)


def bound_suit(name: str, bindings: Bindings) -> Suit | None:
    """The suit that a variable stands for; None while it stands for none."""
    base, is_other = _base(name)
    for variable, suit in bindings:
        if variable == base:
            return _OTHER[suit] if is_other else suit
    return None


def bound(name: str, suit: Suit, bindings: Bindings) -> Bindings | None:
    """The bindings where a variable stands for a suit; None where it cannot."""
    now = bound_suit(name, bindings)
    if now is not None:
        return bindings if now == suit else None
    base, is_other = _base(name)
    if is_other:
        suit = _OTHER[suit]
    if suit not in _domain(base):
        return None
    marks = base.count("'")
    if any(taken == suit for variable, taken in bindings if variable.count("'") == marks):
        return None
    return (*bindings, (base, suit))


@lru_cache(maxsize=1 << 14)  # a text binds the same letters over and over
def every_binding(name: str, bindings: Bindings) -> tuple[tuple[Suit, Bindings], ...]:
    """The suits that a variable can stand for, clubs first."""
    ways = ((suit, bound(name, suit, bindings)) for suit in SUITS)
    return tuple((suit, more) for suit, more in ways if more is not None)


def matches(pattern: CallPattern, call: Call, bindings: Bindings) -> Bindings | None:
    """The bindings under which a written call is this one; None where it is not."""
    match pattern.kind:
        case CallKind.FIXED:
            return bindings if call == pattern.call else None
        case CallKind.ANY:
            return bindings if call != Call.PASS else None
        case CallKind.ANY_BID:
            return bindings if call.is_bid else None
        case CallKind.BID:
            if not call.is_bid or call.level != pattern.level or call.strain == Strain.NOTRUMP:
                return None
            return bound(pattern.suit, Suit(int(call.strain)), bindings)
    return None  # relative to the last bid: the rule itself says where it leads


def bids(pattern: CallPattern, bindings: Bindings) -> Iterator[tuple[Call, Bindings]]:
    """The calls that a fixed call or one with a variable stands for, clubs first."""
    if pattern.kind is CallKind.FIXED:
        assert pattern.call is not None
        yield pattern.call, bindings
    elif pattern.kind is CallKind.BID:
        for suit, more in every_binding(pattern.suit, bindings):
            yield Call.bid(pattern.level, Strain(int(suit))), more
