"""Boards bid by a pair in training: practice, lessons in one situation, and trials of a network.

The pair sits North-South, whoever deals, and its opponents East-West. Both sides disclose what calls mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.registry import bidder
from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import SEATS
from bidlab.bridge.hands import Hand
from bidlab.learning.cotrain.lessons import Lessons, Student, ThoughtLike
from bidlab.matches.match import bid_both_tables
from bidlab.matches.sources import SeededBoards, Source
from bidlab.meaning.meaning import Meaning
from bidlab.systems.situations import Situation
from bidlab.table import SeatView
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidder import Bidder
from bidlab.table.bidding import Boards, finished_tables
from bidlab.table.scoring import imp_array, scores
from bidlab.table.views import ViewBatch

MakeStudent = Callable[[str], Student]  # of a system's file; can be sent to another process
Portion = tuple[int, int]  # the first board, and how many
Watch = Callable[[SeatView, ThoughtLike], None]
Gains = dict[Situation, tuple[int, float]]  # how often it came up, and the IMPs that look-ahead gained there


@dataclass(frozen=True, slots=True)
class Begun:
    """An auction on its way, with what its calls were said to mean."""

    auction: Auction
    told: tuple[Meaning | None, ...] = ()

    def after(self, call: Call, meaning: Meaning | None) -> Begun:
        """The same with one call more."""
        return Begun(self.auction.after(call), (*self.told, meaning))

    def view(self, hands: NDArray[np.uint64]) -> SeatView:
        """What the player to call sees."""
        told = self.told if any(one is not None for one in self.told) else ()
        return SeatView(Hand(int(hands[self.auction.turn])), self.auction, told)


@dataclass(frozen=True, slots=True)
class Seating:
    """The pair at North-South and its opponents at East-West."""

    pair: Student
    opponents: Bidder

    def called(self, begun: Begun, hands: NDArray[np.uint64], watch: Watch | None = None) -> Begun:
        """An auction with the next call; `watch` sees what the pair thought of it."""
        view = begun.view(hands)
        if not view.seat.is_north_south:
            return begun.after(*self._answer(view))
        thought = self.pair.consider(view)
        if watch is not None:
            watch(view, thought)
        return begun.after(thought.call, self.pair.shown(view, thought.call))

    def _answer(self, view: SeatView) -> tuple[Call, Meaning | None]:
        """What the opponents call, and what they say of it; reasons are not asked for."""
        made = self.opponents.decide_many(ViewBatch.of([view]))
        return CALLS[made.calls[0]], None if made.meanings is None else made.meanings[0]

    def finished(self, begun: Begun, hands: NDArray[np.uint64], watch: Watch | None = None) -> Auction:
        """An auction bid to its end."""
        while not begun.auction.is_ended:
            begun = self.called(begun, hands, watch)
        return begun.auction

    def at(self, situation: Situation, start: Begun, hands: NDArray[np.uint64]) -> Begun | None:
        """The auction when the pair first comes to a situation; None where it does not."""
        for passes in range(4):
            calls = (Call.PASS,) * passes + situation.calls
            if start.auction.dealer.plus(len(calls)).is_north_south:
                begun = self._followed(start, calls, hands)
                if begun is not None:
                    return begun
        return None

    def _followed(self, start: Begun, calls: tuple[Call, ...], hands: NDArray[np.uint64]) -> Begun | None:
        """The auction of these calls if they are made with these hands.

        The pair thinks last: most boards leave the way at a call that it takes no thought to know.
        """
        begun, own = start, []
        for call in calls:
            view = begun.view(hands)
            if view.seat.is_north_south:
                if call not in self.pair.proposed(view):
                    return None
                own.append((view, call))
                meaning = self.pair.shown(view, call)
            else:
                made, meaning = self._answer(view)
                if made != call:
                    return None
            begun = begun.after(call, meaning)
        return begun if all(self.pair.consider(view).call == call for view, call in own) else None


def starts(boards: Boards) -> Iterator[tuple[Begun, NDArray[np.uint64]]]:
    """The beginning of each board's auction, and its four hands."""
    sides = zip(boards.dealers.tolist(), boards.vulnerable.tolist(), strict=True)
    for (dealer, vulnerable), hands in zip(sides, boards.bits, strict=True):
        yield Begun(Auction(SEATS[dealer], VULNERABILITIES[vulnerable])), hands


# What workers do, a portion of boards at a time.


def practise(seating: Seating, boards: Boards) -> Gains:
    """What look-ahead gained in each situation that the pair came to."""
    found: Gains = {}

    def watch(view: SeatView, thought: ThoughtLike) -> None:
        situation = Situation.of(view.auction)
        count, gain = found.get(situation, (0, 0.0))
        found[situation] = (count + 1, gain + thought.gain)

    for begun, hands in starts(boards):
        seating.finished(begun, hands, watch)
    return found


