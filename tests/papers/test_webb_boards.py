"""Woolever 2001 (WEBB), figures 5-2, 5-4, 5-6 and 5-7: systems with the printed meanings bid the boards.

The thesis prints what calls mean, not the programs; these are short ones that mean the same. It rounds points
to a tenth: 0-14.2 and 14.3+ part at 183 steps of 5/64. In figure 5-4 East's pass over 1S denies no spades and
in 5-6 West's pass over 1D no 1D opening: a bid that cannot be made goes on to the next entry, here a pass.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bidlab.bridge.calls import CALLS, Auction
from bidlab.bridge.cards import Seat, Suit
from bidlab.bridge.hands import Deal
from bidlab.systems.webb import Bid, Decision, Population, WebbState, WebbSystem, call_meanings
from bidlab.systems.webb.entries import Entry

PASS = Bid.passing()


def points(steps: int, jump: int) -> Decision:
    """With at least so many steps, so many entries ahead."""
    return Decision(None, steps, jump)


def system(*states: tuple[Sequence[Entry], dict[str, int]]) -> WebbSystem:
    """States filled up with passes to the longest program."""
    length = max(len(program) for program, _ in states)
    return WebbSystem(
        tuple(
            WebbState.of([*program, *[PASS] * (length - len(program))], transitions)
            for program, transitions in states
        )
    )


# Spades with six of them and less than 14.3 points, 1NT with more; 3NT over it with 7.9.
RUN_A = system(
    (
        [
            points(183, jump=6),
            Decision(Suit.SPADES, 6, jump=2),
            PASS,
            Bid.direct("1S"),
            Bid.direct("2S"),
            PASS,
            Bid.direct("1N"),
        ],
        {"1N": 1, "3N": 2},
    ),
    ([points(101, jump=2), PASS, Bid.direct("3N")], {"3N": 2}),
    ([PASS], {}),
)
# 1S with five spades and at most 13.0; over it 3D with 12.5 to 19.0 and no twelve clubs; over that 4S.
RUN_B = system(
    (
        [
            points(167, jump=5),
            Decision(Suit.SPADES, 5, jump=2),
            PASS,
            Bid.direct("1S"),
            PASS,
            Bid.direct("1N"),
        ],
        {"1S": 1},
    ),
    (
        [
            points(160, jump=2),
            PASS,
            points(244, jump=3),
            Decision(Suit.CLUBS, 12, jump=2),
            Bid.direct("3D"),
            Bid.direct("3N"),
        ],
        {"3D": 2, "3N": 3},
    ),
    ([Bid.direct("4S")], {"4S": 3}),
    ([PASS], dict.fromkeys(("P", "4S"), 3)),
)
# 1D with 13.0 to 16.2 and at most five hearts; over it 1S with at most 10.0, usually with four spades.
RUN_C = system(
    (
        [
            points(208, jump=6),
            points(167, jump=2),
            PASS,
            Decision(Suit.HEARTS, 6, jump=2),
            Bid.direct("1D"),
            PASS,
            Bid.direct("1N"),
        ],
        {"1D": 1},
    ),
    (
        [
            points(129, jump=5),
            Decision(Suit.SPADES, 4, jump=3),
            Decision(Suit.HEARTS, 5, jump=2),
            PASS,
            Bid.direct("1S"),
            Bid.direct("1N"),
        ],
        {"1S": 2, "1N": 2},
    ),
    ([PASS], {}),
)
# 2H with five hearts and at most 14.0, 2S with 16.3 and at most four hearts; over that 3NT with 5.8.
COMPARED = system(
    (
        [
            points(209, jump=6),
            points(180, jump=2),
            Decision(Suit.HEARTS, 5, jump=2),
            PASS,
            Bid.direct("2H"),
            PASS,
            Decision(Suit.HEARTS, 5, jump=2),
            Bid.direct("2S"),
            PASS,
        ],
        {"2H": 2, "2S": 1},
    ),
    ([points(74, jump=2), PASS, Bid.direct("3N")], {"3N": 2}),
    ([PASS], {"P": 2}),
)

FIGURES = {
    "5-2": (
        RUN_A,
        "N:AK.Q876.4.AKQT72 J987642.5.A9.J84 Q53.KJT4.KQ873.5 T.A932.JT652.963",
        "E",
        "1S P P 1N 2S 3N P P P",
        {
            0: "0-14.257 webb points, 6+ spades",
            1: "0-14.257 webb points, 0-5 spades",
            2: "0-14.257 webb points, 0-5 spades",
            3: "14.258+ webb points",
            5: "7.852-14.257 webb points, 0-5 spades",
        },
    ),
    "5-4": (
        RUN_B,
        "N:QJ952.K8.Q8.9753 K864.653.AJ62.T8 AT3.A974.T543.AK 7.QJT2.K97.QJ642",
        "N",
        "1S P 3D P 4S P P P",
        {
            0: "0-13.007 webb points, 5+ spades",
            1: "0-13.007 webb points",
            2: "12.461-19.023 webb points, 0-11 clubs",
        },
    ),
    "5-6": (
        RUN_C,
        "N:8762.QJ87.Q.QJT3 T.AT652.KT962.96 QJ943.K.J743.AK8 AK5.943.A85.7542",
        "S",
        "1D P 1S P P P",
        {
            0: "13.008-16.21 webb points, 0-5 hearts",
            1: "0-16.21 webb points",
            2: "0-10.039 webb points, 0-9 clubs, 0-9 diamonds",
        },
    ),
    "5-7": (
        COMPARED,
        "N:AKT.AT92.T3.AQT6 9.KQJ654.K8765.4 J632.8.AJ92.9732 Q8754.73.Q4.KJ85",
        "E",
        "2H P P 2S P 3N P P P",
        {0: "0-14.023 webb points, 5+ hearts", 3: "16.29+ webb points, 0-4 hearts", 5: "5.743+ webb points"},
    ),
}


@pytest.mark.parametrize("figure", FIGURES)
def test_board_of_the_figure_is_bid_as_printed(figure: str) -> None:
    own, deal, dealer, calls, shown = FIGURES[figure]
    population = Population.of([own])
    hands = np.array([[hand.bits for hand in Deal.parse(deal).hands]], dtype=np.uint64)
    zero, dealers = np.zeros(1, np.int32), np.array([Seat(dealer)], dtype=np.uint8)
    _, found = population.native.auctions(zero, zero, hands, dealers)
    assert " ".join(str(CALLS[call]) for call in found) == calls
    meanings = call_meanings(own, own, Auction(dealer, "none", calls))
    assert {at: str(meanings[at]) for at in shown} == shown
