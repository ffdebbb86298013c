"""Clean seeds: a bidder that calls the same whenever it has the same seed and sees the same.

Seeds can be compared only then (Ventos and others 2017, 2.3). Some boards are bid twice by bidders that were
made anew: all at once, and one by one in the opposite order.
"""

from __future__ import annotations

from contextlib import closing

import numpy as np

from bidlab.bidders.registry import bidder
from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import SEATS
from bidlab.bridge.errors import BidlabError
from bidlab.learning.boost.settings import Settings, source_of
from bidlab.matches.match import bid_both_tables
from bidlab.matches.sources import Source
from bidlab.table.auctions import NO_CALL
from bidlab.table.bidding import Boards
from bidlab.table.views import Calls

BOARDS = 8


def check_clean(settings: Settings) -> None:
    """Raise where the first two seeds do not bid some boards in the same way twice."""
    source = source_of(settings.deal_sets[0])
    boards = source.boards(1, BOARDS)
    texts = settings.bidder_with(settings.first_seed), settings.bidder_with(settings.first_seed + 1)
    once = _auctions(texts, boards, source)
    single = [boards.rows(np.array([place])) for place in reversed(range(BOARDS))]
    again = {int(one.numbers[0]): _auctions(texts, one, source) for one in single}
    for place in range(BOARDS):
        for table in (0, 1):
            first = once[place + table * BOARDS]
            second = again[int(boards.numbers[place])][table]
            if _made(first) != _made(second):
                auctions = [_text(boards, place, calls) for calls in (first, second)]
                raise BidlabError(
                    f"{texts[0]} and {texts[1]} bid board {int(boards.numbers[place])} as "
                    f'"{auctions[0]}" and then as "{auctions[1]}": boosting compares seeds, so that with its '
                    "seed fixed a bidder has to call the same whenever it sees the same"
                )


def _auctions(texts: tuple[str, str], boards: Boards, source: Source) -> Calls:
    with closing(bidder(texts[0])) as one, closing(bidder(texts[1])) as other:
        return bid_both_tables((one, other), boards, source, wants_meanings=False).calls


def _made(calls: Calls) -> list[int]:
    return [call for call in calls.tolist() if call != NO_CALL]


def _text(boards: Boards, place: int, calls: Calls) -> str:
    dealer, vulnerable = SEATS[boards.dealers[place]], VULNERABILITIES[boards.vulnerable[place]]
    return str(Auction(dealer, vulnerable, [CALLS[call] for call in _made(calls)]))
