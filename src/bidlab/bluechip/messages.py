"""The messages of the table-manager protocol, version 18: written exactly, read forgivingly.

Every message is a small value with its `line()`; `read_message` makes the value of a line. Robots differ in
case, blanks and punctuation, so that reading looks for the words that matter and passes over the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.calls import Call
from bidlab.bridge.cards import SUITS, Card, Seat, Suit
from bidlab.bridge.errors import BidlabError, quoted
from bidlab.bridge.hands import Hand

VERSION = 18


class ProtocolError(BidlabError):
    """A line that is no message, or not the one that was due."""


def out_of_step(got: str, waited: str) -> ProtocolError:
    """The error of a line that was not the one waited for."""
    return ProtocolError(f"got {quoted(got, 100)}, waited for {quoted(waited, 100)}")


class Stage(Enum):
    """What a player says it is ready for, in the words of the protocol."""

    TEAMS = "for teams"
    START = "to start"
    DEAL = "for deal"
    CARDS = "for cards"
    DUMMY = "for dummy"


@dataclass(frozen=True, slots=True)
class Connecting:
    """A robot asks for a seat; None: any that is free."""

    name: str
    seat: Seat | None = None
    version: int = VERSION

    def line(self) -> str:
        """The message as it is sent."""
        seat = "ANYPL" if self.seat is None else _big(self.seat)
        return f'Connecting "{_name(self.name)}" as {seat} using protocol version {self.version}'


@dataclass(frozen=True, slots=True)
class Seated:
    """The table has given the robot its seat."""

    seat: Seat
    name: str = ""

    def line(self) -> str:
        """The message as it is sent."""
        return f'{_big(self.seat)} ("{_name(self.name)}") seated'


@dataclass(frozen=True, slots=True)
class Refused:
    """The seat asked for is taken; None: no seat is free. Ours: the protocol has no word for it."""

    seat: Seat | None = None

    def line(self) -> str:
        """The message as it is sent."""
        return "No seat is free" if self.seat is None else f"{_big(self.seat)} is taken"


@dataclass(frozen=True, slots=True)
class Ready:
    """A player is ready for the next stage."""

    seat: Seat
    stage: Stage

    def line(self) -> str:
        """The message as it is sent."""
        return f"{_big(self.seat)} ready {self.stage.value}"


@dataclass(frozen=True, slots=True)
class ReadyForCall:
    """A player is ready to be told another's call."""

    seat: Seat
    maker: Seat

    def line(self) -> str:
        """The message as it is sent."""
        return f"{_big(self.seat)} ready for {_big(self.maker)}'s bid"


@dataclass(frozen=True, slots=True)
class ReadyForCard:
    """A player is ready to be told another's card to a trick, counted from 1."""

    seat: Seat
    player: Seat
    trick: int

    def line(self) -> str:
        """The message as it is sent."""
        return f"{_big(self.seat)} ready for {_big(self.player)}'s card to trick {self.trick}"


@dataclass(frozen=True, slots=True)
class Teams:
    """The names of the two sides."""

    north_south: str
    east_west: str

    def line(self) -> str:
        """The message as it is sent."""
        return f'Teams : N/S : "{_name(self.north_south)}" E/W : "{_name(self.east_west)}"'


@dataclass(frozen=True, slots=True)
class StartOfBoard:
    """A board is about to be dealt."""

    def line(self) -> str:
        """The message as it is sent."""
        return "Start of board"


@dataclass(frozen=True, slots=True)
class EndOfSession:
    """There are no more boards."""

    def line(self) -> str:
        """The message as it is sent."""
        return "End of session"


@dataclass(frozen=True, slots=True)
class Dealt:
    """The board to be played: its number, who deals, who is vulnerable."""

    number: int
    dealer: Seat
    vulnerable: Vulnerability

    def line(self) -> str:
        """The message as it is sent."""
        sides = ("Neither", "N/S", "E/W", "Both")[self.vulnerable]
        return f"Board number {self.number}. Dealer {_big(self.dealer)}. {sides} vulnerable."


@dataclass(frozen=True, slots=True)
class Cards:
    """The thirteen cards of a player; None: dummy's, for all to see."""

    seat: Seat | None
    hand: Hand

    def line(self) -> str:
        """The message as it is sent."""
        whose = "Dummy" if self.seat is None else _big(self.seat)
        suits = " ".join(f"{suit} {' '.join(self.hand.suit_text(suit)) or '-'}." for suit in reversed(SUITS))
        return f"{whose}'s cards : {suits}"


@dataclass(frozen=True, slots=True)
class Called:
    """A call, and what is said about it where it is alerted ("": nothing more)."""

    seat: Seat
    call: Call
    alert: str | None = None

    def line(self) -> str:
        """The message as it is sent."""
        words = ("passes", "doubles", "redoubles")
        made = f"bids {self.call.readable}" if self.call.is_bid else words[self.call]
        alert = "" if self.alert is None else f" Alert. {_plain(self.alert)}".rstrip()
        return f"{_big(self.seat)} {made}{alert}"


