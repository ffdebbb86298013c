"""The book: selection and meaning are one thing read in two directions, natively and plainly."""

import numpy as np
import pytest
from tests.systems.twin import OVER, audit, boards_of, check, steps

from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import SEATS, SUITS, Seat
from bidlab.bridge.hands import Hand
from bidlab.dealing import Dealer, deal_bits
from bidlab.meaning.cells import SHAPES, unpacked
from bidlab.meaning.features import HCP, feature_table, length
from bidlab.meaning.meaning import Meaning, all_meanings
from bidlab.systems.book import Book
from bidlab.systems.position import SystemMeaning
from bidlab.systems.rules import Judged
from bidlab.systems.system import System

SHAPE_NUMBER = {tuple(shape): number for number, shape in enumerate(SHAPES.tolist())}


def hcps(hands: np.ndarray) -> list[int]:
    return feature_table(hands)[:, HCP.number].tolist()


@pytest.fixture(scope="module")
def book() -> Book:
    return Book(System.load("natural"))


# Where a call that forces may be passed, and why.
MAY_PASS = {
    "judgement (penalty)": "a takeout double is left in with long trumps",
    "natural/defence": "the same, where the text says so",
    "two-suiters": "their double of a two-suiter gives its maker another turn",
    "transfers": "their double of a transfer gives its maker another turn",
    "stayman": "their double of Stayman gives its maker another turn",
    "key-cards": "the answer is five hearts, and hearts are trumps",
}


def test_every_call_is_legal_has_its_meaning_and_is_that_of_the_plain_reading(book: Book) -> None:
    found = audit(book, boards_of(1500, seed=3))
    check(found, MAY_PASS)
    assert found.by_rules > 0.4 * found.calls  # measured 0.54; judgement is there for the rest


@pytest.mark.full
@pytest.mark.parametrize("portion", range(10))
def test_the_same_over_200_000_boards(portion: int) -> None:
    check(audit(Book(System.load("natural")), boards_of(20_000, seed=100 + portion)), MAY_PASS)


def meanings_of(book: Book, auction: Auction, seat: Seat) -> list[Meaning]:
    return [read.meaning for read in book.read(auction) if read.seat == seat and read.meaning is not None]


def test_hands_dealt_from_a_meaning_make_the_call(book: Book) -> None:
    boards = boards_of(40, seed=8)
    auctions = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    made = asked = 0
    for step in list(steps(book, boards, auctions))[::3]:
        dealer = SEATS[boards.dealers[step.board]]
        vulnerable = VULNERABILITIES[boards.vulnerable[step.board]]
        auction = Auction(dealer, vulnerable, [CALLS[call] for call in (*step.so_far, step.call)])
        seat = SEATS[(dealer + len(step.so_far)) % 4]
        shown = all_meanings(meanings_of(book, auction, seat))
        hands = Dealer.of(N=shown).deal_bits(50, seed=1)[:, 0]
        before = Auction(dealer, vulnerable, auction.calls[:-1])
        nodes = np.full(len(hands), book.node(before), dtype=np.int32)
        made += int((book.choose(nodes, np.ascontiguousarray(hands))[1] == step.call).sum())
        asked += len(hands)
    assert made >= 0.95 * asked, f"{made} of {asked}"


def wild_auctions(count: int) -> list[Auction]:
    """Auctions of any legal calls, none of them ended: what a book meets across from strangers."""
    rng = np.random.default_rng(4)
    found = []
    while len(found) < count:
        auction = Auction(SEATS[rng.integers(4)], VULNERABILITIES[rng.integers(4)], "")
        for _ in range(rng.integers(12)):
            legal = auction.legal_calls()
            # Mostly low calls, or every auction would be at the seven level at once.
            auction = auction.after(legal[min(int(rng.exponential(2.5)), len(legal) - 1)])
            if auction.is_ended:
                break
        else:
            found.append(auction)
    return found


