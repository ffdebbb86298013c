"""Solved deals on the device: a pool that can grow while it is drawn from, and tables dealt from it.

A solved deal is 23 bytes, as in bidlab's libraries: 13 with two bits a card (holder N 0 .. W 3, card
13 * suit + rank, lowest bits first) and 10 with four bits a result (strains C D H S NT, within each N E S W).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from bidlab.learning.selfplay.scoring import par

RECORD = 23
_DEAL = 13


@dataclass(frozen=True)
class Deals:
    """Tables ready to bid, as their dealers see them."""

    hands: Tensor  # uint8 [table, place, card]: 1 where the player holds it
    tricks: Tensor  # uint8 [table, strain, place of declarer]
    vulnerable: Tensor  # uint8 [table, side]
    par: Tensor  # int32 [table], from the dealer's side

    def __len__(self) -> int:
        return len(self.hands)

    def part(self, start: int, stop: int) -> Deals:
        """The tables from `start` to before `stop`."""
        rows = slice(start, stop)
        return Deals(self.hands[rows], self.tricks[rows], self.vulnerable[rows], self.par[rows])

    def repeated(self, times: int) -> Deals:
        """All tables, then all of them again, as often as asked."""
        if times == 1:
            return self
        columns = (self.hands, self.tricks, self.vulnerable, self.par)
        return Deals(*(column.repeat(times, *(1,) * (column.dim() - 1)) for column in columns))


def read_records(path: Path) -> np.ndarray:
    """Array [deal, 23] of bytes, from an .npz with `pack` and `tables`, or from a plain file of records.

    A plain file may still be growing: what follows its last whole record is left alone.
    """
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return np.concatenate([arrays["pack"], arrays["tables"]], axis=1)
    raw = np.fromfile(path, dtype=np.uint8)
    return raw[: len(raw) // RECORD * RECORD].reshape(-1, RECORD)


def owners(packed: np.ndarray) -> np.ndarray:
    """Array [deal, 52] of the cards' holders, from 13 bytes a deal."""
    shifts = np.array([0, 2, 4, 6], dtype=np.uint8)
    return (packed[:, :, None] >> shifts & 3).reshape(-1, 52)


def _tricks(packed: np.ndarray) -> np.ndarray:
    return np.stack([packed & 15, packed >> 4], axis=2).reshape(-1, 5, 4)


