"""The commands that measure bidders: match, roundrobin, distance."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from bidlab.bidders.registry import bidder
from bidlab.bridge.errors import BidlabError, quoted
from bidlab.cli.boards import Json, Problems, boards_text
from bidlab.cli.layout import table_text
from bidlab.cli.progress import told_means
from bidlab.formats.files import write_boards
from bidlab.matches import (
    Distance,
    LibraryBoards,
    MatchResult,
    RoundRobin,
    SequentialTest,
    Source,
    Summary,
    compare_variants,
    distance_from_par,
    distance_of_records,
    match_records,
    match_victory_points,
    play_match,
    round_robin,
    swing_boards,
)
from bidlab.matches.by_name import board_source, maker
from bidlab.matches.partings import partings

_Boards = Annotated[int, typer.Option("--boards", "-n", help="How many boards.")]
_Seed = Annotated[int | None, typer.Option(min=0, help="Deal the boards from this seed (and solve them).")]
_Library = Annotated[
    str | None, typer.Option("--library", help="Take solved boards of a library: judge, tune or a file.")
]
_Workers = Annotated[int, typer.Option(min=0, help="How many processes bid; 0: one a core.")]
_Rounds = Annotated[int | None, typer.Option("--vp", min=1, help="Victory points, in rounds of so many.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(epilog="Example: bidlab match random pass --boards 1000 --library tune")(match)
    app.command(epilog="Example: bidlab roundrobin pass random random,seed=2 --boards 500 --library tune")(
        roundrobin
    )
    app.command(epilog="Example: bidlab distance pass --library judge")(distance)


def match(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A bidder by name, as sayc,michaels=off; bidlab bidders lists them."
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
    boards: _Boards = 1000,
    seed: _Seed = None,
    library_name: _Library = None,
    first_board: Annotated[int, typer.Option("--first", min=1, help="The number of the first board.")] = 1,
    stop: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="Stop once it is clear which of two means it is, as in 0,0.5."),
    ] = None,
    swings: Annotated[int, typer.Option(min=0, help="Show the N boards that swung most.")] = 0,
    parted: Annotated[
        int, typer.Option("--partings", min=0, help="Show the N choices that cost A most, counted together.")
    ] = 0,
    rounds: _Rounds = None,
    against: Annotated[
        str | None, typer.Option(metavar="C", help="Compare A and B, each against C, on the same boards.")
    ] = None,
    out: Annotated[str | None, typer.Option(help="Write both tables of every board to a file.")] = None,
    workers: _Workers = 0,
    as_json: Json = False,
) -> None:
    """Play a team match: every board bid at two tables with the seats swapped, IMPs of A."""
    source = board_source(seed, library_name)
    if against is not None:
        if stop is not None or swings or parted or rounds is not None or out is not None:
            raise BidlabError(
                "--against compares two bidders: no --stop, --swings, --partings, --vp or --out goes with it"
            )
        _compare(first, second, against, source, boards, first_board, workers, as_json)
        return
    with told_means("bidding") as tell:
        found = play_match(
            maker(first),
            maker(second),
            source,
            boards,
            first_board=first_board,
            workers=_workers(workers, boards, source),
            test=_test(stop),
            progress=lambda done, so_far: tell(done, boards, so_far),
            wants_meanings=bool(swings) or out is not None,
        )
    if out is not None:
        count = write_boards(match_records(found), out)
        print(f"{boards_text(count)} written to {out}", file=sys.stderr)
    if as_json:
        print(json.dumps(_match_json(found, seed, first_board, rounds)))
        return
    _print_match(found, stop, rounds)
    if parted:
        print("\n" + _partings_text(found, parted))
    for text in swing_boards(found, swings):
        print("\n" + "-" * 60 + "\n")
        print(text)


def _partings_text(found: MatchResult, count: int) -> str:
    """A table of the choices that cost the first bidder most."""
    dearest = partings(found)[:count]
    if not dearest:
        return "The bidders parted in no way on five boards or more."
    rows = [["After", found.first, found.second, "Boards", "IMPs a board", "In all", "The dearest"]]
    for one in dearest:
        numbers = ", ".join(map(str, one.boards[:3]))
        mean = f"{one.swings.mean:+.2f} ± {one.swings.stderr:.2f}"
        calls = [" ".join(map(str, one.before)) or "-", one.first.symbol, one.second.symbol]
        rows.append([*calls, str(len(one.boards)), mean, f"{one.total:+.0f}", numbers])
    return table_text(rows)


def _compare(
    first: str,
    second: str,
    against: str,
    source: Source,
    boards: int,
    first_board: int,
    workers: int,
    as_json: bool,
) -> None:
    """Two bidders against a common opponent, the differences taken board by board."""
    with told_means("bidding") as tell:
        found = compare_variants(
            maker(first),
            maker(second),
            maker(against),
            source,
            boards,
            first_board=first_board,
            workers=_workers(workers, boards, source),
            progress=lambda done, so_far: tell(done, boards, so_far),
        )
    if as_json:
        shown = {"first": first, "second": second, "against": against, "source": source.name}
        plain, perfect = _summary_json(found.plain), _summary_json(found.perfect)
        print(json.dumps({**shown, **plain, "perfect": perfect}))
        return
    where = f"{boards_text(boards)} of {source.name}"
    print(f"{first} less {second}, each against {against}, {where}, IMPs a board")
    print(f"  as bid           {found.plain.text()}")
    print(f"  perfect defence  {found.perfect.text()}")


def _print_match(found: MatchResult, stop: str | None, rounds: int | None) -> None:
    print(
        f"{found.first} against {found.second}, {boards_text(found.boards)} of {found.source}, IMPs a board"
    )
    print(f"  as bid           {found.plain.text()}")
    print(f"  perfect defence  {found.perfect.text()}")
    if rounds is not None:
        one, other = match_victory_points(found, rounds)
        print(f"  victory points   {one:.2f} to {other:.2f} in rounds of {rounds}")
    if stop is not None:
        low, high = stop.split(",")
        clear = {"high": f"nearer to {high}", "low": f"nearer to {low}", None: "not clear"}[found.answer]
        print(f"  test {low} or {high}: {clear}, at an error of 5%")


def roundrobin(
    bidders: Annotated[list[str], typer.Argument(metavar="A B ...", help="Bidders by name, two or more.")],
    boards: _Boards = 1000,
    seed: _Seed = None,
    library_name: _Library = None,
    rounds: _Rounds = None,
    workers: _Workers = 0,
    as_json: Json = False,
) -> None:
    """Play everybody against everybody on the same boards."""
    source = board_source(seed, library_name)
    with told_means("bidding") as tell:
        found = round_robin(
            [maker(name) for name in bidders],
            source,
            boards,
            workers=_workers(workers, boards, source),
            progress=lambda done, so_far: tell(done, boards, so_far),
        )
    if as_json:
        print(json.dumps(_round_robin_json(found, source, rounds)))
        return
    print(f"{boards_text(boards)} of {source.name} a match, IMPs a board of the bidder on the left")
    width = max(map(len, found.names))
    order = sorted(range(len(found.names)), key=lambda i: -found.total(i).mean)
    print(" " * width + "".join(f"  {found.names[j]:>15}" for j in order) + f"  {'all':>15}")
    for i in order:
        cells = ["-" if i == j else _short(found.result(i, j)) for j in order]
        line = "".join(f"  {cell:>15}" for cell in [*cells, _short(found.total(i))])
        points = "" if rounds is None else f"  {found.victory_points(i, rounds):.2f} VP"
        print(f"{found.names[i]:<{width}}{line}{points}")


def _short(found: Summary) -> str:
    return f"{found.mean:+.2f} ± {found.stderr:.2f}"


def distance(
    what: Annotated[str, typer.Argument(metavar="A|FILE", help="A bidder by name, or a file with auctions.")],
    boards: Annotated[
        int | None, typer.Option("--boards", "-n", help="How many boards; of a library all.")
    ] = None,
    seed: _Seed = None,
    library_name: _Library = None,
    as_json: Json = False,
) -> None:
    """Measure how far a bidder at all four seats, or recorded auctions, stand from par."""
    problems = Problems()
    if Path(what).is_file():
        if seed is not None or library_name is not None or boards is not None:
            raise BidlabError(f"{what} brings its own boards: no --boards, --seed or --library goes with it")
        found = distance_of_records(problems.read(what), what)
    else:
        source = board_source(seed, library_name)
        count = boards if boards is not None else _all_boards(source)
        player = bidder(what)
        try:
            with told_means("bidding") as tell:
                found = distance_from_par(
                    player, source, count, progress=lambda done, so_far: tell(done, count, so_far)
                )
        finally:
            player.close()
    if as_json:
        print(json.dumps(_distance_json(found)))
    else:
        _print_distance(found)
    if problems.errors:
        problems.conclude(what)


def _all_boards(source: Source) -> int:
    return len(source.library) if isinstance(source, LibraryBoards) else 1000


def _print_distance(found: Distance) -> None:
    where = "" if found.name == found.source else f" of {found.source}"
    print(f"{found.name}, {boards_text(found.plain.boards)}{where}, IMPs from par")
    print(f"  as bid           {_from_par(found.plain)}")
    print(f"  perfect defence  {_from_par(found.perfect)}")
    print(f"  passing always   {_from_par(found.passing)}")


def _from_par(found: Summary) -> str:
    return f"{found.mean:.3f} ± {found.stderr:.3f}"


# What was asked for.


def _workers(asked: int, boards: int, source: Source) -> int:
    """As many as asked for, or one a core; no more than there are portions of boards."""
    return max(1, min(asked or os.cpu_count() or 1, -(-boards // source.portion)))


def _test(stop: str | None) -> SequentialTest | None:
    if stop is None:
        return None
    try:
        low, high = (float(word) for word in stop.split(","))
    except ValueError:
        raise BidlabError(f"--stop {quoted(stop)}: two means are wanted, as in 0,0.5") from None
    return SequentialTest(low, high)


# Results for programs.


def _summary_json(found: Summary) -> dict[str, object]:
    low, high = found.interval()
    return {
        "mean": found.mean,
        "stderr": found.stderr,
        "low": low,
        "high": high,
        "wins": found.wins,
        "losses": found.losses,
        "ties": found.ties,
        "boards": found.boards,
    }


def _match_json(
    found: MatchResult, seed: int | None, first_board: int, rounds: int | None
) -> dict[str, object]:
    shown: dict[str, object] = {
        "first": found.first,
        "second": found.second,
        "source": found.source,
        "seed": seed,
        "first_board": first_board,
        **_summary_json(found.plain),
        "perfect": _summary_json(found.perfect),
    }
    if found.answer is not None:
        shown["answer"] = found.answer
    if rounds is not None:
        shown["victory_points"] = list(match_victory_points(found, rounds))
    return shown


def _round_robin_json(found: RoundRobin, source: Source, rounds: int | None) -> dict[str, object]:
    everyone = range(len(found.names))
    shown: dict[str, object] = {
        "source": source.name,
        "bidders": list(found.names),
        "results": [
            [None if i == j else _summary_json(found.result(i, j)) for j in everyone] for i in everyone
        ],
        "totals": [_summary_json(found.total(i)) for i in everyone],
    }
    if rounds is not None:
        shown["victory_points"] = [found.victory_points(i, rounds) for i in everyone]
    return shown


def _distance_json(found: Distance) -> dict[str, object]:
    return {
        "name": found.name,
        "source": found.source,
        "boards": found.plain.boards,
        "mean": found.plain.mean,
        "stderr": found.plain.stderr,
        "perfect": {"mean": found.perfect.mean, "stderr": found.perfect.stderr},
        "passing": {"mean": found.passing.mean, "stderr": found.passing.stderr},
    }
