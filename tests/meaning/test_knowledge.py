"""What is known of a table: deductions across hands that never exclude the truth."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.meaning.strategies import conditions, plainly

from bidlab.bridge.cards import SEATS, SUITS, Seat, Suit
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal, Hand
from bidlab.dealing import random_deal
from bidlab.meaning.conditions import Condition, Not
from bidlab.meaning.features import ACES, FEATURES, HCP, LOSERS, feature_table, holds, length
from bidlab.meaning.knowledge import Knowledge
from bidlab.meaning.meaning import Meaning

N, E, S, W = SEATS
OWN = Hand.parse("AKQ2.T83.KQ9.A76")


def known(own: Hand | None = None, **meanings: str) -> Knowledge:
    return Knowledge.of(
        {S: own} if own else {}, {Seat(seat): Meaning.parse(text) for seat, text in meanings.items()}
    )


@given(st.integers(1, 10**6), st.lists(conditions(), min_size=4, max_size=4), st.sampled_from([None, *SEATS]))
def test_the_true_deal_is_never_excluded(number: int, shown: list[Condition], own: Seat | None) -> None:
    deal = random_deal(5, number)
    features = feature_table([deal.hand(seat) for seat in SEATS])
    truth = Knowledge.of({} if own is None else {own: deal.hand(own)})
    for seat, condition in zip(SEATS, shown, strict=True):
        holds_here = plainly(condition, features[seat : seat + 1].astype(np.int64))[0]
        truth = truth.plus(seat, Meaning(condition if holds_here else Not(condition)))
    assert not truth.is_contradictory and truth.admits(deal)
    for seat in SEATS:
        for feature, (least, most) in truth.ranges(seat).items():
            assert least <= features[seat, feature.number] <= most, (seat, feature)


def test_forty_points_at_the_table() -> None:
    table = known(N="15-17", E="12+", S="8+")
    assert table.range(W, HCP) == (0, 5)
    assert table.range(E, HCP) == (12, 17)


def test_own_points_and_cards_are_denied_to_the_others() -> None:
    table = known(OWN, N="15+")
    assert table.range(S, HCP) == (18, 18)
    assert table.range(N, HCP) == (15, 22)
    assert table.range(E, HCP) == (0, 7)
    assert table.range(N, ACES) == (0, 2)
    assert table.range(W, holds(next(iter(OWN)))) == (0, 0)


def test_two_void_in_both_minors_leave_the_others_none_of_the_majors() -> None:
    voids = "void in clubs, void in diamonds"
    table = known(N=voids, E=voids)
    for seat in (S, W):
        assert table.range(seat, length(Suit.SPADES)) == table.range(seat, length(Suit.HEARTS)) == (0, 0)


def test_nine_spades_twice_is_a_contradiction() -> None:
    table = known(N="9+ spades", S="9+ spades")
    assert table.is_contradictory
    with pytest.raises(BidlabError, match="no deal agrees"):
        table.ranges(N)


def test_woolevers_example_of_a_condition_on_two_hands() -> None:
    """Section 3.2.1: RHO has at most 12, and partner and LHO are not known to hold 20: what has the bidder?

    He with x points knows of 28 - x for those two, which is 20 or more when x is 8 or less. The thesis
    concludes that he has at least 8; by its own rule it is more than 8.
    """
    for x in range(29):
        table = known(N=f"{x} hcp", W="0-12")  # North the bidder, West on his right
        least, _ = table.together([S, E], HCP)
        assert (least >= 20) == (x <= 8)


def test_estimated_meanings_exclude_nothing() -> None:
    table = known(N="15-17, balanced (4% outside)", S="8+")
    assert table.range(N, HCP) == (0, 32)
    assert [str(meaning) for meaning in table.estimated(N)] == ["15-17, balanced (4% outside)"]


def test_only_what_the_pack_fixes_adds_up() -> None:
    assert known(N="15-17", S="10-11").together([N, S], HCP) == (25, 28)
    assert known(N="5+ spades", S="3+ spades").together([N, S], length(Suit.SPADES)) == (8, 13)
    with pytest.raises(BidlabError, match="losers of several hands"):
        known(N="15-17").together([N, S], LOSERS)


def test_lengths_are_as_tight_as_a_search_finds() -> None:
    """Every bound is reached by some table of lengths, found by trying them all suit by suit."""
    table = known(N="5+ spades, 4+ hearts", E="6+ hearts, 0-1 spades", S="4-4 in the minors")
    wanted = _reached(
        [
            [(5, 9), (4, 8), (0, 4), (0, 4)],
            [(0, 1), (6, 13), (0, 7), (0, 7)],
            [(0, 5), (0, 5), (4, 4), (4, 4)],
            [(0, 13)] * 4,
        ]
    )
    for seat in SEATS:
        for suit in SUITS:
            assert table.range(seat, length(suit)) == wanted[seat][3 - suit], (seat, suit)


def _reached(boxes: list[list[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """Least and most of every entry [seat, suit S H D C] over all tables within the boxes, by search."""
    columns = [_columns([boxes[seat][suit] for seat in range(4)]) for suit in range(4)]
    clubs_that_fit = set(columns[3])
    reached: list[list[set[int]]] = [[set() for _ in range(4)] for _ in range(4)]
    for spades, hearts, diamonds in product(*columns[:3]):
        clubs = tuple(13 - sum(row) for row in zip(spades, hearts, diamonds, strict=True))
        if clubs in clubs_that_fit:
            for seat in range(4):
                for suit, column in enumerate((spades, hearts, diamonds, clubs)):
                    reached[seat][suit].add(column[seat])
    return [[(min(values), max(values)) for values in row] for row in reached]


def _columns(bounds: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """All ways to share 13 cards of a suit within bounds."""
    spans = [range(least, most + 1) for least, most in bounds]
    return [lengths for lengths in product(*spans) if sum(lengths) == 13]


def test_a_hand_of_fewer_cards_is_refused() -> None:
    with pytest.raises(BidlabError, match="13 are wanted"):
        Knowledge.of({N: Hand.parse("AKQ...", partial=True)})
    with pytest.raises(BidlabError, match="held twice"):
        Knowledge.of({N: OWN, S: OWN})


def test_the_hands_of_a_deal_are_wholly_known() -> None:
    deal = random_deal(9)
    table = Knowledge.of({seat: deal.hand(seat) for seat in SEATS})
    features = feature_table([deal.hand(seat) for seat in SEATS])
    assert all(table.range(N, feature) == (v := int(features[N, feature.number]), v) for feature in FEATURES)
    assert table.admits(deal) and not table.admits(Deal.of(deal.hands[1:] + deal.hands[:1]))
