"""Books of estimated meanings: what the calls of a bidder that cannot explain itself were found to show.

A book is kept in one file, numbers with the lowest byte first:

    0-7      89 'c' 'a' 'l' 'l' 's' 0D 0A
    8-9      the number of the format, 1
    10-13    CRC-32 of all that follows
    14-      the rest, compressed by zlib (RFC 1950):

        0-7      how many boards were bid
        8-11     n, how many sequences there are; 12-15 t, how many different meanings
        then     n bytes, the length of each sequence, in the order of the calls
                 n numbers of 4 bytes, which meaning each has; n of 8, how many boards had it
                 n numbers of 8, an example hand as a 52-bit word
                 all calls of all sequences, a byte each
                 the meanings as texts, a line each, in UTF-8
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning

MAGIC = b"\x89calls\r\n"
FORMAT = 1
BOOK_SUFFIX = ".meanings"
_FRONT = struct.Struct("<8sHI")
_SIZES = struct.Struct("<QII")


@dataclass(frozen=True, slots=True)
class Entry:
    """A beginning of an auction: what its last call shows, how many boards had it, and an example hand."""

    calls: tuple[int, ...]  # call numbers from the dealer on
    meaning: Meaning
    count: int
    example: Hand


class MeaningBook:
    """Meanings by sequence of calls, whoever deals and whatever the vulnerability.

    The meaning of a call is all that its maker has shown by it and the calls before it.
    """

    def __init__(
        self,
        boards: int,
        sequences: Sequence[bytes],
        numbers: NDArray[np.uint32],
        counts: NDArray[np.uint64],
        examples: NDArray[np.uint64],
        texts: Sequence[str],
    ) -> None:
        self.boards = boards
        self._numbers, self._counts, self._examples = numbers, counts, examples
        self._texts = texts
        self._place = {calls: place for place, calls in enumerate(sequences)}
        self._read: dict[int, Meaning] = {}

    @classmethod
    def of(cls, entries: Iterable[Entry], boards: int) -> MeaningBook:
        """The book of some entries."""
        ordered = sorted(entries, key=lambda entry: entry.calls)
        texts: dict[str, int] = {}
        numbers = [texts.setdefault(str(entry.meaning), len(texts)) for entry in ordered]
        return cls(
            boards,
            [bytes(entry.calls) for entry in ordered],
            np.array(numbers, dtype=np.uint32),
            np.array([entry.count for entry in ordered], dtype=np.uint64),
            np.array([entry.example.bits for entry in ordered], dtype=np.uint64),
            list(texts),
        )

    def __len__(self) -> int:
        return len(self._place)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return map(tuple, self._place)

    def __contains__(self, calls: object) -> bool:
        return isinstance(calls, tuple) and bytes(calls) in self._place

    def known(self, calls: Sequence[int]) -> Meaning | None:
        """What the last of some calls shows; None where the sequence is not in the book."""
        place = self._place.get(bytes(calls))
        return None if place is None else self._meaning(place)

    def entry(self, calls: Sequence[int]) -> Entry | None:
        """All that the book has of a sequence."""
        place = self._place.get(bytes(calls))
        if place is None:
            return None
        example = Hand(int(self._examples[place]))
        return Entry(tuple(calls), self._meaning(place), int(self._counts[place]), example)

    def _meaning(self, place: int) -> Meaning:
        number = int(self._numbers[place])
        meaning = self._read.get(number)
        if meaning is None:
            meaning = self._read[number] = Meaning.parse(self._texts[number])
        return meaning

    # --- the file ---------------------------------------------------------------------------------------

    def encoded(self) -> bytes:
        """The book as it stands in a file."""
        lengths = np.array([len(calls) for calls in self._place], dtype=np.uint8)
        parts = [
            _SIZES.pack(self.boards, len(self), len(self._texts)),
            lengths.tobytes(),
            _by_columns(self._numbers),
            _by_columns(self._counts),
            _by_columns(self._examples),
            b"".join(self._place),
            "\n".join(self._texts).encode(),
        ]
        body = zlib.compress(b"".join(parts), 9)
        return _FRONT.pack(MAGIC, FORMAT, zlib.crc32(body)) + body

    @classmethod
    def decoded(cls, file: bytes) -> MeaningBook:
        """The book of a file's bytes; an error that says what is wrong with it otherwise."""
        if not file.startswith(MAGIC[: len(file)]) or not file:
            raise FormatError("is no book of meanings")
        if len(file) < _FRONT.size:
            raise FormatError("is cut short")
        _, format_, check = _FRONT.unpack_from(file)
        if format_ != FORMAT:
            raise FormatError(f"is of format {format_}: this bidlab reads format {FORMAT}")
        if check != zlib.crc32(file[_FRONT.size :]):
            raise FormatError("is cut short or damaged: it does not match its checksum")
        return cls._of_body(zlib.decompress(file[_FRONT.size :]))

    @classmethod
    def _of_body(cls, body: bytes) -> MeaningBook:
        boards, count, _ = _SIZES.unpack_from(body)
        at = _SIZES.size
        lengths = np.frombuffer(body, np.uint8, count, at).astype(np.int64)
        at += count
        columns = []
        for size in (4, 8, 8):
            columns.append(_from_columns(body, size, count, at))
            at += count * size
        ends = at + np.cumsum(lengths)
        sequences = [
            body[end - size : end] for end, size in zip(ends.tolist(), lengths.tolist(), strict=True)
        ]
        texts = body[int(ends[-1]) if count else at :].decode().split("\n")
        return cls(boards, sequences, columns[0].astype(np.uint32), columns[1], columns[2], texts)

    def write(self, file: Path) -> None:
        """Keep the book in a file."""
        file.write_bytes(self.encoded())

    @classmethod
    def read(cls, file: Path) -> MeaningBook:
        """The book of a file; an error of one line where there is none."""
        try:
            return cls.decoded(file.read_bytes())
        except OSError as error:
            raise BidlabError(f"cannot read {file}: {error.strerror}") from None
        except FormatError as error:
            raise FormatError(f"{file} {error}") from None


def _by_columns(numbers: NDArray[np.uint32] | NDArray[np.uint64]) -> bytes:
    """All lowest bytes, then the next: what is alike stands together, and takes less room compressed."""
    little = numbers.astype(numbers.dtype.newbyteorder("<"))
    return little.view(np.uint8).reshape(len(numbers), numbers.itemsize).T.tobytes()


def _from_columns(body: bytes, size: int, count: int, at: int) -> NDArray[np.uint64]:
    """Numbers of so many bytes each, as `_by_columns` wrote them."""
    columns = np.frombuffer(body, np.uint8, count * size, at).reshape(size, count).astype(np.uint64)
    places = np.uint64(8) * np.arange(size, dtype=np.uint64)
    found: NDArray[np.uint64] = (columns << places[:, None]).sum(axis=0, dtype=np.uint64)
    return found
