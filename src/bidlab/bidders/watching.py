"""Auctions explained by watching a bidder that has no rules: its calls so far, and all that it may call next.

What each call shows is its estimated meaning (`estimated.py`), less what was known before it. What may
follow is counted among deals that agree with what everybody has shown; of these, hands are kept with which
the bidder makes the calls that the player to call has made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np

from bidlab.bidders.chances import Bits, calls_made, likelihoods
from bidlab.bidders.estimated import Estimates
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import Seat
from bidlab.bridge.hands import Hand
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import (
    Continuation,
    Explained,
    Explanation,
    explained_meaning,
    typical_hand,
)
from bidlab.systems.gist import gist
from bidlab.systems.samples import COUNT, Sample

Progress = Callable[[int, int], object]  # how many calls are explained, of how many

_FEWEST = 100  # hands of the player to call; with fewer that agree, all of the sample are counted


def watched(
    estimates: Estimates,
    auction: Auction,
    *,
    deals: int = COUNT,
    seed: int = 1,
    before: Explanation | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """An auction explained by what a bidder does; `before` was found for its first calls."""
    calls, sample = (before.calls, before.sample) if before is not None else ((), Sample.start(deals, seed))
    found = list(calls)
    for place, (seat, call) in list(enumerate(auction.seats()))[len(found) :]:
        so_far = Auction(auction.dealer, auction.vulnerable, auction.calls[: place + 1])
        meaning = estimates.meaning(so_far)
        found.append(explained_meaning(seat, call, meaning, sample.hands(seat)))
        # Estimates leave some hands out; to deal from, they are taken at their word.
        sample = sample.after(seat, None if meaning is None else Meaning(meaning.condition))
    following: tuple[Continuation, ...] = ()
    if not auction.is_ended:
        following = _continuations(estimates, auction, sample, progress)
    return Explanation(auction, tuple(found), tuple(_shown(auction, found, seed)), (), following, sample)


def _shown(auction: Auction, calls: Sequence[Explained], seed: int) -> list[tuple[Seat, str]]:
    """What each player has shown so far, which is the meaning of his last call; partner first."""
    anybody = Sample.start(seed=seed)
    turn = auction.dealer.plus(len(auction))
    found = []
    for seat in (turn.partner, turn, turn.plus(3), turn.plus(1)):
        said = [one.meaning for one in calls if one.seat == seat and one.meaning is not None]
        told = gist(said[-1], anybody.hands(seat)) if said else Meaning()
        if told.condition != ANYTHING:
            found.append((seat, told.short()))
    return found


def _continuations(
    estimates: Estimates, auction: Auction, sample: Sample, progress: Progress | None
) -> tuple[Continuation, ...]:
    """Every call that the player to call may make, the commonest first."""
    seat = auction.turn
    hands = _agreeing(estimates, auction, seat, sample)
    made = calls_made(estimates.bidder, auction, hands)
    counts = np.bincount(made, minlength=len(CALLS))
    calls = [call for call in auction.legal_calls() if counts[call] or _is_known(estimates, auction, call)]
    found = []
    for number, call in enumerate(sorted(calls, key=lambda call: (-counts[call], call))):
        share = int(counts[call]) / len(hands)
        error = sqrt(share * (1 - share) / len(hands))
        told = explained_meaning(seat, call, estimates.meaning(auction.after(call)), hands)
        found.append(
            Continuation(told, share, error, _example(estimates, auction, call, hands[made == call]))
        )
        if progress is not None:
            progress(number + 1, len(calls))
    return tuple(found)


def _agreeing(estimates: Estimates, auction: Auction, seat: Seat, sample: Sample) -> Bits:
    """The hands of the player to call with which the bidder makes the calls that he has made."""
    hands = sample.hands(seat)
    likely, _ = likelihoods(estimates.bidder, auction, seat, hands, as_made=True)
    kept = hands[likely > 0]
    return kept if len(kept) >= _FEWEST else hands


def _is_known(estimates: Estimates, auction: Auction, call: Call) -> bool:
    return estimates.known((*auction.calls, call)) is not None


def _example(estimates: Estimates, auction: Auction, call: Call, hands: Bits) -> Hand | None:
    """A typical hand for a call: of those that make it, else that of the book."""
    if len(hands):
        return typical_hand(hands)
    entry = estimates.book.entry((*auction.calls, call)) if estimates.book is not None else None
    return entry.example if entry is not None else None
