"""Which numbers of a system's text would be better one up or down: python tools/tune_numbers.py bws --out F

Every number of points in the conditions of a system's rules, in its parameters and in the conventions that
it uses, is moved by one, and every forecast by 0.15 tricks; where one rule ends at the number before which
another begins, both are moved together. Each change is measured alone, in a match against an opponent, paired
with the text as it is: only the tables whose auctions came to that place of the text are bid again, so that
a change takes about half a second.

    python tools/tune_numbers.py bws --boards 80000 --first 1 --out first.txt
    python tools/tune_numbers.py bws --boards 150000 --first 80001 --only first.txt --out second.txt

A row is what a change wins in IMPs a board: the mean of both scorings, as bid, with perfect defence, each
with its standard error, and the number of boards that differ. The best of thousands flatter: measure them
again on other boards (`--only` takes the rows that won), keep what makes sense as bridge, and confirm all of
it together.
"""

from __future__ import annotations

import argparse
import atexit
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError
from bidlab.library import library
from bidlab.matches.sources import LibraryBoards
from bidlab.systems.book import Book
from bidlab.systems.loading import books_folder
from bidlab.systems.named import load_system
from bidlab.systems.rules import Rule, Written
from bidlab.systems.system import System
from bidlab.table.bidding import finished_tables
from bidlab.table.scoring import Scores, imp_array, scores
from bidlab.table.views import Calls

