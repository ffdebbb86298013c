"""Training of the networks that guess tricks, from solved deals; with torch, on a processor or a GPU.

Each example is one declarer in one strain, seen from the declarer's seat with trumps first; the other suits
come in random order, which changes no trick. What is learned is how likely each number of tricks is
(cross-entropy). The weights are rounded to whole numbers at the end. `tools/train_guesses.py` trains both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.doubledummy.guessing import ACTIVE_BITS, WEIGHT_BITS, Guesser, WholeLayer

Layers = tuple[tuple[NDArray[Any], NDArray[Any]], ...]
_BATCHES = {"cpu": 4096, "cuda": 16384}  # examples of one step
_PEAK = 1.5e-3  # learning rate
_DECAY = 1e-2  # of weights: it keeps the sums of whole numbers small


@dataclass(frozen=True, slots=True)
class Quality:
    """How good guesses are: root of the mean square of tricks, cross-entropy, the share that is right."""

    rms: float
    nats: float
    exact: float


def quality(guesser: Guesser, bits: NDArray[np.uint64], tables: NDArray[np.uint8], model: str) -> Quality:
    """How good a guesser is on solved deals, over all declarers and the strains of a model."""
    strains = range(4) if model == "suit" else (4,)
    count = len(bits)
    squares = nats = right = asked = 0.0
    for strain in strains:
        for declarer in range(4):
            taken = tables[:, strain, declarer].astype(np.intp)
            same = np.full(count, strain, dtype=np.uint8), np.full(count, declarer, dtype=np.uint8)
            chances = guesser.chances(bits, *same)
            squares += float((((chances * np.arange(14)).sum(axis=1) - taken) ** 2).sum())
            nats -= float(np.log(np.maximum(chances[np.arange(count), taken], 1e-9)).sum())
            right += float((chances.argmax(axis=1) == taken).sum())
            asked += count
    return Quality((squares / asked) ** 0.5, nats / asked, right / asked)


def rounded(layers: Layers) -> tuple[WholeLayer, ...]:
    """Layers in whole numbers; weights beyond 16 bits, which none has, would be cut."""
    whole = []
    for place, (weight, bias) in enumerate(layers):
        weights = np.round(weight.astype(np.float64) * (1 << WEIGHT_BITS))
        scale = WEIGHT_BITS + (ACTIVE_BITS if place else 0)
        biases = np.round(bias.astype(np.float64) * (1 << scale))
        cut = np.ascontiguousarray(np.clip(weights, -32768, 32767).astype(np.int16))
        whole.append(WholeLayer(cut, biases.astype(np.int32)))
    return tuple(whole)


def trained(
    bits: NDArray[np.uint64],
    tables: NDArray[np.uint8],
    model: str,
    *,
    width: int,
    depth: int,
    seconds: float,
    seed: int,
    report: Callable[[str], object] | None = None,
) -> Layers:
    """The layers of one network after so many seconds; how far it comes depends on the machine.

    A GPU is used where there is one: 160 seconds of one were a thousand million examples.
    """
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    batch = _BATCHES[device]
    torch.set_float32_matmul_precision("high")
    torch.manual_seed(seed)
    draw = torch.Generator(device=device).manual_seed(seed)
    numbers = torch.arange(52, device=device)
    held = torch.from_numpy(bits.astype(np.int64)).to(device)
    taken = torch.from_numpy(tables.astype(np.int64)).to(device)
    sizes = [208, *[width] * depth, 14]
    steps: list[Any] = []
    for inputs, outputs in pairwise(sizes):
        steps += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
    net = torch.nn.Sequential(*steps[:-1]).to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=_PEAK, weight_decay=_DECAY)
    began, step, told = time.monotonic(), 0, 0.0
    while (spent := time.monotonic() - began) < seconds:
        falling = 0.5 * (1 + np.cos(np.pi * spent / seconds)) + 0.005
        for group in optimizer.param_groups:
            group["lr"] = _PEAK * min(1.0, (step + 1) / 300) * falling
        rows = torch.randint(len(held), (batch,), generator=draw, device=device)
        declarers = torch.randint(4, (batch,), generator=draw, device=device)
        order = torch.rand((batch, 4), generator=draw, device=device).argsort(dim=1)
        seats = (declarers[:, None] + torch.arange(4, device=device)) % 4
        cards = (held[rows[:, None], seats][:, :, None] >> numbers & 1).reshape(batch, 4, 4, 13)
        seen = cards.gather(2, order[:, None, :, None].expand(-1, 4, -1, 13)).reshape(batch, 208)
        strains = order[:, 0] if model == "suit" else torch.full_like(rows, 4)
        loss = torch.nn.functional.cross_entropy(net(seen.float()), taken[rows, strains, declarers])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        step += 1
        if report is not None and spent - told > 20:
            told = spent
            report(f"{model}: {step * batch:,} examples, {spent:.0f} s, loss {loss.item():.3f}")
    return tuple(
        (layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy())
        for layer in net
        if isinstance(layer, torch.nn.Linear)
    )


def write(path: Path, guesser: Guesser) -> None:
    """Write the file that `Guesser.read` reads."""
    arrays: dict[str, NDArray[Any]] = {}
    for model, layers in guesser.models.items():
        for place, layer in enumerate(layers):
            arrays[f"{model}.{place}.weight"] = layer.weights
            arrays[f"{model}.{place}.bias"] = layer.biases
    np.savez_compressed(path, allow_pickle=False, **arrays)
