"""One board bid to the end, a decision a call, and scored by its double-dummy table."""

from __future__ import annotations

from dataclasses import dataclass

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.contracts import Contract, Result
from bidlab.doubledummy import Tables
from bidlab.table.bidder import Bidder
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView


@dataclass(frozen=True, slots=True)
class BidBoard:
    """One board bid to the end: the auction, a decision a call, the contract, and its double-dummy result."""

    board: Board
    auction: Auction
    decisions: tuple[Decision, ...]
    result: Result

    @property
    def contract(self) -> Contract:
        """The final contract."""
        return self.result.contract

    @property
    def score(self) -> int:
        """The double-dummy score, from North-South's side."""
        return self.result.score


def bid_out(board: Board, ns: Bidder, ew: Bidder) -> tuple[Auction, tuple[Decision, ...]]:
    """The auction of a board and its decisions, a call each."""
    auction = Auction(board.dealer, board.vulnerable)
    decisions: list[Decision] = []
    while not auction.is_ended:
        told = tuple(decision.meaning for decision in decisions)
        shown = told if any(meaning is not None for meaning in told) else ()
        view = SeatView(board.deal.hand(auction.turn), auction, shown)
        decisions.append((ns if view.seat.is_north_south else ew).decide(view))
        auction = auction.after(decisions[-1].call)
    return auction, tuple(decisions)


def scored(board: Board, auction: Auction, decisions: tuple[Decision, ...], table: Tables) -> BidBoard:
    """A board that was bid, with the result by its double-dummy table."""
    contract = auction.contract
    assert contract is not None  # the auction has ended
    tricks = 0
    if contract.strain is not None and contract.declarer is not None:
        tricks = int(table[contract.strain, contract.declarer])
    return BidBoard(board, auction, decisions, Result(contract, tricks, board.vulnerable))
