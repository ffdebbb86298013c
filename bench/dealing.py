"""Deals per second: at random beside numpy's permutations, and under conditions beside dealing and testing.

python bench/dealing.py [DEALS] [ROUNDS] [SECONDS]

DEALS and ROUNDS are for deals at random. Under conditions, from one deal in five to one in over a million,
each peer has SECONDS: a loop that deals at random and tests, with bidlab's own kernels, and endplay's dealer.
A peer that finds fewer than 100 deals in that time is extrapolated from its tries and the exact frequency,
and marked ~.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from endplay.dealer import generate_deals
from endplay.evaluate import hcp
from endplay.types import Deal, Denom, Player

from bidlab.dealing import Dealer, deal_bits, told
from bidlab.meaning import cells, knowledge, meaning
from bidlab.meaning.meaning import Meaning

SEATS = "NESW"
BATCH = 1000  # deals that the set-up is shared by


@dataclass(frozen=True)
class Wanted:
    """What one seat must hold: in bidlab's words, and by its parts for endplay."""

    words: str
    points: tuple[int, int]
    balanced: bool = False
    lengths: tuple[tuple[str, int, int], ...] = ()  # suit, least, most


NOTRUMP = Wanted("15-17, balanced", (15, 17), True)
CONDITIONS: list[dict[str, Wanted]] = [
    {"N": Wanted("12-14", (12, 14))},
    {"N": NOTRUMP},
    {"N": NOTRUMP, "S": Wanted("8+, 5+ hearts", (8, 37), lengths=(("H", 5, 13),))},
    {
        "N": Wanted("20-21, balanced", (20, 21), True),
        "E": Wanted("6-10, 6+ spades", (6, 10), lengths=(("S", 6, 13),)),
    },
    {
        "N": NOTRUMP,
        "S": Wanted("13-16, 7+ spades, no clubs", (13, 16), lengths=(("S", 7, 13), ("C", 0, 0))),
    },
    {
        "N": Wanted("25-27, balanced", (25, 27), True),
        "S": Wanted("6-8, 7+ diamonds", (6, 8), lengths=(("D", 7, 13),)),
    },
]


def forget() -> None:
    """Empty what bidlab remembers of conditions, so that a set-up is measured whole."""
    for module in (cells, meaning, knowledge):
        for name in ("cell_sets", "_shape_mask", "_compiled", "_ranges", "_deduced", "_all_ranges"):
            cached = vars(module).get(name)
            if cached is not None:
                cached.cache_clear()


def balanced_lengths(lengths: tuple[int, ...]) -> bool:
    """4333, 4432 or 5332."""
    return min(lengths) >= 2 and max(lengths) <= 5 and sorted(lengths)[1] >= 3


def endplay_test(seat: str, wanted: Wanted) -> Callable[[Deal], bool]:
    """A constraint for endplay; functions are faster there than expressions, which it interprets."""
    player = Player.find(seat)
    suits = [(Denom.find(suit), low, high) for suit, low, high in wanted.lengths]
    least, most = wanted.points

    def test(deal: Deal) -> bool:
        hand = deal[player]
        if not all(low <= len(hand[suit]) <= high for suit, low, high in suits):
            return False
        if wanted.balanced and not balanced_lengths(tuple(len(hand[suit]) for suit in Denom.suits())):
            return False
        return bool(least <= hcp(hand) <= most)

    return test


# Measurements, all in processor time.


def seconds(work: Callable[[], object]) -> float:
    """Processor time of one piece of work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


@dataclass(frozen=True)
class Rate:
    """Deals a second of a peer, measured or from its tries."""

    deals: float
    is_measured: bool

    def __str__(self) -> str:
        return f"{'' if self.is_measured else '~'}{self.deals:,.{0 if self.deals >= 10 else 3}f}"


def rate_of(attempt: Callable[[int], tuple[int, int]], frequency: float, limit: float) -> Rate:
    """A peer's rate; `attempt` number i says how many deals it tried and found."""
    tried = found = 0
    begun = time.process_time()
    number = 0
    while (spent := time.process_time() - begun) < limit:
        more_tried, more_found = attempt(number)
        tried, found, number = tried + more_tried, found + more_found, number + 1
    is_measured = found >= 100
    return Rate((found if is_measured else tried * frequency) / spent, is_measured)


