"""The host's end of one connection: lines come in by themselves and wait to be read in turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from bidlab.bluechip.lines import Lines, line_bytes
from bidlab.bluechip.messages import Message, ProtocolError, out_of_step, read_message

_MOST_WAITING = 100  # lines unread; a player that keeps step has one or two


class Gone(Exception):  # noqa: N818 - a connection that ends is no error
    """The player's connection has ended."""


class Bell:
    """Wakes all who wait for something to change at the table."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def ring(self) -> None:
        """Have everybody who waits look again."""
        event, self._event = self._event, asyncio.Event()
        event.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds."""
        while not holds():
            await self._event.wait()


class Connection:
    """A player's connection: what it says is read at once, so that it is known at once when it ends."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, bell: Bell, timeout: float
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._bell = bell
        self._timeout = timeout
        self._waiting: deque[str] = deque()
        self._fault: ProtocolError | None = None
        self.is_gone = False
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        lines = Lines()
        try:
            while data := await self._reader.read(4096):
                self._waiting += lines.feed(data)
                if len(self._waiting) > _MOST_WAITING:
                    raise ProtocolError(f"more than {_MOST_WAITING} lines before any was asked for")
                self._bell.ring()
        except OSError:
            pass  # cut off: the same as closed
        except ProtocolError as error:
            self._fault = error
        self.is_gone = True
        self._bell.ring()

    @property
    def has_line(self) -> bool:
        """Whether the player has said something that was not read yet."""
        return bool(self._waiting)

    def next_is(self, message: Message) -> bool:
        """Whether the line to be read next is that message."""
        try:
            return bool(self._waiting) and read_message(self._waiting[0]) == message
        except ProtocolError:
            return False

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds at the table; Gone if the connection ends before."""
        await self._bell.until(lambda: self.is_gone or holds())
        if not holds():
            self._leave()

    def _leave(self) -> None:
        if self._fault is not None:
            raise self._fault
        raise Gone

    async def read(self, waited: str) -> Message:
        """The next message; an error where it is none, or where it takes too long."""
        try:
            async with asyncio.timeout(self._timeout):
                await self._bell.until(lambda: self.is_gone or self.has_line)
        except TimeoutError:
            raise ProtocolError(f"got nothing for {self._timeout:g} s, waited for '{waited}'") from None
        if self._fault is not None or not self._waiting:
            self._leave()
        return read_message(self._waiting.popleft(), waited)

    async def expect(self, message: Message) -> None:
        """Read that message; an error where something else comes."""
        got = await self.read(message.line())
        if got != message:
            raise out_of_step(got.line(), message.line())

    async def say(self, message: Message) -> None:
        """Send a message."""
        if self.is_gone:
            self._leave()
        self._writer.write(line_bytes(message))
        try:
            async with asyncio.timeout(self._timeout):
                await self._writer.drain()
        except TimeoutError:
            raise ProtocolError(f"nothing was read for {self._timeout:g} s") from None
        except OSError:
            raise Gone from None

    async def close(self) -> None:
        """Hang up."""
        self._listening.cancel()
        self._writer.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(1):
                await self._writer.wait_closed()
        with suppress(asyncio.CancelledError):
            await self._listening
