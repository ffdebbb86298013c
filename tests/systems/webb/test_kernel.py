"""WEBB natively: bit for bit as its twin, and inferences that are sound and tight."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.systems.webb import twin
from tests.systems.webb.populations import Systems, random_systems

from bidlab._native import WebbPopulation, webb_values
from bidlab.dealing import deal_bits
from bidlab.meaning.features import WEBB, feature_table


def boxes(known: NDArray[np.int16]) -> list[twin.Box]:
    """Known of the four seats, as the twin has it."""
    return [tuple((least, most) for least, most in seat) for seat in known.tolist()]


def native_auctions(population: WebbPopulation, deals: NDArray[np.uint64], pairs: NDArray[np.int32]) -> list:
    dealers = (np.arange(len(deals)) % 4).astype(np.uint8)
    starts, calls = population.auctions(pairs[0], pairs[1], deals, dealers)
    return [calls[start:end] for start, end in pairwise(starts)]


def pairs_of(systems: int, boards: int, seed: int) -> NDArray[np.int32]:
    """Two systems for each board [side, board]; every fourth board has one system at all seats."""
    pairs = np.random.default_rng(seed).integers(0, systems, (2, boards), dtype=np.int32)
    pairs[1, ::4] = pairs[0, ::4]
    return pairs


def agree(systems: Systems, seed: int, boards: int) -> Counter[str]:
    """Bid boards natively and by the twin, compare every call and all that is known; how much was seen."""
    population, deals = systems.native(), deal_bits(boards, seed=seed)
    pairs = pairs_of(len(systems.words), boards, seed)
    seen: Counter[str] = Counter()
    for board, calls in enumerate(native_auctions(population, deals, pairs)):
        ns, ew = pairs[:, board].tolist()
        known, made, states = population.follow(ns, ew, board % 4, calls)
        table = twin.started(systems.twin(ns), systems.twin(ew), board % 4)
        for at, call in enumerate(calls.tolist()):
            seat = int(table.auction.turn)
            assert table.choose(int(deals[board, seat])) == call, (board, at)
            assert table.make(call) and made[at]
            assert boxes(known[at + 1]) == table.known, (board, at)
            assert states[at + 1].tolist() == table.states
            seen["calls"] += 1
            seen["told"] += boxes(known[at])[seat] != boxes(known[at + 1])[seat]
        assert table.auction.is_ended
    return seen


@pytest.mark.parametrize(
    ("states", "entries", "inheritance", "apt"),
    [
        (4, 8, 3, False),
        (4, 8, 3, True),
        (8, 16, 3, True),
        (1, 1, 0, False),
        (3, 5, 15, True),
        (2, 40, 1, True),
    ],
)
def test_native_and_twin_agree_on_every_call_and_every_inference(
    states: int, entries: int, inheritance: int, apt: bool
) -> None:
    systems = random_systems(60, states, entries, 10 * states + entries, inheritance=inheritance, apt=apt)
    seen = agree(systems, states + entries, 2400 // (entries * (inheritance + 1) + 8))
    assert not apt or seen["told"] > 10


@pytest.mark.full
def test_native_and_twin_agree_on_ten_thousand_boards() -> None:
    seen: Counter[str] = Counter()
    for seed in range(25):
        systems = random_systems(200, 4, 8, seed, apt=seed % 2 == 1)
        seen += agree(systems, seed, 400)
    print(seen)


def test_strength_is_webbs_points_to_the_nearest_step() -> None:
    hands = deal_bits(500, seed=5).reshape(-1)
    found = webb_values(hands)
    assert [tuple(row) for row in found.tolist()] == [twin.values(int(hand)) for hand in hands]
    points = feature_table(hands)[:, WEBB.number] / 1000
    assert np.abs(points - found[:, 0] * 5 / 64).max() < 5 / 128
    totals = set(found[:, 0].reshape(-1, 4).sum(axis=1).tolist())
    assert totals <= {510, 511, 512, 513} and len(totals) > 1


def test_bidding_is_the_same_on_any_number_of_threads() -> None:
    systems = random_systems(50, 4, 8, 1, apt=True)
    population, deals = systems.native(), deal_bits(3000, seed=8)
    pairs, dealers = pairs_of(50, 3000, 2), (np.arange(3000) % 4).astype(np.uint8)
    one, three = (population.bid(*pairs, deals, dealers, threads=threads) for threads in (1, 3))
    assert (one == three).all() and len(np.unique(one[:, 0])) > 20


def test_contracts_are_those_of_the_auctions() -> None:
    systems = random_systems(50, 4, 8, 3, apt=True)
    population, deals = systems.native(), deal_bits(400, seed=9)
    pairs, dealers = pairs_of(50, 400, 3), (np.arange(400) % 4).astype(np.uint8)
    contracts = population.bid(*pairs, deals, dealers).tolist()
    for board, calls in enumerate(native_auctions(population, deals, pairs)):
        auction = twin.Auction(twin.SEATS[board % 4], "none", " ".join(str(twin.CALLS[c]) for c in calls))
        contract = auction.contract
        assert contract is not None
        if contract.is_passed_out:
            assert contracts[board][0] == 0
        else:
            wanted = [int(auction.last_bid or 0), int(contract.doubling), int(contract.declarer or 0)]
            assert contracts[board] == wanted


def test_replaced_system_bids_as_the_new_one() -> None:
    systems = random_systems(2, 4, 8, 3, apt=True)
    population, deals = systems.native(), deal_bits(200, seed=9)
    population.replace(0, systems.words[1], systems.transitions[1])
    zero, one = np.zeros(200, np.int32), np.ones(200, np.int32)
    dealers = np.zeros(200, np.uint8)
    assert (population.bid(zero, zero, deals, dealers) == population.bid(one, one, deals, dealers)).all()


# Inferences.


def makers(population: WebbPopulation, ns: int, ew: int, dealer: int, calls: NDArray[np.uint8], at: int,
           hands: NDArray[np.uint64]) -> NDArray[np.bool_]:  # fmt: skip
    """Which hands make call number `at` and all earlier ones of its player."""
    fit = np.ones(len(hands), dtype=bool)
    for turn in range(at % 4, at + 1, 4):
        fit &= population.decide(ns, ew, dealer, calls[:turn], hands) == calls[turn]
    return fit


@pytest.mark.parametrize("entries", [8, 16])
def test_no_inference_excludes_a_hand_that_makes_the_calls(entries: int) -> None:
    systems = random_systems(40, 4, entries, entries, apt=True)
    population, deals = systems.native(), deal_bits(80, seed=3)
    hands = deal_bits(1000, seed=77).reshape(-1)
    own = webb_values(hands)
    pairs = pairs_of(40, 80, 5)
    tried = 0
    for board, calls in enumerate(native_auctions(population, deals, pairs)):
        ns, ew = pairs[:, board].tolist()
        known, _, _ = population.follow(ns, ew, board % 4, calls)
        for at in range(len(calls)):
            fit = makers(population, ns, ew, board % 4, calls, at, hands)
            box = known[at + 1, (board + at) % 4]
            assert ((own[fit] >= box[:, 0]) & (own[fit] <= box[:, 1])).all(), (board, at)
            tried += int(fit.sum())
    assert tried > 100_000


def one_state(*words: int) -> WebbPopulation:
    """A system of one state with this program, which runs it again and again."""
    return WebbPopulation(
        np.array([[words]], dtype=np.uint32), np.zeros((1, 1, 39), dtype=np.uint8), inheritance=0
    )


def decision(jump: int, constant: int, *, suit: int | None = None, at_most: bool = False,
             whose: int = 0b1000) -> int:  # fmt: skip
    """The word of a decision; `jump` is the distance."""
    word = 1 << 31 | (jump - 1) << 24 | whose << 19 | at_most << 17 | constant << 8
    return word if suit is None else word | 128 | suit << 12


DIRECT_1C, DIRECT_1S, DIRECT_2H, LOWEST_SPADES, PASS = 0, 3, 7, 0b01000011, 0b11000001
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def shown(population: WebbPopulation, *calls: int, seat: int = 0) -> twin.Box:
    known, made, _ = population.follow(0, 0, 0, np.array(calls, dtype=np.uint8))
    assert made.all()
    return boxes(known[-1])[seat]


def test_one_way_to_a_call_gives_its_tests() -> None:
    # With 14.3+ points 1S; with less and at least five hearts a pass; else 1S, too.
    population = one_state(decision(2, 183), decision(2, 5, suit=HEARTS), DIRECT_1S, PASS)
    assert shown(population, 0) == ((0, 182), (0, 8), (0, 8), (5, 13), (0, 8))


def test_section_3_2_2_lengths_are_deduced_from_the_others() -> None:
    # Four clubs, four diamonds and at most three hearts: a pass on all else, one spade is left.
    population = one_state(
        decision(6, 5, suit=CLUBS),
        decision(5, 3, suit=CLUBS, at_most=True),
        decision(4, 5, suit=DIAMONDS),
        decision(3, 3, suit=DIAMONDS, at_most=True),
        decision(2, 4, suit=HEARTS),
        DIRECT_1S,
        PASS,
    )
    assert shown(population, 6) == ((0, 449), (4, 4), (4, 4), (0, 3), (2, 5))


def test_section_3_2_1_not_branching_on_partner_and_left_shows_the_rest() -> None:
    # East passes with at most 154 steps (12 points), else bids 2H; South asks whether West and North have
    # 256 steps (20 points) together and passes where they surely have, else bids 2H.
    words = np.array(
        [
            [[decision(2, 256, whose=0b0110), DIRECT_2H, PASS]],
            [[decision(2, 154, at_most=True), DIRECT_2H, PASS]],
        ],
        dtype=np.uint32,
    )
    population = WebbPopulation(words, np.zeros((2, 1, 39), dtype=np.uint8), 0)
    known, made, _ = population.follow(0, 1, 1, np.array([0, 10], dtype=np.uint8))
    assert made.all() and boxes(known[1])[1][0] == (0, 154)
    # Surely 256 where South and East have at most 510 - 256: South with at most 100 steps. So he has 101.
    assert boxes(known[2])[2][0] == (101, 449)


def test_two_ways_to_a_call_give_their_hull_and_a_later_call_tells_which() -> None:
    # 1C with 13+ points and five clubs, or with less and six spades; then spades with 10 points or fewer.
    first = [decision(3, 167), decision(3, 6, suit=SPADES), PASS, decision(2, 4, suit=CLUBS, at_most=True)]
    then = [decision(2, 128, at_most=True), PASS, LOWEST_SPADES, PASS]
    words = np.array(
        [[[*first, DIRECT_1C, PASS], [*then, PASS, PASS]], [[PASS] * 6, [PASS] * 6]], dtype=np.uint32
    )
    population = WebbPopulation(words, np.ones((2, 2, 39), dtype=np.uint8), 0)
    calls = np.array([3, 0, 6, 0, 11], dtype=np.uint8)  # 1C pass 1S pass 2S
    known, made, _ = population.follow(0, 1, 0, calls)
    assert made.all()
    assert boxes(known[1])[0] == ((0, 449), (0, 13), (0, 8), (0, 8), (0, 13))
    assert boxes(known[5])[0] == ((0, 128), (0, 7), (0, 7), (0, 7), (6, 13))
    passed, *_ = population.follow(0, 1, 0, np.array([3, 0, 6, 0, 0], dtype=np.uint8))
    assert boxes(passed[5])[0] == ((129, 449), (0, 13), (0, 8), (0, 8), (0, 13))


def test_impossible_call_shows_nothing() -> None:
    population = one_state(decision(2, 183), DIRECT_1C, DIRECT_1S)
    known, made, _ = population.follow(0, 0, 0, np.array([0], dtype=np.uint8))
    assert not made[0] and boxes(known[1]) == [twin.WHOLE] * 4


@pytest.mark.parametrize(
    ("calls", "message"),
    [([1], "call 1, number 0 of the auction, is illegal"), ([0] * 5, "call 0, number 4"), ([9, 3], "call 3")],
)
def test_illegal_auctions_are_refused(calls: list[int], message: str) -> None:
    population = one_state(DIRECT_1C)
    with pytest.raises(ValueError, match=message):
        population.follow(0, 0, 0, np.array(calls, dtype=np.uint8))
