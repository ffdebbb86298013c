"""Bridge World Standard: the hands of its hands file, every line of the appendix, and many boards."""

from typing import NamedTuple

import pytest
from tests.systems.twin import LEAST_BY_RULES, audit, boards_of, check

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.systems.book import Book
from bidlab.systems.checking import check_system
from bidlab.systems.loading import books_folder
from bidlab.systems.system import System

# The lines of appendix C of Silveira's thesis (1991), opening leads apart, by short names in the order of the
# text. Each is cited by a hand at least.
LINES = """
    Opening 1NT, good 15 to bad 18
    Responses to 1NT, Jacoby transfers
    Transfers to hearts or spades, splinter rebids
    Transfer and raise to game tries for slam
    1NT-2S shows the minors
    Responses to 1NT, Texas
    Stayman, major rebid invitational
    Stayman, minor rebid forcing
    1NT-3m weak
    1NT-4C Gerber
    Opening 2NT, good 20 to bad 22, a small doubleton allowed
    2NT, Jacoby transfers
    2NT-3S shows the minors
    2NT, Texas
    2NT, Gerber
    2NT, high Gerber
    Opening 2C, artificial and strong
    2C, positive responses natural with a good suit
    2C-2D neutral
    Weak two-bids
    Weak two, 2NT asks for a feature
    Weak two, new suit forcing
    Three-bids, weak
    Opening 3NT, gambling
    3NT opened, 4D asks
    Five-card majors in first and second seat
    Responses to a major, 1NT forcing
    Two-over-one promises a rebid
    Limit jump raises with four trumps
    2NT strong raise, asks shortness
    3NT over a major natural, 16-17
    Passed hand, 1NT 6-12
    Passed hand, 2C a strong raise
    Passed hand, 3C natural
    Minor raised once, strong, no major
    Minor raised twice, weak
    1C-1NT 8-10
    Minor, 2NT natural and forcing to game
    Up the line may be ignored
    2C over 1D need not rebid
    Splinter, double jump shift over a major
    Splinter, jump in the fourth suit above a reverse
    Splinter, jump in the third suit if a reverse or at the four level
    Splinter, double jump in the fourth suit
    Splinter, four of opener's minor
    2C-2D, jump shift a splinter
    Roman key cards
    Roman key cards, the queen asked
    DOPI
    Key cards with a void
    Grand slam force, cheapest is weakest
    Gerber after notrump rebids
    2C-2D, cheaper minor second negative
    Fourth suit by a passed hand not forcing
    Fourth suit forcing, to game if a reverse or at the three level
    Opener's suit over a reverse promises a rebid
    Responder's reverse forces to game
    Secondary jumps by responder invite
    Opener's jump to four of his minor, a strong raise
    Unbid minor after a 1NT rebid asks for support
    3C after opener's 2NT jump, perhaps to sign off
    Raise of a raised major preemptive
    Negative doubles, after a suit opening, through 3S
    Negative doubles of three-bids over our 1NT
    Negative doubles unlimited
    Negative double of 1H shows four spades
    Negative double of 1S shows four hearts or more
    Repeated double of the same suit still for takeout
    Weak jump responses over an overcall of our minor
    Jump cue-bid over an overcall, a splinter
    Cue-bid over an overcall, a forcing raise
    Over unusual notrump, clubs for hearts and diamonds for spades
    Over unusual notrump, the unbid suit not forcing
    Over Michaels in a minor, the unbid suit not forcing
    Over Michaels in a minor, a major shows a stopper
    Over Michaels in a major, their major a limit raise or better
    Over Michaels in a major, a new suit forces
    They double, a new suit forces at the one level only
    They double, jump shift not forcing
    They double, 2NT a limit raise or better
    They double, double jump a splinter
    Lebensohl over an overcall of 1NT
    Opener's jump cue-bid, a splinter raise
    Michaels over a minor
    Michaels over a major
    Michaels over their 1NT response
    Jump cue-bid of a minor natural
    Jump cue-bid of a major asks for a stopper
    Takeout doubles of preempts through 4H
    Maximal double of a raised suit
    Pass and pull strong in a forcing situation
    Reopening 1NT, 10-14
    Reopening 2NT, 18-19
    Fourth seat over a response, 1NT natural
    Fourth seat over a response, cue-bids natural
    After a 1NT overcall, 2C is Stayman
    After a 1NT overcall, jumps invite
    Landy in both seats
    Landy, the 3C response forcing
    Direct 2NT unusual, lower unbid suits
    New suits forcing after cue-bids
    Light takeout doubles
    Doubler's new suit very strong
    Preemptive single-jump overcalls
    Preemptive jump raises of overcalls
    Responsive doubles after a takeout double
    Responsive doubles after an overcall
    Cue-bid by advancer forcing
    Lebensohl after a double of a weak two
"""


