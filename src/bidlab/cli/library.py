"""The commands about libraries of solved deals: library build, library info."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json
from bidlab.cli.progress import measured
from bidlab.library import Built, Library, Purpose, library, shipped
from bidlab.library import build as build_library


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        name="library",
        help="Sets of solved deals: build one, or see what there is.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_help)
    group.command(epilog="Example: bidlab library build mine -n 1000 --seed 7")(build)
    group.command(epilog="Example: bidlab library info mine.deals")(info)
    app.add_typer(group)


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


# --- build ----------------------------------------------------------------------------------------------


def build(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the library is called.")],
    deals: Annotated[int, typer.Option("--deals", "-n", min=1, help="How many deals.")],
    seed: Annotated[int, typer.Option(min=0, help="Deals the same deals every time.")],
    first: Annotated[int, typer.Option(min=1, help="The number of the first deal.")] = 1,
    purpose: Annotated[
        str | None,
        typer.Option(help="What it is for: train, tune, judge or other; by default its name says it."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to build, or its directory; by default NAME.deals here.")
    ] = None,
    threads: Annotated[int, typer.Option(min=0, help="How many threads solve; 0: one a core.")] = 0,
    ray: Annotated[bool, typer.Option("--ray", help="Let the workers of a ray cluster solve.")] = False,
) -> None:
    """Solve random deals into a file. A file that was begun is gone on with, and a damaged one is mended."""
    path = _target(name, out)
    try:
        with measured("solving", "deals") as tell:
            built = build_library(
                path,
                name,
                count=deals,
                seed=seed,
                first=first,
                purpose=None if purpose is None else Purpose(purpose),
                threads=threads,
                ray=ray,
                on_progress=_announced(path, tell),
            )
    except KeyboardInterrupt:
        _say_how_far(path)
        raise typer.Exit(130) from None
    print(_outcome(path, built, deals), file=sys.stderr)


def _target(name: str, out: Path | None) -> Path:
    file = f"{name}.deals"
    if out is None:
        return Path(file)
    return out / file if out.is_dir() else out


def _announced(path: Path, tell: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """The same function; the first time it says that a file is gone on with."""
    is_new = True

    def told(done: int, total: int) -> None:
        nonlocal is_new
        if is_new and 0 < done < total:
            print(f"{path} holds {done:,} of {total:,} deals: going on with the others", file=sys.stderr)
        is_new = False
        tell(done, total)

    return told


def _outcome(path: Path, built: Built, asked: int) -> str:
    count = built.library.count
    if not built.solved:
        more = f", more than the {asked:,} that were asked for" if asked < count else ""
        return f"{path} is finished: it holds all its {count:,} deals{more}"
    kept = f", {built.kept:,} were there" if built.kept else ""
    return f"{path} is finished: {built.solved:,} deals solved{kept}"


def _say_how_far(path: Path) -> None:
    try:
        begun = library(path, partial=True)
        far = f"{path} holds {len(begun):,} of {begun.count:,} deals, and the same command goes on from there"
    except (BidlabError, OSError):
        far = "nothing was written"
    print(f"bidlab: interrupted: {far}", file=sys.stderr)


# --- info -----------------------------------------------------------------------------------------------


def info(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE", help="Libraries by name or file; by default all shipped."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what libraries hold: seed, purpose, what solved them, and whether every deal can be read."""
    opened: list[tuple[Library, tuple[str, ...]]] = []
    is_well = True
    for name in names or shipped():
        try:
            one = library(name, partial=True)
            opened.append((one, faults := _faults(one)))
            problems = [f"{one.path}: {fault}" for fault in faults]
        except BidlabError as error:
            problems = [str(error)]
        except OSError as error:
            problems = [f"{error.filename or name}: {error.strerror or error}"]
        for problem in problems:
            print(f"bidlab: {problem}", file=sys.stderr)
        is_well = is_well and not problems
    if as_json:
        print(json.dumps([_as_json(one, faults) for one, faults in opened], indent=1))
    elif opened:
        _print_table(opened)
    elif is_well:
        print("no libraries are shipped with this bidlab; bidlab library build makes one")
    if not is_well:
        raise typer.Exit(2)


def _faults(one: Library) -> tuple[str, ...]:
    """What is wrong with a library, its deals compared with those of its seed."""
    try:
        one.check_deals()
    except BidlabError as error:
        return *one.faults, str(error).removeprefix(f"{one.path}: ")
    return one.faults


def _as_json(one: Library, faults: Sequence[str]) -> dict[str, object]:
    header = one.header
    return {
        "name": one.name,
        "file": str(one.path),
        "purpose": str(one.purpose),
        "seed": one.seed,
        "first": one.first,
        "deals": one.count,
        "readable": len(one),
        "good": [[span.start, span.stop - 1] for span in one.good],
        "version": header.version,
        "solver": header.solver,
        "bytes": one.path.stat().st_size,
        "faults": list(faults),
    }


def _print_table(opened: Sequence[tuple[Library, Sequence[str]]]) -> None:
    rows = [["name", "purpose", "deals", "seed", "solved by", "checked"]]
    for one, faults in opened:
        deals = f"{one.count:,}" if len(one) == one.count else f"{len(one):,} of {one.count:,}"
        numbers = "" if one.first == 1 else f" from {one.first}"
        solved_by = f"{one.header.solver} {one.header.version}"
        checked = "good" if not faults else f"good {_spans(one)}" if one.good else "nothing good"
        rows.append([one.name, str(one.purpose), deals, f"{one.seed}{numbers}", solved_by, checked])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _spans(one: Library, most: int = 5) -> str:
    """The numbers of the deals that can be read, as in 1-200 301-400."""
    spans = [f"{span.start}-{span.stop - 1}" for span in one.good]
    return " ".join(spans[:most] + ["..."] * (len(spans) > most))
