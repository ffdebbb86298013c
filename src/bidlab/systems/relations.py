"""What the relative words of a rule stand for at one point of an auction, from its state.

Only what is asked for is read from the state, at the moment when it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from bidlab.bridge.cards import SUITS, Suit
from bidlab.meaning.relative import NoSuchSuitError
from bidlab.systems.state import State
from bidlab.systems.variables import Bindings, bound_suit, is_variable

Answer = Suit | tuple[int, ...] | tuple[Suit, ...]


def fourth_suit(state: State) -> Suit | None:
    """The only suit that our side has not bid, if three were bid."""
    ours = {*state.our_suits, state.my_suit, state.partner_suit}
    others = [suit for suit in SUITS if suit not in ours]
    return others[0] if len(others) == 1 else None


def role_suit(name: str, state: State) -> Suit | None:
    """The suit that plays a part: `partner's suit`, `the agreed suit`; None where none does."""
    match name:
        case "partner's suit":
            return state.partner_suit
        case "my suit":
            return state.my_suit
        case "their suit":
            return state.their_suit
        case "the agreed suit":
            return state.agreed
        case "the fourth suit":
            return fourth_suit(state)
    return Suit(name)


def answer(question: str, bindings: Bindings, state: State) -> Answer | None:
    """What a state says to a question of the reader of conditions; None where there is no such suit."""
    numbers, _, name = question.partition(" in ")
    if name:  # of one suit only
        suit = suit_named(name, bindings, state)
        return None if suit is None else (_partners_numbers(numbers, state)[suit],)
    match question:
        case "unbid suits":
            return tuple(state.unbid_suits)
        case "their suits":
            return tuple(state.their_suits)
        case "my points":
            return tuple(state.me.hcp)
        case "partner's points":
            return (state.partner.hcp[0],)
        case "partner's expected points":
            return (state.partner.mean,)
    if question in _BY_SUIT:
        return tuple(_partners_numbers(question, state))
    return role_suit(question, state)


_BY_SUIT = {
    "partner's lengths": "least",
    "partner's expected support": "worth",
    "partner's expected lengths": "likely",
}


def _partners_numbers(question: str, state: State) -> Sequence[int]:
    numbers: Sequence[int] = getattr(state.partner, _BY_SUIT[question])
    return numbers


def suit_named(name: str, bindings: Bindings, state: State) -> Suit | None:
    """The suit of a variable, a role or a word."""
    return bound_suit(name, bindings) if is_variable(name) else role_suit(name, state)


class Answers:
    """A relation of given answers, which notes what was asked."""

    def __init__(self, bindings: Bindings, answers: dict[str, Answer | None]) -> None:
        self.bindings = bindings
        self.answers = answers
        self.asked: list[str] = []

    def suit(self, name: str) -> Suit | None:
        """The suit of a variable or a role."""
        if is_variable(name):
            return bound_suit(name, self.bindings)
        found = self._answer(name)
        if found is None:
            raise NoSuchSuitError(name)
        assert isinstance(found, Suit)
        return found

    def suits(self, name: str) -> tuple[Suit, ...]:
        """The unbid or their suits."""
        found = self._answer(name)
        assert isinstance(found, tuple)
        return tuple(Suit(suit) for suit in found)

    def numbers(self, name: str) -> tuple[int, ...]:
        """Points or lengths shown."""
        found = self._answer(name)
        assert isinstance(found, tuple)
        return tuple(int(number) for number in found)

    def _answer(self, name: str) -> Answer | None:
        if name not in self.asked:
            self.asked.append(name)
        if self.answers is IMAGINED and " in " in name:
            return (4,)
        return self.answers[name]


# For reading a condition once when a file is loaded: some suit for every part, what nobody has shown yet.
IMAGINED: dict[str, Answer | None] = {
    "partner's suit": Suit.HEARTS,
    "my suit": Suit.SPADES,
    "their suit": Suit.DIAMONDS,
    "the agreed suit": Suit.HEARTS,
    "the fourth suit": Suit.CLUBS,
    "unbid suits": (Suit.CLUBS, Suit.SPADES),
    "their suits": (Suit.DIAMONDS,),
    "my points": (12, 21),
    "partner's points": (6,),
    "partner's lengths": (2, 2, 4, 2),
    "partner's expected points": (8,),
    "partner's expected support": (8, 8, 9, 8),
    "partner's expected lengths": (3, 3, 5, 3),
}
