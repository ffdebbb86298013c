"""bidlab: a laboratory for bridge bidding."""

from typing import TYPE_CHECKING

from bidlab._lazily import lazily

if TYPE_CHECKING:
    from bidlab._version import __version__ as __version__
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
else:
    __getattr__, __dir__ = lazily(
        __name__,
        {
            "bidlab._version": "__version__",
            "bidlab.bidders": "bidder",
            "bidlab.bridge.boards": "Board Vulnerability",
            "bidlab.bridge.calls": "Auction Call",
            "bidlab.bridge.cards": "Card Rank Seat Strain Suit",
            "bidlab.bridge.comparison": (
                "discrete_victory_points imps matchpoints older_victory_points victory_points"
            ),
            "bidlab.bridge.contracts": "Contract Doubling Result",
            "bidlab.bridge.errors": "BidlabError",
            "bidlab.bridge.hands": "Deal Hand",
            "bidlab.bridge.play": "Play",
            "bidlab.dealing": "Dealer deal_bits random_boards random_deal soft_sample",
            "bidlab.doubledummy": "Par Solver card_values makes par solve trick_table",
            "bidlab.formats": (
                "Record auction_grid board_diagram board_text read_boards record_diagram viewer_link "
                "write_boards"
            ),
            "bidlab.formats.optimum": "trick_table_text",
            "bidlab.library": "Library",
            "bidlab.matches": "bid_board match",
            "bidlab.meaning": "Knowledge Meaning",
            "bidlab.table": "SeatView",
        },
    )

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
