"""Where two bidders part, counted by the auction before and by both calls."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from tests.matches.players import Pointer

from bidlab.bidders.simple import PassBidder
from bidlab.library import library
from bidlab.matches.match import MatchResult, play_match
from bidlab.matches.partings import partings
from bidlab.matches.sources import LibraryBoards


@pytest.fixture(scope="module")
def found() -> MatchResult:
    return play_match(lambda: Pointer(15), PassBidder, LibraryBoards(library("tune")), 400)


def test_every_board_that_was_not_bid_alike_is_put_down_to_one_choice(found: MatchResult) -> None:
    """One auction after the other, in plain Python."""
    wanted = defaultdict(list)
    for part in found.parts:
        one, other = np.split(part.calls, 2)
        for row in range(len(part.boards)):
            tables = [[call for call in calls[row].tolist() if call != 255] for calls in (one, other)]
            if tables[0] == tables[1]:
                continue
            place = next(i for i, pair in enumerate(zip(*tables, strict=False)) if pair[0] != pair[1])
            before = tables[0][:place]
            while before[:1] == [0]:
                before = before[1:]
            is_north_south = (int(part.boards.dealers[row]) + place) % 2 == 0
            own, others = (0, 1) if is_north_south else (1, 0)
            key = (tuple(before), tables[own][place], tables[others][place])
            wanted[key].append((int(part.boards.numbers[row]), int(part.swings[row])))
    made = partings(found, least=1)
    assert {(one.before, one.first, one.second) for one in made} == set(wanted)
    for one in made:
        boards = wanted[one.before, one.first, one.second]
        assert sorted(one.boards) == sorted(number for number, _ in boards)
        assert one.total == pytest.approx(sum(swing for _, swing in boards))
    assert sum(len(one.boards) for one in made) > 50


def test_only_what_recurs_is_shown_and_the_dearest_first(found: MatchResult) -> None:
    made = partings(found, least=10)
    assert made and all(len(one.boards) >= 10 for one in made)
    costs = [one.total + one.swings.stderr * len(one.boards) for one in made]
    assert costs == sorted(costs)


def test_a_bidder_never_parts_from_itself() -> None:
    alike = play_match(PassBidder, PassBidder, LibraryBoards(library("tune")), 50)
    assert partings(alike, least=1) == ()
