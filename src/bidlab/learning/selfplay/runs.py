"""A run is a folder: what was asked for, its curves, its weights, and where to go on from.

config.json      the command's settings, the seed, torch's version and the device
curves.csv       a line each time it was measured
weights.npz      the best network so far by validation (float16)
last.npz         the newest network
checkpoint.npz   everything needed to go on: float32 weights, the optimiser's state, the generator's
"""

from __future__ import annotations

import csv
import difflib
import json
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Budget:
    """How long a training lasts: by steps, by seconds, or whichever of the two ends first."""

    steps: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.steps is None and self.seconds is None:
            raise ValueError("no end of the training: --steps or --minutes is wanted")

    def share(self, steps: int, seconds: float) -> float:
        """How much of it is used up, 0 to 1; 1 ends the training."""
        return self.used(steps, seconds)

    def used(self, steps: int, seconds: float) -> float:
        """How much of it is used up, 0 to 1, whether or not somebody has ended it."""
        by_steps = steps / self.steps if self.steps else 0.0
        by_time = seconds / self.seconds if self.seconds else 0.0
        return min(max(by_steps, by_time), 1.0)

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has ended it early."""
        return False


class Stoppable(Budget):
    """A budget that can be ended early; the step that is being made then is the last, and is made whole.

    `tell` is called with the steps made and the share used up, several times a step.
    """

    def __init__(
        self,
        steps: int | None = None,
        seconds: float | None = None,
        tell: Callable[[int, float], None] = lambda steps, share: None,
    ) -> None:
        super().__init__(steps, seconds)
        # A frozen value with a memory: what is asked for stays as it is, and is all that a run writes down.
        object.__setattr__(self, "_tell", tell)
        object.__setattr__(self, "_now", 0)
        object.__setattr__(self, "_last", math.inf)

    def share(self, steps: int, seconds: float) -> float:
        """How much of it is used up, 0 to 1; all of it after the step in which it was ended."""
        used = super().share(steps, seconds)
        object.__setattr__(self, "_now", steps)
        self._tell(steps, used)  # type: ignore[attr-defined]
        return 1.0 if self.is_stopped and steps > self._last else used  # type: ignore[attr-defined]

    def stop(self) -> None:
        """End it with the step that is being made."""
        if not self.is_stopped:
            object.__setattr__(self, "_last", self._now)  # type: ignore[attr-defined]

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has ended it early."""
        return bool(self._last < math.inf)  # type: ignore[attr-defined]


