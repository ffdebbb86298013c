"""What calls in competition win over a pass: python tools/gpu/weigh_calls.py OURS THEIRS SEED FOLDER SECONDS

The system OURS meets THEIRS (the same name: it has all four seats; `network:small`: a stranger, whose calls
it reads as its own) on boards of the library `train`, suits permuted, dealer and vulnerability drawn from
SEED. Wherever OURS may pass in competition, the other call of a pair (call, pass) is made instead: for a hand
that passed each plain call that it is not too far from, for one that called a pass. Then all bid on, and what
the call won over the pass is noted with what was known then. FOLDER gets these rows, a file for every 2,000
boards; `learn_worth.py` learns from them and puts its weights there, with which the systems bid from then on.
A whole training, after tools/gpu/build-package.sh:

    export PYTHONPATH=src:carry/packages OMP_NUM_THREADS=1
    OMP_NUM_THREADS=4 python tools/gpu/learn_worth.py rows 560 worth.npz & sleep 12
    seed=0
    for meet in {1,2,3,4,5}:{sayc,bws}:natural {1,2}:sayc:sayc {1,2}:bws:bws 1:sayc:bws; do
      IFS=: read -r _ ours theirs <<<"$meet"
      seed=$((seed + 1))
      python tools/gpu/weigh_calls.py "$ours" "$theirs" $seed rows 540 &
    done
    wait
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import bidlab
from bidlab._native import Pairing
from bidlab.bidders.network import NetworkBidder
from bidlab.bridge.calls import CALLS, Call
from bidlab.library import library, symmetric
from bidlab.library.packing import Bits, Tables
from bidlab.systems.book import FIELDS, Book, Nodes
from bidlab.systems.judging import SECOND_THOUGHT
from bidlab.systems.second_thoughts import JUDGED_CALLS, JUDGED_PASSES, WRITTEN_CALLS, WRITTEN_PASSES
from bidlab.systems.system import System
from bidlab.table.auctions import NO_CALL, AuctionBatch
from bidlab.table.bidding import Boards, finished_tables
from bidlab.table.scoring import Scores, imp_array, scores
from bidlab.table.views import Calls, ViewBatch

FIRST, DEALS = 1, 360_000  # of the library: the rest is left for matches
CHUNK = 2_000  # boards of a file
PERMUTATIONS = 24  # of the suits; the symmetries after them turn the seats
FARTHEST = 3.0  # standard deviations from a call with which a hand that passed still tries it
WRITTEN_KEPT = 0.3  # of the hands for which the text made a call: what that is worth is learned too
REVIEWED = ("sayc", "bws")  # systems that have second thoughts
CONTESTED, FORCED, GAME_FORCED = (
    FIELDS.index(name) for name in ("is_contested", "is_forced", "is_game_forced")
)

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]
Columns = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """Boards to bid, the tricks of every contract on them, and on which of them we sit North-South."""

    boards: Boards
    tables: Tables
    is_ours_north_south: Mask

    @classmethod
    def drawn(cls, bits: Bits, tables: Tables, dice: np.random.Generator) -> Deals:
        """Some of the solved deals, suits permuted."""
        which = dice.integers(0, len(bits), CHUNK)
        hands, tricks = symmetric(bits[which], tables[which], dice.integers(0, PERMUTATIONS, CHUNK))
        dealers, vulnerable = dice.integers(0, 4, (2, CHUNK)).astype(np.uint8)
        return cls(Boards(hands, dealers, vulnerable, which + FIRST), tricks, dice.random(CHUNK) < 0.5)

    def rows(self, which: Rows) -> Deals:
        """Some of the boards."""
        return Deals(self.boards.rows(which), self.tables[which], self.is_ours_north_south[which])

    def scored(self, calls: Calls) -> tuple[Scores, Scores]:
        """Points of auctions from North-South's side, as bid and with perfect defence."""
        bid = finished_tables(self.boards, calls)
        strain = (bid.last.astype(np.intp) + 2) % 5
        known = self.tables[np.arange(len(strain)), strain, bid.declarers]
        tricks = np.where(bid.last > 0, known, 0).astype(np.uint8)
        return scores(bid, tricks), scores(bid, tricks, perfect=True)


