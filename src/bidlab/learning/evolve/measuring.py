"""Distance from par of systems that sit at all four seats (Woolever 2001, section 4.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bidlab.doubledummy import par_scores
from bidlab.library import library
from bidlab.systems.webb import Population, WebbDeals
from bidlab.systems.webb.climbing import SolvedBoards
from bidlab.table.bidding import Boards
from bidlab.table.scoring import Scores, contract_scores, imp_array


@lru_cache(maxsize=2)
def tournament_deals(name: str) -> WebbDeals:
    """The solved deals of a library that may be learned from; read once a process."""
    return WebbDeals(*library(name).for_learning().deals())


@lru_cache(maxsize=2)
def climbing_boards(name: str) -> SolvedBoards:
    """The same as boards with their par, each with dealer and vulnerability of its number."""
    opened = library(name).for_learning()
    return SolvedBoards.numbered(*opened.deals(), opened.first)


@dataclass(frozen=True, eq=False)
class Measure:
    """Boards that systems are measured on, with what they can be compared with."""

    boards: Boards
    tables: NDArray[np.uint8]  # [board, strain, declarer]
    par: Scores

    @classmethod
    def of(cls, name: str, count: int) -> Measure:
        """The first boards of a library; those kept for judging are refused."""
        opened = library(name).for_mending()
        bits, tables = opened.deals(count=min(count, len(opened)))
        boards = Boards.numbered(bits, opened.first)
        return cls(boards, tables, par_scores(tables, boards.dealers, boards.vulnerable))

    @property
    def passing(self) -> float:
        """How far passing always is from par, in IMPs a board."""
        return float(np.abs(imp_array(self.par)).mean())

    def distances(self, population: Population, threads: int = 1) -> NDArray[np.float64]:
        """How far each system at all four seats is from par, in IMPs a board."""
        systems, boards = len(population), len(self.boards)
        who = np.repeat(np.arange(systems, dtype=np.int32), boards)
        contracts = population.native.bid(
            who,
            who,
            np.tile(self.boards.bits, (systems, 1)),
            np.tile(self.boards.dealers, systems),
            threads=threads,
            vulnerable=np.tile(self.boards.vulnerable, systems),
        ).reshape(systems, boards, 3)
        strain = (contracts[..., 0].astype(np.intp) + 2) % 5
        tricks = self.tables[np.arange(boards), strain, contracts[..., 2]]
        scores = contract_scores(contracts, self.boards.vulnerable, tricks)
        found: NDArray[np.float64] = np.abs(imp_array(scores - self.par)).mean(axis=1)
        return found
