"""The command deal: boards at random or by what each hand is to be, and how often that comes up."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from bidlab.bridge.boards import Board
from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json, Problems, boards_text, print_diagrams, print_json
from bidlab.cli.histograms import Histograms, histogram_lines, histograms, plot_histograms
from bidlab.cli.progress import counted, measured
from bidlab.dealing import Dealer, Frequency, random_boards, told
from bidlab.formats.files import write_boards
from bidlab.formats.records import Record
from bidlab.meaning.knowledge import Knowledge
from bidlab.meaning.meaning import Meaning

_BATCH = 1024
_SAMPLE = 10_000  # deals behind a statistic, at least
_Hand = Annotated[
    str | None, typer.Option(metavar="MEANING", help="What this hand is: a meaning or 13 cards.")
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    example = 'bidlab deal -n 20 --north "15-17, balanced" --south "5+ hearts, 8+" --seed 1'
    app.command(epilog=f"Example: {example}")(deal)


def deal(
    boards: Annotated[int, typer.Option("--boards", "-n", min=1, help="How many boards.")] = 1,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deals the same boards every time; by default a new one.")
    ] = None,
    first: Annotated[int, typer.Option(min=1, help="The number of the first board.")] = 1,
    north: _Hand = None,
    east: _Hand = None,
    south: _Hand = None,
    west: _Hand = None,
    out: Annotated[
        str | None, typer.Option(help="A file to write, by its suffix .pbn, .lin, .json or .url.")
    ] = None,
    stats: Annotated[
        bool, typer.Option("--stats", help="Print how often such deals come up, and histograms, not boards.")
    ] = False,
    plot: Annotated[
        str | None, typer.Option(help="Draw the histograms into a file .png, .svg or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Deal boards at random, or such that each hand is what is asked for.

    A hand is asked for by a meaning ("15-17, balanced"; "5+ hearts, 8-11") or by its cards
    (AKQ2.T83.KQ9.A76). All deals that fulfil everything are equally likely. Dealer and vulnerability
    follow from the number of the board.
    """
    seats = zip(SEATS, (north, east, south, west), strict=True)
    asked = {seat.letter: text for seat, text in seats if text is not None}
    wants_numbers = stats or plot is not None
    dealer = Dealer(_known(asked), counts=wants_numbers) if asked or wants_numbers else None
    if seed is None:
        seed = secrets.randbelow(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
    if wants_numbers and dealer is not None:
        _tell_numbers(dealer, boards, seed, first, plot, stats, as_json)
    if wants_numbers and out is None:
        return
    _tell_boards(map(Record, _dealt(dealer, boards, seed, first)), out, as_json)


def _known(asked: dict[str, str]) -> Knowledge:
    known = told(**asked)
    for seat in SEATS:
        for meaning in known.estimated(seat):
            raise BidlabError(
                f"{seat.word} '{meaning}': nothing can be dealt from a meaning with hands outside it; "
                f"'{Meaning(meaning.condition)}' can"
            )
    return known


def _tell_boards(records: Iterator[Record], out: str | None, as_json: bool) -> None:
    if out is not None:
        problems = Problems()
        count = write_boards(counted(records, "dealing"), out, on_problem=problems.add)
        print(f"{boards_text(count)} written to {out}", file=sys.stderr)
    elif as_json:
        print_json(records)
    else:
        print_diagrams(records)


def _dealt(dealer: Dealer | None, boards: int, seed: int, first: int) -> Iterator[Board]:
    for start in range(0, boards, _BATCH):
        count = min(_BATCH, boards - start)
        if dealer is None:
            yield from random_boards(count, seed, first + start)
        else:
            yield from dealer.boards(count, seed, first + start)


def _tell_numbers(
    dealer: Dealer, boards: int, seed: int, first: int, plot: str | None, stats: bool, as_json: bool
) -> None:
    """Print and draw how often such deals come up and what their hands are like."""
    sample = max(boards, _SAMPLE)
    bits = _sampled(dealer, sample, seed, first)
    seats = _shown_seats(dealer.known)
    shown = {seat: histograms(np.ascontiguousarray(bits[:, seat])) for seat in seats}
    if plot is not None:
        titles = {seat: f"{seat.word}: {_asked(dealer.known, seat)}" for seat in seats}
        plot_histograms(shown, titles, f"{sample:,} deals of seed {seed}", plot)
        print(f"drawn into {plot}", file=sys.stderr)
    if as_json and stats:
        print(json.dumps(_as_json(dealer, shown, seed, sample)))
    elif stats:
        print(_frequency_text(dealer.frequency(), sample))
        print(f"{sample:,} deals of seed {seed}")
        for seat, found in shown.items():
            print(f"\n{seat.word}: {_asked(dealer.known, seat)}")
            for line in histogram_lines(found):
                print(f"  {line}")


def _sampled(dealer: Dealer, count: int, seed: int, first: int) -> NDArray[np.uint64]:
    with measured("dealing", "deals") as tell:
        return dealer.deal_bits(count, seed, first, progress=lambda done: tell(done, count))


def _shown_seats(known: Knowledge) -> list[Seat]:
    """The seats of which something was asked, but for hands that are given; all where nothing was."""
    return [seat for seat in SEATS if known.meanings[seat]] or [
        seat for seat in SEATS if known.hands[seat] is None
    ]


def _asked(known: Knowledge, seat: Seat) -> str:
    return known.meaning(seat).short() if known.meanings[seat] else "any hand"


def _frequency_text(found: Frequency, sample: int) -> str:
    """How often, as a percentage and as one deal in so many."""
    percent = f"{100 * found.share:.4g}%"
    if found.share >= 1:
        return "every deal"
    one_in = f"one in {1 / found.share:,.0f}" if found.share < 0.05 else f"one in {1 / found.share:.3g}"
    if found.standard_error:
        error = f"standard error {100 * found.standard_error:.2g}%"
        return f"{percent} of deals, {one_in} ({error}, from {sample:,} deals)"
    return f"{percent} of deals, {one_in} (counted exactly)"


def _as_json(dealer: Dealer, shown: dict[Seat, Histograms], seed: int, sample: int) -> dict[str, object]:
    found = dealer.frequency()
    return {
        "seed": seed,
        "deals": sample,
        "share": found.share,
        "standard_error": found.standard_error,
        "asked": {seat.letter: str(dealer.known.meaning(seat)) for seat in shown},
        "histograms": {
            seat.letter: {
                name: dict(zip(map(str, h.values), h.shares, strict=True)) for name, h in one.items()
            }
            for seat, one in shown.items()
        },
    }
