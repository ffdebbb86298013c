"""Boards a second of WEBB's auctions and tournaments: on one and two threads, and by the plain twins.

python bench/evolution.py [BOARDS] [ROUNDS]

Systems are random, as a run starts with; each board of the auctions has two of them. In a tournament a table
is bid twice and counts for two members, so that auctions a second are boards a second, counted a member:
run A's 173 million (Woolever 2001, table 5.1) in 30 minutes are 96,000 a second. The tournament is measured
from where a run is after a million boards. The ways take turns, so that what else runs on the machine meets
all of them; rates are medians of the rounds, by the clock and by the time of all processors together. On two
processors of an AMD EPYC with four times the work they can do, so that by the clock a second thread had
nothing to gain, `python bench/evolution.py` said (by processor time two threads lose 3% in a tournament):

    run A, auctions of random systems: 4 states of 8 entries, 50,000 boards, 5 rounds
       native                61,027.7 a second ...     2,763 of the twin; of processor time   150,660.2
       native, 2 threads     54,102.6 a second ...     2,449 of the twin; of processor time   142,041.3
       twin                      22.1 a second ...         1 of the twin; of processor time        57.1
    run A, a tournament: 4 states of 8 entries, 50,000 boards, 5 rounds
       native                90,276.1 a second ...     1,886 of the twin; of processor time   219,322.1
       native, 2 threads     81,224.6 a second ...     1,697 of the twin; of processor time   212,458.6
       twin                      47.9 a second ...         1 of the twin; of processor time       123.6
    run C, auctions of random systems: 8 states of 16 entries, 50,000 boards, 5 rounds
       native                28,456.6 a second ...     2,409 of the twin; of processor time    73,209.9
       native, 2 threads     27,561.7 a second ...     2,333 of the twin; of processor time    71,055.6
       twin                      11.8 a second ...         1 of the twin; of processor time        26.2
    run C, a tournament: 8 states of 16 entries, 50,000 boards, 5 rounds
       native               101,078.4 a second ...     2,859 of the twin; of processor time   213,479.4
       native, 2 threads     72,974.9 a second ...     2,064 of the twin; of processor time   206,696.6
       twin                      35.4 a second ...         1 of the twin; of processor time        73.1
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bidlab.dealing import deal_bits
from bidlab.library import library
from bidlab.systems.webb import (
    Population,
    Rules,
    Standing,
    WebbDeals,
    played,
    random_population,
    turns_a_round,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.systems.webb import tournament_twin, twin

MEMBERS, TWIN_BOARDS, EARLIER = 128, 40, 1_000_000
RUNS = {"run A": (4, 8), "run C": (8, 16)}  # states and entries
Ways = dict[str, Callable[[], int]]


def measured(work: Callable[[], int]) -> tuple[float, float]:
    """Auctions a second of work that says how many it bid: by the clock, and by the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    done = work()
    return done / (time.perf_counter() - clock), done / (time.process_time() - processor)


def auctions(population: Population, boards: int) -> Ways:
    """Each way to bid boards, by name."""
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


def tournaments(population: Population, boards: int) -> Ways:
    """Each way to play a tournament, by name, from where a run is after a million boards."""
    bits, tables = library("train").deals()
    deals, a_round = WebbDeals(bits, tables), turns_a_round(MEMBERS)
    turns = EARLIER // MEMBERS // a_round * a_round
    start = played(Standing.of(population), deals, turns, Rules(), seed=1, threads=2)

    def native(threads: int) -> int:
        after = played(start, deals, boards // MEMBERS, Rules(), seed=1, threads=threads)
        return after.count("boards") - start.count("boards")

    def plain() -> int:
        tournament_twin.Tournament.of(start.population, bits, tables, Rules(), seed=1).play(1)
        return MEMBERS

    return {"native": lambda: native(1), "native, 2 threads": lambda: native(2), "twin": plain}


def compare(title: str, ways: Ways, rounds: int) -> None:
    """Print the rate of each way."""
    rates: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, work in ways.items():
            rates[way].append(measured(work))
    twin_rate = statistics.median(clock for clock, _ in rates["twin"])
    print(title)
    for way, found in rates.items():
        clock = [one for one, _ in found]
        by_processor = statistics.median(one for _, one in found)
        middle = statistics.median(clock)
        print(
            f"   {way:18} {middle:11,.1f} a second ({min(clock):,.1f} to {max(clock):,.1f}), "
            f"{middle / twin_rate:9,.0f} of the twin; of processor time {by_processor:11,.1f}"
        )


def main() -> None:
    """Print two tables for each form of systems."""
    boards = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for name, (states, entries) in RUNS.items():
        population = random_population(MEMBERS, states=states, entries=entries, seed=1)
        form = f"{states} states of {entries} entries, {boards:,} boards, {rounds} rounds"
        compare(f"{name}, auctions of random systems: {form}", auctions(population, boards), rounds)
        compare(f"{name}, a tournament: {form}", tournaments(population, boards), rounds)


if __name__ == "__main__":
    main()
