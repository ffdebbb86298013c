"""Boards that the network bids, every call with what it shows; a golden file keeps what is said.

    python -m tests.bidders.lessons > tests/bidders/files/network.txt

after a change of the network, of its book or of the words, and then: read it aloud. The boards are the first
thirty of a seed that served nothing else, not the thirty that read best.
"""

from __future__ import annotations

from bidlab.bidders.network import NetworkBidder
from bidlab.bidders.registry import bidder
from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SEATS
from bidlab.dealing import random_boards
from bidlab.table.one_board import bid_out

BOARDS, SEED = 30, 30


def lesson_text(player: NetworkBidder, board: Board, number: int, *, estimates: bool) -> str:
    """A board: its hands, and its auction with what each call shows; "?" where nothing is known."""
    assert player.meanings is not None
    auction, _ = bid_out(board, player, player)
    lines = [f"{number}. {board.dealer.word} deals, {board.vulnerable.word}."]
    lines += [f"   {seat.word:<5}  {board.deal.hand(seat)}" for seat in SEATS]
    so_far = Auction(board.dealer, board.vulnerable)
    for call in auction.calls:
        seat = so_far.turn
        so_far = so_far.after(call)
        known = player.meanings.known(tuple(map(int, so_far.calls)))
        meaning = player.meaning(so_far) if estimates else known
        shown = "?" if meaning is None else meaning.short()
        inside = meaning is None or meaning.admits(board.deal.hand(seat))
        lines.append(f"   {seat.word:<5}  {call.symbol:<5} {shown}{'' if inside else '  (not this hand)'}")
    return "\n".join(lines)


def lessons(*, estimates: bool = True) -> str:
    """All boards; without estimates only what the book knows is said."""
    player = bidder("network:experts")
    assert isinstance(player, NetworkBidder)
    boards = random_boards(BOARDS, SEED)
    return "\n\n".join(
        lesson_text(player, board, number, estimates=estimates) for number, board in enumerate(boards, 1)
    )


if __name__ == "__main__":
    print(lessons())
