"""A first look at bidlab: one deal dealt, bid, explained, solved, scored, and written in several formats."""

from __future__ import annotations

from collections.abc import Sequence

from bidlab.bidders.registry import bidder
from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Call
from bidlab.cli.bidding import ToldCall, explained_calls_of
from bidlab.dealing import random_deal
from bidlab.doubledummy import par, trick_table
from bidlab.formats.diagram import auction_grid, board_diagram, result_text
from bidlab.formats.files import board_text
from bidlab.formats.links import viewer_link
from bidlab.formats.optimum import trick_table_text
from bidlab.formats.records import Note, Record
from bidlab.table.one_board import bid_out, scored

_SEED = 26862
_SYSTEM = "natural"


def walkthrough() -> str:
    """The whole walk as text."""
    board = Board(random_deal(_SEED), number=1)
    player = bidder(_SYSTEM)
    table = trick_table(board.deal)
    found = scored(board, *bid_out(board, player, player), table)
    told = tuple(explained_calls_of(found, (player, player)))
    record = Record(
        board,
        auction=found.auction,
        contract=found.contract,
        tricks=found.result.tricks,
        names=("Nora", "Edgar", "Sofia", "Wim"),
        call_notes=_notes(told),
        tags=(("Event", "A walk through bidlab"),),
    )
    parts = [
        (f"A deal, number 1 of seed {_SEED}", board_diagram(board, record.names)),
        (f"Bid by {_SYSTEM}", auction_grid(found.auction, record.call_notes)),
        ("Explained", "\n".join(one.text() for one in told)),
        ("Solved", f"{trick_table_text(table.tolist())}\n\nPar {par(table, board.dealer, board.vulnerable)}"),
        ("Scored", result_text(found.result)),
        ("As PBN", board_text([record], "pbn")),
        ("As LIN", board_text([record], "lin")),
        ("In BBO's hand viewer", viewer_link(record)),
    ]
    return "\n\n".join(f"== {title} ==\n\n{text.rstrip()}" for title, text in parts)


def _notes(told: Sequence[ToldCall]) -> tuple[Note, ...]:
    """What each bid and double shows, alerted where it is not what it names."""
    return tuple(
        Note(place, one.explained.shows, alert=any(rule.effects.artificial for rule in one.explained.rules))
        for place, one in enumerate(told)
        if one.explained.call != Call.PASS
    )


if __name__ == "__main__":
    print(walkthrough())
