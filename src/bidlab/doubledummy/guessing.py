"""Tricks guessed from all four hands, a hundred times faster than they are solved.

Two small networks, one for suits and one for notrump, were trained on solved deals (by
`bidlab.learning.guessing`). They do not say how many tricks there are but how likely each number is. For
simulations that is enough: a number drawn from those chances is right on average, and so are the scores of
many deals.

The sums are of whole numbers, held in floating point where they are exact, so that every machine and every
batch gives the same chances.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import FormatError
from bidlab.runs.seeds import stirred_words

Bits = NDArray[np.uint64]
Floats = NDArray[np.float64]
Tricks = NDArray[np.uint8]

MODELS = ("suit", "notrump")
WEIGHT_BITS, ACTIVE_BITS = 10, 6  # fractions of weights and of activations
_MOST_ACTIVE = 1 << 14
_PORTION = 4096  # questions that are answered together
_CARDS = np.arange(52, dtype=np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class Guesser:
    """Guesses of tricks: by model the layers, each weights [input, unit] and biases, in whole numbers."""

    models: dict[str, tuple[tuple[Floats, Floats], ...]]

    @classmethod
    def read(cls, path: Path) -> Guesser:
        """The guesser of a file that training wrote: arrays `suit.0.weight`, `suit.0.bias` and so on."""
        try:
            with np.load(path) as stored:
                arrays = {name: stored[name].astype(np.float64) for name in stored.files}
            models = {
                model: tuple(
                    (arrays[f"{model}.{layer}.weight"], arrays[f"{model}.{layer}.bias"])
                    for layer in range(sum(name.startswith(f"{model}.") for name in arrays) // 2)
                )
                for model in MODELS
            }
        except (OSError, ValueError, KeyError) as error:
            raise FormatError(f"{path} has no guesses of tricks: {error}") from None
        if not all(models.values()):
            raise FormatError(f"{path} has no guesses of tricks: layers of {' and '.join(MODELS)} are wanted")
        return cls(models)

    def chances(self, deals: Bits, strains: Tricks, declarers: Tricks) -> Floats:
        """Array [question, tricks 0 .. 13]: how likely the declarer takes so many in the strain."""
        found = np.zeros((len(deals), 14))
        for model, is_asked in zip(MODELS, (strains < 4, strains == 4), strict=True):
            rows = np.flatnonzero(is_asked)
            for begin in range(0, len(rows), _PORTION):
                some = rows[begin : begin + _PORTION]
                inputs = observed(deals[some], strains[some], declarers[some])
                found[some] = _softmax(_outputs(self.models[model], inputs))
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


def observed(deals: Bits, strains: Tricks, declarers: Tricks) -> Floats:
    """Array [question, 208] of cards held: declarer first and on clockwise, trumps before the other suits."""
    rows = np.arange(len(deals))[:, None]
    seats = (declarers[:, None].astype(np.intp) + np.arange(4)) % 4
    hands = deals[rows, seats]
    cards = (hands[:, :, None] >> _CARDS & np.uint64(1)).reshape(-1, 4, 4, 13)
    suits = np.arange(4)
    is_trump = suits[None, :] == strains[:, None]
    order = np.argsort(~is_trump, axis=1, kind="stable")
    ordered = np.take_along_axis(cards, order[:, None, :, None], axis=2)
    return ordered.reshape(len(deals), 208).astype(np.float64)


def _outputs(layers: tuple[tuple[Floats, Floats], ...], inputs: Floats) -> Floats:
    """Logits as multiples of 2 ** -(WEIGHT_BITS + ACTIVE_BITS)."""
    active = inputs * (1 << ACTIVE_BITS)
    for place, (weights, biases) in enumerate(layers):
        active = active @ weights + biases
        if place < len(layers) - 1:
            active = np.clip(np.floor(active / (1 << WEIGHT_BITS)), 0, _MOST_ACTIVE)
    return active


def _softmax(sums: Floats) -> Floats:
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
