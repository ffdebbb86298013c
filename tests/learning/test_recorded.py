"""Recorded auctions: what can be learned from is read, and of the rest file, board and reason are told."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bidlab.bidders.registry import bidder
from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SEATS
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.dealing import deal_bits, random_deal
from bidlab.formats.files import read_boards, write_boards
from bidlab.learning.recorded import PLACES, LeftOut, RecordedAuctions, auctions_of, read_auctions
from bidlab.library import packed_deals, unpacked_deals
from bidlab.matches.by_name import bid_board
from bidlab.table.bidding import Boards

FILES = Path(__file__).parents[1] / "formats/files"
DEAL = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"
GOOD = "1S Pass 2S Pass\nPass Pass"
# Three passes, then every bid, each doubled and redoubled with passes between: the longest of all auctions.
LONGEST = "P P P " + " ".join(
    f"{level}{strain} P P X P P XX P P" for level in range(1, 8) for strain in "CDHSN"
)


def _game(number: int, calls: str, deal: str = DEAL, dealer: str = "N") -> str:
    return (
        f'[Board "{number}"]\n[Dealer "{dealer}"]\n[Vulnerable "NS"]\n[Deal "{deal}"]\n'
        f'[Auction "{dealer}"]\n{calls}\n\n'
    )


def _read(source: Path) -> tuple[RecordedAuctions, list[LeftOut]]:
    told: list[LeftOut] = []
    return RecordedAuctions.joined(list(read_auctions(source, told.append))), told


def _auction(read: RecordedAuctions, row: int) -> Auction:
    """A row as the package's own value; an illegal one would not exist."""
    vulnerable = Vulnerability(int(read.vulnerable[row] @ [1, 2]))
    calls = [call for call in read.calls[row].tolist() if call != 255]
    return Auction(SEATS[read.dealer[row]], vulnerable, calls)


