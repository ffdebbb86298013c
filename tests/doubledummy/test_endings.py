"""Endings of one to eight cards a hand beside a plain search that tries every legal card."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from bidlab.bridge.cards import CARDS, SEATS, STRAINS, SUITS, Card, Seat, Strain
from bidlab.bridge.hands import Deal, Hand
from bidlab.bridge.play import Play, trick_winner
from bidlab.doubledummy import Solver

Hands = tuple[frozenset[Card], ...]  # what is left to N E S W
Trick = tuple[Card, ...]


class PlainSearch:
    """Double dummy by the laws of play alone: every card that follows suit is tried, however alike.

    All it remembers is bounds on North-South's tricks for positions with exactly these cards between tricks.
    """

    def __init__(self, strain: Strain) -> None:
        self.strain = strain
        self.bounds: dict[tuple[Hands, Seat], tuple[int, int]] = {}

    def takes(self, count: int, hands: Hands, turn: Seat, trick: Trick) -> bool:
        """Whether North-South take at least so many of the tricks to come, the one in progress included."""
        left = len(hands[turn])
        least, most = (0, left) if trick else self.bounds.get((hands, turn), (0, left))
        if count <= least or count > most:
            return count <= least
        wanted = turn.is_north_south
        is_found = any(
            self.takes_after(card, count, hands, turn, trick) == wanted for card in legal(hands[turn], trick)
        )
        answer = is_found == wanted
        if not trick:
            self.bounds[hands, turn] = (count, most) if answer else (least, count - 1)
        return answer

    def takes_after(self, card: Card, count: int, hands: Hands, turn: Seat, trick: Trick) -> bool:
        """The same, if the player whose turn it is plays the card."""
        hands = (*hands[:turn], hands[turn] - {card}, *hands[turn + 1 :])
        trick = (*trick, card)
        if len(trick) < 4:
            return self.takes(count, hands, turn.next, trick)
        winner = turn.next.plus(trick_winner(trick, self.strain))
        return self.takes(count - winner.is_north_south, hands, winner, ())


def legal(held: frozenset[Card], trick: Trick) -> list[Card]:
    """The cards that may be played, highest first: a good order, nothing more."""
    following = [card for card in held if trick and card.suit == trick[0].suit]
    return sorted(following or held, reverse=True)


def is_worth(value: int, card: Card, play: Play, search: PlainSearch) -> bool:
    """Whether a card takes exactly so many tricks for the side that plays it."""
    hands, turn = hands_of(play.hands), play.to_play
    assert turn is not None
    north_souths = value if turn.is_north_south else len(hands[turn]) - value
    return search.takes_after(card, north_souths, hands, turn, play.trick) and not search.takes_after(
        card, north_souths + 1, hands, turn, play.trick
    )


def hands_of(bits: tuple[int, ...]) -> Hands:
    return tuple(frozenset(Hand(word)) for word in bits)


def endings(cards: int, count: int) -> Iterator[Play]:
    """Random positions with so many cards in the hand to play, most of them in the middle of a trick."""
    random = Random(100 * cards + count)
    for number in range(count):
        deal = hands_alike(cards, random) if number % 4 == 0 else hands_of_few_suits(cards, random)
        play = Play(deal, STRAINS[number % 5], random.choice(SEATS))
        for _ in range(random.choice([0, 0, 1, 2, 3])):
            play = Play(deal, play.strain, play.leader, (*play.cards, random.choice(play.playable)))
        yield play


def hands_of_few_suits(cards: int, random: Random) -> Deal:
    """Hands cut from two, three or four suits, shuffled well or badly: voids and ruffs abound."""
    suits = random.sample(SUITS, random.choice([n for n in (2, 3, 4, 4) if 13 * n >= 4 * cards]))
    pack = random.sample([card for card in CARDS if card.suit in suits], 4 * cards)
    disorder = random.choice([1.5, 3, 50])
    pack.sort(key=lambda card: card.suit + disorder * random.random())
    return Deal.of(Hand.of(pack[start : start + cards]) for start in range(0, 4 * cards, cards))


def hands_alike(cards: int, random: Random) -> Deal:
    """Hands of one shape, which the solver takes for one another when seats and suits change places."""
    lengths = [0, 0, 0, 0]
    for _ in range(cards):
        lengths[random.randrange(4)] += 1
    hands: list[list[Card]] = [[], [], [], []]
    for suit in SUITS:
        ranks = iter(random.sample(CARDS[13 * suit : 13 * suit + 13], cards))
        for seat in SEATS:
            hands[seat] += islice(ranks, lengths[(suit + seat) % 4])
    return Deal.of(map(Hand.of, hands))


def sizes(usual: list[tuple[int, int]], more: list[tuple[int, int]]) -> pytest.MarkDecorator:
    """Cards a hand and how many endings."""
    marked = [pytest.param(*size, marks=pytest.mark.full) for size in more]
    return pytest.mark.parametrize(("cards", "count"), [*usual, *marked])


@pytest.fixture(scope="module")
def solver() -> Solver:
    """One for endings of all sizes: what it has learnt of one must be right in the next."""
    return Solver()


@sizes(
    [(1, 100), (2, 400), (3, 400), (4, 400), (5, 150), (6, 24), (7, 5)],
    [(2, 5000), (3, 5000), (4, 5000), (5, 2000), (6, 500), (7, 100), (8, 3)],
)
def test_value_of_every_card(cards: int, count: int, solver: Solver) -> None:
    plays = list(endings(cards, count))
    values = solver.card_values(plays)
    assert values == Solver(warm=False).card_values(plays)
    for play, found in zip(plays, values, strict=True):
        search = PlainSearch(play.strain)
        assert tuple(found) == play.playable
        for card, value in found.items():
            assert is_worth(value, card, play, search), (play, card, value)


@sizes([(1, 40), (2, 40), (3, 40), (4, 20), (5, 4)], [(3, 1000), (4, 500), (5, 100), (6, 10)])
def test_all_20_results(cards: int, count: int, solver: Solver) -> None:
    deals = [play.deal for play in endings(cards, count)]
    for deal, table in zip(deals, solver.solve(deals), strict=True):
        hands = hands_of(deal.bits)
        for strain in STRAINS:
            search = PlainSearch(strain)
            for declarer in SEATS:
                tricks = int(table[strain, declarer])
                north_souths = tricks if declarer.is_north_south else cards - tricks
                assert search.takes(north_souths, hands, declarer.next, ()), (deal, strain, declarer)
                assert not search.takes(north_souths + 1, hands, declarer.next, ()), (deal, strain, declarer)
