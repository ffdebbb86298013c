"""The commands about a table over TCP: table host, table join."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bidlab.bidders.registry import bidder as made_bidder
from bidlab.bluechip import CardPlayer, TableHost, TablePlayer, host_session
from bidlab.bridge.cards import Seat
from bidlab.bridge.errors import BidlabError, FormatError, quoted
from bidlab.cli.boards import Json, Problems, boards_text, print_json
from bidlab.dealing import random_boards
from bidlab.formats.files import FORMATS, write_boards
from bidlab.formats.records import Record

_Samples = Annotated[
    int, typer.Option(min=0, help="Deals that our player of cards looks at; 0: it plays its lowest card.")
]
_Alerts = Annotated[
    bool, typer.Option("--alerts", help="Alert calls that our bidder gives a meaning, with the meaning.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        name="table",
        help="A table for robots over TCP, by the table-manager protocol: host one, or join one.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_help)
    group.command(epilog="Example: bidlab table host --boards 16 --seed 7 --out results.pbn")(host)
    group.command(epilog="Example: bidlab table join --seat N --bidder random 127.0.0.1:2000")(join)
    app.add_typer(group)


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


# --- host -----------------------------------------------------------------------------------------------


def host(
    boards: Annotated[int, typer.Option("--boards", "-n", min=1, help="How many boards.")] = 16,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deals the same boards every time; by default a new one.")
    ] = None,
    address: Annotated[str, typer.Option(help="Where to listen; by default for this machine only.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 0,
    bidder: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=NAME", help="A bidder of ours in a seat, as in N=random; may be repeated."
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option(help="A file to write, by its suffix .pbn, .lin, .json or .url.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds for a message, and for coming back.")
    ] = 60.0,
    samples: _Samples = 8,
    alerts: _Alerts = False,
    as_json: Json = False,
) -> None:
    """Host a table: wait for robots in the free seats, have them bid and play boards, and tell results."""
    if seed is None:
        seed = secrets.randbelow(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
    if out is not None:
        _check_target(out)
    bidders = {seat: made_bidder(name, seed) for seat, name in _seats(bidder or ()).items()}
    players = [
        TablePlayer(seat, one, name=one.name, cards=CardPlayer(seed, samples), alerts=alerts)
        for seat, one in bidders.items()
    ]
    table = TableHost(
        random_boards(boards, seed),
        address=address,
        port=port,
        timeout=timeout,
        on_event=lambda text: print(text, file=sys.stderr),
        on_record=lambda record: None if as_json else print(_result_line(record), flush=True),
    )
    try:
        host_session(table, players, lambda port: _say_where(address, port, as_json))
    finally:
        for one in bidders.values():
            one.close()
        _tell(table.records, out, as_json)


def _check_target(out: str) -> None:
    """Raise where results could not be written, which should be known before the boards are played."""
    path = Path(out)
    if path.suffix[1:].lower() not in FORMATS:
        suffixes = " ".join(f".{name}" for name in FORMATS)
        raise FormatError(f"no format for {out}: one of the suffixes {suffixes} is wanted")
    if not path.parent.is_dir():
        raise FormatError(f"no directory {path.parent} to write {path.name} in")


def _say_where(address: str, port: int, as_json: bool) -> None:
    print(f"listening on {address}:{port}", file=sys.stderr if as_json else sys.stdout, flush=True)


def _seats(texts: Sequence[str]) -> dict[Seat, str]:
    """The bidders by seat; an error where a text is not SEAT=NAME or a seat comes twice."""
    seats: dict[Seat, str] = {}
    for text in texts:
        letter, equals, name = text.partition("=")
        if not equals or not name:
            raise BidlabError(f"no bidder {quoted(text)}: a seat and a name are wanted, as in N=random")
        seat = Seat(letter)
        if seat in seats:
            raise BidlabError(f"two bidders for {seat.word}: one is wanted")
        seats[seat] = name
    return seats


def _result_line(record: Record) -> str:
    result = record.result
    assert result is not None
    if result.contract.is_passed_out:
        return f"board {record.board.number}: passed out"
    return f"board {record.board.number}: {result}, {result.score:+d} to North-South"


def _tell(records: Sequence[Record], out: str | None, as_json: bool) -> None:
    """What was played, also where the session ended early: it is printed or written down."""
    if as_json:
        print_json(records)
    if out is not None and records:
        count = write_boards(records, out, on_problem=Problems().add)
        print(f"{boards_text(count)} written to {out}", file=sys.stderr)


# --- join -----------------------------------------------------------------------------------------------


def join(
    where: Annotated[str, typer.Argument(metavar="HOST:PORT", help="The table, as in 127.0.0.1:2000.")],
    bidder: Annotated[str, typer.Option(metavar="NAME", help="The bidder that calls.")],
    seat: Annotated[str | None, typer.Option(help="N, E, S or W; by default any seat that is free.")] = None,
    name: Annotated[
        str | None, typer.Option(help="The name given to the table; by default the bidder's.")
    ] = (None),
    seed: Annotated[int, typer.Option(min=0, help="For what bidder and player of cards draw.")] = 0,
    samples: _Samples = 8,
    alerts: _Alerts = False,
) -> None:
    """Join a table with a bidder of ours, which also plays its cards, until the session ends."""
    address, port = _place(where)
    made = made_bidder(bidder, seed)
    try:
        player = TablePlayer(
            seat, made, name=name or made.name, cards=CardPlayer(seed, samples), alerts=alerts
        )
        count = player.play(address, port)
    finally:
        made.close()
    print(f"{boards_text(count)} played")


def _place(text: str) -> tuple[str, int]:
    address, _, port = text.rpartition(":")
    if not address or not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise BidlabError(f"no table {quoted(text)}: an address and a port are wanted, as in 127.0.0.1:2000")
    return address, int(port)
