"""The tables of self-play against the package's own laws, on 10,000 random auctions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

torch = pytest.importorskip(
    "torch", reason="NO TORCH: the training of networks is NOT tested; pip install torch"
)

from bidlab._native import observations  # noqa: E402
from bidlab.bridge.boards import Board  # noqa: E402
from bidlab.bridge.calls import CALLS, Auction, Call  # noqa: E402
from bidlab.bridge.cards import STRAINS  # noqa: E402
from bidlab.bridge.comparison import imps as imps_of  # noqa: E402
from bidlab.bridge.contracts import DOUBLINGS, Contract, Result  # noqa: E402
from bidlab.doubledummy.par import par, par_scores  # noqa: E402
from bidlab.learning.selfplay.deals import Pool  # noqa: E402
from bidlab.learning.selfplay.game import Auctions, Recorded, possible  # noqa: E402
from bidlab.learning.selfplay.scoring import imps, point_table  # noqa: E402
from bidlab.library import library, packed_deals, packed_tables, symmetric  # noqa: E402
from bidlab.table.auctions import NO_CALL, AuctionBatch  # noqa: E402
from bidlab.table.bidding import Boards  # noqa: E402
from bidlab.table.scoring import _SCORES, imp_array, scores  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def bid():
    """10,000 boards bid at random by both implementations in step, with all that each said on the way."""
    bits, tables = library("tune").deals()
    pool = Pool(CPU)
    pool.add(np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1))
    deals = pool.in_order()
    generator = torch.Generator().manual_seed(7)
    ours, theirs = Auctions(deals), AuctionBatch(len(bits))
    seen = []
    while len(ours):
        which = ours.table.numpy()
        legal = ours.legal()
        assert (legal.numpy() == theirs.legal(which)).all()
        seen.append((ours.table.clone(), ours.observation(), legal))
        calls = _random_calls(legal, generator)
        ours.make(calls)
        theirs.make(which, calls.numpy().astype(np.uint8))
        assert (ours.table.numpy() == which[~theirs.ended(which)]).all()
    everything = np.arange(len(bits))
    calls = np.full((len(bits), max(theirs.place, 40)), NO_CALL, dtype=np.uint8)
    calls[:, : theirs.place] = theirs.so_far(everything)
    return SimpleNamespace(
        boards=Boards.numbered(bits),
        tables=tables,
        deals=deals,
        ours=ours,
        theirs=theirs,
        seen=seen,
        calls=calls,
    )


def _random_calls(legal, generator):
    """Passes, doubles and mostly low bids, so that auctions are long and of all kinds."""
    places = legal.cumsum(dim=1).double()
    weights = legal * torch.exp(-places)
    weights[:, 0] = 0.25
    weights[:, 1:3] = legal[:, 1:3] * 0.15
    return torch.multinomial(weights, 1, generator=generator).flatten()


def test_random_auctions_are_of_all_kinds(bid):
    assert bid.theirs.place > 20
    assert (bid.theirs.last == 0).sum() > 10
    assert set(np.unique(bid.theirs.doubled)) == {0, 1, 2}


def test_contracts_are_the_packages_own(bid):
    outcome = bid.ours.outcome
    assert (outcome.bid.numpy() + 3 == np.where(bid.theirs.last > 0, bid.theirs.last, 2)).all()
    played = bid.theirs.last > 0
    seat = (outcome.declarer.numpy() + bid.boards.dealers) % 4
    assert (seat == bid.theirs.declarers(bid.boards.dealers))[played].all()
    assert (outcome.doubled.numpy() == bid.theirs.doubled)[played].all()


@pytest.mark.parametrize("perfect", [False, True])
def test_scores_par_and_imps_are_the_packages_own(bid, perfect):
    declarers = bid.theirs.declarers(bid.boards.dealers)
    tables = SimpleNamespace(
        boards=bid.boards, last=bid.theirs.last, doubled=bid.theirs.doubled, declarers=declarers
    )
    strain = (np.maximum(bid.theirs.last.astype(int), 3) - 3) % 5
    tricks = bid.tables[np.arange(len(declarers)), strain, declarers]
    theirs = scores(tables, tricks, perfect=perfect)
    their_par = par_scores(bid.tables, bid.boards.dealers, bid.boards.vulnerable)
    sign = 1 - 2 * (bid.boards.dealers.astype(int) % 2)
    assert (bid.ours.outcome.points(bid.deals, perfect=perfect).numpy() * sign == theirs).all()
    assert (bid.deals.par.numpy() * sign == their_par).all()
    against = bid.ours.outcome.against_par(bid.deals, perfect=perfect).numpy() * sign
    assert (against == imp_array(theirs - their_par)).all()


def test_law_77_every_score_and_law_78_every_difference():
    assert (point_table(CPU).numpy() == _SCORES.flatten()).all()
    differences = np.arange(-5000, 5001, 10)
    assert (imps(torch.from_numpy(differences)).numpy() == imp_array(differences)).all()


def test_observations_of_recorded_auctions_are_those_of_the_table(bid):
    hands = bid.deals.hands.argmax(dim=1).to(torch.uint8)  # the place that holds each card
    calls = torch.from_numpy(bid.calls)
    recorded = Recorded(hands, bid.deals.vulnerable, calls, (calls != NO_CALL).sum(dim=1))
    for place, (table, observed, legal) in enumerate(bid.seen):
        again = recorded.decisions(table, torch.full_like(table, place))
        assert (again[0] == observed).all()
        assert (again[1] == legal).all()
        assert (again[2] == calls[table, place]).all()


def test_observations_are_what_networks_are_shown_when_they_bid(bid):
    boards = bid.boards
    for place, (table, observed, _) in enumerate(bid.seen):
        which = table.numpy()
        hands = boards.bits[which, (boards.dealers[which] + place) % 4]
        calls = np.ascontiguousarray(bid.calls[which, :place])
        shown = observations(hands, calls, boards.dealers[which], boards.vulnerable[which])
        assert (shown == observed.numpy()).all()


class Watcher:
    """One auction as the laws have it, and what the player to call sees, as game.py's first paragraph says.

    It reads the package's values alone. A view is a number with 480 bits.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.auction = Auction(board.dealer, board.vulnerable)
        self._said: list[tuple[int, int]] = []  # the place of a call, and the first of the four bits for it

    def legal(self) -> int:
        """The calls that are legal, a bit each."""
        return sum(1 << call for call in self.auction.legal_calls())

    def seen(self) -> int:
        """The observation of the player to call."""
        seat, now = self.auction.turn, len(self.auction)
        us, them = (self.board.vulnerable.includes(side) for side in (seat, seat.plus(1)))
        view = 1 << us | 1 << 2 + them | self.board.deal.bits[seat] << 428
        for place, first in self._said:
            view |= 1 << first + (place - now) % 4
        return view

    def make(self, call: Call) -> None:
        """Go on by one call; an error where it is illegal or the auction has ended."""
        now, before = len(self.auction), self.auction.last_bid
        self.auction = self.auction.after(call)
        if call.is_bid:
            self._said.append((now, 8 + 12 * (call - 3)))
        elif call != Call.PASS:
            assert before is not None
            self._said.append((now, 8 + 12 * (before - 3) + (4 if call == Call.DOUBLE else 8)))
        elif before is None:
            self._said.append((now, 4))


