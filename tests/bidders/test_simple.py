"""Always pass, and any legal call."""

import numpy as np
from tests.bidders.positions import views

from bidlab.bidders import bidder
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.meaning import Meaning
from bidlab.table import SeatView, ViewBatch


def at_one_position(hands: np.ndarray, auction: Auction) -> ViewBatch:
    """Many hands at one point of an auction, without an object for each."""
    count = len(hands)
    legal = np.zeros((count, len(CALLS)), dtype=bool)
    legal[:, list(auction.legal_calls())] = True
    calls = np.tile(np.array(auction.calls, dtype=np.uint8), (count, 1))
    dealers = np.full(count, auction.dealer, dtype=np.uint8)
    return ViewBatch(hands, dealers, np.full(count, auction.vulnerable, dtype=np.uint8), calls, legal)


def test_pass_always_passes_and_says_nothing() -> None:
    passer = bidder("pass")
    batch = ViewBatch.of(views(40, seed=1, length=3))
    decisions = passer.decide_many(batch)
    assert not decisions.calls.any() and list(decisions.meanings) == [Meaning()] * 40
    assert passer.decide(batch[0]).call == Call.PASS and passer.decide(batch[0]).meaning == Meaning()
    assert passer.meaning(Auction("N", "none", "1C P")) == Meaning()
    assert passer.meaning(Auction("N", "none", "1C")) is None


def test_random_calls_are_evenly_spread_over_the_legal_ones() -> None:
    auction = Auction("N", "none", "1N X")  # 32 legal: pass, redouble, 2C .. 7NT
    batch = at_one_position(deal_bits(32_000, seed=3)[:, 2], auction)
    calls = bidder("random,seed=1").decide_many(batch).calls
    counts = np.bincount(calls, minlength=38)
    assert set(np.flatnonzero(counts)) == set(auction.legal_calls())
    chi_square = ((counts[list(auction.legal_calls())] - 1000) ** 2 / 1000).sum()
    assert 14.5 < chi_square < 52.2  # 31 degrees of freedom: 0.5% below, 1% above


def test_random_calls_change_with_the_seed_and_with_all_that_is_seen() -> None:
    hands = deal_bits(4000, seed=3)[:, 0]
    some = at_one_position(hands, Auction("N", "none", "P P"))
    calls = bidder("random").decide_many(some).calls
    for other in (
        bidder("random,seed=1").decide_many(some),
        bidder("random").decide_many(at_one_position(hands[::-1].copy(), Auction("N", "none", "P P"))),
        bidder("random").decide_many(at_one_position(hands, Auction("E", "none", "P P"))),
        bidder("random").decide_many(at_one_position(hands, Auction("N", "EW", "P P"))),
        bidder("random").decide_many(at_one_position(hands, Auction("N", "none", "P P P"))),
    ):
        same = (other.calls == calls).mean()
        assert abs(same - 1 / 36) < 0.012  # four standard errors


def test_random_call_is_the_same_alone_and_in_any_batch() -> None:
    drawer = bidder("random,seed=9")
    for length in range(9):
        some = views(60, seed=length, length=length)
        calls = drawer.decide_many(ViewBatch.of(some)).calls
        assert [drawer.decide(view).call for view in some] == calls.tolist()
        assert (drawer.decide_many(ViewBatch.of(some[::-2])).calls == calls[::-2]).all()
        assert all(view.auction.is_legal(CALLS[call]) for view, call in zip(some, calls, strict=True))


def test_random_calls_do_not_change_between_versions() -> None:
    view = SeatView(Hand.parse("AKQ2.T83.KQ9.A76"), Auction("N", "NS", "1N P"))
    assert [str(bidder("random", seed).decide(view).call) for seed in range(6)] == FIXED


FIXED = "4S 6C 5D P 5N 7N".split()


def test_an_empty_batch_is_answered() -> None:
    for name in ("pass", "random"):
        assert len(bidder(name).decide_many(ViewBatch.of([])).calls) == 0
