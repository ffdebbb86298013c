"""Meanings: what they admit, however they are combined, simplified, printed and read again."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from tests.meaning.strategies import conditions, features_of, plainly, random_hands

from bidlab.bridge.hands import ALL_CARDS, Hand
from bidlab.dealing import deal_bits
from bidlab.meaning.cells import EVERY_HAND, SHAPES, cell_counts, cell_sets, unpacked, whole
from bidlab.meaning.conditions import All, Any, Condition, Not
from bidlab.meaning.features import FEATURES, HCP, feature_table
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.reading import read_meaning
from bidlab.meaning.simplify import simplified
from bidlab.meaning.writing import meaning_text

HANDS = 4000


@given(conditions())
def test_what_was_printed_admits_the_same_hands(condition: Condition) -> None:
    wanted = plainly(condition, features_of(HANDS))
    for text in (meaning_text(condition), str(Meaning(condition))):
        again, outside = read_meaning(text)
        assert outside == 0
        assert (plainly(again, features_of(HANDS)) == wanted).all(), text


@given(conditions())
def test_testing_agrees_with_the_words(condition: Condition) -> None:
    admitted = Meaning(condition).admits(random_hands(HANDS))
    assert (admitted == plainly(condition, features_of(HANDS))).all()


@given(conditions())
def test_simplifying_keeps_the_hands(condition: Condition) -> None:
    plain = simplified(condition)
    assert (plainly(plain, features_of(HANDS)) == plainly(condition, features_of(HANDS))).all()


@given(conditions(), conditions())
def test_and_or_not_agree_with_testing(one: Condition, other: Condition) -> None:
    hands = random_hands(HANDS)
    a, b = Meaning(one), Meaning(other)
    assert ((a & b).admits(hands) == (a.admits(hands) & b.admits(hands))).all()
    assert ((a | b).admits(hands) == (a.admits(hands) | b.admits(hands))).all()
    assert ((~a).admits(hands) == ~a.admits(hands)).all()


@given(conditions())
def test_misfit_is_zero_exactly_where_the_meaning_holds(condition: Condition) -> None:
    meaning = Meaning(condition)
    misfit = meaning.misfit(random_hands(HANDS))
    assert (misfit >= 0).all() and np.isfinite(misfit).all()
    assert ((misfit == 0) == meaning.admits(random_hands(HANDS))).all()


@given(conditions())
def test_no_hand_lies_outside_the_ranges(condition: Condition) -> None:
    meaning = Meaning(condition)
    admitted = features_of(HANDS)[plainly(condition, features_of(HANDS))]
    if meaning.is_nothing:
        assert not len(admitted) and meaning.ranges() == {}
    elif len(admitted):
        least, most = np.array(list(meaning.ranges().values())).T
        assert (admitted.min(axis=0) >= least).all() and (admitted.max(axis=0) <= most).all()


@given(conditions())
def test_every_hand_lies_between_certain_and_possible(condition: Condition) -> None:
    table = features_of(HANDS)
    shapes = _shape_numbers(table)
    points = table[:, HCP.number]
    possible, certain = (unpacked(cells)[shapes, points] for cells in cell_sets(condition))
    truth = plainly(condition, table)
    assert (certain <= truth).all() and (truth <= possible).all()


def _shape_numbers(table: np.ndarray) -> np.ndarray:
    number = {tuple(shape): i for i, shape in enumerate(SHAPES.tolist())}
    first = next(feature.number for feature in FEATURES if feature.kind == "length")
    return np.array([number[tuple(row)] for row in table[:, first : first + 4].tolist()])


MILLION = [
    "15-17, balanced",
    "5+ hearts, 8-11",
    "longer hearts than spades, not 4-4 in the minors",
    "22+ or 9+ playing tricks",
    "6 spades, 5-10, two of the top three in spades",
    "12-21 points, 5+ spades, not (15-17, balanced)",
    "stopper in hearts, no 4-card major, 10-12",
    "0 or 3 key cards in hearts, 4+ controls",
    "class minimum opener",
    "13+ webb, 2½+ quick tricks; or 6-6+",
]


@pytest.mark.parametrize("text", MILLION)
def test_a_million_hands_stay_within_the_ranges(text: str) -> None:
    meaning = Meaning.parse(text)
    ranges = np.array(list(meaning.ranges().values()))
    admitted = 0
    for start in range(0, 1_000_000, 250_000):
        hands = deal_bits(250_000, seed=4, first=1 + start)[:, 0].copy()
        table = feature_table(hands)[meaning.admits(hands)]
        admitted += len(table)
        assert (table >= ranges[:, 0]).all() and (table <= ranges[:, 1]).all()
    least, most = meaning.share
    spread = 4 * np.sqrt(most * 1_000_000) + 10
    assert least * 1_000_000 - spread <= admitted <= most * 1_000_000 + spread


def test_cells_count_every_hand() -> None:
    assert int(cell_counts().sum()) == EVERY_HAND == 635_013_559_600
    assert int(np.bitwise_count(whole()).sum()) == 15_152


@pytest.mark.parametrize("cards", [ALL_CARDS, ALL_CARDS & ~Hand.parse("AKQ2.T83.KQ9.A76").bits, 0xFFFF_FFFF])
def test_cells_count_the_hands_of_some_cards(cards: int) -> None:
    """Beside a plain sum over the honours of each suit and the ways to choose the other cards."""
    suits = [_holding_counts(cards >> 13 * suit & 0x1FFF) for suit in range(4)]
    for number in range(0, 560, 7):
        row = np.ones(1, dtype=np.int64)
        for suit, length in enumerate(SHAPES[number].tolist()):
            row = np.convolve(row, suits[suit][length])
        assert row[:38].tolist() == cell_counts(cards)[number].tolist()


def _holding_counts(cards: int) -> np.ndarray:
    """How many holdings of these cards of a suit have a length and points [14, 11]."""
    table = np.zeros((14, 11), dtype=np.int64)
    honours, spots = cards >> 9, (cards & 0x1FF).bit_count()
    for held in range(16):
        if not held & ~honours:
            points = sum(n for n in (1, 2, 3, 4) if held >> n - 1 & 1)
            for low in range(spots + 1):
                table[held.bit_count() + low, points] += comb(spots, low)
    return table


@pytest.mark.parametrize(
    ("text", "percent"),
    [("4-3-3-3", 10.536), ("15-17, balanced", 4.866), ("4-4-3-2", 21.551), ("5-3-3-2", 15.517), ("0", 0.364)],
)
def test_known_frequencies(text: str, percent: float) -> None:
    least, most = Meaning.parse(f"{text} hcp" if text == "0" else text).share
    assert least == most == pytest.approx(percent / 100, abs=6e-6)


def test_nothing_left_is_noticed() -> None:
    for text in (
        "5+ spades, 5+ hearts, 4+ clubs",
        "balanced, 6+ spades",
        "20+, 0-1 controls",
        "4 aces, 0-15",
        "stopper in hearts, no stopper in hearts",
        "SA, no SA",
        "7+ losers, 30+",
        "not any hand",
        "void in hearts, HA",
    ):
        assert Meaning.parse(text).is_nothing, text
    assert not Meaning.parse("5+ spades, 5+ hearts, 3 clubs").is_nothing


def test_suits_sum_to_thirteen_in_the_ranges() -> None:
    ranges = Meaning.parse("4 clubs, 4 diamonds, 0-3 hearts").ranges()
    spades = next(f for f in ranges if f.kind == "length" and f.suit == 3)
    assert ranges[spades] == (2, 5)  # Woolever's section 3.2.2 says four or more, a slip


def test_meanings_are_values() -> None:
    one, two = Meaning.parse("15-17, balanced"), Meaning.parse("15-17 balanced")
    assert one == two and hash(one) == hash(two)
    assert one != Meaning.parse("15-17, balanced (2% outside)")
    assert str(Meaning.parse("15-17, balanced (2.5% outside)")) == "15-17, balanced (2.5% outside)"
    assert All((one.condition,)) != Any((one.condition,)) != Not(one.condition)


def test_misfit_grows_with_distance() -> None:
    notrump = Meaning.parse("15-17, balanced")
    near, far = Hand.parse("AQ32.K832.KQ9.76"), Hand.parse("Q7532.98732.9.76")
    fits = Hand.parse("AQ32.K832.KQ9.J7")
    assert notrump.misfit(fits) == 0 < notrump.misfit(near) < notrump.misfit(far)
    assert notrump.misfit(near) == pytest.approx(1 / 4.126)
