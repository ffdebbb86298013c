"""The commands about networks that are trained: train show, train plot."""

from __future__ import annotations

import typer

from bidlab.cli.trained import plot, show


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        name="train",
        help="Runs that trained a network.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_help)
    group.command(epilog="Example: bidlab train show runs/better")(show)
    group.command(epilog="Example: bidlab train plot runs/better runs/other --out curves.svg")(plot)
    app.add_typer(group)


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
