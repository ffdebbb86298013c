"""The mind of a written system: what it proposes, the deals it imagines, how it bids on."""

from __future__ import annotations

import numpy as np
import pytest

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.bidders.thinking.by_rules import RuleMind
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.meaning.meaning import Meaning
from bidlab.table import SeatView
from bidlab.table.bidding import Boards, bid_tables


def mind(name: str, sampling: str = "hard") -> RuleMind:
    """The mind of a system by name."""
    made = bidder(name)
    assert isinstance(made, Expert)
    return RuleMind(made, sampling)


def seen_in(name: str, boards: int, seed: int, every: int = 3) -> list[SeatView]:
    """Views from auctions that a system bids itself, every third turn."""
    made = bidder(name)
    numbered = Boards.numbered(deal_bits(boards, seed=seed))
    zeros = np.zeros(boards, dtype=np.uint8)
    tables = bid_tables(numbered, [made], zeros, zeros, wants_meanings=False)
    views = []
    for table in range(boards):
        whole = tables.auction(table)
        for length in range(table % every, len(whole), every):
            auction = Auction(whole.dealer, whole.vulnerable, whole.calls[:length])
            views.append(SeatView(Hand(int(numbered.bits[table, auction.turn])), auction))
    return views


VIEWS = seen_in("natural", 40, seed=5)


def test_rules_choice_comes_first_and_all_proposals_are_legal() -> None:
    one = mind("natural")
    for view in VIEWS:
        proposed = one.proposals(view, 5)
        assert proposed[0].call == one.decide(view).call
        calls = [each.call for each in proposed]
        assert len(set(calls)) == len(calls) <= 5
        assert set(calls) <= set(view.legal_calls)


def test_every_rule_that_holds_proposes_its_call_and_pass_is_always_there() -> None:
    one = mind("natural")
    for view in VIEWS:
        calls = {each.call for each in one.proposals(view, 38)}
        position = one.book.position(view.auction)
        assert {rule.call for _, rule in position.holding(view.hand)} <= calls
        assert Call.PASS in calls


def test_where_nothing_is_written_every_sensible_call_is_proposed() -> None:
    one = mind("empty")
    for view in VIEWS:
        calls = [each.call for each in one.proposals(view, 5)]
        assert calls[0] == Call.PASS and len(set(calls)) == len(calls)
        assert set(calls) <= set(view.legal_calls)
        assert {call for call in view.legal_calls if not call.is_bid} <= set(calls)


@pytest.mark.parametrize(
    ("hand", "auction", "wanted"),
    [
        ("AKQ2.T832.KQ9.A7", "", "P 1H 1S 1N 2H 2S 2N 3H 3S 3N 4H 4S 6H 6S 6N"),
        ("AKQ2.T83.KQ9.A76", "1H 4S", "P X 4N 5H 5S 6H 6S 6N"),  # three cards of partner's suit
        ("AKQ2.T83.KQ9.A76", "P 1H 4S P", "P 4N 5S 6S 6N"),  # of an opponent's
    ],
)
def test_sensible_calls_are_suits_notrump_games_and_slams(hand: str, auction: str, wanted: str) -> None:
    view = SeatView(hand, Auction("N", "none", auction))
    assert [str(each.call) for each in mind("empty").proposals(view, 5)] == wanted.split()


def test_near_rules_are_those_within_the_misfit_that_a_meaning_measures() -> None:
    one = mind("natural")
    for view in VIEWS:
        node = one.book.node(view.auction)
        found = one.book.rule_misfits(node, view.hand.bits)
        rules = one.book.position_at(node).rules
        for (call, far), rule in zip(found, rules, strict=True):
            assert call == rule.call
            assert far == pytest.approx(Meaning(rule.condition).misfit(view.hand), abs=1e-6)


def test_imagined_deals_keep_the_own_hand_and_explain_every_call() -> None:
    one = mind("natural")
    for number, view in enumerate(VIEWS[:30]):
        found = one.imagined(view, 20, 2000, seed=number)
        assert len(found.bits) == 20
        assert (found.bits[:, view.seat] == view.hand.bits).all()
        assert (np.bitwise_count(found.bits) == 13).all()
        assert (np.bitwise_or.reduce(found.bits, axis=1) == (1 << 52) - 1).all()
        assert (found.misfits == 0).all()
        for deal in found.bits[:3]:
            for place, call in enumerate(view.auction.calls):
                seat = (view.auction.dealer + place) % 4
                before = Auction(view.auction.dealer, view.auction.vulnerable, view.auction.calls[:place])
                if seat != view.seat:
                    assert one.decide(SeatView(Hand(int(deal[seat])), before)).call == call


def test_soft_sample_is_the_best_of_the_whole_pool_by_the_weighted_misfit_of_each_call() -> None:
    one = mind("natural", "soft")
    for number, view in enumerate(VIEWS[:20]):
        pool = one.imagined(view, 1000, 1000, seed=number)
        few = one.imagined(view, 50, 1000, seed=number)
        assert (np.diff(pool.misfits) >= 0).all()
        assert np.array_equal(few.bits, pool.bits[:50])
        assert np.array_equal(few.misfits, pool.misfits[:50])


def test_partner_weighs_twice_in_a_soft_sample() -> None:
    one = mind("natural", "soft")
    for opener in ("E", "N"):  # South is to call: an opponent opened, or partner did
        passes = "P" if opener == "N" else "P P"
        auction = Auction("E" if opener == "E" else "N", "none", f"1S {passes}" if opener == "E" else "1S P")
        view = SeatView("AKQJT987654.2.3.", auction)
        found = one.imagined(view, 10, 500, seed=1)
        seat = 1 if opener == "E" else 0
        node = one.book.path(one.book.node(auction))[0]
        far = one.book.call_misfits(node, CALLS[6], np.ascontiguousarray(found.bits[:, seat]))
        others = found.misfits - (2 if opener == "N" else 1) * far
        assert (found.misfits > 0).all()
        assert (others >= -1e-9).all()


def test_bidding_on_from_a_call_is_what_the_experts_do() -> None:
    one = mind("natural")
    for number, view in enumerate(VIEWS[:20]):
        deals = one.imagined(view, 5, 1000, seed=number).bits
        for proposal in one.proposals(view, 3):
            calls = np.full((len(deals), 1), int(proposal.call), dtype=np.uint8)
            for deal, row in zip(deals, one.continued(view, deals, calls), strict=True):
                auction = view.auction.after(proposal.call)
                while not auction.is_ended:
                    auction = auction.after(one.decide(SeatView(Hand(int(deal[auction.turn])), auction)).call)
                assert [CALLS[call] for call in row[row != 255]] == list(auction.calls)


def test_what_a_call_may_show_has_every_hand_that_it_is_proposed_with_by_a_rule() -> None:
    one = mind("natural")
    for view in VIEWS:
        position = one.book.position(view.auction)
        for _, rule in position.holding(view.hand):
            shown = one.allowed(view, rule.call)
            assert shown is not None
            assert shown.admits(view.hand)
