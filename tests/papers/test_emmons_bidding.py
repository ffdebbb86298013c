"""Emmons 2009, sections 4.2 and 5: the two deals that are printed, and reasoning against random calls."""

from __future__ import annotations

import pytest

from bidlab.bridge.boards import Board
from bidlab.bridge.hands import Deal
from bidlab.doubledummy import trick_table
from bidlab.matches.by_name import bid_board, match
from bidlab.matches.match import MatchResult

# The first deal is printed with "5SX, making exact, 650"; double dummy South takes ten tricks, one down. The
# second lacks the seven of spades: North has twelve cards, so it is his.
FIRST = Board(
    Deal.parse("W:8763.J2.976.9854 2.QT83.JT84.AK76 K9.AK9764.AQ2.J2 AQJT54.5.K53.QT3"), "W", "none"
)
SECOND = Board(Deal.parse("W:Q62.862.A532.T62 K7.KJ9.KT4.QJ843 AJ943.Q53.9876.5 T85.AT74.QJ.AK97"), "W", "EW")


def test_first_deal_five_spades_is_one_down_and_not_made_as_printed() -> None:
    assert trick_table(FIRST.deal)[3, 2] == 10


def test_second_deal_four_hearts_by_south_is_made_as_printed() -> None:
    assert trick_table(SECOND.deal)[2, 2] == 10


@pytest.mark.parametrize("name", ["thinker:empty,samples=30", "thinker:bws,samples=50"])
@pytest.mark.parametrize("board", [FIRST, SECOND], ids=["first", "second"])
def test_printed_deals_are_bid_scored_right_and_explained(board: Board, name: str) -> None:
    result = bid_board(board, ns=name, ew=name)
    assert result.auction.is_ended
    contract = result.contract
    if contract.strain is not None:
        assert contract.declarer is not None
        taken = int(trick_table(board.deal)[contract.strain, contract.declarer])
        assert (result.score > 0) == ((taken >= contract.tricks_needed) == (contract.declarer % 2 == 0))
    for decision in result.decisions:
        assert decision.reasons
    assert any("IMPs" in reason for decision in result.decisions for reason in decision.reasons)


def test_reasoning_with_an_empty_hierarchy_beats_random_calls_by_more_than_15_imps_a_board() -> None:
    # The thesis: about 21 IMPs a board over eight deals.
    result = match("thinker:empty,samples=30", "random", boards=64, seed=8)
    assert isinstance(result, MatchResult)
    assert result.plain.mean > 15
