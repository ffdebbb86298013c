"""What the calls of a bidder show that cannot explain itself, estimated from what it does.

A book has the meanings of the auctions that come up often (`meaningbook.py`). Any other is estimated when it
is asked for: hands are drawn, the bidder makes its player's calls with them, and those with which it makes
all of them are described in a few words (`bidlab.meaning.fitting`). Calls that few hands make take several
rounds: the first hands found are described, and the next are drawn from that description more often than from
anywhere else, with weights that make up for it (population Monte Carlo: Cappé and others 2004; the weights
are those of a mixture of all that was drawn from: Veach and Guibas 1995). Of a call that is never made, a
bidder that knows how likely it finds each call (`chances.py`) still tells with which hands it comes nearest.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from bidlab.bidders.chances import Bits, Chancy, Floats, likelihoods
from bidlab.bidders.meaningbook import MeaningBook
from bidlab.bidders.robots import Robot
from bidlab.bridge.calls import Auction
from bidlab.dealing import Dealer, deal_bits
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.fitting import fitted
from bidlab.meaning.meaning import Meaning
from bidlab.table.bidder import Bidder

_ENOUGH, _FEWEST = 400.0, 12.0  # hands that a sample is to be worth, and must be worth to say anything
_DECISIONS, _OF_A_ROBOT = 40_000, 4_000  # asked for one meaning at most
_ROUNDS = 12
# Where the hands of a round come from: what was found so far, what was known before the call, anywhere.
_FOUND, _BEFORE, _ANYWHERE = 0.6, 0.25, 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Hands of a player that agree with his calls, and what each weighs."""

    bits: Bits
    weights: Floats  # together the share of all hands with which the calls are made

    @property
    def share(self) -> float:
        """The share of all hands with which the calls are made, or how likely they are with any hand."""
        return float(self.weights.sum())

    @property
    def worth(self) -> float:
        """How many hands of equal weight the sample is worth."""
        squares = float((self.weights**2).sum())
        return self.share**2 / squares if squares else 0.0