def rejection_rate(seats: dict[str, Wanted], frequency: float, limit: float) -> Rate:
    """Dealing at random and testing, both natively and in batches."""
    size = 100_000
    meanings = {SEATS.index(seat): Meaning.parse(wanted.words) for seat, wanted in seats.items()}

    def attempt(number: int) -> tuple[int, int]:
        deals = deal_bits(size, seed=1, first=1 + number * size)
        for seat, wanted in meanings.items():
            deals = deals[wanted.admits(np.ascontiguousarray(deals[:, seat]))]
        return size, len(deals)

    return rate_of(attempt, frequency, limit)


def endplay_rate(seats: dict[str, Wanted], frequency: float, limit: float) -> Rate:
    """endplay's dealer, which deals and tests too."""
    tests = [endplay_test(seat, wanted) for seat, wanted in seats.items()]
    size = 2000

    def attempt(number: int) -> tuple[int, int]:
        found = generate_deals(*tests, produce=size, max_attempts=size, seed=number)
        return size, sum(1 for _ in found)

    return rate_of(attempt, frequency, limit)


def set_up(seats: dict[str, Wanted]) -> Dealer:
    """bidlab's dealer from the words, with nothing remembered from the last time."""
    forget()
    return Dealer.of(**{seat: wanted.words for seat, wanted in seats.items()})


def measure(seats: dict[str, Wanted], limit: float) -> None:
    """One condition: bidlab with and without the set-up, the peers, and the ratios."""
    asked = {seat: wanted.words for seat, wanted in seats.items()}
    frequency, _ = Dealer(told(**asked), counts=True).frequency()
    dealer = set_up(seats)
    whole = [seconds(lambda: set_up(seats).deal_bits(BATCH, seed=1)) for _ in range(7)]
    drawn = [seconds(lambda: dealer.deal_bits(20_000, seed=1)) for _ in range(5)]
    with_set_up, without = BATCH / statistics.median(whole), 20_000 / statistics.median(drawn)
    by_rejection = rejection_rate(seats, frequency, limit)
    by_endplay = endplay_rate(seats, frequency, limit)
    print(
        f"{'; '.join(f'{seat} {words}' for seat, words in asked.items())}: one deal in {1 / frequency:,.0f}"
    )
    print(
        f"   bidlab {with_set_up:,.0f} deals/s with the set-up for {BATCH}"
        f" (from {BATCH / max(whole):,.0f} to {BATCH / min(whole):,.0f}), {without:,.0f} without;"
        f" dealing and testing natively {by_rejection}, endplay {by_endplay}"
    )
    print(
        f"   ratio: {with_set_up / by_endplay.deals:,.0f} times endplay (wanted: 50),"
        f" {with_set_up / by_rejection.deals:,.1f} times dealing and testing"
    )
    if seats is CONDITIONS[-1]:
        print(f"   the rarest: {with_set_up:,.0f} deals/s (wanted: 1,000)")


# Deals at random.


def native(count: int) -> object:
    """Deals as bidlab deals them."""
    return deal_bits(count, seed=1)


def by_numpy(count: int) -> object:
    """Deals as numpy would deal them: a permutation of the pack a row, and bits of it."""
    packs = np.tile(np.arange(52, dtype=np.uint64), (count, 1))
    cards = np.random.default_rng(1).permuted(packs, axis=1)
    return (np.uint64(1) << cards).reshape(count, 4, 13).sum(axis=2)


def measure_random(count: int, rounds: int) -> None:
    """Take turns and print the ratio."""
    times = [(seconds(lambda: native(count)), seconds(lambda: by_numpy(count))) for _ in range(rounds)]
    ratios = sorted(other / one for one, other in times)
    rate = count / statistics.median(one for one, _ in times)
    print(f"{count} deals, {rounds} rounds, taking turns: {rate / 1e6:.1f} million deals/s")
    print(f"   ratio: {statistics.median(ratios):.1f} times numpy (from {ratios[0]:.1f} to {ratios[-1]:.1f})")


def main(count: int = 200_000, rounds: int = 7, limit: int = 5) -> None:
    """Everything in one run."""
    warnings.simplefilter("ignore")  # endplay's, when its tries are spent
    measure_random(count, rounds)
    for seats in CONDITIONS:
        measure(seats, limit)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:4]))
