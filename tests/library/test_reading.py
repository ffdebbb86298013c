"""Libraries as they are opened and read."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.library.solving import built, fake_solve

from bidlab.bridge.boards import Board
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.dealing import deal_bits, random_boards, random_deal
from bidlab.library import Header, Library, Purpose, library, reading, shipped
from bidlab.library.blocks import encoded_block, packed_records


@pytest.fixture
def mine(tmp_path: Path) -> Library:
    return built(tmp_path / "mine.deals").library


def test_a_library_says_what_it_is(mine: Library) -> None:
    assert (mine.name, mine.purpose, mine.seed, mine.first, mine.count) == ("mine", Purpose.OTHER, 7, 1, 250)
    assert len(mine) == 250 and mine.good == (range(1, 251),) and mine.faults == ()
    assert mine.header.solver == "fake" and mine.header.version
    assert library(mine.path) == library(str(mine.path)) == mine
    assert pickle.loads(pickle.dumps(mine)) == mine


def test_23_bytes_a_deal(tmp_path: Path) -> None:
    size = built(tmp_path / "x.deals", count=10_000).library.path.stat().st_size
    assert size == 10_000 * 23 + 100 * 4 + 1024


def test_deals_are_those_of_the_seed(mine: Library) -> None:
    assert (mine.bits() == deal_bits(250, 7)).all()
    assert (mine.tables() == fake_solve(deal_bits(250, 7))).all()
    mine.check_deals()


@pytest.mark.parametrize(
    ("first", "count"),
    [(1, 1), (1, 100), (100, 2), (101, 100), (99, 152), (250, 1), (201, 50), (120, 0), (251, 0)],
)
def test_a_range_of_deals(mine: Library, first: int, count: int) -> None:
    expected = deal_bits(count, 7, first)
    bits, tables = mine.deals(first, count)
    assert (bits == expected).all() and (tables == fake_solve(expected)).all()
    assert (mine.bits(first, count) == bits).all() and (mine.tables(first, count) == tables).all()
    assert bits.shape == (count, 4) and tables.shape == (count, 5, 4)


def test_numbers_begin_where_the_header_says(tmp_path: Path) -> None:
    mine = built(tmp_path / "x.deals", first=1001, count=130).library
    assert (mine.bits(1101, 20) == deal_bits(20, 7, 1101)).all()
    assert mine.board(1001) == Board(random_deal(7, 1001), number=1001)
    assert mine.good == (range(1001, 1131),)
    mine.check_deals()
    with pytest.raises(BidlabError, match="no deals 1-1 in library mine: it has 1001-1130"):
        mine.board(1)


@pytest.mark.parametrize(("first", "count"), [(0, 1), (251, 1), (200, 52), (-5, 3), (5, -1)])
def test_deals_that_are_not_there(mine: Library, first: int, count: int) -> None:
    with pytest.raises(BidlabError, match="it has 1-250"):
        mine.bits(first, count)


def test_boards_follow_from_their_numbers(mine: Library) -> None:
    assert list(mine) == random_boards(250, seed=7)
    assert mine.board(7) == random_boards(1, seed=7, first=7)[0]


def test_batches_cover_every_deal_once(mine: Library) -> None:
    for size in (1, 30, 100, 250, 1000):
        batches = list(mine.batches(size))
        assert [first for first, _, _ in batches] == list(range(1, 251, size))
        assert (np.concatenate([bits for _, bits, _ in batches]) == mine.bits()).all()


# --- purposes ---


def test_the_name_tells_the_purpose(tmp_path: Path) -> None:
    for name, purpose in (("judge", Purpose.JUDGE), ("train", Purpose.TRAIN), ("mine", Purpose.OTHER)):
        assert built(tmp_path / f"{name}.deals", count=1, name=name).library.purpose is purpose
    assert built(tmp_path / "x.deals", count=1, purpose=Purpose.TUNE).library.purpose is Purpose.TUNE


@pytest.mark.parametrize(
    ("purpose", "judging", "mending", "learning"),
    [
        ("judge", True, False, False),
        ("tune", False, True, False),
        ("train", False, True, True),
        ("other",) + (True,) * 3,
    ],
)
def test_what_a_library_may_be_used_for(
    tmp_path: Path, purpose: str, judging: bool, mending: bool, learning: bool
) -> None:
    one = built(tmp_path / "x.deals", count=1, purpose=Purpose(purpose)).library
    for use, is_allowed in (
        (one.for_judging, judging),
        (one.for_mending, mending),
        (one.for_learning, learning),
    ):
        if is_allowed:
            assert use() is one
        else:
            with pytest.raises(BidlabError, match=r"library mine is for \w+, not for \w+: one with"):
                use()


def test_judging_on_training_deals_is_refused(tmp_path: Path) -> None:
    train = built(tmp_path / "train.deals", count=1, name="train").library
    text = "library train is for learning, not for judging: one with the purpose judge or other is wanted"
    with pytest.raises(BidlabError, match=text):
        train.for_judging()


def test_no_such_purpose() -> None:
    with pytest.raises(BidlabError, match="no purpose 'jugde': one of train, tune, judge, other is wanted"):
        Purpose("jugde")


# --- names ---


@pytest.fixture
def solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the one that is shipped, and a directory to work in."""
    folder = tmp_path / "solved"
    folder.mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(reading, "_folder", lambda: folder)
    monkeypatch.chdir(tmp_path / "here")
    for name in ("judge", "tune"):
        built(folder / f"{name}.deals", count=3, name=name)
    return folder


