"""Boards an hour of a matrix of seeds, and how the time grows with seeds and with boards.

python bench/boost.py [BIDDER] [ROUNDS] [SEEDS] [BOARDS]

A matrix of N seeds and B boards a pair has N (N - 1) / 2 * B boards, each at two tables, so that its time
should grow as the square of the seeds and in step with the boards. Each size is timed in ROUNDS rounds of
fresh runs, by one process, from the first cell to the last; rates are medians. One run before them is not
timed: what a bidder learns of its system once, all runs of a process share. Working out what was found, with
2,000 draws of what luck shows and 1,000 of cross-validation, is timed apart. The bidder by default is that of
the tests which bids natural with slips; its share of swings is near the paper's.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from math import log
from pathlib import Path

from bidlab.learning.boost import Boosting, BoostRun, Findings, Settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.bidders import slipping

PAPER = 40 * 39 // 2 * 64


def played(bidder: str, seeds: int, boards: int) -> BoostRun:
    """A matrix that was played; it knows its seconds."""
    settings = Settings(bidder, seeds=seeds, boards=boards, new_boards=0)
    with tempfile.TemporaryDirectory() as folder:
        return Boosting.begun(Path(folder) / "run", settings, workers=1).run()


def worked_out(run: BoostRun) -> float:
    """The seconds that it takes to work out what a run found."""
    begun = time.perf_counter()
    found = Findings(run)
    assert found.choices and found.luck and found.shrunken and found.folds and found.swings
    assert found.by_contract and found.by_height
    return time.perf_counter() - begun


def main(
    bidder: str = "slipping,rate=0.02", rounds: str = "3", seeds: str = "10", boards: str = "16"
) -> None:
    """Print the table."""
    few, short = int(seeds), int(boards)
    sizes = ((few, short), (2 * few, short), (4 * few, short), (2 * few, 2 * short), (2 * few, 4 * short))
    print(f"{bidder}, one process, medians of {rounds} rounds")
    print(f"{'seeds':>6} {'boards':>7} {'of all':>8} {'seconds':>9} {'an hour':>11} {'worked out':>11}")
    played(bidder, 2 * few, 4 * short)
    seconds: list[float] = []
    rate = 0.0
    for size in sizes:
        runs = [played(bidder, *size) for _ in range(int(rounds))]
        seconds.append(statistics.median(run.seconds for run in runs))
        total = runs[0].settings.matrix_boards
        rate, after = 3600 * total / seconds[-1], worked_out(runs[0])
        told = f"{seconds[-1]:>8.2f}s {rate:>11,.0f} {after:>10.2f}s"
        print(f"{size[0]:>6} {size[1]:>7} {total:>8,} {told}")
    pairs = [one * (one - 1) // 2 for one in (few, 4 * few)]
    by_pairs = log(seconds[2] / seconds[0]) / log(pairs[1] / pairs[0])
    by_boards = log(seconds[4] / seconds[1]) / log(4)
    print(f"time grows as pairs of seeds to the power {by_pairs:.2f}, as boards to the power {by_boards:.2f}")
    print(f"the paper's {PAPER:,} boards at the last rate: {PAPER / rate * 60:,.1f} minutes")


if __name__ == "__main__":
    with slipping.known():
        main(*sys.argv[1:])
