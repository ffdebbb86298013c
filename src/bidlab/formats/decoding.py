"""Text out of bytes: lines of a file in UTF-8, UTF-16, Latin-1 or Windows' variant of it, as a stream."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Protocol


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """At most that many bytes; none at the end."""


_BLOCK = 1 << 18
_LONGEST_LINE = 1 << 24  # a line beyond 16 MB is cut, so that memory stays bounded
_CHARSET = re.compile(rb"%\s*content-type:[^\r\n]*charset=([\w-]+)", re.IGNORECASE)


def decoded_lines(stream: Readable) -> Iterator[str]:
    """The lines of a stream without their ends, whatever its encoding and line ends."""
    for block in decoded_blocks(stream):
        yield from block.split("\n")


def decoded_blocks(stream: Readable) -> Iterator[str]:
    """The text of a stream in blocks of whole lines, parted by newlines, the last end of a block left off."""
    head = stream.read(_BLOCK)
    encoding = _utf16(head)
    if encoding:
        yield from _text_blocks(_incremental(head, stream, encoding))
    else:
        head = head.removeprefix(codecs.BOM_UTF8)
        yield from _byte_blocks(head, stream, _declared(head))


def decoded_pieces(stream: Readable) -> Iterator[str]:
    """The text of a stream in UTF-8 or UTF-16, cut anywhere."""
    head = stream.read(_BLOCK)
    encoding = _utf16(head) or "utf-8"
    return _incremental(head.removeprefix(codecs.BOM_UTF8), stream, encoding)


def _utf16(head: bytes) -> str:
    """The name of the UTF-16 encoding that a file begins with, or ""."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    sample = head[:64]
    if len(sample) >= 4 and b"\0" in sample:
        if not any(sample[1::2]):
            return "utf-16-le"
        if not any(sample[::2]):
            return "utf-16-be"
    return ""


def _declared(head: bytes) -> str:
    """The single-byte charset that a line such as `%Content-type: ...; charset=ISO-8859-1` declares."""
    match = _CHARSET.search(head[:4096])
    if match is None:
        return ""
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except LookupError:
        return ""
    return name if name.startswith(("iso8859", "cp125")) else ""


def _incremental(head: bytes, stream: Readable, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    block = head
    while block:
        yield decoder.decode(block)
        block = stream.read(_BLOCK)
    yield decoder.decode(b"", final=True)


def _text_blocks(pieces: Iterator[str]) -> Iterator[str]:
    """Blocks of whole lines of text that comes cut anywhere."""
    rest = ""
    for piece in pieces:
        text = rest + piece
        held = "\r" if text.endswith("\r") else ""  # a newline may follow it
        text = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        cut = text.rfind("\n") + 1
        if not cut and len(text) > _LONGEST_LINE:
            cut = len(text)
        rest = text[cut:] + held
        if cut:
            yield text[:cut].removesuffix("\n")
    if rest:
        yield rest.removesuffix("\r")


def _byte_blocks(head: bytes, stream: Readable, charset: str) -> Iterator[str]:
    """Blocks of whole lines in an encoding in which a line end is a byte of its own."""
    piece, rest = head, b""
    while piece:
        piece = rest + piece
        cut = piece.rfind(b"\n") + 1
        if not cut:  # lone returns, as old Macintosh files have them
            cut = piece.rfind(b"\r", 0, -1) + 1
        if not cut and len(piece) > _LONGEST_LINE:
            cut = len(piece)
        rest = piece[cut:]
        if cut:
            yield _decoded(_without_end(piece[:cut]), charset)
        piece = stream.read(_BLOCK)
    if rest:
        yield _decoded(_without_end(rest), charset)


def _without_end(block: bytes) -> bytes:
    """A block without the end of its last line."""
    if block.endswith(b"\r"):
        return block[:-1]
    return block.removesuffix(b"\n").removesuffix(b"\r")


def _decoded(block: bytes, charset: str) -> str:
    try:
        text = block.decode("utf-8" if block.isascii() else charset or "utf-8")
    except UnicodeDecodeError:
        text = "\n".join(_decoded_line(line) for line in block.split(b"\n"))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def _decoded_line(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")
