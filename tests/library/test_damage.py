"""Damaged files: a clear error that says where, never a crash, never a wrong deal, and nothing good lost."""

import json
import os
import random
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from tests.library.solving import built

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.library import Damage, library
from bidlab.library.header import MAGIC

HEADERS = 1024
BLOCK = 2304
SIZE = HEADERS + 2 * BLOCK + 50 * 23 + 4  # of a file with 250 deals


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "mine.deals"
    content = built(path).library.path.read_bytes()
    assert len(content) == SIZE
    return content


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.deals"


def read_partly(path: Path) -> int:
    """How many deals can be read; all of them are right."""
    opened = library(path, partial=True)
    opened.check_deals()
    assert len(opened) == sum(len(bits) for _, bits, _ in opened.batches())
    return len(opened)


def mended(path: Path, whole: bytes, solved: int) -> None:
    """Building again solves so many deals, and makes the file what it was, to the byte."""
    assert built(path).solved == solved
    assert path.read_bytes() == whole


# --- cut short ---


@pytest.mark.parametrize(
    ("size", "deals"),
    [
        (512, 0), (513, 0), (1023, 0), (HEADERS, 0), (HEADERS + 1, 0), (HEADERS + 23 + 4, 0),
        (HEADERS + BLOCK - 1, 0), (HEADERS + BLOCK, 100), (HEADERS + BLOCK + 4, 100),
        (HEADERS + 2 * BLOCK - 4, 100), (HEADERS + 2 * BLOCK, 200), (HEADERS + 2 * BLOCK + 23 * 7 + 4, 200),
        (SIZE - 23, 200), (SIZE - 4, 200), (SIZE - 1, 200),
    ],
)  # fmt: skip
def test_a_file_cut_short_says_how_many_deals_are_whole(
    file: Path, whole: bytes, size: int, deals: int
) -> None:
    file.write_bytes(whole[:size])
    with pytest.raises(
        FormatError, match=rf"mine\.deals: .*(cut short: {deals} of 250 deals are whole|header)"
    ):
        library(file)
    assert library(file, partial=True).faults[-1] == f"cut short: {deals} of 250 deals are whole"
    assert read_partly(file) == deals
    with pytest.raises(FormatError, match=rf"no deal 201: cut short: {deals} of 250"):
        library(file, partial=True).bits(201, 1)
    mended(file, whole, 250 - deals)


@pytest.mark.parametrize("size", [1, 7, 8, 100, 511])
def test_a_file_cut_in_its_header(file: Path, whole: bytes, size: int) -> None:
    file.write_bytes(whole[:size])
    with pytest.raises(FormatError, match=r"damaged: the first copy of the header is cut short|no library"):
        library(file, partial=True)
    mended(file, whole, 250)


def test_an_empty_file(file: Path, whole: bytes) -> None:
    file.touch()
    with pytest.raises(
        FormatError, match=r"mine\.deals is empty: a file made by bidlab library build is wanted"
    ):
        library(file)
    mended(file, whole, 250)


# --- flipped bytes ---


@pytest.mark.parametrize("place", [*range(0, 1024, 37), 8, 9, 12, 15, 511, 512, 520, 1023])
def test_a_flipped_byte_of_a_header(file: Path, whole: bytes, place: int) -> None:
    file.write_bytes(flipped(whole, place))
    which = "first" if place < 512 else "second"
    with pytest.raises(FormatError, match=rf"the {which} copy of the header does not"):
        library(file)
    assert read_partly(file) == 250
    mended(file, whole, 0)


@pytest.mark.parametrize(
    "place", [*range(HEADERS, SIZE, 331), HEADERS + BLOCK - 1, HEADERS + BLOCK, SIZE - 1]
)
def test_a_flipped_byte_of_a_block_is_found_and_located(file: Path, whole: bytes, place: int) -> None:
    file.write_bytes(flipped(whole, place))
    block = (place - HEADERS) // BLOCK
    first, last = block * 100 + 1, min(block * 100 + 100, 250)
    text = f"block {block + 1}, deals {first}-{last}: checksum does not match"
    with pytest.raises(FormatError, match=rf"mine\.deals: {text}; bidlab library build mends it"):
        library(file)
    opened = library(file, partial=True)
    assert opened.faults == (text,) and opened.contents.damaged == (Damage(block + 1, first, last),)
    assert read_partly(file) == 250 - (last - first + 1)
    with pytest.raises(FormatError, match=text):
        opened.board(last)
    mended(file, whole, last - first + 1)


