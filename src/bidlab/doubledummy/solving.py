"""Solving deals double dummy: batches in, arrays out, on all cores.

The functions solve and forget. A `Solver` does the same and keeps what it has learnt, which pays when more
than one thing is asked about a deal, and a little when deals share hands, as samples of a bidder do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Solver as _NativeSolver
from bidlab.bridge.cards import SEATS, STRAINS, Card, Seat, Strain
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import BidlabError, DealError
from bidlab.bridge.hands import Deal
from bidlab.bridge.play import Play

UNKNOWN = 255  # in an array of tricks: not asked for, or the budget of nodes was spent
MEMORY = 1024  # MiB that the tables of a solver may take by default
_NO_BUDGET = (1 << 64) - 1

Tables = NDArray[np.uint8]
Deals = Sequence[Deal] | NDArray[np.uint64]
Progress = Callable[[int], object]  # told how many deals are done, on the calling thread
Contracts = Contract | str | Sequence[Contract | str]


@dataclass(frozen=True, slots=True)
class Effort:
    """What a solver has done so far: counts without noise, for benchmarks."""

    nodes: int  # positions looked at
    trick_starts: int  # of these, at the start of a trick
    lookups: int  # of these, asked of the table
    hits: int  # of these, answered by it
    times_thinned: int  # how often a table was full and forgot its smallest positions
    bytes: int  # memory of the tables


class Solver:
    """A double-dummy solver that keeps its tables warm from deal to deal.

    `threads` 0 means all cores; `memory` bounds the tables of all threads together, in MiB: a table that is
    full forgets its smallest positions, and only time is lost. Two solvers share nothing.

    >>> solver = Solver(threads=1, memory=64)
    >>> deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    >>> solver.trick_table(deal)[Strain.SPADES].tolist()
    [5, 8, 5, 8]
    """

    def __init__(self, threads: int = 0, memory: int = MEMORY, *, warm: bool = True) -> None:
        if not 0 <= threads <= 1024:
            raise BidlabError(f"{threads} threads: 1 to 1024 are wanted, or 0 for all cores")
        if memory < max(16, 2 * threads):
            raise BidlabError(f"memory of {memory} MiB: 16 or more are wanted, and 2 for each thread")
        self._native = _NativeSolver(threads, memory << 20, warm)

    @property
    def effort(self) -> Effort:
        """What was done since the solver was made."""
        return Effort(**self._native.effort())

    def solve(
        self,
        deals: Deals,
        *,
        strains: Iterable[Strain | str] = STRAINS,
        declarers: Iterable[Seat | str] = SEATS,
        nodes: int | None = None,
        progress: Progress | None = None,
    ) -> Tables:
        """Array [deal, strain C D H S NT, declarer N E S W] of declarers' tricks.

        What is not among `strains` and `declarers` is UNKNOWN. So is what is not reached when at most `nodes`
        positions may be looked at for one strain of a deal.
        """
        wanted = sum({1 << Strain(strain) for strain in strains})
        players = sum({1 << Seat(seat) for seat in declarers})
        with _one_at_a_time():
            return self._native.solve(_bits(deals), wanted, players, _budget(nodes), progress)

    def trick_table(self, deal: Deal) -> Tables:
        """Array [strain C D H S NT, declarer N E S W] of declarers' tricks in one deal."""
        table: Tables = self.solve([deal])[0]
        return table

    def tricks(
        self,
        deals: Deals,
        contracts: Contracts,
        *,
        nodes: int | None = None,
        progress: Progress | None = None,
    ) -> Tables:
        """The tricks that each deal's declarer takes; one contract for all deals or one for each."""
        return self._answers(deals, contracts, False, nodes, progress)

    @overload
    def makes(self, deals: Deal, contracts: Contract | str) -> bool: ...
    @overload
    def makes(self, deals: Deals, contracts: Contracts) -> NDArray[np.bool_]: ...
    def makes(self, deals: Deal | Deals, contracts: Contracts) -> bool | NDArray[np.bool_]:
        """Whether the contract makes, for one deal or for each of many; much cheaper than the tricks.

        >>> deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
        >>> Solver().makes(deal, "2S by W"), Solver().makes([deal, deal], ["2S by W", "3S by W"]).tolist()
        (True, [True, False])
        """
        if isinstance(deals, Deal):
            return bool(self._answers([deals], contracts, True)[0])
        return self._answers(deals, contracts, True).astype(np.bool_)

    def _answers(
        self,
        deals: Deals,
        contracts: Contracts,
        only_made: bool,
        nodes: int | None = None,
        progress: Progress | None = None,
    ) -> Tables:
        bits = _bits(deals)
        strains, declarers, needed = _columns(contracts, len(bits))
        if not only_made:
            needed = np.zeros_like(needed)
        with _one_at_a_time():
            return self._native.answer(bits, strains, declarers, needed, _budget(nodes), progress)

    @overload
    def card_values(self, plays: Play) -> dict[Card, int]: ...
    @overload
    def card_values(self, plays: Sequence[Play]) -> list[dict[Card, int]]: ...
    def card_values(self, plays: Play | Sequence[Play]) -> dict[Card, int] | list[dict[Card, int]]:
        """For each card that may be played now, the tricks from here on of the side that plays it.

        The trick in progress counts, those already won do not.

        >>> play = Play("N:A...2 .A..K K...3 .K..4", "N", "N")
        >>> Solver().card_values(play)
        {Card('C2'): 0, Card('SA'): 1}
        """
        if isinstance(plays, Play):
            return self.card_values([plays])[0]
        bits = np.array([play.hands for play in plays], dtype=np.uint64).reshape(-1, 4)
        strains = np.array([play.strain for play in plays], dtype=np.uint8)
        leaders = np.array([play.turn for play in plays], dtype=np.uint8)
        played = np.full((len(plays), 3), -1, dtype=np.int8)
        for row, play in zip(played, plays, strict=True):
            row[: len(play.trick)] = play.trick
        with _one_at_a_time():
            values = self._native.card_values(bits, strains, leaders, played, _NO_BUDGET, None)
        return [
            {card: int(row[card]) for card in play.playable} for play, row in zip(plays, values, strict=True)
        ]


