"""Networks in whole numbers, so that a call never depends on the batch, the threads or the machine.

Sums of floating-point numbers depend on the order of adding; sums of whole numbers do not. So weights are
rounded to 16 bits and activations to 14:

- Activations of layer i are whole multiples of 2 ** -scales[i], from 0 to 16383; more is cut. Scales are
  found from a fixed set of positions, by whole numbers too, so that twice the largest activation there is not
  yet cut; a published file keeps them.
- The weights of each unit are whole multiples of 2 ** -k, with the largest k for which they fit 16 bits and
  no sum can leave 32 bits: the positive weights of the unit times 16383, and the negative ones, with the bias
  and the half that rounds, stay below 2 ** 31. Activations are never negative, so no partial sum is larger.
- A sum becomes an activation by a shift. Logits are brought to one common scale by a shift to the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Network, observations
from bidlab.bidders.network_file import CALL_COUNT, Floats, Weights
from bidlab.bridge.errors import FormatError
from bidlab.dealing import deal_bits
from bidlab.table.auctions import AuctionBatch
from bidlab.table.bidding import Boards

TOP = 16383  # the largest activation
_LIMIT = 2**31 - 1
_MOST_SHIFT = 30
_HALF = 2 ** (_MOST_SHIFT - 1)  # the most that rounding adds to a sum
_FINEST = 30  # no weight is a multiple of less than 2 ** -30
_FINEST_ACTIVATION = 20
_BOARDS, _CALLS, _SEED = 100, 12, 20_000_101  # positions that scales are found from
_LOWEST = 6  # of the legal calls, which make likelier auctions than all of them

Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class RoundedLayer:
    """The weights [unit, input] of a layer, the bias with the half that rounds, and how sums are shifted."""

    weights: NDArray[np.int16]
    bias: Numbers
    shift: Numbers  # to the right; of the head, to the left
    carry: int = -1  # how far what comes in is shifted to be added to what goes out; -1: it is not


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """A network in whole numbers; logits are multiples of 2 ** -logit_scale, values of 2 ** -value_scale."""

    layers: tuple[RoundedLayer, ...]
    head: RoundedLayer  # the 38 logits and the value
    scales: tuple[int, ...]
    logit_scale: int
    value_scale: int

    def native(self, *, plain: bool = False) -> Network:
        """The network that evaluates; with `plain` by instructions that every processor has."""
        first, head = self.layers[0], self.head
        network = Network(first.weights, first.bias, first.shift, head.weights, head.bias, head.shift, plain)
        for layer in self.layers[1:]:
            network.add_layer(layer.weights, layer.bias, layer.shift, layer.carry)
        return network


def rounded(weights: Weights) -> Rounded:
    """The network in whole numbers, with its own scales or, where it has none, with those found here."""
    layers: list[RoundedLayer] = []
    scales = [0]  # what is observed is 0 or 1
    activations = sample_observations().astype(np.float64) if weights.scales is None else np.zeros((0, 0))
    for number, (matrix, bias) in enumerate(weights.layers):
        is_residual = weights.shape.residual and number > 0
        draft = _Draft.of(matrix, bias, scales[-1], TOP if number else 1, is_residual)
        if weights.scales is None:
            scale = min(draft.finest, draft.scale_for(activations))
        else:
            scale = _fitting(weights.scales[number], draft.finest, number)
        layers.append(draft.layer(scale))
        scales.append(scale)
        if weights.scales is None:
            activations = activations_after(layers[-1], activations)
    head, logit_scale, value_scale = _rounded_head(weights, scales[-1])
    return Rounded(tuple(layers), head, tuple(scales[1:]), logit_scale, value_scale)


def _fitting(scale: int, finest: int, number: int) -> int:
    if not finest - _MOST_SHIFT <= scale <= finest:
        raise FormatError(
            f"scale {scale} of layer {number} does not fit its weights: from {finest} down is wanted"
        )
    return scale


def activations_after(layer: RoundedLayer, activations: Floats) -> Floats:
    """Activations [row, unit] from those that come in, all whole: sums below 2 ** 53 are exact in float64."""
    sums = activations @ layer.weights.T.astype(np.float64) + layer.bias
    out: Floats = np.clip(np.floor(np.ldexp(sums, -layer.shift)), 0, TOP)
    if layer.carry >= 0:
        half = (1 << layer.carry) >> 1
        out = np.minimum(out + np.floor(np.ldexp(activations + half, -layer.carry)), TOP)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class _Draft:
    """A layer whose activations have no scale yet; those that come in have one."""

    weights: Floats
    bias: Floats
    scale: int  # of what comes in
    fineness: Numbers  # weights of each unit are multiples of 2 ** -fineness
    is_residual: bool

    @classmethod
    def of(cls, weights: Floats, bias: Floats, scale: int, largest: int, is_residual: bool) -> _Draft:
        return cls(weights, bias, scale, _fineness(weights, bias, scale, largest), is_residual)

    @property
    def finest(self) -> int:
        """The finest scale that sums can be brought to by shifts to the right."""
        finest = min(int(self.fineness.min()) + self.scale, _FINEST_ACTIVATION)
        return min(finest, self.scale) if self.is_residual else finest

    def scale_for(self, activations: Floats) -> int:
        """The finest scale at which not even twice an activation is cut that follows from these."""
        whole = np.rint(np.ldexp(self.weights, self.fineness[:, None]))
        sums = activations @ whole.T + np.rint(np.ldexp(self.bias, self.fineness + self.scale))
        out = np.maximum(np.ldexp(sums, -(self.fineness + self.scale)), 0)
        if self.is_residual:
            out += np.ldexp(activations, -self.scale)
        peak = 2 * float(out.max(initial=0))
        return int(np.frexp(TOP / peak)[1]) - 1 if peak > 0 else _FINEST_ACTIVATION

    def layer(self, scale: int) -> RoundedLayer:
        """The layer whose activations have that scale."""
        fineness = np.minimum(self.fineness, _MOST_SHIFT + scale - self.scale)
        shift = (fineness + self.scale - scale).astype(np.int32)
        bias = np.rint(np.ldexp(self.bias, fineness + self.scale)) + (np.left_shift(1, shift) >> 1)
        carry = self.scale - scale if self.is_residual else -1
        return RoundedLayer(_whole(self.weights, fineness), bias.astype(np.int32), shift, carry)


def _whole(weights: Floats, fineness: Numbers) -> NDArray[np.int16]:
    return np.ascontiguousarray(np.rint(np.ldexp(weights, fineness[:, None])), dtype=np.int16)


def _fineness(weights: Floats, bias: Floats, scale: int, largest: int) -> Numbers:
    """For each unit the largest k for which its weights times 2 ** k fit, and no sum can leave 32 bits."""
    reach = _reach(weights, np.ldexp(bias, scale), largest)
    with np.errstate(divide="ignore"):
        room = np.minimum((_LIMIT - _HALF) / reach, 32767 / np.abs(weights).max(axis=1, initial=0))
    # At most one too large, because of the rounding of weights.
    found = np.where(np.isfinite(room), np.frexp(np.minimum(room, 2.0**_FINEST))[1], _FINEST)
    found = np.minimum(found, _FINEST).astype(np.int32)
    while True:
        whole = np.rint(np.ldexp(weights, found[:, None]))
        fits = np.abs(whole).max(axis=1, initial=0) <= 32767
        fits &= _reach(whole, np.rint(np.ldexp(bias, found + scale)), largest) <= _LIMIT - _HALF
        if fits.all():
            return found
        found[~fits] -= 1


def _reach(weights: Floats, bias: Floats, largest: int) -> Floats:
    """How far from zero a sum of each unit can get, partial ones included."""
    # The larger of the sum of the positive weights and of that of the negative ones.
    one_sided = (np.abs(weights).sum(axis=1) + np.abs(weights.sum(axis=1))) / 2
    reach: Floats = one_sided * largest + np.abs(bias)
    return reach


def _rounded_head(weights: Weights, scale: int) -> tuple[RoundedLayer, int, int]:
    """The head, and the scales of logits and of values."""
    matrix = np.vstack([weights.policy[0], weights.value[0]])
    bias = np.concatenate([weights.policy[1], weights.value[1]])
    fineness = _fineness(matrix, bias, scale, TOP)
    fineness = np.minimum(fineness, fineness.min() + _MOST_SHIFT)  # so that logits shifted fit 64 bits
    shift = fineness[:CALL_COUNT].max() - fineness
    shift[CALL_COUNT] = 0
    head = RoundedLayer(
        _whole(matrix, fineness),
        np.rint(np.ldexp(bias, fineness + scale)).astype(np.int32),
        shift.astype(np.int32),
    )
    return head, int(fineness[:CALL_COUNT].max()) + scale, int(fineness[CALL_COUNT]) + scale


@cache
def sample_observations() -> NDArray[np.uint8]:
    """Array [position, 480]: what players see in some auctions of random low calls, always the same ones."""
    return np.vstack(list(_sample()))


def _sample() -> Iterator[NDArray[np.uint8]]:
    boards = Boards.numbered(deal_bits(_BOARDS, seed=_SEED))
    auctions, going = AuctionBatch(_BOARDS), np.arange(_BOARDS)
    # The raw words of the generator are its definition: they are the same in every version of numpy.
    drawn = np.random.PCG64(_SEED).random_raw(_BOARDS * _CALLS).reshape(_CALLS, _BOARDS) % np.uint64(_LOWEST)
    while len(going) and auctions.place < _CALLS:
        seats = (boards.dealers[going] + auctions.place) % 4
        hands = np.ascontiguousarray(boards.bits[going, seats])
        so_far = np.ascontiguousarray(auctions.so_far(going))
        yield observations(hands, so_far, boards.dealers[going], boards.vulnerable[going])
        legal = auctions.legal(going).cumsum(axis=1)
        wanted = np.minimum(drawn[auctions.place, going].astype(np.int64) + 1, legal[:, -1])
        auctions.make(going, (legal == wanted[:, None]).argmax(axis=1).astype(np.uint8))
        going = going[~auctions.ended(going)]
