"""Estimated meanings of a system that keeps its rules to itself, against its true ones."""

from collections.abc import Iterator

import numpy as np
import pytest
from tests.bidders.blackbox import BlackBox, Wavering
from tests.bidders.test_robots import BOT
from tests.matches.players import Pointer

from bidlab.bidders import bidder
from bidlab.bidders.chances import calls_made, likelihoods
from bidlab.bidders.estimated import Estimates
from bidlab.bidders.meaningbook import Entry, MeaningBook
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.dealing import Dealer, deal_bits
from bidlab.meaning.meaning import Meaning
from bidlab.table import Bidder

AUCTIONS = (
    "1N",
    "P",
    "1S",
    "2H",
    "1H P 2H",
    "1N P 2C",
    "1N P 2C P 2H",
    "1S P 2N P 3C",
    "1S P 3S P 4N P 5D",
    "1C 1S X",
)


@pytest.fixture(scope="module")
def box() -> BlackBox:
    return BlackBox()


@pytest.fixture(scope="module")
def estimates(box: BlackBox) -> Estimates:
    return Estimates(box, seed=3)


def agreeing(box: Bidder, auction: Auction, count: int, seed: int) -> np.ndarray:
    """Hands that make all calls of the last caller, from among many random ones."""
    found: list[np.ndarray] = []
    seat = auction.dealer.plus(len(auction) - 1)
    for first in range(1, 1_000_000, 20_000):
        hands = deal_bits(20_000, seed, first).ravel()
        found.append(hands[likelihoods(box, auction, seat, hands)[0] > 0])
        if sum(map(len, found)) >= count:
            break
    return np.concatenate(found)[:count]


@pytest.mark.parametrize("text", AUCTIONS)
def test_fresh_hands_of_a_call_are_inside_its_meaning(box: BlackBox, estimates: Estimates, text: str) -> None:
    auction = Auction("N", "none", text)
    meaning = estimates.meaning(auction)
    assert meaning is not None and 0 < meaning.outside <= 0.06
    hands = agreeing(box, auction, 400, seed=99)
    assert meaning.admits(hands).mean() >= 0.94


@pytest.mark.parametrize("text", ["1N", "1S", "2H", "1H P 2H", "1N P 2C P 2H"])
def test_few_hands_of_a_meaning_belong_to_other_calls(box: BlackBox, estimates: Estimates, text: str) -> None:
    auction = Auction("N", "none", text)
    meaning = estimates.meaning(auction)
    assert meaning is not None
    hands = Dealer.of(N=Meaning(meaning.condition)).deal_bits(2000, seed=7)[:, 0].copy()
    assert likelihoods(box, auction, auction.dealer.plus(len(auction) - 1), hands)[0].mean() >= 0.4


def test_one_notrump_is_told_as_a_player_would(estimates: Estimates) -> None:
    meaning = estimates.meaning(Auction("W", "both", "P 1N"))
    assert meaning is not None and meaning.short() == "15-17, balanced"


def test_the_same_seed_gives_the_same_estimates_in_any_order(box: BlackBox, estimates: Estimates) -> None:
    other = Estimates(box, seed=3)
    for text in reversed(AUCTIONS):
        auction = Auction("N", "none", text)
        assert other.meaning(auction) == estimates.meaning(auction)


def test_a_call_that_is_never_made_shows_nothing(estimates: Estimates) -> None:
    assert estimates.meaning(Auction("N", "none", "7N")) is None
    assert estimates.meaning(Auction("N", "none")) is None


def test_the_book_comes_first(box: BlackBox) -> None:
    odd = Meaning.parse("13 spades (1% outside)")
    book = MeaningBook.of([Entry((Call("1S"),), odd, 5, Hand.parse("AKQJT98765432..."))], 100)
    estimates = Estimates(box, book)
    auction = Auction("N", "none", "1S")
    assert str(estimates.meaning(auction)) == str(odd) == str(estimates.known(auction.calls))
    assert estimates.known((Call("1H"),)) is None
    assert estimates.meaning(Auction("N", "none", "1H")) is not None


def test_a_call_that_is_never_made_shows_the_hands_that_come_nearest() -> None:
    wavering = Wavering()
    meaning = Estimates(wavering, seed=1).meaning(Auction("N", "none", "1N"))
    assert meaning is not None and meaning.short() == "15-17, balanced"
    auction, hands = Auction("N", "none", "P"), deal_bits(200, seed=1).ravel()
    likely, asked = likelihoods(wavering, auction, auction.dealer, hands)
    assert asked == 800 and set(likely.round(3).tolist()) == {0.0, 0.6, 1.0}
    assert set(likelihoods(wavering, auction, auction.dealer, hands, as_made=True)[0]) == {0.0, 1.0}


def test_a_bidder_that_is_asked_one_hand_at_a_time_is_estimated_too() -> None:
    estimates = Estimates(Pointer(15), seed=1, decisions=3000)
    assert str(estimates.meaning(Auction("N", "none", "1N"))).startswith("15+ (")
    answer = estimates.meaning(Auction("N", "none", "1N P 3N"))
    assert answer is not None and answer.short() == "10+"


@pytest.fixture(scope="module")
def robot() -> Iterator[Bidder]:
    made = bidder(f"exec:python '{BOT}'")
    yield made
    made.close()


def test_a_robot_is_estimated_by_few_questions(robot: Bidder) -> None:
    auction = Auction("N", "none", "1N")
    meaning = Estimates(robot).meaning(auction)
    assert meaning is not None
    hands = deal_bits(500, seed=8).ravel()
    made = calls_made(robot, Auction("N", "none"), hands) == Call("1N")
    assert meaning.admits(hands[made]).mean() >= 0.9