def flipped(content: bytes, *places: int) -> bytes:
    damaged = bytearray(content)
    for place in places:
        damaged[place] ^= 0x10
    return bytes(damaged)


def test_damage_while_a_library_is_open_is_found(file: Path, whole: bytes) -> None:
    file.write_bytes(whole)
    opened = library(file)
    file.write_bytes(flipped(whole, HEADERS + BLOCK + 5))
    assert opened.bits(1, 100).shape == (100, 4)
    with pytest.raises(FormatError, match="block 2, deals 101-200"):
        opened.bits()
    file.write_bytes(whole[: HEADERS + BLOCK])
    with pytest.raises(FormatError, match="block 2, deals 101-200"):
        opened.tables(150, 3)


def test_damage_here_and_there(file: Path, whole: bytes) -> None:
    file.write_bytes(flipped(whole, 3, HEADERS + 7, HEADERS + 2 * BLOCK + 9))
    with pytest.raises(FormatError, match=r"the first copy of the header .* \(and 2 more\)"):
        library(file)
    assert library(file, partial=True).good == (range(101, 201),)
    mended(file, whole, 150)


def test_blocks_in_the_wrong_place_are_found(file: Path, whole: bytes) -> None:
    one, other = whole[HEADERS : HEADERS + BLOCK], whole[HEADERS + BLOCK : HEADERS + 2 * BLOCK]
    file.write_bytes(whole[:HEADERS] + other + one + whole[HEADERS + 2 * BLOCK :])
    assert read_partly(file) == 50
    mended(file, whole, 200)


def test_bytes_after_the_end(file: Path, whole: bytes) -> None:
    for extra in (b"x", bytes(1154), bytes(BLOCK), bytes(5 * BLOCK + 3)):
        file.write_bytes(whole + extra)
        with pytest.raises(FormatError, match=rf"{len(extra)} bytes follow the last deal"):
            library(file)
        assert read_partly(file) == 250
        mended(file, whole, 0)


def test_bytes_after_the_end_of_a_file_that_is_to_grow(file: Path, whole: bytes, tmp_path: Path) -> None:
    file.write_bytes(whole + b"xyz")
    assert built(file, count=300).solved == 50
    assert file.read_bytes() == built(tmp_path / "other.deals", count=300).library.path.read_bytes()


# --- lost headers ---


def test_both_headers_lost_and_the_deals_saved(file: Path, whole: bytes) -> None:
    file.write_bytes(flipped(whole, 100, 700))
    with pytest.raises(
        FormatError, match=r"is damaged: the first copy of the header .*, and the second copy"
    ):
        library(file, partial=True)
    mended(file, whole, 0)


def test_both_headers_lost_and_fewer_deals_asked_for(file: Path, whole: bytes) -> None:
    file.write_bytes(flipped(whole, 100, 700))
    assert built(file, count=30).solved == 0
    assert file.read_bytes() == whole


def test_both_headers_lost_and_another_seed_given(file: Path, whole: bytes) -> None:
    damaged = flipped(whole, 100, 700)
    file.write_bytes(damaged)
    with pytest.raises(
        FormatError, match=r"no block is of seed 8 .*with the right seed its deals can be saved"
    ):
        built(file, seed=8)
    assert file.read_bytes() == damaged


# --- what is no library ---


