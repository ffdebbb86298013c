"""Auctions a second of a network at all four seats: natively in whole numbers, by numpy and by torch.

python bench/network.py [NETWORK] [BOARDS] [ROUNDS]

The ways take turns, so that what else runs on the machine meets all of them; rates are medians of the rounds.
numpy and torch compute in float32 on one thread, from the same bits; torch is left out where it is not
installed. On two processors of an AMD EPYC (Zen 3) with nothing else to do, `python bench/network.py` said:

    experts, 4 x 1024, x86-64-v3, 2 processors
    auctions a second, 2000 boards with 22762 decisions, 5 rounds
       native              1,884 (1,778 to 1,981), 1.98 of numpy; of processor time  1,896, 2.06 of numpy
       native, 2 threads   3,739 (3,600 to 3,835), 4.03 of numpy; of processor time  1,980, 2.15 of numpy
       numpy                 921 (880 to 999), 1.00 of numpy; of processor time    921, 1.00 of numpy
       torch                 930 (905 to 962), 1.01 of numpy; of processor time    933, 1.01 of numpy
    one decision at a time, 300 of them
       native             0.17 ms, the slowest 0.53; of processor time 0.18, the slowest 0.53
       numpy              0.70 ms, the slowest 2.00; of processor time 0.70, the slowest 1.97
       torch              1.04 ms, the slowest 1.78; of processor time 1.04, the slowest 1.79
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is loaded

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab._native import observations, processor_kind
from bidlab.bidders.network import NetworkBidder, shared_evaluator
from bidlab.bidders.network_file import network_path, read_weights
from bidlab.bridge.calls import CALLS
from bidlab.dealing import deal_bits
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidding import Boards, bid_tables

SINGLES = 300  # decisions made one at a time
Logits = Callable[[NDArray[np.uint8]], NDArray[np.float32]]


class Floating(Bidder):
    """Bids by logits [view, 38 or more] in floating point."""

    def __init__(self, name: str, logits: Logits) -> None:
        self.name, self.logits = name, logits

    def decide(self, view: SeatView) -> Decision:
        """The likeliest call."""
        return Decision(CALLS[self.decide_many(ViewBatch.of([view])).calls[0]])

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The likeliest calls."""
        shown = observations(
            np.ascontiguousarray(views.hands),
            np.ascontiguousarray(views.calls),
            np.ascontiguousarray(views.dealers),
            np.ascontiguousarray(views.vulnerable),
        )
        logits = np.where(views.legal, self.logits(shown)[:, :38], -np.inf)
        return Decisions(logits.argmax(axis=1).astype(np.uint8))


def by_numpy(path: Path) -> Logits:
    """The network in float32, by numpy."""
    weights = read_weights(path)
    layers = [(matrix.astype(np.float32).T, bias.astype(np.float32)) for matrix, bias in weights.layers]
    last = weights.policy[0].astype(np.float32).T, weights.policy[1].astype(np.float32)

    def logits(observed: NDArray[np.uint8]) -> NDArray[np.float32]:
        x = observed.astype(np.float32)
        for number, (matrix, bias) in enumerate(layers):
            y = np.maximum(x @ matrix + bias, 0)
            x = x + y if weights.shape.residual and number else y
        found: NDArray[np.float32] = x @ last[0] + last[1]
        return found

    return logits


def by_torch(path: Path) -> Logits:
    """The network in float32, by torch."""
    import torch

    from bidlab.learning.selfplay.net import load_weights, playing_copy

    torch.set_num_threads(1)
    net = playing_copy(load_weights(path, torch.device("cpu")))

    def logits(observed: NDArray[np.uint8]) -> NDArray[np.float32]:
        with torch.inference_mode():
            found: NDArray[np.float32] = net(torch.from_numpy(observed))[0].numpy()
        return found

    return logits


