"""Par: the score of a board when all bid as well as can be with every hand in view, and its contracts.

It is the value of a game. The players speak in turn from the dealer on, a bid must rank above the last one,
and it is over when nobody wants to bid on. A contract that fails is doubled; one that makes is not, as that
would only help its side. Partners play for one score: who of them takes more tricks in a strain will name it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import SEATS, STRAINS, Seat
from bidlab.bridge.contracts import Contract, Doubling, Result
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.scores import contract_score

_BIDS = tuple((level, strain) for level in range(1, 8) for strain in STRAINS)  # lowest first
# The points of a bid, by vulnerability, bid and declarer's tricks; doubled where it fails.
_POINTS = tuple(
    tuple(
        tuple(contract_score(level, strain, tricks < level + 6, vulnerable, tricks) for tricks in range(14))
        for level, strain in _BIDS
    )
    for vulnerable in (False, True)
)
_POINTS_TABLE = np.array(_POINTS, dtype=np.int32)
_WORST = -10_000  # worse than any score
_WANTED = "one of 5 strains C D H S NT with 4 declarers N E S W each is wanted"
_SIDES = ("North-South", "East-West")


@dataclass(frozen=True, slots=True)
class Par:
    """The results of the contracts that end perfect bidding; all score the same, none when passed out.

    They stand in the order of the bids, one for each declarer, those that fail doubled.

    >>> both = Par((Result("4H by S", 10), Result("4S by N", 10), Result("4S by S", 10)))
    >>> both.score, both.contracts[0], both.results[0].balance
    (420, Contract('4H by S'), '=')
    >>> str(both), str(Par((Result("5CX by E", 9),)))
    ('+420 North-South: 4♥ by South; 4♠ by North-South', '+300 North-South: 5♣X-2 by East')
    """

    results: tuple[Result, ...]

    def __post_init__(self) -> None:
        if len({result.score for result in self.results}) > 1:
            shown = ", ".join(f"{result} {result.score:+d}" for result in self.results)
            raise BidlabError(f"no par of results that score differently: {shown}")

    @property
    def score(self) -> int:
        """The points, from North-South's side; 0 when passed out."""
        return self.results[0].score if self.results else 0

    @property
    def contracts(self) -> tuple[Contract, ...]:
        """The contracts, lowest first; empty when passed out."""
        return tuple(result.contract for result in self.results)

    def __str__(self) -> str:
        if not self.results:
            return "passed out: 0"
        contracts = "; ".join(f"{_listed(names)} by {who}" for who, names in self._by_declarers().items())
        return f"+{abs(self.score)} {_SIDES[self.score < 0]}: {contracts}"

    def __repr__(self) -> str:
        return f"<Par {self}>"

    def _by_declarers(self) -> dict[str, list[str]]:
        """What is played by one player or by either of a side, as in {"South": ["3NT+1", "4NT"]}."""
        declarers: dict[str, list[Seat]] = {}
        for result in self.results:
            declarer = result.contract.declarer
            assert declarer is not None  # a Result has one
            name = result.contract.symbol + result.balance.removesuffix("=")
            declarers.setdefault(name, []).append(declarer)
        names: dict[str, list[str]] = {}
        for name, seats in declarers.items():
            who = seats[0].word if len(seats) == 1 else _SIDES[seats[0] & 1]
            names.setdefault(who, []).append(name)
        return names


def _listed(names: Sequence[str]) -> str:
    """Names in a row, as in "2♣+2, 3♣+1 or 4♣"."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def par(table: ArrayLike, dealer: Seat | str, vulnerable: Vulnerability | str) -> Par:
    """Par of a board: its score from North-South's side and every contract that gives it.

    `table` holds the double-dummy tricks [strain C D H S NT, declarer N E S W]. The dealer matters where both
    sides want the same bid, such as a notrump that both can make: it goes to the player who speaks first.

    >>> table = [[7, 5, 7, 5], [5, 7, 5, 7], [6, 6, 6, 6], [5, 8, 5, 8], [6, 6, 6, 6]]
    >>> par(table, dealer="N", vulnerable="none")
    <Par +110 East-West: 2♠ by East-West>
    >>> table[0] = [9, 4, 8, 4]
    >>> saved = par(table, dealer="N", vulnerable="none")  # North makes 3♣, but East-West may go on
    >>> saved.score, [str(result) for result in saved.results]
    (100, ['3SX-1 by E', '3SX-1 by W'])
    """
    tricks = _tricks(table)
    vulnerable = Vulnerability(vulnerable)
    ladder = _ladder(tricks, Seat(dealer), vulnerable)
    return Par(tuple(_result(bid, tricks, SEATS[seat], vulnerable) for bid, seat in _par_rungs(ladder)))


def par_scores(
    tables: NDArray[np.uint8], dealers: NDArray[np.uint8], vulnerable: NDArray[np.uint8]
) -> NDArray[np.int32]:
    """Par of many boards, from North-South's side: the scores that `par` gives, without the contracts."""
    boards = np.arange(len(tables))
    best = np.full((2, len(tables)), _WORST, dtype=np.int32)
    for bid in range(len(_BIDS) - 1, -1, -1):
        for steps in range(4):
            seat = (dealers.astype(np.intp) + steps) % 4
            side = seat % 2
            is_vulnerable = vulnerable >> side & 1
            gain = _POINTS_TABLE[is_vulnerable, bid, tables[boards, bid % 5, seat]]
            own, theirs = best[side, boards], best[1 - side, boards]
            best[side, boards] = np.maximum(own, np.minimum(gain, -theirs))
    scores: NDArray[np.int32] = np.maximum(best[0], np.minimum(0, -best[1]))
    return scores