_PORTION = 20_000  # tables bid at once, whose positions are kept meanwhile
_LEAST_TABLES = 20  # to say anything
_MOST_TABLES = 40_000  # bid again for one change; of more, so many are drawn
_NUMBER = re.compile(
    r"(?<![\w.$½-])(?P<low>\d+)(?:-(?P<high>\d+))?(?P<sign>[+-])?(?= |,|;|$)"
    r"(?= (?:points|hcp|combined|expected|in support)| ?(?:,|;|$| or ))"
)
_TRICKS = re.compile(r"(?P<low>\d+\.\d+)(?P<sign>\+)(?= tricks in)")
_STEP = 0.15
_PARAMETER = re.compile(r"set (?P<name>\S+) (?P<low>\d+)(?:-(?P<high>\d+))?(?P<sign>\+)?(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Move:
    """One number of a line, and what stands in its place."""

    file: str
    line: int
    start: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Change:
    """Moves that are made together."""

    moves: tuple[Move, ...]

    def __str__(self) -> str:
        return "; ".join(f"{m.file}:{m.line}:{m.start} {m.old} -> {m.new}" for m in self.moves)


# What can be changed.


def changes_of(folder: Path) -> list[Change]:
    """All changes of the texts of a folder."""
    found: list[Change] = []
    for path in sorted(folder.glob("*.bids")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found += _changes_of_parameters(path.name, lines)
        found += _lines_left_out(path.name, lines)
        for _, group in groupby(_lists(lines), key=lambda row: row[0]):
            found += _changes_of_list(path.name, [(number, lines[number - 1]) for _, number in group])
    return found


def _changes_of_parameters(file: str, lines: Sequence[str]) -> Iterator[Change]:
    for number, line in enumerate(lines, 1):
        if match := _PARAMETER.match(line):
            start, low = match.start("low"), int(match["low"])
            old = line[start : match.end()]
            rest = f"-{match['high']}" if match["high"] else match["sign"] or ""
            news = [f"{low + step}{rest}" for step in (-1, 1)]
            if match["high"]:
                news += [f"{low}-{int(match['high']) + step}" for step in (-1, 1)]
            yield from (Change((Move(file, number, start, old, new),)) for new in news)


def _lines_left_out(file: str, lines: Sequence[str]) -> Iterator[Change]:
    """Every rule alone made a comment, if nothing stands beneath it and it has a condition."""
    rules = [number for _, number in _lists(lines)]
    for number in rules:
        line = lines[number - 1]
        start = len(line) - len(line.lstrip())
        after = next((text for text in lines[number:] if text.strip() and text.strip()[0] != "#"), "")
        if (
            len(after) - len(after.lstrip()) <= start
            and _condition(line)[1]
            and not line.rstrip().endswith(("or", ",", ";"))
        ):
            call = line.split()[0]
            yield Change((Move(file, number, start, call, f"#{call}"),))


def _lists(lines: Sequence[str]) -> Iterator[tuple[tuple[int, int], int]]:
    """Numbers of the lines with rules, each after the line under which it stands and how deep."""
    above: list[tuple[int, int]] = []  # depth and number of the lines that this one stands under
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        depth = len(line) - len(line.lstrip())
        while above and above[-1][0] >= depth:
            above.pop()
        if depth:
            yield (above[-1][1] if above else 0, depth), number
        above.append((depth, number))


def _condition(line: str) -> tuple[int, str]:
    """The condition column of a rule, and where it begins; empty where there is none."""
    text = line.split("#")[0].split('"')[0].rstrip()
    columns = list(re.finditer(r"\S+(?: \S+)*", text))
    return (columns[1].start(), columns[1].group()) if len(columns) > 1 else (0, "")


def _changes_of_list(file: str, rows: list[tuple[int, str]]) -> Iterator[Change]:
    ends: dict[int, list[tuple[Move, Move]]] = {}  # by the upper number: one down, one up
    begins: dict[int, list[tuple[Move, Move]]] = {}
    for number, line in rows:
        start, text = _condition(line)
        for match in _TRICKS.finditer(text):
            for step in (-_STEP, _STEP):
                new = f"{float(match['low']) + step:.2f}+"
                yield Change((Move(file, number, start + match.start(), match.group(), new),))
        for match in _NUMBER.finditer(text):
            if match["high"] and match["sign"]:  # 5-4+, a shape
                continue
            move = partial(Move, file, number, start + match.start(), match.group())
            low, sign = int(match["low"]), match["sign"] or ""
            if match["high"]:
                high = int(match["high"])
                lower = (move(f"{low - 1}-{high}"), move(f"{low + 1}-{high}"))
                upper = (move(f"{low}-{high - 1}"), move(f"{low}-{high + 1}"))
            elif sign == "+":
                lower, upper = (move(f"{low - 1}+"), move(f"{low + 1}+")), None
            elif sign == "-":
                lower, high, upper = None, low, (move(f"{low - 1}-"), move(f"{low + 1}-"))
            else:
                high, lower, upper = low, None, None
                yield Change((move(f"{low - 1}-{low}"),))
                yield Change((move(f"{low}-{low + 1}"),))
            for pair, at, known in ((lower, low, begins), (upper, high if upper else 0, ends)):
                if pair is not None and at > 0:
                    yield from (Change((one,)) for one in pair)
                    known.setdefault(at, []).append(pair)
    for at, pairs in ends.items():
        for down, up in pairs:
            for other_down, other_up in begins.get(at + 1, []):
                if down.line != other_down.line:
                    yield Change((down, other_down))
                    yield Change((up, other_up))


# What a change is worth.

Place = tuple[str, int]  # file and line


@dataclass(frozen=True, slots=True)
class Worth:
    """What a change wins a board: means and their standard errors, and how many boards differ."""

    plain: float
    plain_error: float
    perfect: float
    perfect_error: float
    mean: float
    mean_error: float
    boards: int

    def __str__(self) -> str:
        return (
            f"{self.mean:+.5f} ± {self.mean_error:.5f} | {self.plain:+.5f} ± {self.plain_error:.5f} | "
            f"{self.perfect:+.5f} ± {self.perfect_error:.5f} | {self.boards}"
        )


class Bench:
    """A text, an opponent, and the boards on which changes are measured."""

    def __init__(self, folder: Path, name: str, opponent: str, first: int, count: int) -> None:
        self.folder, self.name, self.count = folder, name, count
        both = np.tile(np.arange(count), 2)
        # The first `count` tables have the system at North-South.
        self.tables = LibraryBoards(library("train")).boards(first, count).rows(both)
        self.at_north_south = np.arange(2 * count) < count
        self.tricks = np.asarray(library("train").tables(first, count))[both]
        self.other = Book(load_system(opponent))
        self.visits: dict[Place, NDArray[np.intp]] = {}
        self.scores = self._noted_scores()

    def worth(self, change: Change) -> Worth | None:
        """What a change wins; None where hardly an auction comes there."""
        nowhere = np.zeros(0, dtype=np.intp)
        places = {place for move in change.moves for place in self._places(move)}
        there = [self.visits.get(place, nowhere) for place in places]
        rows = np.unique(np.concatenate([nowhere, *there]))
        if len(rows) < _LEAST_TABLES:
            return None
        share = 1.0
        if len(rows) > _MOST_TABLES:
            share = _MOST_TABLES / len(rows)
            rows = np.sort(np.random.default_rng(1).permutation(rows)[:_MOST_TABLES])
        after = self._scored_again(change, rows)
        parts = []
        for now, before in zip(after, self.scores, strict=True):
            new = before.copy()
            new[rows] = now
            won = [imp_array(points[: self.count] - points[self.count :]) for points in (new, before)]
            parts.append((won[0] - won[1]) / share)
        parts.append((parts[0] + parts[1]) / 2)
        figures = [figure for won in parts for figure in (won.mean(), won.std() / np.sqrt(self.count))]
        return Worth(*map(float, figures), int((parts[2] != 0).sum()))

    def _places(self, move: Move) -> Iterator[Place]:
        """The line that is changed; of a parameter those that name it."""
        line = (self.folder / move.file).read_text(encoding="utf-8").splitlines()[move.line - 1]
        if not (parameter := _PARAMETER.match(line)):
            yield move.file, move.line
            return
        name = re.compile(re.escape("$" + parameter["name"]) + r"(?![\w-])")
        for path in sorted(self.folder.glob("*.bids")):
            for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if name.search(text):
                    yield path.name, number

    def _scored_again(self, change: Change, rows: NDArray[np.intp]) -> tuple[Scores, Scores]:
        with changed(self.folder, change):
            book = Book(System.load(self.folder / f"{self.name}.bids"))
        parts = []
        for begin in range(0, len(rows), _PORTION):
            some = rows[begin : begin + _PORTION]
            parts.append(self._scored(some, book.calls_to(self._ends(book, some))))
        return tuple(np.concatenate(both) for both in zip(*parts, strict=True))  # type: ignore[return-value]

    def _ends(self, book: Book, rows: NDArray[np.intp]) -> NDArray[np.int32]:
        some = self.tables.rows(rows)
        seats = self.at_north_south[rows]
        return book.ends_against(self.other, some.bits, some.dealers, some.vulnerable, seats)

    def _noted_scores(self) -> tuple[Scores, Scores]:
        """The scores of all tables; which of them came to which lines is noted."""
        book = Book(System.load(self.folder / f"{self.name}.bids"))
        visits: dict[Place, list[int]] = {}
        parts = []
        for begin in range(0, len(self.tables), _PORTION):
            rows = np.arange(begin, min(begin + _PORTION, len(self.tables)))
            ends = self._ends(book, rows)
            parts.append(self._scored(rows, book.calls_to(ends)))
            places: dict[int, frozenset[Place]] = {}  # of the texts at nodes, by their identity
            for row, end in zip(rows.tolist(), ends.tolist(), strict=True):
                came: set[Place] = set()
                our_first = (int(self.tables.dealers[row]) + int(self.at_north_south[row]) + 1) % 2
                for node in book.path(end)[our_first::2]:
                    text = book.text_at(node)
                    if id(text) not in places:
                        places[id(text)] = frozenset(places_of(text))
                    came |= places[id(text)]
                for place in came:
                    visits.setdefault(place, []).append(row)
        self.visits = {place: np.array(some) for place, some in visits.items()}
        return tuple(np.concatenate(both) for both in zip(*parts, strict=True))  # type: ignore[return-value]

    def _scored(self, rows: NDArray[np.intp], calls: Calls) -> tuple[Scores, Scores]:
        tables = finished_tables(self.tables.rows(rows), calls)
        strain = (tables.last.astype(np.intp) + 2) % 5
        made = self.tricks[rows, strain, tables.declarers]
        tricks = np.where(tables.last > 0, made, 0).astype(np.uint8)
        return scores(tables, tricks), scores(tables, tricks, perfect=True)


def places_of(text: tuple[Rule, ...]) -> Iterator[Place]:
    """Where rules stand in the files."""
    for rule in text:
        if isinstance(rule.source, Written):
            yield Path(rule.source.file).name, rule.source.line


@contextmanager
def changed(folder: Path, change: Change) -> Iterator[None]:
    """Texts with a change, put right again afterwards."""
    before = {move.file: (folder / move.file).read_text(encoding="utf-8") for move in change.moves}
    try:
        apply(folder, change)
        yield
    finally:
        for file, text in before.items():
            (folder / file).write_text(text, encoding="utf-8")


def apply(folder: Path, change: Change) -> None:
    """Write a change into the texts of a folder."""
    for move in sorted(change.moves, key=lambda move: -move.start):
        path = folder / move.file
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        line = lines[move.line - 1]
        if not line.startswith(move.old, move.start):
            raise SystemExit(f"{move.file}:{move.line}: no '{move.old}' at {move.start}: {line.strip()}")
        lines[move.line - 1] = line[: move.start] + move.new + line[move.start + len(move.old) :]
        path.write_text("".join(lines), encoding="utf-8")


# The command.

_bench: Bench | None = None  # of a worker


def _begin(texts: Path, *about: str | int) -> None:
    global _bench
    folder = Path(tempfile.mkdtemp(prefix="numbers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path in texts.glob("*.bids"):
        shutil.copy(path, folder)
    _bench = Bench(folder, *about)  # type: ignore[arg-type]


def _worth(change: Change) -> tuple[Change, Worth | None]:
    assert _bench is not None
    try:
        return change, _bench.worth(change)
    except BidlabError:  # the text says the same twice, or nothing: no such rule
        return change, None


def texts_of(name: str, folder: Path) -> None:
    """Copy the texts of a system and of all conventions into one folder; of two names the system's wins."""
    own = Path(name).parent if name.endswith(".bids") else books_folder() / name
    for part in (books_folder() / "conventions", own):
        for path in part.glob("*.bids"):
            shutil.copy(path, folder)


def read_changes(path: Path) -> list[Change]:
    """The changes of the rows that a run before has written, which won more than their error."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words, mean, *_ = line.split(" | ")
        won, error = (float(number) for number in mean.split(" ± "))
        if won > error:
            matches = re.findall(r"(\S+):(\d+):(\d+) (\S+) -> ([^\s;]+)", words)
            found.append(Change(tuple(Move(f, int(n), int(s), old, new) for f, n, s, old, new in matches)))
    return found


def main() -> None:
    """Measure all changes, or those of a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("--against", default="natural")
    parser.add_argument("--boards", type=int, default=60_000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--only", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as texts:
        texts_of(asked.system, Path(texts))
        changes = read_changes(asked.only) if asked.only else changes_of(Path(texts))
        about = (Path(texts), Path(asked.system).stem, asked.against, asked.first, asked.boards)
        with (
            ProcessPoolExecutor(asked.workers, initializer=_begin, initargs=about) as pool,
            asked.out.open("w", encoding="utf-8") as out,
        ):
            for change, worth in pool.map(_worth, changes):
                if worth is not None and worth.boards:
                    print(change, worth, sep=" | ", file=out, flush=True)


if __name__ == "__main__":
    main()
