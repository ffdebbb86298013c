"""Players for tests: tiny bidders of ours, and a raw robot that says lines as they are written."""

import asyncio
import socket
from collections.abc import Sequence
from threading import Event, Thread

from bidlab.bluechip import CardPlayer, TableHost, TablePlayer
from bidlab.bridge.calls import Call
from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError
from bidlab.formats.records import Record
from bidlab.meaning.meaning import Meaning
from bidlab.table import Bidder, Decision, SeatView

NOTRUMP = Meaning.parse("15-17, balanced")


class Notrump(Bidder):
    """Opens 1NT with 15-17 balanced, raises it to 3NT with 10 points, and passes otherwise."""

    name = "notrump"

    def decide(self, view: SeatView) -> Decision:
        last = view.auction.last_bid
        if last is None and NOTRUMP.admits(view.hand):
            return Decision(Call("1N"), NOTRUMP)
        if last == Call("1N") and Meaning.parse("10+ hcp").admits(view.hand) and view.auction.calls[-1] == 0:
            return Decision(Call("3N"))
        return Decision(Call.PASS)


class Passer(Bidder):
    name = "pass"

    def decide(self, view: SeatView) -> Decision:
        return Decision(Call.PASS)


class Lively(Bidder):
    """Opens anything at the one level and passes after that, so that most boards are played."""

    name = "lively"

    def decide(self, view: SeatView) -> Decision:
        last = view.auction.last_bid
        if last is None:
            longest = max(range(4), key=lambda suit: view.hand.length(suit))
            return Decision(Call.bid(1, "CDHS"[longest]))
        return Decision(Call.PASS)


class Bold(Bidder):
    """Makes a call that is not legal."""

    name = "bold"

    def decide(self, view: SeatView) -> Decision:
        return Decision(Call.REDOUBLE)


class Robot:
    """A robot that says lines and reads lines, nothing more."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self.socket.makefile("rb")

    def say(self, *lines: str) -> None:
        for line in lines:
            self.socket.sendall(line.encode() + b"\r\n")

    def hears(self) -> str:
        """The next line; "" when the table has hung up."""
        try:
            row = self._file.readline()
        except ConnectionError:
            return ""
        assert not row or row.endswith(b"\r\n")
        return row.decode().rstrip()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> "Robot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Session:
    """A host in a thread of its own: its port, what it told, and how it ended."""

    def __init__(self, boards, **options) -> None:
        self.events: list[str] = []
        self.records: list[Record] = []
        self.error: BidlabError | None = None
        self.port = 0
        self._host = TableHost(boards, on_event=self.events.append, **({"timeout": 20} | options))
        self._opened = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self) -> None:
        self.port = await self._host.start()
        self._opened.set()
        try:
            self.records = await self._host.play()
        except BidlabError as error:
            self.error = error

    def __enter__(self) -> "Session":
        self._thread.start()
        assert self._opened.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> "Session":
        """Wait for the end of the session."""
        self._thread.join(40)
        assert not self._thread.is_alive(), self.events
        return self


def lowest(**options) -> CardPlayer:
    return CardPlayer(samples=0, **options)


class Seats:
    """Players of ours in threads; `boards` is what each says it has played, or its error."""

    def __init__(self, port: int, bidders: dict[Seat, Bidder], **options) -> None:
        self.players = {
            seat: TablePlayer(seat, bidder, **({"cards": lowest()} | options))
            for seat, bidder in bidders.items()
        }
        self.boards: dict[Seat, int | str] = {}
        self._threads = [
            Thread(target=self._sit, args=(seat, player, port), daemon=True)
            for seat, player in self.players.items()
        ]
        for thread in self._threads:
            thread.start()

    def _sit(self, seat: Seat, player: TablePlayer, port: int) -> None:
        try:
            self.boards[seat] = player.play("127.0.0.1", port)
        except BidlabError as error:
            self.boards[seat] = str(error)

    def end(self) -> "Seats":
        for thread in self._threads:
            thread.join(40)
            assert not thread.is_alive()
        return self


def everybody(bidder: Bidder, but: Sequence[Seat] = ()) -> dict[Seat, Bidder]:
    return {seat: bidder for seat in SEATS if seat not in but}
