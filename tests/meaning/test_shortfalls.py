"""What a hand lacks for a condition, in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.hands import Hand
from bidlab.dealing import random_deal
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.shortfalls import shortfall_text, shortfalls

HAND = Hand.parse("KQ32.K83.KJ9.A76")


@pytest.mark.parametrize(
    ("wanted", "lacks"),
    [
        ("18-19", "16 high-card points, it wants 18 to 19"),
        ("20+ points", "16 points with length, it wants at least 20"),
        ("5+ hearts", "three hearts, it wants at least five"),
        ("0-1 hearts", "three hearts, it wants at most one"),
        ("void in clubs", "three clubs, it wants none"),
        ("0 or 3 key cards in hearts", "two key cards for hearts, it wants 0 or 3 key cards for hearts"),
        ("good hearts", "no biddable hearts, it wants good hearts"),
        ("first-round control in hearts",
         "second-round control in hearts, it wants first-round control in hearts"),
        ("SA", "without the ace of spades"),
        ("no HK", "with the king of hearts"),
        ("4=4=3=2", "three hearts, it wants four; three clubs, it wants two"),
        ("5-5 in the minors", "4-3-3-3 shape, it wants 5-5 in the minors"),
        ("unbalanced", "4-3-3-3, which is not unbalanced"),
        ("not balanced", "a balanced hand, it wants another shape"),
        ("longer hearts than spades", "hearts not longer than spades"),
        ("hearts not shorter than spades", "hearts shorter than spades"),
        ("2 of the top three in hearts", "one of the top three hearts, it wants two"),
        ("8-10 in support of hearts", "16 points in support of hearts, it wants 8 to 10"),
        ("3 aces", "one ace, it wants three"),
        ("not 15-17", "16 high-card points, it wants 0-14 or 18+"),
        ("20+ or 7+ clubs", "16 high-card points, it wants at least 20"),
        ("no hand", "no hand fits"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(wanted: str, lacks: str) -> None:
    assert shortfall_text(Meaning.parse(wanted).condition, HAND) == lacks


def test_nothing_is_missing_where_the_hand_fits() -> None:
    assert shortfalls(Meaning.parse("15-17, balanced").condition, HAND) == ()


MEANINGS = (
    "22+; or 9+ playing tricks, 16+", "6 hearts, 5-10, good hearts", "class weak two", "1 loser",
    "stopper in spades", "texture 3+", "longest suit clubs", "3+ controls, not 4-4 in the majors",
    "14.5+ webb points", "2+ quick tricks", "no 4-card major", "two-suited",
)  # fmt: skip


@given(st.integers(0, 10_000), st.sampled_from(MEANINGS))
def test_something_is_said_if_and_only_if_the_hand_does_not_fit(seed: int, text: str) -> None:
    meaning, hand = Meaning.parse(text), random_deal(seed).hand(0)
    said = shortfalls(meaning.condition, hand)
    assert bool(said) != meaning.admits(hand)
    assert all(line and "{" not in line for line in said)
