"""The commands about systems: system list, system show, system export."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bidlab.bridge.errors import BidlabError, quoted
from bidlab.cli.boards import Json
from bidlab.cli.progress import measured
from bidlab.formats.files import replaced_file
from bidlab.systems.loading import SUFFIX, book_names, system_file
from bidlab.systems.named import load_system
from bidlab.systems.notes import system_notes
from bidlab.systems.notes_text import notes_html, notes_markdown
from bidlab.systems.system import System
from bidlab.systems.text import read_file
from bidlab.systems.webb.book import load_webb
from bidlab.systems.webb.page import page_lines
from bidlab.systems.webb.writing import TooManyPointsError, common_tree, reached_tree, system_text


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        name="system",
        help="Bidding systems: list those that are written, show one as notes, write out one that evolved.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_help)
    group.command("list", epilog="Example: bidlab system list")(list_systems)
    group.command(epilog="Example: bidlab system show natural --html --out natural.html")(show)
    group.command(epilog="Example: bidlab system export runs/a/best.json best.bids")(export)
    app.add_typer(group)


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def list_systems(as_json: Json = False) -> None:
    """List the systems that bidlab brings, each with what it is in a few words."""
    texts = {name: read_file(system_file(name)) for name in book_names()}
    if as_json:
        print(json.dumps([{"name": name, "title": text.title} for name, text in texts.items()]))
        return
    width = max((len(name) for name in texts), default=0)
    for name, text in texts.items():
        print(f"{name:<{width}}  {text.title}".rstrip())


def show(
    system: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A system by name, or its file.")],
    html: Annotated[bool, typer.Option("--html", help="A web page instead of Markdown.")] = False,
    out: Annotated[str | None, typer.Option(help="A file to write; by default they are printed.")] = None,
    as_json: Json = False,
) -> None:
    """Show a whole system as a partnership's notes: what each call means, does, and what follows it.

    The meaning of a call is what it really shows: what the rules above it take away is left out.
    """
    if html and as_json:
        raise BidlabError("--html and --json at once: one of them is wanted")
    if out is not None and not Path(out).parent.is_dir():
        raise BidlabError(f"no directory {Path(out).parent} to write {Path(out).name} in")
    with measured("writing notes", "rules") as tell:
        notes = system_notes(_loaded(system), tell)
    if as_json:
        text = json.dumps(asdict(notes)) + "\n"
    else:
        text = notes_html(notes) if html else notes_markdown(notes)
    if out is None:
        print(text, end="")
        return
    Path(out).write_text(text, encoding="utf-8")
    print(f"{notes.name} written to {out}", file=sys.stderr)


def export(
    system: Annotated[str, typer.Argument(metavar="FILE", help="A system that evolved: runs/a/best.json.")],
    out: Annotated[str, typer.Argument(metavar="OUT.bids", help="The file to write.")],
    boards: Annotated[
        int, typer.Option(min=100, help="How many auctions to count for what is common.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="The deals of those auctions.")] = 1,
    as_json: Json = False,
) -> None:
    """Write a system that evolved in the system language, with a page on its common auctions at the top.

    With the system at all four seats expert:OUT.bids bids exactly as evolved:FILE on any board. Rules that no
    auction reaches are left out. Of a system whose auctions reach more than 40,000 points the common ones are
    written, and its programs speak at the others.
    """
    if Path(out).suffix != SUFFIX:
        raise BidlabError(f"no export to {quoted(out)}: a file ending in {SUFFIX} is wanted")
    evolved = load_webb(Path(system))
    with measured("writing the system", "points") as tell:
        try:
            tree = reached_tree(evolved, boards, seed, tell)
        except TooManyPointsError:
            tree = common_tree(evolved, boards, seed)
        states, entries = len(evolved.states), len(evolved.states[0].program)
        title = f"evolved: {states} states of {entries} entries"
        text = system_text(tree, Path(out).stem, title, page_lines(tree))
    with replaced_file(Path(out)) as stream:
        stream.write(text.encode())
    blocks = tree.blocks()
    counts = {
        "file": out,
        "points": len(tree.points),
        "headers": len(blocks),
        "rules": sum(len(block.lines) for block in blocks) + 1,
        "bytes": len(text.encode()),
    }
    if as_json:
        print(json.dumps(counts))
        return
    print(
        f"{out}: {counts['rules']:,} rules under {counts['headers']:,} headers, "
        f"for {counts['points']:,} points of auctions."
    )


def _loaded(text: str) -> System:
    """A system by name or file, with its switches: `natural,stayman=off`."""
    name, *switches = text.split(",")
    pairs = [switch.partition("=") for switch in switches]
    return load_system(name, **{key.strip(): value.strip() for key, _, value in pairs})
