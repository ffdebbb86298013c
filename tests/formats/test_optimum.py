"""Double-dummy results in records and PBN files."""

import pytest

from bidlab.bridge.boards import Board
from bidlab.bridge.contracts import Result
from bidlab.bridge.errors import FormatError
from bidlab.bridge.hands import Deal
from bidlab.formats.files import board_text, read_boards
from bidlab.formats.optimum import optimum_tricks, par_contract, trick_table_text, with_optimum
from bidlab.formats.records import Record, Table

DEAL = Deal.parse("N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3")
TRICKS = [[7, 5, 7, 5], [5, 7, 5, 7], [6, 6, 6, 6], [5, 8, 5, 8], [6, 6, 6, 6]]
PAR = (Result("2S by E", 8), Result("2S by W", 8))
RECORD = Record(Board(DEAL, number=1))


def test_table_and_par_are_written_as_the_standard_shows_them() -> None:
    text = board_text([with_optimum(RECORD, TRICKS, PAR)], "pbn")
    assert '[OptimumScore "NS -110"]' in text
    assert '[ParContract "EW 2S="]' in text
    table = text.split('[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\n')[1].splitlines()
    assert table[:6] == ["N  C  7", "N  D  5", "N  H  6", "N  S  5", "N NT  6", "E  C  5"]
    assert len([line for line in table if line.strip()]) == 20


def test_a_record_is_written_and_read_back_with_its_table(tmp_path) -> None:
    path = tmp_path / "solved.pbn"
    path.write_text(board_text([with_optimum(RECORD, TRICKS, PAR)], "pbn"))
    (read,) = read_boards(path)
    assert optimum_tricks(read) == TRICKS
    assert read.tag("OptimumScore") == "NS -110"


def test_solving_again_takes_the_place_of_what_was_there() -> None:
    once = with_optimum(RECORD, TRICKS, PAR)
    other = [[13] * 4] * 5
    twice = with_optimum(once, other, ())
    assert optimum_tricks(twice) == other
    assert twice.tag("OptimumScore") == "NS 0" and not twice.tag("ParContract")
    assert len(twice.tables) == 1


def test_tables_of_other_programs_are_read_whatever_their_order() -> None:
    # BridgeComposer writes declarers N S E W, each NT S H D C, and one column less where nothing reaches ten.
    rows = [
        f"{seat} {name} {TRICKS[strain]['NESW'.index(seat)]}"
        for seat in "NSEW"
        for strain, name in ((4, "NT"), (3, "S"), (2, "H"), (1, "D"), (0, "C"))
    ]
    table = Table("OptimumResultTable", r"Declarer;Denomination\2R;Result\1R", tuple(rows))
    assert optimum_tricks(Record(RECORD.board, tables=(table,))) == TRICKS
    assert optimum_tricks(RECORD) is None


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("N NT 9",), "1 results: 20 are wanted"),
        (("N NT 14",), "14 tricks"),
        (("N NT",), "no result 'N NT'"),
        (("Q NT 9",), "no result 'Q NT 9'"),
    ],
)
def test_a_broken_table_is_said_in_one_line(rows: tuple[str, ...], message: str) -> None:
    table = Table("OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", rows)
    with pytest.raises(FormatError, match=message):
        optimum_tricks(Record(RECORD.board, tables=(table,)))


def test_par_contract_names_the_lowest_level_of_each_strain_with_side_or_player() -> None:
    sacrifice = [Result("5DX by E", 9), Result("5DX by W", 9)]
    assert par_contract(sacrifice) == "EW 5DX-2"
    levels = [Result("2C by N", 10), Result("3C by N", 10), Result("4C by N", 10), Result("4C by S", 10)]
    assert par_contract(levels) == "N 2C+2; S 4C="


def test_the_table_is_drawn_with_a_row_for_each_declarer() -> None:
    assert trick_table_text(TRICKS).splitlines()[3] == "East     5   7   6   8   6"
