"""Second thoughts in competition: the network that tells what a call is worth more than a pass.

It looks at public information only and says how much each part of a hand is worth for a call: its points, its
cards in the suit that is bid, its cards in theirs. The native book turns that round into conditions
(`native/bidding/reviewer.hpp`; docs/judgement.md). What a call is worth depends on what partner does after
it, so each system has weights that learned with it, and asks for them by name: `set second-thoughts bws`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from bidlab.systems.rules import Written

_FOLDER = "second-thoughts"  # of files WEIGHTS.npz, beside the modules

# From how many IMPs on a second thought counts: a call in place of a pass that the text has written, or that
# was judged; a pass in place of a natural call that the text has written, or of one that was judged. Chosen
# on `train`.
WRITTEN_CALLS = 1.0
JUDGED_CALLS = 0.3
WRITTEN_PASSES = 1.0
JUDGED_PASSES = 0.25


@dataclass(frozen=True, slots=True)
class SecondThoughts:
    """That a system has them: the line that asks for them, and the name of the weights."""

    source: Written
    weights: str


@cache
def weights_names() -> tuple[str, ...]:
    """The names that weights have, those of the systems with which they learned."""
    folder = files("bidlab.systems") / _FOLDER
    return tuple(sorted(one.name.removesuffix(".npz") for one in folder.iterdir()))


@cache
def reviewer_weights(name: str) -> NDArray[np.float32]:
    """The weights of the network, in the order of native/bidding/reviewer.hpp."""
    with (files("bidlab.systems") / _FOLDER / f"{name}.npz").open("rb") as file:
        weights: NDArray[np.float32] = np.load(file)["weights"].astype(np.float32)
    return weights
