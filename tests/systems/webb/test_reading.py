"""Programs read as plain rules: the first that holds makes the call that the program makes."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.bidders.positions import prefix
from tests.systems.webb.populations import random_systems

from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits, random_boards
from bidlab.meaning.meaning import Meaning
from bidlab.systems.samples import choices
from bidlab.systems.webb import Population, WebbSystem
from bidlab.systems.webb.book import ANY_HAND, WebbBook, WebbMeaning, told_box
from bidlab.systems.webb.options import OPTIONS


def books(count: int, states: int, entries: int, seed: int, options: tuple[str, ...] = ()) -> list[WebbBook]:
    drawn = random_systems(count, states, entries, seed, apt=True)
    population = Population(drawn.words, drawn.transitions, drawn.inheritance, options)
    return [WebbBook(system, "random") for system in population.systems]


def auctions(count: int, seed: int) -> list[Auction]:
    rng = random.Random(seed)
    return [prefix(board, rng.randrange(9), rng) for board in random_boards(count, seed)]


def program_calls(system: WebbSystem, auction: Auction, hands: np.ndarray) -> list[int]:
    made = np.array([int(call) for call in auction.calls], dtype=np.uint8)
    vulnerable = int(auction.vulnerable)
    native = Population.of([system]).native
    return native.decide(0, 0, int(auction.dealer), made, hands, vulnerable).tolist()


@pytest.mark.parametrize(("states", "entries", "options"), [(4, 8, ()), (8, 16, ()), (4, 8, OPTIONS)])
def test_plain_rules_make_the_calls_of_the_program(
    states: int, entries: int, options: tuple[str, ...]
) -> None:
    hands = deal_bits(300, seed=2)[:, 0].copy()
    for book in books(6, states, entries, states, options):
        for auction in auctions(6, seed=3):
            rules = book.any_position(auction).rules
            made = [int(rules[number].call) for number in choices(book.any_position(auction), hands)]
            assert made == program_calls(book.system, auction, hands)


def test_rules_for_hands_that_made_their_calls_make_the_same_calls() -> None:
    deals = deal_bits(200, seed=4)
    dealers = np.zeros(len(deals), dtype=np.uint8)
    nobody = np.zeros(len(deals), dtype=np.int32)
    for book in books(4, 4, 8, seed=9):
        starts, calls = book.population.native.auctions(nobody, nobody, deals, dealers)
        for board in range(0, 200, 10):
            made = [CALLS[call] for call in calls[starts[board] : starts[board + 1]].tolist()]
            for place, call in enumerate(made):
                position = book.position(Auction("N", "none", made[:place]))
                assert position.rules[position.choice(Hand(int(deals[board, place % 4])))].call == call


def test_the_call_means_the_hands_that_make_it() -> None:
    hands = deal_bits(300, seed=5)[:, 0].copy()
    for book in books(4, 4, 8, seed=6):
        for auction in auctions(5, seed=7):
            calls = np.array([auction.calls] * len(hands), dtype=np.uint8).reshape(len(hands), len(auction))
            nobody = np.zeros(len(hands), dtype=np.uint8)
            said = np.full(calls.shape, -1, dtype=np.int32)
            made, meanings = book.decide(nobody, calls, said, hands)
            for call in set(made.tolist()):
                meaning = meanings[made.tolist().index(call)]
                assert (meaning.admits(hands) == (made == call)).all()


def test_what_was_disclosed_is_the_box_of_its_hands() -> None:
    shown = told_box(Meaning.parse("5+ spades, 0-14.257 webb"))
    assert shown[:5] == ((0, 182), (0, 8), (0, 8), (0, 8), (5, 13))
    assert told_box(Meaning.parse("12+ and 0-11")) == ANY_HAND
    box = ((3, 100), (0, 13), (0, 13), (0, 13), (0, 13))
    assert told_box(WebbMeaning(box=box)) == box


def test_a_disclosed_call_is_believed() -> None:
    """Partner and I have 26 or more between us only if the opponents told that they have little."""
    (book,) = books(1, 4, 8, seed=1)
    auction = Auction("N", "none", "P 1S P")
    told = (None, Meaning.parse("20+ webb, 5+ spades"), None)
    _, said = book._rows(auction, told)
    assert said.tolist() == [[-1, -1, -1]]  # of partner, who is on our side, nothing has to be told
    _, said = book._rows(Auction("N", "none", "P 1S"), told[:2])
    assert said.tolist() == [[-1, 0]]
