"""Two boards line by line: 1NT by South played out, then one passed out.

The transcripts have what the player says (>) and what the table says (<). The table's part is played to our
player, the player's part to our host.
"""

import socket
from pathlib import Path
from threading import Thread

import pytest
from tests.bluechip.players import Notrump, Robot, Seats, Session, everybody, lowest

from bidlab.bluechip import TablePlayer
from bidlab.bluechip.client import BidlabError
from bidlab.bridge.boards import Board
from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.hands import Deal
from bidlab.formats.files import board_text

TRANSCRIPTS = Path(__file__).parent / "transcripts"
BOARDS = [
    Board(Deal.parse("N:63.T63.A83.KQT43 K94.9.QJ642.J976 AQT72.A54.K5.A52 J85.KQJ872.T97.8"), number=1),
    Board(Deal.parse("N:AK86.64.J62.KJ96 T74.A8.K94.QT873 QJ32.KQ7532.A5.2 95.JT9.QT873.A54"), number=2),
]


def transcript(seat: Seat) -> list[tuple[str, str]]:
    """Who says each line, and the line."""
    text = (TRANSCRIPTS / f"{seat.word.lower()}.txt").read_text(encoding="utf-8")
    return [(line[0], line[2:]) for line in text.splitlines()]


class FakeManager:
    """A table for one player that says its lines of a transcript, each when the player has said its own."""

    def __init__(self, script: list[tuple[str, str]], spelt=lambda line: line + "\r\n") -> None:
        self._script = script
        self._spelt = spelt
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.heard: list[str] = []
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        connection, _ = self._listening.accept()
        with self._listening, connection, connection.makefile("rb") as rows:
            for who, line in self._script:
                if who == "<":
                    connection.sendall(self._spelt(line).encode())
                    continue
                self.heard.append(rows.readline().decode().removesuffix("\r\n"))
                if self.heard[-1] != line:
                    return

    def end(self) -> None:
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: seat.word)
def test_our_player_says_its_lines_to_a_table_manager(seat: Seat) -> None:
    script = transcript(seat)
    manager = FakeManager(script)
    assert TablePlayer(seat, Notrump(), cards=lowest()).play("127.0.0.1", manager.port) == 2
    manager.end()
    assert manager.heard == [line for who, line in script if who == ">"]


def test_our_player_reads_a_manager_that_spells_otherwise() -> None:
    timing = "Timing - N/S : this board  1:15,  total  0:11:23.  E/W : this board  1:18,  total  0:10:23."

    def spelt(line: str) -> str:
        before = f"{timing}\n" if line == "End of session" else ""
        return before + line.lower().replace(" : ", ": ").replace(" t ", " 10 ") + "\n"

    manager = FakeManager(transcript(Seat.SOUTH), spelt)
    assert TablePlayer("S", Notrump(), cards=lowest()).play("127.0.0.1", manager.port) == 2
    manager.end()


@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: seat.word)
def test_our_host_says_its_lines_to_a_robot(seat: Seat) -> None:
    with Session(BOARDS) as session:
        others = Seats(session.port, everybody(Notrump(), but=[seat]))
        with Robot(session.port) as robot:
            for who, line in transcript(seat):
                if who == ">":
                    robot.say(line)
                else:
                    assert robot.hears() == line
        session.end()
    assert session.error is None and others.end().boards == {s: 2 for s in SEATS if s != seat}
    assert [str(record.result) for record in session.records] == ["1N-2 by S", "Pass"]
    assert [len(record.play) for record in session.records] == [52, 0]
    assert '[Contract "1NT"]' in board_text(session.records, "pbn")


def test_our_host_reads_a_robot_that_spells_otherwise() -> None:
    with Session(BOARDS) as session:
        Seats(session.port, everybody(Notrump(), but=[Seat.SOUTH]))
        with Robot(session.port) as robot:
            for who, line in transcript(Seat.SOUTH):
                if who == ">":
                    robot.socket.sendall(f"  {line.lower()}.\n".replace(" ", "\t").encode())
                else:
                    assert robot.hears() == line
        session.end()
    assert session.error is None and len(session.records) == 2


def test_dummy_who_asks_is_told_all_the_same() -> None:
    """Some robots go on asking for cards as dummy."""
    with Session(BOARDS[:1]) as session:
        Seats(session.port, everybody(Notrump(), but=[Seat.NORTH]))
        script = transcript(Seat.NORTH)[:20]
        with Robot(session.port) as robot:
            for who, line in script:
                if who == ">":
                    robot.say(line)
                else:
                    assert robot.hears() == line
            for player, trick, card in (("WEST", 1, "2h"), ("EAST", 1, "9h"), ("EAST", 2, "2d")):
                robot.say(f"NORTH ready for {player}'s card to trick {trick}")
                assert robot.hears() == f"{player} plays {card}"
            robot.say("NORTH ready to start")
            assert robot.hears() == "End of session"
        session.end()
    assert session.error is None


@pytest.mark.parametrize(
    "place, said, parts",
    [
        (1, 'WEST ("x") seated', ["got 'WEST", "waited for 'SOUTH"]),
        (3, "Start of board", ["got 'Start of board'", "waited for 'Teams"]),
        (5, "hello", ["got 'hello'", "waited for 'Start of board'"]),
        (7, "End of session", ["got 'End of session'", "waited for 'Board number"]),
        (9, "WEST's cards : S A Q T 7 2. H A 5 4. D K 5. C A 5 2.", ['waited for "SOUTH\'s cards"']),
        (11, "WEST passes", ["got 'WEST passes'", "waited for 'a call by NORTH'"]),
        (22, "WEST plays 7", ["got 'WEST plays 7'", "waited for 'a card from WEST'"]),
        (24, "EAST passes", ["got 'EAST passes'", "Dummy's cards"]),
    ],
)
def test_a_player_out_of_step_says_what_it_got_and_waited_for(
    place: int, said: str, parts: list[str]
) -> None:
    script = transcript(Seat.SOUTH)[:place]
    manager = FakeManager([*script, ("<", said)])
    with pytest.raises(BidlabError) as caught:
        TablePlayer("S", Notrump(), cards=lowest()).play("127.0.0.1", manager.port)
    manager.end()
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)