@pytest.mark.parametrize(
    "content", [b"[Board 1]\n", b"\x00" * 5000, b"x" * 100, b"\x89PNG\r\n\x1a\n" + b"x" * 600]
)
def test_other_files_are_refused_and_left_alone(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(FormatError, match=r"mine\.deals is no library of solved deals"):
        library(file)
    with pytest.raises(FormatError, match=r"mine\.deals is no library of solved deals"):
        built(file)
    assert file.read_bytes() == content


def test_a_newer_format_is_refused_and_left_alone(file: Path, whole: bytes) -> None:
    content = signed(whole, 8, struct.pack("<H", 2)) * 2 + whole[HEADERS:]
    file.write_bytes(content)
    for use in (library, built):
        with pytest.raises(FormatError, match=r"mine\.deals is of format 2: this bidlab reads format 1"):
            use(file)
    assert file.read_bytes() == content


def signed(content: bytes, place: int, change: bytes) -> bytes:
    """A header with some bytes changed and the checksum made right again."""
    copy = bytearray(content[:512])
    copy[place : place + len(change)] = change
    copy[12:16] = struct.pack("<I", zlib.crc32(copy[16:], zlib.crc32(copy[:12])))
    return bytes(copy)


@pytest.mark.parametrize(
    "change",
    [
        {"count": "many"}, {"count": -1}, {"count": 1.5}, {"count": True}, {"seed": None}, {"seed": 1 << 70},
        {"name": "../x"}, {"purpose": "fun"}, {"first": 0}, {"version": 3}, {"solver": []},
    ],
)  # fmt: skip
def test_nonsense_with_a_right_checksum(file: Path, whole: bytes, change: dict[str, object]) -> None:
    fields = json.loads(whole[16:512]) | change
    file.write_bytes(signed(whole, 16, json.dumps(fields).encode().ljust(495)) * 2 + whole[HEADERS:])
    with pytest.raises(FormatError, match=r"is damaged: the first copy of the header (has|cannot be read)"):
        library(file)
    for text in (b"[]", b"{}", b"nonsense", b"[" * 400, b"\xff" * 490):
        file.write_bytes(signed(whole, 16, text.ljust(495)) * 2)
        with pytest.raises(FormatError, match="cannot be read"):
            library(file)


def test_a_header_may_promise_more_than_any_disk_holds(file: Path, whole: bytes) -> None:
    fields = json.loads(whole[16:512]) | {"count": 1 << 62}
    text = json.dumps(fields).encode()
    copy = signed(signed(whole, 10, struct.pack("<H", len(text))), 16, text.ljust(495))
    file.write_bytes(copy * 2 + whole[HEADERS:])
    assert read_partly(file) == 250


def test_a_directory_a_pipe_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is a directory: a file of solved deals is wanted"):
        library(tmp_path)
    with pytest.raises(BidlabError, match="is a directory: a file to build is wanted"):
        built(tmp_path)
    os.mkfifo(tmp_path / "pipe.deals")
    for use in (library, built):
        with pytest.raises(BidlabError, match="is no plain file"):
            use(tmp_path / "pipe.deals")
    with pytest.raises(FileNotFoundError):
        library(tmp_path / "none.deals")
    with pytest.raises(BidlabError, match=r"no directory .*nowhere to build x\.deals in"):
        built(tmp_path / "nowhere" / "x.deals")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_a_file_without_permission(file: Path, whole: bytes) -> None:
    file.write_bytes(whole)
    file.chmod(0)
    for use in (library, built):
        with pytest.raises(PermissionError):
            use(file)


# --- anything ---


def test_random_damage_never_gives_a_wrong_deal(file: Path, whole: bytes) -> None:
    source = random.Random(3)
    right = {deal.tobytes() for deal in library_bits(file, whole)}
    for _ in range(300):
        content = bytearray(whole)
        for _ in range(source.choice((1, 2, 5))):
            place, kind = source.randrange(len(content) or 1), source.random()
            if kind < 0.4:
                content[place : place + 1] = source.randbytes(1)
            elif kind < 0.6:
                del content[place:]
            elif kind < 0.8:
                del content[place : place + source.choice((1, 23, BLOCK))]
            else:
                content[place:place] = source.randbytes(source.choice((1, 23, BLOCK)))
        file.write_bytes(content)
        try:
            opened = library(file, partial=True)
        except FormatError:
            continue
        assert opened.faults or content == whole
        assert all(deal.tobytes() in right for _, bits, _ in opened.batches() for deal in bits)
        opened.check_deals()


def library_bits(file: Path, whole: bytes) -> np.ndarray:
    file.write_bytes(whole)
    return library(file).bits()


def test_the_magic_is_as_documented(whole: bytes) -> None:
    assert whole[:8] == whole[512:520] == MAGIC == b"\x89deals\r\n"
    assert whole[8:10] == b"\x01\x00" and whole[511] == 10
    length = int.from_bytes(whole[10:12], "little")
    assert json.loads(whole[16 : 16 + length])["seed"] == 7
