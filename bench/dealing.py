"""Deals per second of the native kernel, beside numpy's permutations.

python bench/dealing.py [DEALS] [ROUNDS]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from bidlab.dealing import deal_bits


def native(count: int) -> object:
    """Deals as bidlab deals them."""
    return deal_bits(count, seed=1)


def by_numpy(count: int) -> object:
    """Deals as numpy would deal them: a permutation of the pack a row, and bits of it."""
    packs = np.tile(np.arange(52, dtype=np.uint64), (count, 1))
    cards = np.random.default_rng(1).permuted(packs, axis=1)
    return (np.uint64(1) << cards).reshape(count, 4, 13).sum(axis=2)


def seconds(deal: Callable[[int], object], count: int) -> float:
    """Processor time of one batch."""
    begun = time.process_time()
    deal(count)
    return time.process_time() - begun


def main(count: int, rounds: int) -> None:
    """Take turns and print the ratio."""
    times = [(seconds(native, count), seconds(by_numpy, count)) for _ in range(rounds)]
    ratios = sorted(other / one for one, other in times)
    rate = count / statistics.median(one for one, _ in times)
    print(f"{count} deals, {rounds} rounds, taking turns: {rate / 1e6:.1f} million deals/s")
    print(f"   ratio: {statistics.median(ratios):.1f} times numpy (from {ratios[0]:.1f} to {ratios[-1]:.1f})")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3] or ("200000", "7")))
