"""The blocks of a file of solved deals: where they stand, their checksums, and which of them are good.

After the two copies of the header (`header.Header`) come the deals in blocks of 100, the last one shorter
where their number asks for it, with nothing between them. A block of n deals:

    23 i + 0 .. 12     deal i, packed in 13 bytes (`packing`)
    23 i + 13 .. 22    its table of tricks, in 10 bytes
    23 n + 0 .. 3      CRC-32, lowest byte first, of 16 bytes that are not in the file (the seed and the
                       number of the block's first deal, eight bytes each, lowest first) and of the 23 n
                       bytes before

So a block that stands in the wrong place or in the wrong file does not match either. All blocks have 2,304
bytes but the last; block k, from 0, begins at byte 1024 + 2304 k.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from bidlab.bridge.errors import FormatError
from bidlab.library.header import HEADER_BYTES, Header
from bidlab.library.packing import (
    DEAL_BYTES,
    TABLE_BYTES,
    Bits,
    Bytes,
    Tables,
    packed_deals,
    packed_tables,
)

BLOCK_DEALS = 100
RECORD_BYTES = DEAL_BYTES + TABLE_BYTES
_CHECK_BYTES = 4
BLOCKS_BEGIN = 2 * HEADER_BYTES
_CHUNK = 256  # blocks read at once, about half a megabyte


def block_bytes(deals: int = BLOCK_DEALS) -> int:
    """The length of a block of that many deals."""
    return deals * RECORD_BYTES + _CHECK_BYTES


def block_offset(index: int) -> int:
    """Where a block begins in the file; blocks are counted from 0."""
    return BLOCKS_BEGIN + index * block_bytes()


def packed_records(bits: Bits, tables: Tables, first: int) -> Bytes:
    """Array [deal, 23] of bytes: solved deals, the first of them with number `first`."""
    return np.concatenate([packed_deals(bits, first), packed_tables(tables, first)], axis=1)


def encoded_block(records: Bytes, seed: int, first: int) -> bytes:
    """A block as it stands in the file."""
    content = records.tobytes()
    return content + _check(content, seed, first)


def is_block(block: bytes | memoryview, seed: int, first: int) -> bool:
    """Whether bytes are a whole block of the deals from number `first` of a seed on."""
    length, odd = divmod(len(block) - _CHECK_BYTES, RECORD_BYTES)
    return length > 0 and not odd and block[-_CHECK_BYTES:] == _check(block[:-_CHECK_BYTES], seed, first)


def _check(content: bytes | memoryview, seed: int, first: int) -> bytes:
    return zlib.crc32(content, zlib.crc32(struct.pack("<QQ", seed, first))).to_bytes(4, "little")


@dataclass(frozen=True, slots=True)
class Damage:
    """A block that does not match its checksum; its number is counted from 1, as people do.

    >>> print(Damage(7, first=601, last=700))
    block 7, deals 601-700: checksum does not match
    """

    block: int
    first: int
    last: int

    def __str__(self) -> str:
        return f"block {self.block}, deals {self.first}-{self.last}: checksum does not match"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file really holds: its first `held` deals, but for those of damaged blocks.

    `surplus` is how many bytes follow that are no whole block: of one that was being written, or of
    something else.
    """

    held: int
    damaged: tuple[Damage, ...]
    surplus: int

    @property
    def whole(self) -> int:
        """How many deals can be read."""
        return self.held - sum(damage.last - damage.first + 1 for damage in self.damaged)


def contents(stream: BinaryIO, header: Header, size: int) -> Contents:
    """What a file of `size` bytes holds, every block checked."""
    held = _held(stream, header, size)
    damaged = tuple(
        Damage(first // BLOCK_DEALS + 1, header.first + first, header.first + first + deals - 1)
        for first, deals, block in _blocks(stream, held)
        if not is_block(block, header.seed, header.first + first)
    )
    full, rest = divmod(held, BLOCK_DEALS)
    end = block_offset(full) + (block_bytes(rest) if rest else 0)
    return Contents(held, damaged, max(size - end, 0))


def _held(stream: BinaryIO, header: Header, size: int) -> int:
    """How many deals have their place in the file.

    An unfinished file ends with whole blocks, or with a short one from when it was to end there. A short
    block counts only if it is good: its length alone cannot tell it from one that was cut.
    """
    full, rest = divmod(max(size - BLOCKS_BEGIN, 0), block_bytes())
    held = full * BLOCK_DEALS
    missing = header.count - held
    if missing <= 0:
        return header.count
    tail = (rest - _CHECK_BYTES) // RECORD_BYTES
    if tail >= missing:
        return header.count
    stream.seek(block_offset(full))
    is_whole = is_block(stream.read(rest), header.seed, header.first + held)
    return held + tail if is_whole else held


def _blocks(stream: BinaryIO, held: int) -> Iterator[tuple[int, int, memoryview]]:
    """Of each block: how many deals stand before it, how many it has, and its bytes."""
    stream.seek(BLOCKS_BEGIN)
    for start in range(0, held, _CHUNK * BLOCK_DEALS):
        chunk = memoryview(stream.read(_CHUNK * block_bytes()))
        for first in range(start, min(held, start + _CHUNK * BLOCK_DEALS), BLOCK_DEALS):
            deals = min(BLOCK_DEALS, held - first)
            place = block_offset(first // BLOCK_DEALS) - block_offset(start // BLOCK_DEALS)
            yield first, deals, chunk[place : place + block_bytes(deals)]


def records_between(stream: BinaryIO, header: Header, held: int, start: int, stop: int) -> Bytes:
    """Array [deal, 23] of bytes: the deals with `start` up to `stop` deals before them, of the first `held`.

    A block that does not match its checksum is an error that names its deals.
    """
    begin, end = start // BLOCK_DEALS, -(-stop // BLOCK_DEALS)
    stream.seek(block_offset(begin))
    whole = memoryview(stream.read(block_offset(end) - block_offset(begin)))
    records = np.empty((min(held, end * BLOCK_DEALS) - begin * BLOCK_DEALS, RECORD_BYTES), dtype=np.uint8)
    for index in range(begin, end):
        deals = min(BLOCK_DEALS, held - index * BLOCK_DEALS)
        place = block_offset(index) - block_offset(begin)
        block = whole[place : place + block_bytes(deals)]
        first = header.first + index * BLOCK_DEALS
        if len(block) != block_bytes(deals) or not is_block(block, header.seed, first):
            raise FormatError(f"{stream.name}: {Damage(index + 1, first, first + deals - 1)}")
        filled = (index - begin) * BLOCK_DEALS
        content = np.frombuffer(block[:-_CHECK_BYTES], dtype=np.uint8)
        records[filled : filled + deals] = content.reshape(-1, RECORD_BYTES)
    skipped = start - begin * BLOCK_DEALS
    return records[skipped : skipped + stop - start]
