"""Hands with the call that a system's teachers want, one a line: read, tried, and told apart where they fail.

    hand | auction so far | vulnerable | call, or several with "or" | source

The auction runs from the dealer on; vulnerable is nothing for nobody, or we, they, both.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.table import Bidder, SeatView


@dataclass(frozen=True)
class Question:
    """A hand, an auction and the calls that are right."""

    place: str  # file and line
    hand: Hand
    auction: Auction
    calls: tuple[Call, ...]
    source: str

    def __str__(self) -> str:
        wanted = " or ".join(map(str, self.calls))
        return f"{self.place}: {self.hand} after {str(self.auction) or 'nothing'}: {wanted} ({self.source})"


def questions(path: Path) -> list[Question]:
    """The questions of a file."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [
        question_of(line, f"{path.name}:{number}")
        for number, line in lines
        if line and not line.startswith("#")
    ]


def question_of(line: str, place: str = "") -> Question:
    """The question of one line."""
    hand, calls, vulnerable, wanted, source = (column.strip() for column in line.split("|"))
    auction = Auction("N", _vulnerability(vulnerable, len(calls.split())), calls)
    return Question(place, Hand.parse(hand), auction, tuple(map(Call, wanted.split(" or "))), source)


def _vulnerability(word: str, calls: int) -> str:
    """Who is vulnerable in the words of the table, the dealer being North."""
    we, they = ("NS", "EW") if calls % 2 == 0 else ("EW", "NS")
    return {"": "none", "both": "both", "we": we, "they": they}[word]


def failures(bidder: Bidder, asked: list[Question]) -> list[str]:
    """What a bidder answers otherwise, in words."""
    found = []
    for question in asked:
        decision = bidder.decide(SeatView(question.hand, question.auction))
        if decision.call not in question.calls:
            found.append(f"{question}\n    bids {decision.call}. {' '.join(map(str, decision.reasons[:1]))}")
    return found
