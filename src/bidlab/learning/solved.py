"""Solved deals for self-play, from libraries by name and from files: those to learn from, those kept apart.

Deals that are kept for tuning or judging are never learned from, whatever file they come in.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.learning.arrays import named_arrays
from bidlab.library import (
    Library,
    Purpose,
    library,
    packed_deals,
    packed_tables,
    shipped,
    unpacked_deals,
    unpacked_tables,
)
from bidlab.library.header import is_library

DEAL_BYTES, RECORD_BYTES = 13, 23
Records = NDArray[np.uint8]  # [deal, 23]: the deal and its table, as libraries pack them


def learning_deals(names: Sequence[str], kept: Records) -> Records:
    """The solved deals of libraries and files to learn from; an error where they may not be.

    `kept` are deals that are measured on, and so must not be among them.
    """
    parts = []
    for name in names:
        if _is_library(name):
            records = _of_library(library(name).for_learning())
        else:
            records = _of_file(Path(name))
            for one in map(library, shipped()):
                if one.purpose in (Purpose.TUNE, Purpose.JUDGE):
                    _check_apart(name, records, _of_library(one), f"of library {one.name}")
        _check_apart(name, records, kept, "that are kept apart to measure on")
        parts.append(records)
    return np.concatenate(parts)


def validation_deals(name: str) -> Records:
    """The solved deals of a library or a file to measure on while learning: not those for judging."""
    if _is_library(name):
        return _of_library(library(name).for_mending())
    records = _of_file(Path(name))
    for one in map(library, shipped()):
        if one.purpose == Purpose.JUDGE:
            _check_apart(name, records, _of_library(one), f"of library {one.name}")
    return records


def _is_library(name: str) -> bool:
    path = Path(name)
    if name in shipped() or not path.is_file():
        return True  # or nothing at all, which the library says best
    with path.open("rb") as stream:
        return is_library(stream.read(512))


def _of_library(opened: Library) -> Records:
    bits, tables = opened.deals()
    return np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1)


def _of_file(path: Path) -> Records:
    """The records of an .npz with `pack` and `tables`, or of a plain file of 23 bytes a deal."""
    if path.suffix == ".npz":
        records = _of_arrays(path)
    else:
        size = path.stat().st_size
        if not size or size % RECORD_BYTES:
            raise FormatError(
                f"{path}: {size} bytes: a library, .npz, or {RECORD_BYTES} bytes a deal is wanted"
            )
        records = np.fromfile(path, dtype=np.uint8).reshape(-1, RECORD_BYTES)
    try:
        unpacked_deals(records[:, :DEAL_BYTES])
        unpacked_tables(records[:, DEAL_BYTES:])
    except BidlabError as error:
        raise FormatError(f"{path}: {error}") from None
    return records


def _of_arrays(path: Path) -> Records:
    pack, tables = named_arrays(path, "pack", "tables")
    shapes = [(array.dtype.name, array.shape[1:]) for array in (pack, tables)]
    if shapes != [("uint8", (13,)), ("uint8", (10,))] or len(pack) != len(tables) or not len(pack):
        raise FormatError(f"{path}: arrays of other shapes: pack uint8 [deal, 13], tables uint8 [deal, 10]")
    return np.concatenate([pack, tables], axis=1)


def _check_apart(name: str, records: Records, kept: Records, whose: str) -> None:
    held = {row.tobytes() for row in kept[:, :DEAL_BYTES]}
    common = sum(row.tobytes() in held for row in records[:, :DEAL_BYTES])
    if common:
        raise BidlabError(f"{name} has {common:,} deals {whose}: others are wanted")
