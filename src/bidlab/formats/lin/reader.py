"""Reading LIN: what happened at each table, out of the stream of commands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from bidlab.bridge.boards import Board, Vulnerability, dealer_of, vulnerability_of
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import CARDS, SEATS, Card, Seat, Strain
from bidlab.bridge.contracts import Contract, Doubling
from bidlab.bridge.errors import BidlabError, NotationError, quoted
from bidlab.bridge.hands import ALL_CARDS, Deal, Hand
from bidlab.bridge.play import players, tricks_won
from bidlab.formats.lin.commands import Command, commands
from bidlab.formats.records import (
    NO_NAMES,
    Names,
    Note,
    Record,
    Reporter,
    checked_auction,
    in_order,
    one_line,
    whole_number,
    within,
)

_HAND = re.compile(r"S([AKQJT2-9]*)H([AKQJT2-9]*)D([AKQJT2-9]*)C([AKQJT2-9]*)")
_CALLS = re.compile(
    r"(?P<call>PASS|P|DBL|DOUBLE|D|XX|X|REDBL|REDOUBLE|RDBL|R|[1-7](?:NT|SA|[CDHSN]))(?P<alert>!?)|[-?\s]",
    re.IGNORECASE,
)
_RESULT = re.compile(r"([1-7])(NT|[CDHSN])(X{0,2})([NESW]?)(X{0,2})(=|[+-]\d{1,2})?", re.IGNORECASE)
_BOARD_NUMBER = re.compile(r"(?:.*?\b(?:board|bd)\D{0,3})?\s*(\d+)", re.IGNORECASE)
_SCORING = {"I": "IMP", "P": "MP", "B": "BAM"}
_RANKS = {rank: i for i, rank in enumerate("23456789TJQKA")}


def read_lin(lines: Iterable[str], report: Reporter) -> Iterator[Record]:
    """The records of a LIN file."""
    file = _File()
    for command in commands(lines):
        if not command.is_closed and not _is_whole(command):
            text = f"{command.name}|{command.value}"
            report(command.line, f"{quoted(text)} at the end left out: a closing bar is wanted", True)
            continue
        ended = file.add(command, report)
        record = ended.record(report) if ended is not None else None
        if record is not None:
            yield record
    record = file.draft.record(report) if file.draft is not None else None
    if record is not None:
        yield record


def _is_whole(command: Command) -> bool:
    """Whether a value without its bar is still beyond doubt: a card, a call or a whole deal."""
    value = command.value.strip()
    if command.name == "pc":
        return len(value) == 2
    if command.name == "mb":
        return bool(re.fullmatch(r"[PXDR]|[1-7][CDHSN]", value, re.IGNORECASE))
    if command.name == "md":
        return len(re.findall(r"[AKQJT2-9]", value[1:], re.IGNORECASE)) in (39, 52)
    return value == "" or command.name in ("", "pg", "nt", "st", "rh")


def unescaped(text: str) -> str:
    """Text with BBO's stand-ins for comma and bar resolved."""
    if "%" in text:
        text = text.replace("%COMMA%", ",").replace("%PIPE%", "|")
    return one_line(text)


