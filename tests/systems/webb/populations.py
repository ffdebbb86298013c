"""Random systems and deals for the tests of WEBB, as arrays for the kernel and as twins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tests.systems.webb.twin import System
from tests.systems.webb.twin_options import options_of

from bidlab._native import WebbPopulation


@dataclass(frozen=True)
class Systems:
    words: NDArray[np.uint32]  # [system, state, entry]
    transitions: NDArray[np.uint8]  # [system, state, 39]
    inheritance: int
    options: int = 0

    def native(self) -> WebbPopulation:
        return WebbPopulation(self.words, self.transitions, self.inheritance, self.options)

    def twin(self, number: int) -> System:
        words, transitions = self.words[number].tolist(), self.transitions[number].tolist()
        return System(words, transitions, self.inheritance, options_of(self.options))


def random_systems(
    count: int,
    states: int,
    entries: int,
    seed: int,
    *,
    inheritance: int = 3,
    apt: bool = False,
    options: int = 0,
) -> Systems:
    """Systems of random bits; apt ones ask about all players at constants that tell hands apart.

    Plain random bits ask mostly for what no hand or every hand has, and so say little; the apt ones
    reach deep graphs.
    """
    random = np.random.default_rng(seed)
    words = random.integers(0, 1 << 32, (count, states, entries), dtype=np.uint32)
    words[:, :, 0] |= np.uint32(1 << 31)
    if apt:
        is_length = (words >> np.uint32(7) & np.uint32(1)).astype(bool)
        strengths = random.integers(64, 256, words.shape, dtype=np.uint32)
        lengths = random.integers(2, 7, words.shape, dtype=np.uint32)
        of_strength = words & ~np.uint32(0x1FF << 8) | strengths << np.uint32(8)
        of_length = words & ~np.uint32(0xF << 8) | lengths << np.uint32(8)
        words = np.where(words >> np.uint32(31), np.where(is_length, of_length, of_strength), words)
    transitions = random.integers(0, states, (count, states, 39), dtype=np.uint8)
    return Systems(words, transitions, inheritance, options)