def test_shipped_libraries_by_name(solved: Path) -> None:
    assert shipped() == ("judge", "tune")
    assert library("judge").path == solved / "judge.deals"
    built(Path("judge.deals"), count=5, name="judge")
    assert library("judge").count == 3 and library("judge.deals").count == 5


def test_the_shipped_ones_are_in_the_package() -> None:
    assert reading._folder() == Path(reading.__file__).parent / "solved"
    assert all(library(name).name == name for name in shipped())


def test_unknown_names_list_the_known_ones(solved: Path) -> None:
    with pytest.raises(BidlabError, match=r"no library 'jugde': judge, tune shipped; did you mean judge\?"):
        library("jugde")
    with pytest.raises(BidlabError, match=r"no library 'mine': .*as in mine.deals"):
        library("mine")
    built(Path("mine.deals"), count=1)
    with pytest.raises(BidlabError, match=r"no library 'mine': .*the file here is mine.deals"):
        library("mine")
    with pytest.raises(BidlabError, match="no library ''"):
        library("")
    with pytest.raises(FileNotFoundError):
        library("no/such")


# --- the deals of the seed ---


def test_deals_of_another_seed_are_found(mine: Library) -> None:
    """A file with right checksums whose deals are not those that its header promises."""
    other = deal_bits(100, seed=8, first=101)
    content = bytearray(mine.path.read_bytes())
    content[1024 + 2304 : 1024 + 4608] = encoded_block(packed_records(other, fake_solve(other), 101), 7, 101)
    mine.path.write_bytes(content)
    opened = library(mine.path)
    with pytest.raises(FormatError, match="deal 101 is not deal 101 of seed 7"):
        opened.check_deals()
    with pytest.raises(FormatError, match="deal 101 is not deal 101 of seed 7"):
        built(mine.path, count=300)
    assert mine.path.read_bytes() == content


# --- headers ---


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""), ("name", "a/b"), ("name", ".."), ("name", "x" * 41), ("name", "a b"), ("name", "é"),
        ("seed", -1), ("seed", 1 << 63), ("first", 0), ("count", 0), ("count", 1 << 63),
        ("first", (1 << 63) - 5),
    ],
)  # fmt: skip
def test_impossible_headers_are_refused(field: str, value: object) -> None:
    given = {"name": "x", "purpose": Purpose.OTHER, "seed": 1, "first": 1, "count": 10} | {field: value}
    with pytest.raises(BidlabError):
        Header(**given)  # type: ignore[arg-type]


def test_the_largest_header_fits() -> None:
    most = (1 << 63) - 1
    header = Header("x" * 40, Purpose.JUDGE, most, 1, most, "10.20.30, " * 10, "bidlab.doubledummy")
    assert Header.decoded(header.encoded()) == header
    with pytest.raises(BidlabError, match="a header of"):
        Header("x", Purpose.OTHER, 1, 1, 1, version="9" * 500).encoded()
