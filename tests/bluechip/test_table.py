"""Whole sessions over sockets, and all that goes wrong at a table."""

import itertools
import subprocess
import sys

import pytest
from tests.bluechip.players import (
    Bold,
    Lively,
    Notrump,
    Passer,
    Robot,
    Seats,
    Session,
    everybody,
    lowest,
)
from tests.bluechip.test_transcripts import BOARDS, transcript

from bidlab.bluechip import CardPlayer, TableHost, TablePlayer, client, host_session
from bidlab.bridge.boards import Board
from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal
from bidlab.dealing import random_boards
from bidlab.formats.files import read_boards, write_boards
from bidlab.formats.records import Note

JOIN = """
import sys
from tests.bluechip.players import Lively, lowest
from bidlab.bluechip import TablePlayer
print(TablePlayer(sys.argv[1], Lively(), cards=lowest()).play("127.0.0.1", int(sys.argv[2])))
"""


JOIN_ALL = """
import sys
from tests.bluechip.players import Lively, Seats, everybody
print(list(Seats(int(sys.argv[1]), everybody(Lively())).end().boards.values()))
"""


def results(records) -> list[str]:
    return [str(record.result) for record in records]


# --- whole sessions -------------------------------------------------------------------------------------


def test_four_boards_between_processes(tmp_path) -> None:
    with Session(random_boards(4, seed=7)) as session:
        others = Seats(session.port, everybody(Lively(), but=[Seat.WEST]))
        west = subprocess.run(
            [sys.executable, "-c", JOIN, "W", str(session.port)], capture_output=True, text=True, timeout=60
        )
        session.end()
    assert west.stdout == "4\n", west.stderr
    assert set(others.end().boards.values()) == {4}
    path = tmp_path / "results.pbn"
    assert write_boards(session.records, path) == 4
    assert [(r.auction, r.play, r.result) for r in read_boards(path)] == [
        (r.auction, r.play, r.result) for r in session.records
    ]


def test_sixteen_boards_with_all_seats_over_tcp_between_two_processes() -> None:
    boards = random_boards(16, seed=7)
    with Session(boards) as session:
        seats = subprocess.run(
            [sys.executable, "-c", JOIN_ALL, str(session.port)], capture_output=True, text=True, timeout=120
        )
        session.end()
    assert session.error is None and seats.stdout == "[16, 16, 16, 16]\n", seats.stderr
    assert [record.board for record in session.records] == boards
    assert all(len(record.play) == 52 for record in session.records)


def test_a_session_is_the_same_every_time() -> None:
    def played() -> list:
        players = [TablePlayer(s, Notrump(), cards=CardPlayer(seed=3, samples=1)) for s in SEATS]
        return host_session(TableHost(BOARDS), players)

    assert played() == played()


def test_a_passed_out_board_has_no_play() -> None:
    players = [TablePlayer(seat, Passer(), cards=lowest()) for seat in SEATS]
    (record,) = host_session(TableHost(BOARDS[:1]), players)
    assert record.result is not None and record.result.score == 0 and record.play == ()


def test_anyone_gets_a_free_seat_and_a_taken_one_is_refused() -> None:
    with Session(BOARDS[1:]) as session:
        with Robot(session.port) as first, Robot(session.port) as second:
            first.say('Connecting "one" as ANYPL using protocol version 18')
            assert first.hears() == 'NORTH ("one") seated'
            second.say('Connecting "two" as NORTH using protocol version 18')
            assert second.hears() == "NORTH is taken"
            assert second.hears() == ""
        assert set(Seats(session.port, everybody(Passer())).end().boards.values()) == {1}


def test_teams_are_called_by_the_names_of_north_and_east_or_as_told() -> None:
    for teams, line in ((None, 'N/S : "bidlab" E/W : "me"'), (("A", "B"), 'N/S : "A" E/W : "B"')):
        with Session(BOARDS[1:], teams=teams) as session:
            Seats(session.port, everybody(Passer(), but=[Seat.EAST]))
            with Robot(session.port) as robot:
                robot.say('Connecting "me" as EAST using protocol version 18', "EAST ready for teams")
                assert (robot.hears(), robot.hears()) == ('EAST ("me") seated', f"Teams : {line}")
            Seats(session.port, {Seat.EAST: Passer()})


