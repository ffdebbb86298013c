"""The networks: calls and value from what a player sees, and a critic that sees all four hands."""

from __future__ import annotations

import copy
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bidlab.learning.selfplay.game import CALLS, OBSERVED

FORMAT = 1
_NEVER = -1e9  # finite, since 0 times minus infinity would spoil sums of p log p


@dataclass(frozen=True)
class Shape:
    """The size of a network; with `residual`, a layer after the first adds to what came in."""

    width: int = 1024
    depth: int = 4
    residual: bool = False


def compute_type(device: torch.device) -> torch.dtype:
    """What matrix products are done in: bfloat16 on a GPU, exact float32 on a processor."""
    return torch.bfloat16 if device.type == "cuda" else torch.float32


class Trunk(nn.Module):
    """Layers of one width with ReLU."""

    def __init__(self, inputs: int, shape: Shape) -> None:
        super().__init__()
        sizes = [inputs] + [shape.width] * (shape.depth - 1)
        self.layers = nn.ModuleList(nn.Linear(size, shape.width) for size in sizes)
        self.residual = shape.residual

    def forward(self, bits: Tensor) -> Tensor:
        """What the last layer says, in float32."""
        x = bits.to(compute_type(bits.device))
        for number, layer in enumerate(self.layers):
            y = functional.relu(layer(x))
            x = x + y if self.residual and number else y
        return x.float()


class BiddingNet(nn.Module):
    """Logits of the 38 calls and the value in units of reward, from 480 bits.

    The heads are computed in float32: of bfloat16 logits, several calls would often tie.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.trunk = Trunk(OBSERVED, shape)
        self.policy = nn.Linear(shape.width, CALLS)
        self.value = nn.Linear(shape.width, 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, observed: Tensor) -> tuple[Tensor, Tensor]:
        """Logits [row, call] and values [row]."""
        with torch.autocast(observed.device.type, torch.bfloat16, enabled=observed.is_cuda):
            x = self.trunk(observed)
        return self.policy(x), self.value(x).squeeze(1)


class Critic(nn.Module):
    """The value from all that the table hides too: a baseline for learning, never used to bid."""

    INPUTS = OBSERVED + 3 * 52 + 20 + 1

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.trunk = Trunk(self.INPUTS, shape)
        self.value = nn.Linear(shape.width, 1)
        nn.init.zeros_(self.value.weight)
        nn.init.zeros_(self.value.bias)

    def forward(self, seen: Tensor) -> Tensor:
        """Values [row]."""
        with torch.autocast(seen.device.type, torch.bfloat16, enabled=seen.is_cuda):
            x = self.trunk(seen)
        return self.value(x).squeeze(1)


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """Log-probabilities of the calls; about minus a thousand million for illegal ones."""
    return functional.log_softmax(logits.masked_fill(~legal, _NEVER), dim=1)


def playing_copy(net: BiddingNet) -> BiddingNet:
    """A copy that only plays, its layers already in the type that they are computed in."""
    player = copy.deepcopy(net).requires_grad_(False).eval()
    device = next(net.parameters()).device
    player.trunk.to(compute_type(device))
    return player


def save_weights(net: BiddingNet, path: Path, **facts: object) -> None:
    """Write the weights as float16 arrays, with the shape and some facts as JSON beside them."""
    about = {"format": FORMAT, "shape": asdict(net.shape), **facts}
    arrays = {
        name: value.detach().cpu().numpy().astype(np.float16) for name, value in net.state_dict().items()
    }
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]
    partial.replace(path)


def load_weights(path: Path, device: torch.device) -> BiddingNet:
    """The network that `save_weights` wrote, in float32."""
    with np.load(path) as arrays:
        about = json.loads(str(arrays["about"]))
        if about.get("format") != FORMAT:
            raise ValueError(f"{path}: weights of format {about.get('format')}: format {FORMAT} is wanted")
        net = BiddingNet(Shape(**about["shape"]))
        state = {name: torch.from_numpy(arrays[name].astype(np.float32)) for name in net.state_dict()}
    net.load_state_dict(state)
    return net.to(device)
