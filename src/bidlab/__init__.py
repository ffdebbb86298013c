"""bidlab: a laboratory for bridge bidding."""

from importlib.metadata import version

from bidlab.bidders import bidder
from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Card, Rank, Seat, Strain, Suit
from bidlab.bridge.comparison import (
    discrete_victory_points,
    imps,
    matchpoints,
    older_victory_points,
    victory_points,
)
from bidlab.bridge.contracts import Contract, Doubling, Result
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal, Hand
from bidlab.bridge.play import Play
from bidlab.dealing import Dealer, deal_bits, random_boards, random_deal, soft_sample
from bidlab.doubledummy import Par, Solver, card_values, makes, par, solve, trick_table
from bidlab.formats import (
    Record,
    auction_grid,
    board_diagram,
    board_text,
    read_boards,
    record_diagram,
    viewer_link,
    write_boards,
)
from bidlab.formats.optimum import trick_table_text
from bidlab.library import Library
from bidlab.matches import bid_board, match
from bidlab.meaning import Knowledge, Meaning
from bidlab.table import SeatView

__version__ = version("bidlab")

__all__ = [
    "Auction",
    "BidlabError",
    "Board",
    "Call",
    "Card",
    "Contract",
    "Deal",
    "Dealer",
    "Doubling",
    "Hand",
    "Knowledge",
    "Library",
    "Meaning",
    "Par",
    "Play",
    "Rank",
    "Record",
    "Result",
    "Seat",
    "SeatView",
    "Solver",
    "Strain",
    "Suit",
    "Vulnerability",
    "auction_grid",
    "bid_board",
    "bidder",
    "board_diagram",
    "board_text",
    "card_values",
    "deal_bits",
    "discrete_victory_points",
    "imps",
    "makes",
    "match",
    "matchpoints",
    "older_victory_points",
    "par",
    "random_boards",
    "random_deal",
    "read_boards",
    "record_diagram",
    "soft_sample",
    "solve",
    "trick_table",
    "trick_table_text",
    "victory_points",
    "viewer_link",
    "write_boards",
]
