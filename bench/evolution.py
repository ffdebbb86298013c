"""Auctions a second of WEBB's systems: natively on one and on two threads, and by the tests' plain twin.

python bench/evolution.py [BOARDS] [ROUNDS]

Systems are random, as a run starts with; each board has two of them. A board of a tournament is two auctions
and counts for two members, so that auctions a second are a run's boards a second, counted a member: run A's
173 million (Woolever 2001, table 5.1) in 30 minutes are 96,000 a second. The ways take turns, so that what
else runs on the machine meets all of them; rates are medians of the rounds. On two processors of an AMD EPYC
with other work on both, so that a second thread found no processor, `python bench/evolution.py` said:

    run A: 4 states of 8 entries, 50,000 boards, 5 rounds
       native               161,467.0 a second (144,887.3 to 190,842.0),     1,821 of the twin
       native, 2 threads    180,652.9 a second (138,384.1 to 192,516.4),     2,038 of the twin
       twin                      88.7 a second (50.5 to 127.9),         1 of the twin
    run C: 8 states of 16 entries, 50,000 boards, 5 rounds
       native                90,822.9 a second (81,530.4 to 107,314.0),     2,714 of the twin
       native, 2 threads    101,805.6 a second (81,995.3 to 104,007.8),     3,042 of the twin
       twin                      33.5 a second (17.3 to 53.6),         1 of the twin
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bidlab.dealing import deal_bits
from bidlab.systems.webb import Population, random_population

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.systems.webb import twin

MEMBERS, TWIN_BOARDS = 128, 40
RUNS = {"run A": (4, 8), "run C": (8, 16)}  # states and entries


def measured(work: Callable[[], int]) -> tuple[float, float]:
    """Auctions a second of work that says how many it bid: by the clock, and by the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    done = work()
    return done / (time.perf_counter() - clock), done / (time.process_time() - processor)


def ways(population: Population, boards: int) -> dict[str, Callable[[], int]]:
    """Each way to bid, by name."""
    random = np.random.default_rng(2)
    ns, ew = random.integers(0, MEMBERS, (2, boards), dtype=np.int32)
    deals, dealers = deal_bits(boards, seed=1), (np.arange(boards) % 4).astype(np.uint8)

    def native(threads: int) -> int:
        return len(population.native.bid(ns, ew, deals, dealers, threads=threads))

    def plain() -> int:
        for board in range(TWIN_BOARDS):
            sides = [
                twin.System(
                    population.words[one].tolist(),
                    population.transitions[one].tolist(),
                    population.inheritance,
                )
                for one in (ns[board], ew[board])
            ]
            table = twin.started(sides[0], sides[1], int(dealers[board]))
            while not table.auction.is_ended:
                table.make(table.choose(int(deals[board, int(table.auction.turn)])))
        return TWIN_BOARDS

    return {"native": lambda: native(1), "native, 2 threads": lambda: native(2), "twin": plain}


def main() -> None:
    """Print a table for each form of systems."""
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for name, (states, entries) in RUNS.items():
        population = random_population(MEMBERS, states=states, entries=entries, seed=1)
        every = ways(population, boards)
        rates: dict[str, list[tuple[float, float]]] = {way: [] for way in every}
        for _ in range(rounds):
            for way, work in every.items():
                rates[way].append(measured(work))
        twin_rate = statistics.median(clock for clock, _ in rates["twin"])
        print(f"{name}: {states} states of {entries} entries, {boards:,} boards, {rounds} rounds")
        for way, found in rates.items():
            clock = [one for one, _ in found]
            by_processor = statistics.median(one for _, one in found)
            middle = statistics.median(clock)
            print(
                f"   {way:18} {middle:11,.1f} a second ({min(clock):,.1f} to {max(clock):,.1f}), "
                f"{middle / twin_rate:9,.0f} of the twin; of processor time {by_processor:11,.1f}"
            )


if __name__ == "__main__":
    main()
