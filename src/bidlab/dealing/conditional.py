"""Deals in which each hand has a meaning: exactly the conditional distribution, however rare.

Shapes and points are dealt first, in proportion to the exact number of deals that have them, then the
cards; what is finer (stoppers, quick tricks) is tested, and the deal drawn again where it fails. So no deal
is favoured by how it was found.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidlab._native import ConditionalDealer as _NativeDealer
from bidlab.bridge.boards import Board
from bidlab.bridge.cards import SEATS, SUITS, Seat
from bidlab.bridge.errors import DealError
from bidlab.bridge.hands import Deal, Hand
from bidlab.dealing.at_random import check_number
from bidlab.meaning.cells import cell_sets
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.features import ACES, FEATURES, HCP, KINGS, length
from bidlab.meaning.knowledge import Knowledge
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.writing import meaning_text

Progress = Callable[[int], object]


class Frequency(NamedTuple):
    """How often a deal fulfils a condition, with the standard error of an estimate (0: exact)."""

    share: float
    standard_error: float


class Dealer:
    """Deals boards that agree with what is known: hands that are seen, and meanings shown for sure.

    >>> dealer = Dealer.of(N="15-17, balanced", S="5+ hearts, 8+")
    >>> print(dealer.deal(seed=1))
    N:KT92.KQ8.A64.KQ5 J8743.2.K53.AT64 A5.AT7654.QJT.83 Q6.J93.9872.J972
    """

    def __init__(self, known: Knowledge, *, counts: bool = False, checks: bool = True) -> None:
        """With `counts`, tables are made even where plain dealing would do, so that frequencies are exact.

        Without `checks`, a contradiction in what is finer than shapes and points is found in dealing only.
        """
        self.known = known
        for seat in SEATS:
            hand = known.hands[seat]
            if hand is not None and not known.meaning(seat).admits(hand):
                raise DealError(_contradiction(known))
        meanings = [_as_told(known, seat) for seat in SEATS]
        hands = np.array([0 if hand is None else hand.bits for hand in known.hands], dtype=np.uint64)
        self._is_coarse = all(meaning is None or _is_coarse(meaning) for meaning in meanings)
        open_seats = sum(meaning is not None for meaning in meanings)
        natives = [None if meaning is None else meaning.native for meaning in meanings]
        self._native = _NativeDealer(hands, natives, counts and open_seats <= 2)
        # The kernel knows of shapes and points alone, unless it has just dealt such deals.
        is_proved = self._is_coarse or self._native.method == "rejection"
        if self._native.is_impossible or (checks and not is_proved and known.is_contradictory):
            raise DealError(_contradiction(known))

    @classmethod
    def of(cls, **seats: Meaning | Hand | str) -> Dealer:
        """The dealer of meanings and hands by seat: N, E, S, W; a text is either."""
        return cls(told(**seats))

    def deal_bits(
        self, count: int, seed: int, first: int = 1, *, threads: int = 1, progress: Progress | None = None
    ) -> NDArray[np.uint64]:
        """Array [deal, seat N E S W] of 52-bit hands: deals `first`, `first` + 1 .. of a seed.

        Deal number n of a seed is always the same, whatever is dealt with it and by how many threads.
        """
        check_number("seed", seed, 0)
        check_number("first", first, 1)
        check_number("count", count, 0)
        try:
            return self._native.deal(seed, first, count, threads, progress)
        except RuntimeError as error:
            raise DealError(f"{error}: {_wishes(self.known)}; it may be impossible") from None

    def boards(self, count: int, seed: int, first: int = 1) -> list[Board]:
        """Boards `first`, `first` + 1 .. of a seed, dealer and vulnerability by their number."""
        rows = self.deal_bits(count, seed, first).tolist()
        return [Board(Deal.of_bits(row), number=first + i) for i, row in enumerate(rows)]

    def deal(self, seed: int, number: int = 1) -> Deal:
        """Deal number `number` of a seed."""
        return Deal.of_bits(self.deal_bits(1, seed, number)[0])

    def frequency(self, deals: int = 10_000, seed: int = 0) -> Frequency:
        """How often random deals agree with what is known, among those with the hands that are seen.

        Exact where shapes and points decide and they were counted; else from the tries that some deals take.
        """
        coarse = self._native.count / self._native.completions
        if self._is_coarse and self._native.is_exact_count:
            return Frequency(coarse, 0.0)
        if not self._native.dealt:
            self.deal_bits(deals, seed)
        dealt, tries = self._native.dealt, self._native.tries
        accepted = dealt / tries
        return Frequency(coarse * accepted, coarse * accepted * sqrt((1 - accepted) / dealt))


def told(**seats: Meaning | Hand | str) -> Knowledge:
    """What is known by seat, N, E, S, W: a hand, a meaning, or a text of either."""
    hands: dict[Seat, Hand] = {}
    meanings: dict[Seat, Meaning] = {}
    for name, what in seats.items():
        seat = Seat(name)
        if isinstance(what, str):
            what = Hand.parse(what) if what.count(".") >= 3 else Meaning.parse(what)
        if isinstance(what, Hand):
            hands[seat] = what
        else:
            meanings[seat] = what
    return Knowledge.of(hands, meanings)


def _as_told(known: Knowledge, seat: Seat) -> Meaning | None:
    """What a seat's cards must fulfil; None for a hand that is seen or of which nothing is said."""
    if known.hands[seat] is not None:
        return None
    meaning = known.meaning(seat).simplified()
    return None if meaning.condition == ANYTHING else meaning


