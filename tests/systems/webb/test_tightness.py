"""Feature inferencing against all hands: every shape with every strength that a program tells apart."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.systems.webb import twin
from tests.systems.webb.populations import Systems, random_systems

from bidlab.bridge.cards import Suit
from bidlab.systems.webb import Bid, Decision, Population, WebbState, WebbSystem, word_of

ONE_SPADE = 6
SHAPES = [
    (clubs, diamonds, hearts, 13 - clubs - diamonds - hearts)
    for clubs, diamonds, hearts in product(range(14), repeat=3)
    if clubs + diamonds + hearts <= 13
]


def opening_boxes(system: twin.System) -> dict[int, twin.Box]:
    """For each call that some hand opens with the smallest box around all such hands, by trying them.

    Strengths between two that the program tells apart are alike, so that the ends of such ranges are all.
    """
    steps = twin.started(system, system, 0).steps()
    ends = {0, 449}
    for step in steps:
        if step.test is not None and step.test[0] == 0:
            _, least, most = step.test
            ends |= {least - 1, least, most, most + 1}
    boxes: dict[int, twin.Box] = {}
    for strength, shape in product(sorted(end for end in ends if 0 <= end <= 449), SHAPES):
        own = (strength, *shape)
        call = twin.chosen(steps, own)
        found = twin.hull(boxes.get(call), tuple((value, value) for value in own))
        assert found is not None
        boxes[call] = found
    return boxes


def inferred(systems: Systems, number: int, call: int) -> twin.Box | None:
    """What the kernel infers from an opening; None where it says that no hand makes it."""
    known, made, _ = systems.native().follow(number, number, 0, np.array([call], dtype=np.uint8))
    if not made[0]:
        return None
    return tuple((least, most) for least, most in known[1, 0].tolist())


def test_openings_exclude_no_hand_and_are_mostly_as_tight_as_a_box_can_be() -> None:
    systems = random_systems(60, 2, 8, 21, inheritance=1, apt=True)
    tight = loose = 0
    for number in range(60):
        for call, box in opening_boxes(systems.twin(number)).items():
            found = inferred(systems, number, call)
            assert found is not None and twin.hull(found, box) == found, (number, call)
            tight += found == box
            loose += found != box
    assert tight > 9 * loose


def one_way(seed: int) -> WebbSystem:
    """A system whose 1S has one way to it: decisions that all lead to the pass at the end, or go on."""
    random = np.random.default_rng(seed)
    entries: list[Decision | Bid] = []
    for jump in range(7, 1, -1):
        suit = None if random.random() < 0.3 else Suit(int(random.integers(4)))
        constant = int(random.integers(60, 200) if suit is None else random.integers(2, 6))
        entries.append(Decision(suit, constant, jump, is_at_most=bool(random.random() < 0.5)))
    return WebbSystem((WebbState.of([*entries, Bid.direct("1S"), Bid.passing()], {}),), inheritance=0)


@pytest.mark.parametrize("seed", range(40))
def test_one_way_to_a_call_gives_bounds_that_hands_reach(seed: int) -> None:
    population = Population.of([one_way(seed)])
    systems = Systems(population.words, population.transitions, population.inheritance)
    assert inferred(systems, 0, ONE_SPADE) == opening_boxes(systems.twin(0)).get(ONE_SPADE)


def test_word_of_a_decision_is_the_twins() -> None:
    word = word_of(Decision(None, 183, jump=3))
    assert twin.test_of(word, 0, [twin.WHOLE] * 4) == (0, 183, twin.FAR)
