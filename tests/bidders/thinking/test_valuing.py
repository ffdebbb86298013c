"""What calls come to: contracts solved no more than it takes, compared in IMPs, until one is ahead."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bidders.thinking.comparing import Race, mean_and_error, portions
from bidlab.bidders.thinking.contracts import UNKNOWN, Bench, reached
from bidlab.bridge.calls import Auction
from bidlab.dealing import deal_bits
from bidlab.doubledummy import solve
from bidlab.table.scoring import contract_scores

DEALS = deal_bits(24, seed=3)
TABLES = solve(DEALS, threads=1)


def drawn_contracts(calls: int, seed: int, few_lines: bool) -> np.ndarray:
    """Contracts [call, deal], some deals with the same for all calls, some in one strain only."""
    random = np.random.default_rng(seed)
    last = random.integers(0, 36, (calls, len(DEALS)))
    last = np.where(last > 0, last + 2, 0)
    declarer = random.integers(0, 4, (calls, len(DEALS)))
    if few_lines:
        last = np.where(last > 0, (last - 3) // 5 * 5 + 3 + (last[:1] + 2) % 5, 0)
        declarer = np.repeat(declarer[:1], calls, axis=0)
    doubled = np.where(last > 0, random.integers(0, 4, last.shape) // 3, 0)
    made = np.stack([last, doubled, declarer], axis=2).astype(np.uint8)
    same = random.random(len(DEALS)) < 0.3
    made[:, same] = made[:1, same]
    return made


def exact(contracts: np.ndarray, vulnerable: int, perfect: bool) -> np.ndarray:
    """Points of every contract, by the whole tables."""
    strain = (contracts[..., 0].astype(int) + 2) % 5
    tricks = TABLES[np.arange(len(DEALS))[None, :], strain, contracts[..., 2]]
    sides = np.full(tricks.shape, vulnerable, dtype=np.uint8)
    return contract_scores(contracts, sides, tricks, perfect=perfect)


def test_differences_between_calls_are_exact_whatever_was_not_solved() -> None:
    bench = Bench.made()
    for seed in range(12):
        contracts = drawn_contracts(3, seed, few_lines=seed % 2 == 0)
        plain, perfect, is_known = bench.scores(DEALS, seed % 4, contracts)
        assert is_known.all()
        for points, with_doubles in ((plain, False), (perfect, True)):
            wanted = exact(contracts, seed % 4, with_doubles)
            assert np.array_equal(points - points[:1], wanted - wanted[:1])
    assert bench.solved < 12 * 3 * len(DEALS)


def test_points_of_one_contract_a_deal_are_exact() -> None:
    contracts = drawn_contracts(1, 5, few_lines=False)
    points = Bench.made().points(DEALS, 1, contracts[0])
    assert np.array_equal(points, exact(contracts, 1, False)[0])


def test_equal_deals_are_solved_once() -> None:
    bench = Bench.made()
    twice = np.concatenate([DEALS[:6], DEALS[:6]])
    contracts = np.zeros((2, 12, 3), dtype=np.uint8)
    contracts[0, :, 0], contracts[1, :, 0] = 7, 11  # 1NT against 2H, both by North
    bench.scores(twice, 0, contracts)
    assert bench.solved == 12
    assert bench.asked == 24


def test_budget_of_positions_is_never_exceeded_and_what_it_leaves_open_does_not_count() -> None:
    contracts = drawn_contracts(3, 1, few_lines=False)
    for budget in (1000, 100_000, 3_000_000):
        bench = Bench.made(repeatable=True)
        _, _, is_known = bench.scores(DEALS, 0, contracts, budget)
        assert bench.nodes <= budget
        again = Bench.made(repeatable=True)
        assert np.array_equal(again.scores(DEALS, 0, contracts, budget)[2], is_known)
    assert UNKNOWN == 255


def test_contract_that_an_auction_reaches() -> None:
    auction = Auction("E", "none", "P P 1H X 2H 2S P P X P P P")
    calls = np.array([auction.calls], dtype=np.uint8)
    last, doubled, declarer = reached(1, calls)[0].tolist()
    assert (last, doubled, declarer) == (11, 1, 2)


def raced(won: np.ndarray, margin: float = 0.3) -> Race:
    """A race whose calls win so many points on each deal, the own choice first."""
    race = Race.begun(len(won), 0.0, margin)
    race.add(won.astype(np.int32), won.astype(np.int32))
    return race


def test_clear_winner_is_found_and_hopeless_calls_drop_out() -> None:
    random = np.random.default_rng(1)
    won = random.normal(0, 60, (4, 64)) + np.array([[0], [300], [-400], [20]])
    race = raced(won)
    assert race.winner(0.5) == 1
    assert race.is_won(1)
    assert race.out_of_race() == [False, False, True, True]


def test_own_choice_stands_against_a_gain_below_the_margin_and_against_noise() -> None:
    even = np.zeros((2, 100))
    even[1, :10] = 20  # one IMP on every tenth deal
    assert raced(even).winner(0.5) == 0
    noisy = np.zeros((2, 16))
    noisy[1, 0] = 500
    assert raced(noisy).winner(2.0) == 0
    assert raced(noisy).winner(0.5) == 1


@given(st.integers(1, 5), st.integers(1, 30), st.integers(0, 1000))
def test_values_against_the_field_add_up_to_nothing(calls: int, deals: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    race = raced(10 * random.integers(-60, 60, (calls, deals)))
    assert np.allclose(race.field().sum(axis=0), 0)


@given(st.integers(1, 500))
def test_portions_cover_all_deals_once(count: int) -> None:
    found = portions(count)
    assert [begin for begin, _ in found] == [0, *(end for _, end in found[:-1])]
    assert found[-1][1] == count


def test_doubled_share_mixes_both_scorings() -> None:
    race = Race.begun(2, 0.25, 0.3)
    race.add(np.array([[0], [-50]], dtype=np.int32), np.array([[0], [-500]], dtype=np.int32))
    assert race.against(1, 0).tolist() == [0.75 * -2 + 0.25 * -11]


def test_error_of_equal_deals_is_not_nothing() -> None:
    mean, error = mean_and_error(np.zeros(4))
    assert mean == 0
    assert error > 0.5
