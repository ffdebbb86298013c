"""Second thoughts in competition: what a call is worth more than a pass, by the book and by a plain twin."""

from functools import cache

import numpy as np
import pytest
from tests.systems.twin import audit, boards_of

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import SEATS, SUITS
from bidlab.bridge.hands import Hand
from bidlab.meaning.features import HCP, feature_table
from bidlab.meaning.meaning import Meaning
from bidlab.systems.book import Book
from bidlab.systems.errors import SystemTextError
from bidlab.systems.explaining import reasoned_call
from bidlab.systems.rules import SECOND_THOUGHTS, Rule, Written
from bidlab.systems.second_thoughts import JUDGED_CALLS, WRITTEN_PASSES, reviewer_weights
from bidlab.systems.system import System

HIDDEN, OUTPUTS, KINDS = 64, 14, 6
COMPETING = "1H 1S 3H"


@cache
def book(second_thoughts: str = "sayc") -> Book:
    return Book(System.load("sayc", second_thoughts=second_thoughts))


def worth(question: np.ndarray) -> np.ndarray:
    """The network by numpy: what the parts of a hand are worth."""
    weights, at, now = reviewer_weights("sayc"), 0, question.astype(np.float64)
    for inputs, outputs in ((len(question), HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, OUTPUTS)):
        matrix = weights[at : at + inputs * outputs].reshape(inputs, outputs)
        at += inputs * outputs
        now = now @ matrix + weights[at : at + outputs]
        at += outputs
        if outputs == HIDDEN:
            now = np.maximum(now, 0)
    assert at == len(weights)
    return now


def points(hand: Hand) -> int:
    return int(feature_table(np.array([hand.bits], np.uint64))[0, HCP.number])


def won(parts: np.ndarray, hand: Hand, suit: int, over: int) -> float:
    """What a hand wins by a bid of a suit over a bid of another one."""
    own = min(max(hand.length(SUITS[suit]) - 2, 0), KINDS - 1)
    theirs = min(hand.length(SUITS[over]), KINDS - 1)
    return float(parts[0] + parts[1] * (points(hand) - 10) / 5 + parts[2 + own] + parts[2 + KINDS + theirs])


def is_second_thought(source: object) -> bool:
    return isinstance(source, Written) and source.context == SECOND_THOUGHTS


def test_hands_that_bid_on_are_worth_it_by_the_plain_twin() -> None:
    auction = Auction("N", "none", COMPETING)
    node = book().node(auction)
    position = book().position(auction)
    bid = Call("3S")
    question = book()._native.questions(np.array([node], np.int32), np.array([bid], np.uint8))[0]
    parts = worth(question)
    thought = [rule for rule in position.rules_of(bid) if is_second_thought(rule.source)]
    assert thought
    hands = [Hand(int(bits)) for bits in boards_of(3000, seed=9).bits[:, 3]]
    bidding = passing = 0
    for hand in hands:
        rule = position.rules[position.choice(hand)]
        value = won(parts, hand, 3, 2)
        step = abs(float(parts[1])) / 5  # conditions change by twos
        if rule.call == bid and is_second_thought(rule.source):
            bidding += 1
            assert value > JUDGED_CALLS - 1.01 * step
        elif rule.call == Call.PASS and not is_second_thought(rule.source) and hand.length(SUITS[3]) > 2:
            passing += 1
            assert value < JUDGED_CALLS + 1.01 * step
    assert bidding > 20 and passing > 20


def test_a_second_thought_says_so() -> None:
    position = book().position(Auction("N", "none", COMPETING))
    hand = Hand.parse("KJ43.74.K9853.83")
    found = reasoned_call(position, hand)
    assert found.rule.call == Call("3S")
    assert found.reasons()[0] == 'By sayc.bids:6 under second thoughts, "worth more than a pass".'


def is_natural(rule: Rule) -> bool:
    does = rule.effects
    return not (does.artificial or "takeout" in does.words or does.forcing or does.transfers is not None)


def test_calls_of_the_text_stand_unless_they_are_natural_and_lose_an_imp() -> None:
    """The same text with and without second thoughts, over the same calls."""
    boards = boards_of(1500, seed=5)
    plain, second = book("off"), book()
    auctions = second.bid(boards.bits, boards.dealers, boards.vulnerable)
    stood = passed = 0
    for board, calls in enumerate(auctions[:, :3].tolist()):
        seat = (int(boards.dealers[board]) + 2) % 4
        vulnerable = Vulnerability(int(boards.vulnerable[board]))
        auction = Auction(SEATS[boards.dealers[board]], vulnerable)
        for call in calls[:2]:
            auction = auction.after(Call(call))
        hand = Hand(int(boards.bits[board, seat]))
        before, after = plain.position(auction), second.position(auction)
        rule, now = before.rules[before.choice(hand)], after.rules[after.choice(hand)]
        if not isinstance(rule.source, Written) or rule.call == Call.PASS or rule.forecast is not None:
            continue
        if now.call == rule.call:
            stood += 1
            continue
        passed += 1
        assert is_natural(rule) and now.call == Call.PASS and is_second_thought(now.source)
        over = auction.calls[-1].strain
        if rule.call.strain < 4 and over < 4:
            node = np.array([second.node(auction)], np.int32)
            parts = worth(second._native.questions(node, np.array([rule.call], np.uint8))[0])
            step = abs(float(parts[1])) / 5
            assert won(parts, hand, rule.call.strain, over) < -WRITTEN_PASSES + 1.01 * step
    assert stood > 200 and passed > 1


