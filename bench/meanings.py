"""How well a book of estimated meanings discloses what its bidder shows, on fresh boards.

python bench/meanings.py [BIDDER] [BOOK] [BOARDS] [SEED] [COMPARED]

BOOK is a file of meanings; "-" makes one from 100,000 boards of another seed. On BOARDS fresh boards (50,000)
of SEED every call that is in the book is looked up: the share of hands inside their meaning, and what it
tells of them in nats over knowing nothing. For COMPARED calls (200), and as many players at the end of the
auction, that is held against what the bidder itself knows.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from bidlab.bidders import bidder
from bidlab.bidders.meaningbook import MeaningBook
from bidlab.learning.meanings import book_of, gathered
from bidlab.matches.disclosure import Comparison, disclosure

GATHERED, GATHERED_SEED = 100_000, 1


def main(
    name: str = "natural", file: str = "-", boards: str = "50000", seed: str = "2026", compared: str = "200"
) -> None:
    """Print the report."""
    made = bidder(name)
    begun = time.process_time()
    if file == "-":
        book = book_of(gathered(made, GATHERED, GATHERED_SEED, 40 / GATHERED))
        print(f"book of {GATHERED:,} boards: {time.process_time() - begun:.0f} s of processor time")
    else:
        book = MeaningBook.read(Path(file))
    print(f"{name}: {len(book):,} sequences in {len(book.encoded()) / 1e6:.2f} MB")
    begun = time.process_time()
    found = disclosure(made, book, int(boards), int(seed), compared=int(compared))
    made.close()
    print(f"{found.boards:,} fresh boards of seed {seed}, {time.process_time() - begun:.0f} s")
    print(f"calls in the book          {found.known:,} of {found.calls:,}, {found.known / found.calls:.1%}")
    print(f"hands inside their meaning {100 * found.inside.mean:.2f} ± {100 * found.inside.stderr:.2f}%")
    print(f"told, a call               {found.told} nats")
    print(f"told, a player at the end  {found.told_at_last} nats")
    for what, one in (("a call", found.a_call), ("a player at the end", found.at_last)):
        if one is not None:
            print(compared_text(what, one))
    print("calls with the fewest hands inside, of those made 100 times or more and below 95%:")
    for cover in found.worst:
        print(f"  {cover.count:6,}  {cover.inside:.1%}  {cover.auction}: {cover.meaning}")


def compared_text(what: str, one: Comparison) -> str:
    """Meanings beside the bidder's own knowledge."""
    return (
        f"{what}, {one.count} compared, {one.left_out} left out: "
        f"meanings {one.meanings}, the bidder itself {one.bidder} nats, ratio {one.ratio:.2f}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
