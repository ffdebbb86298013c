"""The command bidders: which bidders there are, and how each is asked for."""

from __future__ import annotations

import json
import sys

import typer

from bidlab.bidders import kinds, problems
from bidlab.cli.boards import Json


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog="Example: bidlab bidders --json")(bidders)


def bidders(as_json: Json = False) -> None:
    """List the kinds of bidders, how each is written, and an example."""
    for problem in problems():
        print(f"bidlab: note: {problem}", file=sys.stderr)
    if as_json:
        shown = [
            {
                "name": kind.name,
                "written": kind.written,
                "description": kind.description,
                "example": kind.example,
                "parameters": list(kind.parameters),
            }
            for kind in kinds()
        ]
        print(json.dumps(shown))
        return
    width = max(len(kind.name) for kind in kinds())
    for kind in kinds():
        print(f"{kind.name:<{width}}  {kind.description}")
        example = f", as in {kind.example}" if kind.example != kind.written else ""
        print(f"{'':<{width}}  {kind.written}{example}")