def test_alerts_are_told_to_the_opponents_and_written_down() -> None:
    with Session(BOARDS[:1]) as session:
        Seats(session.port, {Seat.SOUTH: Notrump()}, alerts=True)
        Seats(session.port, everybody(Notrump(), but=[Seat.SOUTH, Seat.WEST, Seat.NORTH]))
        with Robot(session.port) as west, Robot(session.port) as north:
            for robot, seat in ((west, Seat.WEST), (north, Seat.NORTH)):
                robot.say(*(line for who, line in transcript(seat)[:10] if who == ">"))
            north.say("NORTH passes", "NORTH ready for EAST's bid", "NORTH ready for SOUTH's bid")
            west.say(*(f"WEST ready for {seat}'s bid" for seat in ("NORTH", "EAST", "SOUTH")))
            heard = [
                next(line for line in iter(robot.hears, "") if line.startswith("SOUTH bids"))
                for robot in (west, north)
            ]
        Seats(session.port, {Seat.WEST: Notrump(), Seat.NORTH: Notrump()})
        session.end()
    assert heard == ["SOUTH bids 1NT Alert. 15-17, balanced", "SOUTH bids 1NT"]
    assert session.records[0].call_notes == (Note(2, "15-17, balanced", alert=True),)


# --- connections that are cut ---------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [Seat.SOUTH, Seat.WEST], ids=["declarer", "defender"])
@pytest.mark.parametrize("where", [6, 8, 11, 14, 17, 24, 40, 52])
def test_a_player_that_is_cut_off_comes_back_and_the_board_goes_on(
    seat: Seat, where: int, monkeypatch
) -> None:
    """The connection is cut at that message, in the bidding or in the play."""
    whole = results(_played(BOARDS))
    said = itertools.count()
    say = client._Link.say

    def cut(self, message) -> None:
        if message.line().startswith(seat.word.upper()) and next(said) == where:
            self._socket.shutdown(2)
        say(self, message)

    monkeypatch.setattr(client._Link, "say", cut)
    assert results(_played(BOARDS)) == whole
    assert next(said) > where


def _played(boards) -> list:
    with Session(boards) as session:
        seats = Seats(session.port, everybody(Notrump()), attempts=12)
        session.end()
    assert session.error is None and set(seats.end().boards.values()) == {len(boards)}
    return session.records


@pytest.mark.parametrize("count", [18, 24, 70])
def test_a_robot_that_starts_anew_asks_for_its_own_calls_and_cards_or_says_them_again(count: int) -> None:
    script = transcript(Seat.SOUTH)
    with Session(BOARDS) as session:
        Seats(session.port, everybody(Notrump(), but=[Seat.SOUTH]))
        with Robot(session.port) as robot:
            for who, line in script[:count]:
                if who == ">":
                    robot.say(line)
                else:
                    assert robot.hears() == line
        with _returned(session.port) as robot:
            assert robot.hears() == 'SOUTH ("bidlab") seated'
            for place, (who, line) in enumerate(script[2:], 2):
                if who == "<":
                    assert robot.hears() == line
                elif line == "SOUTH bids 1NT" and count % 4 == 0:
                    robot.say("SOUTH ready for SOUTH's bid")
                    assert robot.hears() == line
                elif place < count - 1 and line == "NORTH plays 3h":
                    robot.say("SOUTH ready for NORTH's card to trick 1")
                    assert robot.hears() == line
                else:
                    robot.say(line)
        session.end()
    assert results(session.records) == ["1N-2 by S", "Pass"]


def _returned(port: int) -> Robot:
    """A robot in South's seat as soon as the host has seen that it is free."""
    for _ in range(100):
        robot = Robot(port)
        robot.say('Connecting "bidlab" as SOUTH using protocol version 18')
        if robot.socket.recv(9, 2) == b'SOUTH ("b':  # 2: only looked at
            return robot
        robot.close()
    raise AssertionError("the seat does not become free")


