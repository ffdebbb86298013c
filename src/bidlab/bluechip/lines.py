"""Lines out of the bytes of a connection, however they come in and whatever ends them."""

from __future__ import annotations

import re

from bidlab.bluechip.messages import Message, ProtocolError

LONGEST = 4096  # bytes of a line; no message comes near it
_END = re.compile(rb"[\r\n]+")


class Lines:
    """Collects bytes and gives the lines that are whole."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        """The lines that are whole now, without those that are blank."""
        *whole, self._rest = _END.split(self._rest + data)
        if len(self._rest) > LONGEST or any(len(line) > LONGEST for line in whole):
            raise ProtocolError(f"a line of more than {LONGEST} characters: no message is so long")
        texts = (line.decode("latin-1").strip() for line in whole)
        return [text for text in texts if text]


def line_bytes(message: Message) -> bytes:
    """A message as it goes over the connection."""
    return message.line().encode("ascii", "replace") + b"\r\n"
