"""Boards read per second from a PBN file, beside endplay, and the memory that reading takes.

    python bench/formats.py [BOARDS] [ROUNDS]

The file is made here: random deals, each with a random auction and a whole play. Both readers take turns on
it, and what counts is the ratio within a round.
"""

from __future__ import annotations

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import Card
from bidlab.bridge.contracts import Contract
from bidlab.bridge.hands import Deal
from bidlab.bridge.play import trick_winner, tricks_won
from bidlab.dealing import random_boards
from bidlab.formats import Record, read_boards, write_boards


def random_record(board: Board, source: random.Random) -> Record:
    """A board bid and played at random, within the laws."""
    auction = Auction(board.dealer, board.vulnerable)
    while not auction.is_ended:
        legal = auction.legal_calls()
        auction = auction.after(source.choice((legal[0], legal[0], source.choice(legal[:8]))))
    contract = auction.contract
    play: tuple[Card, ...] = ()
    tricks = None
    if contract is not None and contract.strain is not None and contract.declarer is not None:
        play = random_play(board.deal, contract, source)
        tricks = tricks_won(play, contract.declarer.next, contract.strain)[contract.declarer & 1]
    tags = (("Date", "2026.11.15"), ("Event", "Benchmark"), ("Scoring", "IMP"), ("Site", "Nowhere"))
    names = ("Nora", "Edgar", "Sofia", "Wim")
    return Record(board, auction, contract, tricks, play, names, tags=tags)


def random_play(deal: Deal, contract: Contract, source: random.Random, count: int = 52) -> tuple[Card, ...]:
    """The first cards of a play in which everybody follows suit, by default all."""
    assert contract.strain is not None and contract.declarer is not None
    left = [set(hand or ()) for hand in deal.hands]
    leader = contract.declarer.next
    play: list[Card] = []
    for _ in range(13):
        trick: list[Card] = []
        for step in range(4):
            hand = left[leader.plus(step)]
            follow = [card for card in hand if trick and card.suit == trick[0].suit]
            trick.append(source.choice(sorted(follow or hand)))
            hand.discard(trick[-1])
        leader = leader.plus(trick_winner(trick, contract.strain))
        play += trick
    return tuple(play[:count])


def ours(path: Path) -> int:
    """Boards that bidlab reads."""
    return sum(1 for _ in read_boards(path))


def theirs(path: Path) -> int:
    """Boards that endplay reads."""
    from endplay.parsers import pbn

    with path.open(encoding="latin-1") as file:
        return len(pbn.load(file))


def seconds(reader: Callable[[Path], int], path: Path, boards: int) -> float:
    """Processor time of one reading."""
    begun = time.process_time()
    assert reader(path) == boards
    return time.process_time() - begun


def peak_kilobytes() -> int:
    """The most memory that this process has had, without what its parent had before it began."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def memory(path: Path) -> tuple[int, float]:
    """Boards in a file, and the most memory in MB that a fresh process took to read them."""
    out = subprocess.run(
        [sys.executable, __file__, "--read", str(path)], capture_output=True, text=True, check=True
    )
    boards, kilobytes = out.stdout.split()
    return int(boards), int(kilobytes) / 1024


def main(boards: int, rounds: int) -> None:
    """Make the file, take turns, print the table."""
    source = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.pbn"
        write_boards((random_record(board, source) for board in random_boards(boards, seed=1)), path)
        size = path.stat().st_size
        print(f"{boards} boards with auction and play, {size / 1e6:.1f} MB; {rounds} rounds, taking turns")
        times = [(seconds(ours, path, boards), seconds(theirs, path, boards)) for _ in range(rounds)]
        for name, column in (("bidlab", 0), ("endplay", 1)):
            rates = sorted(boards / pair[column] for pair in times)
            print(
                f"{name:>8}: {statistics.median(rates):8.0f} boards/s "
                f"(from {rates[0]:.0f} to {rates[-1]:.0f})"
            )
        ratios = sorted(other / one for one, other in times)
        print(f"   ratio: {statistics.median(ratios):.1f} times (from {ratios[0]:.1f} to {ratios[-1]:.1f})")

        body = path.read_bytes()
        for megabytes in (1, 10, 100):
            copies = max(1, round(megabytes * 1e6 / len(body)))
            with path.open("wb") as file:
                for _ in range(copies):
                    file.write(body + b"\r\n")
            count, peak = memory(path)
            print(f"  memory: {path.stat().st_size / 1e6:6.1f} MB, {count:6d} boards, {peak:.1f} MB at most")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        print(ours(Path(sys.argv[2])), peak_kilobytes())
    else:
        main(*(int(word) for word in sys.argv[1:3] or ("2000", "7")))
