"""A first look at bidlab: one deal dealt, drawn, bid, solved, scored, and written in several formats."""

from __future__ import annotations

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.dealing import random_deal
from bidlab.doubledummy import par, trick_table
from bidlab.formats.diagram import auction_grid, board_diagram, result_text
from bidlab.formats.files import board_text
from bidlab.formats.links import viewer_link
from bidlab.formats.optimum import trick_table_text
from bidlab.formats.records import Note, Record

_SEED = 26862


def walkthrough() -> str:
    """The whole walk as text."""
    board = Board(random_deal(_SEED), number=1)
    auction = Auction(board.dealer, board.vulnerable, "1N P 2D P 2H P 3N P 4H P P P")
    notes = (Note(0, "15-17, balanced"), Note(2, "transfer to hearts", alert=True))
    contract = auction.contract
    assert contract is not None and contract.strain is not None and contract.declarer is not None
    table = trick_table(board.deal)
    record = Record(
        board,
        auction=auction,
        contract=contract,
        tricks=int(table[contract.strain, contract.declarer]),
        names=("Nora", "Edgar", "Sofia", "Wim"),
        call_notes=notes,
        tags=(("Event", "A walk through bidlab"),),
    )
    result = record.result
    assert result is not None  # the auction has ended and the tricks are given
    parts = [
        (f"A deal, number 1 of seed {_SEED}", board_diagram(board, record.names)),
        ("Bid by hand", auction_grid(auction, notes)),
        ("Solved", f"{trick_table_text(table.tolist())}\n\nPar {par(table, board.dealer, board.vulnerable)}"),
        ("Scored", result_text(result)),
        ("As PBN", board_text([record], "pbn")),
        ("As LIN", board_text([record], "lin")),
        ("In BBO's hand viewer", viewer_link(record)),
    ]
    return "\n\n".join(f"== {title} ==\n\n{text.rstrip()}" for title, text in parts)


if __name__ == "__main__":
    print(walkthrough())
