"""Tricks guessed from all four hands, a hundred times faster than they are solved.

Two small networks, one for suits and one for notrump, were trained on solved deals (by
`bidlab.learning.guessing`). They do not say how many tricks there are but how likely each number is. For
simulations that is enough: a number drawn from those chances is right on average, and so are the scores of
many deals. The sums are of whole numbers, so that every machine and every batch gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Network
from bidlab.bridge.errors import FormatError
from bidlab.runs.seeds import stirred_words

Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]
Tricks = NDArray[np.uint8]

MODELS = ("suit", "notrump")
WEIGHT_BITS, ACTIVE_BITS = 10, 6  # fractions of weights and of activations


@dataclass(frozen=True, slots=True, eq=False)
class WholeLayer:
    """Weights [unit, input] and biases as whole numbers.

    Weights are multiples of 2 ** -WEIGHT_BITS, activations of 2 ** -ACTIVE_BITS, biases of what their
    products are multiples of; those of the first layer, whose inputs are 0 or 1, of what its weights are.
    """

    weights: NDArray[np.int16]
    biases: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Guesser:
    """Guesses of tricks, by model the layers of a network."""

    models: dict[str, tuple[WholeLayer, ...]]

    @classmethod
    def read(cls, path: Path) -> Guesser:
        """The guesser of a file that training wrote: arrays `suit.0.weight`, `suit.0.bias` and so on."""
        try:
            with np.load(path) as stored:
                arrays = {name: stored[name] for name in stored.files}
            models = {
                model: tuple(
                    WholeLayer(arrays[f"{model}.{layer}.weight"], arrays[f"{model}.{layer}.bias"])
                    for layer in range(sum(name.startswith(f"{model}.") for name in arrays) // 2)
                )
                for model in MODELS
            }
        except (OSError, ValueError, KeyError) as error:
            raise FormatError(f"{path} has no guesses of tricks: {error}") from None
        if not all(models.values()):
            raise FormatError(f"{path} has no guesses of tricks: layers of {' and '.join(MODELS)} are wanted")
        return cls(models)

    @cached_property
    def _networks(self) -> dict[str, Network]:
        return {model: _network(layers) for model, layers in self.models.items()}

    def chances(self, deals: Bits, strains: Tricks, declarers: Tricks) -> Floats:
        """Array [question, tricks 0 .. 13]: how likely the declarer takes so many in the strain."""
        found = np.zeros((len(deals), 14))
        for model, is_asked in zip(MODELS, (strains < 4, strains == 4), strict=True):
            rows = np.flatnonzero(is_asked)
            if len(rows):
                network = self._networks[model]
                found[rows] = _softmax(network.guess(deals[rows], strains[rows], declarers[rows]))
        return found

    def tricks(self, deals: Bits, strains: Tricks, declarers: Tricks) -> Tricks:
        """Tricks drawn from the chances, by a hash of the deal, the strain and the side: always the same."""
        sums = np.cumsum(self.chances(deals, strains, declarers), axis=1)
        drawn = _fractions(deals, strains, declarers)
        found: Tricks = np.minimum((sums < drawn[:, None]).sum(axis=1), 13).astype(np.uint8)
        return found


@cache
def guesser() -> Guesser:
    """The guesser that comes with bidlab."""
    with resources.as_file(resources.files("bidlab.doubledummy") / "guesses.npz") as path:
        return Guesser.read(path)


def _network(layers: tuple[WholeLayer, ...]) -> Network:
    """The layers as the kernels want them: a shift a unit, and a bias that holds the half that rounds."""
    first, *between, head = layers

    def shifted(
        layer: WholeLayer, shift: int
    ) -> tuple[NDArray[np.int16], NDArray[np.int32], NDArray[np.int32]]:
        half = 1 << shift - 1 if shift else 0
        units = len(layer.biases)
        return layer.weights, layer.biases + np.int32(half), np.full(units, shift, dtype=np.int32)

    network = Network(*shifted(first, WEIGHT_BITS - ACTIVE_BITS), *shifted(head, 0))
    for layer in between:
        network.add_layer(*shifted(layer, WEIGHT_BITS), -1)
    return network


def _softmax(sums: NDArray[np.int64]) -> Floats:
    logits = (sums - sums.max(axis=1, keepdims=True)) / (1 << WEIGHT_BITS + ACTIVE_BITS)
    weights = np.exp(logits)
    # Rounded, so that the last bits of exp, which differ between machines, decide nothing.
    shares: Floats = np.round(weights / weights.sum(axis=1, keepdims=True), 9)
    return shares


def _fractions(deals: Bits, strains: Tricks, declarers: Tricks) -> Floats:
    """A number from 0 to 1 for each deal, strain and side."""
    words = strains.astype(np.uint64) * np.uint64(2) + (declarers % 2).astype(np.uint64)
    for seat in range(3):  # the fourth hand follows
        words = stirred_words(words ^ deals[:, seat])
    fractions: Floats = (stirred_words(words) >> np.uint64(11)).astype(np.float64) / (1 << 53)
    return fractions
