"""WEBB's systems as values: entries and words, JSON, random ones, Meanings."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.systems.webb import twin

from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import Strain, Suit
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.dealing import deal_bits
from bidlab.systems.webb import (
    Bid,
    Decision,
    Kind,
    Players,
    Population,
    WebbState,
    WebbSystem,
    box_meaning,
    call_meanings,
    entry_of,
    random_population,
    word_of,
)

DECISIONS = st.builds(
    Decision,
    st.sampled_from([None, *Suit]),
    st.integers(0, 15),
    st.integers(1, 64),
    st.booleans(),
    st.integers(0, 15).map(Players),
)
BIDS = st.builds(Bid, st.sampled_from(Kind), st.integers(0, 63))


@given(st.one_of(DECISIONS, BIDS))
def test_entry_is_read_back_from_its_word(entry: Decision | Bid) -> None:
    assert entry_of(word_of(entry), entries=64) == entry


@given(st.integers(0, 2**32 - 1), st.integers(1, 64))
def test_every_word_is_an_entry_that_means_the_same(word: int, entries: int) -> None:
    entry = entry_of(word, entries)
    if isinstance(entry, Decision):
        assert entry.jump <= entries
    assert entry_of(word_of(entry), entries) == entry
    assert str(entry)


def test_entries_are_said_in_words() -> None:
    both = Players.BIDDER | Players.PARTNER
    assert str(Decision(None, 320, 3, players=both)) == "if bidder and partner at least 25.00 points: 3 ahead"
    assert str(Decision(Suit.HEARTS, 4, 1, is_at_most=True)) == "if bidder at most 4 hearts: 1 ahead"
    assert str(Bid.direct("3NT")) == "bid 3N"
    assert str(Bid.relative(Strain.HEARTS, 1)) == "bid hearts, 1 above the lowest"
    assert [str(one) for one in (Bid.steps(2), Bid.passing(), Bid.doubling())] == [
        "bid step 2",
        "pass",
        "double or redouble",
    ]


def test_relative_bids_are_those_of_section_3_3() -> None:
    # Its examples: notrump at the lowest level, and a jump shift in hearts.
    assert Bid.relative(Strain.NOTRUMP) == Bid(Kind.RELATIVE, 0b000100)
    assert Bid.relative(Strain.HEARTS, 1) == Bid(Kind.RELATIVE, 0b001010)


def test_system_is_read_back_from_its_json() -> None:
    for system in random_population(20, states=3, entries=5, seed=4).systems:
        assert WebbSystem.from_json(system.to_json()) == system


def system_json() -> dict:
    return json.loads(random_population(1, states=2, entries=3, seed=1).system(0).to_json())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, 'best.json is no WEBB system: it has not "format": "bidlab webb"'),
        ({"version": 2}, "best.json is of version 2: 1 is read"),
        ({"inheritance": 99}, "best.json: no inheritance of 99 programs: 0 to 15"),
        ({"states": []}, "best.json: no system of 0 states: 1 to 64 are possible"),
        ({"states": [{}]}, "best.json: KeyError 'program'"),
        ({"states": 5}, "best.json: TypeError"),
        ({"states": [{"program": ["x"], "transitions": [], "inherits": 0}]}, "best.json: ValueError"),
        (
            {"states": [{"program": ["0"], "transitions": [0] * 38, "inherits": 1}]},
            "best.json: state 0 leads to state 1: there are 0 to 0",
        ),
        (
            {"states": [{"program": ["0"], "transitions": [0], "inherits": 0}]},
            "best.json: state 0 has 1 transitions: 38 are wanted",
        ),
    ],
)
def test_damaged_json_is_refused_in_one_line(change: dict, message: str) -> None:
    text = json.dumps(system_json() | change)
    with pytest.raises(FormatError) as caught:
        WebbSystem.from_json(text, "best.json")
    assert str(caught.value).startswith(message) and "\n" not in str(caught.value)


def test_json_cut_short_is_refused() -> None:
    text = random_population(1, states=2, entries=3, seed=1).system(0).to_json()
    with pytest.raises(FormatError, match=r"best\.json is no JSON"):
        WebbSystem.from_json(text[: len(text) // 2], "best.json")


def test_random_systems_start_with_decisions_and_depend_on_the_seed_alone() -> None:
    one = random_population(50, states=4, entries=8, seed=3)
    assert one == random_population(50, states=4, entries=8, seed=3)
    assert one != random_population(50, states=4, entries=8, seed=4)
    assert (one.words[:, :, 0] >> 31 == 1).all()
    assert 0.45 < (one.words[:, :, 1:] >> 31).mean() < 0.55
    assert set(np.unique(one.transitions).tolist()) == {0, 1, 2, 3}
    # The same on every machine.
    assert [hex(word) for word in one.words[0, 0, :3].tolist()] == ["0x95ed1a93", "0x3c9f9d05", "0xcd2052c7"]


def test_systems_of_different_forms_do_not_mix() -> None:
    small, large = (random_population(1, states=n, entries=8, seed=1).system(0) for n in (2, 3))
    with pytest.raises(BidlabError, match="no population of 2 systems with 2 forms"):
        Population.of([small, large])


# Meanings.


def run_a() -> WebbSystem:
    """What figure 5-2 shows of run A's best system: spades with six of them, 1NT, and 3NT after it."""
    opening = [
        Decision(None, 183, jump=4),  # 14.3+ points
        Decision(Suit.SPADES, 6, jump=2),
        Bid.passing(),
        Bid.relative(Strain.SPADES),
        Bid.direct("1N"),
    ]
    replies = [Decision(None, 101, jump=2), Bid.passing(), Bid.direct("3N"), *[Bid.passing()] * 2]
    return WebbSystem((WebbState.of(opening, {"1N": 1}), WebbState.of(replies, {})))


def test_meanings_of_figure_5_2() -> None:
    system = run_a()
    meanings = call_meanings(system, system, Auction("E", "NS", "1S P P 1N 2S 3N"))
    assert [str(meaning) for meaning in meanings] == [
        "0-14.257 webb points, 6+ spades",
        "0-14.257 webb points, 0-5 spades",
        "0-14.257 webb points, 0-5 spades",
        "14.258+ webb points",
        "0-14.257 webb points, 6+ spades",
        "7.852-14.257 webb points, 0-5 spades",
    ]


def test_call_that_no_hand_makes_means_nothing() -> None:
    system = run_a()
    assert call_meanings(system, system, Auction("N", "none", "7C"))[0].is_nothing


def test_meaning_admits_the_hands_of_its_box_and_no_others() -> None:
    hands = deal_bits(2000, seed=6).reshape(-1)
    own = [twin.values(int(hand)) for hand in hands]
    for box in (
        ((0, 182), (0, 13), (0, 13), (0, 13), (6, 13)),
        ((129, 129), (0, 13), (0, 13), (0, 13), (0, 13)),
        ((100, 449), (0, 4), (3, 5), (0, 13), (0, 8)),
        twin.WHOLE,
    ):
        wanted = [all(a <= v <= b for v, (a, b) in zip(row, box, strict=True)) for row in own]
        assert box_meaning(box).admits(hands).tolist() == wanted
