"""A run's folder: what was asked for, files that are whole or absent, and checkpoints to go on from.

run.json                what was asked for; written once
checkpoint.npz          arrays and facts to go on from; the one before it is in checkpoint.before.npz
anything else           is the run's own

Every file is written beside its place, forced to the disk and renamed, so that neither a kill nor a full disk
leaves half of one.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError, FormatError, quoted

try:
    import fcntl
except ImportError:  # a system without it has no lock; nothing else depends on it
    fcntl = None  # type: ignore[assignment]

RUN, NEWEST, BEFORE = "run.json", "checkpoint.npz", "checkpoint.before.npz"
_PARTIAL = ".partial"
_FACTS = "facts"

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """Where a run goes on from; `notes` tell what was wrong with newer ones."""

    arrays: dict[str, NDArray[Any]]
    facts: dict[str, Any]
    notes: tuple[str, ...] = ()


class RunFolder:
    """The folder of a run of some kind, in a version of its files."""

    def __init__(self, path: Path, asked: dict[str, Any]) -> None:
        self.path = path
        self.asked = asked
        self._lock: io.BufferedReader | None = None
        self._is_newest_damaged = False  # as far as it was looked at

    # --- begun and opened ---------------------------------------------------------------------------------

    @classmethod
    def begun(cls, path: Path, kind: str, version: int, asked: Mapping[str, Any]) -> RunFolder:
        """A new folder; one that has something in it is an error."""
        refuse_used(path)
        path.mkdir(parents=True, exist_ok=True)
        folder = cls(path, dict(asked))
        head = {"format": f"bidlab {kind} run", "version": version}
        folder.write(RUN, json.dumps(head | folder.asked, indent=1) + "\n")
        return folder

    @classmethod
    def opened(cls, path: Path, kind: str, version: int) -> RunFolder:
        """The folder of a run that was begun; an error where it is of another kind or version."""
        file = path / RUN
        if not file.is_file():
            raise BidlabError(f"{path} has no run: there is no {RUN} in it")
        try:
            asked = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise FormatError(f"{file} is no JSON: {error}") from None
        if not isinstance(asked, dict) or asked.get("format") != f"bidlab {kind} run":
            raise FormatError(f'{file} is of no {kind} run: "format": "bidlab {kind} run" is wanted')
        if asked.get("version") != version:
            raise FormatError(
                f"{path} has a run of version {quoted(asked.get('version'))}: this bidlab goes on with "
                f"version {version}; take the one that began it, or a new folder"
            )
        return cls(path, {key: value for key, value in asked.items() if key not in ("format", "version")})

    def lock(self) -> None:
        """Keep other processes from running here until this one ends; an error where one does."""
        if fcntl is None:
            return
        self._lock = (self.path / RUN).open("rb")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            self._lock = None
            raise BidlabError(f"{self.path} is being run by another process: wait, or end it") from None

    def unlock(self) -> None:
        """Let others run here."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # --- files --------------------------------------------------------------------------------------------

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file, whole or not at all."""
        path, partial = self.path / name, self.path / (name + _PARTIAL)
        self._write_partial(partial, content.encode() if isinstance(content, str) else content)
        partial.replace(path)
        self._force_names()

    def _write_partial(self, partial: Path, content: bytes) -> None:
        try:
            with partial.open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            with suppress(OSError):
                partial.unlink()
            name = partial.name.removesuffix(_PARTIAL)
            raise BidlabError(
                f"{self.path / name} cannot be written: {error.strerror}; what was there before stands, "
                "and the run can go on from it"
            ) from None

    def _force_names(self) -> None:
        """Make renamed files survive a power cut."""
        handle = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    # --- checkpoints --------------------------------------------------------------------------------------

    def save(self, arrays: Arrays, facts: Mapping[str, Any]) -> None:
        """Write a checkpoint; the newest that was whole becomes the one before it."""
        stream = io.BytesIO()
        np.savez(stream, allow_pickle=False, **{_FACTS: np.array(json.dumps(facts))}, **arrays)
        partial = self.path / (NEWEST + _PARTIAL)
        self._write_partial(partial, stream.getvalue())
        if not self._is_newest_damaged:  # else the one before is all there is
            with suppress(FileNotFoundError):
                (self.path / NEWEST).replace(self.path / BEFORE)
        partial.replace(self.path / NEWEST)
        self._is_newest_damaged = False
        self._force_names()

    def latest(self) -> Checkpoint | None:
        """The newest checkpoint that is whole, or None where there is none yet.

        Where there are files but none is whole it is an error.
        """
        notes: list[str] = []
        for name in (NEWEST, BEFORE):
            path = self.path / name
            if not path.exists():
                continue
            try:
                with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as held:
                    arrays = {key: held[key] for key in held.files}
                facts = json.loads(str(arrays.pop(_FACTS)))
            except Exception as error:  # zipfile, zlib and numpy say many things of a damaged file
                said = " ".join(str(error).split()) or type(error).__name__
                notes.append(f"{path} is damaged ({said[:80]})")
                self._is_newest_damaged |= name == NEWEST
                continue
            return Checkpoint(arrays, facts, tuple(notes))
        if notes:
            raise FormatError(f"{'; '.join(notes)}: no checkpoint is whole; begin again in a new folder")
        return None


def refuse_used(path: Path) -> None:
    """Raise unless a new run can be begun in a folder."""
    if (path / RUN).exists():
        raise BidlabError(f"{path} has a run: go on with it by --resume {path}, or take a new folder")
    if path.exists() and not path.is_dir():
        raise BidlabError(f"{path} is a file: a folder for the run is wanted")
    if path.is_dir() and any(not file.name.endswith(_PARTIAL) for file in path.iterdir()):
        raise BidlabError(f"{path} is no run's folder and not empty: a new folder is wanted")


def check_settings(kind: type[Any], given: Mapping[str, Any], source: str) -> None:
    """Raise unless a run has just the settings that this version knows, the fields of a dataclass."""
    names = {one.name for one in fields(kind)}
    if set(given) != names:
        other = sorted(set(given) ^ names)
        raise FormatError(f"{source} has other settings than this version: {', '.join(other)}")