def _is_coarse(meaning: Meaning) -> bool:
    possible, certain = cell_sets(meaning.condition)
    return bool((possible == certain).all())


# Why there is no such deal.


def _contradiction(known: Knowledge) -> str:
    """One line that says why no deal agrees with what is known."""
    for seat in SEATS:
        hand, meaning = known.hands[seat], known.meaning(seat)
        if meaning.is_nothing:
            return f"no hand is '{_said(known, seat)}', as {seat.word}'s must be"
        if hand is not None and not meaning.admits(hand):
            return f"{seat.word}'s hand {hand} is not '{meaning}'"
    return _overdrawn(known) or f"no deal gives {_wishes(known)}"


def _said(known: Knowledge, seat: Seat) -> str:
    """What a seat has shown, in the words it was given in: simplified, a contradiction says nothing."""
    shown = [meaning for meaning in known.meanings[seat] if not meaning.outside]
    return ", ".join(meaning_text(meaning.condition) for meaning in shown) or str(known.hands[seat])


def _wishes(known: Knowledge) -> str:
    """The meanings by seat: "North 9+ spades and South 9+ spades"."""
    shown = [seat for seat in SEATS if _as_told(known, seat) is not None]
    return " and ".join(f"{seat.word} '{known.meaning(seat)}'" for seat in shown)


def _overdrawn(known: Knowledge) -> str:
    """Which of the pack's numbers does not suffice, or is too much."""
    ranges = [_own_ranges(known, seat) for seat in SEATS]
    things = [(length(suit), 13, suit.word) for suit in SUITS]
    things += [(HCP, 40, "points"), (ACES, 4, "aces"), (KINGS, 4, "kings")]
    things += [(feature, 1, "") for feature in FEATURES if feature.card is not None]
    for feature, total, words in things:
        least = sum(low for low, _ in (box[feature.number] for box in ranges))
        most = sum(high for _, high in (box[feature.number] for box in ranges))
        if least > total:
            wanting = [seat for seat in SEATS if ranges[seat][feature.number][0] > 0]
            together = " and ".join(f"{seat.word} ({_said(known, seat)})" for seat in wanting)
            if feature.card is not None:
                return f"no deal: {together} both hold {feature.card}"
            return f"no deal: {together} have at least {least} {words}, and the pack has {total}"
        if most < total and feature.card is None:
            return f"no deal: all four hands together have at most {most} {words}, and the pack has {total}"
    return ""


def _own_ranges(known: Knowledge, seat: Seat) -> list[tuple[int, int]]:
    hand = known.hands[seat]
    alone = Knowledge.of({} if hand is None else {seat: hand}).plus(seat, known.meaning(seat))
    return list(alone.ranges(seat).values())
