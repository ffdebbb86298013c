"""Systems that evolved, written in the system language: the same calls on any board."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.systems.webb.populations import random_systems

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import BidlabError
from bidlab.dealing import deal_bits
from bidlab.systems.book import Book
from bidlab.systems.situations import sequence_text
from bidlab.systems.system import System
from bidlab.systems.tree import whole_steps
from bidlab.systems.webb import Population, WebbSystem, random_population, writing
from bidlab.systems.webb.options import OPTIONS
from bidlab.systems.webb.page import common_auctions
from bidlab.systems.webb.programs import programs_text
from bidlab.systems.webb.writing import Tree, common_tree, reached_tree, system_text

BRED = Path(__file__).parents[2] / "bidders" / "files" / "evolved.json"


def bred() -> WebbSystem:
    return WebbSystem.from_json(BRED.read_text())


@cache
def bred_tree() -> Tree:
    return reached_tree(bred(), 500)


def native_auctions(
    system: WebbSystem, deals: np.ndarray, dealers: np.ndarray, vulnerable: np.ndarray | None = None
) -> list[list[int]]:
    nobody = np.zeros(len(deals), dtype=np.int32)
    native = Population.of([system]).native
    starts, calls = native.auctions(nobody, nobody, deals, dealers, vulnerable=vulnerable)
    return [calls[begin:end].tolist() for begin, end in pairwise(starts)]


def differing(system: WebbSystem, tree: Tree, boards: int, seed: int) -> int:
    """Boards on which the written system bids otherwise than the program."""
    rng = np.random.default_rng(seed)
    deals = deal_bits(boards, seed=seed)
    dealers, vulnerable = rng.integers(0, 4, (2, boards), dtype=np.uint8)
    book = Book(System.parse(system_text(tree, "Evolved", "for a test"), "evolved.bids"))
    written = [row[row != 255].tolist() for row in book.bid(deals, dealers, vulnerable)]
    bid = native_auctions(system, deals, dealers, vulnerable)
    return sum(a != b for a, b in zip(written, bid, strict=True))


def apt(count: int, states: int, entries: int, seed: int) -> tuple[WebbSystem, ...]:
    """Random systems that ask at constants which tell hands apart."""
    drawn = random_systems(count, states, entries, seed, apt=True)
    return Population(drawn.words, drawn.transitions, drawn.inheritance).systems


def test_a_bred_system_bids_the_same_when_it_is_written() -> None:
    assert differing(bred(), bred_tree(), 500, seed=3) == 0


@pytest.mark.parametrize(("states", "entries"), [(4, 8), (8, 16), (1, 1), (3, 5)])
def test_random_systems_bid_the_same_when_they_are_written(states: int, entries: int) -> None:
    for system in random_population(1, states=states, entries=entries, seed=5).systems:
        assert differing(system, reached_tree(system, 500), 500, seed=4) == 0


def test_systems_with_options_bid_the_same_at_every_vulnerability_when_they_are_written() -> None:
    for system in random_population(2, states=4, entries=8, seed=5, options=OPTIONS).systems:
        assert differing(system, reached_tree(system, 500), 500, seed=4) == 0


def test_systems_that_tell_hands_apart_bid_the_same_when_they_are_written() -> None:
    for system in apt(3, 4, 8, seed=2):
        assert differing(system, reached_tree(system, 500), 500, seed=5) == 0


@pytest.mark.full
@pytest.mark.parametrize(("states", "entries"), [(4, 8), (8, 16)])
def test_many_systems_bid_the_same_on_10_000_boards_when_they_are_written(states: int, entries: int) -> None:
    for system in (bred(), *random_population(12, states=states, entries=entries, seed=5).systems):
        tree = reached_tree(system, 500)
        if len(tree.points) < 10_000:
            assert differing(system, tree, 10_000, seed=6) == 0


def test_the_tree_has_every_point_that_auctions_come_to() -> None:
    deals = deal_bits(2000, seed=8)
    for system in (bred(), *apt(2, 4, 8, seed=7)):
        there = {point.calls for point in reached_tree(system, 500).points}
        for calls in native_auctions(system, deals, np.zeros(len(deals), dtype=np.uint8)):
            assert all(tuple(calls[:length]) in there for length in range(len(calls)))


def test_a_sequence_without_the_passes_that_go_without_saying_is_the_same_sequence() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        auction = Auction("N", "none", "1C" if rng.random() < 0.5 else "2D")
        while len(auction) < rng.integers(1, 14) or auction.is_ended:
            legal = [call for call in auction.legal_calls() if call < Call("5C")]
            after = auction.after(
                legal[int(rng.integers(0, len(legal)))] if rng.random() < 0.6 else Call.PASS
            )
            auction = Auction("N", "none", "1C") if after.is_ended else after
        text = sequence_text([int(call) for call in auction.calls])
        (section,) = System.parse(f"{text}\n  P").sections
        steps, _ = whole_steps(section.header.steps)
        assert [step.calls[0].call for step in steps] == list(auction.calls), text
        assert [step.is_ours for step in steps] == [
            (len(auction) - place) % 2 == 0 for place in range(len(auction))
        ]


def test_judgement_has_nothing_to_say_in_a_written_system() -> None:
    book = Book(System.parse(system_text(bred_tree(), "Evolved", "for a test")))
    for calls in ("", "1H P", "1S X P P", "P P P"):
        rules = book.position(Auction("N", "none", calls)).rules
        assert all("judgement" not in str(rule.source) for rule in rules)


def test_common_auctions_fit_on_a_page() -> None:
    page = common_auctions(reached_tree(bred(), 5000))
    assert 10 <= len(page) <= 56
    assert page[0].startswith("opening")
    assert max(map(len, page)) <= 110


def test_a_system_of_too_many_points_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST_POINTS", 100)
    with pytest.raises(BidlabError, match="more than 100 points"):
        reached_tree(bred())


def test_a_system_with_too_many_points_bids_the_same_by_its_programs() -> None:
    """The common points are written as rules; the rest is left to programs in the same text."""
    with_options = random_population(1, states=4, entries=8, seed=5, options=OPTIONS).systems
    for system in (bred(), *with_options):
        tree = common_tree(system, 400)
        assert len(tree.points) < len(reached_tree(system, 100).points)
        assert differing(system, tree, 300, seed=9) == 0


def test_programs_are_read_as_they_were_written() -> None:
    for options in ((), OPTIONS):
        (system,) = random_population(1, states=3, entries=5, seed=2, options=options).systems
        read = System.parse("\n".join(programs_text(system))).programs
        assert read is not None and read.system == system


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("programs", "where 'programs"),
        ("programs inherit many", "'programs inherit many' where 'programs inherit 3'"),
        ("programs inherit 3\n  state 4", "text:2:3: a state is wanted"),
        ("programs inherit 3\n  state inherits 0 to 0 0\n    00000000", "2 transitions: 38 are wanted"),
        (
            f"programs inherit 3\n  state inherits 0 to {' 0' * 38}\n    tom",
            "text:3:5: 'tom' where an entry of eight",
        ),
        ("programs inherit 3 with luck", "no option 'luck'"),
    ],
)
def test_programs_that_cannot_be_read_are_told_with_their_place(text: str, said: str) -> None:
    with pytest.raises(BidlabError, match="text:") as raised:
        System.parse(text)
    assert said in str(raised.value) or said == "where 'programs"
    assert "\n" not in str(raised.value)