class Pool:
    """Solved deals on a device; each draw takes them under random symmetries, which keep tables exact."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._owners = torch.empty((0, 52), dtype=torch.uint8, device=device)
        self._tricks = torch.empty((0, 5, 4), dtype=torch.uint8, device=device)
        orders = torch.tensor(list(permutations(range(4))), device=device)
        self._suit_sources = orders
        notrump = torch.full((24, 1), 4, device=device)
        self._strain_sources = torch.cat([orders, notrump], dim=1)

    def __len__(self) -> int:
        return len(self._owners)

    def add(self, records: np.ndarray) -> None:
        """Take in solved deals, an array [deal, 23] of bytes."""
        held = torch.from_numpy(owners(records[:, :_DEAL])).to(self.device)
        counts = torch.stack([(held == seat).sum(dim=1) for seat in range(4)])
        if not bool((counts == 13).all()):
            raise ValueError("a deal that does not give each seat 13 cards")
        self._owners = torch.cat([self._owners, held])
        tricks = torch.from_numpy(_tricks(records[:, _DEAL:])).to(self.device)
        self._tricks = torch.cat([self._tricks, tricks])

    def draw(self, count: int, generator: torch.Generator) -> Deals:
        """Tables with random deals, symmetries, dealers and vulnerabilities."""

        def random(limit: int, *shape: int) -> Tensor:
            return torch.randint(limit, shape, generator=generator, device=self.device)

        which, order = random(len(self), count), random(24, count)
        return self._dealt(which, random(4, count), order, random(2, count, 2).to(torch.uint8))

    def in_order(self, count: int | None = None) -> Deals:
        """The first deals as boards 1, 2 .., with the dealers and vulnerabilities of those numbers."""
        board = torch.arange(min(count or len(self), len(self)), device=self.device)
        dealer = board % 4
        named = (board + torch.div(board, 4, rounding_mode="floor")) % 4  # none, N-S, E-W, both
        sides = torch.stack([named & 1, named >> 1], dim=1)
        vulnerable = torch.where((dealer % 2 == 1)[:, None], sides.flip(1), sides).to(torch.uint8)
        return self._dealt(board, dealer, torch.zeros_like(board), vulnerable)

    def _dealt(self, which: Tensor, dealer: Tensor, order: Tensor, vulnerable: Tensor) -> Deals:
        held = self._owners[which].view(-1, 4, 13)
        moved = held.gather(1, self._suit_sources[order][:, :, None].expand(-1, -1, 13)).view(-1, 52)
        place = (moved.long() - dealer[:, None]) % 4
        hands = (place[:, None, :] == torch.arange(4, device=self.device)[:, None]).to(torch.uint8)
        seats = (torch.arange(4, device=self.device) + dealer[:, None]) % 4
        rows = which[:, None, None]
        tricks = self._tricks[rows, self._strain_sources[order][:, :, None], seats[:, None, :]]
        return Deals(hands, tricks, vulnerable, par(tricks, vulnerable))


def random_deals(count: int, generator: torch.Generator, device: torch.device) -> Deals:
    """Tables with deals that nobody has solved: to bid, not to score."""
    order = torch.rand((count, 52), generator=generator, device=device).argsort(dim=1)
    places = torch.arange(52, device=device).remainder(4).expand(count, 52)
    held = torch.empty_like(order).scatter_(1, order, places)
    hands = (held[:, None, :] == torch.arange(4, device=device)[:, None]).to(torch.uint8)
    vulnerable = torch.randint(2, (count, 2), generator=generator, device=device).to(torch.uint8)
    tricks = torch.zeros((count, 5, 4), dtype=torch.uint8, device=device)
    return Deals(hands, tricks, vulnerable, torch.zeros(count, dtype=torch.int32, device=device))


class Dealer:
    """Tables from a pool, some rounds dealt at once, since par is a long chain of small steps."""

    def __init__(self, pool: Pool, tables: int, generator: torch.Generator, rounds: int = 8) -> None:
        self.pool, self.tables, self.rounds = pool, tables, rounds
        self._generator = generator
        self._dealt: Deals | None = None
        self._used = 0
        self._before = generator.get_state()  # the generator's, before it dealt

    def deal(self) -> Deals:
        """The next round of tables."""
        if self._dealt is None or self._used == self.rounds:
            self._before = self._generator.get_state()
            self._dealt, self._used = self.pool.draw(self.tables * self.rounds, self._generator), 0
        start = self._used * self.tables
        self._used += 1
        return self._dealt.part(start, start + self.tables)

    def memory(self) -> tuple[str, int]:
        """All that is needed to deal on as if nothing had been: to be given to `recall`."""
        return self._before.numpy().tobytes().hex(), self._used if self._dealt is not None else 0

    def recall(self, before: str, used: int) -> None:
        """Deal again what had been dealt when `memory` was asked, if the pool is the same."""
        if not used:
            return
        now = self._generator.get_state()
        self._generator.set_state(torch.tensor(list(bytes.fromhex(before)), dtype=torch.uint8))
        self._used = self.rounds
        self.deal()
        self._used = used
        self._generator.set_state(now)


class Growing:
    """A file of records that a solver is still writing, read as far as it has come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.taken = 0

    def new_records(self) -> np.ndarray:
        """Array [deal, 23] of what was written since the last time."""
        if not self.path.exists():
            return np.empty((0, RECORD), dtype=np.uint8)
        raw = np.fromfile(self.path, dtype=np.uint8, offset=self.taken * RECORD)
        fresh = raw[: len(raw) // RECORD * RECORD].reshape(-1, RECORD)
        self.taken += len(fresh)
        return fresh
