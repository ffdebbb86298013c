"""Matches of bidders that think with a network, the network on a GPU: python tools/gpu/think.py OUT MATCH...

A match is two bidders, a library, its first board and how many: `thinker:network network:experts tune 1 500`,
as one argument. Nine tenths of such a thinker's time go into its network, which is on the GPU here. Its whole
numbers are added up in double precision, where they are exact, so that every call is the one that
`bidlab match` makes. OUT gets a file of IMPs a board for each match.

    PYTHONPATH=src:FOLDER python tools/gpu/think.py out "thinker:network network:experts judge 1 2000"
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import bidlab.bidders.network as networks
from bidlab._native import observations
from bidlab.bidders.network_file import read_weights
from bidlab.bidders.network_numbers import TOP, RoundedLayer, rounded
from bidlab.bidders.registry import bidder
from bidlab.library import library
from bidlab.matches.match import bid_both_tables
from bidlab.matches.sources import LibraryBoards
from bidlab.table.views import ViewBatch

PORTION = 5  # boards of a task
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
Task = tuple[str, str, str, int, int]


class GpuEvaluator:
    """What `Evaluator` is, on a GPU."""

    def __init__(self, path: Path) -> None:
        numbers = rounded(read_weights(path))
        self.logit_scale, self.value_scale = numbers.logit_scale, numbers.value_scale
        self.layers = [_Layer(layer) for layer in numbers.layers]
        self.head = _Layer(numbers.head)

    def outputs(self, views: ViewBatch, threads: int = 1) -> NDArray[np.int64]:
        """Array [view, 39], as `Evaluator` gives it."""
        seen = observations(
            *map(np.ascontiguousarray, (views.hands, views.calls, views.dealers, views.vulnerable))
        )
        with torch.inference_mode():
            now = torch.from_numpy(seen).to(DEVICE).double()
            for layer in self.layers:
                now = layer.after(now)
            found = self.head.sums(now) * self.head.scale
        logits: NDArray[np.int64] = found.to(torch.int64).cpu().numpy()
        return logits


class _Layer:
    """A layer of whole numbers as doubles."""

    def __init__(self, layer: RoundedLayer) -> None:
        self.weights = torch.from_numpy(layer.weights.T.astype(np.float64).copy()).to(DEVICE)
        self.bias = torch.from_numpy(layer.bias.astype(np.float64)).to(DEVICE)
        self.scale = torch.from_numpy(np.ldexp(1.0, layer.shift)).to(DEVICE)
        self.carry = layer.carry

    def sums(self, into: torch.Tensor) -> torch.Tensor:
        return torch.addmm(self.bias, into, self.weights)

    def after(self, into: torch.Tensor) -> torch.Tensor:
        """As `activations_after` of bidlab.bidders.network_numbers."""
        out = torch.floor(self.sums(into) / self.scale).clamp_(0, TOP)
        if self.carry >= 0:
            half = (1 << self.carry) >> 1
            out = (out + torch.floor((into + half) / (1 << self.carry))).clamp_(max=TOP)
        return out


def played(task: Task) -> NDArray[np.int64]:
    """IMPs [scoring, board] of a portion: as bid, with perfect defence."""
    torch.set_num_threads(1)
    networks._evaluator = _shared  # type: ignore[assignment]
    first, second, name, begin, count = task
    source = LibraryBoards(library(name))
    bid = bid_both_tables((bidder(first), bidder(second)), source.boards(begin, count), source)
    return np.stack([bid.swings, bid.perfect_swings])


_evaluators: dict[Path, GpuEvaluator] = {}


def _shared(path: Path, written: tuple[int, int]) -> GpuEvaluator:
    if path not in _evaluators:
        _evaluators[path] = GpuEvaluator(path)
    return _evaluators[path]


def main() -> None:
    """Play the matches one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("matches", nargs="+")
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--until", type=float, default=1e9, help="no match begins after so many seconds")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(asked.workers) as pool:
        for number, match in enumerate(asked.matches):
            if time.monotonic() - began > asked.until:
                break
            first, second, name, begin, count = match.split()
            last = int(begin) + int(count)
            tasks = [
                (first, second, name, at, min(PORTION, last - at)) for at in range(int(begin), last, PORTION)
            ]
            since = time.monotonic()
            swings = np.concatenate(pool.map(played, tasks, chunksize=1), axis=1)
            np.save(asked.out / f"match{number}.npy", swings.astype(np.int16))
            mean, error = swings.mean(axis=1), swings.std(axis=1, ddof=1) / np.sqrt(swings.shape[1])
            print(
                f"{match}: {mean[0]:+.3f} ± {error[0]:.3f}, perfect {mean[1]:+.3f} ± {error[1]:.3f}, "
                f"{time.monotonic() - since:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