def ways(path: Path) -> dict[str, Bidder]:
    """The network in all ways that there are here, the one to measure against last."""
    native = shared_evaluator(path)
    found: dict[str, Bidder] = {
        "native": NetworkBidder(native, "native"),
        "native, 2 threads": NetworkBidder(native, "native", threads=2),
        "numpy": Floating("numpy", by_numpy(path)),
    }
    if find_spec("torch"):
        found["torch"] = Floating("torch", by_torch(path))
    return found


class Rates:
    """Auctions a second in some rounds, by the clock and by the time of processors."""

    def __init__(self) -> None:
        self.clock: list[float] = []
        self.processor: list[float] = []
        self.calls: NDArray[np.uint8] = np.zeros((0, 0), dtype=np.uint8)  # of the last round

    def add(self, bidder: Bidder, boards: Boards) -> None:
        """Bid the boards once more."""
        everywhere = np.zeros(len(boards), dtype=np.uint8)
        clock, processor = time.perf_counter(), time.process_time()
        self.calls = bid_tables(boards, [bidder], everywhere, everywhere).calls
        self.clock.append(len(boards) / (time.perf_counter() - clock))
        self.processor.append(len(boards) / (time.process_time() - processor))

    def text(self, base: Rates) -> str:
        """The medians, and how they stand to those of another way."""
        clock, processor = statistics.median(self.clock), statistics.median(self.processor)
        by_clock = statistics.median(one / other for one, other in zip(self.clock, base.clock, strict=True))
        by_processor = processor / statistics.median(base.processor)
        return (
            f"{clock:6,.0f} ({min(self.clock):,.0f} to {max(self.clock):,.0f}), {by_clock:.2f} of numpy; "
            f"of processor time {processor:6,.0f}, {by_processor:.2f} of numpy"
        )


def some_views(boards: Boards, calls: NDArray[np.uint8]) -> list[SeatView]:
    """Views of these auctions, at places all over them."""
    found = []
    for table in range(min(SINGLES, len(boards))):
        place = table % int((calls[table] != NO_CALL).sum())
        one = slice(table, table + 1)
        seat = (boards.dealers[table] + place) % 4
        legal = np.zeros((1, len(CALLS)), dtype=bool)
        hands, so_far = boards.bits[one, seat], calls[one, :place]
        found.append(ViewBatch(hands, boards.dealers[one], boards.vulnerable[one], so_far, legal)[0])
    return found


def times(bidder: Bidder, views: Sequence[SeatView]) -> str:
    """Milliseconds a decision, asked for one at a time."""
    clocks, processors = [], []
    for view in views:
        clock, processor = time.perf_counter(), time.process_time()
        bidder.decide(view)
        clocks.append(1000 * (time.perf_counter() - clock))
        processors.append(1000 * (time.process_time() - processor))
    return (
        f"{statistics.median(clocks):.2f} ms, the slowest {max(clocks):.2f}; "
        f"of processor time {statistics.median(processors):.2f}, the slowest {max(processors):.2f}"
    )


def main(name: str = "experts", count: int = 2000, rounds: int = 5) -> None:
    """Measure batches and single decisions."""
    path = network_path(name)
    shape = read_weights(path).shape
    found, boards = ways(path), Boards.numbered(deal_bits(count, seed=1))
    rates = {way: Rates() for way in found}
    for _ in range(rounds):
        for way, bidder in found.items():
            rates[way].add(bidder, boards)
    made = rates["native"].calls
    assert (made == rates["native, 2 threads"].calls).all()
    decisions = int((made != NO_CALL).sum())
    print(f"{name}, {shape.depth} x {shape.width}, {processor_kind()}, {os.cpu_count()} processors")
    print(f"auctions a second, {count} boards with {decisions} decisions, {rounds} rounds")
    for way in found:
        print(f"   {way:<18} {rates[way].text(rates['numpy'])}")
    print(f"one decision at a time, {SINGLES} of them")
    views = some_views(boards, made)
    for way in [way for way in found if "threads" not in way]:
        print(f"   {way:<18} {times(found[way], views)}")
    if "torch" not in found:
        print("torch is not installed: left out")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "experts", *(int(word) for word in sys.argv[2:4]))
