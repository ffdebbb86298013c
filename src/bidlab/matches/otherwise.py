"""A system's second thoughts: each of its decisions tried otherwise, bid on by the same system, and scored.

On every board, at every turn, the calls of other rules that almost held are made instead of the one that was
chosen; then all four seats bid on as they would. What that wins or loses is put down to the pair of rules:
the one that spoke, and the one that would have spoken. Partner believes the call that was tried, so that a
gain is one which the player could have had alone; what both could agree on together is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from bidlab.matches.sources import Source
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.meaning import Meaning
from bidlab.systems.book import Book
from bidlab.systems.rules import Rule
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidding import Boards, finished_tables
from bidlab.table.scoring import Scores, imp_array, scores
from bidlab.table.views import Calls

Rows = NDArray[np.intp]
Places = NDArray[np.object_]  # where rules stand: "books/sayc/rebids.bids:41", "judgement (game)"
_PORTION = 20_000  # trials that are bid together


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """Calls that were tried, a row each; `won` is IMPs of the caller against the call that was chosen."""

    board: Rows  # its row among the boards
    place: Rows  # of the call in the auction
    chosen: NDArray[np.uint8]
    tried: NDArray[np.uint8]
    chosen_by: Places
    tried_by: Places
    won: NDArray[np.int64]
    won_perfect: NDArray[np.int64]  # with perfect defence

    def __len__(self) -> int:
        return len(self.board)

    @classmethod
    def joined(cls, parts: list[Trials]) -> Trials:
        """The trials of several turns together."""
        columns = ([getattr(part, field.name) for part in parts] for field in fields(cls))
        return cls(*(np.concatenate(column) for column in columns))


def tried_otherwise(book: Book, boards: Boards, source: Source, misfit: float = 1.0) -> Trials:
    """All decisions of a system on some boards, each with every call of another rule that almost held.

    A rule almost holds if the hand is at most `misfit` standard deviations from its condition.
    """
    calls = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    before = _scored(boards, calls, source)
    parts = []
    for place in range(calls.shape[1]):
        going = np.flatnonzero(calls[:, place] != NO_CALL)
        found = list(_alternatives(book, boards, calls[:, : place + 1], going, misfit))
        for begin in range(0, len(found), _PORTION):
            rows, tried, chosen_by, tried_by = zip(*found[begin : begin + _PORTION], strict=True)
            board = np.array(rows)
            begun = np.concatenate([calls[board, :place], np.array(tried, dtype=np.uint8)[:, None]], axis=1)
            some = boards.rows(board)
            ends = book.bid(some.bits, some.dealers, some.vulnerable, np.ascontiguousarray(begun))
            signs = np.where((some.dealers + place) % 2 == 0, 1, -1)
            won = [
                imp_array((now - old[board]) * signs)
                for now, old in zip(_scored(some, ends, source), before, strict=True)
            ]
            names = (np.array(chosen_by, dtype=object), np.array(tried_by, dtype=object))
            at = np.full(len(board), place)
            parts.append(Trials(board, at, calls[board, place], begun[:, -1], *names, *won))
    return Trials.joined(parts)


def _scored(boards: Boards, calls: Calls, source: Source) -> tuple[Scores, Scores]:
    """Points from North-South's side, as bid and with perfect defence."""
    tables = finished_tables(boards, calls)
    tricks = source.tricks(tables)
    return scores(tables, tricks), scores(tables, tricks, perfect=True)


def _alternatives(
    book: Book, boards: Boards, calls: Calls, going: Rows, misfit: float
) -> Iterator[tuple[int, int, str, str]]:
    """Board, call, the rule that spoke and the one that almost did, for the last call of each board."""
    place = calls.shape[1] - 1
    before = np.ascontiguousarray(calls[going, :place])
    nodes = book.nodes(boards.dealers[going], boards.vulnerable[going], before)
    hands = boards.bits[going, (boards.dealers[going] + place) % 4]
    spoke = book.choose(nodes, hands)[0]
    order = np.argsort(nodes, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(nodes[order])) + 1):
        rules = book.position_at(int(nodes[group[0]])).rules
        for row, call, number in _almost(rules, hands[group], calls[going[group], place], misfit):
            here = group[row]
            yield int(going[here]), call, str(rules[spoke[here]].source), str(rules[number].source)


def _almost(
    rules: tuple[Rule, ...], hands: NDArray[np.uint64], made: NDArray[np.uint8], misfit: float
) -> Iterator[tuple[int, int, int]]:
    """Rows of hands, other calls, and of the rules that almost make them the one that fits best."""
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for number, rule in enumerate(rules):
        far = np.zeros(len(hands)) if rule.condition == ANYTHING else Meaning(rule.condition).misfit(hands)
        call = int(rule.call)
        for row in np.flatnonzero((far <= misfit) & (made != call)).tolist():
            fit = (float(far[row]), number)
            best[row, call] = min(best.get((row, call), fit), fit)
    for (row, call), (_, number) in best.items():
        yield row, call, number
