"""The replacement operators of Woolever 2001, section 4.1: each does what it says and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from bidlab.bridge.errors import BidlabError
from bidlab.systems.webb import Operator, Population, WebbState, WebbSystem, offspring, random_population

STATES, ENTRIES, CHILDREN = 3, 8, 300
ONE, TWO = random_population(2, states=STATES, entries=ENTRIES, seed=11).systems


def children(how: Operator, parent: WebbSystem = ONE, other: WebbSystem = TWO) -> list[WebbSystem]:
    return [offspring(how, parent, other, seed=5, number=i) for i in range(CHILDREN)]


def arrays(systems: list[WebbSystem]) -> tuple[np.ndarray, np.ndarray]:
    population = Population.of(systems)
    return population.words, population.transitions


@pytest.mark.parametrize("how", Operator)
def test_child_depends_on_seed_and_number_alone(how: Operator) -> None:
    assert children(how) == children(how)
    assert len(set(children(how))) > 5
    assert offspring(how, ONE, TWO, seed=5, number=3) != offspring(how, ONE, TWO, seed=6, number=4)


def test_bit_mutation_changes_one_bit_in_256() -> None:
    words, transitions = arrays(children(Operator.BIT_MUTATION))
    changed = np.bitwise_count(words ^ arrays([ONE])[0])
    assert changed.mean() / 32 == pytest.approx(1 / 256, rel=0.1)
    assert 0 < (transitions != arrays([ONE])[1]).mean() < 3 / 256


def test_entry_mutation_changes_one_entry_in_16_and_no_transition() -> None:
    words, transitions = arrays(children(Operator.ENTRY_MUTATION))
    assert (words != arrays([ONE])[0]).mean() == pytest.approx(1 / 16, rel=0.15)
    assert (transitions == arrays([ONE])[1]).all()


def test_transition_mutation_replaces_one_in_16_and_no_entry() -> None:
    words, transitions = arrays(children(Operator.TRANSITION_MUTATION))
    assert (words == arrays([ONE])[0]).all()
    # Of the new ones one in three is the old one.
    assert (transitions != arrays([ONE])[1]).mean() == pytest.approx(2 / 3 / 16, rel=0.15)


# Insertion and deletion, by where every decision led.


def rewritten(program: tuple[int, ...], moved: Callable[[int], int]) -> Iterator[tuple[int, int]]:
    """Entries at their new places, each decision leading to where its target moved."""
    for at, word in enumerate(program):
        new = word
        if word >> 31:
            jump = 1 + (word >> 24 & 127) % ENTRIES
            target = at + jump
            wanted = (moved(target) if target < ENTRIES else target) - moved(at)
            if wanted != jump and 1 <= wanted <= ENTRIES:
                new = word & 0x80FFFFFF | (wanted - 1) << 24
        yield moved(at), new


def with_inserted(program: tuple[int, ...], at: int, word: int) -> tuple[int, ...]:
    placed = dict(rewritten(program, lambda i: i + (i >= at))) | {at: word}
    return tuple(placed[i] for i in range(ENTRIES))


def with_deleted(program: tuple[int, ...], at: int, word: int) -> tuple[int, ...]:
    pairs = list(rewritten(program, lambda i: i - (i > at)))
    placed = dict(pairs[:at] + pairs[at + 1 :]) | {ENTRIES - 1: word}
    return tuple(placed[i] for i in range(ENTRIES))


def changed_state(child: WebbSystem) -> tuple[WebbState, WebbState]:
    """The one state in which a child differs, before and after."""
    differing = [pair for pair in zip(ONE.states, child.states, strict=True) if pair[0] != pair[1]]
    assert len(differing) == 1
    before, after = differing[0]
    assert (before.transitions, before.inherits) == (after.transitions, after.inherits)
    return before, after


def test_insertion_keeps_what_decisions_lead_to() -> None:
    places = set()
    for child in children(Operator.ENTRY_INSERTION):
        before, after = changed_state(child)
        found = [
            at
            for at in range(ENTRIES)
            if with_inserted(before.program, at, after.program[at]) == after.program
        ]
        assert found
        places.update(found)
    assert places == set(range(ENTRIES))


def test_deletion_keeps_what_decisions_lead_to() -> None:
    places = set()
    for child in children(Operator.ENTRY_DELETION):
        before, after = changed_state(child)
        last = after.program[-1]
        found = [at for at in range(ENTRIES) if with_deleted(before.program, at, last) == after.program]
        assert found
        places.update(found)
    assert places == set(range(ENTRIES))


# Crossovers.


def test_bitwise_crossover_takes_each_bit_from_a_parent() -> None:
    words, transitions = arrays(children(Operator.BITWISE_CROSSOVER))
    (one, two), _ = arrays([ONE, TWO])
    assert (((words ^ one) & (words ^ two)) == 0).all()
    from_one = np.bitwise_count((words ^ two) & (one ^ two)).sum()
    assert from_one / (CHILDREN * np.bitwise_count(one ^ two).sum()) == pytest.approx(0.5, abs=0.02)
    assert (transitions < STATES).all()


def test_entry_crossover_takes_entries_and_transitions_whole() -> None:
    words, transitions = arrays(children(Operator.ENTRY_CROSSOVER))
    (one, two), (first, second) = arrays([ONE, TWO])
    assert ((words == one) | (words == two)).all()
    assert ((transitions == first) | (transitions == second)).all()
    assert (words == one).mean() == pytest.approx(0.5, abs=0.03)


def test_state_crossover_takes_states_whole() -> None:
    found = children(Operator.STATE_CROSSOVER)
    for child in found:
        for state, one, two in zip(child.states, ONE.states, TWO.states, strict=True):
            assert state in (one, two)
    assert len(set(found)) == 2**STATES


def test_state_adoption_takes_one_state_of_the_other_to_any_place() -> None:
    wanted = {
        WebbSystem((*ONE.states[:to], state, *ONE.states[to + 1 :]))
        for to in range(STATES)
        for state in TWO.states
    }
    assert set(children(Operator.STATE_ADOPTION)) == wanted


def test_parents_of_different_forms_have_no_child() -> None:
    small = random_population(1, states=2, entries=ENTRIES, seed=1).system(0)
    with pytest.raises(BidlabError, match="with 2 forms"):
        offspring(Operator.STATE_CROSSOVER, ONE, small, seed=1, number=1)
