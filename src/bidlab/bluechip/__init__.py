"""Robots from outside at a table over TCP, by the table-manager protocol: host and player."""

from bidlab.bluechip.cardplay import CardPlayer
from bidlab.bluechip.client import TablePlayer
from bidlab.bluechip.host import TableHost
from bidlab.bluechip.messages import ProtocolError
from bidlab.bluechip.seating import host_session

__all__ = ["CardPlayer", "ProtocolError", "TableHost", "TablePlayer", "host_session"]
