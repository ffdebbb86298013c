"""A player at a table over TCP: a bidder of ours calls for it, and a simple player plays its cards.

When the connection drops it joins again, and the host shows the board from its start. At its own earlier
turns it says again what it said before, which it remembers; so it does not matter how much of it the host had
heard.
"""

from __future__ import annotations

import socket
import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bidlab.bluechip.cardplay import CardPlayer, PlayView
from bidlab.bluechip.lines import Lines, line_bytes
from bidlab.bluechip.messages import (
    Called,
    Cards,
    Connecting,
    Dealt,
    EndOfSession,
    Message,
    Played,
    Ready,
    ReadyForCall,
    ReadyForCard,
    Refused,
    Seated,
    Stage,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
    out_of_step,
    read_message,
)
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Card, Seat
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Hand
from bidlab.table import Bidder, SeatView

_M = TypeVar("_M", bound=Message)
_FIRST_PAUSE = 0.05  # seconds before joining again; twice as long each time


class _Dropped(Exception):  # noqa: N818 - the player joins again
    """The connection has ended."""


class _Link:
    """The player's end of the connection."""

    def __init__(self, address: str, port: int, patience: float | None) -> None:
        try:
            self._socket = socket.create_connection((address, port), timeout=patience)
        except OSError as error:
            raise _Dropped(error.strerror or str(error)) from None
        # A player often says two things in a row; without this the second would wait for the first's receipt.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._patience = patience
        self._lines = Lines()
        self._waiting: deque[str] = deque()

    def say(self, message: Message) -> None:
        try:
            self._socket.sendall(line_bytes(message))
        except OSError as error:
            raise _Dropped(error.strerror or str(error)) from None

    def next(self, waited: str) -> Message:
        """The next message; what is told about time is passed over."""
        while True:
            while not self._waiting:
                self._receive(waited)
            message = read_message(self._waiting.popleft(), waited)
            if not isinstance(message, Timing):
                return message

    def _receive(self, waited: str) -> None:
        try:
            data = self._socket.recv(4096)
        except TimeoutError:
            raise BidlabError(f"got nothing for {self._patience:g} s, waited for '{waited}'") from None
        except OSError as error:
            raise _Dropped(error.strerror or str(error)) from None
        if not data:
            raise _Dropped("the table has hung up")
        self._waiting += self._lines.feed(data)

    def close(self) -> None:
        self._socket.close()


@dataclass(slots=True)
class _Said:
    """What the player has said on the board in hand, by place: said again when it is shown again."""

    dealt: Dealt | None = None
    hand: Hand | None = None
    calls: dict[int, Called] = field(default_factory=dict)
    cards: dict[int, Card] = field(default_factory=dict)


