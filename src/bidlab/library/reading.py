"""Libraries: sets of solved deals, opened by name or by file and read a range at a time."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from bidlab.bridge.boards import Board
from bidlab.bridge.errors import BidlabError, FormatError, quoted
from bidlab.bridge.hands import Deal
from bidlab.dealing import deal_bits
from bidlab.library.blocks import BLOCKS_BEGIN, Contents, contents, records_between
from bidlab.library.header import Header, Purpose, read_headers
from bidlab.library.packing import DEAL_BYTES, Bits, Bytes, Tables, unpacked_deals, unpacked_tables

SUFFIX = ".deals"
_BATCH = 10_000  # deals read at once

# Who may use which deals. A bidder that was mended on the tuning deals would be flattered by them, and one
# that learned from them could no longer be tuned on them.
_ALLOWED = {
    "judging": (Purpose.JUDGE, Purpose.OTHER),
    "mending": (Purpose.TUNE, Purpose.TRAIN, Purpose.OTHER),
    "learning": (Purpose.TRAIN, Purpose.OTHER),
}


@dataclass(frozen=True, slots=True)
class Library:
    """A set of solved deals in a file, of which only what is asked for is read.

    Deals are known by their number: deal n of a library is deal n of its seed. What the file has of them is
    in `contents`; a library that was opened whole has all of them.
    """

    path: Path
    header: Header
    contents: Contents
    header_faults: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the library is called."""
        return self.header.name

    @property
    def purpose(self) -> Purpose:
        """What its deals are for."""
        return self.header.purpose

    @property
    def seed(self) -> int:
        """The seed that its deals come from."""
        return self.header.seed

    @property
    def first(self) -> int:
        """The number of its first deal."""
        return self.header.first

    @property
    def count(self) -> int:
        """The number of deals that it has when it is finished."""
        return self.header.count

    def __len__(self) -> int:
        """The number of deals that can be read."""
        return self.contents.whole

    @property
    def good(self) -> tuple[range, ...]:
        """The numbers of the deals that can be read, as few ranges as possible.

        >>> from bidlab.library.blocks import Damage
        >>> header = Header("mine", Purpose.OTHER, seed=7, first=1, count=1000)
        >>> Library(Path("mine.deals"), header, Contents(700, (Damage(3, 201, 300),), 0)).good
        (range(1, 201), range(301, 701))
        """
        edges = [self.first]
        for damage in self.contents.damaged:
            edges += [damage.first, damage.last + 1]
        edges.append(self.first + self.contents.held)
        spans = (range(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True))
        return tuple(span for span in spans if span)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the file, a line each; none if every deal can be read."""
        held, surplus = self.contents.held, self.contents.surplus
        faults = [*self.header_faults, *map(str, self.contents.damaged)]
        if held < self.count:
            faults.append(f"cut short: {len(self):,} of {self.count:,} deals are whole")
        elif surplus:
            faults.append(f"{surplus} bytes follow the last deal")
        return tuple(faults)

    # --- what it may be used for ------------------------------------------------------------------------

    def for_judging(self) -> Library:
        """The same library; an error if its deals may have been learned from or looked at."""
        return self._allowed_for("judging")

    def for_mending(self) -> Library:
        """The same library; an error if its deals are kept for judging."""
        return self._allowed_for("mending")

    def for_learning(self) -> Library:
        """The same library; an error if its deals are kept for judging or for tuning."""
        return self._allowed_for("learning")

    def _allowed_for(self, use: str) -> Library:
        allowed = _ALLOWED[use]
        if self.purpose in allowed:
            return self
        raise BidlabError(
            f"library {self.name} is for {self.purpose.word}, not for {use}: one with the purpose "
            f"{' or '.join(allowed)} is wanted"
        )

    # --- its deals --------------------------------------------------------------------------------------

    def bits(self, first: int | None = None, count: int | None = None) -> Bits:
        """Array [deal, seat N E S W] of 52-bit hands: deals `first`, `first` + 1 ..; all by default."""
        first, records = self._records(first, count)
        return unpacked_deals(records[:, :DEAL_BYTES], first)

    def tables(self, first: int | None = None, count: int | None = None) -> Tables:
        """Array [deal, strain C D H S NT, declarer N E S W] of tricks, of the same deals as `bits`."""
        first, records = self._records(first, count)
        return unpacked_tables(records[:, DEAL_BYTES:], first)

    def deals(self, first: int | None = None, count: int | None = None) -> tuple[Bits, Tables]:
        """`bits` and `tables` of the same deals, read at once."""
        first, records = self._records(first, count)
        return unpacked_deals(records[:, :DEAL_BYTES], first), unpacked_tables(records[:, DEAL_BYTES:], first)

    def batches(self, size: int = _BATCH) -> Iterator[tuple[int, Bits, Tables]]:
        """All deals that can be read, up to `size` at a time: the number of the first, `bits`, `tables`."""
        for span in self.good:
            for first in span[::size]:
                yield first, *self.deals(first, min(size, span.stop - first))

    def board(self, number: int) -> Board:
        """The board of a number; dealer and vulnerability follow from it."""
        return Board(Deal.of_bits(self.bits(number, 1)[0].tolist()), number=number)

    def __iter__(self) -> Iterator[Board]:
        """The boards, in the order of their numbers."""
        for first, bits, _ in self.batches():
            for number, row in enumerate(bits.tolist(), first):
                yield Board(Deal.of_bits(row), number=number)

    def _records(self, first: int | None, count: int | None) -> tuple[int, Bytes]:
        """The number of the first deal, and array [deal, 23] of bytes."""
        first = self.first if first is None else first
        stop = self.first + self.contents.held if count is None else first + count
        if first < self.first or stop < first or stop > self.header.last + 1:
            raise BidlabError(
                f"no deals {first}-{stop - 1} in library {self.name}: it has {self.first}-{self.header.last}"
            )
        if stop > self.first + self.contents.held:
            raise FormatError(f"{self.path}: no deal {stop - 1}: {self.faults[-1]}")
        with self.path.open("rb") as stream:
            start = first - self.first
            return first, records_between(
                stream, self.header, self.contents.held, start, start + stop - first
            )

    def check_deals(self) -> None:
        """Raise unless the deals that can be read are those of the seed."""
        for first, bits, _ in self.batches():
            wrong = (bits != deal_bits(len(bits), self.seed, first)).any(axis=1)
            if wrong.any():
                number = first + int(np.argmax(wrong))
                raise FormatError(
                    f"{self.path}: deal {number} is not deal {number} of seed {self.seed}, "
                    "which the header names"
                )


def library(name: str | os.PathLike[str], *, partial: bool = False) -> Library:
    """The library that is shipped under a name, or that is in a file; every block is checked.

    A damaged or unfinished file is an error. With `partial` it opens too: `good` then says which deals can
    be read, and `faults` what is wrong with the others.
    """
    path = _path_of(name)
    if path.is_dir():
        raise FormatError(f"{path} is a directory: a file of solved deals is wanted")
    if path.exists() and not path.is_file():
        raise FormatError(f"{path} is no plain file: a file of solved deals is wanted")
    with path.open("rb") as stream:
        header, header_faults = read_headers(stream.read(BLOCKS_BEGIN), path)
        found = contents(stream, header, os.fstat(stream.fileno()).st_size)
    opened = Library(path, header, found, header_faults)
    if opened.faults and not partial:
        more = f" (and {len(opened.faults) - 1} more)" if len(opened.faults) > 1 else ""
        raise FormatError(
            f"{path}: {opened.faults[0]}{more}; bidlab library build mends it, and keeps the good deals"
        )
    return opened


def shipped() -> tuple[str, ...]:
    """The names of the libraries that come with the package."""
    folder = _folder()
    return tuple(sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))) if folder.is_dir() else ()


def _folder() -> Path:
    return Path(str(resources.files("bidlab.library"))) / "solved"


def _path_of(name: str | os.PathLike[str]) -> Path:
    if not isinstance(name, str):
        return Path(name)
    names = shipped()
    if name in names:
        return _folder() / (name + SUFFIX)
    path = Path(name)
    if name and (path.suffix == SUFFIX or path.parent != Path() or path.exists()):
        return path
    here = Path(name + SUFFIX)
    if name and here.exists():
        hint = f"the file here is {here}"
    elif near := difflib.get_close_matches(name, names, 1):
        hint = f"did you mean {near[0]}?"
    else:
        hint = f"a file is named with its suffix, as in mine{SUFFIX}"
    raise BidlabError(f"no library {quoted(name)}: {', '.join(names) or 'none'} shipped; {hint}")
