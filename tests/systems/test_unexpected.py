"""Calls that no rule of a system makes: taken as natural, or by the words of its text."""

import pytest

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Suit
from bidlab.systems.book import Book
from bidlab.systems.rules import Ask
from bidlab.systems.state import State
from bidlab.systems.system import System

# Each list ends with a pass for all other hands, so that whatever is not written is unexpected.
TEXT = """system Few
opening
  1M   5+ M, 12+
  2M   6 M, 5-10
  P
1M
  3M   4+ M, 10-12                                     agrees M, invites
  P
2M
  P
1S (2m)
  P
1S 2H
  P
1S 3S
  4N   19-20                                           asks aces of spades
    5C   no ace of clubs
    5D
      5N   21+                                         asks kings of spades
      P
  P
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return Book(System.parse(TEXT))


def after(book: Book, calls: str) -> State:
    """The state for the player to call; no rule makes the last call that is no pass."""
    words = calls.split()
    last = max(place for place, word in enumerate(words) if word != "P")
    before = Auction("N", "none", " ".join(words[:last]))
    assert not book.position(before).rules_of(Call(words[last]))
    return book.position(Auction("N", "none", calls)).state


def test_a_new_suit_opposite_a_bid_forces_and_shows_four_cards(book: Book) -> None:
    state = after(book, "2S P 3H P")
    assert state.is_forced
    assert state.partner.least[Suit.HEARTS] == 4


@pytest.mark.parametrize("calls", ["1S P 2S P", "1S P 2N P", "P P 1S P 2H P", "1S 2C 2H P", "1S P 4S P"])
def test_raises_notrump_passed_hands_and_contested_suits_do_not_force(book: Book, calls: str) -> None:
    assert not after(book, calls).is_forced


def test_a_raise_shows_three_cards_and_a_suit_bid_again_one_more(book: Book) -> None:
    assert after(book, "1S P 2S P").partner.least[Suit.SPADES] == 3
    assert after(book, "1S P 2H P 2S P").partner.least[Suit.SPADES] == 6


@pytest.mark.parametrize(("bid", "cards"), [("1D", 4), ("2D", 5), ("3D", 6), ("5D", 6)])
def test_the_first_bid_of_a_side_shows_more_the_higher_it_is(book: Book, bid: str, cards: int) -> None:
    assert after(book, bid).right.least[Suit.DIAMONDS] == cards


@pytest.mark.parametrize("calls", ["1S P 3S P 4D P", "1S P 3S P 6C P", "1S 2D 3D P"])
def test_another_suit_above_the_agreed_one_and_theirs_are_cue_bids(book: Book, calls: str) -> None:
    state = after(book, calls)
    assert state.is_forced
    assert state.is_artificial
    assert state.partner.least[Suit.CLUBS] == state.partner.least[Suit.DIAMONDS] == 0


def test_what_the_text_says_of_a_call_holds_for_hands_that_would_not_make_it(book: Book) -> None:
    assert after(book, "1S P 3S P 4N P 5D P 5N P").asked == Ask("kings", Suit.SPADES)
