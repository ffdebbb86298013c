"""What a solver refuses, and how it says so."""

from typing import Any

import numpy as np
import pytest

from bidlab.bridge.errors import BidlabError, DealError, NotationError
from bidlab.bridge.hands import Deal
from bidlab.dealing import deal_bits
from bidlab.doubledummy import Solver, makes, solve, trick_table

DEAL = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")


def changed(seat: int, bits: int) -> np.ndarray:
    """Three deals, the second of them with these bits of a hand turned."""
    deals = deal_bits(3, seed=8)
    deals[1, seat] ^= np.uint64(bits)
    return deals


def lowest(seat: int) -> int:
    hand = int(deal_bits(3, seed=8)[1, seat])
    return hand & -hand


def test_repeated_card() -> None:
    """North gives a card away and has one of East's as well."""
    with pytest.raises(DealError, match="deal 2: two hands hold C2"):
        solve(changed(0, lowest(0) | lowest(1)))


def test_missing_card() -> None:
    with pytest.raises(
        DealError, match=r"deal 2: North 13, East 13, South 12, West 13 cards; the same number, 1 to 13"
    ):
        solve(changed(2, lowest(2)))


def test_fourteen_cards() -> None:
    hands = np.array([[(1 << 14) - 1, 0x3FFF << 14, 0x3FFF << 28, 0x3FFF << 42]], dtype=np.uint64)
    with pytest.raises(DealError, match="deal 1: a hand has bits beyond the 52 cards"):
        solve(hands)
    deals = changed(0, lowest(1))
    deals[1, 1] ^= np.uint64(lowest(1))
    with pytest.raises(DealError, match="deal 2: North 14, East 12, South 13, West 13 cards"):
        solve(deals)


def test_bits_beyond_the_pack() -> None:
    with pytest.raises(DealError, match="deal 2: a hand has bits beyond the 52 cards"):
        solve(changed(3, 1 << 52 | lowest(3)))


def test_hands_without_cards() -> None:
    with pytest.raises(DealError, match=r"deal 1: North 0, East 0, South 0, West 0 cards; .* 1 to 13"):
        solve(np.zeros((1, 4), dtype=np.uint64))


@pytest.mark.parametrize(
    ("deals", "message"),
    [
        (
            deal_bits(2, 1).astype(np.int64),
            r"type int64, shape \(2, 4\): uint64 \[deal, 4\] is wanted",
        ),
        (deal_bits(2, 1).astype(np.float64), r"deals of type float64"),
        (deal_bits(2, 1)[0], r"deals of type uint64, shape \(4,\)"),
        (deal_bits(2, 1)[:, :3], r"shape \(2, 3\)"),
        (deal_bits(2, 1)[None], r"shape \(1, 2, 4\)"),
        (deal_bits(2, 1).astype(">u8"), r"deals of type >u8"),
    ],
)
def test_array_of_another_type_or_shape(deals: np.ndarray, message: str) -> None:
    with pytest.raises(DealError, match=message):
        solve(deals)


def test_unknown_hand() -> None:
    with pytest.raises(DealError, match="West's hand is unknown in N:"):
        solve([DEAL, Deal.of([*DEAL.hands[:3], None])])


def test_spot_cards_without_names() -> None:
    text = "N:QJ6.K652.J85.Txx 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
    with pytest.raises(DealError, match="deal 2: a hand is not known; all four are wanted"):
        solve([DEAL, Deal.parse(text, spots=True)])


def test_ending_with_hands_of_unequal_size() -> None:
    with pytest.raises(DealError, match="deal 1: North 2, East 1, South 1, West 1 cards; the same number"):
        trick_table(Deal.parse("N:AK... Q... J... T..."))


@pytest.mark.parametrize("contract", ["4S", "3NT"])
def test_contract_without_declarer(contract: str) -> None:
    with pytest.raises(BidlabError, match="A contract with its declarer is wanted, as in 4S by N"):
        makes(DEAL, contract)


def test_contract_that_is_passed_out() -> None:
    with pytest.raises(BidlabError, match=r"who plays .*\? A contract with its declarer is wanted"):
        Solver().tricks([DEAL], "passed out")


def test_contract_that_is_none() -> None:
    with pytest.raises(NotationError):
        makes(DEAL, "8S by N")


@pytest.mark.parametrize("contracts", [["4S by N"] * 3, ["4S by N"], []])
def test_another_number_of_contracts_than_of_deals(contracts: list[str]) -> None:
    with pytest.raises(BidlabError, match=f"{len(contracts)} contracts for 2 deals: one, or one for each"):
        Solver().makes([DEAL, DEAL], contracts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"threads": -1}, "-1 threads: 1 to 1024 are wanted, or 0 for all cores"),
        ({"threads": 1025}, "1025 threads"),
        ({"memory": 1}, "memory of 1 MiB: 16 or more are wanted"),
        ({"memory": 100, "threads": 64}, "memory of 100 MiB: 16 or more are wanted, and 2 for each thread"),
        ({"memory": -16}, "memory of -16 MiB"),
        ({"nodes": 0}, "a budget of 0 nodes: 1 or more are wanted, or None"),
        ({"nodes": -5}, "a budget of -5 nodes"),
        ({"strains": "SX"}, "no strain 'X'"),
        ({"declarers": "NQ"}, "no seat 'Q'"),
    ],
)
def test_arguments_that_cannot_be(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BidlabError, match=message):
        solve([DEAL], **arguments)