def _as_numbers(bits) -> list[int]:
    """Each row of bits as one number, the first bit lowest."""
    packed = np.packbits(bits.numpy().astype(np.uint8), axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def test_every_step_of_every_auction_is_as_the_laws_and_the_description_say(bid):
    """Legal calls, all 480 bits of the observation, and the end, one auction after the other in Python."""
    watchers = [Watcher(board) for board in library("tune")]
    assert len(watchers) == len(bid.calls) == 10_000
    steps = 0
    for place, (table, observed, legal) in enumerate(bid.seen):
        rows = zip(table.tolist(), _as_numbers(observed), _as_numbers(legal), strict=True)
        for number, seen, may in rows:
            watcher = watchers[number]
            assert seen == watcher.seen(), (number, place)
            assert may == watcher.legal(), (number, place)
            watcher.make(CALLS[bid.calls[number, place]])
            steps += 1
        going = {number for number, watcher in enumerate(watchers) if not watcher.auction.is_ended}
        after = bid.seen[place + 1][0].tolist() if place + 1 < len(bid.seen) else []
        assert going == set(after)
    assert steps == (bid.calls != NO_CALL).sum() > 100_000


def test_every_end_scores_as_the_laws_say(bid):
    """Contract, declarer, plain and perfect score, par and IMPs of each auction by the package's values."""
    outcome, sides = bid.ours.outcome, 1 - 2 * (bid.boards.dealers.astype(int) % 2)
    plain, perfect = (outcome.points(bid.deals, perfect=value).numpy() * sides for value in (False, True))
    rewards, strict = (
        outcome.against_par(bid.deals, perfect=value).numpy() * sides for value in (False, True)
    )
    pars = bid.deals.par.numpy() * sides
    ends = zip(outcome.bid.tolist(), outcome.declarer.tolist(), outcome.doubled.tolist(), strict=True)
    for number, (board, (last, place, doubled)) in enumerate(zip(library("tune"), ends, strict=True)):
        calls = [call for call in bid.calls[number].tolist() if call != NO_CALL]
        contract = Auction(board.dealer, board.vulnerable, calls).contract
        assert contract is not None
        tricks, failing = 0, contract
        if contract.strain is None:
            assert last == -1
        else:
            named = Contract(last // 5 + 1, STRAINS[last % 5], DOUBLINGS[doubled], board.dealer.plus(place))
            assert contract == named, number
            tricks = int(bid.tables[number, contract.strain, contract.declarer])
            if tricks < contract.tricks_needed and not doubled:
                failing = Contract(contract.level, contract.strain, DOUBLINGS[1], contract.declarer)
        scored = [Result(one, tricks, board.vulnerable).score for one in (contract, failing)]
        best = par(bid.tables[number], board.dealer, board.vulnerable).score
        found = [plain[number], perfect[number], pars[number], rewards[number], strict[number]]
        assert found == [*scored, best, *(imps_of(score - best) for score in scored)], number


def test_whole_auctions_are_possible_and_spoilt_ones_are_not(bid):
    calls = torch.from_numpy(bid.calls)
    assert possible(calls).all()
    generator = torch.Generator().manual_seed(3)
    length = (calls != NO_CALL).sum(dim=1)
    place = (torch.rand(len(calls), generator=generator) * length).long()
    spoilt = calls.clone()
    other = torch.randint(38, (len(calls),), generator=generator).to(torch.uint8)
    spoilt.scatter_(1, place[:, None], other[:, None])
    said = possible(spoilt)
    for row in range(0, len(calls), 20):
        assert bool(said[row]) == _is_whole([c for c in spoilt[row].tolist() if c != NO_CALL])


def _is_whole(calls: list[int]) -> bool:
    auction = Auction("N", "none")
    for call in calls:
        if auction.is_ended or not auction.is_legal(Call(call)):
            return False
        auction = auction.after(Call(call))
    return auction.is_ended


def test_drawn_deals_keep_their_tables_under_symmetries():
    bits, tables = (array[:5] for array in library("train").deals(1, 5))
    pool = Pool(CPU)
    pool.add(np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1))
    drawn = pool.draw(400, torch.Generator().manual_seed(1))
    every = {
        (tuple(turned), table.tobytes())
        for deal in range(5)
        for turned, table in zip(*symmetric(
            np.repeat(bits[deal : deal + 1], 96, 0), np.repeat(tables[deal : deal + 1], 96, 0), np.arange(96)
        ), strict=True)
    }  # fmt: skip
    weights = np.uint64(1) << np.arange(52, dtype=np.uint64)
    hands = (drawn.hands.numpy().astype(np.uint64) * weights).sum(axis=2, dtype=np.uint64)
    ours = {(tuple(hand), table.tobytes()) for hand, table in zip(hands, drawn.tricks.numpy(), strict=True)}
    assert ours <= every
    assert len(ours) > 200
