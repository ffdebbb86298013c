"""One board at the table, as far as it has come: its calls, its cards, and the record of it."""

from __future__ import annotations

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Card, Seat
from bidlab.bridge.contracts import Contract
from bidlab.bridge.play import Play, players
from bidlab.formats.records import Names, Note, Record


class BoardInPlay:
    """A board that is being bid and played; calls and cards are checked as they are added."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.auction = Auction(board.dealer, board.vulnerable)
        self.alerts: dict[int, str] = {}  # by place of the call
        self.cards: tuple[Card, ...] = ()

    @property
    def contract(self) -> Contract | None:
        """The contract; None while the auction goes on."""
        return self.auction.contract

    @property
    def declarer(self) -> Seat:
        """Who plays the hand, once there is a contract that somebody bid."""
        declarer = self.auction.declarer
        assert declarer is not None
        return declarer

    @property
    def is_over(self) -> bool:
        """Whether the board is passed out or all its cards are played."""
        contract = self.contract
        return contract is not None and (contract.is_passed_out or len(self.cards) == 52)

    def add_call(self, call: Call, alert: str | None) -> None:
        """Add a call by the player whose turn it is; an error if it is illegal."""
        longer = self.auction.after(call)
        if alert is not None:
            self.alerts[len(self.auction)] = alert
        self.auction = longer

    def play_before(self, place: int) -> Play:
        """The play before that card, counted from 0."""
        contract = self.contract
        assert contract is not None
        return Play.of_contract(self.board.deal, contract, self.cards[:place])

    def player(self, place: int) -> Seat:
        """The hand that plays that card, counted from 0; those before it must have been played."""
        seat = self.play_before(place).to_play
        assert seat is not None
        return seat

    def card_of(self, player: Seat, trick: int) -> Card | None:
        """The card of a hand to a trick, counted from 1; None where it is not played yet."""
        whole = self.play_before(len(self.cards))
        seats = players(self.cards, whole.leader, whole.strain)
        for place in range(4 * trick - 4, min(4 * trick, len(seats))):
            if seats[place] == player:
                return self.cards[place]
        return None

    def add_card(self, card: Card) -> None:
        """Add a card by the hand whose turn it is; an error if it may not be played."""
        now = self.play_before(len(self.cards))
        self.cards = Play(now.deal, now.strain, now.leader, (*now.cards, card)).cards

    def record(self, names: Names) -> Record:
        """What is written down of the board once it is over."""
        notes = tuple(Note(place, text, alert=True) for place, text in sorted(self.alerts.items()))
        contract = self.contract
        tricks = None
        if contract is not None and not contract.is_passed_out:
            tricks = self.play_before(len(self.cards)).won[self.declarer & 1]
        return Record(self.board, self.auction, contract, tricks, self.cards, names, call_notes=notes)
