"""What a system would rather have called: python tools/second_thoughts.py SYSTEM [--boards N] ...

Each decision of a system at all four seats is tried otherwise (`bidlab.matches.otherwise`). A row shows what
the other call was worth over all boards, in IMPs a thousand boards between as bid and perfect defence, how
many standard errors that is, the mean a trial as bid and with perfect defence, how often it was tried, the
rule that spoke, the rule that almost did, and, where it is some of the hands alone, which. Rules that no row
names are right as they stand, as far as one player can tell alone.

    python tools/second_thoughts.py sayc --boards 30000 --rows 40

A row that is the best of thousands flatters: mend the rule where the row makes sense as bridge, and confirm
it by a match over other boards.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import CALLS
from bidlab.bridge.cards import SUITS
from bidlab.library import library
from bidlab.matches.otherwise import Trials, tried_otherwise
from bidlab.matches.sources import LibraryBoards
from bidlab.meaning.features import HCP, feature_table, length
from bidlab.systems.book import Book
from bidlab.systems.system import System
from bidlab.table.bidding import Boards

PORTION = 3_000  # boards whose positions are kept at once
LEAST = 15  # trials of a row


def kinds_of_hand(boards: Boards, trials: Trials) -> dict[str, NDArray[np.int32]]:
    """What the hands of the trials are parted by."""
    seats = (boards.dealers[trials.board] + trials.place) % 4
    table = feature_table(boards.bits[trials.board, seats])
    lengths = np.stack([table[:, length(suit).number] for suit in SUITS], axis=1)
    strains = (trials.tried.astype(int) - 3) % 5
    named = np.where((trials.tried >= 3) & (strains < 4), strains, 0)
    own = np.where((trials.tried >= 3) & (strains < 4), lengths[np.arange(len(trials)), named], -1)
    return {
        "points": table[:, HCP.number],
        "cards in the suit tried": own,
        "longest suit": lengths.max(axis=1),
        "vulnerable": boards.vulnerable[trials.board] >> (seats % 2) & 1,
        "call": trials.tried,
    }


def rows_of(boards: Boards, trials: Trials, sure: float) -> Iterator[tuple[float, str]]:
    """Rows with what they are worth, those alone that are so many standard errors above nothing."""
    mean = (trials.won + trials.won_perfect) / 2
    kinds = kinds_of_hand(boards, trials)
    pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, pair in enumerate(zip(trials.chosen_by, trials.tried_by, strict=True)):
        pairs[pair].append(row)
    for (spoke, almost), some in pairs.items():
        rows = np.array(some)
        parts = [("", rows)]
        for name, values in kinds.items():
            for value in np.unique(values[rows]).tolist():
                said = str(CALLS[value]) if name == "call" else str(value)
                parts.append((f"{name} {said}", rows[values[rows] == value]))
        for which, part in parts:
            if len(part) < LEAST:
                continue
            worth, error = float(mean[part].sum()), float(mean[part].std(ddof=1)) * len(part) ** 0.5
            if worth > sure * error:
                per = 1000 / len(boards)
                plain, perfect = trials.won[part].mean(), trials.won_perfect[part].mean()
                figures = (
                    f"{worth * per:+7.1f} {worth / max(error, 1e-9):5.1f}  {plain:+5.2f} {perfect:+5.2f}"
                )
                yield worth * per, f"{figures} {len(part):6}  {spoke} -> {almost}  {which}"


def main() -> None:
    """Try the decisions of a system otherwise, and say what would have paid."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("system")
    words.add_argument("--library", default="train")
    words.add_argument("--first", type=int, default=1)
    words.add_argument("--boards", type=int, default=30_000)
    words.add_argument("--misfit", type=float, default=1.0, help="standard deviations a hand may be off")
    words.add_argument("--sure", type=float, default=3.0, help="standard errors above nothing")
    words.add_argument("--rows", type=int, default=40)
    asked = words.parse_args()
    source = LibraryBoards(library(asked.library))
    book = Book(System.load(asked.system))
    boards = source.boards(asked.first, asked.boards)
    parts = []
    for begin in range(0, len(boards), PORTION):
        some = np.arange(begin, min(begin + PORTION, len(boards)))
        found = tried_otherwise(book, boards.rows(some), source, asked.misfit)
        found.board[:] += begin
        parts.append(found)
    best = sorted(rows_of(boards, Trials.joined(parts), asked.sure), key=lambda row: -row[0])
    lines = ["IMPs/1000  sure  as bid perfect trials  spoke -> almost spoke"]
    sys.stdout.write("\n".join([*lines, *(text for _, text in best[: asked.rows])]) + "\n")


if __name__ == "__main__":
    main()
