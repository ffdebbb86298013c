"""Random bytes, damaged and truncated files: a clear report, never a crash and never a wrong board."""

import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.formats.strategies import records

from bidlab.bridge.errors import FormatError
from bidlab.formats import Problem, Record, read_boards, write_boards

FORMATS = ("pbn", "lin", "json", "url")
FILES = Path(__file__).parent / "files"

# Pieces that lead a reader deep into its format before something goes wrong.
PIECES = [
    b'[Deal "N:', b'[Auction "N"]\n', b'[Play "W"]\n', b'[Note "1:', b'"]', b"[", b"]", b"{", b"}", b";",
    b"%", b"=1=", b"$7", b"AP", b"^S", b"*", b"+", b"-", b"1NT ", b"X ", b"SA ", b"#", b"##", b"\n\n",
    b"\r\n", b"\r", b"md|3S", b"md|", b"mb|", b"an|", b"pc|", b"mc|", b"qx|o1|", b"vg|", b"rs|", b"pn|",
    b"|", b"||", b",,,", b'[{"deal": "', b'"auction": [', b'"names": {', b"}]", b"null", b"1e999",
    b"\\u0000", b"\xff\xfe", b"\0", b"https://www.bridgebase.com/tools/handviewer.html?lin=", b"%7C",
    b"?n=s", b"&a=", b"AKQJT98765432", b"...",
]  # fmt: skip
soups = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=40).map(b"".join)


def read(data: bytes, format: str | None) -> tuple[list[Record], list[Problem]]:
    problems: list[Problem] = []
    return list(read_boards(BytesIO(data), format, problems.append)), problems


@given(st.binary(max_size=400) | soups, st.sampled_from(FORMATS))
@example(b"[" * 20_000, "json")
@example(b'{"a":' * 20_000, "json")
@example(b"{" * 20_000, "pbn")
@example(b"[Event " * 20_000, "pbn")
@example(b"|" * 20_000, "lin")
@example(b"md|" * 20_000, "lin")
@example(b"nt|\n" * 5_000, "lin")
@example(b"[{" + b'"deal": "N:- - - -",' * 5_000, "json")
@example(b'[Board "1"]\n[Auction "N"]\n1S' + b"!" * 60 + b"x", "pbn")
@example(b'[Board "' + b"9" * 5000 + b'"]\n[Deal "N:- - - -"]\n[Result "' + b"9" * 5000 + b'"]', "pbn")
@example(b'[Board "1"]\n[Contract "4S' + b" " * 30_000 + b'Q"]', "pbn")
@example(b"{\n" + b"a\n" * 100_000, "pbn")
@example(b'[Board "1"] ' * 20_000, "pbn")
@example(b"vg|e,s,I," + b"9" * 5000 + b",1,,,,|qx|o" + b"9" * 5000 + b"|md|1SAK,,,|up|\xc2\xb2|", "lin")
@example(b"ab|" * 100_000, "lin")
@example(b"x|pn|" * 50_000, "lin")
@example(b"pn|" + b"x\n" * 100_000, "lin")
@example(b'[{"deal": "N:- - - -", "number": ' + b"9" * 5000 + b"}]", "json")
@example(b"[{x" + b"\n" * 60_000 + b"1", "json")
@example(b"[\n" + b"{x\n" * 30_000, "json")
@example(b"http://[x?n=sa", "url")
def test_random_bytes_end_in_a_report(data: bytes, format: str) -> None:
    _, problems = read(data, format)
    for problem in problems:
        assert problem.line >= 1 and problem.text and "\n" not in str(problem)


@given(st.binary(max_size=200) | soups)
def test_unknown_files_are_guessed_or_refused(data: bytes) -> None:
    try:
        read(data, None)
    except FormatError as error:
        assert "looks like none of the formats" in str(error)


@given(records(), st.sampled_from(FORMATS), st.data())
def test_a_damaged_file_still_reads_to_its_end(record: Record, format: str, data: st.DataObject) -> None:
    stream = BytesIO()
    write_boards([record] * 3, stream, format, lambda _: None)
    text = bytearray(stream.getvalue())
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(
            st.sampled_from(PIECES) | st.binary(max_size=2)
        )
    read(bytes(text), format)


def is_part(read_back: Record, whole: Record) -> bool:
    """Whether a record says nothing that the whole one does not."""
    calls = whole.auction.calls if whole.auction is not None else ()
    begun = read_back.auction.calls if read_back.auction is not None else ()
    return (
        read_back.board.deal in (whole.board.deal, whole.board.deal.unknown())
        and read_back.board.number in (whole.board.number, None)
        and calls[: len(begun)] == begun
        and read_back.contract in (whole.contract, None)
        and read_back.tricks in (whole.tricks, None)
        and whole.play[: len(read_back.play)] == read_back.play
        and all(name in (full, "") for name, full in zip(read_back.names, whole.names, strict=True))
    )


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("name", ["plain.pbn", "vugraph.lin"])
def test_a_file_cut_anywhere_has_no_wrong_board(name: str, format: str) -> None:
    whole = list(read_boards(FILES / name))
    stream = BytesIO()
    write_boards(whole, stream, format, lambda _: None)
    data = stream.getvalue()
    whole, _ = read(data, format)
    for end in range(len(data)):
        cut, _ = read(data[:end], format)
        assert len(cut) <= len(whole)
        for one, other in zip(cut, whole, strict=False):
            assert is_part(one, other), data[:end]


def test_a_file_of_one_endless_line_is_read_in_bounded_memory() -> None:
    class Endless(BytesIO):
        left = 48 << 20

        def read(self, size: int | None = -1) -> bytes:
            size = min(size or 0, self.left)
            self.left -= size
            return b"x" * size

        def readinto(self, buffer) -> int:
            data = self.read(len(buffer))
            buffer[: len(data)] = data
            return len(data)

    for format in ("pbn", "lin", "url"):
        tracemalloc.start()
        assert list(read_boards(Endless(), format, lambda _: None)) == []
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 200 << 20, (format, peak)
