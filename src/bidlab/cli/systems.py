"""The commands about systems: system list, system show."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json
from bidlab.cli.progress import measured
from bidlab.systems.loading import book_names, system_file
from bidlab.systems.named import load_system
from bidlab.systems.notes import system_notes
from bidlab.systems.notes_text import notes_html, notes_markdown
from bidlab.systems.system import System
from bidlab.systems.text import read_file


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        name="system",
        help="Written bidding systems: list them, or show one as readable notes.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_help)
    group.command("list", epilog="Example: bidlab system list")(list_systems)
    group.command(epilog="Example: bidlab system show natural --html --out natural.html")(show)
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


def _loaded(text: str) -> System:
    """A system by name or file, with its switches: `natural,stayman=off`."""
    name, *switches = text.split(",")
    pairs = [switch.partition("=") for switch in switches]
    return load_system(name, **{key.strip(): value.strip() for key, _, value in pairs})
