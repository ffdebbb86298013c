"""What is written is read back as it was, in every format and from one to the next."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.strategies import records

from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction
from bidlab.dealing import random_deal
from bidlab.formats import Note, Problem, Record, Table, read_boards, viewer_link, write_boards


def written(made: list[Record], format: str) -> tuple[bytes, list[Problem]]:
    stream, problems = BytesIO(), []
    assert write_boards(made, stream, format, problems.append) == len(made)
    return stream.getvalue(), problems


def read(data: bytes, format: str | None) -> tuple[list[Record], list[Problem]]:
    problems: list[Problem] = []
    return list(read_boards(BytesIO(data), format, problems.append)), problems


def errors(problems: list[Problem]) -> list[str]:
    return [str(problem) for problem in problems if problem.is_error]


@given(st.lists(records(), min_size=1, max_size=3))
def test_json_holds_everything(made: list[Record]) -> None:
    data, problems = written(made, "json")
    assert not problems
    assert read(data, "json") == (made, [])


@given(st.lists(records(), min_size=1, max_size=3))
def test_pbn_holds_everything(made: list[Record]) -> None:
    data, _ = written(made, "pbn")
    back, problems = read(data, "pbn")
    assert back == made
    assert not errors(problems)


@given(st.lists(records(everything=False), min_size=1, max_size=3))
def test_lin_holds_what_happened_at_the_table(made: list[Record]) -> None:
    data, problems = written(made, "lin")
    assert not problems
    back, problems = read(data, "lin")
    assert back == made
    assert not errors(problems)


@given(records(everything=False))
def test_link_holds_what_happened_at_the_table(made: Record) -> None:
    back, problems = read(viewer_link(made).encode(), "url")
    assert back == [replace(made, tags=())]
    assert not errors(problems)


@given(st.lists(records(everything=False), min_size=1, max_size=3), st.permutations(("pbn", "lin", "json")))
def test_nothing_is_lost_on_a_walk_through_all_formats(made: list[Record], walk) -> None:
    current = made
    for format in (*walk, walk[0]):
        current, problems = read(written(current, format)[0], format)
        assert not errors(problems)
    assert current == made


@given(st.lists(records(), min_size=1, max_size=2), st.sampled_from(("pbn", "lin", "json", "url")))
def test_format_is_told_by_how_a_file_begins(made: list[Record], format: str) -> None:
    data, _ = written(made, format)
    assert read(data, None)[0] == read(data, format)[0]


@given(st.lists(records(), min_size=1, max_size=2))
def test_what_lin_cannot_hold_is_said(made: list[Record]) -> None:
    _, problems = written(made, "lin")
    said = " ".join(problem.text for problem in problems)
    assert not any(problem.is_error for problem in problems)
    for record in made:
        for tag, _ in record.tags:
            assert tag in ("Event", "HomeTeam", "Scoring", "Stage", "VisitTeam") or f"tag {tag}" in said
        assert not record.comments or "comments" in said
        assert not record.tables or "tables" in said
        assert not record.card_notes or "notes on cards" in said


@given(records())
def test_pbn_export_is_as_the_standard_prescribes(made: Record) -> None:
    data, _ = written([made], "pbn")
    text = data.decode("latin-1")
    assert text.endswith("\r\n") and "\t" not in text
    lines = text.split("\r\n")
    assert lines[:2] == ["% PBN 2.1", "% EXPORT"]
    tags = [line[1:].split(" ")[0] for line in lines if line.startswith("[")]
    mandatory = "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer".split()
    mandatory += ["Contract", "Result"]
    assert tags[:15] == mandatory
    sections = [tag for tag in tags[15:] if tag in ("Auction", "Play") or tag.endswith("Table")]
    supplemental = tags[15 : tags.index(sections[0]) if sections else None]
    assert supplemental == sorted(supplemental)
    assert sections == sorted(sections, key=lambda tag: ({"Auction": 0, "Play": 1}.get(tag, 2), tag))
    assert any(line.startswith(f'[Deal "{made.board.dealer}:') for line in lines) or (
        '[Deal "?"]' in lines and made.board.deal.hands == (None,) * 4
    )


@pytest.mark.parametrize("format", ["pbn", "lin", "json", "url"])
def test_names_of_all_alphabets_survive_a_file(tmp_path: Path, format: str) -> None:
    names = ("Zmudziński", "Ångström", 'O\'Neill "Jr" \\ A|B, C', "王先生")
    for chosen in (names, ("Blåbær", "Größe", "", "Ã©")):
        record = replace(_record(), names=chosen)
        path = tmp_path / f"names.{format}"
        write_boards([record], path)
        assert [back.names for back in read_boards(path)] == [chosen]


def test_pbn_in_latin_1_where_latin_1_can_hold_it(tmp_path: Path) -> None:
    path = tmp_path / "latin.pbn"
    write_boards([replace(_record(), names=("Blåbær", "", "", ""))], path)
    assert b'[North "Bl\xe5b\xe6r"]' in path.read_bytes()
    assert b"charset=ISO-8859-1" in path.read_bytes()
    write_boards([replace(_record(), names=("Zmudziński", "", "", ""))], path)
    assert '[North "Zmudziński"]'.encode() in path.read_bytes()


def _record() -> Record:
    return Record(Board(random_deal(1), number=1))


def test_comments_are_wrapped_so_that_they_stay_comments() -> None:
    long = "word " * 14 + '[Event "foo"] and [Board "7"] are tags, % is a sign ' + "w" * 90 + " end"
    auction = Auction("N", "none", "1N P P P")
    record = replace(_record(), comments=(long,), auction=auction, contract=auction.contract)
    record = replace(record, call_notes=(Note(0, long * 5), Note(1, "x", alert=True)))
    data, problems = written([record], "pbn")
    assert not problems and read(data, "pbn") == ([record], [])
    lines = data.decode().split("\r\n")
    assert max(len(line) for line in lines) < 255
    assert sum(line.startswith(("[Event", "[Board")) for line in lines) == 2


def test_two_alerts_on_one_call_become_one() -> None:
    auction = Auction("N", "none", "1N P P P")
    notes = (Note(0, "15-17", alert=True), Note(0, "may have a five-card major", alert=True))
    record = replace(_record(), auction=auction, contract=auction.contract, call_notes=notes)
    merged = (Note(0, "15-17; may have a five-card major", alert=True),)
    for format in ("pbn", "lin"):
        data, _ = written([record], format)
        assert [back.call_notes for back in read(data, format)[0]] == [merged]


def test_what_would_break_a_pbn_file_is_left_out_and_said() -> None:
    tags = (("Deal", "N:- - - -"), ('Q"]\n[Deal', "x"), ("x y", "1"))
    tables = (Table("ScoreTable", "A;B", ("1 2", "", '[Deal "bad"]', "a\nb")), Table("No table", "A", ()))
    record = replace(_record(), tags=tags, tables=tables)
    data, problems = written([record], "pbn")
    back, _ = read(data, "pbn")
    assert back == [replace(record, tags=(), tables=(Table("ScoreTable", "A;B", ("1 2", "a b")),))]
    said = " ".join(problem.text for problem in problems)
    assert "tag 'Deal'" in said and "rows of tables" in said and "table 'No table'" in said


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.pbn", tmp_path / "link.pbn"
    target.touch()
    link.symlink_to(target)
    write_boards([_record()], link)
    assert link.is_symlink() and len(list(read_boards(target))) == 1


def test_a_stream_that_can_only_be_written_takes_any_name(tmp_path: Path) -> None:
    with (tmp_path / "x.pbn").open("wb") as stream:
        stream.write(b"% before\r\n")
        write_boards([replace(_record(), names=("Zoë", "", "", ""))], stream, "pbn")
    lines = (tmp_path / "x.pbn").read_bytes().split(b"\r\n")
    assert lines[:4] == [
        b"% before",
        b"% PBN 2.1",
        b"% EXPORT",
        b"%Content-type: text/x-pbn; charset=ISO-8859-1",
    ]
