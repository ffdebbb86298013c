"""One step of learning from a batch of decisions; on a GPU a step is recorded once and then replayed.

A step is about a hundred small operations. Started one by one they leave a GPU idle most of the time, since
the processor takes longer to start them than the GPU to do them; replayed as one graph they do not.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from bidlab.learning.selfplay.net import BiddingNet, Critic, log_policy

# observed, legal, call, its log-probability when it was made, advantage, reward, the imitation's
# log-probabilities; and what the critic sees, where there is one.
Columns = tuple[Tensor, ...]
FIGURES = ("policy", "value", "entropy", "divergence", "clipped")
_WARM_STEPS = 3  # before recording, so that all that is made on first use has been made


class Learner:
    """A network (and its critic) with the optimiser: takes batches, always of one size, and learns."""

    def __init__(self, net: BiddingNet, critic: Critic | None, rates: tuple[float, float], batch: int,
                 *, records: bool) -> None:  # fmt: skip
        self.net, self.critic, self.batch = net, critic, batch
        device = next(net.parameters()).device
        self._records = records and device.type == "cuda"
        self._full_rates = rates[:1] if critic is None else rates
        modules: list[Any] = [net] if critic is None else [net, critic]
        groups = [
            {"params": list(module.parameters()), "lr": torch.tensor(rate, device=device)}
            for module, rate in zip(modules, self._full_rates)
        ]
        on_gpu = device.type == "cuda"
        self.optimizer = torch.optim.Adam(groups, fused=on_gpu, capturable=on_gpu)
        self._weights = torch.zeros(5, device=device)
        self._steps = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._held: Columns = ()
        self._figures = torch.zeros(len(FIGURES), device=device)

    @property
    def is_ready(self) -> bool:
        """Whether nothing is left to record: other work on the GPU would disturb that."""
        return not self._records or self._graph is not None

    def begin(self, rate: float, weights: tuple[float, float, float, float, float]) -> None:
        """Set the share of the full rates; weights of policy, value, entropy and anchor, and the clip."""
        for group, full in zip(self.optimizer.param_groups, self._full_rates):
            group["lr"].fill_(full * rate)
        self._weights.copy_(torch.tensor(weights))

    def learn(self, columns: Columns, rows: Tensor) -> Tensor:
        """Learn from some rows; what the losses were, in the order of `FIGURES`."""
        if not self._records or len(rows) != self.batch:
            return self._step(tuple(column[rows] for column in columns))
        if not self._held:
            self._held = tuple(column[rows].clone() for column in columns)
        for held, column in zip(self._held, columns):
            torch.index_select(column, 0, rows, out=held)
        if self._graph is None:
            if self._steps < _WARM_STEPS:
                return self._warm_step()
            self._record()
        assert self._graph is not None
        self._graph.replay()
        return self._figures.clone()

    def _warm_step(self) -> Tensor:
        """A step beside the main stream of work, as recording wants it."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            figures = self._step(self._held)
        torch.cuda.current_stream().wait_stream(stream)
        self._steps += 1
        return figures

    def _record(self) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._figures = self._step(self._held, clear=False)

    def _step(self, columns: Columns, *, clear: bool = True) -> Tensor:
        if clear:
            self.optimizer.zero_grad(set_to_none=True)
        total, figures = losses(self.net, self.critic, columns, self._weights)
        total.backward()
        # Each by itself, so that a critic that is far off does not still the policy.
        for group in self.optimizer.param_groups:
            nn.utils.clip_grad_norm_(group["params"], 1.0)
        self.optimizer.step()
        return figures.detach()


def losses(
    net: BiddingNet, critic: Critic | None, columns: Columns, weights: Tensor
) -> tuple[Tensor, Tensor]:
    """What is to be made small, and its parts in the order of `FIGURES`."""
    observed, legal, call, old, advantage, reward, anchored = columns[:7]
    logits, value = net(observed)
    if critic is not None:
        value = critic(columns[7])
    logs = log_policy(logits, legal)
    ratio = (logs.gather(1, call[:, None]).squeeze(1) - old).exp()
    clip = weights[4]
    bounded = torch.minimum(torch.maximum(ratio, 1 - clip), 1 + clip)
    policy = -torch.minimum(ratio * advantage, bounded * advantage).mean()
    value_loss = (value - reward).square().mean()
    chances = logs.exp()
    entropy = -(chances * logs).sum(dim=1).mean()
    divergence = (chances * (logs - anchored)).sum(dim=1).mean()
    total = weights[0] * policy + weights[1] * value_loss - weights[2] * entropy + weights[3] * divergence
    clipped = (bounded != ratio).float().mean()
    return total, torch.stack([policy, value_loss, entropy, divergence, clipped])
