"""Networks made ready to be shipped: what training wrote, compressed, with the scales of its activations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bidlab.bidders.network_file import read_weights, write_weights
from bidlab.bidders.network_numbers import rounded


def publish(source: Path, target: Path, **facts: object) -> None:
    """Write a network as bidlab ships it, with all that its source says of itself, and with facts beside.

    The scales are found anew and written down, so that no later change of how they are found moves a call.
    """
    weights = read_weights(source)
    scales = rounded(replace(weights, scales=None)).scales
    write_weights(replace(weights, about={**weights.about, **facts, "scales": scales}), target)
