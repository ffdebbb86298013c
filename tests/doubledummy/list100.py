"""A reader of list100.txt, the test hands of DDS: 100 deals with tricks, par, card values and a play.

What the fields mean is told in shared/data/README.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import Card, Seat, Strain
from bidlab.bridge.hands import Deal

Table = list[list[int]]  # [strain C D H S NT, declarer N E S W]
DDS_VULNERABILITIES = (Vulnerability.NONE, Vulnerability.BOTH, Vulnerability.NS, Vulnerability.EW)
DDS_STRAINS = "SHDCN"


class Answer(NamedTuple):
    """What DDS says about one deal."""

    deal: Deal
    dealer: Seat
    vulnerable: Vulnerability
    strain: Strain
    leader: Seat
    table: Table
    leads: dict[Card, int]  # the value of each card on lead: tricks of the leader's side
    cards: tuple[Card, ...]  # a play, from the opening lead on
    trace: list[int]  # declarer's tricks in all, before the lead and after each card
    par: list[str]  # the score of either side, then the listing with either side first
    par2: list[str]  # the score, then results


def answers(folder: Path) -> Iterator[Answer]:
    """The records of the list, in order."""
    record: dict[str, str] = {}
    for line in (folder / "dds" / "list100.txt").read_text().splitlines():
        kind, _, rest = line.partition(" ")
        record[kind] = rest
        if kind == "TRACE":
            yield _answer(record)


def _answer(record: dict[str, str]) -> Answer:
    match = re.fullmatch(r'(\d) (\d) (\d) (\d) "(.*)" *', record["PBN"])
    assert match is not None, record["PBN"]
    dealer, vulnerable, strain, leader = map(int, match.groups()[:4])
    count, cards = re.fullmatch(r'(\d+) "(\w*)" *', record["PLAY"]).groups()
    assert len(cards) == 2 * int(count)
    values, *trace = map(int, record["TRACE"].split())
    assert len(trace) == values
    return Answer(
        Deal.parse(match[5]),
        Seat(dealer),
        DDS_VULNERABILITIES[vulnerable],
        Strain(DDS_STRAINS[strain]),
        Seat(leader),
        _table(record["TABLE"]),
        _leads(record["FUT"]),
        tuple(Card(cards[start : start + 2]) for start in range(0, len(cards), 2)),
        trace,
        re.findall(r'"([^"]*)"', record["PAR"]),
        re.findall(r'"([^"]*)"', record["PAR2"]),
    )


def _table(text: str) -> Table:
    figures = [int(word) for word in text.split()]
    rows = {strain: figures[4 * i : 4 * i + 4] for i, strain in enumerate(DDS_STRAINS)}
    return [rows[strain] for strain in "CDHSN"]


def _leads(text: str) -> dict[Card, int]:
    """Suits, ranks (two to fourteen), sets of lower cards that are equal (bit r for rank r), and values."""
    count, *figures = map(int, text.split())
    columns = [figures[start : start + count] for start in range(0, 4 * count, count)]
    found = {}
    for suit, rank, equals, value in zip(*columns, strict=True):
        for number in range(2, 15):
            if number == rank or equals >> number & 1:
                found[Card(f"{DDS_STRAINS[suit]}{'23456789TJQKA'[number - 2]}")] = value
    return found
