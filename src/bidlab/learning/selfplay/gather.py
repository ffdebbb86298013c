"""What hands make which calls: a network bids millions of deals, and hands behind common calls are kept.

Two rounds of boards: the first counts how often auctions begin how, the second keeps hands for each beginning
that is common enough. A file of what was gathered has, for each beginning (a sequence of calls):

    calls   uint8 [sequence, call], 255 after its end
    count   int64 [sequence], boards of the second round that began so
    hands   uint8 [sequence, hand, 7], hands of the player who made its last call: 52 bits, lowest byte first;
            the first of them that came up, and zeros where fewer did
    boards  how many boards the second round had

All vulnerabilities are taken together.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from bidlab.learning.selfplay.deals import Deals, random_deals
from bidlab.learning.selfplay.game import Auctions
from bidlab.learning.selfplay.net import BiddingNet, log_policy, playing_copy

MOST_CALLS = 40
_NO_CALL = 255
_BYTES = 7  # of a hand
_MULTIPLIER = 0x2545F4914F6CDD1D  # any odd number with scattered bits


@dataclass(frozen=True)
class _Bid:
    """Boards that were bid: their calls, and a row for each call with what led to it."""

    calls: Tensor  # uint8 [board, call]
    board: Tensor  # long [row]
    length: Tensor  # long [row], calls up to and with this one
    sequence: Tensor  # long [row], a hash of those calls
    hand: Tensor  # long [row], 52 bits


def gather(net: BiddingNet, boards: int, path: Path, *, seed: int = 1, least: float = 1e-5, hands: int = 250,
           chunk: int = 262_144, parts: int = 1) -> int:  # fmt: skip
    """How many sequences were gathered; written to `path`, or in parts to path.1.npz, path.2.npz ..

    A sequence is common enough if the first round, a quarter as long as the second, saw it in `least` of its
    boards less a fifth: which of the rare ones are taken should not hang on luck.
    """
    device = next(net.parameters()).device
    player = playing_copy(net)
    generator = torch.Generator(device).manual_seed(seed)
    counted = -(-boards // 4 // chunk)
    rounds = -(-boards // chunk)
    seen = torch.cat([_bid(player, random_deals(chunk, generator, device)).sequence for _ in range(counted)])
    names, counts = seen.unique(return_counts=True)
    kept = names[counts >= max(2.0, 0.8 * least * counted * chunk)]
    gathered = _Gathered(kept, hands, device)
    for _ in range(rounds):
        gathered.take(_bid(player, random_deals(chunk, generator, device)))
    gathered.write(path, rounds * chunk, parts)
    return len(kept)


@torch.no_grad()
def _bid(net: BiddingNet, deals: Deals) -> _Bid:
    """The boards bid to the end, everybody by the likeliest call."""
    auctions = Auctions(deals)
    count, device = len(deals), deals.hands.device
    calls = torch.full((count, MOST_CALLS), _NO_CALL, dtype=torch.uint8, device=device)
    hashes = torch.zeros(count, dtype=torch.long, device=device)
    bits = torch.ones(52, dtype=torch.long, device=device) << torch.arange(52, device=device)
    rows: list[tuple[Tensor, Tensor, Tensor, Tensor]] = []
    while len(auctions) and auctions.place < MOST_CALLS:
        table, place = auctions.table, auctions.place
        made = log_policy(net(auctions.observation())[0], auctions.legal()).argmax(dim=1)
        calls[table, place] = made.to(torch.uint8)
        hashes[table] = (hashes[table] + made + 1) * _MULTIPLIER
        hashes[table] ^= hashes[table] >> 29
        held = (deals.hands[table, place % 4] * bits).sum(dim=1)
        rows.append((table, torch.full_like(table, place + 1), hashes[table], held))
        auctions.make(made)
    return _Bid(calls, *(torch.cat(column) for column in zip(*rows)))


class _Gathered:
    """Sequences by hash, with hands as they come in."""

    def __init__(self, names: Tensor, hands: int, device: torch.device) -> None:
        self.names = names  # in order
        self.room = hands
        self.count = torch.zeros(len(names), dtype=torch.long, device=device)
        self.calls = torch.full((len(names), MOST_CALLS), _NO_CALL, dtype=torch.uint8, device=device)
        self.hands = torch.zeros((len(names), hands), dtype=torch.long, device=device)

    def take(self, bid: _Bid) -> None:
        """Take in the hands of the sequences that are wanted."""
        at = torch.searchsorted(self.names, bid.sequence).clamp(max=len(self.names) - 1)
        rows = (self.names[at] == bid.sequence).nonzero().flatten()
        at, order = at[rows].sort(stable=True)
        rows = rows[order]
        length = bid.length[rows]
        columns = torch.arange(MOST_CALLS, device=rows.device)
        inside = columns < length[:, None]
        self.calls[at] = torch.where(inside, bid.calls[bid.board[rows]], _NO_CALL)
        # The how-manieth of its sequence each row is, counted from those that came before.
        came = torch.bincount(at, minlength=len(self.names))
        first = came.cumsum(0) - came
        slot = self.count[at] + torch.arange(len(at), device=at.device) - first[at]
        fits = slot < self.room
        self.hands[at[fits], slot[fits]] = bid.hand[rows[fits]]
        self.count += came

    def write(self, path: Path, boards: int, parts: int) -> None:
        """Write all of it, in parts of about equal size."""
        for number, rows in enumerate(np.array_split(np.arange(len(self.names)), parts), 1):
            own = path if parts == 1 else path.with_suffix(f".{number}.npz")
            hands = self.hands[rows].cpu().numpy().view(np.uint8).reshape(len(rows), self.room, 8)
            np.savez(
                own,
                calls=self.calls[rows].cpu().numpy(),
                count=self.count[rows].cpu().numpy(),
                hands=hands[:, :, :_BYTES],
                boards=np.array(boards),
            )
