"""What auctions come to on the deals they were imagined on, solved no more than it takes.

A deal on which all calls end in the same contract says nothing, and is not solved. Where they end in
contracts of one declarer in one strain, "does the highest make?" is asked first: if it does, further tricks
would count the same for all. Everything else is solved for the tricks of just those declarers and strains,
equal deals once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Solver as _NativeSolver
from bidlab.doubledummy.guessing import Guesser, guesser
from bidlab.table.auctions import contracts_of
from bidlab.table.scoring import contract_scores
from bidlab.table.views import Calls

Contracts = NDArray[np.uint8]  # [.., the last bid or 0, doubled, declarer]
Points = NDArray[np.int32]
UNKNOWN = 255
_NO_LIMIT = (1 << 64) - 1


def reached(dealer: int, calls: Calls) -> Contracts:
    """The contracts of finished auctions, a row each."""
    return np.column_stack(contracts_of(calls, np.full(len(calls), dealer, dtype=np.uint8)))


@dataclass(slots=True)
class Bench:
    """Solves contracts of imagined deals, and counts what that cost."""

    solver: _NativeSolver
    guesser: Guesser | None = None  # tricks are guessed, where there is one
    solved: int = 0
    asked: int = 0

    @classmethod
    def made(cls, *, repeatable: bool = False, guesses: bool = False) -> Bench:
        """One with a solver of its own; the nodes it counts are `repeatable` only if that keeps nothing."""
        return cls(_NativeSolver(1, 256 << 20, not repeatable), guesser() if guesses else None)

    @property
    def nodes(self) -> int:
        """Positions that were looked at so far."""
        return int(self.solver.effort()["nodes"])

    def scores(
        self, deals: NDArray[np.uint64], vulnerable: int, contracts: Contracts, left: int | None = None
    ) -> tuple[Points, Points, NDArray[np.bool_]]:
        """Points [call, deal] of North-South, as bid and with perfect defence, and which deals count.

        Only differences between calls mean something: a deal that all calls treat alike is not solved. A deal
        whose tricks were not found with the `left` positions does not count.
        """
        tricks = self._tricks(deals, contracts, left)
        is_known = (tricks != UNKNOWN).all(axis=0)
        found = np.where(tricks == UNKNOWN, 0, tricks).astype(np.uint8)
        sides = np.full(found.shape, vulnerable, dtype=np.uint8)
        plain, perfect = (
            contract_scores(contracts, sides, found, perfect=with_doubles) for with_doubles in (False, True)
        )
        return plain, perfect, is_known

    def points(
        self, deals: NDArray[np.uint64], vulnerable: int, contracts: Contracts, *, exact: bool = False
    ) -> NDArray[np.int64]:
        """Points of one contract a deal, from North-South's side; with `exact`, nothing is guessed."""
        last = contracts[:, 0].astype(np.intp)
        played = np.flatnonzero(last)
        tricks = np.zeros(len(deals), dtype=np.uint8)
        lines = 4 * ((last[played] + 2) % 5) + contracts[played, 2]
        tricks[played] = self._tricks_of(deals[played], lines, _NO_LIMIT, exact=exact)
        sides = np.full(len(deals), vulnerable, dtype=np.uint8)
        return contract_scores(contracts, sides, tricks).astype(np.int64)

    def _tricks(self, deals: NDArray[np.uint64], contracts: Contracts, left: int | None) -> NDArray[np.uint8]:
        """Tricks [call, deal] of the declarers, or as many as make the same difference."""
        last, doubled, declarer = (contracts[..., i].astype(np.intp) for i in range(3))
        tricks = np.zeros(last.shape, dtype=np.uint8)
        line = np.where(last > 0, 4 * ((last + 2) % 5) + declarer, -1)
        is_same = ((contracts == contracts[:1]).all(axis=2)).all(axis=0)
        is_one_line = (line == line[:1]).all(axis=0) & (doubled == 0).all(axis=0) & (last > 0).all(axis=0)
        asking = np.flatnonzero(is_one_line & ~is_same & (self.guesser is None))
        budget = _NO_LIMIT if left is None else max(1, left // max(1, 2 * last.size))
        needed = np.maximum((last.max(axis=0) - 3) // 5 + 7, 7)
        makes = self._answers(deals[asking], line[0, asking], needed[asking], budget)
        is_made = asking[makes == 1]
        tricks[:, is_made] = needed[is_made]
        open_lines = (line >= 0) & ~is_same
        open_lines[:, is_made] = False
        calls, rows = np.nonzero(open_lines)
        pairs, which = np.unique(np.column_stack([rows, line[calls, rows]]), axis=0, return_inverse=True)
        found = self._tricks_of(deals[pairs[:, 0]], pairs[:, 1], budget)
        tricks[calls, rows] = found[which.reshape(-1)]
        return tricks

    def _tricks_of(
        self, deals: NDArray[np.uint64], lines: NDArray[np.intp], budget: int, *, exact: bool = False
    ) -> NDArray[np.uint8]:
        """Declarers' tricks, guessed or solved; a line is a strain and a declarer."""
        if self.guesser is not None and not exact:
            self.asked += len(deals)
            return self.guesser.tricks(deals, (lines // 4).astype(np.uint8), (lines % 4).astype(np.uint8))
        return self._answers(deals, lines, np.zeros(len(deals), dtype=np.intp), budget)

    def _answers(
        self,
        deals: NDArray[np.uint64],
        lines: NDArray[np.intp],
        needed: NDArray[np.intp],
        budget: int,
    ) -> NDArray[np.uint8]:
        """Whether so many tricks are made, or how many where that is 0; equal questions are asked once."""
        if not len(deals):
            return np.zeros(0, dtype=np.uint8)
        questions = np.column_stack([deals, lines.astype(np.uint64), needed.astype(np.uint64)])
        different, which = np.unique(questions, axis=0, return_inverse=True)
        self.asked += len(questions)
        self.solved += len(different)
        found = self.solver.answer(
            np.ascontiguousarray(different[:, :4]),
            (different[:, 4] // 4).astype(np.uint8),
            (different[:, 4] % 4).astype(np.uint8),
            different[:, 5].astype(np.uint8),
            budget,
            None,
        )
        answers: NDArray[np.uint8] = found[which.reshape(-1)]
        return answers
