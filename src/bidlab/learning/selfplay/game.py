"""Auctions of many tables in step, on the device: what players see, what they may call, how it ends.

An observation is 480 bits, all from the view of the player to call (relative places: himself 0, left-hand
opponent 1, partner 2, right-hand opponent 3):

    0-3      we are not vulnerable, we are; they are not, they are
    4-7      who passed before the opening, by relative place
    8-427    for each bid 1C .. 7NT: who made it, who doubled it, who redoubled it (3 x 4)
    428-479  the player's own cards
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bidlab.learning.selfplay.deals import Deals
from bidlab.learning.selfplay.scoring import BIDS, contract_points, imps

PASS, DOUBLE, REDOUBLE, FIRST_BID, CALLS = 0, 1, 2, 3, 38
OBSERVED = 480
_HISTORY = 4 + 12 * BIDS  # bits of the auction in an observation
_NOWHERE = _HISTORY  # where a pass that says nothing new is written; the four bits there are never shown


@dataclass(frozen=True)
class Outcome:
    """How each auction ended. `bid` is -1 where all passed."""

    bid: Tensor
    declarer: Tensor  # place
    doubled: Tensor

    def points(self, deals: Deals, *, perfect: bool = False) -> Tensor:
        """Points of the dealer's side; with `perfect` a contract that fails is doubled."""
        return contract_points(
            self.bid, self.declarer, self.doubled, deals.tricks, deals.vulnerable, perfect=perfect
        )

    def against_par(self, deals: Deals, *, perfect: bool = False) -> Tensor:
        """IMPs between the score and par, from the dealer's side."""
        return imps(self.points(deals, perfect=perfect) - deals.par)


class Auctions:
    """Auctions that all have `place` calls so far; only those that go on are kept, in `table`."""

    def __init__(self, deals: Deals) -> None:
        count, device = len(deals), deals.hands.device
        self.deals = deals
        self.place = 0
        self.table = torch.arange(count, device=device)
        self._history = torch.zeros((count, _HISTORY + 4), dtype=torch.uint8, device=device)
        self._last = torch.full((count,), -1, dtype=torch.long, device=device)
        self._bidder = torch.zeros_like(self._last)  # place 0-3 of the last bid
        self._doubled = torch.zeros_like(self._last)
        self._passes = torch.zeros_like(self._last)
        # Place 0-3 of the player who named a strain first, by side and strain; -1: nobody.
        self._named = torch.full((count, 10), -1, dtype=torch.long, device=device)
        self._vulnerable = self._vulnerability_bits(deals.vulnerable)
        self.outcome = Outcome(torch.full_like(self._last, -1), self._bidder.clone(), self._doubled.clone())

    def __len__(self) -> int:
        return len(self.table)

    @staticmethod
    def _vulnerability_bits(vulnerable: Tensor) -> Tensor:
        """Bits 0-3 of observations [table, side to call, bit]."""
        own = torch.stack([1 - vulnerable, vulnerable], dim=2)  # [table, side, bit]
        return torch.cat([own, own.flip(1)], dim=2)

    def observation(self) -> Tensor:
        """uint8 [auction, 480] as the players to call see it."""
        seat = self.place % 4
        history = self._history.view(len(self), -1, 4).roll(-seat, dims=2).view(len(self), -1)
        vulnerable = self._vulnerable[self.table, seat % 2]
        return torch.cat([vulnerable, history[:, :_HISTORY], self.deals.hands[self.table, seat]], dim=1)

    def legal(self) -> Tensor:
        """bool [auction, call]: what the players to call may choose."""
        return legal_calls(self._last, self._doubled, (self.place - self._bidder) % 2 == 1)

    def make(self, calls: Tensor) -> None:
        """Add a legal call to each auction, and drop the auctions that have ended."""
        self._note(calls)
        self.place += 1
        ended = (self._passes >= 3) & ((self._last >= 0) | (self._passes >= 4))
        self._record()
        going = (~ended).nonzero().flatten()
        if len(going) < len(self):
            self._keep(going)

    def _note(self, calls: Tensor) -> None:
        seat = self.place % 4
        bids = calls >= FIRST_BID
        self._last = torch.where(bids, calls - FIRST_BID, self._last)
        self._bidder = torch.where(bids, seat, self._bidder)
        raised = torch.where(calls == PASS, self._doubled, calls)  # a double is 1 and a redouble 2
        self._doubled = torch.where(bids, 0, raised)
        self._passes = torch.where(calls == PASS, self._passes + 1, 0)
        self._history.scatter_(1, history_bit(calls, self._last, seat)[:, None], 1)
        slot = (seat % 2 * 5 + self._last.clamp(min=0) % 5)[:, None]
        named = self._named.gather(1, slot)
        self._named.scatter_(1, slot, torch.where(bids[:, None] & (named < 0), seat, named))

    def _record(self) -> None:
        """Write the contract as it stands; the one that stands when an auction ends remains."""
        slot = (self._bidder % 2 * 5 + self._last.clamp(min=0) % 5)[:, None]
        self.outcome.bid[self.table] = self._last
        self.outcome.declarer[self.table] = self._named.gather(1, slot).flatten().clamp(min=0)
        self.outcome.doubled[self.table] = self._doubled

    def _keep(self, rows: Tensor) -> None:
        for name in ("table", "_history", "_last", "_bidder", "_doubled", "_passes", "_named"):
            setattr(self, name, getattr(self, name)[rows])