class Asked(NamedTuple):
    """One line of the hands file."""

    hand: str
    auction: str
    vulnerable: str
    call: str
    source: str


def asked_hands() -> list[Asked]:
    text = (books_folder() / "bws" / "hands.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [Asked(*(part.strip() for part in line.split("|"))) for line in lines]


@pytest.fixture(scope="module")
def book() -> Book:
    return Book(System.load("bws"))


def failure(book: Book, asked: Asked) -> str | None:
    """What the system does otherwise than the hands file says, in words."""
    position = book.position(Auction("N", asked.vulnerable, asked.auction))
    rule = position.rules[position.choice(Hand.parse(asked.hand))]
    if rule.call == Call(asked.call):
        return None
    after = f"after {asked.auction}" if asked.auction else "as an opening"
    wanted, made = f"{asked.call} ({asked.source})", f"{rule.call} ({rule.source})"
    return f"{asked.hand} {after}: {wanted} is asked for, {made} is made"


def test_every_hand_of_the_hands_file_makes_its_call(book: Book) -> None:
    hands = asked_hands()
    assert len(hands) >= 400
    assert len({(one.hand, one.auction, one.vulnerable) for one in hands}) == len(hands)
    failures = [found for one in hands if (found := failure(book, one))]
    assert not failures, "\n".join(failures)


def test_every_line_of_the_appendix_is_cited_by_a_hand() -> None:
    lines = [line.strip() for line in LINES.strip().splitlines()]
    assert len(lines) == len(set(lines))
    cited = {one.source.removeprefix("C: ") for one in asked_hands()}
    assert not set(lines) - cited, sorted(set(lines) - cited)


@pytest.mark.full
def test_the_check_finds_nothing_that_is_not_listed_with_a_reason() -> None:
    report = check_system("bws")
    assert not report.findings, "\n".join(map(str, report.findings))
    assert all(one.reason for one in report.excused)


# Where a call that forces may be passed, and why.
MAY_PASS = {
    "judgement (penalty)": "a takeout double is left in with long trumps",
    "bws/advances": "the same, where the text says so",
    "bws/competition": "the same, after a negative or reopening double",
    "bws/contested": "the same, in later rounds",
    "reopening": "the same of a double that reopens",
    "lebensohl-weak-twos": "the same, over a weak two",
    "lebensohl.bids": "their double of a cue-bid gives its maker another turn",
    "responsive": "the same, at the three level",
    "transfers": "their double of a transfer gives its maker another turn",
    "stayman": "their double of Stayman gives its maker another turn",
    "two-suiters": "their double of a two-suiter gives its maker another turn",
    "forcing-notrump": "their double of one notrump gives its maker another turn",
    "strong-two-clubs": "their double of two clubs: a pass waits for the opener",
    "gambling": "their double of four clubs: opener has clubs",
    "bws/defence": "their double of a question gives its maker another turn",
    "bws/responses": "the same of a question to a weak two",
    "roman-key-cards": "the answer is five of the trump suit itself",
}


def test_every_call_is_legal_and_has_its_meaning_and_rules_make_most_of_them(book: Book) -> None:
    found = audit(book, boards_of(2500, seed=3))
    check(found, MAY_PASS)
    assert found.bids_by_rules >= LEAST_BY_RULES * found.bids, f"{found.bids_by_rules} of {found.bids}"


@pytest.mark.full
@pytest.mark.parametrize("portion", range(10))
def test_the_same_over_200_000_boards(book: Book, portion: int) -> None:
    check(audit(book, boards_of(20_000, seed=100 + portion)), MAY_PASS)