@dataclass(slots=True)
class _Draft:
    """A board as far as it has been read."""

    line: int
    tags: tuple[tuple[str, str], ...]
    deal: str | None = None
    deal_line: int = 0
    other_room: _Draft | None = None
    number: int | None = None
    room: str = ""
    vulnerable: str | None = None
    names: Names = NO_NAMES
    calls: list[tuple[Call, int]] = field(default_factory=list)
    bad_call: tuple[str, int] | None = None
    comments: list[str] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    cards: list[tuple[Card, int]] = field(default_factory=list)
    bad_card: tuple[str, int] | None = None
    claim: tuple[str, int] | None = None
    result: str = ""  # as in 4HEx-1
    is_own_result: bool = False  # given with the board, not in the file's list

    # --- adding ---

    def add_calls(self, text: str, line: int) -> None:
        """Add the calls of one value, usually one."""
        place = 0
        text = text.strip()
        while place < len(text):
            match = _CALLS.match(text, place)
            if match is None:
                if self.bad_call is None:
                    self.bad_call = text, line
                return
            if match["call"]:
                self.calls.append((Call(match["call"]), line))
                if match["alert"]:
                    self.notes.append(Note(len(self.calls) - 1, alert=True))
            place = match.end()

    def explain(self, text: str) -> None:
        """Add an explanation of the last call."""
        text = unescaped(text)
        if not self.calls:
            if text:
                self.comments.append(text)
            return
        place = len(self.calls) - 1
        last = self.notes[-1] if self.notes else None
        if last is not None and last.place == place and last.alert and not last.text:
            self.notes[-1] = replace(last, text=text)
        elif text == "!":
            self.notes.append(Note(place, alert=True))
        elif text:
            self.notes.append(Note(place, text))

    def add_cards(self, text: str, line: int) -> None:
        """Add the cards of one value, usually one; a suit holds until the next is named."""
        if self.bad_card is not None:
            return
        suit = -1
        fresh = False  # whether a suit still waits for its card
        for letter in text.strip().upper().replace("10", "T"):
            if letter in "CDHS":
                if fresh:
                    break
                suit, fresh = "CDHS".index(letter), True
            elif letter in _RANKS and suit >= 0:
                self.cards.append((CARDS[13 * suit + _RANKS[letter]], line))
                fresh = False
            elif letter not in "! \n":
                fresh = True
                break
        if fresh:
            self.bad_card = text, line

    # --- the record ---

    def record(self, report: Reporter) -> Record | None:
        """The record, if there is a deal or an auction and the deal can be read."""
        if self.deal is None and not self.calls:
            return None
        if self.deal is None and self.other_room is not None:
            self.deal, self.deal_line = self.other_room.deal, self.line
            self.vulnerable = self.vulnerable or self.other_room.vulnerable
        self.other_room = None
        try:
            digit, deal = _deal((self.deal or "").strip())
        except BidlabError as error:
            report(self.deal_line, f"deal left out: {error}", True)
            return None
        dealer = self._dealer(digit, report)
        vulnerable = self._vulnerable(report)
        auction = self._auction(dealer, vulnerable, report)
        contract, tricks = self._contract(auction, report)
        if deal == Deal.unknown() and self.number is None and auction is None and contract is None:
            return None
        play: tuple[Card, ...] = ()
        if self.cards or self.bad_card:
            play = self._play(deal, contract, report)
        if contract is not None and contract.strain is not None and tricks is None:
            tricks = self._tricks(deal, contract, play, report)
        return Record(
            board=Board(deal, dealer, vulnerable, self.number),
            auction=auction,
            contract=contract,
            tricks=tricks if contract is not None and not contract.is_passed_out else None,
            play=play,
            names=self.names,
            room=self.room,
            call_notes=within(self.notes, len(auction) if auction is not None else 0),
            tags=self.tags,
            comments=tuple(self.comments),
        )

    def _dealer(self, digit: str, report: Reporter) -> Seat:
        if digit in ("1", "2", "3", "4"):
            return SEATS[(int(digit) + 1) & 3]  # 1 is South
        dealer = dealer_of(self.number or 1)
        if self.number is None:
            report(self.deal_line or self.line, f"no dealer and no number: {dealer.word} is assumed", False)
        return dealer

    def _vulnerable(self, report: Reporter) -> Vulnerability:
        if self.vulnerable is None:
            assumed = vulnerability_of(self.number or 1)
            if self.number is None:
                report(self.line, f"no vulnerability and no number: {assumed} is assumed", False)
            return assumed
        first = self.vulnerable.strip()[:1].upper()
        return {"N": Vulnerability.NS, "E": Vulnerability.EW, "B": Vulnerability.BOTH}.get(
            first, Vulnerability.NONE
        )

    def _auction(self, dealer: Seat, vulnerable: Vulnerability, report: Reporter) -> Auction | None:
        if self.bad_call is not None:
            text, line = self.bad_call
            report(line, f"auction left out: no call {quoted(text)}, such as 1N, p, d or r", True)
            return None
        if not self.calls:
            return None
        return checked_auction(dealer, vulnerable, self.calls, report)

    def _contract(self, auction: Auction | None, report: Reporter) -> tuple[Contract | None, int | None]:
        """The contract by the auction or the list of results, and the tricks by that list."""
        bid = auction.contract if auction is not None else None
        listed, tricks = self._listed()
        if listed is None or bid == listed:
            return bid, tricks
        if bid is None or self.is_own_result:
            return listed, tricks
        why = f"result {self.result} does not fit the auction, which ends in {bid}"
        report(self.line, f"{why}: the auction counts", False)
        return bid, None

    def _listed(self) -> tuple[Contract | None, int | None]:
        text = self.result.strip()
        if text[:1].upper() in ("P", "A"):
            return Contract.passed_out(), None
        match = _RESULT.fullmatch(text)
        if match is None:
            return None, None
        level, strain, before, seat, after, balance = match.groups()
        contract = Contract(
            int(level), Strain(strain), Doubling(before or after), Seat(seat) if seat else None
        )
        if balance is None:
            return contract, None
        tricks = contract.tricks_needed + (0 if balance == "=" else int(balance))
        return (contract, tricks) if 0 <= tricks <= 13 else (None, None)

    def _play(self, deal: Deal, contract: Contract | None, report: Reporter) -> tuple[Card, ...]:
        play: tuple[Card, ...] = ()
        if self.cards:
            line = self.cards[0][1]
            if contract is None or contract.strain is None or contract.declarer is None:
                report(line, "play left out: it needs a contract to be followed", False)
                return ()
            cards = [card for card, _ in self.cards]
            play, problem = in_order(cards, contract.declarer.next, contract.strain, deal)
            if problem:
                report(self.cards[len(play)][1], problem, True)
                return play
        if self.bad_card is not None:
            text, line = self.bad_card
            why = f"no card {quoted(text)}: one such as SA or HT is wanted"
            report(line, f"play left out from trick {len(play) // 4 + 1} on: {why}", True)
        return play

    def _tricks(self, deal: Deal, contract: Contract, play: tuple[Card, ...], report: Reporter) -> int | None:
        """Declarer's tricks by the claim, or by the play where at most one trick is left."""
        if self.claim is not None:
            text, line = self.claim
            claimed = whole_number(text)
            if claimed is not None and claimed <= 13:
                if claimed or play:
                    return claimed
                return None  # no claim of nought before the lead: some programs mean "unknown"
            if text:
                report(line, f"no claim {quoted(text)}: declarer's tricks, 0 to 13, are wanted", True)
        if contract.declarer is None or contract.strain is None or len(play) < 48:
            return None
        leader = contract.declarer.next
        whole = _last_trick(deal, play, leader, contract.strain)
        if len(whole) < 52:
            return None
        return tricks_won(whole, leader, contract.strain)[contract.declarer & 1]


