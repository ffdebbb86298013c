"""The eleven classes: known hands, the kernel beside the walk that gives reasons, and the limits of each."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from tests.meaning.hands import any_hand, extreme_hands, freak_hands, random_words
from tests.meaning.plain import adjusted

from bidlab.bridge.cards import SUITS
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Hand
from bidlab.meaning.classes import HandClass, classification, halves_text
from bidlab.meaning.features import ADJUSTED, CLASS, HCP, LOSERS, PLAYING_TRICKS, QUICK_TRICKS, feature_table


class Classed(NamedTuple):
    """One line of classed.txt."""

    hand: Hand
    hcp: str
    quick: str
    before_length: str
    adjusted: str
    losers: str
    playing: str
    hand_class: str


def classed() -> list[Classed]:
    found = []
    for line in (Path(__file__).parent / "classed.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            hand, *counts, rest = line.split(maxsplit=7)
            found.append(Classed(Hand.parse(hand), *counts, rest.partition("  ")[0]))
    return found


@pytest.mark.parametrize("one", classed(), ids=lambda one: str(one.hand))
def test_known_hands(one: Classed) -> None:
    row = feature_table([one.hand])[0].tolist()
    assert str(row[HCP.number]) == one.hcp and str(row[LOSERS.number]) == one.losers
    assert halves_text(row[QUICK_TRICKS.number]) == one.quick
    assert halves_text(row[PLAYING_TRICKS.number]) == one.playing
    suits = [one.hand.suit_text(suit) for suit in SUITS]
    assert str(adjusted(suits, with_length=False)) == one.before_length
    assert str(row[ADJUSTED.number]) == one.adjusted
    assert HandClass(row[CLASS.number]) == HandClass(one.hand_class)


def test_all_33_hands_are_there_and_every_class_among_them() -> None:
    assert len(classed()) == 33
    assert {HandClass(one.hand_class) for one in classed()} == set(HandClass)


def agrees(hand: Hand, row: list[int]) -> bool:
    found = classification(hand)
    counted = (row[CLASS.number], row[HCP.number], row[ADJUSTED.number])
    return (found.hand_class, found.hcp, found.adjusted) == counted


def test_walk_with_reasons_ends_where_the_kernel_does() -> None:
    hands = [Hand(word) for word in random_words(10_000, seed=21).tolist()] + extreme_hands()
    for hand, row in zip(hands, feature_table(hands).tolist(), strict=True):
        assert agrees(hand, row), hand


@given(freak_hands() | any_hand)
def test_walk_with_reasons_ends_where_the_kernel_does_on_freaks(hand: Hand) -> None:
    assert agrees(hand, feature_table([hand])[0].tolist())


def why(hand: str) -> tuple[str, ...]:
    return classification(Hand.parse(hand)).reasons


def test_reasons_say_each_correction_with_its_points() -> None:
    assert why("K.KQT964.QJ3.752")[:5] == (
        "11 high-card points",
        "king alone in spades -1",
        "1 quick trick, few for 11 points -1",
        "six good hearts +1",
        "corrected by -1: 10 adjusted points",
    )
    assert why("AKT94.T98.J3.952")[1:6] == (
        "J3 doubleton in diamonds -½",
        "2 quick tricks, many for 8 points +½",
        "rich in tens, nines and eights +½",
        "five good spades +½",
        "corrected by +1: 9 adjusted points",
    )
    assert why("AKQ2.T83.KQ9.A76")[1:3] == (
        "4-3-3-3 shape -½",
        "-½ in all, the half dropped: 18 adjusted points",
    )
    assert why("AKQ987654.K2.2.2")[2] == "+2½ in all, but two points is the most: 14 adjusted points"
    assert why("AQ94.KJ83.A95.K7")[1] == "nothing to correct: 17 adjusted points"
    assert why("9876543.2.432.65")[1:4] == (
        "too weak to miss quick tricks +½",
        "full of twos, threes and fours -½",
        "this cancels out: 0 adjusted points",
    )


@pytest.mark.parametrize(
    ("hand", "reasons"),
    [
        (
            "KQJ9876.2.J32.54",
            ["seven spades, 6 of 7 points in them, no more than 10 adjusted before length: a preempt"],
        ),
        (
            "J987654.AK.32.32",
            [
                "seven spades, but only 1 of 8 points in them: no preempt",
                "8 adjusted points, 7 to 9: worth a response",
            ],
        ),
        ("KQT964.32.J43.52", ["six spades with three of the five honours, 1 point outside: a weak two"]),
        (
            "K97643.32.J43.52",
            [
                "six spades with only one of the five honours: too thin for a weak two",
                "4 adjusted points and six spades: weak, but not very weak",
            ],
        ),
        (
            "K976.Q85.J76.962",
            [
                "6 adjusted points, but only ½ quick trick and no suit of five: not sure of a response",
                "6 adjusted points, 5 or 6: weak, but not very weak",
            ],
        ),
        (
            "32.Q87.QJ2.KQJT9",
            [
                "11 adjusted points, but only 1 quick trick and no good major: not opened",
                "11 adjusted points: invitational",
            ],
        ),
        ("KQJT9.Q87.QJ2.32", ["11 adjusted points and good spades: opened"]),
        ("KQ54.KJ3.QJ4.J32", ["13 high-card points are always opened, even when they count as 11"]),
        (
            "AQ94.KQ83.AQ5.K7",
            [
                "6 playing tricks, not nine: not forcing",
                "20 adjusted points, 20 or 21: a very strong opening",
            ],
        ),
        (
            "AKQ987654.K2.2.2",
            [
                "nine spades, but 12 adjusted points before length: too strong for a preempt",
                "9½ playing tricks: forcing, though 14 adjusted points are fewer than 22",
            ],
        ),
    ],
)
def test_reasons_say_why_this_class_and_not_the_next(hand: str, reasons: list[str]) -> None:
    found = why(hand)
    counted = next(
        i for i, reason in enumerate(found) if reason.endswith((" adjusted points", " adjusted point"))
    )
    assert list(found[counted + 1 :]) == reasons


def test_every_hand_has_a_reason_for_its_class() -> None:
    for word in random_words(3000, seed=22).tolist():
        reasons = why(str(Hand(word)))
        assert not reasons[-1].endswith((" adjusted points", " adjusted point")), Hand(word)


def test_shares_of_the_classes_among_random_hands() -> None:
    table = feature_table(random_words(200_000, seed=23))
    shares = np.bincount(table[:, CLASS.number], minlength=11) / len(table)
    # In percent, as they came out of an independent reckoning of 20,000 hands, error at most 0.3.
    expected = [1.4, 1.5, 6.5, 8.5, 23.4, 24.3, 19.8, 9.7, 2.9, 1.2, 0.9]
    assert shares * 100 == pytest.approx(expected, abs=1.0)


def test_hands_have_a_quarter_of_their_points_less_three_as_quick_tricks_on_average() -> None:
    table = feature_table(random_words(400_000, seed=25))
    points, quick = table[:, HCP.number], table[:, QUICK_TRICKS.number] / 2
    for count in range(4, 21):
        assert quick[points == count].mean() == pytest.approx((count - 3) / 4, abs=0.25), count


def test_seven_hands_in_ten_keep_their_high_card_points() -> None:
    table = feature_table(random_words(200_000, seed=26))
    change = table[:, ADJUSTED.number] - table[:, HCP.number]
    assert (change.min(), change.max()) == (-2, 2)
    assert np.mean(change == 0) == pytest.approx(0.70, abs=0.01)


def test_strong_classes_go_by_adjusted_points_alone() -> None:
    table = feature_table(random_words(200_000, seed=24))
    points, found = table[:, ADJUSTED.number], table[:, CLASS.number]
    for one, least, most in ((7, 15, 17), (8, 18, 19), (9, 20, 21)):
        among = points[found == one]
        assert (among.min(), among.max()) == (least, most)


def test_classes_are_read_and_written_in_words() -> None:
    assert HandClass("Weak Two") == HandClass.WEAK_TWO and str(HandClass(10)) == "forcing opener"
    with pytest.raises(BidlabError, match="no hand class 'huge': one of preemptive, weak two"):
        HandClass("huge")


def test_hands_with_unnamed_cards_have_no_class() -> None:
    with pytest.raises(BidlabError, match="13 named cards are wanted"):
        classification(Hand.parse("AKxx.Qxx.xxx.Kxx", spots=True))
