"""Files of boards, read and written by their suffix: .pbn, .lin, .json and .url (links to BBO's viewer).

Reading and writing are streams: one board at a time is in memory. A file is written beside its place and
moved there when it is whole, so that a failure or a full disk leaves what was there before.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bidlab.bridge.errors import FormatError
from bidlab.formats.boards_json import json_lines, read_json
from bidlab.formats.decoding import Readable, decoded_blocks, decoded_lines, decoded_pieces
from bidlab.formats.lin.reader import read_lin
from bidlab.formats.lin.writer import lin_lines
from bidlab.formats.links import link_lines, read_links
from bidlab.formats.pbn.reader import read_pbn
from bidlab.formats.pbn.writer import HEADER, pbn_lines
from bidlab.formats.records import Problem, Record, Reporter
from bidlab.formats.shortfall import Shortfall

FORMATS = ("pbn", "lin", "json", "url")
OnProblem = Callable[[Problem], None]


class FormatWarning(UserWarning):
    """Something in a file that could not be read, or that a format cannot hold."""


def _warn(problem: Problem) -> None:
    warnings.warn(str(problem), FormatWarning, stacklevel=4)


# --- reading --------------------------------------------------------------------------------------------


def read_boards(
    source: str | Path | BinaryIO, format: str | None = None, on_problem: OnProblem = _warn
) -> Iterator[Record]:
    """The records of a file, one after the other; "-" is the standard input.

    The format is told by the suffix, or else by how the file begins. What cannot be read is given to
    `on_problem`, by default as a warning, and the rest of the file is read on.
    """
    with _opened(source) as (stream, name):
        kind = format or _by_suffix(name)
        if kind is None or kind == "lin":
            head = stream.read(4096)
            kind = _by_content(head, name, kind)
            stream = _Primed(head, stream)

        def report(line: int, text: str, is_error: bool) -> None:
            on_problem(Problem(name, line, text, is_error))

        yield from _reader(kind, stream, report)


class _Primed:
    """A stream of which some bytes were read already."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        """That many bytes, or fewer at the end of either part."""
        if self._head:
            piece, self._head = self._head[:size], self._head[size:]
            return piece
        return self._rest.read(size)


def _reader(kind: str, stream: Readable, report: Reporter) -> Iterator[Record]:
    if kind == "pbn":
        return read_pbn(decoded_blocks(stream), report)
    if kind == "json":
        return read_json(decoded_pieces(stream), report)
    if kind == "lin":
        return read_lin(decoded_lines(stream), report)
    if kind == "url":
        return read_links(decoded_lines(stream), report)
    raise _unknown_format(kind)


@contextmanager
def _opened(source: str | Path | BinaryIO) -> Iterator[tuple[Readable, str]]:
    """A stream and the name that messages call it."""
    if not isinstance(source, str | Path):
        yield source, str(getattr(source, "name", "<stream>"))
        return
    if str(source) == "-":
        if sys.stdin is None:
            raise FormatError("the standard input is closed: a file is wanted")
        yield sys.stdin.buffer, "<stdin>"
        return
    if not str(source):
        raise FormatError("an empty name: the name of a file is wanted")
    path = Path(source)
    if path.is_dir():
        raise FormatError(f"{source} is a directory: a file of boards is wanted")
    with path.open("rb") as stream:
        yield stream, str(source)


def _by_suffix(name: str) -> str | None:
    suffix = Path(name).suffix[1:].lower()
    return suffix if suffix in FORMATS else None


def _by_content(head: bytes, name: str, kind: str | None) -> str:
    """The format that a file begins like; a file called .lin may hold links instead."""
    text = head.replace(b"\0", b"").decode("latin-1").lstrip("ÿþï»¿ \t\r\n")
    if text[:1] == "%":  # PBN may begin so, and LIN that a program made of it
        text = re.sub(r"^%.*$", "", text, flags=re.MULTILINE).lstrip() or "["
    if re.match(r"https?://", text, re.IGNORECASE):
        return "url"
    if kind is not None:
        return kind
    if re.match(r"\[\s*(\{|\]|\s$)|\{\s*\"", text):
        return "json"
    if re.match(r"\[\s*\w+\s*\"|\[$|\{|;", text):
        return "pbn"
    if re.search(r"(^|[\s|])(md|qx|pn|vg|st|mb)\|", text, re.IGNORECASE):
        return "lin"
    raise FormatError(f"{name} looks like none of the formats {', '.join(FORMATS)}")


def _unknown_format(kind: str) -> FormatError:
    return FormatError(f"no format '{kind}': one of {', '.join(FORMATS)} is wanted")


# --- writing --------------------------------------------------------------------------------------------


def write_boards(
    records: Iterable[Record],
    target: str | Path | BinaryIO,
    format: str | None = None,
    on_problem: OnProblem = _warn,
) -> int:
    """Write records to a file, by its suffix, or to "-", the standard output; how many were written.

    What the format cannot hold is given to `on_problem`, by default as a warning.
    """
    if isinstance(target, str | Path) and str(target) != "-":
        kind = format or _by_suffix(str(target))
        if kind is None:
            suffixes = " ".join(f".{name}" for name in FORMATS)
            raise FormatError(f"no format for {target}: one of the suffixes {suffixes} is wanted")
        with replaced_file(Path(target)) as stream:
            return _write(records, stream, kind, str(target), on_problem)
    if isinstance(target, str | Path) and sys.stdout is None:
        raise FormatError("the standard output is closed: a file is wanted")
    stream = sys.stdout.buffer if isinstance(target, str | Path) else target
    return _write(records, stream, format or "pbn", getattr(stream, "name", "<stream>"), on_problem)


def board_text(records: Iterable[Record], format: str) -> str:
    """Records as the text of a file of that format, with line ends as on this machine's terminal."""
    return "\n".join(_lines(records, format, Shortfall())) + "\n"


