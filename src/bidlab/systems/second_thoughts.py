"""Second thoughts in competition: the network that tells what a call is worth more than a pass.

It looks at public information only and says how much each part of a hand is worth for a call: its points, its
cards in the suit that is bid, its cards in theirs. The native book turns that round into conditions
(`native/bidding/reviewer.hpp`; docs/judgement.md). A system asks for it with `set second-thoughts on`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

# From how many IMPs on a second thought counts: a call in place of a pass that the text has written, or that
# was judged; a pass in place of a call that was judged. Calls that are written stand. Chosen on `train`.
WRITTEN_CALLS = 1.0
JUDGED_CALLS = 0.3
JUDGED_PASSES = 0.25


@cache
def reviewer_weights() -> NDArray[np.float32]:
    """The weights of the network, in the order of native/bidding/reviewer.hpp."""
    with (files("bidlab.systems") / "second-thoughts.npz").open("rb") as file:
        weights: NDArray[np.float32] = np.load(file)["weights"].astype(np.float32)
    return weights
