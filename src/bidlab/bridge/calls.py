"""Calls and auctions: what may be said, by whom, and what it comes to (laws 17 to 22).

Calls are numbered pass 0, double 1, redouble 2, then 1C = 3 .. 7NT = 37. An auction is a value: a call
added to it makes a new one, checked without looking at the calls before, and no auction with an illegal call
exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import STRAINS, Named, Seat, Strain, name_values
from bidlab.bridge.contracts import DOUBLINGS, Contract
from bidlab.bridge.errors import IllegalCallError, NotationError


def _call_texts() -> dict[str, int]:
    """Every text that is read as a call, in upper case."""
    texts = dict.fromkeys(("P", "PASS", "PASSES", "PA", "NB"), 0)
    texts |= dict.fromkeys(("X", "DBL", "DOUBLE", "D", "DB", "*"), 1)
    texts |= dict.fromkeys(("XX", "RDBL", "REDOUBLE", "R", "RD", "REDBL", "**"), 2)
    names = (("C", "♣"), ("D", "♦"), ("H", "♥"), ("S", "♠"), ("N", "NT", "SA"))
    for level in range(1, 8):
        for strain in range(5):
            for name in names[strain]:
                texts[f"{level}{name}"] = 5 * level + strain - 2
    return texts


_CALLS = _call_texts()


class Call(Named):
    """A pass, a double, a redouble or a bid.

    >>> Call("1NT").strain, str(Call("Pass")), Call.bid(4, Strain.SPADES).symbol
    (<Strain.NOTRUMP: 4>, 'P', '4♠')
    """

    PASS = 0
    DOUBLE = 1
    REDOUBLE = 2
    ONE_CLUB = 3
    ONE_DIAMOND = 4
    ONE_HEART = 5
    ONE_SPADE = 6
    ONE_NOTRUMP = 7
    TWO_CLUBS = 8
    TWO_DIAMONDS = 9
    TWO_HEARTS = 10
    TWO_SPADES = 11
    TWO_NOTRUMP = 12
    THREE_CLUBS = 13
    THREE_DIAMONDS = 14
    THREE_HEARTS = 15
    THREE_SPADES = 16
    THREE_NOTRUMP = 17
    FOUR_CLUBS = 18
    FOUR_DIAMONDS = 19
    FOUR_HEARTS = 20
    FOUR_SPADES = 21
    FOUR_NOTRUMP = 22
    FIVE_CLUBS = 23
    FIVE_DIAMONDS = 24
    FIVE_HEARTS = 25
    FIVE_SPADES = 26
    FIVE_NOTRUMP = 27
    SIX_CLUBS = 28
    SIX_DIAMONDS = 29
    SIX_HEARTS = 30
    SIX_SPADES = 31
    SIX_NOTRUMP = 32
    SEVEN_CLUBS = 33
    SEVEN_DIAMONDS = 34
    SEVEN_HEARTS = 35
    SEVEN_SPADES = 36
    SEVEN_NOTRUMP = 37

    @classmethod
    def bid(cls, level: int, strain: Strain | str) -> Call:
        """The bid of a level and a strain."""
        if not 1 <= level <= 7:
            raise NotationError(f"no bid at level {level}: a level from 1 to 7 is wanted")
        return CALLS[5 * level + Strain(strain) - 2]

    @property
    def symbol(self) -> str:
        """The call as people write it: "Pass", "Dbl", "Rdbl", "1♠", "3NT"."""
        if self < 3:
            return ("Pass", "Dbl", "Rdbl")[self]
        return f"{self.level}{self.strain.symbol}"

    @property
    def readable(self) -> str:
        """The call in plain letters, with notrump in full, as in "2NT"."""
        return f"{self}T" if self >= 3 and self.strain == Strain.NOTRUMP else str(self)

    @property
    def is_bid(self) -> bool:
        """Whether the call names a level and a strain."""
        return self >= 3

    @property
    def level(self) -> int:
        """The level of a bid."""
        self._must_be_bid()
        return (self + 2) // 5

    @property
    def strain(self) -> Strain:
        """The strain of a bid."""
        self._must_be_bid()
        return STRAINS[(self + 2) % 5]

    def _must_be_bid(self) -> None:
        if self < 3:
            raise NotationError(f"{self.symbol} is no bid: it has no level and no strain")


CALLS = tuple(Call)
_CALL_TEXTS = ("P", "X", "XX", *(f"{n // 5 + 1}{'CDHSN'[n % 5]}" for n in range(35)))

name_values(Call, _CALL_TEXTS, _CALLS, "P X XX 1C 1D 1H 1S 1N .. 7N")

_PASS, _DOUBLE, _REDOUBLE = Call.PASS, Call.DOUBLE, Call.REDOUBLE


def _legal_tables() -> tuple[tuple[tuple[Call, ...], ...], ...]:
    """The legal calls by what else than pass and bids is legal (0, X, XX) and by the last bid."""
    extras = ((_PASS,), (_PASS, _DOUBLE), (_PASS, _REDOUBLE))
    return tuple(tuple(extra + CALLS[max(last + 1, 3) :] for last in range(38)) for extra in extras)


_LEGAL = _legal_tables()
_SEPARATORS = re.compile(r"[\s,]+")

# Where an auction stands: the last bid (0: none), how many calls came before it, whether it is doubled
# (1) or redoubled (2), and the passes in a row at the end.
_State = tuple[int, int, int, int]
_START: _State = (0, 0, 0, 0)


def _walked(state: _State, calls: Sequence[Call], count: int) -> _State:
    """The state after more calls, `count` calls having gone before; an error at the first illegal one."""
    last, bidder, doubled, passes = state
    for call in calls:
        if passes >= 3 and (last or passes == 4):
            raise _IllegalStepError(count)
        if call >= 3:
            if call <= last:
                raise _IllegalStepError(count)
            last, bidder, doubled, passes = call, count, 0, 0
        elif call == 0:
            passes += 1
        elif call == 1:
            if not last or doubled or not (count - bidder) & 1:
                raise _IllegalStepError(count)
            doubled, passes = 1, 0
        else:
            if doubled != 1 or (count - bidder) & 1:
                raise _IllegalStepError(count)
            doubled, passes = 2, 0
        count += 1
    return last, bidder, doubled, passes


class _IllegalStepError(Exception):
    """Raised inside the walk with the place of the illegal call; always turned into IllegalCallError."""


def _illegal(before: Auction, call: Call) -> IllegalCallError:
    """The error that says why a call may not follow an auction."""
    last, bidder, doubled, _ = before._state
    over = f" over {CALLS[last].readable}" if call >= 3 and last else ""
    if before.is_ended:
        why = "the auction has ended"
    elif call >= 3:
        lowest = f"the lowest is {CALLS[last + 1].readable}" if last < 37 else "no bid does"
        why = f"a bid must outrank {CALLS[last].readable}; {lowest}"
    elif not last:
        why = "nobody has bid"
    elif call == 1:
        ours = not (len(before) - bidder) & 1
        why = (
            f"{CALLS[last].readable} is the own side's bid; only an opponent's bid is doubled"
            if ours
            else f"{CALLS[last].readable} is {('', 'doubled', 'redoubled')[doubled]} already"
        )
    else:
        why = (
            f"{CALLS[last].readable} is not doubled"
            if doubled != 1
            else "only the side that was doubled redoubles"
        )
        if doubled == 2:
            why = f"{CALLS[last].readable} is redoubled already"
    return IllegalCallError(f'illegal call {call.readable}{over} in "{before}": {why}')


@cache  # there are 420 of them
def _contract(last: int, doubled: int, declarer: Seat | None) -> Contract:
    bid = CALLS[last]
    return Contract(bid.level, bid.strain, DOUBLINGS[doubled], declarer)


class Auction:
    """The calls made so far, from the dealer on, each of them legal.

    >>> auction = Auction("N", "none", "1N P")
    >>> auction.turn, auction.is_ended, str(auction.after("2C"))
    (<Seat.SOUTH: 2>, False, '1N P 2C')
    >>> Auction("N", "none", "1S P 2S P 4S P P P").contract
    Contract('4S by N')
    """

    __slots__ = ("_state", "calls", "dealer", "vulnerable")

    dealer: Seat
    vulnerable: Vulnerability
    calls: tuple[Call, ...]
    _state: _State

    def __init__(
        self,
        dealer: Seat | str = Seat.NORTH,
        vulnerable: Vulnerability | str = Vulnerability.NONE,
        calls: str | Iterable[Call | str | int] = (),
    ) -> None:
        if isinstance(calls, str):
            calls = [word for word in _SEPARATORS.split(calls) if word]
        made = tuple([call if type(call) is Call else Call(call) for call in calls])
        if type(dealer) is not Seat:
            dealer = Seat(dealer)
        if type(vulnerable) is not Vulnerability:
            vulnerable = Vulnerability(vulnerable)
        try:
            state = _walked(_START, made, 0)
        except _IllegalStepError as step:
            place = step.args[0]
            raise _illegal(Auction(dealer, vulnerable, made[:place]), made[place]) from None
        self._put(dealer, vulnerable, made, state)

    def _put(self, dealer: Seat, vulnerable: Vulnerability, calls: tuple[Call, ...], state: _State) -> None:
        put = object.__setattr__
        put(self, "dealer", dealer)
        put(self, "vulnerable", vulnerable)
        put(self, "calls", calls)
        put(self, "_state", state)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Auction is frozen: after() gives one with another call, not {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("an Auction is frozen")

    def after(self, call: Call | str) -> Auction:
        """The auction with one more call; an error if that call is illegal."""
        if type(call) is not Call:
            call = Call(call)
        try:
            state = _walked(self._state, (call,), len(self.calls))
        except _IllegalStepError:
            raise _illegal(self, call) from None
        longer = object.__new__(Auction)
        longer._put(self.dealer, self.vulnerable, (*self.calls, call), state)
        return longer

    def legal_calls(self) -> tuple[Call, ...]:
        """The calls that the player to call may choose from, lowest first; none once it has ended."""
        last, bidder, doubled, passes = self._state
        if passes >= 3 and (last or passes == 4):
            return ()
        theirs = (len(self.calls) - bidder) & 1
        if not last or doubled == 2 or doubled == theirs:
            return _LEGAL[0][last]  # neither double nor redouble
        return _LEGAL[1 if theirs else 2][last]

    def is_legal(self, call: Call) -> bool:
        """Whether that call may be made now."""
        return call in self.legal_calls()

    @property
    def is_ended(self) -> bool:
        """Whether the auction is over: three passes after a bid, or four at the start."""
        last, _, _, passes = self._state
        return passes >= 3 and (last > 0 or passes == 4)

    @property
    def turn(self) -> Seat:
        """The player to call next; an error once the auction has ended."""
        if self.is_ended:
            raise IllegalCallError(f'nobody is to call: "{self}" has ended')
        return self.dealer.plus(len(self.calls))

    @property
    def last_bid(self) -> Call | None:
        """The last bid, or None while nobody has bid."""
        return CALLS[self._state[0]] if self._state[0] else None

    @property
    def declarer(self) -> Seat | None:
        """Who of the side with the last bid first named its strain; None while nobody has bid."""
        last, bidder, _, _ = self._state
        if not last:
            return None
        strain = (last + 2) % 5
        for place in range(bidder & 1, bidder + 1, 2):
            call = self.calls[place]
            if call >= 3 and (call + 2) % 5 == strain:
                return self.dealer.plus(place)
        raise AssertionError("the last bid names its own strain")

    @property
    def contract(self) -> Contract | None:
        """The final contract, or None while the auction goes on."""
        if not self.is_ended:
            return None
        last, _, doubled, _ = self._state
        if not last:
            return Contract.passed_out()
        return _contract(last, doubled, self.declarer)

    def seats(self) -> Iterator[tuple[Seat, Call]]:
        """Each call with the player who made it."""
        for place, call in enumerate(self.calls):
            yield self.dealer.plus(place), call

    def __len__(self) -> int:
        return len(self.calls)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Auction):
            return NotImplemented
        return (self.dealer, self.vulnerable, self.calls) == (
            other.dealer,
            other.vulnerable,
            other.calls,
        )

    def __hash__(self) -> int:
        return hash((self.dealer, self.vulnerable, self.calls))

    def __reduce__(self) -> tuple[type[Auction], tuple[Seat, Vulnerability, tuple[Call, ...]]]:
        return Auction, (self.dealer, self.vulnerable, self.calls)

    def __str__(self) -> str:
        return " ".join([_CALL_TEXTS[call] for call in self.calls])

    def __repr__(self) -> str:
        return f"Auction({str(self.dealer)!r}, {str(self.vulnerable)!r}, {str(self)!r})"
