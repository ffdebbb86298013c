"""Hands and deals: who holds which cards, wholly or partly known.

A hand's cards are 52 bits of one integer, bit 13 * suit + rank, the same word that the native
kernels work on. A card written ``x`` is a spot card (nine to two) that nobody named: a hand that
allows it keeps a count of them beside the bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from bidlab.bridge.cards import CARDS, SEATS, SUITS, Card, Seat, Suit
from bidlab.bridge.errors import DealError, NotationError, quoted

_SUIT_BITS = 0x1FFF  # the 13 bits of one suit
_SPOT_BITS = 0xFF  # two to nine of one suit
ALL_CARDS = (1 << 52) - 1

SpotCounts = tuple[int, int, int, int]
NO_SPOTS: SpotCounts = (0, 0, 0, 0)


def _holding_texts() -> tuple[str, ...]:
    """The text of each of the 8,192 holdings of a suit, highest card first."""
    texts = [""]
    for letter in "23456789TJQKA":
        texts += [letter + text for text in texts]
    return tuple(texts)


_TEXT_OF = _holding_texts()
_HOLDING_OF = {text: bits for bits, text in enumerate(_TEXT_OF)}
_RANK_BIT = {letter: 1 << i for i, letter in enumerate("23456789TJQKA")}


def _read_holding(text: str, suit: Suit) -> tuple[int, int]:
    """One suit's 13 bits and its number of spot cards, from text in any order or case."""
    bits = spots = 0
    for letter in text.upper().replace("10", "T"):
        if letter == "X":
            spots += 1
            continue
        bit = _RANK_BIT.get(letter)
        if bit is None:
            raise NotationError(
                f"no card {quoted(letter)} in {suit.word} {quoted(text)}: "
                "A K Q J T 9 8 7 6 5 4 3 2 are wanted"
            )
        if bits & bit:
            raise DealError(f"{suit.letter}{letter} twice in one hand: {suit.word} {quoted(text)}")
        bits |= bit
    if spots > (_SPOT_BITS & ~bits).bit_count():
        raise DealError(f"{suit.word} {quoted(text)}: a suit has only eight spot cards")
    return bits, spots


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one player: named ones as bits, unnamed spot cards as counts by suit.

    >>> hand = Hand.parse("AKQ2.T83.KQ9.A76")
    >>> hand.length(Suit.SPADES), Card("HT") in hand, str(hand)
    (4, True, 'AKQ2.T83.KQ9.A76')
    """

    bits: int = 0
    spots: SpotCounts = NO_SPOTS

    @classmethod
    def parse(cls, text: str, *, spots: bool = False, partial: bool = False) -> Hand:
        """The hand written as spades.hearts.diamonds.clubs.

        With `spots`, an ``x`` is read as a spot card; with `partial`, fewer than 13 cards are allowed.

        >>> Hand.parse("AKxx.Qxx.xxx.Kxx", spots=True).length(Suit.CLUBS)
        3
        """
        suits = text.strip().split(".")
        if len(suits) == 5 and not suits[4]:
            suits.pop()  # a dot too many at the end
        if len(suits) != 4:
            raise NotationError(
                f"no hand {quoted(text)}: four suits with dots between them are wanted, "
                "as in AKQ2.T83.KQ9.A76"
            )
        try:
            s, h, d, c = suits
            holding = _HOLDING_OF
            hand = cls(holding[s] << 39 | holding[h] << 26 | holding[d] << 13 | holding[c])
        except KeyError:
            hand = cls._parse_slowly(suits)
        if not spots and hand.spots != NO_SPOTS:
            raise NotationError(f"x in hand {quoted(text)}: spot cards must be named here, as in AK72")
        if not partial and len(hand) != 13:
            raise DealError(f"{len(hand)} cards in hand {quoted(text)}: 13 are wanted")
        return hand

    @classmethod
    def _parse_slowly(cls, suits: Sequence[str]) -> Hand:
        bits = 0
        counts = [0, 0, 0, 0]
        for suit, text in zip(reversed(SUITS), suits, strict=True):
            text = text.strip()
            if text in ("-", "--", "—"):  # a void, as people write it
                text = ""
            text = text.removeprefix(suit.letter)  # SAKQ.HT8 ... is read too
            holding, counts[suit] = _read_holding(text, suit)
            bits |= holding << 13 * suit
        return cls(bits, cast(SpotCounts, tuple(counts)))

    @classmethod
    def of(cls, cards: Iterable[Card | str | int]) -> Hand:
        """The hand of these cards, any number up to 13."""
        bits = 0
        for card in map(Card, cards):
            if bits >> card & 1:
                raise DealError(f"{card} twice in one hand")
            bits |= 1 << card
        return cls(bits)

    def __post_init__(self) -> None:
        bits = self.bits
        if not 0 <= bits <= ALL_CARDS:
            raise DealError(f"no hand has the bits {bits:#x}: 52 bits are wanted")
        if bits.bit_count() > 13 or (self.spots is not NO_SPOTS and len(self) > 13):
            raise DealError(f"{len(self)} cards in hand '{self}': 13 are wanted")

    def __len__(self) -> int:
        """The number of cards, spot cards included."""
        if self.spots is NO_SPOTS:
            return self.bits.bit_count()
        return self.bits.bit_count() + sum(self.spots)

    def __bool__(self) -> bool:
        return True

    def __contains__(self, card: Card) -> bool:
        return bool(self.bits >> card & 1)

    def __iter__(self) -> Iterator[Card]:
        """The named cards, lowest encoding first."""
        bits = self.bits
        while bits:
            low = bits & -bits
            yield CARDS[low.bit_length() - 1]
            bits ^= low

    def holding(self, suit: Suit) -> int:
        """The 13 bits of the named cards of a suit, two lowest."""
        return self.bits >> 13 * suit & _SUIT_BITS

    def length(self, suit: Suit) -> int:
        """The number of cards of a suit."""
        return self.holding(suit).bit_count() + self.spots[suit]

    def suit_text(self, suit: Suit) -> str:
        """The cards of a suit, highest first, as in "AKQ2" or "Kxx"."""
        return _TEXT_OF[self.holding(suit)] + "x" * self.spots[suit]

    def __str__(self) -> str:
        if self.spots == NO_SPOTS:
            bits, text = self.bits, _TEXT_OF
            s, h = text[bits >> 39], text[bits >> 26 & _SUIT_BITS]
            return f"{s}.{h}.{text[bits >> 13 & _SUIT_BITS]}.{text[bits & _SUIT_BITS]}"
        return ".".join(self.suit_text(suit) for suit in reversed(SUITS))

    def __repr__(self) -> str:
        return f"Hand({str(self)!r})"


Hands = tuple[Hand | None, Hand | None, Hand | None, Hand | None]


@dataclass(frozen=True, slots=True)
class Deal:
    """Four hands, N E S W; None for a hand of which nothing is known.

    The known hands have 13 cards each, or all of them fewer (an ending, a suit combination). No card is
    held twice.

    >>> deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    >>> str(deal.hand(Seat.WEST)), deal.holder(Card("DA"))
    ('AT942.AQ4.32.KJ3', <Seat.EAST: 1>)
    """

    hands: Hands

    @classmethod
    def parse(cls, text: str, *, spots: bool = False) -> Deal:
        """The deal written as PBN writes it: the first seat, a colon, four hands clockwise.

        A hand ``-`` is unknown; with `spots`, an ``x`` is read as a spot card.
        """
        try:
            return cls._parse_whole(text)
        except (KeyError, ValueError):
            pass  # whatever is odd or wrong about it, the long way tells
        first, colon, rest = text.strip().partition(":")
        if not colon:
            first, rest = "N", first
        seat = Seat(first)
        words = rest.split()
        if len(words) != 4:
            raise NotationError(
                f"{len(words)} hands in deal {quoted(text)}: four are wanted, as in N:AK.. .. - ..., "
                "with - for an unknown hand"
            )
        read = [
            None if word in ("-", "...") else Hand.parse(word, spots=spots, partial=True) for word in words
        ]
        if "..." in words and not any(hand is not None and len(hand) == 13 for hand in read):
            # All hands are short: one without cards is just that, not an unknown one.
            read = [Hand() if word == "..." else hand for word, hand in zip(words, read, strict=True)]
        return cls.of(read[-seat:] + read[:-seat])

    @classmethod
    def _parse_whole(cls, text: str) -> Deal:
        """The deal of a text with all 52 cards, each suit from the top; any error otherwise."""
        seat = "NESW".index(text[0])
        texts = text[2:].replace(" ", ".").split(".")
        s1, h1, d1, c1, s2, h2, d2, c2, s3, h3, d3, c3, s4, h4, d4, c4 = [_HOLDING_OF[t] for t in texts]
        hands = (
            Hand(s1 << 39 | h1 << 26 | d1 << 13 | c1),
            Hand(s2 << 39 | h2 << 26 | d2 << 13 | c2),
            Hand(s3 << 39 | h3 << 26 | d3 << 13 | c3),
            Hand(s4 << 39 | h4 << 26 | d4 << 13 | c4),
        )
        bits = hands[0].bits | hands[1].bits | hands[2].bits | hands[3].bits
        if bits != ALL_CARDS or text[1] != ":" or text.count(" ") != 3:
            raise ValueError
        return cls.of(hands[-seat:] + hands[:-seat])

    @classmethod
    def of(cls, hands: Iterable[Hand | None]) -> Deal:
        """The deal of four hands, N E S W."""
        return cls(cast(Hands, tuple(hands)))

    @classmethod
    def of_bits(cls, bits: Iterable[int]) -> Deal:
        """The deal of four 52-bit words, N E S W, as a row of a dealt array holds them."""
        return cls.of(Hand(int(word)) for word in bits)

    @classmethod
    def unknown(cls) -> Deal:
        """A deal of which no card is known."""
        return cls((None, None, None, None))

    def __post_init__(self) -> None:
        hands = self.hands
        if len(hands) != 4:
            raise DealError(f"{len(hands)} hands in a deal: four are wanted, N E S W")
        n, e, s, w = hands
        if n is not None and e is not None and s is not None and w is not None:
            union = n.bits | e.bits | s.bits | w.bits
            if union == ALL_CARDS and n.spots is e.spots is s.spots is w.spots is NO_SPOTS:
                return  # 52 different cards, and no hand can hold more than 13
        self._check()

    def _check(self) -> None:
        """Raise unless no card is held twice and the lengths fit together."""
        seen = 0
        for seat in SEATS:
            hand = self.hands[seat]
            if hand is None:
                continue
            twice = seen & hand.bits
            if twice:
                card = CARDS[twice.bit_length() - 1]
                first = next(s for s in SEATS if (h := self.hands[s]) is not None and card in h)
                raise DealError(
                    f"{card} held twice, by {first.word} and {seat.word}: each card has one holder"
                )
            seen |= hand.bits
        known = [(seat, hand) for seat in SEATS if (hand := self.hands[seat]) is not None]
        for suit in SUITS:
            held = sum(hand.length(suit) for _, hand in known)
            if held > 13:
                raise DealError(f"{held} {suit.word} in one deal: a suit has 13 cards")
        short = [(seat, hand) for seat, hand in known if len(hand) < 13]
        if short and (len(short) < len(known) or len(known) == 1):
            seat, hand = short[0]
            raise DealError(
                f"{len(hand)} cards in {seat.word}'s hand '{hand}': 13 are wanted, or - for an unknown hand"
            )

    def __getitem__(self, seat: Seat) -> Hand | None:
        return self.hands[seat]

    def hand(self, seat: Seat | str) -> Hand:
        """The hand of a seat; an error where it is unknown."""
        seat = Seat(seat)
        hand = self.hands[seat]
        if hand is None:
            raise DealError(f"{seat.word}'s hand is unknown in {self}")
        return hand

    @property
    def is_complete(self) -> bool:
        """Whether all 52 cards are placed by name."""
        return sum(hand.bits for hand in self.hands if hand is not None) == ALL_CARDS

    @property
    def bits(self) -> tuple[int, int, int, int]:
        """The four hands as 52-bit words, N E S W; 0 for an unknown hand."""
        n, e, s, w = (0 if hand is None else hand.bits for hand in self.hands)
        return n, e, s, w

    def holder(self, card: Card) -> Seat | None:
        """The seat that holds a card, or None where that is unknown."""
        for seat in SEATS:
            hand = self.hands[seat]
            if hand is not None and card in hand:
                return seat
        return None

    def completed(self) -> Deal:
        """The same deal with a single missing hand filled in from the cards that are left."""
        if None not in self.hands:
            return self
        known = [hand for hand in self.hands if hand is not None]
        if len(known) != 3 or any(hand.bits.bit_count() != 13 for hand in known):
            return self
        rest = Hand(ALL_CARDS & ~(known[0].bits | known[1].bits | known[2].bits))
        return Deal.of(rest if hand is None else hand for hand in self.hands)

    def text(self, first: Seat = Seat.NORTH) -> str:
        """The deal as PBN writes it, beginning with a seat's hand."""
        hands = self.hands[first:] + self.hands[:first]
        return f"{first}:" + " ".join("-" if hand is None else str(hand) for hand in hands)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Deal({self.text()!r})"
