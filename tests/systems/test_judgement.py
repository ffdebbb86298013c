"""Judgement: forecasts that are right on average, and rules that a player would write from them."""

import numpy as np
import pytest

from bidlab._native import trick_model
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import SUITS
from bidlab.bridge.hands import Hand
from bidlab.library import library
from bidlab.meaning.conditions import All, Any, Range
from bidlab.meaning.features import HCP, feature_table, length, of_suit
from bidlab.systems.book import Book
from bidlab.systems.position import Position
from bidlab.systems.rules import Judged, Rule
from bidlab.systems.system import System

DEALS = 3000

# Openings only: everything after them is judged.
OPENINGS = """
system openings
opening
  2C   22+                                  artificial, forcing
  1N   15-17, balanced
  1S   5+ spades, 11+, spades not shorter than hearts
  1H   5+ hearts, 11+
  1D   12+, 4+ diamonds, diamonds not shorter than clubs
  1C   12+
  2S   6 spades, 5-10                       preempt
  P
1N -
  2D   5+ hearts                            transfers to hearts
    2H
"""


@pytest.fixture(scope="module")
def book() -> Book:
    return Book(System.parse(OPENINGS))


def at(book: Book, calls: str, vulnerable: str = "none") -> Position:
    return book.position(Auction("N", vulnerable, calls))


def call_of(book: Book, calls: str, hand: str, vulnerable: str = "none") -> str:
    position = at(book, calls, vulnerable)
    return str(position.rules[position.choice(Hand.parse(hand))].call)


def judged(position: Position, call: str) -> list[Rule]:
    return [rule for rule in position.rules_of(Call(call)) if isinstance(rule.source, Judged)]


def test_forecasts_are_right_on_average_on_boards_that_did_not_make_them() -> None:
    deals = library("tune")
    tables = np.asarray(deals.tables(1, DEALS), dtype=float)
    rows = feature_table(deals.bits(1, DEALS).reshape(-1)).reshape(DEALS, 4, -1)
    model = trick_model()
    for side in (0, 1):
        pair = rows[:, [side, side + 2]]
        points = pair[:, :, HCP.number].sum(axis=1)
        tricks = tables[:, 4, [side, side + 2]].mean(axis=1)
        middle = (points >= 18) & (points <= 33)
        left = tricks - (model["notrump_base"] + model["notrump_points"] * points)
        assert abs(left[middle].mean()) < 0.12 and left[middle].std() < 1.5
        for suit in SUITS:
            trumps = pair[:, :, length(suit).number].sum(axis=1)
            support = pair[:, :, of_suit("support", suit).number].sum(axis=1)
            forecast = (
                model["suit_base"]
                + model["suit_points"] * support
                + model["trumps_to_eight"] * np.minimum(trumps, 8)
                + model["trumps_over_eight"] * np.maximum(trumps - 8, 0)
            )
            left = tables[:, suit, [side, side + 2]].mean(axis=1) - forecast
            assert abs(left[trumps >= 7].mean()) < 0.12 and left[trumps >= 7].std() < 1.2


def test_with_more_trumps_fewer_points_are_enough(book: Book) -> None:
    (rule,) = judged(at(book, "1S P"), "4S")
    assert isinstance(rule.condition, Any)
    steps = []
    for clause in rule.condition.parts:
        assert isinstance(clause, All)
        trumps, points = clause.parts
        assert isinstance(trumps, Range) and isinstance(points, Range)
        steps.append((trumps.least, points.least))
    assert len(steps) in (2, 3)
    assert steps == sorted(steps) and [p for _, p in steps] == sorted((p for _, p in steps), reverse=True)


@pytest.mark.parametrize(
    ("calls", "hand", "wanted"),
    [
        ("1S P", "KJ732.4.K9832.82", "4S"),  # five trumps and a singleton
        ("1S P", "Q42.K832.KQ83.T2", "4S"),
        ("1S P", "Q42.K832.K983.T2", "3S"),  # eight points and three trumps: an invitation
        ("1S P", "942.K8532.83.T82", "P"),
        ("1N P", "K42.K83.KQ83.T82", "3N"),
        ("1N P", "942.K83.Q983.T82", "P"),
        ("1S 2H", "Q42.83.K9832.T82", "2S"),  # eight trumps at the two level
    ],
)
def test_judgement_calls_as_a_player_would(book: Book, calls: str, hand: str, wanted: str) -> None:
    assert call_of(book, calls, hand) == wanted


def test_a_sign_off_is_passed() -> None:
    natural = Book(System.load("natural"))
    assert natural.position(Auction("N", "none", "1N P 2D P 2H P 4H P")).calls == (Call.PASS,)


def test_a_transfer_is_completed_where_the_text_ends(book: Book) -> None:
    position = at(book, "1N P 2D X")
    assert Call.PASS not in position.calls and Call("2H") in position.calls


def test_partner_is_never_left_in_an_artificial_bid(book: Book) -> None:
    for calls in ("2C P", "2C X", "P P 2C P", "2C P 2D P 2H P", "2C P 2D P"):
        position = at(book, calls)
        if position.state.is_forced:
            assert Call.PASS not in position.calls, calls


def test_games_are_bid_more_freely_when_vulnerable(book: Book) -> None:
    def least(vulnerable: str) -> int:
        (rule,) = judged(at(book, "1N P", vulnerable), "3N")
        condition = rule.condition
        assert isinstance(condition, Range) and condition.feature == HCP
        return condition.least

    assert least("NS") <= least("none") <= 10


def test_a_preempt_goes_at_once_to_the_level_of_its_trumps(book: Book) -> None:
    assert call_of(book, "1S 2H", "KT842.3.98632.T8") in ("4S",)
    kinds = {rule.source.kind for rule in at(book, "1S 2H").rules if isinstance(rule.source, Judged)}
    assert {"game", "competition", "preempt", "penalty"} <= kinds


def test_a_rule_of_judgement_says_what_it_was_written_from(book: Book) -> None:
    (rule,) = judged(at(book, "1N P"), "3N")
    assert isinstance(rule.source, Judged)
    assert rule.source.kind == "game" and "partner is taken for 16 points" in rule.source.estimate
