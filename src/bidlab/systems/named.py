"""Systems by name: a book of ours, a text in the system language, or a partnership's notes in BML."""

from __future__ import annotations

from pathlib import Path

from bidlab.bridge.errors import BidlabError, quoted
from bidlab.systems.kept import own_system
from bidlab.systems.loading import book_names
from bidlab.systems.system import System


def is_bml(name: str | Path) -> bool:
    """Whether a name is that of a file of notes in BML."""
    return Path(name).suffix.lower() == ".bml"


def load_system(name: str, **switches: str) -> System:
    """A system by its name or file; switches set its parameters and turn conventions `on` or `off`.

    Of notes in BML what was not understood is left out; `bidlab check` tells it line by line.
    """
    if not switches and name in book_names():
        return own_system(name)
    if not is_bml(name):
        return System.load(name, **switches)
    if switches:
        raise BidlabError(f"{quoted(name)} with {', '.join(switches)}: notes in BML have nothing to switch")
    from bidlab.systems.bml import load_bml  # few people have such notes

    return load_bml(name).system()
