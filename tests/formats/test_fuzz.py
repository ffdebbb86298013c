"""Thousands of damaged files, for `make test-full`: nothing escapes, and what was read survives."""

import random
from io import BytesIO
from pathlib import Path

import pytest

from bidlab.bridge.errors import BidlabError
from bidlab.formats import Problem, read_boards, write_boards

PIECES = [*b'{ } [ ] " | ; % # =1= AP - md| qx| [Deal" \xff \x00 x'.split(), b"\n\n", b"\r", b'[Board "1"]']
ROUNDS = 10_000


def damaged(text: bytes, source: random.Random) -> bytes:
    """A piece of a file with bytes cut out, put in, changed or repeated."""
    data = bytearray(text[: source.choice((3_000, 20_000, 1_000_000))])
    for _ in range(source.choice((1, 2, 5, 20))):
        place, kind = source.randrange(len(data) + 1), source.random()
        if kind < 0.3:
            del data[place : place + source.choice((1, 3, 30, 300))]
        elif kind < 0.6:
            data[place:place] = source.choice(PIECES)
        elif kind < 0.8 and data:
            data[min(place, len(data) - 1)] = source.randrange(256)
        else:
            start = source.randrange(len(data) + 1)
            data[place:place] = data[start : start + source.choice((5, 50, 500))]
    return bytes(data)


@pytest.mark.full
def test_damaged_files_neither_crash_nor_write_what_cannot_be_read(shared_data: Path) -> None:
    source = random.Random(2026)
    paths = [*shared_data.glob("vugraph/*.lin"), *shared_data.glob("pbn/*.pbn")]
    paths += (Path(__file__).parent / "files").iterdir()
    texts = [(path.suffix[1:], path.read_bytes()) for path in sorted(paths)]
    for number in range(ROUNDS):
        format, text = source.choice(texts)
        data = damaged(text, source)
        try:
            records = list(read_boards(BytesIO(data), source.choice((format, None)), lambda _: None))
        except BidlabError:
            continue
        if number % 5:
            continue
        for target in ("pbn", "lin", "json", "url"):
            stream, problems = BytesIO(), list[Problem]()
            write_boards(records, stream, target, lambda _: None)
            back = list(read_boards(BytesIO(stream.getvalue()), target, problems.append))
            assert len(back) == len(records), data
            assert not [problem for problem in problems if problem.is_error], data