def _lines(records: Iterable[Record], kind: str, shortfall: Shortfall) -> Iterator[str]:
    if kind == "pbn":
        yield from HEADER
        yield from pbn_lines(records, shortfall)
    elif kind == "lin":
        yield from lin_lines(records, shortfall)
    elif kind == "json":
        yield from json_lines(records)
    elif kind == "url":
        yield from link_lines(records, shortfall)
    else:
        raise _unknown_format(kind)


def _write(records: Iterable[Record], stream: BinaryIO, kind: str, name: str, on_problem: OnProblem) -> int:
    count = 0

    def counted() -> Iterator[Record]:
        nonlocal count
        for record in records:
            count += 1
            yield record

    shortfall = Shortfall()
    lines = _lines(counted(), kind, shortfall)
    if kind == "pbn":
        _write_pbn(lines, stream)
    else:
        end = "\r\n" if kind == "lin" else "\n"  # BBO writes returns
        for line in lines:
            stream.write((line + end).encode("utf-8", errors="replace"))
    stream.flush()
    for text in shortfall.lines():
        on_problem(Problem(name, 0, f"{kind.upper()} cannot hold: {text}", is_error=False))
    return count


def _write_pbn(lines: Iterator[str], stream: BinaryIO) -> None:
    """Write the lines of a PBN file in a character set that holds them, and that it names if need be.

    The standard knows only Latin-1, and what is Latin-1 is written so; a name beyond it is worth more than
    the standard. Which it is, is known at the end only, so the lines wait in a temporary file.
    """
    charset = "ascii"
    with tempfile.SpooledTemporaryFile(max_size=1 << 20) as waiting:
        for line in lines:
            if not line.isascii() and charset != "utf-8":
                charset = "iso-8859-1" if _is_latin(line) else "utf-8"
            waiting.write((line + "\r\n").encode("utf-8", errors="replace"))
        waiting.seek(0)
        if charset == "ascii":
            shutil.copyfileobj(waiting, stream)
            return
        for i, row in enumerate(waiting):
            if i == len(HEADER):
                stream.write(f"%Content-type: text/x-pbn; charset={charset.upper()}\r\n".encode())
            stream.write(row.decode("utf-8").encode(charset))


def _is_latin(line: str) -> bool:
    """Whether PBN's own character set can hold a line."""
    try:
        line.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return not re.search("[\x7f-\x9f]", line)


@contextmanager
def replaced_file(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the path's place once all of it is written."""
    if path.is_symlink():
        path = path.resolve()
    if path.is_dir():
        raise FormatError(f"{path} is a directory: a file to write is wanted")
    if not path.parent.is_dir():
        raise FormatError(f"no directory {path.parent} to write {path.name} in")
    if path.exists() and not path.is_file():  # a device or a pipe is written as it is
        with _named(path), path.open("wb") as stream:
            yield stream
        return
    with _named(path):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".bidlab-")
    try:
        with _named(path), os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
        Path(temporary).chmod(mode & 0o777)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Give errors of writing the name of the file that was meant."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
