"""The table host: seats four robots over TCP, has them bid and play boards, and keeps the records.

Each connection has a conversation of its own, which walks through the protocol and is a function of how far
the board has come: what was called or played is told, what was not is waited for. So a player that comes
back needs nothing special: its new conversation starts at the beginning of the board and runs through what
has happened, up to where the table stands.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

from bidlab.bluechip.connection import Bell, Connection, Gone
from bidlab.bluechip.messages import (
    Called,
    Cards,
    Connecting,
    Dealt,
    EndOfSession,
    Message,
    Played,
    ProtocolError,
    Ready,
    ReadyForCall,
    ReadyForCard,
    Refused,
    Seated,
    Stage,
    StartOfBoard,
    Teams,
    ToLead,
    out_of_step,
)
from bidlab.bluechip.progress import BoardInPlay
from bidlab.bridge.boards import Board
from bidlab.bridge.cards import SEATS, Seat
from bidlab.bridge.errors import BidlabError
from bidlab.formats.records import Record

_GOODBYE = 5.0  # seconds that players are given to hear of the end

Listener = Callable[[str], None]


def _ignore(_: str) -> None:
    pass


class TableHost:
    """A table over TCP: `await start()` opens it, `await play()` gives the records of all boards.

    `timeout` is how long, in seconds, a player may take for a message, and how long one that has left may
    take to come back. `faults` is how many wrong messages of one player on one board end the session. What
    happens at the table is told to `on_event`, each finished board to `on_record`.
    """

    def __init__(
        self,
        boards: Sequence[Board],
        *,
        address: str = "127.0.0.1",
        port: int = 0,
        teams: tuple[str, str] | None = None,
        timeout: float = 60.0,
        faults: int = 3,
        on_event: Listener = _ignore,
        on_record: Callable[[Record], None] = lambda _: None,
    ) -> None:
        if timeout <= 0 or faults < 1:
            raise BidlabError(f"time-out {timeout:g} s, {faults} faults: both must be above 0")
        self._tables = [BoardInPlay(board) for board in boards]
        for table in self._tables:
            if not table.board.deal.is_complete:
                raise BidlabError(f"board {table.board.number} is not complete: all 52 cards are wanted")
        self.address = address
        self.port = port
        self._teams = teams
        self._timeout = timeout
        self._most_faults = faults
        self._on_event = on_event
        self._on_record = on_record
        self._bell = Bell()
        self._seated: dict[Seat, Connection] = {}
        self._names: dict[Seat, str] = {}
        self._has_begun = False  # all four seats were taken once
        self._current = 0  # the board in play
        self._faults: Counter[tuple[Seat, int]] = Counter()
        self._absent: dict[Seat, asyncio.TimerHandle] = {}
        self._failure: BaseException | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.records: list[Record] = []

    # --- the session ------------------------------------------------------------------------------------

    async def start(self) -> int:
        """Listen; the port, chosen by the system where 0 was asked for."""
        try:
            self._server = await asyncio.start_server(self._receive, self.address, self.port)
        except OSError as error:
            raise BidlabError(
                f"cannot listen on {self.address}:{self.port}: {error.strerror or error}"
            ) from None
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    async def play(self) -> list[Record]:
        """Play all boards; their records. An error where the session cannot go on."""
        try:
            await self._bell.until(lambda: self._failure is not None or self._is_over)
            if self._failure is None:
                await self._say_goodbye()
        finally:
            await self.close()
        if self._failure is not None:
            raise self._failure
        return self.records

    async def _say_goodbye(self) -> None:
        """Wait until the players have been told that the session is over; not for long."""
        try:
            async with asyncio.timeout(min(_GOODBYE, self._timeout)):
                await self._bell.until(lambda: not self._seated)
        except TimeoutError:
            pass

    async def close(self) -> None:
        """Close the table and all connections."""
        for timer in self._absent.values():
            timer.cancel()
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()

    def stop(self, error: BaseException) -> None:
        """End the session with an error."""
        if self._failure is None:
            self._failure = error
        self._bell.ring()

    @property
    def _is_over(self) -> bool:
        return self._current == len(self._tables)

    @property
    def _where(self) -> str:
        if self._is_over:
            return "after the last board"
        number = self._tables[self._current].board.number
        return f"on board {self._current + 1 if number is None else number}"

    # --- seats ------------------------------------------------------------------------------------------

    def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._served)

    def _served(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.stop(error)  # a mistake of the host's own: it must not leave the others waiting

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from the first line to the end of it."""
        connection = Connection(reader, writer, self._bell, self._timeout)
        try:
            seat = await self._give_seat(connection)
            if seat is not None:
                await self._attend(seat, connection)
        finally:
            await connection.close()

    async def _give_seat(self, connection: Connection) -> Seat | None:
        """Seat whoever has connected; None where that does not work."""
        wanted = Connecting("NAME", Seat.NORTH).line()
        try:
            asked = await connection.read(wanted)
            if not isinstance(asked, Connecting):
                raise out_of_step(asked.line(), wanted)
            free = [seat for seat in SEATS if seat not in self._seated]
            seat = next((s for s in free if asked.seat in (None, s)), None)
            if seat is None:
                await connection.say(Refused(asked.seat))
                self._on_event(f"'{asked.name}' refused: {Refused(asked.seat).line()}")
                return None
            self._take(seat, asked.name, connection)
            return seat
        except ProtocolError as error:
            self._on_event(f"a connection without a seat was dropped: {error}")
        except Gone:
            pass
        return None

    def _take(self, seat: Seat, name: str, connection: Connection) -> None:
        self._seated[seat] = connection
        self._names[seat] = name
        if timer := self._absent.pop(seat, None):
            timer.cancel()
        self._on_event(f"{seat.word} is '{name}'")
        if len(self._seated) == 4:
            self._has_begun = True
        self._bell.ring()

    async def _attend(self, seat: Seat, connection: Connection) -> None:
        """Hold the conversation with a seated player; its seat is free again when it ends."""
        try:
            await connection.say(Seated(seat, self._names[seat]))
            await self._converse(seat, connection)
        except Gone:
            if not self._is_over:
                self._on_event(f"{seat.word} has left {self._where}")
        except BidlabError as error:
            self._note_fault(seat, error)
        finally:
            del self._seated[seat]
            if self._has_begun and not self._is_over:
                loop = asyncio.get_running_loop()
                self._absent[seat] = loop.call_later(self._timeout, self._give_up, seat)
            self._bell.ring()

    def _note_fault(self, seat: Seat, error: BidlabError) -> None:
        self._on_event(f"{seat.word} was dropped {self._where}: {error}")
        if self._is_over:
            return
        self._faults[seat, self._current] += 1
        count = self._faults[seat, self._current]
        if count >= self._most_faults:
            self.stop(BidlabError(f"{seat.word} at fault for the {_nth(count)} time {self._where}: {error}"))

    def _give_up(self, seat: Seat) -> None:
        self.stop(BidlabError(f"{seat.word} did not come back within {self._timeout:g} s {self._where}"))

    # --- the conversation with one player -----------------------------------------------------------------

    async def _converse(self, seat: Seat, player: Connection) -> None:
        await player.expect(Ready(seat, Stage.TEAMS))
        await player.until(lambda: self._has_begun)
        ours = self._names[Seat.NORTH], self._names[Seat.EAST]
        await player.say(Teams(*(self._teams or ours)))
        await player.expect(Ready(seat, Stage.START))
        while not self._is_over:
            await self._show(seat, player, self._tables[self._current])
            await player.expect(Ready(seat, Stage.START))
        await player.say(EndOfSession())

    async def _show(self, seat: Seat, player: Connection, table: BoardInPlay) -> None:
        """One board with one player, from its start or from wherever it stands."""
        board = table.board
        await player.say(StartOfBoard())
        await player.expect(Ready(seat, Stage.DEAL))
        number = self._tables.index(table) + 1 if board.number is None else board.number
        await player.say(Dealt(number, board.dealer, board.vulnerable))
        await player.expect(Ready(seat, Stage.CARDS))
        await player.say(Cards(seat, board.deal.hand(seat)))
        await self._bid(seat, player, table)
        contract = table.contract
        if contract is None or contract.is_passed_out:
            return
        if seat == table.declarer.partner:
            await self._sit_by(seat, player, table)
        else:
            await self._play_cards(seat, player, table)

    def _moved_on(self) -> None:
        """Tell everybody that the table has moved on; write the board down when it is over."""
        table = self._tables[self._current]
        if table.is_over:
            n, e, s, w = (self._names[seat] for seat in SEATS)
            record = table.record((n, e, s, w))
            self.records.append(record)
            self._current += 1
            self._on_record(record)
        self._bell.ring()

    async def _bid(self, seat: Seat, player: Connection, table: BoardInPlay) -> None:
        place = 0
        while place < len(table.auction) or not table.auction.is_ended:
            if table.board.dealer.plus(place) == seat:
                await self._hear_call(seat, player, table, place)
            else:
                await self._tell_call(seat, player, table, place)
            place += 1

    async def _tell_call(self, seat: Seat, player: Connection, table: BoardInPlay, place: int) -> None:
        """Tell another's call; its alert, if any, is for the opponents, not for partner."""
        maker = table.board.dealer.plus(place)
        await player.expect(ReadyForCall(seat, maker))
        await player.until(lambda: len(table.auction) > place)
        alert = None if maker == seat.partner else table.alerts.get(place)
        await player.say(Called(maker, table.auction.calls[place], alert))

    async def _hear_call(self, seat: Seat, player: Connection, table: BoardInPlay, place: int) -> None:
        """Hear a player's own call; of one made before it left, hear it again or tell it."""
        got = await player.read(f"a call by {seat.word.upper()}")
        calls = table.auction.calls
        if place < len(calls):
            if got == ReadyForCall(seat, seat):
                await player.say(Called(seat, calls[place]))
            elif not isinstance(got, Called) or (got.seat, got.call) != (seat, calls[place]):
                raise out_of_step(got.line(), f"{Called(seat, calls[place]).line()}, as before")
        elif isinstance(got, Called) and got.seat == seat:
            table.add_call(got.call, got.alert)
            self._moved_on()
        else:
            raise out_of_step(got.line(), f"a call by {seat.word.upper()}")

    async def _play_cards(self, seat: Seat, player: Connection, table: BoardInPlay) -> None:
        for place in range(52):
            await self._take_turn(seat, player, table, place)

    async def _take_turn(self, seat: Seat, player: Connection, table: BoardInPlay, place: int) -> None:
        """One card of the play, heard from the player or told to it; dummy comes down after the first."""
        dummy = table.declarer.partner
        await player.until(lambda: len(table.cards) >= place)
        if place == 1:
            await player.expect(Ready(seat, Stage.DUMMY))
            await player.say(Cards(None, table.board.deal.hand(dummy)))
        turn = table.player(place)
        if seat == (table.declarer if turn == dummy else turn):
            if place % 4 == 0:
                await player.say(ToLead(turn))
            await self._hear_card(seat, turn, player, table, place)
        else:
            await player.expect(ReadyForCard(seat, turn, place // 4 + 1))
            await player.until(lambda: len(table.cards) > place)
            await player.say(Played(turn, table.cards[place]))

    async def _hear_card(
        self, seat: Seat, turn: Seat, player: Connection, table: BoardInPlay, place: int
    ) -> None:
        """Hear a card from a player's own hand or dummy; of one played before it left, hear or tell it."""
        got = await player.read(f"a card from {turn.word.upper()}")
        if place < len(table.cards):
            again = Played(turn, table.cards[place])
            if got == ReadyForCard(seat, turn, place // 4 + 1):
                await player.say(again)
            elif got != again:
                raise out_of_step(got.line(), f"{again.line()}, as before")
        elif isinstance(got, Played) and got.seat == turn:
            table.add_card(got.card)
            self._moved_on()
        else:
            raise out_of_step(got.line(), f"a card from {turn.word.upper()}")

    async def _sit_by(self, seat: Seat, player: Connection, table: BoardInPlay) -> None:
        """Dummy, who has nothing to say until the board is over; one who asks is told all the same."""
        at_end = Ready(seat, Stage.START)
        while not table.is_over:
            await player.until(lambda: table.is_over or player.has_line)
            if player.has_line and player.next_is(at_end):
                await player.until(lambda: table.is_over)
            elif player.has_line:
                await self._answer_dummy(player, table, await player.read(at_end.line()), at_end)

    async def _answer_dummy(
        self, player: Connection, table: BoardInPlay, asked: Message, at_end: Ready
    ) -> None:
        if asked == Ready(at_end.seat, Stage.DUMMY):
            await player.until(lambda: bool(table.cards))
            await player.say(Cards(None, table.board.deal.hand(at_end.seat)))
        elif isinstance(asked, ReadyForCard) and asked.seat == at_end.seat and 1 <= asked.trick <= 13:
            await player.until(lambda: table.card_of(asked.player, asked.trick) is not None)
            card = table.card_of(asked.player, asked.trick)
            assert card is not None
            await player.say(Played(asked.player, card))
        else:
            raise out_of_step(asked.line(), at_end.line())


def _nth(count: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(count, f"{count}th")
