"""Imitation: the network learns to call as the players of recorded auctions did."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from bidlab.learning.selfplay.deals import owners
from bidlab.learning.selfplay.game import PASS, Recorded, possible
from bidlab.learning.selfplay.net import BiddingNet, Shape, log_policy, playing_copy, save_weights
from bidlab.learning.selfplay.runs import Budget, Run, synchronize, versions

_SAVED_EVERY = 60.0  # seconds, at least, between two checkpoints


@dataclass(frozen=True)
class ImitationSettings:
    """What an imitation is made with."""

    seed: int = 1
    batch: int = 16384
    rate: float = 1e-3
    decay: float = 0.01
    width: int = 1024
    depth: int = 4
    residual: bool = False
    validate_every: int = 1000  # steps
    held_out: float = 0.02  # share of the deals


def read_auctions(path: Path, share: float, device: torch.device) -> tuple[Recorded, Recorded, int]:
    """Auctions to learn from, those of the deals that are kept apart, and how many impossible were skipped.

    Which deals are kept apart depends on their cards alone: a deal that was bid at many tables, or is in
    another file too, falls on the same side everywhere.
    """
    with np.load(path) as arrays:
        pack, dealer, vulnerable, calls = (arrays[key] for key in ("pack", "dealer", "vul", "calls"))
    if calls.ndim != 2 or not len(calls):
        raise ValueError(f"{path}: no auctions")
    whole = np.concatenate(
        [possible(torch.from_numpy(part).to(device)).cpu().numpy() for part in np.array_split(calls, 16)]
    )
    apart = deal_shares(pack) < share
    learned, kept = (
        _recorded(pack[rows], dealer[rows], vulnerable[rows], calls[rows], device)
        for rows in (whole & ~apart, whole & apart)
    )
    return learned, kept, int((~whole).sum())


def deal_shares(pack: np.ndarray) -> np.ndarray:
    """A number from 0 to 1 for each deal, scattered by its cards."""
    number = np.zeros(len(pack), dtype=np.uint64)
    for column in pack.T:
        number = (number ^ column) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(29)
    return (number >> np.uint64(11)) / 2.0**53


def _recorded(
    pack: np.ndarray, dealer: np.ndarray, vulnerable: np.ndarray, calls: np.ndarray, device: torch.device
) -> Recorded:
    places = (owners(pack) - dealer[:, None]) & 3  # bytes wrap round, and 256 is a multiple of 4
    sides = np.where((dealer % 2 == 1)[:, None], vulnerable[:, ::-1], vulnerable)
    length = (calls != 255).sum(axis=1)
    return Recorded(
        torch.from_numpy(places).to(device),
        torch.from_numpy(sides.astype(np.uint8)).to(device),
        torch.from_numpy(calls).to(device),
        torch.from_numpy(length.astype(np.int64)).to(device),
    )


def imitate(auctions: Path, run_folder: Path, budget: Budget, settings: ImitationSettings,
            device: torch.device, *, quiet: bool = False) -> BiddingNet:  # fmt: skip
    """The imitation that did best on the auctions kept apart; the folder has it as weights.npz."""
    config = {"command": "imitate", "auctions": auctions.name, **asdict(settings), **asdict(budget)}
    run = Run(run_folder, {**config, "versions": versions(device)}, quiet=quiet)
    return _Imitation(
        run, budget, settings, device, read_auctions(auctions, settings.held_out, device)
    ).train()


class _Imitation:
    """One training, with what its steps share."""

    def __init__(self, run: Run, budget: Budget, settings: ImitationSettings, device: torch.device,
                 auctions: tuple[Recorded, Recorded, int]) -> None:  # fmt: skip
        self.run, self.budget, self.settings, self.device = run, budget, settings, device
        self.learned, self.apart, skipped = auctions
        torch.manual_seed(settings.seed)
        self.generator = torch.Generator(device).manual_seed(settings.seed)
        shape = Shape(settings.width, settings.depth, settings.residual)
        self.net = BiddingNet(shape).to(device)
        self.optimizer = torch.optim.AdamW(
            self.net.parameters(), settings.rate, weight_decay=settings.decay, fused=device.type == "cuda"
        )
        self.step, self.best = 0, float("inf")
        self.losses: list[Tensor] = []  # since the last validation
        self.saved = 0.0
        if not len(self.learned) or not len(self.apart):
            raise ValueError(
                f"{len(self.learned):,} auctions to learn from and {len(self.apart):,} kept apart: some of "
                f"both are wanted; more auctions, or another share (held_out={settings.held_out} now)"
            )
        run.say(
            f"{len(self.learned):,} auctions to learn from, {len(self.apart):,} kept apart, "
            f"{skipped:,} impossible ones skipped, on {device}"
        )

    def train(self) -> BiddingNet:
        if self.run.resumes:
            self._resume()
        noted, since = self.run.elapsed, self.step
        while self._share() < 1:
            self.losses.append(self._learn())
            self.step += 1
            ends = self._share() >= 1 and not self.budget.is_stopped
            if self.step % self.settings.validate_every == 0 or ends:
                synchronize(self.device)
                rate = (self.step - since) * self.settings.batch / max(self.run.elapsed - noted, 1e-9)
                self._validate(float(torch.stack(self.losses).mean()), rate)
                self.losses, noted, since = [], self.run.elapsed, self.step
                if self.run.elapsed - self.saved > _SAVED_EVERY:
                    self._save()
        self._save()
        return self.net

    def _resume(self) -> None:
        facts: dict[str, Any] = self.run.restore({"net": self.net}, {"adam": self.optimizer}, self.generator)
        self.step, self.best = int(facts["step"]), float(facts["best"])
        self.losses = [torch.tensor(loss, device=self.device) for loss in facts.get("losses", [])]
        self.saved = self.run.elapsed

    def _save(self) -> None:
        losses = torch.stack(self.losses).tolist() if self.losses else []
        self.run.save({"net": self.net}, {"adam": self.optimizer}, self.generator,
                      step=self.step, best=self.best, losses=losses)  # fmt: skip
        self.saved = self.run.elapsed

    def _share(self) -> float:
        return self.budget.share(self.step, self.run.elapsed)

    def _learn(self) -> Tensor:
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.rate * (1 - self._share())
        which = torch.randint(
            len(self.learned), (self.settings.batch,), generator=self.generator, device=self.device
        )
        chance = torch.rand(self.settings.batch, generator=self.generator, device=self.device)
        place = (chance * self.learned.length[which]).long()
        observed, legal, call = self.learned.decisions(which, place)
        loss = functional.nll_loss(log_policy(self.net(observed)[0], legal), call)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def _validate(self, loss: float, rate: float) -> None:
        found = agreement(playing_copy(self.net), self.apart)
        self.run.note(step=self.step, loss=loss, **found, decisions_a_second=rate)
        facts = {"stage": "imitation", "step": self.step, **found}
        save_weights(self.net, self.run.folder / "last.npz", **facts)
        if found["held_out_loss"] < self.best:
            self.best = found["held_out_loss"]
            save_weights(self.net, self.run.folder / "weights.npz", **facts)


@torch.no_grad()
def agreement(net: BiddingNet, auctions: Recorded, chunk: int = 65536) -> dict[str, float]:
    """How a network calls as recorded players did: cross-entropy, share of equal calls, and without passes.

    One decision of each auction counts, the same ones every time.
    """
    device = auctions.hands.device
    generator = torch.Generator(device).manual_seed(20)
    sums = torch.zeros(4, device=device)
    for start in range(0, len(auctions), chunk):
        which = torch.arange(start, min(start + chunk, len(auctions)), device=device)
        chance = torch.rand(len(which), generator=generator, device=device)
        observed, legal, call = auctions.decisions(which, (chance * auctions.length[which]).long())
        logs = log_policy(net(observed)[0], legal)
        right, bids = logs.argmax(dim=1) == call, call != PASS
        loss = functional.nll_loss(logs, call, reduction="sum")
        sums += torch.stack([loss, right.sum(), (right & bids).sum(), bids.sum()])
    loss, right, right_bids, bids = sums.tolist()
    return {
        "held_out_loss": loss / len(auctions),
        "held_out_equal": right / len(auctions),
        "held_out_equal_but_passes": right_bids / max(bids, 1),
    }
