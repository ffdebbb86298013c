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


def order_of_play(columns: Sequence[int], strain: Strain) -> tuple[list[int], int]:
    """Whole tricks with a column for each player, the first leader's first, in the order of play.

    Also the column of the player who won the last of them, and so is on lead. Cards are plain numbers here,
    because reading a file does this for every card of it.

    >>> order_of_play([39, 51, 40, 41], Strain.HEARTS)
    ([39, 51, 40, 41], 1)
    """
    by_suit = _STRENGTHS[strain]
    play: list[int] = []
    turn = 0
    cards = iter(columns)
    for trick in zip(cards, cards, cards, cards, strict=True):
        play += trick[turn:]
        play += trick[:turn]
        strength = by_suit[_SUIT_OF[trick[turn]]]
        a, b, c, d = trick
        values = strength[a], strength[b], strength[c], strength[d]
        turn = values.index(max(values))
    return play, turn


def trick_winner(cards: Sequence[Card], strain: Strain) -> int:
    """The place, 0 for the leader, of the card that wins a trick.

    >>> trick_winner([Card("SK"), Card("SA"), Card("H2"), Card("S3")], Strain.HEARTS)
    2
    """
    strength = _STRENGTHS[strain][_SUIT_OF[cards[0]]]
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
