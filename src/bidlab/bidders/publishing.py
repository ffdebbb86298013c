"""Networks made ready to be shipped: what training wrote, compressed, with the scales of its activations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from bidlab.bidders.network_file import Floats, Weights, read_weights, write_weights
from bidlab.bidders.network_numbers import Rounded, activations_after, rounded, sample_observations


def publish(source: Path, target: Path, **facts: object) -> None:
    """Write a network as bidlab ships it, with all that its source says of itself, and with facts beside.

    The scales are found anew and written down, so that no later change of how they are found moves a call.
    """
    weights = replace(read_weights(source), scales=None)
    numbers = rounded(weights)
    about = {**weights.about, **facts, "scales": numbers.scales}
    write_weights(replace(_by_use(weights, numbers), about=about), target)


def _by_use(weights: Weights, numbers: Rounded) -> Weights:
    """The same network with the units of each layer in the order of how often they are active.

    A sum of whole numbers does not depend on the order, so that no call changes. But those that are seldom
    active stand together, and pairs that are zero are not computed. Units that a layer adds to what came in
    must keep their places.
    """
    if weights.shape.residual:
        return weights
    activations = sample_observations().astype(np.float64)
    layers: list[tuple[Floats, Floats]] = []
    order = np.arange(activations.shape[1])  # of what comes in
    for (matrix, bias), layer in zip(weights.layers, numbers.layers, strict=True):
        activations = activations_after(layer, activations)
        units = np.argsort((activations > 0).sum(axis=0), kind="stable")
        layers.append((matrix[np.ix_(units, order)], bias[units]))
        order = units
    policy, value = ((matrix[:, order], bias) for matrix, bias in (weights.policy, weights.value))
    return replace(weights, layers=tuple(layers), policy=policy, value=value)
