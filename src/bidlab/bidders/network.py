"""The network: calls by a trained network, computed in whole numbers, without torch."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Network
from bidlab.bidders.estimated import Estimates
from bidlab.bidders.kinds import Asked
from bidlab.bidders.meaningbook import BOOK_SUFFIX, MeaningBook
from bidlab.bidders.network_file import CALL_COUNT, network_path, read_weights, stamp
from bidlab.bidders.network_numbers import UnfitScaleError, rounded
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import FormatError
from bidlab.meaning.meaning import Meaning
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Candidate, Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import Calls, ViewBatch

IMPS_A_UNIT = 8  # of reward in training: IMPs from par
_SHOWN = 0.01  # chances from which on a call is a candidate
_NEVER = np.iinfo(np.int64).min  # below every logit

Logits = NDArray[np.int64]


class Meanings(Protocol):
    """What the calls of a network mean, found by watching it."""

    def known(self, calls: tuple[int, ...]) -> Meaning | None:
        """What the last of some calls from the dealer on says, if that is known beforehand; quick."""

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says; it may take time to find out."""


class Evaluator:
    """A network ready to bid: whole numbers, and what they are multiples of."""

    def __init__(self, path: Path, *, plain: bool = False) -> None:
        try:
            numbers = rounded(read_weights(path))
        except UnfitScaleError as error:
            raise FormatError(f"{path}: {error}") from None
        self.network: Network = numbers.native(plain=plain)
        self.logit_scale, self.value_scale = numbers.logit_scale, numbers.value_scale

    def outputs(self, views: ViewBatch, threads: int = 1) -> Logits:
        """Array [view, 39]: logits of the calls, multiples of 2 ** -logit_scale, and the value."""
        return self.network.evaluate(
            np.ascontiguousarray(views.hands),
            np.ascontiguousarray(views.calls),
            np.ascontiguousarray(views.dealers),
            np.ascontiguousarray(views.vulnerable),
            threads,
        )


@lru_cache(maxsize=8)
def _evaluator(path: Path, written: tuple[int, int]) -> Evaluator:
    return Evaluator(path)


def shared_evaluator(path: Path) -> Evaluator:
    """The network of a file, one for all bidders of a process until the file is written anew."""
    return _evaluator(path.resolve(), stamp(path))


class NetworkBidder(Bidder):
    """Makes the call that its network finds likeliest; of equally likely ones that of the lowest number."""

    def __init__(
        self, evaluator: Evaluator, name: str, meanings: Meanings | None = None, threads: int = 1
    ) -> None:
        self.evaluator = evaluator
        self.name = name
        self.meanings = meanings
        self.threads = threads

    def decide(self, view: SeatView) -> Decision:
        """The likeliest call, with its chance and those of the others from 1% on."""
        views = ViewBatch.of([view])
        logits = self._logits(views)
        chances = self._chances(logits)[0]
        order = sorted(view.legal_calls, key=lambda call: (-logits[0, call], call))
        call = order[0]
        shown = [call, *(other for other in order[1:] if chances[other] >= _SHOWN)]
        candidates = tuple(Candidate(one, float(chances[one]), _percent(chances[one])) for one in shown)
        return Decision(call, self._meaning(view, call), (_reason(candidates),), candidates)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The likeliest calls of a batch."""
        calls = self.likeliest(views)
        return Decisions(calls, self._known(views.calls, calls))

    def likeliest(self, views: ViewBatch) -> Calls:
        """The same without a word of what they mean."""
        calls: Calls = self._logits(views).argmax(axis=1).astype(np.uint8)
        return calls

    def chances(self, views: ViewBatch) -> NDArray[np.float32]:
        """Array [view, call]: how likely the network makes each call; 0 for illegal ones."""
        return self._chances(self._logits(views)).astype(np.float32)

    def values(self, views: ViewBatch) -> NDArray[np.float64]:
        """What the network expects of each auction: IMPs from par, from the side of the player to call."""
        found = self.evaluator.outputs(views, self.threads)[:, CALL_COUNT]
        values: NDArray[np.float64] = np.ldexp(found.astype(np.float64), -self.evaluator.value_scale)
        return values * IMPS_A_UNIT

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says, where meanings were found."""
        return self.meanings.meaning(auction) if self.meanings is not None and auction.calls else None

    def _logits(self, views: ViewBatch) -> Logits:
        """Logits [view, call], the least possible for illegal calls."""
        logits = self.evaluator.outputs(views, self.threads)[:, :CALL_COUNT]
        masked: Logits = np.where(views.legal, logits, _NEVER)
        return masked

    def _chances(self, logits: Logits) -> NDArray[np.float64]:
        is_legal = logits != _NEVER
        below = np.where(is_legal, logits - logits.max(axis=1, initial=_NEVER, keepdims=True), 0)
        weights = np.exp(np.ldexp(below.astype(np.float64), -self.evaluator.logit_scale)) * is_legal
        chances: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def _meaning(self, view: SeatView, call: Call) -> Meaning | None:
        if self.meanings is None:
            return None
        return self.meanings.known((*map(int, view.auction.calls), int(call)))

    def _known(self, before: Calls, calls: Calls) -> list[Meaning | None] | None:
        """The meanings of some calls after those before, each auction looked up once."""
        if self.meanings is None:
            return None
        auctions, which = np.unique(np.column_stack([before, calls]), axis=0, return_inverse=True)
        meanings = [self.meanings.known(tuple(row)) for row in auctions.tolist()]
        if not any(meaning is not None for meaning in meanings):
            return None
        return [meanings[i] for i in which.reshape(-1).tolist()]


def _percent(chance: float) -> str:
    return "over 99%" if chance > 0.995 else f"{100 * chance:.0f}%"


def _reason(candidates: tuple[Candidate, ...]) -> str:
    """Why the first candidate was chosen, in plain words."""
    first = f"the network's likeliest call, {candidates[0].note}"
    if len(candidates) == 1:
        return first
    return f"{first}; next {candidates[1].call.symbol}, {candidates[1].note}"


@lru_cache(maxsize=8)
def _book(path: Path, written: tuple[int, int]) -> MeaningBook:
    return MeaningBook.read(path)


def shared_meanings(path: Path) -> MeaningBook | None:
    """The book of meanings beside a network's file, one for all bidders of a process; None: there is none."""
    beside = path.with_suffix(BOOK_SUFFIX).resolve()
    return _book(beside, stamp(beside)) if beside.exists() else None


def network(asked: Asked) -> NetworkBidder:
    """The bidder of a network, by its name or file."""
    assert asked.argument is not None
    path = network_path(asked.argument)
    made = NetworkBidder(shared_evaluator(path), asked.text)
    made.meanings = Estimates(made, shared_meanings(path))
    return made
