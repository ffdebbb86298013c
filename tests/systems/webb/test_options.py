"""What goes beyond the thesis: native and twin agree, and inferences exclude no hand that makes the calls."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.webb import twin
from tests.systems.webb.populations import Systems, random_systems
from tests.systems.webb.test_kernel import boxes, pairs_of

from bidlab._native import WebbPopulation, webb_values
from bidlab.dealing import deal_bits

NAMES = twin.twin_options.NAMES
EVERYTHING = (1 << len(NAMES)) - 1
# Types of questions to which an option gives a meaning, so that random systems have many of them.
WORDS = {
    "bidding": (64, 96), "vulnerability": (96, 104), "controls": (104, 112), "points": (112, 120),
    "losers": (120, 128), "shape": (192, 208), "holdings": (208, 224), "fit": (240, 256),
    "named-suits": (128, 192), "suit-bids": (0, 128),
}  # fmt: skip


def systems_with(mask: int, count: int, seed: int, *, states: int = 4, entries: int = 10) -> Systems:
    """Random systems in which every third question is one that an option of the mask brings."""
    systems = random_systems(count, states, entries, seed, inheritance=2, apt=True, options=mask)
    random = np.random.default_rng(seed)
    ranges = [WORDS[name] for bit, name in enumerate(NAMES) if mask >> bit & 1]
    chosen = random.integers(0, len(ranges), systems.words.shape)
    firsts, ends = np.array(ranges).T
    types = random.integers(firsts[chosen], ends[chosen]).astype(np.uint32)
    takes = (systems.words >> np.uint32(31)).astype(bool) & (random.random(systems.words.shape) < 1 / 3)
    words = np.where(takes, systems.words & ~np.uint32(0xFF) | types, systems.words)
    return Systems(words, systems.transitions, systems.inheritance, mask)


def bid_with_vulnerability(
    systems: Systems, boards: int, seed: int
) -> tuple[WebbPopulation, NDArray[np.uint64], NDArray[np.int32], list[list[int]]]:
    """A population, deals, pairs, and the calls of each board, whose dealer and vulnerability rotate."""
    population, deals = systems.native(), deal_bits(boards, seed=seed)
    pairs = pairs_of(len(systems.words), boards, seed)
    dealers, vulnerable = (
        (np.arange(boards) % 4).astype(np.uint8),
        (np.arange(boards) // 4 % 4).astype(np.uint8),
    )
    starts, calls = population.auctions(pairs[0], pairs[1], deals, dealers, vulnerable=vulnerable)
    return population, deals, pairs, [part.tolist() for part in np.split(calls, starts[1:-1])]


def agree(systems: Systems, boards: int, seed: int) -> int:
    """Compare every call and all that is known with the twin; how many calls showed something."""
    population, deals, pairs, auctions = bid_with_vulnerability(systems, boards, seed)
    told = 0
    for board, calls in enumerate(auctions):
        (ns, ew), dealer, vulnerable = pairs[:, board].tolist(), board % 4, board // 4 % 4
        known, made, states = population.follow(ns, ew, dealer, np.array(calls, np.uint8), vulnerable)
        table = twin.started(systems.twin(ns), systems.twin(ew), dealer, vulnerable)
        for at, call in enumerate(calls):
            seat = int(table.auction.turn)
            assert table.choose(int(deals[board, seat])) == call, (board, at)
            assert table.make(call) and made[at]
            assert boxes(known[at + 1]) == table.known, (board, at)
            assert states[at + 1].tolist() == table.states
            told += boxes(known[at])[seat] != boxes(known[at + 1])[seat]
    return told


@pytest.mark.parametrize("name", NAMES)
def test_native_and_twin_agree_with_one_option(name: str) -> None:
    assert agree(systems_with(1 << NAMES.index(name), 30, NAMES.index(name)), 25, 5) > 20


def test_native_and_twin_agree_with_all_options() -> None:
    assert agree(systems_with(EVERYTHING, 60, 3), 80, 7) > 80


@pytest.mark.full
def test_native_and_twin_agree_with_all_options_on_thousands_of_boards() -> None:
    for seed in range(10):
        agree(systems_with(EVERYTHING, 100, seed, entries=8 + seed), 400, seed)


def test_all_numbers_of_a_hand_are_the_twins() -> None:
    hands = deal_bits(300, seed=5).reshape(-1)
    assert [tuple(row) for row in webb_values(hands, True).tolist()] == [
        twin.all_values(int(hand)) for hand in hands
    ]


@pytest.mark.parametrize("seed", range(2))
def test_no_inference_excludes_a_hand_that_makes_the_calls(seed: int) -> None:
    systems = systems_with(EVERYTHING, 40, 20 + seed, entries=12)
    population, _, pairs, auctions = bid_with_vulnerability(systems, 60, seed)
    hands = deal_bits(600, seed=77 + seed).reshape(-1)
    own, tried = webb_values(hands, True)[:, :8], 0
    for board, calls in enumerate(auctions):
        (ns, ew), dealer, vulnerable = pairs[:, board].tolist(), board % 4, board // 4 % 4
        made = np.array(calls, np.uint8)
        known, _, _ = population.follow(ns, ew, dealer, made, vulnerable)
        for at in range(len(calls)):
            fit = np.ones(len(hands), dtype=bool)
            for turn in range(at % 4, at + 1, 4):
                fit &= population.decide(ns, ew, dealer, made[:turn], hands, vulnerable) == made[turn]
            box = known[at + 1, (board + at) % 4]
            assert ((own[fit] >= box[:, 0]) & (own[fit] <= box[:, 1])).all(), (board, at)
            tried += int(fit.sum())
    assert tried > 50_000


def test_without_options_a_system_bids_as_in_the_thesis() -> None:
    # The same words with and without: types that an option takes are strength and length without it.
    with_all = systems_with(EVERYTHING, 20, 1)
    plain = Systems(with_all.words, with_all.transitions, with_all.inheritance)
    deals, zeros = deal_bits(200, seed=3), np.zeros(200, np.int32)
    dealers = np.zeros(200, np.uint8)
    one, two = (each.native().bid(zeros, zeros + 1, deals, dealers) for each in (with_all, plain))
    assert (one != two).any()
    assert plain.native().follow(0, 1, 0, np.zeros(1, np.uint8))[0].shape == (2, 4, 5, 2)


def test_unknown_option_is_refused() -> None:
    words, transitions = np.zeros((1, 1, 1), np.uint32), np.zeros((1, 1, 39), np.uint8)
    with pytest.raises(ValueError, match="an option that there is not"):
        WebbPopulation(words, transitions, 0, EVERYTHING + 1)
