"""The commands about systems: system list, system show."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
