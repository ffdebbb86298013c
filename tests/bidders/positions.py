"""Positions to ask bidders about: random boards, and random legal auctions before the last pass."""

import random

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.hands import Deal
from bidlab.dealing import random_boards
from bidlab.table import SeatView

# Passes and low bids are likelier than among the legal calls, where auctions would end at the seventh level.
_LOWEST = 6


def prefix(board: Board, length: int, rng: random.Random) -> Auction:
    """A legal auction of that many calls that goes on."""
    auction = Auction(board.dealer, board.vulnerable)
    while len(auction) < length:
        following = auction.after(rng.choice(auction.legal_calls()[:_LOWEST]))
        auction = auction if following.is_ended else following
    return auction


def boards_and_auctions(count: int, seed: int, length: int | None = None) -> list[tuple[Board, Auction]]:
    """Boards with an auction each, of a given length or of 0 to 8 calls."""
    rng = random.Random(seed)
    return [
        (board, prefix(board, rng.randrange(9) if length is None else length, rng))
        for board in random_boards(count, seed)
    ]


def views(count: int, seed: int, length: int | None = None) -> list[SeatView]:
    """What the players to call see there."""
    return [SeatView.of(board, auction) for board, auction in boards_and_auctions(count, seed, length)]


def reshuffled(board: Board, auction: Auction, rng: random.Random) -> Board:
    """The board with the cards dealt anew that the player to call does not see."""
    hidden = [card for seat, hand in enumerate(board.deal.hands) if seat != auction.turn for card in hand]
    rng.shuffle(hidden)
    bits = [sum(1 << card for card in hidden[13 * i : 13 * i + 13]) for i in range(3)]
    bits.insert(auction.turn, board.deal.hand(auction.turn).bits)
    return Board(Deal.of_bits(bits), board.dealer, board.vulnerable, board.number)
