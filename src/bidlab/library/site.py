"""A library's file while it is built, written so that an end at any time costs no more than a block.

A block's checksum tells whether it is whole. What is found and is not, a torn end or a damaged block, is
solved again; all other blocks stay as they are. Blocks are added in their order, so there are no gaps.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import FileIO
from pathlib import Path

import numpy as np

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.dealing import deal_bits
from bidlab.library.blocks import (
    BLOCK_DEALS,
    BLOCKS_BEGIN,
    Contents,
    block_offset,
    contents,
    encoded_block,
    packed_records,
    records_between,
)
from bidlab.library.header import HEADER_BYTES, Header, NewerFormatError, is_library, read_headers
from bidlab.library.packing import Bits, Tables
from bidlab.library.reading import Library

_NO_CONTENTS = Contents(held=0, damaged=(), surplus=0)


@contextmanager
def locked(path: Path) -> Iterator[FileIO]:
    """The file, made if need be, for one build at a time; the system frees the lock of a dead process."""
    import fcntl  # not on Windows, where everything but building works

    if path.is_dir():
        raise BidlabError(f"{path} is a directory: a file to build is wanted")
    if path.exists() and not path.is_file():
        raise BidlabError(f"{path} is no plain file: a file to build is wanted")
    if not path.parent.is_dir():
        raise BidlabError(f"no directory {path.parent} to build {path.name} in")
    is_new = not path.exists()
    with FileIO(path, "r+", opener=lambda name, flags: os.open(name, flags | os.O_CREAT, 0o666)) as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BidlabError(
                f"{path} is being built already: wait for that, or build another file"
            ) from None
        try:
            yield stream
        finally:
            if is_new and not os.fstat(stream.fileno()).st_size:
                path.unlink(missing_ok=True)  # nothing could be written, not even a header


@dataclass(frozen=True, slots=True)
class Task:
    """A block to write: its number from 0, how many of its deals are good and stay, and all that it gets."""

    index: int
    kept: int
    deals: int


@dataclass(frozen=True, slots=True)
class Site:
    """A file that is open and locked, its header as it shall be, and what it held at the beginning."""

    stream: FileIO
    path: Path
    header: Header
    found: Contents

    @classmethod
    def begun(cls, stream: FileIO, path: Path, asked: Header, *, is_purpose_given: bool) -> Site:
        """The file made ready for the deals that are asked for; an error if it has others.

        Its header is right afterwards and its torn end is cut off.
        """
        size = os.fstat(stream.fileno()).st_size
        copies = stream.read(BLOCKS_BEGIN)
        if not copies or (size < HEADER_BYTES and is_library(copies)):
            _write(stream, path, asked.encoded() * 2, 0)
            return cls(stream, path, asked, _NO_CONTENTS)
        header = _header_there(stream, path, copies, asked)
        _check_same(path, header, asked, is_purpose_given)
        found = contents(stream, header, size)
        Library(path, header, found).check_deals()
        if found.surplus:
            size = stream.truncate(size - found.surplus)
        longer = replace(header, count=max(header.count, asked.count))
        found = contents(stream, longer, size)
        if found.whole < longer.count:
            longer = replace(
                longer,
                version=_joined(header.version, asked.version),
                solver=_joined(header.solver, asked.solver),
            )
        _renew_header(stream, path, copies, header, longer)
        return cls(stream, path, longer, found)

    @property
    def kept(self) -> int:
        """How many good deals the file held at the beginning."""
        return self.found.whole

    @property
    def missing(self) -> int:
        """How many deals were to be solved at the beginning."""
        return self.header.count - self.kept

    def tasks(self) -> Iterator[Task]:
        """The blocks to write, in their order."""
        damaged = {damage.block - 1 for damage in self.found.damaged}
        for index in range(-(-self.header.count // BLOCK_DEALS)):
            before = index * BLOCK_DEALS
            deals = min(BLOCK_DEALS, self.header.count - before)
            kept = 0 if index in damaged else max(0, min(deals, self.found.held - before))
            if kept < deals:
                yield Task(index, kept, deals)

    def dealt(self, task: Task) -> Bits:
        """The deals of a block that are to be solved."""
        before = task.index * BLOCK_DEALS + task.kept
        return deal_bits(task.deals - task.kept, self.header.seed, self.header.first + before)

    def write(self, task: Task, tables: Tables) -> None:
        """Write a block: what is kept of it, and the deals that were solved."""
        before = task.index * BLOCK_DEALS
        first = self.header.first + before
        records = packed_records(self.dealt(task), tables, first + task.kept)
        if task.kept:
            kept = records_between(self.stream, self.header, self.found.held, before, before + task.kept)
            records = np.concatenate([kept, records])
        block = encoded_block(records, self.header.seed, first)
        _write(self.stream, self.path, block, block_offset(task.index))


def _header_there(stream: FileIO, path: Path, copies: bytes, asked: Header) -> Header:
    """The header of a file; where it is lost, the one that is asked for, if any block fits it."""
    try:
        return read_headers(copies, path)[0]
    except NewerFormatError:
        raise
    except FormatError as error:
        if not is_library(copies):
            raise
        size = os.fstat(stream.fileno()).st_size
        found = contents(stream, replace(asked, count=(1 << 63) - asked.first), size)
        if size > BLOCKS_BEGIN and not found.whole:
            raise FormatError(
                f"{error}, and no block is of seed {asked.seed} from deal {asked.first} on: "
                "with the right seed its deals can be saved"
            ) from None
        return replace(asked, count=max(asked.count, found.held))


def _renew_header(stream: FileIO, path: Path, copies: bytes, held: Header, wanted: Header) -> None:
    """Write both copies of a header if need be, the one that counts last, so that one is always whole."""
    copy = wanted.encoded()
    if copies == copy * 2:
        return
    is_first_good = copies[:HEADER_BYTES] == held.encoded()
    for offset in (HEADER_BYTES, 0) if is_first_good else (0, HEADER_BYTES):
        _write(stream, path, copy, offset)


def _check_same(path: Path, held: Header, asked: Header, is_purpose_given: bool) -> None:
    """Raise if a file has other deals than those that are asked for."""
    for field in ("name", "seed", "first", "purpose"):
        there, wanted = getattr(held, field), getattr(asked, field)
        if there != wanted and (field != "purpose" or is_purpose_given):
            word = "first deal" if field == "first" else field
            raise BidlabError(
                f"{path} has the {word} {there}, not {wanted}: it is left as it is; "
                "other deals go into another file"
            )


def _joined(held: str, added: str) -> str:
    """The versions, or solvers, that have worked on a file, in their order."""
    return held if added in held.split(", ") else f"{held}, {added}"


def _write(stream: FileIO, path: Path, content: bytes, offset: int) -> None:
    """Write bytes at their place, through to the disk."""
    rest = memoryview(content)
    try:
        stream.seek(offset)
        while rest:
            rest = rest[stream.write(rest) :]
        os.fsync(stream.fileno())
    except OSError as error:
        text = f"{error.strerror}; the blocks before stay whole, and the same build goes on from there"
        raise OSError(error.errno, text, str(path)) from error
