"""The program `bidlab`: its commands, and one line for whatever a user got wrong."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module

import typer

from bidlab.bridge.errors import BidlabError

# What typer raises for wrong arguments; some versions take it from click, some bring their own.
_UsageError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")

# The modules of `bidlab.cli` and their commands, in the order of the help.
_COMMANDS = {
    "dealing": ("deal",),
    "boards": ("show", "convert", "score"),
    "hand": ("hand",),
    "solving": ("solve",),
    "bidding": ("bid",),
    "explaining": ("explain",),
    "practising": ("practise",),
    "checking": ("check",),
    "systems": ("system",),
    "library": ("library",),
    "matches": ("match", "roundrobin", "distance"),
    "bidders": ("bidders",),
    "tables": ("table",),
    "training": ("train",),
    "evolving": ("evolve",),
    "cotraining": ("cotrain",),
    "boosting": ("boost",),
}


def _show_version(value: bool) -> None:
    if value:
        from bidlab import __version__

        typer.echo(f"bidlab {__version__}")
        raise typer.Exit


def _options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@cache
def program(command: str = "") -> typer.Typer:
    """The program with one of its commands, or with all where none of that name is known.

    Commands bring much with them that others do not need, and people wait for it at every start.
    """
    app = typer.Typer(
        name="bidlab",
        help="A laboratory for bridge bidding.",
        invoke_without_command=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    modules = [name for name, commands in _COMMANDS.items() if command in commands] or list(_COMMANDS)
    for name in modules:
        import_module(f"bidlab.cli.{name}").register(app)
    return app


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit: 0 done, 1 a check has found something, 2 wrong input, 130 interrupted."""
    status = run(arguments)
    # What is left goes with the process; Python would look for garbage in all of it, a quarter of a start.
    gc.freeze()
    sys.exit(status)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    gc.set_threshold(200_000, 50, 50)  # much is made and kept: looking for what can go is a sixth of a start
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that unfinished files are cleaned up
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")  # a terminal without suit signs shows something else
    try:
        words = sys.argv[1:] if arguments is None else arguments
        app = program(words[0] if words else "")
        status = app(args=arguments, prog_name="bidlab", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except SystemExit as error:
        # Some versions of typer leave so when the reader of our output has gone.
        gone = isinstance(error.__context__, BrokenPipeError)
        return 0 if gone else error.code if isinstance(error.code, int) else 1
    except _UsageError as error:
        return _failed(_usage(error))
    except BidlabError as error:
        return _failed(str(error))
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does: nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _failed(f"{where}{error.strerror or error}")
    except (KeyboardInterrupt, typer.Abort):
        return _failed("interrupted", 130)


def _usage(error: Exception) -> str:
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "bidlab"
    return f"{message.rstrip('.')}; {path} --help shows what is right"


def _failed(text: str, status: int = 2) -> int:
    print(f"bidlab: {' '.join(text.splitlines())}", file=sys.stderr)
    return status
