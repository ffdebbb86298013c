"""Guesses of tricks: native sums equal plain ones, chances are true on average, draws can be repeated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bidlab.bridge.errors import FormatError
from bidlab.dealing import deal_bits
from bidlab.doubledummy import solve
from bidlab.doubledummy.guessing import ACTIVE_BITS, MODELS, WEIGHT_BITS, Guesser, WholeLayer, guesser

DEALS = deal_bits(150, seed=77)


def observed(deal: list[int], strain: int, declarer: int) -> np.ndarray:
    """The 208 bits of one question, card by card."""
    suits = list(range(4)) if strain == 4 else [strain, *(suit for suit in range(4) if suit != strain)]
    return np.array(
        [
            deal[(declarer + after) % 4] >> 13 * suit + rank & 1
            for after in range(4)
            for suit in suits
            for rank in range(13)
        ],
        dtype=np.int64,
    )


def plain_sums(layers: tuple[WholeLayer, ...], bits: np.ndarray) -> np.ndarray:
    """The sums of the head, layer by layer."""
    active = bits
    for place, layer in enumerate(layers):
        sums = layer.weights.astype(np.int64) @ active + layer.biases
        if place == len(layers) - 1:
            return sums
        shift = WEIGHT_BITS if place else WEIGHT_BITS - ACTIVE_BITS
        active = np.clip(sums + (1 << shift - 1) >> shift, 0, 16383)
    raise AssertionError


def test_native_chances_are_those_of_plain_sums() -> None:
    random = np.random.default_rng(1)
    strains = random.integers(0, 5, 60).astype(np.uint8)
    declarers = random.integers(0, 4, 60).astype(np.uint8)
    found = guesser().chances(DEALS[:60], strains, declarers)
    for row, deal in enumerate(DEALS[:60].tolist()):
        strain, declarer = int(strains[row]), int(declarers[row])
        layers = guesser().models[MODELS[strain == 4]]
        sums = plain_sums(layers, observed(deal, strain, declarer)) / (1 << WEIGHT_BITS + ACTIVE_BITS)
        wanted = np.exp(sums - sums.max()) / np.exp(sums - sums.max()).sum()
        assert np.allclose(found[row], wanted, atol=1e-8)


def test_no_sum_can_leave_32_bits() -> None:
    for layers in guesser().models.values():
        for place, layer in enumerate(layers):
            most = 1 if place == 0 else 16383
            weights = layer.weights.astype(np.int64)
            for side in (np.maximum(weights, 0), np.minimum(weights, 0)):
                reach = np.abs(side.sum(axis=1)) * most + np.abs(layer.biases.astype(np.int64)) + (1 << 15)
                assert (reach < 1 << 31).all()


def test_guesses_are_near_the_tricks_and_right_on_average() -> None:
    tables = solve(DEALS, threads=1)
    for strain, most in ((3, 0.95), (4, 1.4)):
        strains = np.full(len(DEALS), strain, dtype=np.uint8)
        for declarer in (0, 1):
            declarers = np.full(len(DEALS), declarer, dtype=np.uint8)
            taken = tables[:, strain, declarer].astype(float)
            chances = guesser().chances(DEALS, strains, declarers)
            assert np.allclose(chances.sum(axis=1), 1, atol=1e-6)
            off = (chances * np.arange(14)).sum(axis=1) - taken
            assert np.sqrt((off**2).mean()) < most
            assert abs(off.mean()) < 4 * off.std() / np.sqrt(len(off))
            drawn = guesser().tricks(DEALS, strains, declarers).astype(float)
            assert abs((drawn - taken).mean()) < 4 * (drawn - taken).std() / np.sqrt(len(off))


def test_the_same_question_draws_the_same_tricks_alone_and_among_others() -> None:
    strains = (np.arange(len(DEALS)) % 5).astype(np.uint8)
    declarers = (np.arange(len(DEALS)) % 4).astype(np.uint8)
    together = guesser().tricks(DEALS, strains, declarers)
    for row in range(0, len(DEALS), 17):
        alone = guesser().tricks(DEALS[row : row + 1], strains[row : row + 1], declarers[row : row + 1])
        assert alone[0] == together[row]


def test_other_file_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.npz"
    np.savez(wrong, nothing=np.zeros(3))
    with pytest.raises(FormatError, match="has no guesses of tricks"):
        Guesser.read(wrong)
    wrong.write_text("no file of numpy")
    with pytest.raises(FormatError, match="has no guesses of tricks"):
        Guesser.read(wrong)
