"""Meanings estimated from hands, against the meanings that the hands were dealt from."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bidlab.bridge.errors import BidlabError
from bidlab.dealing import Dealer, deal_bits
from bidlab.meaning.cells import EVERY_HAND
from bidlab.meaning.features import HCP, feature_table
from bidlab.meaning.fitting import fitted
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.statements import (
    COARSE,
    FINE,
    VALUES,
    cell_values,
    everybody,
    fine_values,
    histograms,
    pool,
    shape_numbers,
)

KINDS = (
    "15-17, balanced",
    "5+ hearts, 6-10",
    "12-21, 5+ spades",
    "0-7, no 5-card major",
    "6+ diamonds, 5-10, two of the top three in diamonds",
    "22+",
    "8-11, 4 spades, 0-3 hearts",
    "5+ hearts, 5+ spades, 8-15",
    "2 aces, 13-20",
    "12+, 0-1 hearts, 3+ spades",
)


def hands_of(text: str, count: int, seed: int = 1) -> np.ndarray:
    return Dealer.of(N=text).deal_bits(count, seed)[:, 0].copy()


@pytest.mark.parametrize("text", KINDS)
def test_nearly_all_fresh_hands_are_inside_and_few_others(text: str) -> None:
    found = fitted(hands_of(text, 300))
    assert found.admits(hands_of(text, 3000, seed=2)).mean() >= 0.95
    anybody = deal_bits(100_000, seed=3).ravel()
    true_share, share = Meaning.parse(text).admits(anybody).mean(), found.admits(anybody).mean()
    assert share <= 1.5 * true_share


@pytest.mark.parametrize("text", ["15-17, balanced", "5+ hearts, 6-10", "22+", "20-21, balanced"])
def test_what_players_say_is_said_as_players_do(text: str) -> None:
    assert str(Meaning(fitted(hands_of(text, 400)).condition)) == text


def test_two_kinds_of_hand_are_told_apart() -> None:
    weak, strong = hands_of("6 hearts, 5-10", 200), hands_of("22+", 200)
    found = fitted(np.concatenate([weak, strong]))
    assert " or " in str(found)
    assert found.admits(weak).mean() >= 0.95 and found.admits(strong).mean() >= 0.95
    assert not found.admits(hands_of("12-19", 500)).any()


def test_a_word_that_tells_nothing_is_left_out() -> None:
    assert fitted(deal_bits(100, seed=4).ravel()) == Meaning()


@pytest.mark.parametrize("count", [15, 40, 100, 300])
def test_the_share_outside_is_honest_for_samples_of_any_size(count: int) -> None:
    said, true = [], []
    for text in KINDS:
        for seed in range(3):
            found = fitted(hands_of(text, count, seed + 10))
            said.append(found.outside)
            true.append(1 - found.admits(hands_of(text, 1000, seed + 20)).mean())
    assert np.mean(true) <= np.mean(said) + 0.01
    assert np.mean(said) <= 0.03 + 2 / count


def test_hands_that_weigh_nothing_do_not_count() -> None:
    meant, others = hands_of("15-17, balanced", 300), hands_of("0-11", 300)
    weights = np.repeat([1.0, 0.0], 300)
    assert fitted(np.concatenate([meant, others]), weights) == fitted(meant)


def test_the_order_of_the_hands_does_not_matter() -> None:
    hands = hands_of("8-15, 4+ spades", 200)
    assert fitted(hands) == fitted(hands[::-1].copy())


def test_there_is_no_meaning_of_no_hands() -> None:
    with pytest.raises(BidlabError, match="no meaning of no hands"):
        fitted(np.zeros(0, dtype=np.uint64))


@given(st.integers(0, len(COARSE) - 1), st.data())
def test_a_statement_of_shape_and_points_says_what_it_counts(number: int, data: st.DataObject) -> None:
    statement = COARSE[number]
    least = data.draw(st.integers(statement.least, min(statement.most, VALUES - 2)))
    most = statement.most if np.isinf(statement.upper) else data.draw(st.integers(least, statement.most))
    assume((least, most) != (statement.least, statement.most))  # that would say nothing, and is never said
    hands = deal_bits(200, seed=5).ravel()
    features = feature_table(hands)
    table = cell_values(number)
    values = table[shape_numbers(features), features[:, HCP.number] if table.shape[1] > 1 else 0]
    if most >= VALUES - 1:
        most = statement.most
    inside = (values >= least) & (values <= most)
    assert (Meaning(statement.condition(least, most)).admits(hands) == inside).all()


@given(st.integers(0, len(FINE) - 1), st.data())
def test_a_statement_of_cards_says_what_it_counts(number: int, data: st.DataObject) -> None:
    statement = FINE[number]
    least = data.draw(st.integers(statement.least, statement.most))
    most = data.draw(st.integers(least, statement.most))
    hands = deal_bits(200, seed=6).ravel()
    values = fine_values(feature_table(hands))[:, number]
    inside = (values >= least) & (values <= most)
    assert (Meaning(statement.condition(least, most)).admits(hands) == inside).all()


def test_histograms_share_out_all_hands() -> None:
    found = histograms(everybody())
    assert found.shape == (len(COARSE), VALUES)
    assert np.allclose(found.sum(axis=1), 1)
    assert round(found[0, 4] * EVERY_HAND) == 24_419_055_136  # hands of four points


def test_the_pool_stands_for_nearly_all_hands() -> None:
    hands = pool()
    assert 0.998 < hands.weights.sum() <= 1
    aces = np.bincount(hands.values[:, 0], hands.weights)
    assert np.allclose(aces, [0.3038, 0.4388, 0.2135, 0.0412, 0.0026], atol=0.004)
