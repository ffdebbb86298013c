"""Complete auctions a second of a written system at all four seats, natively and by its plain Python twin.

python bench/bidding.py [SYSTEM] [SEEN] [FRESH] [ROUNDS]

The book starts cold; after SEEN boards it meets FRESH ones, again and again, with all the positions that it
has never seen before: misses are included. The twin reads the rules of the same positions one by one in
Python.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter

import numpy as np

from bidlab.bridge.boards import VULNERABILITIES
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import SEATS
from bidlab.bridge.hands import Hand
from bidlab.dealing import deal_bits
from bidlab.systems.book import Book
from bidlab.systems.rules import Judged
from bidlab.systems.system import System
from bidlab.table.bidding import Boards

TWIN_BOARDS, SPOKEN_BOARDS = 100, 2000


def boards_of(seed: int, count: int) -> Boards:
    """Fresh boards of a seed."""
    return Boards.numbered(deal_bits(count, seed=seed))


def rate(book: Book, boards: Boards) -> float:
    """Boards a second, in processor time: other programs on the machine do not count."""
    begun = time.process_time()
    book.bid(boards.bits, boards.dealers, boards.vulnerable)
    return len(boards) / (time.process_time() - begun)


def speakers(book: Book, boards: Boards) -> str:
    """The shares of calls that written rules made, and of what judgement made."""
    auctions = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    sources: Counter[str] = Counter()
    for place in range(auctions.shape[1]):
        going = np.flatnonzero(auctions[:, place] != 255)
        nodes = book.nodes(boards.dealers[going], boards.vulnerable[going], auctions[going, :place])
        hands = boards.bits[going, (boards.dealers[going] + place) % 4]
        for node, number in zip(nodes.tolist(), book.choose(nodes, hands)[0].tolist(), strict=True):
            source = book.position_at(node).rules[number].source
            sources[source.kind if isinstance(source, Judged) else "rules"] += 1
    calls = sum(sources.values())
    shares = ", ".join(f"{source} {100 * count / calls:.1f}%" for source, count in sources.most_common())
    return f"{calls / len(boards):.1f} calls a board: by {shares}"


def twin_rate(book: Book, boards: Boards) -> float:
    """The same of the plain reading, positions made beforehand."""
    auctions = book.bid(boards.bits, boards.dealers, boards.vulnerable)
    places = []
    for i, row in enumerate(auctions.tolist()):
        calls: list[Call] = []
        for number in row:
            if number == 255:
                break
            auction = Auction(SEATS[boards.dealers[i]], VULNERABILITIES[boards.vulnerable[i]], calls)
            places.append((book.position(auction), Hand(int(boards.bits[i, auction.turn]))))
            calls.append(CALLS[number])
    begun = time.process_time()
    for position, hand in places:
        position.choice(hand)
    return len(boards) / (time.process_time() - begun)


def main(system: str = "natural", seen: int = 100_000, fresh: int = 20_000, rounds: int = 5) -> None:
    """Measure a cold book, a warm one on fresh boards, and the twin."""
    book = Book(System.load(system))
    print(f"{system}, one thread, auctions a second of processor time")
    done = 0
    for until in (1_000, 10_000, 30_000, seen):
        found = rate(book, boards_of(until, until - done))
        print(f"   boards {done + 1:,} to {until:,}: {found:,.0f}; then {book.size:,} positions")
        done = until
    rates = [rate(book, boards_of(1_000_000 + i, fresh)) for i in range(rounds)]
    print(
        f"   {fresh:,} fresh boards after that: {statistics.median(rates):,.0f} (from {min(rates):,.0f} to "
        f"{max(rates):,.0f} in {rounds} rounds; wanted: 20,000); then {book.size:,} positions"
    )
    print(f"   {speakers(book, boards_of(3_000_000, SPOKEN_BOARDS))}")
    twin = twin_rate(book, boards_of(2_000_000, TWIN_BOARDS))
    print(
        f"   plain Python twin: {twin:,.0f}, so natively {statistics.median(rates) / twin:,.0f} times as fast"
    )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "natural", *(int(word) for word in sys.argv[2:5]))