class Estimates:
    """Meanings of a bidder's calls: those of a book, others estimated once each and kept.

    The same seed gives the same estimates, whatever was asked for before.
    """

    def __init__(
        self, bidder: Bidder, book: MeaningBook | None = None, seed: int = 0, decisions: int | None = None
    ) -> None:
        self.bidder = bidder
        self.book = book
        self.seed = seed
        self.decisions = decisions or (_OF_A_ROBOT if isinstance(bidder, Robot) else _DECISIONS)
        self._estimated: dict[Auction, Meaning | None] = {}

    def known(self, calls: tuple[int, ...]) -> Meaning | None:
        """What the last of some calls shows by the book; None where it has no such auction."""
        return self.book.known(calls) if self.book is not None else None

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the maker of the last call of an auction has shown so far; None where nothing can be said.

        That is so before the first call, and for calls that the bidder seems never to make.
        """
        if not auction.calls:
            return None
        known = self.known(auction.calls)
        if known is not None:
            return known
        if auction not in self._estimated:
            self._estimated[auction] = self._estimate(auction)
        return self._estimated[auction]

    def _estimate(self, auction: Auction) -> Meaning | None:
        hands = self.hands(auction)
        if hands is None or hands.worth < _FEWEST:
            return None
        return fitted(hands.bits, hands.weights)

    def hands(self, auction: Auction) -> Hands | None:
        """Hands that the maker of the last call may hold, by all of his calls; None where none was found."""
        before = _before(auction)
        shown = self.meaning(before) if before is not None else None
        if before is not None and shown is None:
            return None
        found = agreeing_hands(self.bidder, auction, shown, self.decisions, self.seed)
        if isinstance(self.bidder, Chancy) and (found is None or found.worth < _FEWEST):
            found = agreeing_hands(self.bidder, auction, shown, self.decisions, self.seed, as_made=False)
        return found


def estimates_of(bidder: Bidder, seed: int = 0) -> Estimates:
    """The estimates that a bidder has of its own calls, or fresh ones."""
    own = getattr(bidder, "meanings", None)
    return own if isinstance(own, Estimates) else Estimates(bidder, seed=seed)


def agreeing_hands(
    bidder: Bidder,
    auction: Auction,
    guess: Meaning | None,
    decisions: int,
    seed: int,
    *,
    as_made: bool = True,
) -> Hands | None:
    """Hands that the maker of the last call of an auction may hold, by all of his calls; None: none found.

    A guess of what he has shown makes the search shorter. With `as_made` only calls count that the bidder
    makes, else every hand by how likely it is to make them.
    """
    return _Search(bidder, auction, guess, decisions, seed, as_made).hands()


def hand_share(meaning: Meaning, seed: int = 0) -> float:
    """The share of all hands with a meaning, exact where shape and points decide."""
    least, most = meaning.share
    return most if least == most else Dealer.of(N=Meaning(meaning.condition)).frequency(2000, seed).share


def _before(auction: Auction) -> Auction | None:
    """The auction up to the call that the last caller made before; None where there was none."""
    if len(auction) <= 4:
        return None
    return Auction(auction.dealer, auction.vulnerable, auction.calls[:-4])


class _Search:
    """Draws hands in rounds until enough agree with a player's calls, or too many were asked for."""

    def __init__(
        self,
        bidder: Bidder,
        auction: Auction,
        shown: Meaning | None,
        decisions: int,
        seed: int,
        as_made: bool,
    ) -> None:
        self.bidder, self.left, self.as_made = bidder, decisions, as_made
        self.auction = auction
        self.seat = auction.dealer.plus(len(auction) - 1)
        asked = f"{seed} {auction.dealer} {auction.vulnerable} {auction}"
        self.seed = zlib.crc32(asked.encode())
        self.shown = _Source.of(shown, self.seed)
        self.drawn: list[tuple[_Source | None, int]] = []
        self.bits: Bits = np.zeros(0, dtype=np.uint64)
        self.likely: Floats = np.zeros(0)

    def hands(self) -> Hands | None:
        """The hands found, those that weigh nothing left out."""
        found = None
        count = max(200, self.left // 16)
        for number in range(_ROUNDS):
            self._draw(count, number, found)
            found = self._weighed()
            if self.left <= 0 or (found is not None and found.worth >= _ENOUGH):
                break
            count = min(2 * count, max(200, self.left // 3))
        return found

    def _draw(self, count: int, number: int, found: Hands | None) -> None:
        """One round: hands of several sources, and how likely they make the calls."""
        sources: list[tuple[_Source | None, float]] = [(None, _ANYWHERE)]
        if self.shown is not None:
            sources.append((self.shown, _BEFORE))
        if found is not None and found.worth >= 2:
            sources.append((_Source.of(fitted(found.bits, found.weights), self.seed + number), _FOUND))
        total = sum(weight for _, weight in sources)
        parts = []
        for source, weight in sources:
            asked = max(1, round(count * weight / total))
            deal = source.dealer.deal_bits if source is not None else deal_bits
            parts.append(deal(asked, self.seed + number, first=1)[:, 0])
            self.drawn.append((source, asked))
        bits = np.ascontiguousarray(np.concatenate(parts))
        likely, decisions = likelihoods(self.bidder, self.auction, self.seat, bits, as_made=self.as_made)
        self.left -= decisions
        self.bits = np.concatenate([self.bits, bits[likely > 0]])
        self.likely = np.concatenate([self.likely, likely[likely > 0]])

    def _weighed(self) -> Hands | None:
        """All hands so far, each weighed against how likely all rounds together were to draw it."""
        if not len(self.bits):
            return None
        density = np.zeros(len(self.bits))
        for source, count in self.drawn:
            density += count * (1.0 if source is None else source.meaning.admits(self.bits) / source.share)
        return Hands(self.bits, self.likely / density)


@dataclass(frozen=True, slots=True, eq=False)
class _Source:
    """Hands with a meaning, all equally likely, and their share of all hands."""

    meaning: Meaning
    dealer: Dealer
    share: float

    @classmethod
    def of(cls, meaning: Meaning | None, seed: int) -> _Source | None:
        """The hands of a meaning; None, which stands for all hands, where it says nothing."""
        if meaning is None or meaning.condition == ANYTHING:
            return None
        plain = Meaning(meaning.condition)
        return cls(plain, Dealer.of(N=plain), hand_share(plain, seed))