def legal_calls(last: Tensor, doubled: Tensor, theirs: Tensor) -> Tensor:
    """bool [auction, call], from the last bid (-1: none), its doubling and whether it is the opponents'."""
    legal = torch.arange(-FIRST_BID, BIDS, device=last.device) > last[:, None]
    legal[:, PASS] = True
    legal[:, DOUBLE] = (last >= 0) & (doubled == 0) & theirs
    legal[:, REDOUBLE] = (doubled == 1) & ~theirs
    return legal


def history_bit(calls: Tensor, last: Tensor, place: Tensor | int) -> Tensor:
    """Where a call is written in the history; `last` is the last bid, this call included, or -1."""
    kind = torch.where(calls >= FIRST_BID, 0, calls)
    bit = 4 + last * 12 + kind * 4 + place
    passed = torch.where(last < 0, place, _NOWHERE)
    return torch.where(calls == PASS, passed, bit)


@dataclass(frozen=True)
class Recorded:
    """Recorded auctions on the device, for imitation."""

    hands: Tensor  # uint8 [auction, 52], the places 0-3 (relative to the dealer) that hold the cards
    vulnerable: Tensor  # uint8 [auction, side]
    calls: Tensor  # uint8 [auction, 40], 255 after the end
    length: Tensor  # long [auction]

    def __len__(self) -> int:
        return len(self.hands)

    def decisions(self, which: Tensor, place: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Observation, legal calls and the call made, of call number `place` of each of some auctions."""
        calls = self.calls[which].long()
        columns = torch.arange(calls.shape[1], device=calls.device)
        before = columns < place[:, None]
        made = torch.where(before, calls, PASS)
        last = torch.where(made >= FIRST_BID, made - FIRST_BID, -1).cummax(dim=1).values
        bits = torch.where(before, history_bit(made, last, (columns - place[:, None]) % 4), _NOWHERE)
        history = torch.zeros((len(which), _HISTORY + 4), dtype=torch.uint8, device=calls.device)
        history.scatter_(1, bits, 1)
        vulnerable = self.vulnerable[which]
        turned = torch.where((place % 2 == 1)[:, None], vulnerable.flip(1), vulnerable)
        own = torch.stack([1 - turned, turned], dim=2).flatten(1)
        hand = (self.hands[which] == (place % 4)[:, None]).to(torch.uint8)
        observed = torch.cat([own, history[:, :_HISTORY], hand], dim=1)
        return observed, self._legal(made, before, last, place), calls.gather(1, place[:, None]).flatten()

    @staticmethod
    def _legal(made: Tensor, before: Tensor, last: Tensor, place: Tensor) -> Tensor:
        columns = torch.arange(made.shape[1], device=made.device)
        spoken = torch.where(before & (made != PASS), columns, -1).max(dim=1).values.clamp(min=0)
        bid_at = torch.where(before & (made >= FIRST_BID), columns, -1).max(dim=1).values
        final = made.gather(1, spoken[:, None]).flatten()
        doubled = torch.where(final <= REDOUBLE, final, 0)
        return legal_calls(last[:, -1], doubled, (place - bid_at) % 2 == 1)


def possible(calls: Tensor) -> Tensor:
    """bool [auction]: which rows of calls [auction, 40] (255 after the end) are whole, legal auctions."""
    made = torch.where(calls == 255, PASS, calls).long()
    on = calls != 255
    columns = torch.arange(calls.shape[1], device=calls.device)
    bid_before = _before(torch.where(made >= FIRST_BID, made, 0).cummax(dim=1).values, 0)
    spoken = _before(torch.where(made != PASS, columns, -1).cummax(dim=1).values, -1)
    spoken_call = torch.where(spoken >= 0, made.gather(1, spoken.clamp(min=0)), PASS)
    by_them = (columns - spoken) % 2 == 1
    legal = (made == PASS) | (made > bid_before) & (made >= FIRST_BID) & (made < CALLS)
    legal |= (made == DOUBLE) & (spoken_call >= FIRST_BID) & by_them
    legal |= (made == REDOUBLE) & (spoken_call == DOUBLE) & by_them
    # The auction is over before a call when three passes follow a bid, or four nothing.
    over = (columns - spoken > 3) & ((spoken >= 0) | (columns > 3))
    length = on.sum(dim=1)
    whole = (on == (columns < length[:, None])).all(dim=1) & (length > 3)
    final = columns == length[:, None] - 1
    ends = torch.where(bid_before.amax(dim=1, keepdim=True) > 0, columns - spoken == 3, columns == 3)
    ended = final & ends & (made == PASS)
    return whole & ((legal & ~over) | ~on).all(dim=1) & ended.any(dim=1)


def _before(running: Tensor, first: int) -> Tensor:
    """What ran up to the column before."""
    return torch.cat([torch.full_like(running[:, :1], first), running[:, :-1]], dim=1)