@dataclass(frozen=True, slots=True)
class ToLead:
    """A trick starts, and this hand leads to it; None: dummy."""

    seat: Seat | None

    def line(self) -> str:
        """The message as it is sent."""
        return f"{'Dummy' if self.seat is None else _big(self.seat)} to lead"


@dataclass(frozen=True, slots=True)
class Played:
    """A card that a hand plays; dummy's are played by declarer in dummy's name."""

    seat: Seat
    card: Card

    def line(self) -> str:
        """The message as it is sent."""
        return f"{_big(self.seat)} plays {self.card.rank}{self.card.suit.letter.lower()}"


@dataclass(frozen=True, slots=True)
class Timing:
    """The time that the sides have taken, on the board and in all, in seconds."""

    north_south: tuple[int, int]
    east_west: tuple[int, int]

    def line(self) -> str:
        """The message as it is sent."""
        sides = (("N/S", self.north_south), ("E/W", self.east_west))
        return "Timing - " + "  ".join(
            f"{side} : this board {_minutes(board)},  total {_hours(total)}."
            for side, (board, total) in sides
        )


Message = (
    Connecting
    | Seated
    | Refused
    | Ready
    | ReadyForCall
    | ReadyForCard
    | Teams
    | StartOfBoard
    | EndOfSession
    | Dealt
    | Cards
    | Called
    | ToLead
    | Played
    | Timing
)


# --- writing --------------------------------------------------------------------------------------------


def _big(seat: Seat) -> str:
    return seat.word.upper()


def _plain(text: str) -> str:
    """Text that fits into a line: one line of ASCII."""
    return " ".join(text.split()).encode("ascii", "replace").decode()


def _name(text: str) -> str:
    return _plain(text).replace('"', "'")


def _minutes(seconds: int) -> str:
    return f"{seconds // 60:2}:{seconds % 60:02}"


def _hours(seconds: int) -> str:
    return f"{seconds // 3600:2}:{seconds // 60 % 60:02}:{seconds % 60:02}"


# --- reading --------------------------------------------------------------------------------------------

_SEAT = r"(?P<seat>north|east|south|west|[nesw])"
_OTHER = _SEAT.replace("seat", "other")
_S = r"['’´`]?s"  # robots lose the apostrophe, or write another
_NS, _EW = r"n\W?s", r"e\W?w"
_TIME = r"(\d+(?::\d+)*)"


def read_message(text: str, waited: str = "") -> Message:
    """The message of a line; an error that says what was waited for where it is none.

    >>> read_message("north  PASSES\\r\\n")
    Called(seat=<Seat.NORTH: 0>, call=<Call.PASS: 0>, alert=None)
    """
    line = " ".join(text.split())
    try:
        for pattern, made in _READERS:
            if match := pattern.fullmatch(line):
                return made(match)
    except BidlabError as error:
        due = f"; waited for {quoted(waited, 100)}" if waited else ""
        raise ProtocolError(f"got {quoted(line, 100)}: {error}{due}") from None
    raise out_of_step(line, waited or "a message of the table-manager protocol")


def _seat(match: re.Match[str], group: str = "seat") -> Seat:
    return Seat(match[group])


def _connecting(match: re.Match[str]) -> Message:
    seat = None if match["seat"] is None else _seat(match)
    return Connecting(_bare(match["name"]), seat, int(match["version"] or VERSION))


def _bare(name: str) -> str:
    return name.strip().strip('"').strip()


def _seated(match: re.Match[str]) -> Message:
    return Seated(_seat(match), _bare(match["name"].strip().removeprefix("(").removesuffix(")")))


def _refused(match: re.Match[str]) -> Message:
    return Refused(None if match["seat"] is None else _seat(match))


def _ready(match: re.Match[str]) -> Message:
    return Ready(_seat(match), Stage[match["stage"].upper()])


def _teams(match: re.Match[str]) -> Message:
    return Teams(_bare(match["ns"]), _bare(match["ew"]))


def _dealt(match: re.Match[str]) -> Message:
    first = match["sides"][0].upper()
    sides = {"N": Vulnerability.NONE, "E": Vulnerability.EW}.get(first, Vulnerability.BOTH)
    if match["ns"]:
        sides = Vulnerability.NS
    return Dealt(int(match["number"]), _seat(match), sides)


def _cards(match: re.Match[str]) -> Message:
    return Cards(None if match["seat"] is None else _seat(match), _hand(match["cards"]))


