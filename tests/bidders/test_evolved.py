"""Systems that evolved, at the table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.systems.webb.populations import random_systems

from bidlab.bidders import bidder
from bidlab.bidders.evolved import Evolved
from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits, random_boards
from bidlab.systems.webb import Population
from bidlab.systems.webb.book import WebbBook
from bidlab.table import SeatView
from bidlab.table.bidding import Boards, bid_tables

FILE = Path(__file__).parent / "files" / "evolved.json"


def drawn(states: int, entries: int, seed: int) -> Evolved:
    """A random system that tells hands apart."""
    systems = random_systems(1, states, entries, seed, apt=True)
    system = Population(systems.words, systems.transitions, systems.inheritance).system(0)
    return Evolved(WebbBook(system, "random"), "random")


@pytest.mark.parametrize("seed", range(4))
def test_whole_tables_are_bid_as_call_by_call_with_full_disclosure(seed: int) -> None:
    """Two systems of different forms meet: what each discloses is all that the kernel knows of it."""
    pair = [drawn(4, 8, seed), drawn(8, 16, seed + 100)]
    boards = Boards.numbered(deal_bits(60, seed=seed))
    ns, ew = (np.arange(60) % 2).astype(np.uint8), (1 - np.arange(60) % 2).astype(np.uint8)
    told = bid_tables(boards, pair, ns, ew, wants_meanings=True)
    whole = bid_tables(boards, pair, ns, ew, wants_meanings=False)
    assert [told.auction(i) for i in range(60)] == [whole.auction(i) for i in range(60)]


def test_every_call_means_a_set_with_the_hand_that_made_it() -> None:
    examined = drawn(8, 16, 5)
    boards = Boards.numbered(deal_bits(40, seed=5))
    zeros = np.zeros(40, dtype=np.uint8)
    tables = bid_tables(boards, [examined], zeros, zeros)
    for table in range(40):
        auction = tables.auction(table)
        for place, meaning in enumerate(tables.meanings(table)):
            seat = (int(auction.dealer) + place) % 4
            assert meaning is not None and meaning.admits(boards.bits[table, seat : seat + 1])[0]


def test_it_meets_a_written_system() -> None:
    pair = [bidder(f"evolved:{FILE}"), bidder("natural")]
    boards = Boards.numbered(deal_bits(20, seed=1))
    ns, ew = (np.arange(20) % 2).astype(np.uint8), (1 - np.arange(20) % 2).astype(np.uint8)
    tables = bid_tables(boards, pair, ns, ew)
    assert {tables.auction(i).is_ended for i in range(20)} == {True}


def test_reasons_are_tests_of_the_hand() -> None:
    made = bidder(f"evolved:{FILE}")
    board: Board = next(iter(random_boards(1, seed=2)))
    decision = made.decide(SeatView.of(board, Auction(board.dealer, board.vulnerable)))
    assert decision.reasons[0].startswith("By the program of state 0")
    assert str(decision.candidates[0].note) == "evolved.json, state 0"


def test_the_file_alone_names_the_bidder() -> None:
    assert isinstance(bidder(str(FILE)), Evolved)


def test_files_that_hold_no_system_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "cut.json").write_text(FILE.read_text()[:200])
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for name, said in {
        "none.json": "cannot read .*none.json: No such file",
        "empty.json": "empty.json is no WEBB system",
        "cut.json": "cut.json is no JSON",
        "bytes.json": "bytes.json is no text",
    }.items():
        with pytest.raises(BidlabError, match=said) as raised:
            bidder(f"evolved:{tmp_path / name}")
        assert "\n" not in str(raised.value)