def lessons_in(situation: Situation, seating: Seating, boards: Boards) -> Lessons:
    """What the pair thinks in a situation, on those boards where it comes to it."""
    found = []
    for start, hands in starts(boards):
        begun = seating.at(situation, start, hands)
        if begun is not None:
            view = begun.view(hands)
            found.append(Lessons.of(view.hand, seating.pair.consider(view)))
    return Lessons.none().and_more(found)


def tried_in(
    situation: Situation, before: Seating, after: Seating, boards: Boards, source: Source
) -> NDArray[np.int64]:
    """IMPs of a pair with a new network over the same pair without it, on boards that come to its situation.

    Up to there the pair bids without the network, so that both go on from the same auction.
    """
    rows: list[int] = []
    ends: list[tuple[Auction, Auction]] = []
    for row, (start, hands) in enumerate(starts(boards)):
        begun = before.at(situation, start, hands)
        if begun is not None:
            rows.append(row)
            ends.append((after.finished(_read_by(after, begun, hands), hands), before.finished(begun, hands)))
    if not rows:
        return np.zeros(0, dtype=np.int64)
    some = boards.rows(np.array(rows, dtype=np.intp))
    new, old = (_points(some, [pair[which] for pair in ends], source) for which in (0, 1))
    return imp_array(new - old)


def _read_by(seating: Seating, begun: Begun, hands: NDArray[np.uint64]) -> Begun:
    """An auction with the pair's calls told as its new text reads them."""
    again = Begun(Auction(begun.auction.dealer, begun.auction.vulnerable))
    for call, meaning in zip(begun.auction.calls, begun.told, strict=True):
        view = again.view(hands)
        again = again.after(call, seating.pair.shown(view, call) if view.seat.is_north_south else meaning)
    return again


def _points(boards: Boards, auctions: list[Auction], source: Source) -> NDArray[np.int32]:
    """North-South's points, double dummy."""
    calls = np.full((len(auctions), max(map(len, auctions))), NO_CALL, dtype=np.uint8)
    for row, auction in zip(calls, auctions, strict=True):
        row[: len(auction)] = auction.calls
    tables = finished_tables(boards, calls)
    return scores(tables, source.tricks(tables))


# Their work, each in a process of its own.


@contextmanager
def _seated(make: MakeStudent, file: str, opponents: str) -> Iterator[Seating]:
    with closing(make(file)) as pair, closing(bidder(opponents)) as others:
        yield Seating(pair, others)


@contextmanager
def practising(
    make: MakeStudent, file: str, opponents: str, seed: int
) -> Iterator[Callable[[Portion], Gains]]:
    """The work of practice on boards of a seed."""
    with _seated(make, file, opponents) as seating:
        source = SeededBoards(seed)
        yield lambda portion: practise(seating, source.boards(*portion))


@contextmanager
def learning(
    make: MakeStudent, file: str, opponents: str, seed: int, situation: Situation
) -> Iterator[Callable[[Portion], Lessons]]:
    """The work of lessons in one situation."""
    with _seated(make, file, opponents) as seating:
        source = SeededBoards(seed)
        yield lambda portion: lessons_in(situation, seating, source.boards(*portion))


@contextmanager
def trying(
    make: MakeStudent, files: tuple[str, str], opponents: str, seed: int, situation: Situation
) -> Iterator[Callable[[Portion], NDArray[np.int64]]]:
    """The work of a trial: the files without the new network, and with it."""
    with _seated(make, files[0], opponents) as before, _seated(make, files[1], opponents) as after:
        source = SeededBoards(seed)
        yield lambda portion: tried_in(situation, before, after, source.boards(*portion), source)


@contextmanager
def measuring(
    make: MakeStudent, file: str, control: str, source: Source
) -> Iterator[Callable[[Portion], NDArray[np.int64]]]:
    """The work of a match against a control pair, at two tables; IMPs of the pair in training."""
    with _seated(make, file, control) as seating:
        sides = (cast("Bidder", seating.pair), seating.opponents)

        def swings(portion: Portion) -> NDArray[np.int64]:
            boards = source.boards(*portion)
            return bid_both_tables(sides, boards, source).swings

        yield swings


def thinker(name: Callable[[str], str], file: str) -> Student:
    """A student by name: the thinker of a system's file."""
    return cast("Student", bidder(name(file)))


def thinkers(name: Callable[[str], str]) -> MakeStudent:
    """What makes students in any process."""
    return partial(thinker, name)
