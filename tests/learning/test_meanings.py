"""Hands gathered from boards, and the book that describes them."""

from pathlib import Path

import numpy as np
import pytest
from tests.bidders.blackbox import BlackBox
from tests.matches.players import Pointer

from bidlab.bidders.meaningbook import MeaningBook
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.learning.meanings import Gathered, book_of, gathered
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidding import Boards, bid_tables


@pytest.fixture(scope="module")
def box() -> BlackBox:
    return BlackBox()


@pytest.fixture(scope="module")
def found(box: BlackBox) -> Gathered:
    return gathered(box, 4000, seed=6, least=0.02)


@pytest.fixture(scope="module")
def book(found: Gathered) -> MeaningBook:
    return book_of(found)


def sequences(found: Gathered) -> list[tuple[int, ...]]:
    return [tuple(row[row != NO_CALL].tolist()) for row in found.calls]


def test_every_common_beginning_is_counted_with_the_hands_of_its_last_caller(
    box: BlackBox, found: Gathered
) -> None:
    boards = Boards.numbered(deal_bits(4000, seed=6))
    nobody = np.zeros(4000, dtype=np.uint8)
    held: dict[tuple[int, ...], list[int]] = {}
    for board, row in enumerate(bid_tables(boards, [box], nobody, nobody).calls):
        made = tuple(row[row != NO_CALL].tolist())
        for place in range(len(made)):
            caller = (int(boards.dealers[board]) + place) % 4
            held.setdefault(made[: place + 1], []).append(int(boards.bits[board, caller]))
    common = {calls: hands for calls, hands in held.items() if len(hands) >= 80}
    assert found.boards == 4000 and set(sequences(found)) == set(common)
    for calls, count, row in zip(sequences(found), found.count.tolist(), found.hands, strict=True):
        assert count == len(common[calls])
        assert row[row != 0].tolist() == common[calls][:400]


def test_the_file_gives_the_same_back(found: Gathered, tmp_path: Path) -> None:
    found.write(tmp_path / "gathered.npz")
    again = Gathered.read(tmp_path / "gathered.npz")
    assert (again.calls == found.calls).all() and (again.hands == found.hands).all()
    assert (again.count == found.count).all() and again.boards == found.boards
    (tmp_path / "other.npz").write_text("no arrays")
    with pytest.raises(BidlabError, match="holds no gathered hands"):
        Gathered.read(tmp_path / "other.npz")


def test_the_book_has_every_sequence_with_hands_enough(found: Gathered, book: MeaningBook) -> None:
    assert set(book) == set(sequences(found))
    notrump = book.entry((7,))
    assert notrump is not None and notrump.meaning.short() == "15-17, balanced"
    assert notrump.meaning.admits(notrump.example)


def test_two_workers_write_the_same_book(found: Gathered, book: MeaningBook) -> None:
    assert book_of(found, workers=2).encoded() == book.encoded()


def test_a_bidder_without_batches_is_gathered_too() -> None:
    few = gathered(Pointer(15), 300, seed=2, least=0.05)
    assert (7,) in sequences(few)


def test_hands_of_another_gathering_join_those_of_their_sequence(box: BlackBox, found: Gathered) -> None:
    other = gathered(box, 2000, seed=7, least=0.05, most_hands=50)
    more = found.with_more(other)
    assert (more.calls == found.calls).all() and (more.count == found.count).all()
    others = dict(zip(sequences(other), other.hands, strict=True))
    for calls, before, after in zip(sequences(found), found.hands, more.hands, strict=True):
        added = others.get(calls, np.empty(0, dtype=np.uint64))
        assert after[after != 0].tolist() == [*before[before != 0].tolist(), *added[added != 0].tolist()]
    assert len(others) < len(found)


def test_only_sequences_common_enough_are_kept(found: Gathered) -> None:
    common = found.common(0.1)
    assert 0 < len(common) < len(found) and (common.count >= 400).all()
    assert (found.count >= 400).sum() == len(common)


def test_parts_of_other_gatherings_are_refused(found: Gathered, box: BlackBox, tmp_path: Path) -> None:
    found.write(tmp_path / "one.npz")
    gathered(box, 500, seed=7, least=0.1).write(tmp_path / "two.npz")
    with pytest.raises(BidlabError, match="no parts of one gathering"):
        Gathered.read(tmp_path / "one.npz", tmp_path / "two.npz")