class Opponents:
    """The books of two systems that meet; of one, twice the same book."""

    def __init__(self, ours: Book, theirs: Book, reviewed: tuple[Book, ...]) -> None:
        self.ours, self.theirs = ours, theirs
        self.reviewed = reviewed  # those that get the weights

    @classmethod
    def load(cls, ours: str, theirs: str) -> Opponents:
        """Systems by their names."""
        books = {name: Book(_system(name)) for name in (ours, theirs)}
        return cls(
            books[ours], books[theirs], tuple(book for name, book in books.items() if name in REVIEWED)
        )

    @property
    def is_one_system(self) -> bool:
        """Whether one system has all four seats."""
        return self.ours is self.theirs

    def review(self, weights: NDArray[np.float32]) -> None:
        """Let the systems bid with these weights; positions made before are forgotten."""
        for book in self.reviewed:
            book._native.review(weights, WRITTEN_CALLS, JUDGED_CALLS, WRITTEN_PASSES, JUDGED_PASSES)

    def bid(self, deals: Deals) -> Calls:
        """The auctions of boards from the first call on."""
        boards = deals.boards
        given = (boards.bits, boards.dealers, boards.vulnerable)
        if self.is_one_system:
            return self.ours.bid(*given)
        return self.ours.bid_against(self.theirs, *given, deals.is_ours_north_south)

    def replay(self, deals: Deals, calls: Calls) -> Replay:
        """Auctions to be gone through once more."""
        return Replay(self, deals, calls)

    def trim(self) -> None:
        """Forget positions where they have become too many."""
        self.ours.trim()
        self.theirs.trim()


class Strangers(Opponents):
    """A system that meets a network, of whose calls it is told nothing."""

    def __init__(self, ours: str, network: NetworkBidder) -> None:
        book = Book(_system(ours))
        super().__init__(book, book, (book,))
        self.network = network

    @property
    def is_one_system(self) -> bool:
        """Never."""
        return False

    def bid(self, deals: Deals) -> Calls:
        """The auctions of boards from the first call on."""
        return self.bid_on(deals, np.zeros((len(deals.boards), 0), dtype=np.uint8))

    def bid_on(self, deals: Deals, begun: Calls) -> Calls:
        """The auctions that begin so."""
        boards, everywhere = deals.boards, np.arange(len(deals.boards))
        auctions = AuctionBatch(len(boards))
        for calls in begun.T:
            auctions.make(everywhere, calls)
        going = everywhere[~auctions.ended(everywhere)]
        while len(going):
            seats = (boards.dealers[going].astype(np.intp) + auctions.place) % 4
            is_ours = (seats % 2 == 0) == deals.is_ours_north_south[going]
            calls = np.zeros(len(going), dtype=np.uint8)
            for choose, own in (
                (self._ours, np.flatnonzero(is_ours)),
                (self._theirs, np.flatnonzero(~is_ours)),
            ):
                which = going[own]
                calls[own] = choose(
                    boards.rows(which), seats[own], auctions.so_far(which), auctions.legal(which)
                )
            auctions.make(going, calls)
            going = going[~auctions.ended(going)]
        return auctions.so_far(everywhere)

    def _ours(self, boards: Boards, seats: Rows, so_far: Calls, legal: Mask) -> Calls:
        nodes = self.ours.nodes(boards.dealers, boards.vulnerable, so_far)
        return self.ours.choose(nodes, boards.bits[np.arange(len(seats)), seats])[1]

    def _theirs(self, boards: Boards, seats: Rows, so_far: Calls, legal: Mask) -> Calls:
        hands = boards.bits[np.arange(len(seats)), seats]
        return self.network.likeliest(ViewBatch(hands, boards.dealers, boards.vulnerable, so_far, legal))

    def replay(self, deals: Deals, calls: Calls) -> Replay:
        """Auctions to be gone through once more."""
        return StrangersReplay(self, deals, calls)


def opponents_of(ours: str, theirs: str) -> Opponents:
    """A system and whom it meets, by their names."""
    if ":" not in theirs:
        return Opponents.load(ours, theirs)
    network = bidlab.bidder(theirs)
    if not isinstance(network, NetworkBidder):
        raise SystemExit(f"{theirs} is neither a system nor a network")
    return Strangers(ours, network)


