"""The order of play: who wins a trick and so who played which card (laws 41 to 46)."""

from __future__ import annotations

from collections.abc import Sequence

from bidlab.bridge.cards import SEATS, Card, Seat, Strain

_SUIT_OF = tuple(card // 13 for card in range(52))
# By strain and suit led: what each card counts for in the trick. Trumps come before the suit led, the other
# two suits do not count.
_STRENGTHS = tuple(
    tuple(
        tuple(
            104 + card if suit == strain else 52 + card if suit == led else 0
            for card, suit in enumerate(_SUIT_OF)
        )
        for led in range(4)
    )
    for strain in range(5)
)


def strengths(led: Card, strain: Strain) -> tuple[int, ...]:
    """What each of the 52 cards counts for in a trick that this card was led to; the highest wins."""
    return _STRENGTHS[strain][_SUIT_OF[led]]


def trick_winner(cards: Sequence[Card], strain: Strain) -> int:
    """The place, 0 for the leader, of the card that wins a trick.

    >>> trick_winner([Card("SK"), Card("SA"), Card("H2"), Card("S3")], Strain.HEARTS)
    2
    """
    strength = strengths(cards[0], strain)
    values = [strength[card] for card in cards]
    return values.index(max(values))


def players(cards: Sequence[Card], leader: Seat, strain: Strain) -> list[Seat]:
    """Who played each card, from the opening lead on."""
    seats: list[Seat] = []
    turn = int(leader)
    for start in range(0, len(cards), 4):
        trick = cards[start : start + 4]
        seats += (SEATS[turn & 3], SEATS[turn + 1 & 3], SEATS[turn + 2 & 3], SEATS[turn + 3 & 3])
        turn += trick_winner(trick, strain)
    del seats[len(cards) :]
    return seats


def tricks_won(cards: Sequence[Card], leader: Seat, strain: Strain) -> tuple[int, int]:
    """The complete tricks won so far by North-South and by East-West."""
    won = [0, 0]
    turn = int(leader)
    for start in range(0, len(cards) - 3, 4):
        turn += trick_winner(cards[start : start + 4], strain)
        won[turn & 1] += 1
    return won[0], won[1]
