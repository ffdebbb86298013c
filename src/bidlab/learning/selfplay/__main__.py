"""The command line of the training: python -m bidlab.learning.selfplay imitate|selfplay|distil|gather --help.

Plain argparse, since a bare machine has nothing else; `bidlab train` is the same for those who have bidlab.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from bidlab.learning.selfplay.distil import DistilSettings, distil
from bidlab.learning.selfplay.gather import gather
from bidlab.learning.selfplay.imitate import ImitationSettings, imitate
from bidlab.learning.selfplay.net import load_weights
from bidlab.learning.selfplay.runs import Budget, Stoppable, changed_settings, stopped_by_signals
from bidlab.learning.selfplay.selfplay import SelfPlaySettings, Sources, self_play


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bidlab.learning.selfplay", description=__doc__)
    parsers = parser.add_subparsers(dest="command", required=True)
    trainings = (
        ("imitate", "learn from recorded auctions"),
        ("selfplay", "learn by playing"),
        ("distil", "learn to call as a larger network does"),
    )
    for name, what in trainings:
        command = parsers.add_parser(name, help=what)
        command.add_argument(
            "--out", type=Path, required=True, help="the run's folder; goes on if it has one"
        )
        command.add_argument("--minutes", type=float)
        command.add_argument("--steps", type=int, help="steps of imitation, rounds of self-play")
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
        _add_device(command)
    parsers.choices["imitate"].add_argument(
        "--data", type=Path, required=True, help="recorded auctions, .npz"
    )
    selfplay = parsers.choices["selfplay"]
    selfplay.add_argument("--data", type=Path, action="append", required=True, help="solved deals")
    selfplay.add_argument("--validation", type=Path, required=True, help="solved deals kept apart")
    selfplay.add_argument("--start", type=Path, help="weights to start from; from nothing without them")
    selfplay.add_argument("--anchor", type=Path, help="weights of the imitation to stay near; as --start")
    selfplay.add_argument("--growing", type=Path, help="solved deals that are still being written")
    selfplay.add_argument("--auctions", type=Path, help="recorded auctions, to measure agreement at the end")
    distilling = parsers.choices["distil"]
    distilling.add_argument("--teacher", type=Path, required=True, help="weights of the larger network")
    gathering = parsers.add_parser("gather", help="hands behind the common calls of a network, for its book")
    gathering.add_argument("--weights", type=Path, required=True)
    gathering.add_argument("--out", type=Path, required=True, help="the file, .npz")
    gathering.add_argument("--boards", type=int, default=30_000_000)
    gathering.add_argument("--hands", type=int, default=250, help="the most that are kept of a sequence")
    gathering.add_argument("--parts", type=int, default=1, help="files to share it out to")
    gathering.add_argument("--seed", type=int, default=1)
    _add_device(gathering)
    return parser


def _add_device(command: argparse.ArgumentParser) -> None:
    command.add_argument("--device", help="cuda or cpu; a GPU where there is one by default")


def main(words: list[str] | None = None) -> int:
    """Run a command; 0, 2 where what was asked for cannot be done, 130 where it was interrupted."""
    asked = _parser().parse_args(words)
    device = torch.device(asked.device or ("cuda:0" if torch.cuda.is_available() else "cpu"))
    torch.set_float32_matmul_precision("high")  # the heads' float32 products may use the matrix units
    try:
        if asked.command == "gather":
            _gather(asked, device)
            return 0
        budget = Stoppable(asked.steps, asked.minutes * 60 if asked.minutes else None)
        with stopped_by_signals(budget):
            _train(asked, budget, device)
    except (ValueError, FileNotFoundError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 130 if budget.is_stopped else 0


def _gather(asked: argparse.Namespace, device: torch.device) -> None:
    net = load_weights(asked.weights, device)
    found = gather(net, asked.boards, asked.out, seed=asked.seed, hands=asked.hands, parts=asked.parts)
    sys.stderr.write(f"{found:,} sequences gathered\n")


def _train(asked: argparse.Namespace, budget: Budget, device: torch.device) -> None:
    if asked.command == "imitate":
        imitation = ImitationSettings(**changed_settings(ImitationSettings, asked.set))
        imitate(asked.data, asked.out, budget, imitation, device)
    elif asked.command == "distil":
        distil(
            asked.teacher,
            asked.out,
            budget,
            DistilSettings(**changed_settings(DistilSettings, asked.set)),
            device,
        )
    else:
        playing = SelfPlaySettings(**changed_settings(SelfPlaySettings, asked.set))
        sources = Sources(
            tuple(asked.data), asked.validation, asked.start, asked.anchor, asked.growing, asked.auctions
        )
        self_play(sources, asked.out, budget, playing, device)


if __name__ == "__main__":
    sys.exit(main())