def _system(name: str) -> System:
    # Their own second thoughts are off, since these come from the file of weights.
    return System.load(name, second_thoughts="off") if name in REVIEWED else System.load(name)


class Replay:
    """Auctions gone through once more, call by call; each side is told what the other's calls show.

    One system at all four seats knows that without being told.
    """

    def __init__(self, opponents: Opponents, deals: Deals, calls: Calls) -> None:
        self.opponents, self.deals, self.calls = opponents, deals, calls
        self.told_us = np.zeros(calls.shape, dtype=np.int32)
        self.told_them = np.zeros(calls.shape, dtype=np.int32)
        self._numbers: dict[tuple[bool, int], int] = {}  # of what was said, by side, node and call

    def seats(self, boards: Rows, place: int) -> Rows:
        """Who makes the call of that place."""
        return (self.deals.boards.dealers[boards].astype(np.intp) + place) % 4

    def is_ours(self, boards: Rows, place: int) -> Mask:
        """Whether the call of that place is one of our system."""
        if self.opponents.is_one_system:
            return np.ones(len(boards), dtype=np.bool_)
        is_ours: Mask = (self.seats(boards, place) % 2 == 0) == self.deals.is_ours_north_south[boards]
        return is_ours

    def nodes(self, boards: Rows, place: int) -> tuple[Nodes, Nodes]:
        """Our nodes and theirs before the call of a place."""
        begun = self.calls[boards, :place]
        return self._located(boards, begun, self.told_us[boards, :place], self.told_them[boards, :place])

    def _located(
        self, boards: Rows, calls: Calls, told_us: NDArray[np.int32], told_them: NDArray[np.int32]
    ) -> tuple[Nodes, Nodes]:
        table = self.deals.boards.dealers[boards], self.deals.boards.vulnerable[boards]
        ours = self.opponents.ours.nodes(*table, calls, np.ascontiguousarray(told_us))
        if self.opponents.is_one_system:
            return ours, ours
        return ours, self.opponents.theirs.nodes(*table, calls, np.ascontiguousarray(told_them))

    def tell(self, boards: Rows, place: int, nodes: tuple[Nodes, Nodes]) -> None:
        """Tell each side what the other's calls of a place showed."""
        if self.opponents.is_one_system:
            return
        is_ours = self.is_ours(boards, place)
        for by_us, told in ((True, self.told_them), (False, self.told_us)):
            some = np.flatnonzero(is_ours == by_us)
            made = self.calls[boards[some], place]
            told[boards[some], place] = self._said(by_us, nodes[0 if by_us else 1][some], made)

    def _said(self, by_us: bool, nodes: Nodes, calls: NDArray[np.uint8]) -> NDArray[np.int32]:
        """What calls show, as numbers of the other side's book."""
        keys, which = np.unique(nodes.astype(np.int64) * 64 + calls, return_inverse=True)
        numbers = [self._said_number(by_us, key) for key in keys.tolist()]
        return np.array(numbers, dtype=np.int32)[which]

    def _said_number(self, by_us: bool, key: int) -> int:
        known = self._numbers.get((by_us, key))
        if known is None:
            books = (self.opponents.ours, self.opponents.theirs)
            speaker, listener = books if by_us else books[::-1]
            shown = speaker._native.said_by(*divmod(key, 64))
            known = listener._native.number_of_said(np.ascontiguousarray(shown))
            self._numbers[by_us, key] = known
        return known

    def bid_on(self, boards: Rows, place: int, nodes: Nodes, tried: NDArray[np.uint8]) -> Calls:
        """The auctions in which we make other calls at a place, from our nodes before them."""
        begun = np.concatenate([self.calls[boards, :place], tried[:, None]], axis=1)
        if self.opponents.is_one_system:
            some = self.deals.boards.rows(boards)
            return self.opponents.ours.bid(some.bits, some.dealers, some.vulnerable, begun)
        shown = self._said(True, nodes, tried)
        told_us = np.pad(self.told_us[boards, :place], ((0, 0), (0, 1)))
        told_them = np.concatenate([self.told_them[boards, :place], shown[:, None]], axis=1)
        both = np.stack(self._located(boards, begun, told_us, told_them), axis=1)
        return self._finished(boards, np.ascontiguousarray(both, dtype=np.int32))

    def _finished(self, boards: Rows, nodes: NDArray[np.int32]) -> Calls:
        """The auctions that two systems bring to an end from nodes [board, ours and theirs]."""
        ours, theirs = self.opponents.ours, self.opponents.theirs
        pairing = Pairing(ours._native, theirs._native)
        some = self.deals.rows(boards)
        swapped = (~some.is_ours_north_south).astype(np.uint8)
        while pairing.bid(some.boards.bits, some.boards.dealers, some.boards.vulnerable, swapped, nodes):
            ours._answer()
            theirs._answer()
        return ours._native.calls_to(np.ascontiguousarray(nodes[:, 0]))


