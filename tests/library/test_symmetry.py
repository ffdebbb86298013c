"""The 96 symmetries of a solved deal."""

from itertools import islice, permutations
from pathlib import Path

import numpy as np
import pytest
from tests.library.solving import built, fake_solve

import bidlab.doubledummy
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal
from bidlab.dealing import deal_bits
from bidlab.library import Library, all_symmetries, library, stream, symmetric


@pytest.fixture
def mine(tmp_path: Path) -> Library:
    return built(tmp_path / "mine.deals").library


def plain_symmetric(
    bits: list[int], table: list[list[int]], number: int
) -> tuple[list[int], list[list[int]]]:
    """One deal, card by card."""
    rotation, order = number // 24, list(permutations(range(4)))[number % 24]
    hands = [0] * 4
    tricks = [[0] * 4 for _ in range(5)]
    for seat in range(4):
        for card in range(52):
            if bits[seat] >> card & 1:
                hands[(seat + rotation) % 4] |= 1 << 13 * order[card // 13] + card % 13
        for strain in range(5):
            tricks[order[strain] if strain < 4 else 4][(seat + rotation) % 4] = table[strain][seat]
    return hands, tricks


def test_symmetries_equal_their_python_twin() -> None:
    bits = deal_bits(3, seed=5)
    tables = fake_solve(bits)
    turned, turned_tables = all_symmetries(bits, tables)
    assert turned.shape == (3, 96, 4) and turned_tables.shape == (3, 96, 5, 4)
    for deal in range(3):
        for number in range(96):
            expected = plain_symmetric(bits[deal].tolist(), tables[deal].tolist(), number)
            assert (turned[deal, number].tolist(), turned_tables[deal, number].tolist()) == expected


def test_all_96_differ_and_the_first_is_the_deal_itself() -> None:
    bits = deal_bits(1, seed=5)
    turned, tables = all_symmetries(bits, fake_solve(bits))
    assert len({tuple(row) for row in turned[0].tolist()}) == 96
    assert (turned[0, 0] == bits[0]).all() and (tables[0, 0] == fake_solve(bits)[0]).all()


def test_each_deal_may_have_its_own_symmetry() -> None:
    bits = deal_bits(96, seed=6)
    tables = fake_solve(bits)
    mixed, mixed_tables = symmetric(bits, tables, np.arange(96))
    turned, turned_tables = all_symmetries(bits, tables)
    assert (mixed == turned[np.arange(96), np.arange(96)]).all()
    assert (mixed_tables == turned_tables[np.arange(96), np.arange(96)]).all()
    assert mixed.dtype == np.uint64 and mixed_tables.dtype == np.uint8


def dds_tables(bits: np.ndarray) -> np.ndarray:
    """Tables by Bo Haglund's DDS, through endplay."""
    dds = pytest.importorskip("endplay.dds")
    from endplay.types import Deal as EndplayDeal
    from endplay.types import Denom, Player

    strains = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    players = (Player.north, Player.east, Player.south, Player.west)
    found = []
    for row in bits.tolist():
        table = dds.calc_dd_table(EndplayDeal(str(Deal.of_bits(row))))
        found.append([[table[strain, player] for player in players] for strain in strains])
    return np.array(found, dtype=np.uint8)


def test_turned_tables_are_those_of_dds() -> None:
    bits = deal_bits(2, seed=8)
    tables = dds_tables(bits)
    assert len(np.unique(tables)) > 4  # the declarers and strains of these deals do differ
    for numbers in ((24 + 5, 95), (48 + 17, 9)):
        turned, turned_tables = symmetric(bits, tables, np.array(numbers))
        assert (dds_tables(turned) == turned_tables).all()


def test_turned_tables_are_those_of_the_solver() -> None:
    solve = bidlab.doubledummy.solve
    bits = deal_bits(2, seed=9)
    turned, turned_tables = symmetric(bits, solve(bits, threads=1), np.array([24 + 5, 72 + 20]))
    assert (solve(turned, threads=1) == turned_tables).all()


# --- the stream ---


def whole(batches: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    return np.concatenate([bits for bits, _ in batches]), np.concatenate([tables for _, tables in batches])


def test_stream_is_the_same_for_any_size_of_batch(mine: Library) -> None:
    bits, tables = whole(list(stream(mine, seed=3, batch=1000, passes=2)))
    assert bits.shape == (500, 4)
    for batch in (1, 7, 100, 250):
        other, other_tables = whole(list(stream(mine, seed=3, batch=batch, passes=2)))
        assert (other == bits).all() and (other_tables == tables).all()
    assert (whole(list(stream(mine, seed=4, passes=2)))[0] != bits).any()


def drawn_by(one: Library, seed: int) -> np.ndarray:
    """The number of the symmetry that each deal of a library comes under in the first pass."""
    bits, _ = next(stream(one, seed, batch=one.count))
    turned, _ = all_symmetries(one.bits(), one.tables())
    return (turned == bits[:, None, :]).all(axis=2).argmax(axis=1)


def test_symmetry_of_a_deal_never_changes(mine: Library) -> None:
    def mixed(word: int) -> int:
        word = (word + 0x9E3779B97F4A7C15) % 2**64
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
        return word ^ word >> 31

    which = drawn_by(mine, seed=3).tolist()
    assert which == [mixed(number ^ mixed(3)) % 96 for number in range(1, 251)]
    assert which[:8] == [51, 90, 77, 17, 79, 54, 7, 16]


def test_symmetries_come_equally_often(tmp_path: Path) -> None:
    # Chi-squared with its 0.1% bound for 95 degrees of freedom; the seeds are fixed.
    one = built(tmp_path / "many.deals", count=4800, name="many").library
    seen = np.bincount(drawn_by(one, seed=2), minlength=96)
    assert ((seen - 50) ** 2 / 50).sum() < 143.3


def test_stream_gives_each_symmetry_once_in_96_passes(mine: Library) -> None:
    bits, tables = whole(list(stream(mine, seed=1, passes=96)))
    turned, turned_tables = all_symmetries(mine.bits(), mine.tables())
    for deal in (0, 1, 249):
        seen = {tuple(row) for row in bits[deal::250].tolist()}
        assert seen == {tuple(row) for row in turned[deal].tolist()}
    seen_tables = {
        (*row, *table.flat) for row, table in zip(bits[::250].tolist(), tables[::250], strict=True)
    }
    assert seen_tables == {
        (*row, *table.flat) for row, table in zip(turned[0].tolist(), turned_tables[0], strict=True)
    }


def test_stream_is_endless(mine: Library) -> None:
    sizes = [len(bits) for bits, _ in islice(stream(mine, seed=1, batch=100), 8)]
    assert sizes == [100, 100, 50, 100, 100, 50, 100, 100]


def test_impossible_streams_are_refused(mine: Library, tmp_path: Path) -> None:
    with pytest.raises(BidlabError, match="seed -1"):
        stream(mine, seed=-1)
    with pytest.raises(BidlabError, match="batches of 0 deals"):
        stream(mine, seed=1, batch=0)
    cut = tmp_path / "cut.deals"
    cut.write_bytes(mine.path.read_bytes()[:1500])
    with pytest.raises(BidlabError, match="no deals to stream"):
        stream(library(cut, partial=True), seed=1)
