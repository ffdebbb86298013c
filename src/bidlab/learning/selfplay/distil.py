"""Distilling: a small network learns to call as a large one does, for those who need speed.

Positions come from auctions of both: the large network's own, and the small one's, whose mistakes lead where
the large one would not have gone. What is learned is the large network's probabilities, not only its calls,
and its value.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from bidlab.learning.selfplay.deals import random_deals
from bidlab.learning.selfplay.net import (
    BiddingNet,
    Shape,
    load_weights,
    log_policy,
    playing_copy,
    save_weights,
)
from bidlab.learning.selfplay.playing import Decisions, play
from bidlab.learning.selfplay.runs import Budget, Run, versions


@dataclass(frozen=True)
class DistilSettings:
    """What a small network is made with."""

    seed: int = 1
    tables: int = 65536
    batch: int = 8192
    rate: float = 2e-3
    width: int = 256
    depth: int = 3
    value_weight: float = 0.1
    validate_every: int = 10  # rounds


def distil(teacher_file: Path, run_folder: Path, budget: Budget, settings: DistilSettings,
           device: torch.device, *, quiet: bool = False) -> BiddingNet:  # fmt: skip
    """The small network; the folder has it as weights.npz."""
    config = {"command": "distil", "teacher": teacher_file.name, **asdict(settings), **asdict(budget)}
    run = Run(run_folder, {**config, "versions": versions(device)}, quiet=quiet)
    torch.manual_seed(settings.seed)
    generator = torch.Generator(device).manual_seed(settings.seed)
    teacher = playing_copy(load_weights(teacher_file, device))
    net = BiddingNet(Shape(settings.width, settings.depth)).to(device)
    optimizer = torch.optim.AdamW(net.parameters(), settings.rate, fused=device.type == "cuda")
    done = 0
    while (share := budget.share(done, run.elapsed)) < 1:
        for group in optimizer.param_groups:
            group["lr"] = settings.rate * (1 - share)
        player = teacher if done % 2 == 0 else playing_copy(net)
        _, decisions = play(random_deals(settings.tables, generator, device), player, generator, keep=True)
        assert decisions is not None
        figures = _learned(net, teacher, decisions, optimizer, settings, generator)
        done += 1
        if done % settings.validate_every == 0 or budget.share(done, run.elapsed) >= 1:
            divergence, equal, value = figures.tolist()
            run.note(round=done, divergence=divergence, equal=equal, value=value)
            save_weights(net, run_folder / "weights.npz", stage="distilled", round=done, equal=equal)
    return net


def _learned(net: BiddingNet, teacher: BiddingNet, decisions: Decisions, optimizer: torch.optim.Optimizer,
             settings: DistilSettings, generator: torch.Generator) -> Tensor:  # fmt: skip
    """One pass over some decisions: mean divergence from the teacher, share of equal calls, value's error."""
    order = torch.randperm(len(decisions), generator=generator, device=decisions.call.device)
    found = []
    for rows in order.split(settings.batch):
        observed, legal = decisions.observed[rows], decisions.legal[rows]
        with torch.no_grad():
            logits, wanted_value = teacher(observed)
            wanted = log_policy(logits, legal)
        logits, value = net(observed)
        logs = log_policy(logits, legal)
        divergence = functional.kl_div(logs, wanted, reduction="batchmean", log_target=True)
        value_loss = (value - wanted_value).square().mean()
        optimizer.zero_grad(set_to_none=True)
        (divergence + settings.value_weight * value_loss).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        equal = (logs.argmax(dim=1) == wanted.argmax(dim=1)).float().mean()
        found.append(torch.stack([divergence.detach(), equal, value_loss.detach()]))
    return torch.stack(found).mean(dim=0)
