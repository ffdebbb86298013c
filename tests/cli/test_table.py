"""The commands table host and table join."""

import json
import re
from threading import Thread

import pytest
from tests.bluechip.players import Lively, Passer, Seats, everybody
from tests.cli.saying import fails

from bidlab.bridge.cards import Seat
from bidlab.bridge.errors import BidlabError
from bidlab.cli import tables
from bidlab.formats.files import read_boards


@pytest.fixture(autouse=True)
def two_bidders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two bidders of the tests by name."""

    def bidder(text: str, seed: int = 0):
        made = {"pass": Passer, "lively": Lively}.get(text)
        if made is None:
            raise BidlabError(f"no bidder '{text}'")
        return made()

    monkeypatch.setattr(tables, "made_bidder", bidder)


OURS = [word for seat in "NESW" for word in ("--bidder", f"{seat}=lively")]


def test_a_table_of_our_own_bidders_plays_and_writes_boards(said, tmp_path) -> None:
    out = tmp_path / "results.pbn"
    status, told, noted = said(
        "table", "host", "--boards", "2", "--seed", "7", "--samples", "0", "--out", str(out), *OURS
    )
    assert status == 0
    first, *results = told.splitlines()
    assert re.fullmatch(r"listening on 127\.0\.0\.1:\d+", first)
    assert [re.fullmatch(r"board \d: 1\w(=|[+-]\d) by [NESW], [+-]\d+ to North-South", r) for r in results]
    assert len(results) == 2 and "2 boards written to" in noted
    records = list(read_boards(out))
    assert [len(record.play) for record in records] == [52, 52]
    assert records[0].names == ("lively",) * 4


def test_results_as_json(said) -> None:
    status, told, noted = said("table", "host", "-n", "1", "--seed", "7", "--samples", "0", "--json", *OURS)
    (record,) = json.loads(told)
    assert status == 0 and len(record["play"]) == 52
    assert "listening on" in noted


def test_a_passed_out_board_is_told(said) -> None:
    ours = [word.replace("lively", "pass") for word in OURS]
    status, told, _ = said("table", "host", "-n", "1", "--seed", "7", *ours)
    assert status == 0 and told.splitlines()[1] == "board 1: passed out"


def test_join_plays_until_the_session_ends(said, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.bluechip.players import Session

    from bidlab.dealing import random_boards

    with Session(random_boards(2, seed=7)) as session:
        Seats(session.port, everybody(Lively(), but=[Seat.WEST]))
        table = f"127.0.0.1:{session.port}"
        result = said("table", "join", "--seat", "W", "--bidder", "lively", "--samples", "0", table)
    assert result == (0, "2 boards played\n", "")


def test_a_robot_is_waited_for_at_the_port_that_is_printed(said, monkeypatch: pytest.MonkeyPatch) -> None:
    joined = []

    def join(address: str, port: int, as_json: bool) -> None:
        thread = Thread(target=lambda: joined.append(Seats(port, {Seat.NORTH: Lively()}).end()), daemon=True)
        thread.start()

    monkeypatch.setattr(tables, "_say_where", join)
    status, told, _ = said("table", "host", "-n", "1", "--seed", "7", "--samples", "0", *OURS[2:])
    assert status == 0 and told.startswith("board 1: ")


def test_what_a_user_gets_wrong_is_one_line(said, tmp_path) -> None:
    fails(said("table", "host", "--seed", "1", "--bidder", "random"), "no bidder 'random'", "N=random")
    fails(said("table", "host", "--seed", "1", "--bidder", "Q=pass"), "no seat 'Q'")
    fails(said("table", "host", "--seed", "1", "--bidder", "N=no"), "no bidder 'no'")
    fails(said("table", "host", "--seed", "1", "--bidder", "N=pass", "--bidder", "N=pass"), "two bidders for")
    fails(said("table", "host", "--seed", "1", "--out", "a.txt"), "no format for a.txt")
    fails(said("table", "host", "--seed", "1", "--out", str(tmp_path / "b" / "a.pbn")), "no directory")
    fails(said("table", "join", "--bidder", "pass", "here"), "no table 'here'", "127.0.0.1:2000")
    fails(said("table", "join", "--bidder", "pass", "--seat", "Q", "127.0.0.1:1"), "no seat 'Q'")
    fails(said("table", "join", "--bidder", "pass", "127.0.0.1:1"), "no table at 127.0.0.1:1", "refused")


def test_an_interrupt_ends_with_130(said, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tables, "host_session", interrupted)
    status, _, err = said("table", "host", "--seed", "1")
    assert status == 130 and "Traceback" not in err


def test_help_shows_both_commands(said) -> None:
    status, told, _ = said("table")
    assert status == 0 and "host" in told and "join" in told
