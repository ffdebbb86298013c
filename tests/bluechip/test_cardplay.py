"""The simple card player: always legal, and it deals nothing that cannot be."""

from random import Random

import pytest

from bidlab.bluechip.cardplay import CardPlayer, PlayView, sampled_deal
from bidlab.bridge.cards import SEATS, Card, Seat
from bidlab.bridge.contracts import Contract
from bidlab.bridge.hands import Deal
from bidlab.bridge.play import Play
from bidlab.dealing import random_deal


@pytest.mark.parametrize("number", range(1, 6))
def test_every_view_of_a_play_agrees_with_it_and_its_samples_could_be(number: int) -> None:
    random = Random(number)
    deal = random_deal(7, number)
    contract = Contract.parse(random.choice(["1N by S", "4S by N", "2D by E", "3C by W"]))
    play = Play.of_contract(deal, contract)
    while play.to_play is not None:
        for seat in (s for s in SEATS if s != contract.declarer.partner):
            dummy = deal.hand(contract.declarer.partner) if play.cards else None
            view = PlayView(contract, seat, deal.hand(seat), dummy, play.cards)
            assert view.turn() == play.to_play
            if play.to_play in view.known():
                assert tuple(view.playable()) == play.playable
            sample = sampled_deal(view, random)
            assert sample.is_complete
            Play(sample, play.strain, play.leader, play.cards)  # raises where a card was not held
        play = Play.of_contract(deal, contract, (*play.cards, random.choice(play.playable)))


def test_a_whole_board_is_played_legally_and_the_same_again() -> None:
    deal = random_deal(7)
    contract = Contract.parse("1N by S")
    play = Play.of_contract(deal, contract)
    player = CardPlayer(samples=2)
    while play.to_play is not None:
        in_charge = contract.declarer if play.to_play == contract.declarer.partner else play.to_play
        dummy = deal.hand(contract.declarer.partner) if play.cards else None
        view = PlayView(contract, in_charge, deal.hand(in_charge), dummy, play.cards)
        card = player.card(view)
        assert card in play.playable and card == player.card(view)
        play = Play.of_contract(deal, contract, (*play.cards, card))


def test_a_card_is_chosen_by_what_is_left() -> None:
    deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    view = PlayView(Contract.parse("1N by E"), Seat.SOUTH, deal.hand("S"))
    led = CardPlayer(seed=1, samples=8).card(view)
    assert led in deal.hand("S") and led == CardPlayer(seed=1, samples=8).card(view)
    follow = PlayView(view.contract, Seat.NORTH, deal.hand("N"), deal.hand("W"), (Card("SK"), Card("SA")))
    assert CardPlayer(samples=4).card(follow) == Card("S6")  # the ace has won; the honours are worth keeping
