"""A simple card player: deals the hidden cards at random and plays what is best double dummy on average.

It knows its own hand, dummy, the cards played and who has shown out; it makes nothing of the auction. It is
there so that a board ends, not to play well.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from random import Random

from bidlab.bridge.cards import CARDS, SEATS, Card, Seat, Suit
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import PlayError
from bidlab.bridge.hands import Deal, Hand
from bidlab.bridge.play import Play, players, trick_winner
from bidlab.doubledummy import Solver


@dataclass(frozen=True, slots=True)
class PlayView:
    """The play as one player sees it: the own hand, dummy once it is down, and the cards so far."""

    contract: Contract
    seat: Seat
    hand: Hand  # as it was dealt
    dummy: Hand | None = None  # as it was dealt; None before the opening lead
    cards: tuple[Card, ...] = ()

    @property
    def declarer(self) -> Seat:
        """Who plays the hand."""
        if self.contract.declarer is None:
            raise PlayError(f"nobody plays {self.contract}")
        return self.contract.declarer

    def known(self) -> dict[Seat, Hand]:
        """The hands that are in view, as they were dealt."""
        known = {self.seat: self.hand}
        if self.dummy is not None:
            known[self.declarer.partner] = self.dummy
        return known

    def seats(self) -> list[Seat]:
        """Who played each card so far."""
        assert self.contract.strain is not None
        return players(self.cards, self.declarer.next, self.contract.strain)

    def turn(self) -> Seat:
        """The hand that plays next."""
        trick = self.cards[len(self.cards) // 4 * 4 :]
        if trick:
            return self.seats()[-1].next
        if not self.cards:
            return self.declarer.next
        assert self.contract.strain is not None
        return self.seats()[-4].plus(trick_winner(self.cards[-4:], self.contract.strain))

    def playable(self) -> list[Card]:
        """The cards that the hand to play may play, lowest suit and rank first; it must be in view."""
        held = [card for card in self.known()[self.turn()] if card not in self.cards]
        trick = self.cards[len(self.cards) // 4 * 4 :]
        return [card for card in held if trick and card.suit == trick[0].suit] or held


def sampled_deal(view: PlayView, random: Random) -> Deal:
    """A deal that could be: the hands in view, and the other cards at random where they can be."""
    known = view.known()
    shown: dict[Seat, list[Card]] = {seat: [] for seat in SEATS if seat not in known}
    for seat, card in zip(view.seats(), view.cards, strict=True):
        if seat in shown:
            shown[seat].append(card)
    voids = _voids(view)
    seen = set(view.cards).union(*known.values())
    hidden = [card for card in CARDS if card not in seen]
    # A card that one hand only can hold goes there; the others are dealt to whatever room is left. With two
    # hidden hands, or three before anybody has shown out, all such deals are equally likely.
    loose = []
    for card in hidden:
        holders = [seat for seat in shown if card.suit not in voids[seat]]
        if len(holders) == 1:
            shown[holders[0]].append(card)
        else:
            loose.append(card)
    random.shuffle(loose)
    for held in shown.values():
        room = 13 - len(held)
        held += loose[:room]
        del loose[:room]
    return Deal.of(known[seat] if seat in known else Hand.of(shown[seat]) for seat in SEATS)


def _voids(view: PlayView) -> dict[Seat, set[Suit]]:
    """The suits to which each hand has failed to follow."""
    voids: dict[Seat, set[Suit]] = {seat: set() for seat in SEATS}
    for place, (seat, card) in enumerate(zip(view.seats(), view.cards, strict=True)):
        led = view.cards[place // 4 * 4].suit
        if card.suit != led:
            voids[seat].add(led)
    return voids


class CardPlayer:
    """Plays the card with the best mean of double-dummy tricks over some deals that could be.

    No deals (`samples` 0): the lowest card. After `seconds` no further deal is begun, which is the one way in
    which its card depends on more than what it sees and its seed.
    """

    def __init__(self, seed: int = 0, samples: int = 8, seconds: float = 5.0) -> None:
        self._seed = seed
        self._samples = samples
        self._seconds = seconds
        self._solver: Solver | None = None

    def card(self, view: PlayView) -> Card:
        """The card to play from the hand whose turn it is; of equal ones the lowest."""
        playable = view.playable()
        lowest = sorted(playable, key=lambda card: (card.rank, card.suit))
        if len(playable) == 1 or not self._samples:
            return lowest[0]
        totals = self._totals(view)
        return max(lowest, key=lambda card: totals[card])

    def _totals(self, view: PlayView) -> Counter[Card]:
        """The tricks of each card, summed over the deals."""
        if self._solver is None:
            self._solver = Solver(threads=1, memory=64)
        random = Random(f"{self._seed} {view.seat} {view.hand} {view.cards}")
        until = time.monotonic() + self._seconds
        totals: Counter[Card] = Counter()
        for _ in range(self._samples):
            play = Play.of_contract(sampled_deal(view, random), view.contract, view.cards)
            totals.update(self._solver.card_values(play))
            if time.monotonic() > until:
                break
        return totals
