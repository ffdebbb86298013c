"""What a player sees, and what not."""

import dataclasses

import pytest

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import Seat
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal
from bidlab.dealing import random_deal
from bidlab.table import SeatView


def test_view_shows_the_hand_of_the_player_to_call() -> None:
    board = Board(random_deal(4), number=2)
    auction = Auction(board.dealer, board.vulnerable)
    for seat in (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH):
        view = SeatView.of(board, auction)
        assert view.seat == seat and view.hand == board.deal.hand(seat)
        assert view.is_vulnerable == seat.is_north_south
        auction = auction.after("1C") if seat == Seat.EAST else auction.after("P")
    with pytest.raises(BidlabError, match="has ended"):
        SeatView(board.deal.hand("N"), auction)


def test_view_holds_no_hidden_card() -> None:
    fields = {field.name for field in dataclasses.fields(SeatView)}
    assert fields == {"hand", "auction", "disclosed"}
    deal = random_deal(4)
    north, east, south, west = deal.hands
    reshuffled = Deal.of((north, south, west, east))
    assert reshuffled != deal
    assert SeatView.of(Board(deal, number=1), Auction()) == SeatView.of(
        Board(reshuffled, number=1), Auction()
    )


def test_view_refuses_what_cannot_be() -> None:
    with pytest.raises(BidlabError, match="12 cards"):
        SeatView("AKQ2.T83.KQ9.A7", Auction())
    with pytest.raises(BidlabError, match="they must agree"):
        SeatView.of(Board(random_deal(4), number=2), Auction())
