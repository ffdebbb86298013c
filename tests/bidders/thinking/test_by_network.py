"""The mind of a network: its likelier calls, and deals in which it makes the calls that were made."""

from __future__ import annotations

import numpy as np
import pytest

from bidlab.bidders.chances import calls_made
from bidlab.bidders.registry import bidder
from bidlab.bidders.thinker import Thinker
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.table import SeatView

OPENED = SeatView(Hand.parse("KQ2.T832.KQ9.A76"), Auction("N", "none", "1S P"))
CONTESTED = SeatView(Hand.parse("Q52.AJT83.K9.764"), Auction("W", "both", "1D 1S X"))
IMPOSSIBLE = SeatView(Hand.parse("AKQJT98765432..."), Auction("N", "none", "1S P"))


def thinker(text: str) -> Thinker:
    """A thinker by name."""
    made = bidder(text)
    assert isinstance(made, Thinker)
    return made


@pytest.mark.parametrize("view", [OPENED, CONTESTED], ids=["opened", "contested"])
def test_others_make_their_calls_in_imagined_deals(view: SeatView) -> None:
    network = bidder("network:experts")
    found = thinker("thinker:network").mind.imagined(view, 60, 4000, 1)
    assert len(found.bits) == 60
    assert (found.bits[:, view.seat] == view.hand.bits).all()
    assert (np.bitwise_or.reduce(found.bits, axis=1) == (1 << 52) - 1).all()
    for place, (seat, call) in enumerate(view.auction.seats()):
        if seat != view.seat:
            so_far = Auction(view.auction.dealer, view.auction.vulnerable, view.auction.calls[:place])
            made = calls_made(network, so_far, np.ascontiguousarray(found.bits[:, seat]))
            # Nearly always the likeliest: a player who thinks takes others that are almost as likely.
            assert (made == int(call)).mean() > 0.75


def test_deals_are_imagined_where_nothing_explains_the_auction() -> None:
    found = thinker("thinker:network").mind.imagined(IMPOSSIBLE, 20, 1000, 1)
    assert len(found.bits) == 20
    assert found.perfect < 0.5


def test_likelier_calls_are_proposed_the_likeliest_first() -> None:
    mind = thinker("thinker:network,likely=0.001").mind
    proposed = [one.call for one in mind.proposals(OPENED, 4)]
    assert proposed[0] == bidder("network:experts").decide(OPENED).call
    assert 2 <= len(proposed) <= 4 and len(set(proposed)) == len(proposed)
    assert mind.proposals(OPENED, 1) == mind.proposals(OPENED, 4)[:1]
    assert Call.PASS not in proposed  # nobody passes partner's opening with fourteen points