def _last_trick(deal: Deal, play: tuple[Card, ...], leader: Seat, strain: Strain) -> tuple[Card, ...]:
    """The play with the cards of the last trick, of which nobody has a choice."""
    if not deal.is_complete:
        return play
    cards = list(play)
    played = sum(1 << card for card in cards)
    while len(cards) < 52:
        start = len(cards) // 4 * 4
        if start < 48:
            return play
        if len(cards) == 48:
            seat = players([*cards, CARDS[0]], leader, strain)[-1]
        else:
            seat = players(cards, leader, strain)[-1].next
        hand = deal.hand(seat).bits & ~played & ALL_CARDS
        if hand.bit_count() != 1:
            return play
        played |= hand
        cards.append(CARDS[hand.bit_length() - 1])
    return tuple(cards)


@dataclass(slots=True)
class _File:
    """What holds for all boards of a file, and the board that is being read."""

    draft: _Draft | None = None
    tags: tuple[tuple[str, str], ...] = ()
    names: tuple[Names, Names] = (NO_NAMES, NO_NAMES)  # open and closed room
    results: list[str] = field(default_factory=list)
    first: int = 1
    new_names: tuple[Names, Names] | None = None  # of the next board, or of this one: the next md tells

    def add(self, command: Command, report: Reporter) -> _Draft | None:
        """Take in a command; the board that ends with it, if one does."""
        name, value, line, _ = command
        if name == "qx":
            return self._begin_room(value, line)
        if name == "md":
            return self._begin_deal(value, line)
        if name == "vg":
            ended, self.draft = self.draft, None
            self._read_heading(value)
            return ended
        if name == "pn":
            self._read_names(value, line, report)
        elif name == "rs":
            if self.draft is not None and self.draft.deal is not None:
                self.draft.result, self.draft.is_own_result = value, True
            else:
                self.results = value.split(",")
        else:
            self._read_event(name, value, line)
        return None

    def _read_event(self, name: str, value: str, line: int) -> None:
        """Take in a command about the board at hand: its number, a call, a card ..."""
        if name not in ("mb", "an", "pc", "mc", "sv", "ah", "up"):
            return
        draft = self._draft(line)
        self._settle_names(draft)
        if name == "mb":
            draft.add_calls(value, line)
        elif name == "an":
            draft.explain(value)
        elif name == "pc":
            draft.add_cards(value, line)
        elif name == "mc":
            draft.claim = value.strip(), line
        elif name == "sv":
            draft.vulnerable = value
        elif name == "ah":
            match = _BOARD_NUMBER.match(value.replace("+", " "))
            if match is not None and draft.number is None:
                draft.number = whole_number(match[1]) or None
        else:  # up: cards taken back
            del draft.cards[max(len(draft.cards) - (whole_number(value) or 0), 0) :]

    def _draft(self, line: int) -> _Draft:
        if self.draft is None:
            self.draft = _Draft(line, self.tags, names=self.names[0])
        return self.draft

    def _begin_room(self, value: str, line: int) -> _Draft | None:
        ended = self.draft
        if self.new_names is not None:
            self.names = self.new_names
            self.new_names = None
        draft = self.draft = _Draft(line, self.tags)
        match = re.match(r"\s*([A-Za-z]?)\s*(\d*)", value)
        letter, digits = match.groups() if match else ("", "")
        draft.room = {"O": "Open", "C": "Closed"}.get(letter.upper(), "")
        draft.names = self.names[draft.room == "Closed"]
        draft.number = whole_number(digits) or None
        if ended is not None and ended.number == draft.number:
            draft.other_room = ended  # whose deal is meant where this room has none
        if draft.number is not None:
            place = 2 * (draft.number - self.first) + (draft.room == "Closed")
            if 0 <= place < len(self.results):
                draft.result = self.results[place]
        return ended

    def _begin_deal(self, value: str, line: int) -> _Draft | None:
        ended = None
        if self.draft is not None and self.draft.deal is not None:
            ended, self.draft = self.draft, None
        draft = self._draft(line)
        self._settle_names(draft)
        draft.deal, draft.deal_line = value, line
        return ended

    def _settle_names(self, draft: _Draft) -> None:
        """Give names that came after the last deal to the board that goes on or begins now."""
        if self.new_names is not None:
            self.names, self.new_names = self.new_names, None
            draft.names = self.names[draft.room == "Closed"]

    def _read_heading(self, value: str) -> None:
        parts = [unescaped(part) for part in value.split(",")]
        parts += [""] * (9 - len(parts))
        title, stage, scoring, first, _, home, _, visit, _ = parts[:9]
        scoring = _SCORING.get(scoring[:1].upper(), "")
        tags = (
            ("Event", title),
            ("HomeTeam", home),
            ("Scoring", scoring),
            ("Stage", stage),
            ("VisitTeam", visit),
        )
        self.tags = tuple((tag, text) for tag, text in tags if text)
        self.first = whole_number(first) or 1
        self.results = []
        self.names, self.new_names = (NO_NAMES, NO_NAMES), None

    def _read_names(self, value: str, line: int, report: Reporter) -> None:
        parts = [unescaped(part) for part in value.split(",")]
        while len(parts) > 4 and not parts[-1] and len(parts) != 8:
            parts.pop()
        if len(parts) > 8:
            report(line, f"names {quoted(value)} left out: four or eight are wanted", False)
            return
        parts += [""] * (8 - len(parts))
        rooms = (_by_seat(parts[:4]), _by_seat(parts[4:]))
        if self.draft is None:
            self.names = rooms
        elif self.draft.deal is None:
            self.new_names = rooms if any(parts[4:]) else (rooms[0], rooms[0])
            self._settle_names(self.draft)
        else:
            self.new_names = rooms if any(parts[4:]) else (rooms[0], rooms[0])


