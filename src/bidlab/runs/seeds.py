"""Seeds by place, so that nothing random depends on what was drawn before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_WORD = (1 << 64) - 1


def seed_at(seed: int, *place: int) -> int:
    """An own seed of 64 bits for a place, as for an island of a run; unrelated to those of other places.

    >>> seed_at(1, 0), seed_at(1, 1), seed_at(1, 0, 0)
    (7271947410706727741, 1891116597621859436, 14808031915829447044)
    """
    word = _stirred(seed & _WORD)
    for number in place:
        # Thrice, so that a number which is the seed does not cancel it.
        word = _stirred(3 * word + _stirred(number & _WORD) & _WORD)
    return word


def _stirred(word: int) -> int:
    """SplitMix64, as `native/dealing/random.hpp` has it."""
    word = (word + 0x9E3779B97F4A7C15) & _WORD
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & _WORD
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & _WORD
    return word ^ word >> 31


def stirred_words(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One step of SplitMix64 (Steele, Lea and Flood 2014) from each word as the state.

    >>> int(stirred_words(np.array([5], dtype=np.uint64))[0]) == _stirred(5)
    True
    """
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
