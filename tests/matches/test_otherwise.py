"""Second thoughts: what is tried is bid on as the system would, and a silly rule is found out."""

from __future__ import annotations

import numpy as np
import pytest

from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import SEATS
from bidlab.bridge.comparison import imps
from bidlab.bridge.hands import Hand
from bidlab.library import library
from bidlab.matches.otherwise import tried_otherwise
from bidlab.matches.sources import LibraryBoards
from bidlab.systems.book import Book
from bidlab.systems.system import System

ONE_NOTRUMP, FOUR_SPADES = 7, 21
SOURCE = LibraryBoards(library("tune"))


def _bid_out(book: Book, boards, row: int, calls: list) -> Auction:
    """One auction to its end, a position at a time."""
    seats = (SEATS[boards.dealers[row]], VULNERABILITIES[boards.vulnerable[row]])
    while not (auction := Auction(*seats, calls)).is_ended:
        position = book.position(auction)
        hand = Hand(int(boards.bits[row, auction.turn]))
        calls = [*calls, position.rules[position.choice(hand)].call]
    return auction


def _points(auction: Auction, tricks: np.ndarray) -> int:
    """Points from North-South's side."""
    contract = auction.contract
    assert contract is not None
    if contract.declarer is None:
        return 0
    side = int(contract.declarer) % 2
    taken = int(tricks[int(contract.strain), int(contract.declarer)])
    score = contract.score(taken, bool(int(auction.vulnerable) >> side & 1))
    return -score if side else score


def test_what_is_tried_is_bid_on_and_scored_as_a_table_would():
    book = Book(System.load("natural"))
    boards = SOURCE.boards(1, 12)
    _, tricks = library("tune").deals(1, 12)
    trials = tried_otherwise(book, boards, SOURCE)
    assert len(trials) > 100
    assert (trials.chosen != trials.tried).all()
    for row in range(0, len(trials), 23):
        board, place = int(trials.board[row]), int(trials.place[row])
        whole = _bid_out(book, boards, board, [])
        other = _bid_out(book, boards, board, [*whole.calls[:place], CALLS[trials.tried[row]]])
        assert whole.calls[place] == CALLS[trials.chosen[row]]
        gain = _points(other, tricks[board]) - _points(whole, tricks[board])
        sign = 1 if (boards.dealers[board] + place) % 2 == 0 else -1
        assert trials.won[row] == imps(gain) * sign


def test_a_rule_that_loses_is_found_out():
    text = """system Silly
opening
  4S   15-17, balanced
  1N   14-17, balanced
  P
1N
  P
4S
  P
"""
    book = Book(System.parse(text))
    trials = tried_otherwise(book, SOURCE.boards(1, 400), SOURCE, misfit=0.0)
    silly = (trials.chosen == FOUR_SPADES) & (trials.tried == ONE_NOTRUMP)
    assert silly.sum() > 30
    assert trials.won[silly].mean() > 3 * trials.won[silly].std() / np.sqrt(silly.sum())
    assert trials.won_perfect[silly].mean() > trials.won[silly].mean()


@pytest.mark.parametrize("place", [1, 4])
def test_auctions_go_on_from_where_they_had_come(place):
    book = Book(System.load("natural"))
    boards = SOURCE.boards(1, 50)
    whole = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    begun = np.ascontiguousarray(whole[:, :place])
    assert np.array_equal(book.bid(boards.bits, boards.dealers, boards.vulnerable, begun), whole)
