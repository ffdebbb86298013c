"""Records: a board and what was written down of it at one table, whatever the format.

Every reader makes records and every writer takes them, so that any format turns into any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Card, Seat, Strain
from bidlab.bridge.contracts import Contract, Result
from bidlab.bridge.errors import IllegalCallError
from bidlab.bridge.hands import Deal
from bidlab.bridge.play import players

Names = tuple[str, str, str, str]
NO_NAMES: Names = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class Note:
    """Something written beside one call or card, counted from 0."""

    place: int
    text: str = ""
    alert: bool = False
    nags: tuple[int, ...] = ()  # PBN's numeric annotation glyphs, as in $1 for a good call


@dataclass(frozen=True, slots=True)
class Table:
    """A supplemental table of PBN, kept as it stands: its tag, its columns, its lines."""

    tag: str
    columns: str
    rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One board as it was recorded at one table; what is unknown is None or empty."""

    board: Board
    auction: Auction | None = None
    contract: Contract | None = None
    tricks: int | None = None  # won by declarer
    play: tuple[Card, ...] = ()  # in the order played
    names: Names = NO_NAMES  # N E S W
    room: str = ""  # "Open" or "Closed" in a team match
    call_notes: tuple[Note, ...] = ()
    card_notes: tuple[Note, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()  # everything else, by PBN's tag names, in alphabetical order
    tables: tuple[Table, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def result(self) -> Result | None:
        """What was scored, where contract, declarer and tricks are known."""
        contract = self.contract
        if contract is None:
            return None
        if contract.is_passed_out:
            return Result(contract, 0, self.board.vulnerable)
        if contract.declarer is None or self.tricks is None:
            return None
        return Result(contract, self.tricks, self.board.vulnerable)

    @property
    def leader(self) -> Seat | None:
        """The player of the opening lead, where the declarer is known."""
        if self.contract is None or self.contract.declarer is None:
            return None
        return self.contract.declarer.next

    def tag(self, name: str) -> str:
        """The value of a tag, or "" where it is not recorded."""
        return next((value for tag, value in self.tags if tag == name), "")


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that could not be read, or that a format cannot hold."""

    file: str
    line: int  # 0 where no line is to blame
    text: str
    is_error: bool = True  # False: nothing was wrong with the input, but the user should know

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.text}"


_BLANKS = re.compile(r"[ \t\r\n\v\f]+")


def one_line(text: str) -> str:
    """Text with each run of blanks and line ends as one blank, and none around it; others spaces stay."""
    if "  " in text or not text.isprintable():
        text = _BLANKS.sub(" ", text)
    return text.strip(" ")


def whole_number(text: str) -> int | None:
    """The number that a text of at most 18 digits writes; None for any other text."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


Reporter = Callable[[int, str, bool], None]  # line, text, whether it is an error


def legal_part(
    dealer: Seat, vulnerable: Vulnerability, calls: Sequence[Call]
) -> tuple[Auction, Sequence[Call]]:
    """The longest legal auction that calls begin with, and the calls after it."""
    auction = Auction(dealer, vulnerable)
    for place, call in enumerate(calls):
        try:
            auction = auction.after(call)
        except IllegalCallError:
            return auction, calls[place:]
    return auction, ()


def checked_auction(
    dealer: Seat, vulnerable: Vulnerability, calls: Sequence[tuple[Call, int]], report: Reporter
) -> Auction | None:
    """The auction of calls with the numbers of their lines; None, and a report, where one is illegal.

    Passes too many at the end do no harm: they are dropped and mentioned.
    """
    auction, surplus = legal_part(dealer, vulnerable, [call for call, _ in calls])
    if surplus:
        line = calls[len(auction)][1]
        if not auction.is_ended or any(call != Call.PASS for call in surplus):
            try:
                auction.after(surplus[0])
            except IllegalCallError as error:
                report(line, f"auction left out: {error}", True)
            return None
        report(line, "passes after the end of the auction left out", False)
    return auction


def within(notes: Sequence[Note], count: int) -> tuple[Note, ...]:
    """The notes that stand beside one of so many calls or cards."""
    return tuple([note for note in notes if note.place < count])


def in_order(cards: Sequence[Card], leader: Seat, strain: Strain, deal: Deal) -> tuple[tuple[Card, ...], str]:
    """The cards up to the first that its player cannot have played, and what is wrong, if anything."""
    seen: set[Card] = set()
    for place, (card, seat) in enumerate(zip(cards, players(cards, leader, strain), strict=True)):
        hand = deal[seat]
        is_held = card in hand if hand is not None else False
        if hand is None or any(hand.spots):
            is_held = deal.holder(card) in (None, seat)
        if not is_held or card in seen:
            why = f"{seat.word} does not hold it" if not is_held else "it was played before"
            return tuple(cards[:place]), f"play left out from {card} in trick {place // 4 + 1} on: {why}"
        seen.add(card)
    return tuple(cards), ""
