"""How well meanings disclose what a bidder shows: hands inside them, and what they tell of the true hand.

What is told is measured on fresh boards, in nats a call: how much likelier the true hand is by the meaning of
the call than at random, log((1 - o) / s) for a hand inside and log(o / (1 - s)) for one outside, where o is
the share that the meaning says is outside and s its share of all hands. The meaning of a call is all that its
maker has shown so far, so that his last call tells all that is known of him.

The most that anybody could know who watches the calls is what the bidder itself knows of them: the chance
that the true hand makes them all, against that of any hand. That is found for a few calls, drawn at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.chances import likelihoods
from bidlab.bidders.estimated import agreeing_hands, hand_share
from bidlab.bridge.calls import CALLS, Auction
from bidlab.dealing import deal_bits
from bidlab.meaning.meaning import Meaning
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidder import Bidder
from bidlab.table.bidding import BidTables, Boards, bid_tables

Floats = NDArray[np.float64]
Progress = Callable[[int], object]

_BATCH = 10_000
_LEAST_OUTSIDE = 1e-4  # reckoned with even where a meaning says that no hand is
_DECISIONS = 8_000  # asked for the bidder's own knowledge of one call
_FEWEST = 30.0  # hands that a sample must be worth for that


class Disclosing(Protocol):
    """Where meanings are looked up."""

    def known(self, calls: tuple[int, ...]) -> Meaning | None:
        """What the last of some calls shows; None where that is unknown."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error."""

    mean: float
    stderr: float

    @classmethod
    def of(cls, totals: Floats, counts: Floats) -> Mean:
        """The mean of all that was counted, board by board: calls of one board are not independent."""
        everything = counts.sum()
        if not everything:
            return cls(0.0, 0.0)
        mean = float(totals.sum() / everything)
        apart = totals - mean * counts
        return cls(mean, float(np.sqrt((apart**2).sum()) / everything))

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.stderr:.3f}"