BROKEN = {
    "illegal call": (_game(2, "1S Pass 2S Pass\n2H Pass Pass Pass"), "board 2", "illegal call 2H over 2S"),
    "not ended": (_game(3, "1S Pass 2S"), "board 3", 'not ended: "1S P 2S"'),
    "deal incomplete": (_game(4, GOOD, "N:QJ6.K652.J85.T98 - - -"), "board 4", "1 of 4 hands"),
    "more than 40 calls": (_game(5, LONGEST + " P"), "board 5", "319 calls: there is room for 40"),
    "impossible deal": (_game(6, GOOD, DEAL.replace("K5", "J5")), "", "SJ held twice, by North and South"),
    "no auction": (
        f'[Board "7"]\n[Dealer "N"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n\n',
        "board 7",
        "no auction",
    ),
    "unreadable": (_game(8, "1S Pass 2? Pass"), "board 8", "no call '2'"),
    "dealer or vulnerability unknown": (_game(9, GOOD, dealer="Q"), "board 9", "dealer"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_board_is_told_and_its_neighbours_are_kept(tmp_path, kind):
    text, board, why = BROKEN[kind]
    path = tmp_path / "match.pbn"
    path.write_text(_game(1, GOOD) + text + _game(11, GOOD))
    read, told = _read(path)
    assert [str(_auction(read, row)) for row in range(len(read))] == ["1S P 2S P P P"] * 2
    assert [(one.kind, one.file, one.board) for one in told] == [(kind, str(path), board)]
    assert why in str(told[0]) and str(path) in str(told[0])


def test_all_that_is_broken_in_one_file_and_the_same_as_json_and_lin(tmp_path):
    path = tmp_path / "match.pbn"
    path.write_text("".join(text for text, _, _ in BROKEN.values()) + _game(1, GOOD))
    read, told = _read(path)
    assert len(read) == 1 and sorted(one.kind for one in told) == sorted(BROKEN)
    good = tmp_path / "good.pbn"
    good.write_text(_game(1, GOOD) + _game(2, "Pass Pass Pass Pass", dealer="W") + _game(3, "1S Pass 2S"))
    expected, _ = _read(good)
    for suffix in ("json", "lin"):
        other = tmp_path / f"good.{suffix}"
        write_boards(list(read_boards(good)), other)
        again, told = _read(other)
        assert [one.kind for one in told] == ["not ended"] and "board 3" in str(told[0])
        assert (again.pack == expected.pack).all() and (again.calls == expected.calls).all()
        assert (again.dealer == [0, 3]).all() and (again.vulnerable == [1, 0]).all()


def test_broken_json_and_lin_are_told(tmp_path):
    boards = [{"number": 1, "deal": DEAL, "auction": ["1S", "1H"]}, {"number": 2}, 7]
    (tmp_path / "b.json").write_text(json.dumps(boards))
    (tmp_path / "c.lin").write_text(
        "qx|o1|md|3SAKQ,,,|sv|0|mb|1N|mb|p|mb|p|mb|p|\nqx|o2|md|1SK5HT83DKQ9CA7652,"
    )
    read, told = _read(tmp_path)
    assert len(read) == 0
    assert Counter(Path(one.file).name for one in told)["b.json"] == 3
    assert any(Path(one.file).name == "c.lin" for one in told)


def test_the_deal_dealer_and_vulnerability_of_a_record_are_those_of_its_file(tmp_path):
    path = tmp_path / "one.pbn"
    path.write_text(_game(1, GOOD, dealer="E"))
    read, _ = _read(path)
    (record,) = read_boards(path)
    assert unpacked_deals(read.pack).tolist() == [list(record.board.deal.bits)]
    assert _auction(read, 0) == record.auction


def test_a_file_of_arrays_comes_back_and_its_broken_rows_are_told(tmp_path):
    bits = deal_bits(7, seed=3)
    calls = np.full((7, 42), 255, dtype=np.uint8)
    for row, made in enumerate(
        (
            [0] * 4,
            [3, 0, 0, 0],
            [3, 3, 0, 0, 0],
            [3, 0, 0],
            [0] * 5,
            [0, 40, 0, 0, 0],
            [],
        )
    ):
        calls[row, : len(made)] = made
    pack = packed_deals(bits)
    arrays = {"pack": pack, "dealer": np.arange(7, dtype=np.uint8) % 4, "vul": np.zeros((7, 2), np.uint8)}
    path = tmp_path / "a.npz"
    np.savez(path, calls=calls, **arrays)
    read, told = _read(path)
    assert len(read) == 2 and (read.pack == pack[:2]).all()
    assert [(one.board, one.kind) for one in told] == [
        ("row 2", "illegal call"), ("row 3", "not ended"), ("row 4", "illegal call"),
        ("row 5", "illegal call"), ("row 6", "no auction"),
    ]  # fmt: skip
    assert "a bid must outrank 1C" in str(told[0]) and 'not ended: "1C P P"' in str(told[1])
    assert "the auction has ended" in str(told[2]) and "no call of number 40" in str(told[3])
    arrays["pack"] = pack.copy()
    arrays["pack"][0, 0] ^= 1
    arrays["dealer"][1] = 4
    np.savez(path, calls=calls[:, :PLACES], **arrays)
    read, told = _read(path)
    assert len(read) == 0
    assert [one.kind for one in told[:2]] == ["impossible deal", "dealer or vulnerability unknown"]


def test_rows_are_judged_as_the_laws_do():
    """Random rows of calls, each taken if and only if an `Auction` of them exists and has ended."""
    from bidlab.learning.recorded import _Rows

    random = np.random.default_rng(5)
    calls = np.full((3000, PLACES + 1), 255, dtype=np.uint8)
    for row in range(len(calls)):
        length = int(random.integers(3, 9))
        calls[row, :length] = random.choice([0, 0, 0, 1, 2, *range(3, 15)], length)
        calls[row, length - 3 : length] = 0
    nothing = np.zeros(len(calls), dtype=np.uint8)
    pack = np.repeat(packed_deals(deal_bits(1, seed=1)), len(calls), axis=0)
    kinds = _Rows(pack, nothing, np.stack([nothing, nothing], axis=1), calls).faults()
    for row, kind in enumerate(kinds):
        try:
            is_whole = Auction("N", "none", [call for call in calls[row].tolist() if call != 255]).is_ended
        except BidlabError:
            is_whole = False
        assert is_whole == (kind < 0), calls[row]
    assert 100 < (kinds < 0).sum() < 2900


def test_files_that_are_no_arrays_say_what_is_wanted(tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(b"PK\3\4 nothing")
    with pytest.raises(FormatError, match="no file of arrays"):
        _read(path)
    np.savez(path, pack=np.zeros((1, 13), np.uint8))
    with pytest.raises(FormatError, match="no array dealer"):
        _read(path)
    vul, dealer = np.zeros((1, 2), np.uint8), np.zeros(1, np.uint8)
    np.savez(
        path, pack=np.zeros((1, 12), np.uint8), dealer=dealer, vul=vul, calls=np.zeros((1, 40), np.uint8)
    )
    with pytest.raises(FormatError, match=r"array pack \[1, 12\]: \[1, 13\] is wanted"):
        _read(path)
    np.savez(
        path, pack=np.zeros((1, 13), np.uint8), dealer=dealer, vul=vul, calls=np.zeros((1, 40), np.int64)
    )
    with pytest.raises(FormatError, match="array calls of int64: uint8 is wanted"):
        _read(path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BidlabError, match=r"no auctions in .*empty"):
        _read(tmp_path / "empty")


def test_damaged_files_of_arrays_are_errors_of_a_line(tmp_path):
    """Bytes changed at random: what is read is possible, and what is not is said."""
    path, random = tmp_path / "a.npz", np.random.default_rng(2)
    _read(FILES)[0].save(path)
    whole, said = np.frombuffer(path.read_bytes(), dtype=np.uint8), 0
    for _ in range(200):
        spoilt = whole[: random.integers(1, len(whole) + 1)] if random.random() < 0.2 else whole.copy()
        if len(spoilt) == len(whole):
            spoilt[random.integers(len(whole), size=3)] = random.integers(256, size=3)
        path.write_bytes(spoilt.tobytes())
        try:
            _read(path)
        except FormatError as error:
            said += 1
            assert str(path) in str(error) and "\n" not in str(error)
    assert 100 < said < 200


def test_saved_auctions_are_read_again(tmp_path):
    read, _ = _read(FILES)
    assert len(read) == 7
    read.save(tmp_path / "again.npz")
    again, told = _read(tmp_path / "again.npz")
    assert not told and (again.calls == read.calls).all() and (again.pack == read.pack).all()


def test_a_bidders_auctions_are_those_it_bids_at_a_table():
    player = bidder("natural")
    boards = Boards.numbered(deal_bits(20, seed=5))
    read = auctions_of(player, boards, pytest.fail)
    for row in range(20):
        board = Board(random_deal(5, row + 1), number=row + 1)
        assert _auction(read, row) == bid_board(board, player, player).auction


def test_auctions_of_a_bidder_that_are_too_long_are_told():
    told: list[LeftOut] = []
    boards = Boards.numbered(deal_bits(3000, seed=5))
    read = auctions_of(bidder("random,seed=1"), boards, told.append)
    assert len(read) + len(told) == 3000
    assert all(one.kind == "more than 40 calls" and one.board for one in told)


def test_every_auction_of_real_files_is_read_or_told(shared_data):
    for folder, least in (("vugraph", 250), ("pbn", 150)):
        if not (shared_data / folder).is_dir():
            pytest.skip(f"no files from outside: {shared_data / folder} is absent")
        read, told = _read(shared_data / folder)
        records = [
            record
            for path in sorted((shared_data / folder).iterdir())
            if path.suffix in (".lin", ".pbn")
            for record in read_boards(path, on_problem=lambda problem: None)
        ]
        assert len(read) >= least
        assert len(read) + sum(bool(one.board) for one in told) == len(records)
        ended = [record.auction for record in records if record.auction and record.auction.is_ended]
        assert [_auction(read, row) for row in range(len(read))] == ended


def test_the_expert_auctions_are_read(shared_data):
    path = shared_data / "auctions/expert-auctions.npz"
    if not path.is_file():
        pytest.skip(f"no files from outside: {path} is absent")
    read, told = _read(path)
    assert len(read) + len(told) == 850_000 and len(told) < 100
