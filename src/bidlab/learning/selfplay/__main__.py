"""The command line of the training: python -m bidlab.learning.selfplay imitate|selfplay --help.

Plain argparse, since a bare machine has nothing else; `bidlab train` is the same for those who have bidlab.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from bidlab.learning.selfplay.imitate import ImitationSettings, imitate
from bidlab.learning.selfplay.runs import Stoppable, changed_settings, stopped_by_signals
from bidlab.learning.selfplay.selfplay import SelfPlaySettings, Sources, self_play


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bidlab.learning.selfplay", description=__doc__)
    parsers = parser.add_subparsers(dest="command", required=True)
    for name, what in (("imitate", "learn from recorded auctions"), ("selfplay", "learn by playing")):
        command = parsers.add_parser(name, help=what)
        command.add_argument(
            "--out", type=Path, required=True, help="the run's folder; goes on if it has one"
        )
        command.add_argument("--minutes", type=float)
        command.add_argument("--steps", type=int, help="steps of imitation, rounds of self-play")
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting")
        command.add_argument("--device", help="cuda or cpu; a GPU where there is one by default")
    parsers.choices["imitate"].add_argument(
        "--data", type=Path, required=True, help="recorded auctions, .npz"
    )
    selfplay = parsers.choices["selfplay"]
    selfplay.add_argument("--data", type=Path, action="append", required=True, help="solved deals")
    selfplay.add_argument("--validation", type=Path, required=True, help="solved deals kept apart")
    selfplay.add_argument("--start", type=Path, help="weights of the imitation; from nothing without them")
    selfplay.add_argument("--growing", type=Path, help="solved deals that are still being written")
    selfplay.add_argument("--auctions", type=Path, help="recorded auctions, to measure agreement at the end")
    return parser


def main(words: list[str] | None = None) -> int:
    """Run a command; 0, 2 where what was asked for cannot be done, 130 where it was interrupted."""
    asked = _parser().parse_args(words)
    device = torch.device(asked.device or ("cuda:0" if torch.cuda.is_available() else "cpu"))
    torch.set_float32_matmul_precision("high")  # the heads' float32 products may use the matrix units
    try:
        budget = Stoppable(asked.steps, asked.minutes * 60 if asked.minutes else None)
        with stopped_by_signals(budget):
            if asked.command == "imitate":
                imitation = ImitationSettings(**changed_settings(ImitationSettings, asked.set))
                imitate(asked.data, asked.out, budget, imitation, device)
            else:
                playing = SelfPlaySettings(**changed_settings(SelfPlaySettings, asked.set))
                sources = Sources(
                    tuple(asked.data), asked.validation, asked.start, asked.growing, asked.auctions
                )
                self_play(sources, asked.out, budget, playing, device)
    except (ValueError, FileNotFoundError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 130 if budget.is_stopped else 0


if __name__ == "__main__":
    sys.exit(main())