class TablePlayer:
    """Takes a seat, bids with a bidder and plays cards until the session ends.

    `attempts` is how often in a row it tries to join (again); `patience` how long, in seconds, it waits for
    any message (None: for ever); with `alerts` a call with a meaning is alerted, and the meaning is its text.
    """

    def __init__(
        self,
        seat: Seat | str | None,
        bidder: Bidder,
        *,
        name: str = "bidlab",
        cards: CardPlayer | None = None,
        alerts: bool = False,
        attempts: int = 6,
        patience: float | None = None,
    ) -> None:
        self._asked = None if seat is None else Seat(seat)
        self._seat = Seat.NORTH if self._asked is None else self._asked
        self._bidder = bidder
        self._name = name
        self._cards = CardPlayer() if cards is None else cards
        self._alerts = alerts
        self._attempts = attempts
        self._patience = patience
        self._said = _Said()
        self._boards = 0
        self._failures = 0  # in a row
        self._is_stopped = False

    def stop(self) -> None:
        """Do not join again when the connection ends."""
        self._is_stopped = True

    def play(self, address: str, port: int) -> int:
        """Join the table and play until the session ends; how many boards were played."""
        while True:
            try:
                self._attend(address, port)
                return self._boards
            except _Dropped as dropped:
                self._failures += 1
                if self._is_stopped:
                    return self._boards
                if self._failures >= self._attempts:
                    raise BidlabError(
                        f"no table at {address}:{port} after {self._attempts} attempts: {dropped}"
                    ) from None
                time.sleep(_FIRST_PAUSE * 2 ** (self._failures - 1))

    def _attend(self, address: str, port: int) -> None:
        """One connection, from taking the seat to the end of the session."""
        link = _Link(address, port, self._patience)
        try:
            self._sit_down(link)
            link.say(Ready(self._seat, Stage.TEAMS))
            self._expect(link, Teams, Teams("A", "B").line())
            while True:
                link.say(Ready(self._seat, Stage.START))
                got = link.next(StartOfBoard().line())
                if isinstance(got, EndOfSession):
                    return
                if not isinstance(got, StartOfBoard):
                    raise out_of_step(got.line(), StartOfBoard().line())
                self._play_board(link)
        finally:
            link.close()

    def _sit_down(self, link: _Link) -> None:
        link.say(Connecting(self._name, self._asked))
        waited = Seated(self._seat, self._name)
        got = link.next(waited.line())
        if isinstance(got, Refused):
            # The host may not have seen yet that the old connection is gone.
            raise _Dropped(f"the table says '{got.line()}'")
        if not isinstance(got, Seated) or self._asked not in (None, got.seat):
            raise out_of_step(got.line(), waited.line())
        self._seat = self._asked = got.seat

    def _expect(self, link: _Link, kind: type[_M], waited: str) -> _M:
        got = link.next(waited)
        if not isinstance(got, kind):
            raise out_of_step(got.line(), waited)
        return got

    # --- one board ----------------------------------------------------------------------------------------

    def _play_board(self, link: _Link) -> None:
        seat = self._seat
        link.say(Ready(seat, Stage.DEAL))
        dealt = self._expect(link, Dealt, "Board number 1. Dealer NORTH. Neither vulnerable.")
        link.say(Ready(seat, Stage.CARDS))
        waited = f"{seat.word.upper()}'s cards"
        shown = self._expect(link, Cards, waited)
        if shown.seat != seat:
            raise out_of_step(shown.line(), waited)
        if (self._said.dealt, self._said.hand) != (dealt, shown.hand):
            self._said = _Said(dealt, shown.hand)
        auction = self._bid(link, Auction(dealt.dealer, dealt.vulnerable), shown.hand)
        contract = auction.contract
        if contract is not None and contract.declarer not in (None, seat.partner):
            self._play_cards(link, PlayView(contract, seat, shown.hand))
        self._boards += 1
        self._failures = 0
        self._said = _Said()

    def _bid(self, link: _Link, auction: Auction, hand: Hand) -> Auction:
        """Bid to the end of the auction; the auction."""
        while not auction.is_ended:
            turn = auction.turn
            if turn == self._seat:
                said = self._own_call(auction, hand)
                link.say(said)
                call = said.call
            else:
                call = self._others_call(link, turn)
            auction = auction.after(call)
        return auction

    def _own_call(self, auction: Auction, hand: Hand) -> Called:
        """The call that the bidder makes; the same as before where it was made before."""
        place = len(auction)
        if place not in self._said.calls:
            decision = self._bidder.decide(SeatView(hand, auction))
            alert = decision.meaning.short() if self._alerts and decision.meaning is not None else None
            self._said.calls[place] = Called(self._seat, decision.call, alert)
        return self._said.calls[place]

    def _others_call(self, link: _Link, maker: Seat) -> Call:
        link.say(ReadyForCall(self._seat, maker))
        waited = f"a call by {maker.word.upper()}"
        got = self._expect(link, Called, waited)
        if got.seat != maker:
            raise out_of_step(got.line(), waited)
        return got.call

    def _play_cards(self, link: _Link, view: PlayView) -> None:
        """Play the board out, as declarer or as a defender."""
        for place in range(52):
            if place == 1:
                link.say(Ready(self._seat, Stage.DUMMY))
                view = replace(view, dummy=self._expect(link, Cards, "Dummy's cards").hand)
            turn = view.turn()
            is_mine = turn == self._seat or (turn.partner == self._seat == view.declarer)
            card = self._own_card(link, view, turn) if is_mine else self._others_card(link, view, turn)
            view = replace(view, cards=(*view.cards, card))

    def _own_card(self, link: _Link, view: PlayView, turn: Seat) -> Card:
        """Play a card from the own hand or from dummy; the same as before where it was played before."""
        place = len(view.cards)
        if place % 4 == 0:
            waited = ToLead(turn)
            got = self._expect(link, ToLead, waited.line())
            if got.seat not in (turn, None):  # None: dummy
                raise out_of_step(got.line(), waited.line())
        if place not in self._said.cards:
            self._said.cards[place] = self._cards.card(view)
        link.say(Played(turn, self._said.cards[place]))
        return self._said.cards[place]

    def _others_card(self, link: _Link, view: PlayView, turn: Seat) -> Card:
        link.say(ReadyForCard(self._seat, turn, len(view.cards) // 4 + 1))
        waited = f"a card from {turn.word.upper()}"
        got = self._expect(link, Played, waited)
        if got.seat != turn:
            raise out_of_step(got.line(), waited)
        return got.card