class StrangersReplay(Replay):
    """The same where a system meets a network: it reads all calls by itself."""

    def __init__(self, strangers: Strangers, deals: Deals, calls: Calls) -> None:
        super().__init__(strangers, deals, calls)
        self.strangers = strangers

    def nodes(self, boards: Rows, place: int) -> tuple[Nodes, Nodes]:
        """Our nodes before the call of a place, twice."""
        some = self.deals.boards.rows(boards)
        nodes = self.strangers.ours.nodes(some.dealers, some.vulnerable, self.calls[boards, :place])
        return nodes, nodes

    def tell(self, boards: Rows, place: int, nodes: tuple[Nodes, Nodes]) -> None:
        """Nobody is told anything."""

    def bid_on(self, boards: Rows, place: int, nodes: Nodes, tried: NDArray[np.uint8]) -> Calls:
        """The auctions in which we make other calls at a place."""
        begun = np.concatenate([self.calls[boards, :place], tried[:, None]], axis=1)
        return self.strangers.bid_on(self.deals.rows(boards), begun)


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Decisions between a call and a pass, a row each."""

    board: Rows
    node: Nodes
    call: NDArray[np.uint8]  # never a pass
    made: NDArray[np.uint8]  # the call, or a pass

    @property
    def tried(self) -> NDArray[np.uint8]:
        """What was not done."""
        return np.where(self.made == Call.PASS, self.call, np.uint8(Call.PASS))


def choices_at(book: Book, nodes: Nodes, hands: Bits, made: Calls, dice: np.random.Generator) -> Choices:
    """The choices of players at some nodes, who made these calls; `board` is a row of what was given."""
    order = np.argsort(nodes, kind="stable")
    found = [(order[:0], int(Call.PASS))]  # no row, so that there is something to join
    for group in np.split(order, np.flatnonzero(np.diff(nodes[order])) + 1) if len(order) else []:
        weighed = calls_weighed(book, int(nodes[group[0]]), hands[group], made[group], dice)
        found += [(group[some], call) for call, some in weighed]
    rows = np.concatenate([rows for rows, _ in found])
    calls = np.repeat([call for _, call in found], [len(rows) for rows, _ in found])
    return Choices(rows, nodes[rows], calls.astype(np.uint8), made[rows])


def calls_weighed(
    book: Book, node: int, hands: Bits, made: Calls, dice: np.random.Generator
) -> Iterator[tuple[int, Mask]]:
    """Each call of a node that is weighed against a pass, and by which hands."""
    fields, rules = book._native.fields(node), book._native.rules(node)
    if not fields[CONTESTED] or fields[FORCED] or fields[GAME_FORCED] or len(rules) == 1:
        return
    spoke = book.choose(np.full(len(hands), node, dtype=np.int32), hands)[0]
    is_written = np.array([number >= 0 and kind != SECOND_THOUGHT for _, number, kind, *_ in rules])[spoke]
    is_kept = ~is_written | (dice.random(len(hands)) < WRITTEN_KEPT)
    plain = {call for call, *_, effects in rules if is_plain(CALLS[call], effects)}
    for call in sorted({row[0] for row in rules} - {Call.PASS}):
        some = (made == call) & is_kept
        passed = np.flatnonzero(made == Call.PASS)
        if call in plain and len(passed):
            some[passed] = book.call_misfits(node, CALLS[call], hands[passed]) <= FARTHEST
        if some.any():
            yield call, some


def is_plain(call: Call, effects: tuple[int, int, int, int, bool, bool, bool, bool, bool]) -> bool:
    """Whether a call tells of its suit and no more, or doubles for penalty: any hand may think of it."""
    forcing, _, _, transfers, _, _, is_artificial, _, is_penalty = effects
    if call == Call.DOUBLE:
        return is_penalty
    return call.is_bid and call.strain < 4 and not is_artificial and not forcing and transfers < 0


def weighed(opponents: Opponents, deals: Deals, dice: np.random.Generator) -> Iterator[Columns]:
    """What calls won over passes on some boards, the places of their auctions one after the other."""
    opponents.trim()
    calls = opponents.bid(deals)
    before = deals.scored(calls)
    replay = opponents.replay(deals, calls)
    for place in range(calls.shape[1]):
        going = np.flatnonzero(calls[:, place] != NO_CALL)
        nodes = replay.nodes(going, place)
        own = np.flatnonzero(replay.is_ours(going, place))
        boards = going[own]
        hands = deals.boards.bits[boards, replay.seats(boards, place)]
        choices = choices_at(opponents.ours, nodes[0][own], hands, calls[boards, place], dice)
        if len(choices.board):
            known = opponents.ours._native.questions(choices.node, choices.call).astype(np.float16)
            yield {
                "question": known,
                "call": choices.call,
                "made": choices.made,
                "hand": hands[choices.board],
                "board": deals.boards.numbers[boards[choices.board]].astype(np.int32),
                **won(replay, choices, boards[choices.board], place, before),
            }
        replay.tell(going, place, nodes)


def won(replay: Replay, choices: Choices, boards: Rows, place: int, before: tuple[Scores, Scores]) -> Columns:
    """IMPs of the calls over the passes, as bid and with perfect defence."""
    ends = replay.bid_on(boards, place, choices.node, choices.tried)
    side = np.where(replay.seats(boards, place) % 2 == 0, 1, -1)
    signs = np.where(choices.made == Call.PASS, side, -side)
    plain, perfect = (
        imp_array((now - old[boards]) * signs).astype(np.int8)
        for now, old in zip(replay.deals.rows(boards).scored(ends), before, strict=True)
    )
    return {"won": plain, "won_perfect": perfect}


def write_rows(path: Path, parts: list[Columns]) -> None:
    """Write the rows of a chunk, so that no one sees a file that is not whole."""
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, allow_pickle=False, boards=np.array(CHUNK), **columns)
    unfinished.rename(path)


class WeightsFile:
    """The file of weights that the learner writes again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written = 0

    def news(self) -> NDArray[np.float32] | None:
        """The weights where they have changed since the last time."""
        written = self.path.stat().st_mtime_ns if self.path.exists() else 0
        if written == self._written:
            return None
        self._written = written
        weights: NDArray[np.float32] = np.load(self.path)
        return weights


def main() -> None:
    """Weigh calls until the time is over."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("seed", type=int)
    parser.add_argument("folder", type=Path)
    parser.add_argument("seconds", type=float)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    began, chunks, rows, loaded = time.monotonic(), 0, 0, 0
    bits, tables = library("train").for_learning().deals(FIRST, DEALS)
    opponents = opponents_of(asked.ours, asked.theirs)
    file, dice = WeightsFile(asked.folder / "weights.npy"), np.random.default_rng(asked.seed)
    while time.monotonic() - began < asked.seconds:
        if (weights := file.news()) is not None:
            opponents = opponents_of(asked.ours, asked.theirs)  # new books: what was said fills the old ones
            opponents.review(weights)
            loaded += 1
        parts = list(weighed(opponents, Deals.drawn(bits, tables, dice), dice))
        chunks += 1
        rows += sum(len(part["call"]) for part in parts)
        write_rows(
            asked.folder / f"{asked.ours}_{asked.theirs.replace(':', '-')}_{asked.seed}_{chunks}.rows.npz",
            parts,
        )
    print(
        f"{asked.ours} {asked.theirs}: {chunks * CHUNK:,} boards, {rows:,} rows, {loaded} times new weights, "
        f"{time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