def thinking_again(system: str, auction: str, call: str) -> list[Hand]:
    """Hands that make a call on a second thought."""
    position = Book(System.load(system)).position(Auction("N", "none", auction))
    thoughts = [rule for rule in position.rules_of(Call(call)) if is_second_thought(rule.source)]
    hands = [Hand(int(bits)) for bits in boards_of(3000, seed=4).bits[:, 0]]
    return [hand for hand in hands if any(Meaning(rule.condition).admits(hand) for rule in thoughts)]


def test_a_suit_is_bid_with_the_cards_that_it_shows() -> None:
    fewest = {
        ("1H P 1S", "2C"): 5,
        ("1H 1S 3H", "3S"): 3,
        ("3H", "4S"): 6,
        ("2C", "2H"): 5,
        ("1H P 2H", "3C"): 5,
    }
    found = 0
    for (auction, call), cards in fewest.items():
        for hand in thinking_again("sayc", auction, call) + thinking_again("bws", auction, call):
            assert hand.length(SUITS[Call(call).strain]) >= cards
            found += 1
    assert found > 500


def test_a_suit_of_ones_own_has_points_while_partner_is_silent() -> None:
    fewest = {
        ("1H P 1S", "2C"): {5: 9, 6: 7},
        ("1C P 1D", "1H"): {5: 8, 6: 6},
        ("1H P 2H", "3C"): {5: 9, 6: 7},
    }
    found = 0
    for (auction, call), least in fewest.items():
        for hand in thinking_again("sayc", auction, call) + thinking_again("bws", auction, call):
            assert points(hand) >= least.get(hand.length(SUITS[Call(call).strain]), 4)
            found += 1
    assert found > 100


def test_a_slam_is_no_second_thought_without_a_suit_of_partners() -> None:
    for system in ("sayc", "bws"):
        assert not thinking_again(system, "5H", "6C")
        assert not thinking_again(system, "5H", "6D")


def test_nobody_passes_on_a_second_thought_with_more_than_a_strong_opening() -> None:
    auctions = ("1C", "1D P 1S", "1S P 2D", "1C X P 1H 1S", "1H 1S P 2S")
    passing = [hand for auction in auctions for hand in thinking_again("sayc", auction, "P")]
    assert len(passing) > 50
    assert all(points(hand) <= 17 for hand in passing)


def test_nobody_doubles_for_penalty_with_fewer_than_eight_points() -> None:
    auctions = ("1S 2H P 4H P P", "1H 1N P P", "1S P 2S 3D", "1H P 4H")
    doubling = [hand for auction in auctions for hand in thinking_again("sayc", auction, "X")]
    assert len(doubling) > 100
    assert all(points(hand) >= 8 for hand in doubling)


def test_second_thoughts_are_switched_by_name_and_natural_has_none() -> None:
    assert System.load("natural").second_thoughts is None
    assert System.load("sayc", second_thoughts="off").second_thoughts is None
    assert System.load("sayc").fingerprint != System.load("sayc", second_thoughts="off").fingerprint
    assert System.load("sayc", second_thoughts="bws").fingerprint != System.load("sayc").fingerprint
    with pytest.raises(SystemTextError, match="second-thoughts maybe: bws, sayc or off is wanted"):
        System.parse("set second-thoughts maybe\nopening\n  1N  15-17, balanced")


def test_without_competition_nothing_is_thought_of_again() -> None:
    for calls in ("", "1H P", "1N P 2C P", "1S P 2S P"):
        auction = Auction("N", "none", calls)
        ours = book().position(auction).rules
        assert not any(is_second_thought(rule.source) for rule in ours)
        assert [rule.call for rule in ours] == [rule.call for rule in book("off").position(auction).rules]


def test_auctions_are_the_same_in_any_portion() -> None:
    boards = boards_of(600, seed=17)
    whole = book().bid(boards.bits, boards.dealers, boards.vulnerable)
    other = Book(System.load("sayc"))
    for begin in (300, 0):
        cut = slice(begin, begin + 300)
        part = other.bid(boards.bits[cut], boards.dealers[cut], boards.vulnerable[cut])
        assert (whole[cut, : part.shape[1]] == part).all()


def test_they_are_few_and_every_hand_has_the_meaning_of_its_call() -> None:
    found = audit(book(), boards_of(300, seed=21))
    assert not found.wrong
    thoughts = found.sources["books/sayc/sayc.bids:6"]
    assert 0.005 * found.calls < thoughts < 0.1 * found.calls


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="another number of weights"):
        Book(System.load("natural"))._native.review(np.zeros(5, np.float32), 1, 1, 1, 1)
