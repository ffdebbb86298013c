"""Auctions explained by watching a system that keeps its rules to itself, beside its own explanations."""

import pytest
from tests.bidders.blackbox import BlackBox

from bidlab.bidders.estimated import Estimates, estimates_of
from bidlab.bidders.meaningbook import Entry, MeaningBook
from bidlab.bidders.watching import watched
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import explanation

DEALS = 4000


@pytest.fixture(scope="module")
def estimates() -> Estimates:
    return Estimates(BlackBox())


def test_every_call_so_far_has_its_meaning(estimates: Estimates) -> None:
    found = watched(estimates, Auction("N", "none", "1N P 2C P"), deals=DEALS)
    assert [one.call for one in found.calls] == [Call(text) for text in ("1N", "P", "2C", "P")]
    assert found.calls[0].shows == "15-17, balanced"
    assert all(one.is_estimated or one.shows == "nothing new" for one in found.calls)


def test_a_later_call_is_told_without_what_was_known_before(estimates: Estimates) -> None:
    found = watched(estimates, Auction("N", "none", "1N P 2C P 2H P"), deals=DEALS)
    answer = found.calls[4]
    assert answer.meaning is not None and "15-17" in answer.meaning.short()
    assert "hearts" in answer.shows and "15" not in answer.shows and "balanced" not in answer.shows


def test_how_often_agrees_with_what_the_rules_give(estimates: Estimates) -> None:
    box = estimates.bidder
    assert isinstance(box, BlackBox)
    auction = Auction("N", "none", "1N P")
    found = watched(estimates, auction, deals=DEALS)
    true = explanation(box.inside.book, auction, deals=DEALS, seed=5)
    expected = {one.explained.call: one for one in true.continuations}
    assert sum(one.share for one in found.continuations) == pytest.approx(1)
    for one in found.continuations:
        other = expected[one.explained.call]
        apart = 4 * (one.standard_error**2 + other.standard_error**2) ** 0.5
        assert abs(one.share - other.share) <= apart + 0.002
    shares = [one.share for one in found.continuations]
    assert shares == sorted(shares, reverse=True)


def test_an_example_makes_the_call(estimates: Estimates) -> None:
    auction = Auction("N", "none", "1H P")
    for one in watched(estimates, auction, deals=DEALS).continuations:
        assert one.example is not None
        assert one.explained.meaning is None or one.share < 0.002 or one.explained.meaning.admits(one.example)


def test_what_each_player_has_shown_is_told_once(estimates: Estimates) -> None:
    found = watched(estimates, Auction("N", "none", "1N P 2C P 2H P"), deals=DEALS)
    seats = [seat for seat, _ in found.shown]
    assert len(seats) == len(set(seats)) and dict(found.shown)[Auction("N", "none").dealer].startswith(
        "15-17"
    )


def test_it_goes_on_from_what_was_found(estimates: Estimates) -> None:
    auction = Auction("N", "none", "1N P 2C")
    before = watched(estimates, auction, deals=DEALS)
    later = watched(estimates, auction.after("P"), deals=DEALS, before=before)
    assert later.calls[:3] == before.calls and len(later.calls) == 4


def test_nothing_follows_an_auction_that_has_ended(estimates: Estimates) -> None:
    assert watched(estimates, Auction("N", "none", "1N P P P"), deals=DEALS).continuations == ()


def test_calls_of_the_book_are_listed_even_if_none_of_the_deals_has_them() -> None:
    example = Hand.parse("AKQJT98765432...")
    entry = Entry((Call("7S"),), Meaning.parse("13 spades (1% outside)"), 1, example)
    estimates = Estimates(BlackBox(), MeaningBook.of([entry], 10))
    last = watched(estimates, Auction("N", "none"), deals=DEALS).continuations[-1]
    assert (last.explained.call, last.share, last.example) == (Call("7S"), 0, example)


def test_a_bidder_with_estimates_of_its_own_is_explained_by_them(estimates: Estimates) -> None:
    box = BlackBox()
    assert estimates_of(box).bidder is box
    box.meanings = estimates  # type: ignore[attr-defined]
    assert estimates_of(box) is estimates
