"""Whole rounds of auctions: every table bid to the end, and the decisions kept for learning."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor

from bidlab.learning.selfplay.deals import Deals
from bidlab.learning.selfplay.game import Auctions, Outcome
from bidlab.learning.selfplay.net import BiddingNet, log_policy


@dataclass(frozen=True)
class Decisions:
    """Calls that were made, a row each."""

    observed: Tensor  # uint8 [row, 480]
    legal: Tensor  # bool [row, call]
    call: Tensor
    log_chance: Tensor  # of that call, as the player saw it
    value: Tensor  # as the player's network saw it
    table: Tensor
    place: Tensor  # 0-3, the caller's
    learns: Tensor  # bool: whether the learner made the call, not an opponent from the league

    def __len__(self) -> int:
        return len(self.call)

    def rows(self, which: Tensor) -> Decisions:
        """Some of the rows."""
        return Decisions(*(getattr(self, field.name)[which] for field in fields(self)))


@dataclass(frozen=True)
class Rival:
    """Another network at some of the tables: it calls for one side of each; side -1: of none."""

    net: BiddingNet
    side: Tensor  # long [table]


@torch.no_grad()
def play(
    deals: Deals,
    net: BiddingNet,
    generator: torch.Generator | None = None,
    rival: Rival | None = None,
    *,
    keep: bool = False,
) -> tuple[Outcome, Decisions | None]:
    """How all auctions end, and with `keep` the learner's decisions. Without a generator the likeliest call.

    Rows are dropped as auctions end, so that the device works on auctions that go on.
    """
    auctions = Auctions(deals)
    kept: list[Decisions] = []
    while len(auctions):
        observed, legal = auctions.observation(), auctions.legal()
        logits, value = net(observed)
        logs = log_policy(logits, legal)
        learns = torch.ones_like(auctions.table, dtype=torch.bool)
        if rival is not None:
            learns = rival.side[auctions.table] != auctions.place % 2
            rows = (~learns).nonzero().flatten()
            logs[rows] = log_policy(rival.net(observed[rows])[0], legal[rows])
        calls = _chosen(logs, generator)
        if keep:
            chance = logs.gather(1, calls[:, None]).flatten()
            place = torch.full_like(auctions.table, auctions.place % 4)
            kept.append(Decisions(observed, legal, calls, chance, value, auctions.table, place, learns))
        auctions.make(calls)
    return auctions.outcome, _joined(kept) if keep else None


def _chosen(logs: Tensor, generator: torch.Generator | None) -> Tensor:
    """A call of each row: drawn by its probability (the least of exponential clocks), or the likeliest."""
    if generator is None:
        return logs.argmax(dim=1)
    # A clock of exactly nought would let an illegal call win.
    clocks = torch.empty_like(logs).exponential_(generator=generator).clamp_(min=1e-20)
    return (logs - clocks.log()).argmax(dim=1)


def _joined(kept: list[Decisions]) -> Decisions:
    together = Decisions(
        *(torch.cat([getattr(part, field.name) for part in kept]) for field in fields(Decisions))
    )
    return together.rows(together.learns.nonzero().flatten())


def critic_inputs(deals: Deals, decisions: Decisions, observed: Tensor, tricks: Tensor) -> Tensor:
    """What the critic sees of some decisions: observation, the other hands, tricks and par.

    `tricks` is [table, place as viewer, 21], from `critic_tables`.
    """
    others = (decisions.place[:, None] + torch.arange(1, 4, device=observed.device)) % 4
    hands = deals.hands[decisions.table[:, None], others].flatten(1)
    facts = tricks[decisions.table, decisions.place]
    return torch.cat([observed.to(facts.dtype), hands.to(facts.dtype), facts], dim=1)


def critic_tables(deals: Deals, dtype: torch.dtype) -> Tensor:
    """[table, place as viewer, 21]: tricks by strain and relative place, then par, each about -1 to 1."""
    turned = [deals.tricks.roll(-place, dims=2).flatten(1) for place in range(4)]
    tricks = (torch.stack(turned, dim=1).to(torch.float32) - 6.5) / 6.5
    signs = torch.tensor([1, -1, 1, -1], device=tricks.device)
    par = (deals.par[:, None] * signs).to(torch.float32) / 1000
    return torch.cat([tricks, par[:, :, None]], dim=2).to(dtype)
