"""Who wins a trick, who played which card, and what may be played next."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.cards import CARDS, SEATS, Card, Seat, Strain
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import NotationError, PlayError
from bidlab.bridge.hands import Deal, Hand
from bidlab.bridge.play import Play, players, trick_winner, tricks_won


def plain_winner(cards: list[Card], strain: Strain) -> int:
    """Law 44 word for word: the highest trump, or else the highest card of the suit led."""
    trumps = [card for card in cards if card.suit == strain]
    best = max(trumps or [card for card in cards if card.suit == cards[0].suit])
    return cards.index(best)


@given(st.permutations(CARDS), st.sampled_from(list(Strain)), st.integers(1, 4))
def test_trick_winner_follows_law_44(cards, strain: Strain, count: int) -> None:
    assert trick_winner(cards[:count], strain) == plain_winner(list(cards[:count]), strain)


@given(st.permutations(CARDS), st.sampled_from(list(Strain)), st.sampled_from(SEATS), st.integers(0, 52))
def test_players_and_tricks_follow_the_winners(cards, strain: Strain, leader: Seat, count: int) -> None:
    played = list(cards[:count])
    seats = players(played, leader, strain)
    assert len(seats) == count
    turn, won = leader, [0, 0]
    for start in range(0, count, 4):
        trick = played[start : start + 4]
        assert seats[start : start + 4] == [turn.plus(i) for i in range(len(trick))]
        if len(trick) == 4:
            turn = turn.plus(plain_winner(trick, strain))
            won[turn & 1] += 1
    assert list(tricks_won(played, leader, strain)) == won


#             ♠ Q J 6
#             ♥ K 6 5 2
#             ♦ J 8 5
#             ♣ 10 9 8
# ♠ A 10 9 4 2            ♠ 8 7 3
# ♥ A Q 4                 ♥ J 9 7
# ♦ 3 2                   ♦ A 10 7 6 4
# ♣ K J 3                 ♣ Q 4
#             ♠ K 5
#             ♥ 10 8 3
#             ♦ K Q 9
#             ♣ A 7 6 5 2
DEAL = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
FIVE_TRICKS = "CT C4 CA CJ H8 H4 HK H9 D5 DA D9 D2 S7 S5 S2 SQ D8 D4 DQ D3"


def names(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def test_before_the_lead_any_card_of_the_leader_may_be_played() -> None:
    play = Play(DEAL, "S", "N")
    assert (play.to_play, play.turn, play.trick, play.won) == (Seat.NORTH, Seat.NORTH, (), (0, 0))
    assert names(play.playable) == "C8 C9 CT D5 D8 DJ H2 H5 H6 HK S6 SJ SQ"
    assert play.hands == DEAL.bits


def test_law_44_follow_suit_if_possible() -> None:
    assert names(Play(DEAL, "S", "N", "CT").playable) == "C4 CQ"
    play = Play(DEAL, "S", "N", FIVE_TRICKS + " C2 C3")
    assert (play.to_play, names(play.playable)) == (Seat.NORTH, "C8 C9")


def test_law_44_without_a_card_of_the_suit_any_card_may_be_played() -> None:
    play = Play("N:32... 4..5. 76... ..89.", "D", "N", "S3")
    assert names(play.playable) == "S4"
    play = Play(play.deal, "D", "N", "S3 S4 S6")
    assert (play.to_play, names(play.playable)) == (Seat.WEST, "D8 D9")


def test_winner_of_a_trick_leads_to_the_next() -> None:
    play = Play(DEAL, "S", "N", FIVE_TRICKS)
    assert (play.to_play, play.turn, play.trick, play.won) == (Seat.SOUTH, Seat.SOUTH, (), (4, 1))
    play = Play(DEAL, "S", "N", FIVE_TRICKS + " H3 HA")
    assert (play.to_play, play.turn, names(play.trick)) == (Seat.NORTH, Seat.SOUTH, "H3 HA")
    assert play.hands[Seat.SOUTH] == Hand.parse("K.T.K.7652", partial=True).bits


def test_play_that_is_over() -> None:
    play = Play("N:A... 2... 3... 4...", "N", "E", "S2 S3 S4 SA")
    assert (play.to_play, play.playable, play.trick, play.won) == (None, (), (), (1, 0))
    assert play.hands == (0, 0, 0, 0)


def test_declarers_left_hand_opponent_leads() -> None:
    contract = Contract.parse("4SX by W")
    play = Play.of_contract(DEAL, contract, [Card("CT")])
    assert play == Play(DEAL, Strain.SPADES, Seat.NORTH, (Card("CT"),))


@pytest.mark.parametrize("text", ["4S", "passed out"])
def test_contract_without_declarer_is_not_played(text: str) -> None:
    with pytest.raises(PlayError, match="a contract with its declarer is wanted, as in 4S by N"):
        Play.of_contract(DEAL, Contract.parse(text))


def test_plays_are_values() -> None:
    play = Play(str(DEAL), "spades", "north", "CT, C4 CA")
    same = Play(DEAL, Strain.SPADES, Seat.NORTH, ["ct", Card("C4"), "CA"])
    assert play == same and hash(play) == hash(same)
    assert play != Play(DEAL, "S", "N", "CT C4") and play != Play(DEAL, "H", "N", "CT C4 CA")
    for twin in (copy.copy(play), copy.deepcopy(play), pickle.loads(pickle.dumps(play))):
        assert twin == play and twin.hands == play.hands and twin.playable == play.playable


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("CT C3", "card 2, C3, cannot come from East, whose turn it is: West was dealt it"),
        ("CT C4 CA CJ CT", "card 5, CT, cannot come from South, whose turn it is: it has been played"),
        ("H2 H7 H3 HA HA", "card 5, HA, cannot come from West, whose turn it is: it has been played"),
        ("CT C4 C2 CA", "card 4, CA, cannot come from West, whose turn it is: South was dealt it"),
        ("C4", "card 1, C4, cannot come from North, whose turn it is: East was dealt it"),
        ("CT DA", "card 2, DA by East, is a revoke: C4 would follow suit to CT"),
        ("CT C4 CA S2", "card 4, S2 by West, is a revoke: C3 would follow suit to CT"),
    ],
)
def test_card_that_may_not_be_played(cards: str, message: str) -> None:
    with pytest.raises(PlayError, match=message):
        Play(DEAL, "S", "N", cards)


def test_card_that_was_not_dealt_and_card_after_the_last() -> None:
    ending = "N:A... 2... 3... 4..."
    with pytest.raises(PlayError, match=r"card 1, SK, cannot come from North, .* was not dealt"):
        Play(ending, "N", "N", "SK")
    with pytest.raises(PlayError, match="card 5, SA, cannot come from North"):
        Play(ending, "N", "N", "SA S2 S3 S4 SA")


def test_text_that_is_no_card() -> None:
    with pytest.raises(NotationError, match="no card 'C1'"):
        Play(DEAL, "S", "N", "CT C1")


def test_hands_of_unequal_size() -> None:
    with pytest.raises(
        PlayError, match="East holds 2 cards and North 1: before the first trick all hold the same number"
    ):
        Play("N:A... 2.A.. 3... 4...", "N", "N")


def test_hands_that_are_not_known() -> None:
    spots = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.xx.KJ3", spots=True)
    with pytest.raises(PlayError, match="West's cards are not known: four whole hands are wanted"):
        Play(spots, "N", "N")


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """A legal play of any length, of a whole deal or of an ending, any card as likely as the others."""
    size = draw(st.integers(1, 13))
    pack = draw(st.permutations(CARDS))
    deal = Deal.of(Hand.of(pack[start : start + size]) for start in range(0, 4 * size, size))
    random = draw(st.randoms(use_true_random=False))
    play = Play(deal, draw(st.sampled_from(list(Strain))), draw(st.sampled_from(SEATS)))
    for _ in range(draw(st.integers(0, 4 * size))):
        play = Play(deal, play.strain, play.leader, (*play.cards, random.choice(play.playable)))
    return play


@given(plays())
def test_any_legal_play_is_told_as_its_cards_tell_it(play: Play) -> None:
    seats = players(play.cards, play.leader, play.strain)
    assert all(play.deal.holder(card) is seat for card, seat in zip(play.cards, seats, strict=True))
    assert play.won == tricks_won(play.cards, play.leader, play.strain)
    assert play.trick == play.cards[len(play.cards) // 4 * 4 :]
    for seat in SEATS:
        played = {card for card, player in zip(play.cards, seats, strict=True) if player is seat}
        assert set(Hand(play.hands[seat])) == set(play.deal.hand(seat)) - played
    is_over = len(play.cards) == 4 * len(play.deal.hand(Seat.NORTH))
    assert (play.to_play is None) == is_over == (play.playable == ())
    if not is_over:
        # Who plays a next card, whatever it is, is known before.
        assert play.to_play is players([*play.cards, Card("C2")], play.leader, play.strain)[-1]


@given(plays(), st.data())
def test_any_card_is_refused_unless_it_was_playable(play: Play, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(play.cards)))
    before = Play(play.deal, play.strain, play.leader, play.cards[:place])
    for card in CARDS:
        cards = (*play.cards[:place], card)
        if card in before.playable:
            assert Play(play.deal, play.strain, play.leader, cards).cards == cards
        else:
            with pytest.raises(PlayError, match=f"card {place + 1}, {card}"):
                Play(play.deal, play.strain, play.leader, cards)
