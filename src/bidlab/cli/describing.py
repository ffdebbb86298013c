"""The command train book: what a bidder's calls mean, estimated from what it does, in a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from bidlab.bidders.registry import bidder as bidder_of
from bidlab.bridge.errors import BidlabError
from bidlab.cli.progress import measured
from bidlab.learning.meanings import Gathered, book_of, gathered

_FEWEST = 40  # hands behind a sequence, for it to be described


def book(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="BOOK", help="The file; beside w.npz, w.meanings is found.")
    ],
    bidder: Annotated[
        str | None, typer.Argument(metavar="[BIDDER]", help="Who bids, as in network:w.npz.")
    ] = None,
    hands: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Hands gathered by a GPU, a file or its parts.")
    ] = None,
    boards: Annotated[int, typer.Option(min=1, help="How many boards the bidder bids.")] = 100_000,
    least: Annotated[
        float,
        typer.Option(min=0, max=1, help="Auctions that begin so at this share of boards are described."),
    ] = 1e-5,
    seed: Annotated[int, typer.Option(min=0, help="The boards.")] = 1,
) -> None:
    """Estimate what a bidder's calls mean, and keep it as a book that the bidder discloses.

    The bidder bids boards at all four seats, and each beginning of an auction with hands enough is described
    by what the hands of its last call have in common. A GPU gathers more: see tools/gpu/README.md.
    """
    if bidder is None and not hands:
        raise BidlabError("nothing to describe: a bidder, or --hands that were gathered, is wanted")
    found = Gathered.read(*hands).common(least) if hands else None
    if bidder is not None:
        own = _own(bidder, boards, seed, max(least, _FEWEST / boards))
        found = own if found is None else found.with_more(own)
    assert found is not None
    with measured("describing", "auctions") as tell:
        done = 0

        def progress(count: int) -> None:
            nonlocal done
            done = min(done + count, len(found))
            tell(done, len(found))

        made = book_of(found, workers=os.cpu_count() or 1, progress=progress)
    made.write(out)
    print(f"{len(made):,} auctions described in {out}, {out.stat().st_size / 1e6:.1f} MB")


def _own(name: str, boards: int, seed: int, least: float) -> Gathered:
    """What a bidder's own boards show."""
    made = bidder_of(name)
    try:
        with measured("bidding", "boards") as tell:
            done = 0

            def progress(count: int) -> None:
                nonlocal done
                done += count
                tell(done, boards)

            return gathered(made, boards, seed, least, progress=progress)
    finally:
        made.close()
