"""Networks to test with: made at random, their slow twins, and views that come up where they bid."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.network_file import Shape, Weights, write_weights
from bidlab.bidders.network_numbers import TOP, Rounded
from bidlab.bridge.calls import Call
from bidlab.dealing import deal_bits
from bidlab.table import Bidder, Decision, Decisions, SeatView, ViewBatch
from bidlab.table.bidding import Boards, bid_tables


def random_weights(shape: Shape, seed: int, size: float = 1.0) -> Weights:
    """Weights as those before training, in float16; units die, and some have no weight at all."""
    rng = np.random.default_rng(seed)

    def pair(units: int, inputs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        matrix = size * rng.normal(0, 1.4 / np.sqrt(min(inputs, 30)), (units, inputs))
        matrix[rng.random(units) < 0.05] = 0
        bias = size * rng.normal(0, 0.2, units)
        return tuple(array.astype(np.float16).astype(np.float64) for array in (matrix, bias))

    sizes = [480] + [shape.width] * (shape.depth - 1)
    layers = tuple(pair(shape.width, inputs) for inputs in sizes)
    about = {
        "format": 1,
        "shape": {"width": shape.width, "depth": shape.depth, "residual": shape.residual},
    }
    return Weights(shape, layers, pair(38, shape.width), pair(1, shape.width), None, about)


def written(folder: Path, shape: Shape = Shape(48, 3), seed: int = 1) -> Path:  # noqa: B008 - frozen
    """The file of a network made at random, as training writes one."""
    path = folder / "w.npz"
    write_weights(random_weights(shape, seed), path)
    return path


def whole_twin(network: Rounded, observed: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The outputs [row, 39], step by step in 64-bit whole numbers."""
    x = observed.astype(np.int64)
    for layer in network.layers:
        sums = x @ layer.weights.T.astype(np.int64) + layer.bias
        assert np.abs(sums).max(initial=0) < 2**31
        out = np.clip(sums >> layer.shift, 0, TOP)
        if layer.carry >= 0:
            out = np.minimum(out + ((x + ((1 << layer.carry) >> 1)) >> layer.carry), TOP)
        x = out
    sums = x @ network.head.weights.T.astype(np.int64) + network.head.bias
    assert np.abs(sums).max(initial=0) < 2**31
    return sums << network.head.shift


def float_twin(weights: Weights, observed: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The outputs [row, 39] in floating point, as in training."""
    x = observed.astype(np.float64)
    for number, (matrix, bias) in enumerate(weights.layers):
        y = np.maximum(x @ matrix.T + bias, 0)
        x = x + y if weights.shape.residual and number else y
    heads = (weights.policy, weights.value)
    return np.hstack([x @ matrix.T + bias for matrix, bias in heads])


class Watched(Bidder):
    """Bids as another does, and keeps the views it was asked about."""

    def __init__(self, bidder: Bidder) -> None:
        self.name = bidder.name
        self.bidder = bidder
        self.seen: list[ViewBatch] = []

    def decide(self, view: SeatView) -> Decision:
        return self.bidder.decide(view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        self.seen.append(views)
        return self.bidder.decide_many(views)


def views_of(bidder: Bidder, boards: int, seed: int) -> list[ViewBatch]:
    """What the players see, place by place, where one bidder sits at all four seats."""
    watched = Watched(bidder)
    nobody = np.zeros(boards, dtype=np.uint8)
    bid_tables(Boards.numbered(deal_bits(boards, seed=seed)), [watched], nobody, nobody)
    return watched.seen


def arrays(
    views: ViewBatch,
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """What the native network takes of views."""
    return (
        np.ascontiguousarray(views.hands),
        np.ascontiguousarray(views.calls),
        np.ascontiguousarray(views.dealers),
        np.ascontiguousarray(views.vulnerable),
    )


def observation(view: SeatView) -> list[int]:
    """The 480 bits of one view, from the package's values."""
    bits = [0] * 480
    bits[1 if view.is_vulnerable else 0] = 1
    bits[3 if view.vulnerable.includes(view.seat.next) else 2] = 1
    bid = None
    for place, call in enumerate(view.auction.calls):
        caller = (place - len(view.auction)) % 4  # relative to the player to call
        if call.is_bid:
            bid = call - 3
            bits[8 + 12 * bid + caller] = 1
        elif bid is None:
            bits[4 + caller] = 1
        elif call != Call.PASS:
            bits[8 + 12 * bid + 4 * call + caller] = 1
    for card in view.hand:
        bits[428 + card] = 1
    return bits
