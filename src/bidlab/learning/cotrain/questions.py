"""What a decision network may ask of a hand: questions that the system language can say.

Points, the length of each suit, whether it is the longest, balanced; and by what was bid: points in support
of partner's suits, stoppers in theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SUITS, Strain, Suit
from bidlab.meaning.conditions import Condition, Longer, Not, Range, ShapeWord, all_of
from bidlab.meaning.features import HCP, Feature, feature_table, length, of_suit
from bidlab.meaning.meaning import Meaning
from bidlab.systems.situations import Situation


@dataclass(frozen=True, slots=True)
class Question:
    """A number that a hand has, or whether a condition holds for it."""

    about: Feature | Condition

    def values(self, hands: NDArray[np.uint64], table: NDArray[np.int32]) -> NDArray[np.float32]:
        """The number of each hand, 0 or 1 for a condition; `table` has the features of the hands."""
        if isinstance(self.about, Feature):
            return table[:, self.about.number].astype(np.float32)
        return Meaning(self.about).admits(hands).astype(np.float32)

    def at_most(self, bound: float) -> Condition:
        """The hands whose number is not above a bound."""
        if not isinstance(self.about, Feature):
            return Not(self.about)
        return Range(self.about, self.about.least, int(np.floor(bound)))

    def above(self, bound: float) -> Condition:
        """The hands whose number is."""
        if not isinstance(self.about, Feature):
            return self.about
        return Range(self.about, int(np.floor(bound)) + 1, self.about.most)


def questions_of(situation: Situation) -> tuple[Question, ...]:
    """What is asked in a situation."""
    features = [HCP, *(length(suit) for suit in SUITS)]
    ours, theirs = _suits(situation)
    features += [of_suit("support", suit) for suit in ours]
    features += [of_suit("stopper", suit) for suit in theirs]
    shapes: list[Condition] = [ShapeWord("balanced"), *(_longest(suit) for suit in SUITS)]
    return tuple(Question(one) for one in (*features, *shapes))


def _longest(suit: Suit) -> Condition:
    return all_of(Longer(suit, other, 0) for other in SUITS if other != suit)


def _suits(situation: Situation) -> tuple[list[Suit], list[Suit]]:
    """The suits that partner has bid, and those that they have."""
    partners: list[Suit] = []
    theirs: list[Suit] = []
    for place, call in enumerate(situation.calls):
        if call.is_bid and call.strain != Strain.NOTRUMP:
            back = len(situation.calls) - place  # 1: the right-hand opponent's last turn, 2: partner's
            suits = partners if back % 4 == 2 else theirs if back % 2 else []
            suits.append(Suit(int(call.strain)))
    return list(dict.fromkeys(partners)), list(dict.fromkeys(theirs))


def answers(questions: Sequence[Question], hands: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Array [hand, question]."""
    table = feature_table(hands)
    return np.column_stack([question.values(hands, table) for question in questions])
