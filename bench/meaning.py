"""Hands tested, measured and counted a second by the native kernels, beside numpy on a table of features.

python bench/meaning.py [HANDS] [ROUNDS]

The plain twin reads the same answer off a table of all features that is already there: what it saves is the
table, so that the ratio is the least that the kernels gain.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SUITS
from bidlab.dealing import deal_bits
from bidlab.meaning import Meaning
from bidlab.meaning.features import HCP, feature_table, length, of_suit

Table = NDArray[np.int32]
Test = Callable[[Table], NDArray[np.bool_]]
LENGTHS = [length(suit).number for suit in SUITS]
HEARTS = length(SUITS[2]).number


def points(table: Table, least: int, most: int) -> NDArray[np.bool_]:
    """Which hands have points from least to most."""
    return (table[:, HCP.number] >= least) & (table[:, HCP.number] <= most)


def notrump(table: Table) -> NDArray[np.bool_]:
    """15-17, balanced."""
    lengths = np.sort(table[:, LENGTHS], axis=1)
    good: NDArray[np.bool_] = (
        points(table, 15, 17) & (lengths[:, 0] >= 2) & (lengths[:, 1] >= 3) & (lengths[:, 3] <= 5)
    )
    return good


def overcall(table: Table) -> NDArray[np.bool_]:
    """5+ hearts, 8-16, two of the top three in hearts."""
    quality = table[:, of_suit("top three", SUITS[2]).number]
    good: NDArray[np.bool_] = points(table, 8, 16) & (table[:, HEARTS] >= 5) & (quality == 2)
    return good


MEANINGS: list[tuple[str, Test]] = [
    ("15-17, balanced", notrump),
    ("5+ hearts, 8-16, two of the top three in hearts", overcall),
]


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one piece of work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main(count: int = 1_000_000, rounds: int = 7) -> None:
    """Take turns and print rates and ratios."""
    hands = np.ascontiguousarray(deal_bits(count, seed=1)[:, 0])
    spent = seconds(lambda: feature_table(hands))
    table = feature_table(hands)
    print(f"{count:,} hands, {rounds} rounds, taking turns")
    print(f"   all {table.shape[1]} features: {count / spent / 1e6:.1f} million hands/s")
    for words, plain in MEANINGS:
        compare(words, plain, hands, table, rounds)


def compare(
    words: str,
    plain: Callable[[Table], NDArray[np.bool_]],
    hands: NDArray[np.uint64],
    table: Table,
    rounds: int,
) -> None:
    """One meaning beside its plain twin."""
    meaning = Meaning.parse(words)
    assert (meaning.admits(hands) == plain(table)).all()
    ways = (lambda: meaning.admits(hands), lambda: plain(table), lambda: meaning.misfit(hands))
    times = [[seconds(way) for way in ways] for _ in range(rounds)]
    tested, by_numpy, measured = (statistics.median(column) for column in zip(*times, strict=True))
    rates = [len(hands) / spent / 1e6 for spent in (tested, measured)]
    print(f"{words}: tested {rates[0]:.0f} million hands/s, misfit {rates[1]:.0f} million hands/s")
    print(f"   ratio: {by_numpy / tested:.1f} times numpy with the features at hand")


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
