"""Boards bid in step, beside one auction at a time."""

import numpy as np
import pytest
from tests.matches.players import Chatterer, Passer, Pointer

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Deal
from bidlab.dealing import deal_bits, random_boards
from bidlab.meaning.meaning import Meaning
from bidlab.table import Bidder, BidderError, Decision, Decisions, SeatView, ViewBatch
from bidlab.table.bidding import Boards, bid_tables, finished_tables


def one_by_one(board: Board, ns: Bidder, ew: Bidder) -> tuple[Auction, tuple[Meaning | None, ...]]:
    """The auction of a board, bid call by call."""
    auction = Auction(board.dealer, board.vulnerable)
    meanings: tuple[Meaning | None, ...] = ()
    while not auction.is_ended:
        view = SeatView(board.deal.hand(auction.turn), auction, meanings)
        decision = (ns if view.seat.is_north_south else ew).decide(view)
        auction, meanings = auction.after(decision.call), (*meanings, decision.meaning)
    return auction, meanings


def test_tables_in_step_bid_as_one_by_one() -> None:
    boards = random_boards(120, seed=3)
    bidders = [Chatterer(1), Pointer(), Passer()]
    ns = np.array([i % 3 for i in range(120)], dtype=np.uint8)
    ew = np.array([i // 3 % 3 for i in range(120)], dtype=np.uint8)
    tables = bid_tables(Boards.of(boards), bidders, ns, ew)
    for i, board in enumerate(boards):
        auction, meanings = one_by_one(board, bidders[ns[i]], bidders[ew[i]])
        assert tables.auction(i) == auction
        assert tables.meanings(i) == meanings
        contract = auction.contract
        assert contract is not None
        assert (tables.last[i] == 0) == contract.is_passed_out
        if contract.declarer is not None:
            assert tables.declarers[i] == contract.declarer and tables.doubled[i] == contract.doubling
            assert (int(tables.last[i]) + 2) % 5 == contract.strain


def test_contracts_of_whole_auctions_are_those_bid_in_step() -> None:
    boards = Boards.of(random_boards(500, seed=4))
    who = np.arange(500, dtype=np.uint8) % 3
    tables = bid_tables(boards, [Chatterer(5), Pointer(), Passer()], who, who[::-1])
    again = finished_tables(boards, tables.calls)
    assert set(tables.doubled.tolist()) == {0, 1, 2} and 0 in tables.last
    for name in ("calls", "last", "doubled", "declarers"):
        assert np.array_equal(getattr(again, name), getattr(tables, name)), name
    none = finished_tables(boards.rows(np.arange(0)), tables.calls[:0])
    assert len(none.declarers) == len(none.last) == 0


def test_legal_calls_in_arrays_are_those_of_the_auction() -> None:
    seen = []

    class Watcher(Chatterer):
        def decide_many(self, views: ViewBatch) -> Decisions:
            for row, view in zip(views.legal, views, strict=True):
                assert np.flatnonzero(row).tolist() == [int(call) for call in view.legal_calls]
                seen.append(len(view.auction))
            return super().decide_many(views)

    everyone = np.zeros(60, dtype=np.uint8)
    bid_tables(Boards.of(random_boards(60, seed=8)), [Watcher(2)], everyone, everyone)
    assert max(seen) > 15 and len(seen) > 500


def test_boards_in_arrays_are_numbered_as_boards_are() -> None:
    arrays = Boards.numbered(deal_bits(40, seed=2, first=9), first=9)
    for i, board in enumerate(random_boards(40, seed=2, first=9)):
        assert (arrays.dealers[i], arrays.vulnerable[i], arrays.numbers[i]) == (
            board.dealer,
            board.vulnerable,
            board.number,
        )
        assert Deal.of_bits(arrays.bits[i].tolist()) == board.deal


def test_a_batch_is_the_views_it_is_made_of() -> None:
    board = random_boards(1, seed=5)[0]
    view = SeatView(board.deal.hand("S"), Auction("N", "NS", "1N P"), (Meaning.parse("15-17"), None))
    batch = ViewBatch.of([view, view])
    assert list(batch) == [view, view] and batch.calls.shape == (2, 2)


def test_an_illegal_call_is_said_with_auction_and_hand() -> None:
    class Wrong(Passer):
        name = "wrong"

        def decide_many(self, views: ViewBatch) -> Decisions:
            return Decisions(np.full(len(views), Call("X"), dtype=np.uint8))

    nobody = np.zeros(1, dtype=np.uint8)
    with pytest.raises(BidderError, match=r'wrong made the illegal call X in "" with .*\.'):
        bid_tables(Boards.of(random_boards(1, seed=1)), [Wrong()], nobody, nobody)


def test_meanings_must_be_as_many_as_calls() -> None:
    board = random_boards(1, seed=5)[0]
    with pytest.raises(Exception, match="1 meanings for 2 calls"):
        SeatView(board.deal.hand("S"), Auction("N", "NS", "1N P"), (None,))


def test_a_decision_keeps_its_reasons() -> None:
    view = SeatView("AKQ2.T83.KQ9.A76", Auction())
    assert Pointer().decide(view) == Decision(Call("1N"), Meaning.parse("15+"), ("enough points",))
