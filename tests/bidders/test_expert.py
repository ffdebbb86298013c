"""Experts at whole tables: bid natively to the end, they call as they do one call at a time."""

from __future__ import annotations

import numpy as np
import pytest

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.bridge.calls import CALLS
from bidlab.dealing import deal_bits
from bidlab.matches.match import bid_both_tables
from bidlab.matches.sources import SeededBoards
from bidlab.table.bidding import Boards, bid_tables


def expert(name: str) -> Expert:
    """An expert by name."""
    found = bidder(name)
    assert isinstance(found, Expert)
    return found


@pytest.mark.parametrize(
    ("first", "second"),
    [("sayc", "natural"), ("bws", "sayc"), ("sayc", "sayc,michaels=off"), ("natural", "natural")],
)
def test_whole_auctions_have_the_calls_of_players_asked_one_by_one(first: str, second: str) -> None:
    boards = Boards.numbered(deal_bits(300, seed=41))
    bidders = [expert(first), expert(second)]
    ns = (np.arange(len(boards)) % 2).astype(np.uint8)
    whole = bid_tables(boards, bidders, ns, 1 - ns, wants_meanings=False)
    asked = bid_tables(boards, bidders, ns, 1 - ns)
    assert np.array_equal(whole.calls, asked.calls)
    for one, other in (
        (whole.last, asked.last),
        (whole.doubled, asked.doubled),
        (whole.declarers, asked.declarers),
    ):
        assert np.array_equal(one, other)
    assert asked.said and not whole.said


def test_by_the_empty_hierarchy_nobody_bids_and_partner_is_passed() -> None:
    boards = Boards.numbered(deal_bits(50, seed=44))
    ns = (np.arange(len(boards)) % 2).astype(np.uint8)
    tables = bid_tables(boards, [expert("empty"), expert("natural")], ns, 1 - ns)
    for row, dealer, is_swapped in zip(tables.calls, boards.dealers, ns, strict=True):
        mine = row[(int(dealer) + int(is_swapped)) % 2 :: 2]
        assert set(mine[mine != 255].tolist()) <= {0}
    assert (tables.calls[tables.calls != 255] > 0).any()  # the others do bid


def test_a_bidder_of_another_kind_is_asked_call_by_call() -> None:
    boards = Boards.numbered(deal_bits(20, seed=42))
    nobody = np.zeros(len(boards), dtype=np.uint8)
    tables = bid_tables(boards, [expert("natural"), bidder("pass")], nobody, nobody + 1, wants_meanings=False)
    assert (tables.calls[:, 1::4][boards.dealers % 2 == 0] % 255 == 0).all()


def test_the_other_side_is_told_natively_what_the_meaning_says() -> None:
    one = expert("sayc")
    bid_both_tables([one, expert("natural")], Boards.numbered(deal_bits(100, seed=43)), SeededBoards(43))
    told = [(*key, said) for key, said in one.book._meanings.items() if said is not None]
    assert len(told) > 500
    for node, call, said in told:
        assert np.array_equal(one.book._native.said_by(node, int(CALLS[call])), said.cells)
