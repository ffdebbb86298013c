"""The play: who wins a trick, who played which card, and what may be played next (laws 41 to 46)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bidlab.bridge.cards import SEATS, Card, Seat, Strain
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import PlayError
from bidlab.bridge.hands import Deal, Hand

_SUIT = 0x1FFF  # the 13 bits of a suit
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


@dataclass(frozen=True, slots=True)
class Play:
    """The play so far: the deal, the strain, who made the opening lead, and the cards in the order played.

    Every card is checked: its player held it and followed suit if he could. A deal may be an ending, with
    fewer than 13 cards in each hand.

    >>> deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    >>> play = Play(deal, "S", "E", "DA D9 D2 D8 H7")
    >>> play.to_play, play.trick, play.won
    (<Seat.SOUTH: 2>, (Card('H7'),), (0, 1))
    >>> [str(card) for card in play.playable]
    ['H3', 'H8', 'HT']
    """

    deal: Deal
    strain: Strain
    leader: Seat
    cards: tuple[Card, ...] = ()
    hands: tuple[int, int, int, int] = field(init=False, compare=False, repr=False)  # bits, what is left
    turn: Seat = field(init=False, compare=False, repr=False)  # who leads the trick in progress

    def __init__(
        self,
        deal: Deal | str,
        strain: Strain | str,
        leader: Seat | str,
        cards: Iterable[Card | str] | str = (),
    ) -> None:
        words = cards.replace(",", " ").split() if isinstance(cards, str) else cards
        given = (
            ("deal", Deal.parse(deal) if isinstance(deal, str) else deal),
            ("strain", Strain(strain)),
            ("leader", Seat(leader)),
            ("cards", tuple(Card(word) for word in words)),
        )
        for name, value in given:
            object.__setattr__(self, name, value)
        hands = [hand.bits for hand in _equal_hands(self.deal)]
        turn = self._play_out(hands)
        object.__setattr__(self, "hands", tuple(hands))
        object.__setattr__(self, "turn", turn)

    @classmethod
    def of_contract(cls, deal: Deal, contract: Contract, cards: Iterable[Card] = ()) -> Play:
        """The play of a contract, which must have a declarer."""
        if contract.strain is None or contract.declarer is None:
            raise PlayError(f"no play of {contract}: a contract with its declarer is wanted, as in 4S by N")
        return cls(deal, contract.strain, contract.declarer.plus(1), cards)

    def _play_out(self, hands: list[int]) -> Seat:
        """Take the cards out of the hands, one by one; who leads the trick in progress."""
        turn = self.leader
        for start in range(0, len(self.cards), 4):
            trick = self.cards[start : start + 4]
            for place, card in enumerate(trick):
                seat = turn.plus(place)
                if not hands[seat] >> card & 1:
                    raise PlayError(self._not_held(start + place, seat))
                led = _SUIT << 13 * trick[0].suit
                if hands[seat] & led and not 1 << card & led:
                    raise PlayError(
                        f"card {start + place + 1}, {card} by {seat.word}, is a revoke: "
                        f"{_lowest_card(hands[seat] & led)} would follow suit to {trick[0]}"
                    )
                hands[seat] ^= 1 << card
            if len(trick) == 4:
                turn = turn.plus(trick_winner(trick, self.strain))
        return turn

    def _not_held(self, place: int, seat: Seat) -> str:
        card = self.cards[place]
        holder = self.deal.holder(card)
        where = "was not dealt" if holder is None else f"{holder.word} was dealt it"
        if card in self.cards[:place]:
            where = "it has been played"
        return f"card {place + 1}, {card}, cannot come from {seat.word}, whose turn it is: {where}"

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards of the trick in progress."""
        return self.cards[len(self.cards) // 4 * 4 :]

    @property
    def to_play(self) -> Seat | None:
        """Whose turn it is; None when all cards are played."""
        return self.turn.plus(len(self.trick)) if any(self.hands) else None

    @property
    def playable(self) -> tuple[Card, ...]:
        """The cards that the player to play may play, lowest suit and rank first."""
        if self.to_play is None:
            return ()
        held = self.hands[self.to_play]
        led = held & _SUIT << 13 * self.trick[0].suit if self.trick else 0
        return tuple(Card(i) for i in range(52) if (led or held) >> i & 1)

    @property
    def won(self) -> tuple[int, int]:
        """The complete tricks won so far by North-South and by East-West."""
        return tricks_won(self.cards, self.leader, self.strain)


def _equal_hands(deal: Deal) -> list[Hand]:
    """The four hands of a deal, all known and with the same number of cards; an error otherwise."""
    hands = []
    for seat in SEATS:
        hand = deal.hand(seat)
        if hand is None or hand.spots != (0, 0, 0, 0):
            raise PlayError(f"{seat.word}'s cards are not known: four whole hands are wanted for the play")
        hands.append(hand)
    fewest, most = min(hands, key=len), max(hands, key=len)
    if len(fewest) != len(most):
        many, few = SEATS[hands.index(most)].word, SEATS[hands.index(fewest)].word
        raise PlayError(
            f"{many} holds {len(most)} cards and {few} {len(fewest)}: "
            "before the first trick all hold the same number"
        )
    return hands


def _lowest_card(bits: int) -> Card:
    return Card((bits & -bits).bit_length() - 1)
