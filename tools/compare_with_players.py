"""Where a bidder calls otherwise than recorded players: python tools/compare_with_players.py BIDDER FILE...

The bidder sees what each player saw, the auction as it was recorded, and says what it would have called.
Calls are counted by the auction before them, passes before the first bid left out. A row shows how often the
two differed, the auction, the bidder's call, what players called most with those hands, and an example hand:
for whoever writes a system, the places to look at.

    python tools/compare_with_players.py natural auctions.npz --auctions 5000 --rows 40
"""

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from bidlab.bidders import bidder
from bidlab.bridge.calls import CALLS
from bidlab.bridge.hands import Hand
from bidlab.learning.recorded import RecordedAuctions, read_auctions
from bidlab.library import unpacked_deals
from bidlab.table.auctions import NO_CALL, AuctionBatch
from bidlab.table.bidder import Bidder
from bidlab.table.views import ViewBatch

Place = tuple[bytes, int]  # the calls before, and the bidder's call
SEED = 5  # of the auctions that are drawn


def drawn(paths: list[Path], count: int) -> RecordedAuctions:
    """Some auctions of the files, each deal once."""
    read = RecordedAuctions.joined([part for path in paths for part in read_auctions(path, lambda _: None)])
    _, first = np.unique(read.pack, axis=0, return_index=True)
    some = np.random.default_rng(SEED).permutation(first)[:count]
    which = np.zeros(len(read), dtype=bool)
    which[some] = True
    return read.rows(which)


def compared(player: Bidder, read: RecordedAuctions) -> dict[Place, list[tuple[int, int]]]:
    """For each auction before a call and each call of the bidder: what players called, and their hands."""
    bits = unpacked_deals(read.pack)
    named = (read.vulnerable[:, 0] + 2 * read.vulnerable[:, 1]).astype(np.uint8)
    batch = AuctionBatch(len(read))
    found: dict[Place, list[tuple[int, int]]] = defaultdict(list)
    for place in range(read.calls.shape[1]):
        going = np.flatnonzero(read.calls[:, place] != NO_CALL)
        if not len(going):
            break
        seats = (read.dealer[going] + place) % 4
        hands = np.ascontiguousarray(bits[going, seats])
        before = batch.so_far(going)
        views = ViewBatch(hands, read.dealer[going], named[going], before, batch.legal(going))
        own = player.decide_many(views).calls
        made = read.calls[going, place]
        for row, calls in enumerate(before):
            key = (calls.tobytes().lstrip(b"\0"), int(own[row]))
            found[key].append((int(made[row]), int(hands[row])))
        batch.make(going, made)
    return found


def report(found: dict[Place, list[tuple[int, int]]], rows: int) -> str:
    """Shares of equal calls, and the choices that differ most often."""
    total = [(own, made) for (_, own), calls in found.items() for made, _ in calls]
    equal = sum(own == made for own, made in total) / len(total)
    bids = [own == made for own, made in total if made]
    lines = [
        f"{len(total):,} calls, {equal:.1%} equal; "
        f"{sum(bids) / len(bids):.1%} of {len(bids):,} that are no pass"
    ]
    differing = []
    for (before, own), calls in found.items():
        others = Counter(made for made, _ in calls)
        if own not in others or others[own] < len(calls) / 2:
            differing.append((len(calls) - others[own], before, own, calls, others))
    for count, before, own, calls, others in sorted(differing, key=lambda one: -one[0])[:rows]:
        auction = " ".join(str(CALLS[call]) for call in before) or "-"
        most = ", ".join(f"{CALLS[made]} {n}" for made, n in others.most_common(3))
        example = Hand(next(hand for made, hand in calls if made == others.most_common(1)[0][0]))
        lines.append(
            f"{count:5d} of {len(calls):5d}  {auction:<24} {CALLS[own]!s:<4} players: {most:<28} {example}"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bidder")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--auctions", type=int, default=5000)
    parser.add_argument("--rows", type=int, default=40)
    asked = parser.parse_args()
    player = bidder(asked.bidder)
    sys.stdout.write(report(compared(player, drawn(asked.files, asked.auctions)), asked.rows) + "\n")


if __name__ == "__main__":
    main()