def _result(bid: int, tricks: list[list[int]], declarer: Seat, vulnerable: Vulnerability) -> Result:
    """The result of a bid of _BIDS, doubled if it fails."""
    level, strain = _BIDS[bid]
    count = tricks[strain][declarer]
    doubling = Doubling.DOUBLED if count < level + 6 else Doubling.UNDOUBLED
    return Result(Contract(level, strain, doubling, declarer), count, vulnerable)


def _tricks(table: ArrayLike) -> list[list[int]]:
    """The figures of a trick table; an error where it is none."""
    try:
        figures = np.asarray(table)
    except ValueError:
        raise BidlabError(f"no trick table of rows that differ in length: {_WANTED}") from None
    if figures.shape != (5, 4):
        raise BidlabError(f"no trick table of shape {figures.shape}: {_WANTED}")
    if figures.dtype.kind not in "iu":
        raise BidlabError(f"no trick table of type {figures.dtype}: whole numbers 0 to 13 are wanted")
    tricks: list[list[int]] = figures.tolist()
    for strain, row in zip(STRAINS, tricks, strict=True):
        for seat, count in zip(SEATS, row, strict=True):
            if not 0 <= count <= 13:
                raise BidlabError(f"no {count} tricks for {seat.word} in {strain.word}: 0 to 13 are wanted")
    return tricks


# A rung of the ladder: the number of a bid in _BIDS, the player who makes it, and what his side scores there.
_Rung = tuple[int, int, int]


def _ladder(tricks: list[list[int]], dealer: Seat, vulnerable: Vulnerability) -> list[_Rung]:
    """Every bid of every player, the highest first.

    A rung outranks those of lower bids. Of the same bid by several players the one who speaks earlier has the
    higher rung, since he can make it before the others.
    """
    seats = [dealer.plus(steps) for steps in range(4)]
    players = [(int(seat), _POINTS[vulnerable.includes(seat)]) for seat in seats]
    return [
        (bid, seat, points[bid][tricks[bid % 5][seat]])
        for bid in range(len(_BIDS) - 1, -1, -1)
        for seat, points in players
    ]


def _value(ladder: Sequence[_Rung]) -> int:
    """The score that the bidding comes to, from North-South's side."""
    best = [_WORST, _WORST]  # what North-South and East-West come to by a bid from here upwards
    for _, seat, gain in ladder:
        side = seat & 1
        # Over this bid the opponents pass, or bid on if that is better for them.
        best[side] = max(best[side], min(gain, -best[1 - side]))
    # Who gains nothing by a bid passes. Both sides cannot gain: one of them outbids the other.
    return max(best[0], min(0, -best[1]))


def _par_rungs(ladder: Sequence[_Rung]) -> list[tuple[int, int]]:
    """The bids, with their declarers, that give the value; lowest first.

    They are those above which the opponents have no rung that would score better for them. A bid that stands
    so for one partner is taken for both where both score the same in it.
    """
    value = _value(ladder)
    points = (value, -value)
    most = [_WORST, _WORST]  # the best score of either side above
    stands = set()
    for bid, seat, gain in ladder:
        side = seat & 1
        if gain == points[side] and most[1 - side] <= points[1 - side]:
            stands.add((bid, side))
        most[side] = max(most[side], gain)
    return sorted(
        (bid, seat) for bid, seat, gain in ladder if (bid, seat & 1) in stands and gain == points[seat & 1]
    )
