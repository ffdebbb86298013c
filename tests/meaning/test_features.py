"""Features of a hand: the kernel beside a plain Python twin, their bounds, and the tables of the game."""

import threading
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from tests.meaning.hands import RENAMINGS, any_hand, extreme_hands, freak_hands, random_words, renamed, shapes
from tests.meaning.plain import hcp, plain_features

from bidlab._native import features as native_features
from bidlab.bridge.cards import CARDS, SUITS, Card, Suit
from bidlab.bridge.errors import DealError
from bidlab.bridge.hands import Hand
from bidlab.meaning.features import (
    ADJUSTED,
    CLASS,
    FEATURES,
    HCP,
    PLAYING_TRICKS,
    POINTS,
    QUICK_TRICKS,
    SUIT_KINDS,
    WEBB,
    Feature,
    feature_table,
    holds,
    length,
    of_suit,
)

LEAST = np.array([feature.least for feature in FEATURES])
MOST = np.array([feature.most for feature in FEATURES])


def value(hand: str, feature: Feature) -> int:
    return int(feature_table([Hand.parse(hand)])[0, feature.number])


def with_spades(spades: str) -> str:
    """A hand with this holding of spades and nothing of note elsewhere."""
    rest = "98765432"
    others = [rest[: (13 - len(spades) + i) // 3] for i in range(3)]
    return ".".join([spades, *others])


def test_features_are_numbered_as_they_stand() -> None:
    assert [feature.number for feature in FEATURES] == list(range(112))
    assert native_features(random_words(1, 0)).shape == (1, 112)
    assert [str(of_suit(kind, Suit.SPADES)) for kind in SUIT_KINDS[:2]] == [
        "length in spades",
        "suit hcp in spades",
    ]
    assert length(Suit.HEARTS) == of_suit("length", Suit.HEARTS) and holds(Card("SA")).number == 111


def test_kernel_counts_as_the_plain_twin_on_random_hands() -> None:
    words = random_words(4000, seed=11)
    table = feature_table(words)
    for word, row in zip(words.tolist(), table.tolist(), strict=True):
        hand = Hand(word)
        assert row == plain_features(hand), hand


def test_kernel_counts_as_the_plain_twin_on_the_extremes_of_every_shape() -> None:
    hands = extreme_hands()
    for hand, row in zip(hands, feature_table(hands).tolist(), strict=True):
        assert row == plain_features(hand), hand


@given(freak_hands() | any_hand)
def test_kernel_counts_as_the_plain_twin_on_freaks(hand: Hand) -> None:
    assert feature_table([hand])[0].tolist() == plain_features(hand)


def test_no_hand_has_less_than_the_least_or_more_than_the_most() -> None:
    words = random_words(1_000_000, seed=12)
    for start in range(0, len(words), 100_000):
        table = feature_table(words[start : start + 100_000])
        assert (table.min(axis=0) >= LEAST).all() and (table.max(axis=0) <= MOST).all()


@given(freak_hands())
def test_no_freak_has_less_than_the_least_or_more_than_the_most(hand: Hand) -> None:
    row = feature_table([hand])[0]
    assert (row >= LEAST).all() and (row <= MOST).all()


def test_some_hand_has_the_least_and_some_the_most_of_every_feature() -> None:
    texts = (
        "AKQJ.AKQ.AKQ.AKQ T98.T98.T98.T987 432.432.432.5432 6543.654.654.654 AKQJ.AKQJ.AKQJ.A "
        "AKQJ.AKQJ.AKQ.AK AQ94.KQ83.AQ5.K7 A2.KQ3.AKQ4.KJ32 KQT964.32.J43.52 65432.65432.654. "
        ".65432.65432.654 654..65432.65432 65432.654..65432"
    ).split()
    table = feature_table([Hand.parse(text) for text in texts] + extreme_hands())
    all_hands = np.concatenate([table, feature_table(random_words(20_000, seed=13))])
    assert (all_hands.min(axis=0) == LEAST).all() and (all_hands.max(axis=0) == MOST).all()


def test_most_points_and_support_of_any_shape_are_those_of_its_highest_cards() -> None:
    best = feature_table(extreme_hands())
    assert len(shapes()) == 560
    assert best[:, POINTS.number].max() == POINTS.most == 37
    assert best[:, of_suit("support", Suit.SPADES).number].max() == of_suit("support", Suit.SPADES).most == 37


def test_no_hand_adjusts_to_more_than_36() -> None:
    """Two points is the most that can be added, so that hands of 35 points or more are all that matter."""
    honours = [card for card in CARDS if str(card.rank) in "AKQJ"]
    others = [card for card in CARDS if str(card.rank) not in "AKQJ"]
    found = set()
    for missing in range(3, 6):
        for left_out in combinations(honours, missing):
            if sum(hcp(str(card.rank)) for card in left_out) > 5:
                continue
            rest = [card for card in honours if card not in left_out]
            found |= {Hand.of([*rest, *spots]) for spots in combinations(others, 13 - len(rest))}
    table = feature_table(sorted(found, key=lambda hand: hand.bits))
    assert len(found) == 688 and table[:, HCP.number].min() == 35
    assert table[:, ADJUSTED.number].max() == ADJUSTED.most == 36


def test_webb_points_of_the_strongest_hand() -> None:
    assert value("AKQJ.AKQ.AKQ.AKQ", WEBB) == WEBB.most == 35_078
    assert value("AKQ2.T83.KQ9.A76", WEBB) == 17_741


def test_suits_keep_their_features_when_they_are_renamed() -> None:
    hands = [Hand(word) for word in random_words(200, seed=14).tolist()]
    table = feature_table(hands)
    for order in RENAMINGS:
        other = feature_table([renamed(hand, order) for hand in hands])
        for kind in SUIT_KINDS:
            for suit in SUITS:
                before, after = of_suit(kind, suit), of_suit(kind, SUITS[order[suit]])
                assert (table[:, before.number] == other[:, after.number]).all(), kind


def test_swapping_hearts_and_spades_leaves_totals_and_class() -> None:
    hands = [Hand(word) for word in random_words(20_000, seed=15).tolist()]
    totals = slice(0, of_suit("length", Suit.CLUBS).number)
    swapped = feature_table([renamed(hand, (0, 1, 3, 2)) for hand in hands])
    assert (feature_table(hands)[:, totals] == swapped[:, totals]).all()


@pytest.mark.parametrize(
    ("holdings", "halves"),
    [("AK2 AKQ AK", 4), ("AQJ AQ", 3), ("A A2 AJT KQ KQJ", 2), ("K2 KJ3", 1), ("K QJT QJ 2", 0)],
)
def test_quick_tricks_of_a_suit(holdings: str, halves: int) -> None:
    for holding in holdings.split():
        assert value(with_spades(holding), QUICK_TRICKS) == halves, holding


@pytest.mark.parametrize(
    ("holdings", "kind"),
    [
        ("A A2 K2 KQ Q32 QJ2 JT32 JT932", 2),
        ("K Q2 QJ J32 JT2 J932", 1),
        ("Q J2 JT T932 987 2", 0),
    ],
)
def test_stoppers_full_half_and_none(holdings: str, kind: int) -> None:
    for holding in [*holdings.split(), *([""] if kind == 0 else [])]:
        assert value(with_spades(holding), of_suit("stopper", Suit.SPADES)) == kind, holding


@pytest.mark.parametrize(
    ("holdings", "losers"),
    [
        ("- A AK AKQ AKQ32", 0),
        ("2 K Q A2 AQ K2 AK2 KQ2 AQ32", 1),
        ("Q2 QJ J2 A32 K32 Q32 QJT", 2),
        ("JT9 432 J5432", 3),
    ],
)
def test_losers_of_a_suit(holdings: str, losers: int) -> None:
    for holding in holdings.replace("-", "").split(" "):
        assert value(with_spades(holding), of_suit("suit losers", Suit.SPADES)) == losers, holding


@pytest.mark.parametrize(
    ("holdings", "level"),
    [
        ("AK2 T987 T9876 432", 0),  # not biddable: too short, or headed by no more than the ten
        ("J432 AKQJ A5432 J9876", 1),
        ("765432 A98765 QJ9876", 2),
        ("AK432 KQ432 AJT32 KJT32 QJT32 AQ9876 KQ98765", 3),
        ("AKQ432 AKJT32 AQJT32 KQJT32 KQJT987", 4),
        ("AKQJ32 AKQ5432 AKQJT98765432", 5),
    ],
)
def test_quality_of_a_suit(holdings: str, level: int) -> None:
    for holding in holdings.split():
        assert value(with_spades(holding), of_suit("quality", Suit.SPADES)) == level, holding


def test_playing_tricks_count_trumps_from_the_fourth_card_and_other_suits_from_the_fifth() -> None:
    assert value("AKQ987654.K2.2.2", PLAYING_TRICKS) == 19
    assert value("AK762.AK854.A2.3", PLAYING_TRICKS) == 16
    assert value("AKQJT98765432...", PLAYING_TRICKS) == 26
    assert value("9876.987.987.987", PLAYING_TRICKS) == 2


def test_support_counts_shortness_by_the_number_of_trumps() -> None:
    def support(hand: str) -> list[int]:
        return [value(hand, of_suit("support", suit)) for suit in reversed(SUITS)]

    assert support("A9876.5432.432.2") == [4 + 3, 4 + 3, 4 + 2, 4]
    assert support("98765.A543.5432.") == [4 + 5, 4 + 5, 4 + 5, 4]
    assert support("9876.A54.65432.2") == [4 + 3, 4 + 2, 4 + 3, 4]
    assert support("98765.A5.43.5432") == [4 + 2, 4, 4, 4 + 2]


def test_key_cards_are_the_aces_and_the_king_of_trumps() -> None:
    keys = [value("AKQ2.T83.KQ9.A76", of_suit("key cards", suit)) for suit in reversed(SUITS)]
    assert keys == [3, 2, 3, 2]


def test_control_of_a_side_suit() -> None:
    for holding, control in (
        ("A2", 2),
        ("", 2),
        ("A", 2),
        ("K32", 1),
        ("K", 1),
        ("2", 1),
        ("QJ", 0),
        ("32", 0),
    ):
        assert value(with_spades(holding), of_suit("control", Suit.SPADES)) == control, holding


@given(any_hand)
def test_a_higher_spot_card_never_lowers_texture(hand: Hand) -> None:
    texture = plain_features(hand)[10]
    for card in hand:
        higher = Card(min(card + 1, 51))
        if card.rank < 8 and higher not in hand:
            better = Hand(hand.bits ^ 1 << card ^ 1 << higher)
            assert feature_table([better])[0, 10] >= texture


def test_hands_and_words_give_the_same_table_in_any_layout_and_from_any_thread() -> None:
    words = random_words(2000, seed=16)
    table = feature_table(words)
    assert table.dtype == np.int32
    assert (feature_table([Hand(word) for word in words.tolist()]) == table).all()
    assert (feature_table(words[::2]) == table[::2]).all()
    assert feature_table([]).shape == feature_table(words[:0]).shape == (0, 112)
    found: list[bool] = []
    ask = [
        threading.Thread(target=lambda: found.append(bool((feature_table(words) == table).all())))
        for _ in range(4)
    ]
    for thread in ask:
        thread.start()
    for thread in ask:
        thread.join()
    assert found == [True] * 4


def test_class_is_a_feature_like_any_other() -> None:
    assert value("AKQ2.T83.KQ9.A76", CLASS) == 8


def test_what_is_no_hand_of_thirteen_named_cards_is_refused() -> None:
    whole = Hand.parse("AKQ2.T83.KQ9.A76")
    with pytest.raises(DealError, match=r"^no features of 'AK\.\.\.': 13 named cards are wanted$"):
        feature_table([whole, Hand.parse("AK...", partial=True)])
    with pytest.raises(DealError, match=r"^no features of 'AKxx\.Qxx\.xxx\.Kxx'"):
        feature_table([Hand.parse("AKxx.Qxx.xxx.Kxx", spots=True)])
    with pytest.raises(DealError, match=r"^no features of 0x1, word 1: 13 of 52 bits are wanted"):
        feature_table(np.array([whole.bits, 1], dtype=np.uint64))
    with pytest.raises(DealError, match="13 of 52 bits"):
        feature_table(np.array([0x1FFF << 51], dtype=np.uint64))
    with pytest.raises(DealError, match=r"int64\[1\]: one row of uint64"):
        feature_table(np.array([whole.bits]))  # type: ignore[arg-type]
    with pytest.raises(DealError, match=r"uint64\[1, 4\]"):
        feature_table(np.zeros((1, 4), dtype=np.uint64))
