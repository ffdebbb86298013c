"""Who wins a trick and who played which card."""

from hypothesis import given
from hypothesis import strategies as st

from bidlab.bridge.cards import CARDS, SEATS, Card, Seat, Strain
from bidlab.bridge.play import players, trick_winner, tricks_won


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