def solve(
    deals: Deals,
    *,
    strains: Iterable[Strain | str] = STRAINS,
    declarers: Iterable[Seat | str] = SEATS,
    threads: int = 0,
    memory: int = MEMORY,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> Tables:
    """Array [deal, strain C D H S NT, declarer N E S W] of declarers' tricks; `Solver.solve` says more.

    Deals are `Deal`s or an array [deal, seat N E S W] of 52-bit hands, as `deal_bits` makes; endings with
    fewer cards are solved too. Threads 0 means all cores; memory is in MiB.

    >>> from bidlab.dealing import deal_bits
    >>> solve(deal_bits(2, seed=7), strains="S").shape
    (2, 5, 4)
    """
    solver = Solver(threads, memory, warm=False)
    return solver.solve(deals, strains=strains, declarers=declarers, nodes=nodes, progress=progress)


def trick_table(deal: Deal) -> Tables:
    """Array [strain C D H S NT, declarer N E S W] of declarers' tricks in one deal.

    >>> deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    >>> trick_table(deal)[Strain.NOTRUMP].tolist()
    [6, 6, 6, 6]
    """
    return Solver(warm=False).trick_table(deal)


def makes(deal: Deal, contract: Contract | str) -> bool:
    """Whether a contract makes against the best defence.

    >>> deal = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
    >>> makes(deal, "2S by W"), makes(deal, "3S by W")
    (True, False)
    """
    return Solver(threads=1, warm=False).makes(deal, contract)


def card_values(play: Play) -> dict[Card, int]:
    """For each card that may be played now, the tricks from here on of the side that plays it.

    >>> play = Play("N:A...2 .A..K K...3 .K..4", "N", "N", "C2")
    >>> card_values(play)
    {Card('CK'): 2}
    """
    return Solver(threads=1, warm=False).card_values(play)


# --- what is handed to the kernel --------------------------------------------------------------------------


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """An error that helps where a solver is asked while it is at work."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != "the solver is busy":
            raise
        raise BidlabError("the solver is at work: a Solver of its own is wanted for each thread") from None


def _budget(nodes: int | None) -> int:
    if nodes is None:
        return _NO_BUDGET
    if nodes < 1:
        raise BidlabError(f"a budget of {nodes} nodes: 1 or more are wanted, or None")
    return min(nodes, _NO_BUDGET)


def _bits(deals: Deals) -> NDArray[np.uint64]:
    """The deals as an array, each checked: four hands of as many cards, and no card twice."""
    if isinstance(deals, np.ndarray):
        if deals.ndim != 2 or deals.shape[1] != 4 or deals.dtype != np.uint64:
            raise DealError(f"deals of type {deals.dtype}, shape {deals.shape}: uint64 [deal, 4] is wanted")
        bits = np.ascontiguousarray(deals)
    else:
        bits = np.array([_hand_bits(deal, i) for i, deal in enumerate(deals)], np.uint64).reshape(-1, 4)
    counts = np.bitwise_count(bits)
    united = np.bitwise_or.reduce(bits, axis=1)
    is_wrong = (counts != counts[:, :1]).any(axis=1) | (np.bitwise_count(united) != counts.sum(axis=1))
    is_wrong |= (counts[:, 0] == 0) | (counts[:, 0] > 13) | (united >> np.uint64(52) != 0)
    if is_wrong.any():
        wrong = int(is_wrong.argmax())
        raise DealError(_fault(wrong, bits[wrong].tolist()))
    return bits


def _hand_bits(deal: Deal, place: int) -> list[int]:
    hands = [deal.hand(seat) for seat in SEATS]
    words = [hand.bits for hand in hands if hand is not None and hand.spots == (0, 0, 0, 0)]
    if len(words) < 4:
        raise DealError(f"deal {place + 1}: a hand is not known; all four are wanted")
    return words


def _fault(place: int, hands: list[int]) -> str:
    """What is wrong with four hands that cannot be solved."""
    seen = 0
    for hand in hands:
        if hand >> 52:
            return f"deal {place + 1}: a hand has bits beyond the 52 cards"
        if twice := seen & hand:
            return f"deal {place + 1}: two hands hold {Card((twice & -twice).bit_length() - 1)}"
        seen |= hand
    held = ", ".join(f"{seat.word} {hand.bit_count()}" for seat, hand in zip(SEATS, hands, strict=True))
    return f"deal {place + 1}: {held} cards; the same number, 1 to 13, is wanted in each hand"


def _columns(contracts: Contracts, count: int) -> tuple[Tables, Tables, Tables]:
    """Strain, declarer and tricks needed of each deal's contract."""
    if isinstance(contracts, (Contract, str)):
        rows = [_row(contracts)] * count
    else:
        rows = [_row(contract) for contract in contracts]
        if len(rows) != count:
            raise BidlabError(f"{len(rows)} contracts for {count} deals: one, or one for each, is wanted")
    columns = np.array(rows, dtype=np.uint8).reshape(-1, 3).T
    strains, declarers, needed = (np.ascontiguousarray(column) for column in columns)
    return strains, declarers, needed


def _row(contract: Contract | str) -> tuple[int, int, int]:
    if isinstance(contract, str):
        contract = Contract.parse(contract)
    if contract.strain is None or contract.declarer is None:
        raise BidlabError(f"who plays {contract}? A contract with its declarer is wanted, as in 4S by N")
    return contract.strain, contract.declarer, contract.tricks_needed