@contextmanager
def stopped_by_signals(
    budget: Stoppable, say: Callable[[], None] = lambda: None, signals: Sequence[int] = (2, 15)
) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM end a training after its step; the second does what it always does."""
    before = {number: signal.getsignal(number) for number in signals}

    def stop(number: int, frame: FrameType | None) -> None:
        for each, usual in before.items():
            signal.signal(each, usual)
        budget.stop()
        say()

    for number in signals:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)


def changed_settings(settings: Any, changes: Sequence[str]) -> dict[str, Any]:
    """The values of NAME=VALUE texts, each of the type that the setting has by default."""
    defaults = {field.name: field.default for field in fields(settings)}
    values: dict[str, Any] = {}
    for change in changes:
        name, equals, text = (part.strip() for part in change.partition("="))
        if name not in defaults:
            near = difflib.get_close_matches(name, defaults, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise ValueError(f"no setting {name!r}{hint}: one of {', '.join(defaults)} is wanted")
        values[name] = _setting(name, text, type(defaults[name])) if equals else None
        if values[name] is None:
            raise ValueError(f"no value in {change!r}: NAME=VALUE is wanted")
    return values


def _setting(name: str, text: str, kind: type) -> object:
    if kind is bool:
        known = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
        if text.lower() not in known:
            raise ValueError(f"{name}={text}: yes or no is wanted")
        return known[text.lower()]
    if kind is str:
        return text
    least = 0 if name == "seed" else 1
    try:
        value: float = kind(text)
    except ValueError:
        raise ValueError(f"{name}={text}: a {'whole ' if kind is int else ''}number is wanted") from None
    if kind is int and value < least:
        raise ValueError(f"{name}={text}: a whole number from {least} is wanted")
    if not math.isfinite(value):
        raise ValueError(f"{name}={text}: a finite number is wanted")
    return value


class Run:
    """The folder of a run, and its clock, which goes on from where an interrupted run stopped."""

    def __init__(self, folder: Path, config: Mapping[str, object], *, quiet: bool = False) -> None:
        self.folder = folder
        self.quiet = quiet
        folder.mkdir(parents=True, exist_ok=True)
        self._check_config(dict(config))
        if not self.resumes:
            (folder / "curves.csv").unlink(missing_ok=True)  # of a run that left nothing to go on from
        self._start = time.monotonic()
        self._columns: list[str] = []

    def _check_config(self, config: dict[str, object]) -> None:
        """Write the configuration; a folder with another one is not gone on with."""
        path = self.folder / "config.json"
        asked = json.loads(json.dumps(config, default=str))
        if path.exists() and self.resumes:
            before = json.loads(path.read_text())
            differ = [key for key in asked if key != "versions" and before.get(key) != asked[key]]
            if differ:
                raise ValueError(
                    f"{self.folder} has a run with another {', '.join(differ)}: take a new folder"
                )
        path.write_text(json.dumps(asked, indent=1) + "\n")

    @property
    def resumes(self) -> bool:
        """Whether there is a checkpoint to go on from."""
        return (self.folder / "checkpoint.npz").exists()

    @property
    def elapsed(self) -> float:
        """Seconds of this run, those before an interruption included."""
        return time.monotonic() - self._start

    def went_before(self, seconds: float) -> None:
        """Count the seconds that an interrupted run had used."""
        self._start = time.monotonic() - seconds

    def say(self, text: str) -> None:
        """A line of progress on standard error."""
        if not self.quiet:
            sys.stderr.write(f"{self.elapsed:7.1f}s  {text}\n")
            sys.stderr.flush()

    def note(self, **figures: float) -> None:
        """A line of the curves, said too."""
        path = self.folder / "curves.csv"
        figures = {"seconds": round(self.elapsed, 2), **figures}
        is_new = not path.exists() or not path.stat().st_size
        with path.open("a", newline="") as stream:
            writer = csv.writer(stream)
            if is_new:
                writer.writerow(figures)
            writer.writerow(_short(value) for value in figures.values())
        self.say("  ".join(f"{name} {_short(value)}" for name, value in list(figures.items())[1:]))

    def save(self, modules: Mapping[str, nn.Module], optimizers: Mapping[str, torch.optim.Optimizer],
             generator: torch.Generator, **facts: object) -> None:  # fmt: skip
        """Write a checkpoint; the old one stands until the new one is whole."""
        arrays = {"generator": generator.get_state().numpy()}
        for name, module in modules.items():
            for key, value in module.state_dict().items():
                arrays[f"{name}/{key}"] = value.detach().float().cpu().numpy()
        for name, optimizer in optimizers.items():
            for index, state in optimizer.state_dict()["state"].items():
                for key, value in state.items():
                    arrays[f"{name}/{index}/{key}"] = torch.as_tensor(value).cpu().numpy()
        about = json.dumps({"elapsed": self.elapsed, **facts})
        partial = self.folder / "checkpoint.partial.npz"
        np.savez(partial, about=np.array(about), **arrays)  # type: ignore[arg-type]
        partial.replace(self.folder / "checkpoint.npz")

    def facts(self) -> dict[str, Any]:
        """What the checkpoint says about itself."""
        with np.load(self.folder / "checkpoint.npz") as arrays:
            found: dict[str, Any] = json.loads(str(arrays["about"]))
            return found

    def restore(self, modules: Mapping[str, nn.Module], optimizers: Mapping[str, torch.optim.Optimizer],
                generator: torch.Generator) -> dict[str, object]:  # fmt: skip
        """Put everything back as it was at the checkpoint, and give its facts."""
        with np.load(self.folder / "checkpoint.npz") as arrays:
            facts: dict[str, object] = json.loads(str(arrays["about"]))
            generator.set_state(torch.from_numpy(arrays["generator"]))
            for name, module in modules.items():
                state = {key: torch.from_numpy(arrays[f"{name}/{key}"]) for key in module.state_dict()}
                module.load_state_dict(state)
            for name, optimizer in optimizers.items():
                _restore_optimizer(optimizer, name, arrays)
        self.went_before(float(str(facts["elapsed"])))
        self._forget_after(facts)
        return facts

    def _forget_after(self, facts: Mapping[str, object]) -> None:
        """Take back what was noted after the checkpoint: it will come again."""
        path = self.folder / "curves.csv"
        counter = next((key for key in ("step", "round") if key in facts), None)
        if counter is None or not path.exists():
            return
        with path.open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        kept = [row for row in rows if float(row[counter]) <= float(str(facts[counter]))]
        if len(kept) < len(rows):
            with path.open("w", newline="") as stream:
                writer = csv.DictWriter(stream, list(rows[0]))
                writer.writeheader()
                writer.writerows(kept)


def _restore_optimizer(optimizer: torch.optim.Optimizer, name: str, arrays: Mapping[str, np.ndarray]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for key in arrays:
        front, *rest = key.split("/")
        if front == name:
            state.setdefault(int(rest[0]), {})[rest[1]] = torch.from_numpy(arrays[key])
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})


def _short(value: float) -> float | str:
    """A figure with five digits; whole numbers as they are."""
    return value if isinstance(value, int) else f"{value:.5g}"


def versions(device: torch.device) -> dict[str, str]:
    """What the run was made with."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "processor"
    return {"torch": torch.__version__, "numpy": np.__version__, "device": name}


def synchronize(device: torch.device) -> None:
    """Wait for the device, so that a clock read next tells the truth."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
