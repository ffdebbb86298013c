"""The header of a file of solved deals: which deals they are, what they are for and what solved them."""

from __future__ import annotations

import json
import re
import struct
import zlib
from dataclasses import asdict, dataclass, fields
from enum import StrEnum

from bidlab.bridge.errors import BidlabError, FormatError, quoted

MAGIC = b"\x89deals\r\n"  # no text file begins so, and a transfer that changes line ends breaks it
FORMAT = 1
HEADER_BYTES = 512
_FRONT = struct.Struct("<8sHHI")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


class Purpose(StrEnum):
    """What the deals of a library are for.

    Deals to judge by are never learned from and never looked at to mend a bidder, so that a judgement
    stays fair.
    """

    TRAIN = "train"
    TUNE = "tune"
    JUDGE = "judge"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> Purpose:
        raise BidlabError(f"no purpose {quoted(value)}: one of {', '.join(cls)} is wanted")

    @property
    def word(self) -> str:
        """What is done with such deals."""
        return {"train": "learning", "tune": "mending", "judge": "judging", "other": "anything"}[self]


@dataclass(frozen=True, slots=True)
class Header:
    """Which deals a file holds, what they are for, and what solved them.

    `count` is how many deals the file has when it is finished: deals `first` .. `first` + `count` - 1 of the
    seed. In the file a header takes 512 bytes, numbers with the lowest byte first:

        0-7      89 'd' 'e' 'a' 'l' 's' 0D 0A
        8-9      the number of the format, 1
        10-11    the length of the text
        12-15    CRC-32 of the other 508 bytes
        16-511   the text: one line of JSON in ASCII with the fields of this type, then spaces, and at the
                 very end a line feed

    The file begins with two copies, the first of which counts. They are written one after the other, so
    that one of them is whole at any time.

    >>> header = Header("mine", Purpose.TUNE, seed=7, first=1, count=300)
    >>> Header.decoded(header.encoded()) == header, len(header.encoded())
    (True, 512)
    """

    name: str
    purpose: Purpose
    seed: int
    first: int
    count: int
    version: str = ""  # of bidlab, when it solved the deals; several if it was changed in between
    solver: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise BidlabError(
                f"no name for a library: {quoted(self.name)}; letters, digits, - and _ are wanted, at most 40"
            )
        for field, least in (("seed", 0), ("first", 1), ("count", 1)):
            value = getattr(self, field)
            if not least <= value < 1 << 63:
                raise BidlabError(f"{field} {value}: a whole number from {least} to 2^63 - 1 is wanted")
        if self.last >= 1 << 63:
            raise BidlabError(f"{self.count} deals from number {self.first} on: numbers end at 2^63 - 1")

    @property
    def last(self) -> int:
        """The number of the last deal."""
        return self.first + self.count - 1

    def encoded(self) -> bytes:
        """One copy of the header, as it stands in the file."""
        text = json.dumps(asdict(self)).encode()
        room = HEADER_BYTES - _FRONT.size
        if len(text) >= room:
            raise BidlabError(f"a header of {len(text)} bytes for library {self.name}: {room} is the most")
        body = text.ljust(room - 1) + b"\n"
        check = zlib.crc32(body, zlib.crc32(_FRONT.pack(MAGIC, FORMAT, len(text), 0)[:12]))
        return _FRONT.pack(MAGIC, FORMAT, len(text), check) + body

    @classmethod
    def decoded(cls, copy: bytes) -> Header:
        """The header of one copy; an error that says what is wrong with it otherwise."""
        if len(copy) < HEADER_BYTES:
            raise FormatError("is cut short")
        magic, format_, length, check = _FRONT.unpack_from(copy)
        if magic != MAGIC:
            raise FormatError("does not begin as one")
        if check != zlib.crc32(copy[_FRONT.size : HEADER_BYTES], zlib.crc32(copy[:12])):
            raise FormatError("does not match its checksum")
        if format_ != FORMAT:
            raise NewerFormatError(
                f"is of format {format_}: this bidlab reads format {FORMAT}; take a newer one"
            )
        return cls._of_text(copy[_FRONT.size :][:length])

    @classmethod
    def _of_text(cls, text: bytes) -> Header:
        """The header of its JSON; it may still be nonsense that somebody wrote with a right checksum."""
        try:
            given = json.loads(text)
            values = {field.name: given[field.name] for field in fields(cls)}
            for field in fields(cls):
                wanted = int if field.name in ("seed", "first", "count") else str
                if type(values[field.name]) is not wanted:
                    raise FormatError(f"has {quoted(values[field.name])} for its {field.name}")
            return cls(**values | {"purpose": Purpose(values["purpose"])})
        except FormatError:
            raise
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise FormatError(f"cannot be read: {' '.join(str(error).split())}") from error


class NewerFormatError(FormatError):
    """A file that a later version of bidlab wrote."""


def read_headers(data: bytes, path: object) -> tuple[Header, tuple[str, ...]]:
    """The header of a file from its first 1,024 bytes, and what is wrong with a copy of it.

    An error where neither copy can be read.
    """
    copies = data[:HEADER_BYTES], data[HEADER_BYTES : 2 * HEADER_BYTES]
    if not is_library(data):
        what = "is empty" if not data else "is no library of solved deals"
        raise FormatError(f"{path} {what}: a file made by bidlab library build is wanted")
    found: list[Header] = []
    wrong: list[str] = []
    for copy, which in zip(copies, ("first", "second"), strict=True):
        try:
            found.append(Header.decoded(copy))
        except NewerFormatError as error:
            raise NewerFormatError(f"{path} {error}") from None
        except FormatError as error:
            wrong.append(f"the {which} copy of the header {error}")
    if not found:
        raise FormatError(f"{path} is damaged: {', and '.join(wrong)}")
    return found[0], tuple(wrong)


def is_library(data: bytes) -> bool:
    """Whether a file that begins so was meant to be a library, however damaged."""
    return any(
        data[start : start + len(MAGIC)] == MAGIC for start in (0, HEADER_BYTES)
    ) or (0 < len(data) < len(MAGIC) and MAGIC.startswith(data))  # fmt: skip
