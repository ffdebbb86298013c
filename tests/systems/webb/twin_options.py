"""What options add to WEBB's twin: further numbers of a hand, facts of the auction, words of several steps.

Written from docs/evolution.md. Numbers of a hand follow those of a box in one row: 8 longest, 9 shortest,
10 balanced, 11 playing tricks, 12-15 lead, 16-19 stopper, 20-23 quality, 24-27 support, 28-31 honours.
"""

from __future__ import annotations

import numpy as np

from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SUITS
from bidlab.meaning import features
from bidlab.meaning.features import feature_table, of_suit

NAMES = ("bidding", "vulnerability", "controls", "points", "losers", "shape", "holdings", "fit",
         "named-suits", "suit-bids")  # fmt: skip
MORE = ((0, 37), (0, 12), (0, 12))  # points, controls, losers: least and most of a hand
FIRST_BID = 3


def options_of(mask: int) -> frozenset[str]:
    """The names of a mask."""
    return frozenset(name for bit, name in enumerate(NAMES) if mask >> bit & 1)


def more_values(hand: int, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of a hand from its points on."""
    row = feature_table(np.array([hand], dtype=np.uint64))[0].tolist()
    ordered = sorted(lengths)
    leads = [lengths[i] - max(lengths[:i] + lengths[i + 1 :]) for i in range(4)]
    whole = [
        features.POINTS, features.CONTROLS, features.LOSERS, features.LONGEST, features.SHORTEST,
    ]  # fmt: skip
    kinds = ("stopper", "quality", "support", "top five")
    return (
        *(row[feature.number] for feature in whole),
        int(ordered in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])),
        row[features.PLAYING_TRICKS.number],
        *leads,
        *(row[of_suit(kind, suit).number] for kind in kinds for suit in SUITS),
    )


def implied_lengths(feature: int, least: int, most: int) -> list[tuple[int, int]]:
    """Least and most of each suit that hands have which pass a test of a number that boxes do not keep."""
    if feature == 10 and least == 1:
        return [(2, 5)] * 4
    if feature == 8:
        return [(0, most)] * 4
    if feature == 9:
        return [(max(least, 0), 13)] * 4
    if 12 <= feature <= 15 and least >= 0:
        shortest = next(n for n in range(14) if n + 3 * (n - least) >= 13)
        return [(shortest, 13) if suit == feature - 12 else (0, 13) for suit in range(4)]
    return [(0, 13)] * 4


def is_true(word: int, auction: Auction) -> bool:
    """The answer of the auction to a question about it."""
    seat, calls = int(auction.turn), [(int(who), int(call)) for who, call in auction.seats()]
    type_, parameter, negated = word & 255, word >> 8 & 255, bool(word >> 17 & 1)
    who = {(seat + i) % 4 for i in range(4) if word >> (22 - i) & 1}
    bids = [(maker, call - FIRST_BID) for maker, call in calls if call >= FIRST_BID]
    last_maker, last = bids[-1] if bids else (None, -1)
    if type_ >= 96:
        we, they = (auction.vulnerable >> side & 1 for side in (seat % 2, 1 - seat % 2))
        answer = bool((we, they, we and not they, they and not we)[type_ % 4])
        return answer != negated
    after_bid = [call for _, call in calls][max((i for i, one in enumerate(calls) if one[1] >= FIRST_BID),
                                               default=0) :]  # fmt: skip
    answers = (
        any(maker in who and call for maker, call in calls),
        last >= parameter % 35,
        bool(bids) and last % 5 == parameter % 5,
        last_maker in who,
        any(maker in who and bid % 5 == parameter % 5 for maker, bid in bids),
        bool(bids) and last // 5 + 1 >= 1 + parameter % 7,
        1 in after_bid or 2 in after_bid,
        bool(calls) and calls[-1][1] != 0,
        len(calls) >= 4,
        bool(bids) and bids[0][0] in who,
    )
    return bool(answers[type_ % 10]) != negated
