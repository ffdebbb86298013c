"""Runs that trained a network, read from their folders: what was asked for, how they went, what came of them.

Needs no torch: a run can be shown where it cannot be trained.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.learning.arrays import named_arrays

IMITATION, SELF_PLAY = "imitate", "selfplay"
_BESIDE = {"command", "auctions", "deals", "start", "steps", "seconds", "versions"}  # no settings
SOURCES = "sources.json"  # what the command was given, beside what the training writes


@dataclass(frozen=True, slots=True, eq=False)
class TrainedRun:
    """The folder of a run, read."""

    folder: Path
    config: Mapping[str, Any]
    curves: tuple[Mapping[str, float], ...]  # a row each time that it was measured
    best: Mapping[str, Any] | None  # what weights.npz says about itself
    checkpoint: Mapping[str, Any] | None  # what checkpoint.npz says about itself
    agreement: Mapping[str, Mapping[str, float]] | None  # with recorded calls, before and after self-play
    sources: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """Which command made it: imitate or selfplay."""
        return str(self.config["command"])

    @property
    def counter(self) -> str:
        """What its budget counts: step or round."""
        return "step" if self.kind == IMITATION else "round"

    @property
    def settings(self) -> dict[str, Any]:
        """What it was made with."""
        return {key: value for key, value in self.config.items() if key not in _BESIDE}

    def changed(self, defaults: Mapping[str, Any]) -> dict[str, Any]:
        """The settings that are not as they are by default."""
        return {key: value for key, value in self.settings.items() if defaults.get(key) != value}

    @property
    def steps(self) -> int:
        """The steps or rounds that were made, as far as is known."""
        return int(self._reached(self.counter))

    @property
    def seconds(self) -> float:
        """How long it ran, interruptions not counted."""
        known = self.checkpoint.get("elapsed", 0.0) if self.checkpoint else 0.0
        return max(float(known), self.curves[-1]["seconds"] if self.curves else 0.0)

    @property
    def decisions(self) -> int:
        """The calls that were learned from, those seen several times counted once a time in imitation."""
        if self.kind == IMITATION:
            return self.steps * int(self.config["batch"])
        return int(self._reached("decisions"))

    def _reached(self, column: str) -> float:
        known = float(self.checkpoint.get(column, 0)) if self.checkpoint else 0.0
        return max(known, self.curves[-1].get(column, 0) if self.curves else 0.0)

    @property
    def share(self) -> float:
        """How much of its budget is used up, 0 to 1."""
        steps, seconds = self.config.get("steps"), self.config.get("seconds")
        used = [self.steps / steps if steps else 0.0, self.seconds / seconds if seconds else 0.0]
        return min(max(used), 1.0)

    @property
    def state(self) -> str:
        """Finished, interrupted, or unfinished: still running, or ended hard."""
        if self.share >= 1:
            return "finished"
        return "interrupted" if self.checkpoint is not None else "unfinished"


def read_run(folder: str | Path) -> TrainedRun:
    """The run in a folder; an error where there is none."""
    path = Path(folder)
    config = _json(path / "config.json")
    if not isinstance(config, dict) or config.get("command") not in (IMITATION, SELF_PLAY):
        raise BidlabError(f"no run in {folder}: a folder that bidlab train has written is wanted")
    return TrainedRun(
        path,
        config,
        _curves(path / "curves.csv"),
        _about(path / "weights.npz"),
        _about(path / "checkpoint.npz"),
        _json(path / "agreement.json"),
        _json(path / SOURCES) or {},
    )


def is_run(folder: Path) -> bool:
    """Whether a folder holds a run, or what one was begun with."""
    return (folder / "config.json").is_file() or (folder / SOURCES).is_file()


def _json(path: Path) -> Any:
    """What a file says; None where there is no file."""
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FormatError(f"{path}: no JSON: {error}") from None


def _curves(path: Path) -> tuple[Mapping[str, float], ...]:
    """The rows of curves; the last may still be being written, and is left alone then."""
    if not path.is_file():
        return ()
    rows = []
    with path.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            try:
                rows.append({key: float(value) for key, value in row.items()})
            except (TypeError, ValueError):
                break
    return tuple(rows)


def _about(path: Path) -> Mapping[str, Any] | None:
    """The facts in a file of weights, without the weights."""
    if not path.is_file():
        return None
    (about,) = named_arrays(path, "about")
    try:
        found: Mapping[str, Any] = json.loads(str(about))
    except ValueError as error:
        raise FormatError(f"{path}: no facts about the weights: {error}") from None
    return found