def _hand(text: str) -> Hand:
    """The hand of cards with a suit's letter before each suit, whatever stands between them.

    No letter is both a suit and a rank, so that blanks and dots are not needed to tell them apart.
    """
    cards: list[Card] = []
    suit: Suit | None = None
    for letter in re.sub(r"[\s.,;:_-]", "", text.upper().replace("10", "T")):
        if letter in "SHDC":
            suit = Suit(letter)
        elif suit is None:
            raise ProtocolError(f"card {quoted(letter)} before any suit")
        else:
            cards.append(Card(f"{suit}{letter}"))
    if len(cards) != 13:
        raise ProtocolError(f"{len(cards)} cards: 13 are wanted")
    return Hand.of(cards)


def _called(match: re.Match[str]) -> Message:
    word = re.sub("NOTRUMPS?", "N", (match["call"] or match["word"]).upper().replace(" ", ""))
    spelt = {"D": Call.DOUBLE, "R": Call.REDOUBLE, "P": Call.PASS}.get(word[0])
    return Called(_seat(match), Call(word) if spelt is None else spelt, match["alert"])


def _to_lead(match: re.Match[str]) -> Message:
    return ToLead(None if match["seat"] is None else _seat(match))


def _played(match: re.Match[str]) -> Message:
    rank, suit = match["rank"] or match["rank2"], match["suit"] or match["suit2"]
    return Played(_seat(match), Card(suit + rank))


def _timing(match: re.Match[str]) -> Message:
    a, b, c, d = (_seconds(text) for text in match.groups())
    return Timing((a, b), (c, d))


def _seconds(text: str) -> int:
    total = 0
    for part in text.split(":"):
        total = 60 * total + int(part)
    return total


_BID = r"[1-7] ?(?:no ?trumps?|nt|sa|[ncdhs])"
_RANK = r"(?:10|[2-9tjqka])"
_TEAM_NAMES = (
    rf'"(?P<ns>[^"]*)" ?[,.;]? ?{_EW} ?:? ?"(?P<ew>[^"]*)".*',  # what follows is about scoring
    rf"(?P<ns>.*?) ?[,.;]? ?\b{_EW} ?:? ?(?P<ew>.*?)",
)
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], Message]], ...] = (
    (
        rf"connecting (?P<name>.*) as (?:{_SEAT}|any ?pl\w*)"
        r"(?: using)?(?: protocol)?(?: version)? ?(?P<version>\d{1,4})?",
        _connecting,
    ),
    (rf"{_SEAT} ready (?:for|to) (?P<stage>teams|start|deal|cards|dummy)", _ready),
    (rf"{_SEAT} ready for {_OTHER}{_S} (?:bid|call)", lambda m: ReadyForCall(_seat(m), _seat(m, "other"))),
    (
        rf"{_SEAT} ready for {_OTHER}{_S} card to trick (?P<trick>\d{{1,2}})",
        lambda m: ReadyForCard(_seat(m), _seat(m, "other"), int(m["trick"])),
    ),
    (r"start of board", lambda _: StartOfBoard()),
    (r"end of session", lambda _: EndOfSession()),
    (
        rf"board(?: number)? ?:? ?(?P<number>[1-9]\d{{0,8}})\W+dealer\W+{_SEAT}\W+"
        rf"(?P<sides>neither|none|(?P<ns>{_NS})|{_EW}|both|all)(?: sides?)? vul\w*",
        _dealt,
    ),
    (rf"(?:{_SEAT}|dummy){_S} cards ?:?(?P<cards>.*)", _cards),
    (rf"(?:{_SEAT}|dummy) to lead", _to_lead),
    (
        rf"{_SEAT} plays? (?:(?P<rank>{_RANK}) ?(?P<suit>[cdhs])|(?P<suit2>[cdhs]) ?(?P<rank2>{_RANK}))",
        _played,
    ),
    (
        rf"{_SEAT} (?:(?:bids? )?(?P<word>pass(?:es|ed)?|(?:re)?double[sd]?|r?dbl|xx?)"
        rf"|bids? (?P<call>{_BID}))[. ]*(?: ?\balert\b ?[.:]? ?(?P<alert>.*))?",
        _called,
    ),
    (
        rf"timing\W+{_NS} ?:? ?this board {_TIME}\W+total {_TIME}\W+"
        rf"{_EW} ?:? ?this board {_TIME}\W+total {_TIME}",
        _timing,
    ),
    (rf"{_SEAT} is taken|no seat is free", _refused),
    *((rf"teams ?:? ?{_NS} ?:? ?{names}", _teams) for names in _TEAM_NAMES),
    (rf"{_SEAT} (?P<name>\(?.*\)? ?)seated", _seated),
)
# A dot too many, or a blank, at the end of any line does no harm.
_READERS = tuple((re.compile(rf"{pattern}[. ]*", re.IGNORECASE), made) for pattern, made in _PATTERNS)
