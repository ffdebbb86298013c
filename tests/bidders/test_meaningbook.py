"""Books of estimated meanings, and their files."""

from pathlib import Path

import pytest

from bidlab.bidders.meaningbook import Entry, MeaningBook
from bidlab.bridge.calls import Auction
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning

NOTRUMP, STAYMAN = (7,), (7, 0, 8)
BALANCED = Hand.parse("AQ32.K832.KQ9.J7")
ENTRIES = (
    Entry(STAYMAN, Meaning.parse("8+, 4 hearts or 4 spades (2.5% outside)"), 900, BALANCED),
    Entry(NOTRUMP, Meaning.parse("15-17, balanced (1% outside)"), 50_000, BALANCED),
    Entry((0,), Meaning(), 600_000, BALANCED),
)


@pytest.fixture
def book() -> MeaningBook:
    return MeaningBook.of(ENTRIES, boards=1_000_000)


def test_a_call_is_found_by_the_calls_before_it(book: MeaningBook) -> None:
    assert str(book.known(NOTRUMP)) == "15-17, balanced (1% outside)"
    assert book.known(Auction("E", "both", "1N P 2C").calls) == book.known(STAYMAN)
    assert book.known((7, 0)) is None and book.known(()) is None
    assert STAYMAN in book and (7, 0) not in book


def test_frequency_and_example_are_kept(book: MeaningBook) -> None:
    entry = book.entry(STAYMAN)
    assert entry is not None
    assert (entry.calls, entry.count, entry.example, book.boards) == (STAYMAN, 900, BALANCED, 1_000_000)
    assert book.entry((1,)) is None


def test_the_file_holds_the_same_book(book: MeaningBook, tmp_path: Path) -> None:
    book.write(tmp_path / "some.meanings")
    again = MeaningBook.read(tmp_path / "some.meanings")
    assert list(again) == list(book) == [(0,), NOTRUMP, STAYMAN]
    assert [again.entry(calls) for calls in again] == [book.entry(calls) for calls in book]
    assert again.boards == book.boards


def test_the_same_entries_give_the_same_bytes(book: MeaningBook) -> None:
    assert MeaningBook.of(reversed(ENTRIES), 1_000_000).encoded() != b""
    assert MeaningBook.of(sorted(ENTRIES, key=lambda e: e.calls), 1_000_000).encoded() == book.encoded()
    assert MeaningBook.decoded(book.encoded()).encoded() == book.encoded()


def test_an_empty_book_is_a_book() -> None:
    assert len(MeaningBook.decoded(MeaningBook.of((), 0).encoded())) == 0


def test_a_file_cut_anywhere_is_told_in_one_line(book: MeaningBook, tmp_path: Path) -> None:
    whole, file = book.encoded(), tmp_path / "cut.meanings"
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        with pytest.raises(FormatError) as caught:
            MeaningBook.read(file)
        assert "\n" not in str(caught.value) and str(file) in str(caught.value)


def test_a_changed_byte_is_noticed(book: MeaningBook) -> None:
    whole = bytearray(book.encoded())
    whole[-3] ^= 1
    with pytest.raises(FormatError, match="checksum"):
        MeaningBook.decoded(bytes(whole))


def test_a_file_of_another_format_says_which(book: MeaningBook) -> None:
    whole = bytearray(book.encoded())
    whole[8] = 2
    with pytest.raises(FormatError, match="is of format 2: this bidlab reads format 1"):
        MeaningBook.decoded(bytes(whole))


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(BidlabError, match="cannot read nowhere"):
        MeaningBook.read(Path("nowhere"))
