"""Packed deals and tables, beside a plain Python twin."""

import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.errors import BidlabError, DealError
from bidlab.bridge.hands import Deal
from bidlab.dealing import deal_bits
from bidlab.library import packed_deals, packed_tables, unpacked_deals, unpacked_tables

DEAL = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")

deals = st.permutations([seat for seat in range(4) for _ in range(13)])  # the holder of each card
tables = st.lists(st.integers(0, 13), min_size=20, max_size=20)


def plain_deal(holders: list[int]) -> bytes:
    """13 bytes, card by card."""
    packed = [0] * 13
    for card, seat in enumerate(holders):
        packed[card // 4] += seat * 4 ** (card % 4)
    return bytes(packed)


def plain_table(tricks: list[int]) -> bytes:
    """10 bytes, number by number."""
    return bytes(tricks[i] + 16 * tricks[i + 1] for i in range(0, 20, 2))


def bits_of(holders: list[int]) -> list[int]:
    return [sum(1 << card for card in range(52) if holders[card] == seat) for seat in range(4)]


@given(st.lists(deals, min_size=1, max_size=5))
def test_packed_deals_equal_their_python_twin(many: list[list[int]]) -> None:
    bits = np.array([bits_of(holders) for holders in many], dtype=np.uint64)
    packed = packed_deals(bits)
    assert packed.dtype == np.uint8 and packed.tobytes() == b"".join(map(plain_deal, many))
    back = unpacked_deals(packed)
    assert back.dtype == np.uint64 and (back == bits).all()


@given(st.lists(tables, min_size=1, max_size=5))
def test_packed_tables_equal_their_python_twin(many: list[list[int]]) -> None:
    array = np.array(many, dtype=np.uint8).reshape(-1, 5, 4)
    packed = packed_tables(array)
    assert packed.dtype == np.uint8 and packed.tobytes() == b"".join(map(plain_table, many))
    back = unpacked_tables(packed)
    assert back.dtype == np.uint8 and (back == array).all()


def test_layout_of_a_deal_never_changes() -> None:
    packed = packed_deals(np.array([DEAL.bits], dtype=np.uint64))[0]
    assert packed[0] == 2 + 4 * 3 + 16 * 1 + 64 * 2  # C2 South, C3 West, C4 East, C5 South
    assert packed[12] == 0 + 4 * 0 + 16 * 2 + 64 * 3  # SJ and SQ North, SK South, SA West
    assert packed.tobytes().hex() == "9e0adc7e1486864366f32df5e0"


def test_layout_of_a_table_never_changes() -> None:
    table = np.zeros((1, 5, 4), dtype=np.uint8)
    table[0, 0, 1] = 5  # clubs by East
    table[0, 4, 2] = 9  # notrump by South
    assert packed_tables(table).tobytes().hex() == "50000000000000000009"


def test_many_deals_pack_at_once() -> None:
    bits = deal_bits(200_000, seed=1)
    begun = time.monotonic()
    assert (unpacked_deals(packed_deals(bits)) == bits).all()
    assert time.monotonic() - begun < 5


def test_no_deals_are_no_bytes() -> None:
    assert packed_deals(deal_bits(0, 1)).shape == (0, 13)
    assert unpacked_deals(np.zeros((0, 13), dtype=np.uint8)).shape == (0, 4)
    assert packed_tables(np.zeros((0, 5, 4), dtype=np.uint8)).shape == (0, 10)
    assert unpacked_tables(np.zeros((0, 10), dtype=np.uint8)).shape == (0, 5, 4)


def test_a_wrong_deal_is_named_by_its_number() -> None:
    bits = deal_bits(5, seed=1)
    bits[3, 2] &= bits[3, 2] - np.uint64(1)  # South loses a card
    with pytest.raises(DealError, match=r"deal 44: 12 cards in South's hand: 13 are wanted"):
        packed_deals(bits, first=41)
    bits[3] = bits[2]
    bits[3, 2] = bits[3, 0]
    with pytest.raises(DealError, match=r"deal 44: a card is held twice"):
        packed_deals(bits, first=41)
    packed = packed_deals(deal_bits(5, seed=1))
    packed[1, :] = 0  # all to North
    with pytest.raises(DealError, match=r"deal 102: 52 cards in North's hand"):
        unpacked_deals(packed, first=101)


def test_a_wrong_table_is_named_by_its_number() -> None:
    table = np.zeros((3, 5, 4), dtype=np.uint8)
    table[1, 3, 3] = 14
    with pytest.raises(BidlabError, match=r"deal 8: a table with 14 tricks"):
        packed_tables(table, first=7)
    with pytest.raises(BidlabError, match=r"deal 1: a table with 15 tricks"):
        unpacked_tables(np.full((1, 10), 0xFF, dtype=np.uint8))


def test_arrays_of_another_form_are_refused() -> None:
    with pytest.raises(BidlabError, match="uint64"):
        packed_deals(np.zeros((2, 4), dtype=np.int64))  # type: ignore[arg-type]
    with pytest.raises(BidlabError, match=r"\[deal, 4\]"):
        packed_deals(np.zeros((2, 5), dtype=np.uint64))
    with pytest.raises(BidlabError, match=r"\[deal, 5, 4\]"):
        packed_tables(np.zeros((2, 20), dtype=np.uint8))


def test_random_holders_in_numbers() -> None:
    source = random.Random(5)
    holders = [seat for seat in range(4) for _ in range(13)]
    for _ in range(200):
        source.shuffle(holders)
        packed = np.frombuffer(plain_deal(holders), dtype=np.uint8).reshape(1, 13)
        assert unpacked_deals(packed)[0].tolist() == bits_of(holders)
