"""How well meanings disclose, measured on systems whose true meanings are known."""

from math import log

import numpy as np
import pytest
from tests.bidders.blackbox import BlackBox
from tests.matches.players import Passer

from bidlab.bidders.estimated import hand_share
from bidlab.bidders.meaningbook import MeaningBook
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.dealing import deal_bits
from bidlab.learning.meanings import book_of, gathered
from bidlab.matches.disclosure import Mean, disclosure, known_to_bidder, told_by
from bidlab.meaning.meaning import Meaning
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidding import Boards, bid_tables


@pytest.fixture(scope="module")
def box() -> BlackBox:
    return BlackBox()


@pytest.fixture(scope="module")
def book(box: BlackBox) -> MeaningBook:
    return book_of(gathered(box, 6000, seed=1, least=0.008))


def test_estimated_meanings_of_natural_cover_its_hands_and_tell_most_of_what_can_be_told(
    box: BlackBox, book: MeaningBook
) -> None:
    found = disclosure(box, book, 3000, seed=5, compared=150)
    assert found.inside.mean >= 0.96
    assert 0.25 <= found.known / found.calls < 1
    assert found.a_call is not None and found.a_call.count >= 20
    assert 0.5 <= found.a_call.ratio <= 1.05
    assert found.at_last is not None


class Openings:
    """Says what the first call shows: the whole truth of passes, half of it of one notrump."""

    def known(self, calls: tuple[int, ...]) -> Meaning | None:
        texts = {Call("1N"): "15-17 (1% outside)", Call("P"): "0-11 (2% outside)"}
        text = texts.get(CALLS[calls[0]]) if len(calls) == 1 else None
        return None if text is None else Meaning.parse(text)


def test_the_figures_are_those_of_a_count_by_hand(box: BlackBox) -> None:
    found = disclosure(box, Openings(), 500, seed=9, compared=0)
    boards = Boards.numbered(deal_bits(500, seed=9))
    nobody = np.zeros(500, dtype=np.uint8)
    made = bid_tables(boards, [box], nobody, nobody).calls
    inside, told = [], []
    for board, call in enumerate(made[:, 0].tolist()):
        meaning = Openings().known((call,))
        if meaning is not None:
            hand = boards.bits[board, boards.dealers[board]]
            inside.append(bool(meaning.admits(np.array([hand]))[0]))
            told.append(told_by(meaning, hand_share(meaning))[0 if inside[-1] else 1])
    assert (found.boards, found.calls) == (500, int((made != NO_CALL).sum()))
    assert found.known == len(told)
    assert found.inside.mean == pytest.approx(np.mean(inside))
    assert found.told.mean == found.told_at_last.mean == pytest.approx(np.mean(told))
    assert found.told.stderr == pytest.approx(np.std(told) / len(told) ** 0.5, rel=1e-3)
    assert found.a_call is None


def test_calls_with_few_hands_inside_are_listed() -> None:
    class Wrong:
        def known(self, calls: tuple[int, ...]) -> Meaning | None:
            return Meaning.parse("15+ (5% outside)") if len(calls) == 1 else None

    found = disclosure(Passer(), Wrong(), 300, seed=1, compared=0)
    (worst,) = found.worst
    assert (worst.auction, worst.count) == ("P", 300) and worst.inside < 0.3


def test_what_a_meaning_tells_is_its_log_likelihood() -> None:
    inside, outside = told_by(Meaning.parse("15-17, balanced (2% outside)"), 0.05)
    assert inside == pytest.approx(log(0.98 / 0.05)) and outside == pytest.approx(log(0.02 / 0.95))
    assert told_by(Meaning(), 1.0) == (0.0, 0.0)


def test_a_system_knows_its_own_one_notrump_exactly(box: BlackBox) -> None:
    true = Meaning.parse("15-17, balanced")
    hands = deal_bits(500, seed=3).ravel()
    hand = hands[true.admits(hands)][0]
    auction, other = Auction("N", "none", "1N"), hands[~true.admits(hands)][0]
    own = known_to_bidder(box, auction, int(hand), true, 8000, seed=1)
    assert own == pytest.approx(-log(hand_share(true)), abs=0.1)
    assert known_to_bidder(box, auction, int(other), true, 8000, seed=1) is None


def test_the_standard_error_counts_boards_not_calls() -> None:
    once = Mean.of(np.array([1.0, 0.0, 1.0, 0.0]), np.ones(4))
    thrice = Mean.of(np.array([3.0, 0.0, 3.0, 0.0]), np.full(4, 3.0))
    assert once == thrice and once.stderr == pytest.approx(0.25)
    assert str(once) == "0.500 ± 0.250"
