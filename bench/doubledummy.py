"""All 20 results of random deals, one thread, beside DDS (Bo Haglund and Soren Hein; endplay brings it).

python bench/doubledummy.py [DEALS]

The two take turns deal by deal. Times are processor time of the whole process, so that a thread more would
show; peak memory is that of a process that solves the same deals with one of them alone.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np

from bidlab._native import processor_kind
from bidlab.bridge.hands import Deal
from bidlab.dealing import deal_bits
from bidlab.doubledummy import Solver, Tables, solve

SEED = 20261116
SIGNATURE_SEED, SIGNATURE_DEALS = 7, 10
Solving = Callable[[np.ndarray], Tables]


def own(bits: np.ndarray) -> Tables:
    """The trick table by bidlab."""
    table: Tables = solve(bits[np.newaxis], threads=1)[0]
    return table


def dds() -> Solving:
    """The trick table by DDS, on one thread. Loaded only where it is used: it takes memory of its own."""
    import endplay._dds
    from endplay.dds import calc_dd_table
    from endplay.types import Deal as PeerDeal
    from endplay.types import Denom, Player

    endplay._dds.SetMaxThreads(1)
    strains = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)
    seats = (Player.north, Player.east, Player.south, Player.west)

    def solving(bits: np.ndarray) -> Tables:
        table = calc_dd_table(PeerDeal(str(Deal.of_bits(bits.tolist()))))
        return np.array([[table[strain, seat] for seat in seats] for strain in strains], np.uint8)

    return solving


def timed(table: Solving, bits: np.ndarray) -> tuple[float, float, Tables]:
    """Processor time, time by the clock, and the result."""
    clock, processor = time.perf_counter(), time.process_time()
    result = table(bits)
    return time.process_time() - processor, time.perf_counter() - clock, result


def nodes_signature() -> int:
    """The nodes that a fixed batch takes: a figure without noise, which changes when the search does."""
    solver = Solver(threads=1, warm=False)
    solver.solve(deal_bits(SIGNATURE_DEALS, SIGNATURE_SEED))
    return solver.effort.nodes


def row(name: str, seconds: Sequence[float]) -> str:
    """One solver's figures, in milliseconds."""
    ms = 1000 * np.array(seconds)
    error = ms.std(ddof=1) / len(ms) ** 0.5
    return (
        f"{name:<8} mean {ms.mean():7.1f} +- {error:4.1f}   median {np.median(ms):7.1f}   "
        f"99% {np.percentile(ms, 99):7.1f}   worst {ms.max():7.1f} ms"
    )


def peak_memory(name: str, count: int) -> float:
    """MiB at most of a process that solves the deals with one solver."""
    command = [sys.executable, __file__, "--alone", name, str(count)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def alone(name: str, count: int) -> None:
    """Solve with one of the two and print the peak of memory."""
    solving = own if name == "bidlab" else dds()
    for bits in deal_bits(count, SEED):
        solving(bits)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def threads_ratio(count: int, rounds: int = 5) -> list[float]:
    """How much faster two threads are than one by the clock, in each round."""
    bits = deal_bits(count, SEED + 1)
    ratios = []
    for _ in range(rounds):
        times = []
        for threads in (1, 2):
            begun = time.perf_counter()
            solve(bits, threads=threads)
            times.append(time.perf_counter() - begun)
        ratios.append(times[0] / times[1])
    return ratios


def main(count: int) -> None:
    """Take turns and print the figures."""
    # First of all: a process begins with its parent's peak.
    memory = {name: peak_memory(name, min(count, 100)) for name in ("bidlab", "DDS")}
    by_dds = dds()
    ours, theirs, apart, clocks = [], [], 0, 0.0
    for bits in deal_bits(count, SEED):
        seconds, _, table = timed(own, bits)
        ours.append(seconds)
        seconds, clock, peer = timed(by_dds, bits)
        theirs.append(seconds)
        clocks += clock
        apart += int((table != peer).sum())
    print(f"{count} random deals, all 20 results, taking turns; {processor_kind()}; {apart} results apart")
    print(row("bidlab", ours))
    print(row("DDS", theirs))
    print(f"DDS on one thread: its processor time is {sum(theirs) / clocks:.2f} of the time by the clock")
    print(f"ratio of means: bidlab is {np.mean(theirs) / np.mean(ours):.2f} times as fast as DDS")
    solver = Solver(threads=1, warm=False)
    solver.solve(deal_bits(count, SEED))
    effort = solver.effort
    print(
        f"nodes a table {effort.nodes / count:,.0f}, trick starts {effort.trick_starts / count:,.0f}, "
        f"look-ups {effort.lookups / count:,.0f}, answered {effort.hits / effort.lookups:.0%}"
    )
    print(
        f"node signature ({SIGNATURE_DEALS} deals of seed {SIGNATURE_SEED}): {nodes_signature():,}; "
        f"peak memory of a process: bidlab {memory['bidlab']:.0f} MiB, DDS {memory['DDS']:.0f} MiB"
    )
    ratios = threads_ratio(60)
    print(f"two threads: {np.median(ratios):.2f} times one (from {min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        alone(sys.argv[2], int(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 200)
