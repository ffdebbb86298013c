"""A whole session in one go: the host, and those of its players that sit in the same process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from threading import Thread

from bidlab.bluechip.client import TablePlayer
from bidlab.bluechip.host import TableHost
from bidlab.bridge.errors import BidlabError
from bidlab.formats.records import Record

# Where a host listens on every address, this machine's own is the one to join.
_ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


def host_session(
    host: TableHost,
    players: Sequence[TablePlayer] = (),
    on_listening: Callable[[int], None] = lambda _: None,
) -> list[Record]:
    """Open the table, seat these players at it and play all boards; the records.

    `on_listening` is told the port before anybody is waited for. A player of ours that fails ends the session
    with its error.
    """
    return asyncio.run(_session(host, players, on_listening))


async def _session(
    host: TableHost, players: Sequence[TablePlayer], on_listening: Callable[[int], None]
) -> list[Record]:
    on_listening(await host.start())
    loop = asyncio.get_running_loop()

    def stop(error: BidlabError) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(host.stop, error)

    # Threads, because bidders think for long; daemons, so that an interrupt is not kept waiting for them.
    threads = [Thread(target=_sit, args=(player, host, stop), daemon=True) for player in players]
    for thread in threads:
        thread.start()
    try:
        return await host.play()
    finally:
        for player in players:
            player.stop()


def _sit(player: TablePlayer, host: TableHost, stop: Callable[[BidlabError], None]) -> None:
    try:
        player.play(_ANYWHERE.get(host.address, host.address), host.port)
    except BidlabError as error:
        stop(error)
    except Exception as error:  # a bidder's own mistake must not leave the table waiting
        stop(BidlabError(f"a player of ours failed: {error!r}"))