def _by_seat(parts: list[str]) -> Names:
    """Names given as S W N E, as N E S W; a dash is no name, nor are the words of all seats."""
    if parts == ["South", "West", "North", "East"]:
        return NO_NAMES
    south, west, north, east = ("" if name == "-" else name for name in parts)
    return north, east, south, west


@lru_cache(maxsize=256)
def _deal(text: str) -> tuple[str, Deal]:
    """The dealer's digit and the deal of an md value; cached, for a deal often stands once a room."""
    digit = text[0] if text[:1].isdigit() and text[:1] in "01234" else ""
    parts = [part.strip().upper() for part in text[len(digit) :].split(",")]
    while len(parts) > 4 and not parts[-1]:
        parts.pop()
    if len(parts) > 4:
        raise NotationError(f"{len(parts)} hands in {quoted(text)}: at most four are wanted")
    hands: list[Hand | None] = [lin_hand(part) for part in parts]
    hands += [None] * (4 - len(hands))
    south, west, north, east = hands
    if east is not None and len(east) < 13 and all(h is not None and len(h) == 13 for h in hands[:3]):
        filled = Deal((north, None, south, west)).completed()
        if east.bits & ~filled.hand(Seat.EAST).bits == 0:
            return digit, filled  # the fourth hand is only begun, as some programs leave it
    return digit, Deal((north, east, south, west)).completed()


def lin_hand(text: str) -> Hand | None:
    """The hand written with suit letters, as in SAKQ2HT83DKQ9CA76; None for an empty text."""
    text = text.upper()
    match = _HAND.fullmatch(text)
    if match is not None:
        return Hand.parse(".".join(match.groups()), partial=True)
    if not text:
        return None
    suits = {"S": "", "H": "", "D": "", "C": ""}
    suit = ""
    for letter in text.replace("10", "T"):
        if letter in suits:
            suit = letter
        elif letter in _RANKS or letter == "X":
            if not suit:
                raise NotationError(f"no suit for {letter} in hand {quoted(text)}: S H D or C is wanted")
            suits[suit] += letter
        elif letter not in " -\n":
            raise NotationError(
                f"no card {quoted(letter)} in hand {quoted(text)}: A K Q J T 9 .. 2 are wanted"
            )
    return Hand.parse(".".join(suits.values()), spots=True, partial=True)
