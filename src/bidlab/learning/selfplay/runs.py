"""A run is a folder: what was asked for, its curves, its weights, and where to go on from.

config.json      the command's settings, the seed, torch's version and the device
curves.csv       a line each time it was measured
weights.npz      the best network so far by validation (float16)
last.npz         the newest network
checkpoint.npz   everything needed to go on: float32 weights, the optimiser's state, the generator's
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
        """How much of it is used up, 0 to 1."""
        by_steps = steps / self.steps if self.steps else 0.0
        by_time = seconds / self.seconds if self.seconds else 0.0
        return min(max(by_steps, by_time), 1.0)


class Run:
    """The folder of a run, and its clock, which goes on from where an interrupted run stopped."""

    def __init__(self, folder: Path, config: Mapping[str, object], *, quiet: bool = False) -> None:
        self.folder = folder
        self.quiet = quiet
        folder.mkdir(parents=True, exist_ok=True)
        self._check_config(dict(config))
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
        return facts


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