def test_any_auction_has_a_position_that_covers_what_its_player_can_hold(book: Book) -> None:
    hands = deal_bits(50, seed=9)[:, 0].copy()
    for auction in wild_auctions(300):
        position = book.position(auction)
        legal = auction.legal_calls()
        assert all(call in legal for call in position.calls)
        node = book.node(auction)
        shapes, points = feature_table(hands)[:, [length(suit).number for suit in SUITS]], hcps(hands)
        known = unpacked(book.known(node, len(auction) % 4))
        for hand, shape, hcp in zip(hands.tolist(), shapes.tolist(), points, strict=True):
            if known[SHAPE_NUMBER[tuple(shape)], hcp]:
                number = position.choice(Hand(hand))
                one = np.array([node], dtype=np.int32), np.array([hand], dtype=np.uint64)
                assert book.choose(*one)[0][0] == number


def test_judgement_does_not_pass_what_forces(book: Book) -> None:
    forced = 0
    for auction in wild_auctions(600):
        position = book.position(auction)
        if not position.state.is_forced:
            continue
        forced += 1
        for rule in position.rules_of(Call.PASS):
            if isinstance(rule.source, Judged) and rule.source.kind != "penalty":
                assert all(call < Call.ONE_CLUB for call in auction.legal_calls()), str(auction)
    assert forced >= 20


def test_the_book_forgets_and_bids_the_same(book: Book) -> None:
    boards = boards_of(400, seed=5)
    small = Book(System.load("natural"), most_nodes=50)
    wanted = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    for begin in range(0, 400, 100):
        cut = slice(begin, begin + 100)
        found = small.bid(boards.bits[cut], boards.dealers[cut], boards.vulnerable[cut])
        kept = wanted[cut, : found.shape[1]]
        assert (found == kept).all() and (wanted[cut, found.shape[1] :] == OVER).all()
    assert small.size < book.size


def test_bidding_does_not_depend_on_what_was_bid_before(book: Book) -> None:
    boards = boards_of(300, seed=21)
    warm = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    cold = Book(System.load("natural")).bid(boards.bits[::-1], boards.dealers[::-1], boards.vulnerable[::-1])
    assert (warm == cold[::-1]).all()


def test_boards_bid_together_are_bid_as_one_by_one(book: Book) -> None:
    boards = boards_of(100, seed=22)
    together = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    alone = Book(System.load("natural"))
    for i, calls in enumerate(together):
        [found] = alone.bid(boards.bits[i : i + 1], boards.dealers[i : i + 1], boards.vulnerable[i : i + 1])
        assert found.tolist() == calls[calls != OVER].tolist()


def test_after_the_end_each_hand_is_among_those_that_are_known(book: Book) -> None:
    boards = boards_of(100, seed=23)
    auctions = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    for i, calls in enumerate(auctions):
        made = calls[calls != OVER]
        [node] = book.nodes(boards.dealers[i : i + 1], boards.vulnerable[i : i + 1], made[np.newaxis])
        for seat in range(4):
            hand = boards.bits[i, (boards.dealers[i] + seat) % 4]
            lengths = feature_table(np.array([hand]))[0, [length(suit).number for suit in SUITS]]
            row = int(book.known(node, seat)[SHAPE_NUMBER[tuple(lengths.tolist())]])
            assert row >> hcps(np.array([hand]))[0] & 1


def test_a_meaning_that_was_said_is_believed(book: Book) -> None:
    auction = Auction("N", "none", "1H")
    strong = Meaning.parse("16+, 5+ hearts")
    weak = Meaning.parse("5-10, 6+ hearts")
    states = [book.position(auction, [said]).state for said in (strong, weak)]
    assert [state.right.hcp for state in states] == [(16, 35), (5, 10)]  # 5 hearts at least: no 36


def test_the_same_system_reads_its_own_calls_by_its_book(book: Book) -> None:
    node = book.node(Auction("N", "none", ""))
    said = book.meaning_at(node, Call("1H"))
    assert isinstance(said, SystemMeaning) and book.is_own(said)
    assert not book.is_own(Meaning(said.condition))
    assert not Book(System.load("natural", stayman="off")).is_own(said)