@dataclass(frozen=True, slots=True)
class SequenceCover:
    """The hands of one call: how often it was made, and the share inside its meaning."""

    calls: tuple[int, ...]
    count: int
    inside: float
    meaning: Meaning

    @property
    def auction(self) -> str:
        """The calls from the dealer on."""
        return " ".join(str(CALLS[call]) for call in self.calls)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What meanings tell of some hands, and what the bidder itself knows of the same hands, in nats."""

    meanings: Mean
    bidder: Mean
    count: int
    left_out: int  # calls of the book for which too few hands were found to tell what the bidder knows

    @property
    def ratio(self) -> float:
        """The share of what could be known that the meanings tell."""
        return self.meanings.mean / self.bidder.mean if self.bidder.mean else 1.0


@dataclass(frozen=True, slots=True)
class Disclosure:
    """How well meanings disclose what a bidder shows, on fresh boards."""

    boards: int
    calls: int
    known: int  # calls of sequences that have a meaning
    inside: Mean  # share of the hands of known calls
    told: Mean  # nats a known call
    told_at_last: Mean  # nats a player, by the last of his calls that is known
    worst: tuple[SequenceCover, ...]  # common calls with the fewest hands inside, the commonest first
    a_call: Comparison | None = None
    at_last: Comparison | None = None


def disclosure(
    bidder: Bidder,
    meanings: Disclosing,
    boards: int = 50_000,
    seed: int = 2026,
    *,
    compared: int = 200,
    decisions: int = _DECISIONS,
    progress: Progress | None = None,
) -> Disclosure:
    """The report on boards 1, 2 .. of a seed, the bidder at all seats.

    For so many calls as `compared` says, one of a board, what the bidder itself knows is found too, each by
    that many decisions at most.
    """
    watch = _Watch(meanings)
    rng = np.random.default_rng(seed)
    drawn = np.sort(rng.choice(boards, size=min(boards, compared), replace=False))
    calls, last = [], []
    for first in range(0, boards, _BATCH):
        count = min(_BATCH, boards - first)
        dealt = Boards.numbered(deal_bits(count, seed, first + 1), first + 1)
        nobody = np.zeros(count, dtype=np.uint8)
        tables = bid_tables(dealt, [bidder], nobody, nobody)
        watch.add(tables)
        for table in (drawn[(drawn >= first) & (drawn < first + count)] - first).tolist():
            calls.append(_Asked.of(tables, table, int(rng.integers(1 << 30)), is_last=False))
            last.append(_Asked.of(tables, table, int(rng.integers(1 << 30)), is_last=True))
        if progress is not None:
            progress(count)
    return watch.report(*(_compared(bidder, meanings, asked, decisions, seed) for asked in (calls, last)))


# --- by the meanings ------------------------------------------------------------------------------------


class _Watch:
    """Counts hands inside and outside the meanings of their calls."""

    def __init__(self, meanings: Disclosing) -> None:
        self.meanings = meanings
        self.shares: dict[Meaning, float] = {}
        self.calls = 0
        self.inside: list[Floats] = []  # of each, an array [board, total and count]
        self.told: list[Floats] = []
        self.at_last: list[Floats] = []
        self.covers: dict[tuple[int, ...], list[int]] = {}  # count, inside

    def add(self, tables: BidTables) -> None:
        """Count the calls of some boards, place by place."""
        made, boards = tables.calls, tables.boards
        inside, told = np.zeros((len(made), 2)), np.zeros((len(made), 2))
        latest = np.full((len(made), 4), np.nan)  # what is told of each player by his last known call
        going = np.arange(len(made))
        group = np.zeros(len(made), dtype=np.int64)
        for place in range(made.shape[1]):
            still = made[going, place] != NO_CALL
            going, group = going[still], group[still]
            if not len(going):
                break
            self.calls += len(going)
            _, group = np.unique(group * 64 + made[going, place], return_inverse=True)
            order = np.argsort(group, kind="stable")
            for part in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
                rows = going[part]
                sequence = tuple(made[rows[0], : place + 1].tolist())
                meaning = self.meanings.known(sequence)
                if meaning is None:
                    continue
                seats = (boards.dealers[rows] + place) % 4
                fits = meaning.admits(boards.bits[rows, seats])
                worth = np.where(fits, *told_by(meaning, self._share(meaning)))
                inside[rows] += np.column_stack([fits, np.ones(len(rows))])
                told[rows] += np.column_stack([worth, np.ones(len(rows))])
                latest[rows, seats] = worth
                cover = self.covers.setdefault(sequence, [0, 0])
                cover[0] += len(rows)
                cover[1] += int(fits.sum())
        has = ~np.isnan(latest)
        self.inside.append(inside)
        self.told.append(told)
        self.at_last.append(np.column_stack([np.nansum(latest, axis=1), has.sum(axis=1)]))

    def _share(self, meaning: Meaning) -> float:
        if meaning not in self.shares:
            self.shares[meaning] = hand_share(meaning)
        return self.shares[meaning]

    def report(self, a_call: Comparison | None, at_last: Comparison | None) -> Disclosure:
        """All that was counted."""
        inside, told, last = (np.concatenate(part) for part in (self.inside, self.told, self.at_last))
        return Disclosure(
            len(inside),
            self.calls,
            int(inside[:, 1].sum()),
            Mean.of(inside[:, 0], inside[:, 1]),
            Mean.of(told[:, 0], told[:, 1]),
            Mean.of(last[:, 0], last[:, 1]),
            self._worst(),
            a_call,
            at_last,
        )

    def _worst(self, most: int = 15, fewest: int = 100, cover: float = 0.95) -> tuple[SequenceCover, ...]:
        found = []
        for calls, (count, inside) in self.covers.items():
            meaning = self.meanings.known(calls)
            if count >= fewest and inside < cover * count and meaning is not None:
                found.append(SequenceCover(calls, count, inside / count, meaning))
        worst = sorted(found, key=lambda one: one.inside)[:most]
        return tuple(sorted(worst, key=lambda one: -one.count))


def told_by(meaning: Meaning, share: float) -> tuple[float, float]:
    """What a meaning tells of a hand inside and of one outside, in nats over knowing nothing."""
    if share >= 1:
        return 0.0, 0.0
    outside = max(meaning.outside, _LEAST_OUTSIDE)
    return log((1 - outside) / share), log(outside / (1 - share))


# --- by the bidder's own chances ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call of a board, and the hand that made it."""

    auction: Auction  # up to the call
    hand: int

    @classmethod
    def of(cls, tables: BidTables, table: int, draw: int, is_last: bool) -> _Asked:
        """One call of a table, or the last one of one of its players, as a large number draws it."""
        auction = tables.auction(table)
        count = len(auction)
        place = count - 1 - draw % min(4, count) if is_last else draw % count
        seat = (int(auction.dealer) + place) % 4
        so_far = Auction(auction.dealer, auction.vulnerable, auction.calls[: place + 1])
        return cls(so_far, int(tables.boards.bits[table, seat]))


def _compared(
    bidder: Bidder, meanings: Disclosing, asked: Sequence[_Asked], decisions: int, seed: int
) -> Comparison | None:
    """What the meanings tell of some hands, and what the bidder's chances do; None: nothing to compare."""
    said, known, left_out = [], [], 0
    for one in asked:
        meaning = meanings.known(one.auction.calls)
        if meaning is None:
            continue
        own = known_to_bidder(bidder, one.auction, one.hand, meaning, decisions, seed)
        if own is None:
            left_out += 1
            continue
        hand = np.array([one.hand], dtype=np.uint64)
        inside, outside = told_by(meaning, hand_share(meaning))
        said.append(inside if meaning.admits(hand)[0] else outside)
        known.append(own)
    if not said:
        return None
    return Comparison(_simple_mean(said), _simple_mean(known), len(said), left_out)


def known_to_bidder(
    bidder: Bidder, auction: Auction, hand: int, guess: Meaning, decisions: int, seed: int
) -> float | None:
    """How much likelier, in nats, a hand makes its player's calls than any hand; None where too few do."""
    found = agreeing_hands(bidder, auction, guess, decisions, seed, as_made=False)
    seat = auction.dealer.plus(len(auction) - 1)
    own = likelihoods(bidder, auction, seat, np.array([hand], dtype=np.uint64))[0][0]
    if found is None or found.worth < _FEWEST or own <= 0:
        return None
    return log(own) - log(found.share)


def _simple_mean(values: Sequence[float]) -> Mean:
    array = np.array(values)
    return Mean(float(array.mean()), float(array.std(ddof=1) / sqrt(len(array))) if len(array) > 1 else 0.0)
