"""Cards, hands, deals and boards."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.boards import Board, Vulnerability, dealer_of, vulnerability_of
from bidlab.bridge.cards import CARDS, SEATS, SUITS, Card, Rank, Seat, Strain, Suit
from bidlab.bridge.errors import BidlabError, DealError, NotationError
from bidlab.bridge.hands import Deal, Hand

DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"


def test_encoding_is_the_one_of_the_design() -> None:
    assert [int(suit) for suit in (Suit("C"), Suit("D"), Suit("H"), Suit("S"))] == [0, 1, 2, 3]
    assert Strain("N") == 4
    assert [int(seat) for seat in (Seat("N"), Seat("E"), Seat("S"), Seat("W"))] == [0, 1, 2, 3]
    for suit in SUITS:
        for rank in Rank:
            card = Card(f"{suit}{rank}")
            assert card == 13 * suit + rank and card.suit is suit and card.rank is rank


@pytest.mark.parametrize("value", [*CARDS, *SEATS, *SUITS, *Strain, *Rank, *Vulnerability])
def test_small_values_survive_text_and_copies(value) -> None:
    assert type(value)(str(value)) is value
    assert type(value)(int(value)) is value
    assert pickle.loads(pickle.dumps(value)) is value
    assert copy.deepcopy(value) is value


def test_no_value_but_none_is_false() -> None:
    assert all(bool(value) for value in (Seat.NORTH, Suit.CLUBS, Card("C2"), Rank.TWO, Strain.CLUBS))
    assert not Vulnerability.NONE


@pytest.mark.parametrize(
    ("kind", "text"),
    [(Seat, "Q"), (Suit, "N"), (Strain, "X"), (Rank, "1"), (Card, "S1"), (Vulnerability, "maybe")],
)
def test_unknown_text_names_what_is_wanted(kind, text: str) -> None:
    with pytest.raises(NotationError, match=f"no {kind.__name__.lower()} '{text}'"):
        kind(text)


def test_seats_go_clockwise() -> None:
    assert [seat.next for seat in SEATS] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    assert all(seat.partner.partner is seat and seat.plus(2) is seat.partner for seat in SEATS)


@given(st.permutations(list(range(52))))
def test_hand_text_round_trips(cards: list[int]) -> None:
    hand = Hand.of(cards[:13])
    assert Hand.parse(str(hand)) == hand
    assert sorted(hand) == sorted(cards[:13]) and len(hand) == 13
    assert sum(hand.length(suit) for suit in SUITS) == 13
    assert all((card in hand) == (card in cards[:13]) for card in CARDS)


@given(st.permutations(list(range(52))), st.sampled_from(SEATS))
def test_deal_text_round_trips_from_every_seat(cards: list[int], first: Seat) -> None:
    deal = Deal.of(Hand.of(cards[13 * i : 13 * i + 13]) for i in range(4))
    assert Deal.parse(deal.text(first)) == deal
    assert Deal.of_bits(deal.bits) == deal
    assert deal.is_complete
    assert all(card in deal.hand(holder) for card in CARDS if (holder := deal.holder(card)) is not None)
    hidden = Deal.of(hand if seat != first else None for seat, hand in zip(SEATS, deal.hands, strict=True))
    assert not hidden.is_complete and hidden.completed() == deal


def test_hands_are_read_as_people_write_them() -> None:
    plain = Hand.parse("AKQ2.T83.KQ9.A76")
    for text in ("akq2.1083.kq9.a76", "2QKA.38T.9QK.67A", "SAKQ2.HT83.DKQ9.CA76", " AKQ2.T83.KQ9.A76 "):
        assert Hand.parse(text) == plain
    assert Hand.parse("AKQJT98765432.-.-.-") == Hand.parse("AKQJT98765432...")
    assert Hand.parse("AKQJT98765432....") == Hand.parse("AKQJT98765432...")


def test_spot_cards_are_read_where_they_are_allowed() -> None:
    hand = Hand.parse("AKxx.Qxx.xxx.Kxx", spots=True)
    assert len(hand) == 13 and hand.length(Suit.DIAMONDS) == 3 and hand.holding(Suit.DIAMONDS) == 0
    assert str(hand) == "AKxx.Qxx.xxx.Kxx"
    assert Hand.parse(str(hand), spots=True) == hand
    with pytest.raises(NotationError, match="x in hand"):
        Hand.parse("AKxx.Qxx.xxx.Kxx")
    with pytest.raises(DealError, match="only eight spot cards"):
        Hand.parse("xxxxxxxxx.AKQJ..", spots=True)
    deal = Deal.parse("N:AKxx.Qxx.xxx.Kxx - xxxx.Axx.Kxx.xxx -", spots=True)
    assert not deal.is_complete and Deal.parse(str(deal), spots=True) == deal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AKQ2.T83.KQ9.A7", "12 cards in hand 'AKQ2.T83.KQ9.A7': 13 are wanted"),
        ("AKQ2.T83.KQ9.A765", "14 cards in hand"),
        ("AAQ2.T83.KQ9.A76", "SA twice in one hand"),
        ("AKQ2.T83.KQ9", "four suits with dots between them"),
        ("AKQ2.T83.KQ9.AZ6", "no card 'Z' in clubs 'AZ6'"),
        ("", "no hand ''"),
    ],
)
def test_a_wrong_hand_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(BidlabError) as error:
        Hand.parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEAL.replace("K5.T83", "J5.T83"), "SJ held twice, by North and South"),
        (DEAL.replace("K5.T83", "5.T83"), "12 cards in South's hand"),
        (DEAL.replace("K5.T83", "K5.AT83"), "14 cards in hand"),
        (DEAL.replace("N:", "Q:"), "no seat 'Q'"),
        ("N:QJ6.K652.J85.T98 873.J97.AT764.Q4", "2 hands in deal"),
        ("N:QJ6.K652.J85.T9 - - -", "12 cards in North's hand"),
        ("N:AKxxxxx... Qxxxxxx... - -", "14 spades in one deal"),
    ],
)
def test_a_wrong_deal_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(BidlabError) as error:
        Deal.parse(text, spots=True)
    assert message in str(error.value)


def test_unknown_hands_and_endings() -> None:
    deal = Deal.parse("E:- K5.T83.KQ9.A7652 - QJ6.K652.J85.T98")
    assert deal[Seat.EAST] is None and str(deal.hand("S")) == "K5.T83.KQ9.A7652"
    with pytest.raises(DealError, match="East's hand is unknown"):
        deal.hand(Seat.EAST)
    ending = Deal.parse("N:AQ... J... K2... ...")
    assert len(ending.hand("N")) == 2 and len(ending.hand("W")) == 0
    partly = Deal.parse("N:QJ6.K652.J85.T98 ... ... ...")
    assert partly.hands[1:] == (None, None, None)


@pytest.mark.parametrize("bits", [-1, 1 << 52, (1 << 14) - 1])
def test_hand_of_impossible_bits(bits: int) -> None:
    with pytest.raises(DealError):
        Hand(bits)


# Law 2, as printed on the boards: number, dealer, vulnerable.
LAW_2 = "N- En Se Wb Nn Ee Sb W- Ne Eb S- Wn Nb E- Sn We".split()


@pytest.mark.parametrize("number", range(1, 49))
def test_law_2_dealer_and_vulnerability(number: int) -> None:
    dealer, vulnerable = LAW_2[(number - 1) % 16]
    names = {"-": "none", "n": "NS", "e": "EW", "b": "both"}
    assert dealer_of(number) == Seat(dealer) and str(vulnerability_of(number)) == names[vulnerable]
    board = Board(Deal.parse(DEAL), number=number)
    assert board == Board(Deal.parse(DEAL), dealer, names[vulnerable], number)


def test_board_takes_dealer_and_vulnerability_beside_its_number() -> None:
    board = Board(Deal.parse(DEAL), dealer="W", vulnerable="all", number=1)
    assert (board.dealer, board.vulnerable, board.number) == (Seat.WEST, Vulnerability.BOTH, 1)
    assert board != Board(Deal.parse(DEAL), dealer="W", vulnerable="all")
    assert pickle.loads(pickle.dumps(board)) == board and hash(copy.copy(board)) == hash(board)
    with pytest.raises(BidlabError, match="numbered from 1"):
        Board(Deal.parse(DEAL), number=0)


def test_vulnerability_by_seat() -> None:
    for vulnerable in Vulnerability:
        for seat in SEATS:
            side = "NS" if seat.is_north_south else "EW"
            assert vulnerable.includes(seat) == (str(vulnerable) in (side, "both"))
