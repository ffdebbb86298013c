"""Standard American Yellow Card: its hands, its meanings, its rules."""

from functools import cache
from pathlib import Path

import pytest
from tests.systems.quiz import failures, question_of, questions
from tests.systems.twin import LEAST_BY_RULES, audit, boards_of, check

from bidlab.bidders.registry import bidder
from bidlab.systems.book import Book
from bidlab.systems.checking import check_system
from bidlab.systems.loading import books_folder
from bidlab.systems.system import System

PUBLISHED = Path(__file__).parent / "files" / "published.txt"
HANDS = sorted((books_folder() / "sayc" / "hands").glob("*.txt"))

# Where a call that forces may be passed, and why.
MAY_PASS = {
    "judgement (penalty)": "a takeout double is left in with long trumps",
    "takeout-doubles": "the same, where the text says so",
    "balancing": "the same in the last seat",
    "reopening": "the same of a double that reopens",
    "negative-doubles": "the same of a negative double",
    "michaels": "their double or bid gives the two-suiter another turn",
    "unusual-notrump": "their bid gives the two-suiter another turn",
    "transfers": "their double of a transfer gives its maker another turn",
    "stayman": "their double of Stayman gives its maker another turn",
    "blackwood": "the answer is our suit, or they bid and a pass is the answer",
    "gerber": "the same of Gerber",
    "fourth-suit": "they came in, and game is forced: partner has another turn",
    "weak-twos": "they came in over the ask: partner has another turn",
    "forcing-raise": "they came in, and game is forced: partner has another turn",
    "overcalls": "they came in over the cue-bid: partner has another turn",
    "sayc/defence": "a double of their one notrump response is left in when the points are ours",
    "sayc/notrump": "they came in over an ask: partner has another turn",
    "sayc/competition": "they came in, or partner's redouble is left in",
    "sayc/rebids": "they came in over a game try: partner has another turn",
}


@cache
def book() -> Book:
    return Book(System.load("sayc"))


def test_there_are_more_than_400_hands_and_none_twice() -> None:
    asked = [question for path in HANDS for question in questions(path)]
    assert len(asked) > 400
    assert len({(question.hand, question.auction) for question in asked}) == len(asked)
    assert all(question.source for question in asked)


def test_hands_are_bid_as_the_booklet_says() -> None:
    asked = [question for path in HANDS for question in questions(path)]
    failed = failures(bidder("expert:sayc"), asked)
    assert len(failed) <= 0.03 * len(asked), f"{len(failed)} of {len(asked)}:\n" + "\n".join(failed)


def test_most_published_problems_are_answered_as_their_authors_do() -> None:
    asked = questions(PUBLISHED)
    assert len(asked) > 1650
    assert len({(question.hand, question.auction) for question in asked}) == len(asked)
    failed = failures(bidder("expert:sayc"), asked)
    assert len(failed) <= 0.28 * len(asked), f"{len(failed)} of {len(asked)}:\n" + "\n".join(failed)


def test_every_call_is_legal_has_its_meaning_and_is_that_of_the_plain_reading() -> None:
    found = audit(book(), boards_of(2000, seed=3))
    check(found, MAY_PASS)
    assert found.bids_by_rules >= LEAST_BY_RULES * found.bids, f"{found.bids_by_rules} of {found.bids}"


def test_doubles_at_the_three_level_are_for_penalties_unless_switched() -> None:
    passes = question_of("KQ84.73.A84.J953 | 1D 3H | | P | through two spades")
    doubles = question_of("KQ84.73.A84.J953 | 1D 3H | | X | the switch")
    assert not failures(bidder("expert:sayc"), [passes])
    assert not failures(bidder("expert:sayc,high-negative-doubles=on"), [doubles])


@pytest.mark.full
@pytest.mark.parametrize("portion", range(10))
def test_the_same_over_200_000_boards(portion: int) -> None:
    check(audit(book(), boards_of(20_000, seed=100 + portion)), MAY_PASS)


@pytest.mark.full
def test_sayc_has_nothing_that_is_not_listed_with_a_reason() -> None:
    report = check_system("sayc")
    assert not report.findings, "\n".join(map(str, report.findings))
    assert all(one.reason for one in report.excused)