def test_a_player_that_stays_away_ends_the_session() -> None:
    with Session(BOARDS, timeout=1.5) as session:
        others = Seats(session.port, everybody(Notrump(), but=[Seat.SOUTH]), attempts=1)
        with Robot(session.port) as robot:
            robot.say('Connecting "x" as SOUTH using protocol version 18', "SOUTH ready for teams")
            assert robot.hears().endswith("seated") and robot.hears().startswith("Teams")
        session.end()
    assert str(session.error) == "South did not come back within 1.5 s on board 1"
    assert all("no table at" in str(end) for end in others.end().boards.values())


def test_a_player_without_a_table_says_so() -> None:
    with pytest.raises(BidlabError, match=r"no table at 127.0.0.1:1 after 2 attempts: Connection refused"):
        TablePlayer("N", Passer(), attempts=2).play("127.0.0.1", 1)


# --- faults ---------------------------------------------------------------------------------------------


def test_malformed_lines_do_not_disturb_the_table() -> None:
    wrong = [
        b"hello\r\n",
        b"\xff\xfe\x00\r\n",
        b"NORTH bids 9C\r\n",
        b"x" * 5000,
        b'Connecting "x" as UP\r\n',
        b"NORTH passes\n" * 500,
    ]
    with Session(BOARDS[1:]) as session:
        Seats(session.port, everybody(Passer(), but=[Seat.SOUTH]))
        for _, line in zip(range(500), itertools.cycle(wrong)):
            with Robot(session.port) as robot:
                robot.socket.sendall(line)
        Seats(session.port, {Seat.SOUTH: Passer()})
        session.end()
    assert session.error is None and len(session.records) == 1


@pytest.mark.parametrize(
    "place, said, part",
    [
        (14, "SOUTH bids 8C", "got 'SOUTH bids 8C', waited for 'a call by SOUTH'"),
        (14, "SOUTH redoubles", "illegal call XX"),
        (14, "SOUTH ready for SOUTH's bid", "waited for 'a call by SOUTH'"),
        (15, "SOUTH ready to start", 'waited for "SOUTH ready for WEST\'s bid"'),
        (25, "NORTH plays 2h", "cannot come from North"),
        (25, "NORTH plays Ac", "cannot come from North"),
        (25, "NORTH plays 6s", "is a revoke"),
    ],
)
def test_the_third_fault_on_a_board_ends_the_session(place: int, said: str, part: str) -> None:
    script = transcript(Seat.SOUTH)[:place]
    with Session(BOARDS) as session:
        Seats(session.port, everybody(Notrump(), but=[Seat.SOUTH]), attempts=1)
        for _ in range(3):
            with _returned(session.port) as robot:
                for who, line in script[1:]:
                    if who == ">":
                        robot.say(line)
                    else:
                        assert robot.hears() == line
                robot.say(said)
                assert robot.hears() == ""
        session.end()
    assert str(session.error).startswith("South at fault for the third time on board 1: ")
    assert part in str(session.error)
    assert sum("South was dropped on board 1" in event for event in session.events) == 3


def test_a_bidder_that_calls_illegally_ends_the_session_in_one_line() -> None:
    players = [TablePlayer(seat, Bold(), cards=lowest()) for seat in SEATS]
    with pytest.raises(BidlabError, match="illegal call XX"):
        host_session(TableHost(BOARDS, timeout=20), players)


def test_a_robot_that_hangs_is_dropped_and_may_come_back() -> None:
    with Session(BOARDS[1:], timeout=1.5) as session:
        with Robot(session.port) as robot:
            robot.say('Connecting "x" as SOUTH using protocol version 18')
            assert robot.hears().endswith("seated")
            assert robot.hears() == ""
        Seats(session.port, everybody(Passer()))
        session.end()
    assert session.error is None
    assert any("got nothing for 1.5 s, waited for 'SOUTH ready for teams'" in e for e in session.events)


def test_incomplete_boards_and_senseless_limits_are_refused() -> None:
    with pytest.raises(BidlabError, match="board 1 is not complete"):
        TableHost([Board(Deal.unknown(), number=1)])
    with pytest.raises(BidlabError, match="above 0"):
        TableHost([], timeout=0)


def test_a_port_in_use_is_told() -> None:
    with Session(BOARDS[1:]) as session:
        with pytest.raises(BidlabError, match=f"cannot listen on 127.0.0.1:{session.port}"):
            host_session(TableHost(BOARDS, port=session.port))
        Seats(session.port, everybody(Passer()))
