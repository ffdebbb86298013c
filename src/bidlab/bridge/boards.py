"""Boards: a deal with its dealer and vulnerability, which follow from the board's number (law 2)."""

from __future__ import annotations

from dataclasses import dataclass

from bidlab.bridge.cards import SEATS, Named, Seat, name_values
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal

_VULNERABILITIES = {
    "NONE": 0, "LOVE": 0, "NEITHER": 0, "NO": 0, "NIL": 0, "-": 0, "O": 0,
    "NS": 1, "N-S": 1, "N/S": 1, "SN": 1,
    "EW": 2, "E-W": 2, "E/W": 2, "WE": 2,
    "BOTH": 3, "ALL": 3, "BO": 3,
}  # fmt: skip


class Vulnerability(Named):
    """Which sides are vulnerable: bit 0 for North-South, bit 1 for East-West.

    >>> str(Vulnerability("All")), Vulnerability("EW").includes(Seat.NORTH)
    ('both', False)
    """

    NONE = 0
    NS = 1
    EW = 2
    BOTH = 3

    def __bool__(self) -> bool:
        return self > 0

    @property
    def word(self) -> str:
        """The vulnerability as a player says it."""
        return ("nobody", "North-South", "East-West", "both sides")[self] + " vulnerable"

    def includes(self, seat: Seat) -> bool:
        """Whether that seat's side is vulnerable."""
        return bool(self >> (seat & 1) & 1)


name_values(Vulnerability, ("none", "NS", "EW", "both"), _VULNERABILITIES)
VULNERABILITIES = tuple(Vulnerability)


def dealer_of(number: int) -> Seat:
    """The dealer of a board by its number: North deals the first, then clockwise (law 2)."""
    return SEATS[(number - 1) & 3]


def vulnerability_of(number: int) -> Vulnerability:
    """The vulnerability of a board by its number, a cycle of sixteen (law 2).

    >>> [str(vulnerability_of(number)) for number in (1, 2, 3, 4, 5, 16, 17)]
    ['none', 'NS', 'EW', 'both', 'NS', 'EW', 'none']
    """
    cycle = (number - 1) & 15
    return VULNERABILITIES[(cycle + (cycle >> 2)) & 3]


@dataclass(frozen=True, slots=True, init=False)
class Board:
    """A deal to be bid: the cards, who deals, who is vulnerable, and its number if it has one.

    Dealer and vulnerability follow from the number; what is given beside it goes before it.

    >>> deal = Deal.unknown()
    >>> Board(deal, number=7) == Board(deal, number=7, dealer="S", vulnerable="both")
    True
    >>> Board(deal, dealer="N", vulnerable="NS").vulnerable
    <Vulnerability.NS: 1>
    """

    deal: Deal
    dealer: Seat
    vulnerable: Vulnerability
    number: int | None

    def __init__(
        self,
        deal: Deal,
        dealer: Seat | str | None = None,
        vulnerable: Vulnerability | str | None = None,
        number: int | None = None,
    ) -> None:
        if number is not None and number < 1:
            raise BidlabError(f"no board {number}: boards are numbered from 1")
        start = number or 1
        put = object.__setattr__
        put(self, "deal", deal)
        if type(dealer) is not Seat:
            dealer = dealer_of(start) if dealer is None else Seat(dealer)
        if type(vulnerable) is not Vulnerability:
            vulnerable = vulnerability_of(start) if vulnerable is None else Vulnerability(vulnerable)
        put(self, "dealer", dealer)
        put(self, "vulnerable", vulnerable)
        put(self, "number", number)
