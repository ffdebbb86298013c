"""bidlab: a laboratory for bridge bidding."""

from importlib.metadata import version

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
from bidlab.dealing import deal_bits, random_boards, random_deal
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
    "Doubling",
    "Hand",
    "Rank",
    "Record",
    "Result",
    "Seat",
    "SeatView",
    "Strain",
    "Suit",
    "Vulnerability",
    "auction_grid",
    "board_diagram",
    "board_text",
    "deal_bits",
    "discrete_victory_points",
    "imps",
    "matchpoints",
    "older_victory_points",
    "random_boards",
    "random_deal",
    "read_boards",
    "record_diagram",
    "victory_points",
    "viewer_link",
    "write_boards",
]
