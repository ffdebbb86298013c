"""The command by which partners learn a bidding system from their own look-ahead: cotrain."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer

from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json
from bidlab.cli.cotraining_figures import draw_curve
from bidlab.cli.layout import hanging
from bidlab.cli.progress import time_text, told_share
from bidlab.cli.stopping import stopped_by_signals
from bidlab.learning.cotrain import CoTraining, CoTrainingRun, LogFit, Settings, Tick, Trial

PICTURE = "curve.png"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        epilog="Example: bidlab cotrain --out runs/c --networks 25 --seed 1 --samples 100; killed or "
        "interrupted, it goes on with bidlab cotrain --resume runs/c"
    )(cotrain)


def cotrain(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="RUN", help="A new folder for the run.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Go on with the run of a folder; no settings are asked."),
    ] = None,
    networks: Annotated[int | None, typer.Option(help="Networks to learn.", show_default="25")] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same run.", show_default="1")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(help="Deals that a player imagines for a call.", show_default="64")
    ] = None,
    thinking: Annotated[
        str | None,
        typer.Option(
            metavar="KEY=VALUE,..",
            help="More parameters of the thinkers.",
            show_default="tricks=guessed,margin=1.5,noise=3",
        ),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="BIDDER",
            help="Who sits at the other side in practice and trials.",
            show_default="natural",
        ),
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(metavar="BIDDER", help="The fixed pair to be measured against.", show_default="natural"),
    ] = None,
    practice: Annotated[
        int | None,
        typer.Option(help="Boards to find the situation where most is to be gained.", show_default="200"),
    ] = None,
    lessons: Annotated[
        int | None, typer.Option(help="Hands that a network is learned from.", show_default="500")
    ] = None,
    leaves: Annotated[int | None, typer.Option(help="Leaves of a network.", show_default="12")] = None,
    calls: Annotated[
        int | None, typer.Option(help="Calls that a network chooses from.", show_default="10")
    ] = None,
    trial: Annotated[
        int | None,
        typer.Option(help="Boards with its situation that a network is tried on.", show_default="1000"),
    ] = None,
    gain: Annotated[
        float | None,
        typer.Option(help="IMPs a board of these that the test is for.", show_default="0.6"),
    ] = None,
    error: Annotated[
        float | None, typer.Option(help="Its chance of either wrong answer.", show_default="0.2")
    ] = None,
    tries: Annotated[
        int | None,
        typer.Option(help="Boards looked through for those with a situation.", show_default="60000"),
    ] = None,
    measured: Annotated[
        int | None,
        typer.Option(
            help="Boards of tune on which the pair is measured after 0, 1, 2, 4, 8, 16, 25 networks.",
            show_default="600",
        ),
    ] = None,
    set_aside: Annotated[
        int | None,
        typer.Option(help="Networks dropped in a row before the run gives up.", show_default="20"),
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 takes all cores. Changes no result.")] = 0,
    minutes: Annotated[
        float | None, typer.Option(min=0.0, help="Stop after so long, to go on with --resume.")
    ] = None,
    checkpoint: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", help="How often a checkpoint is written.")
    ] = 15.0,
    plot: Annotated[
        bool, typer.Option("--plot", help=f"Draw IMPs a board by networks into RUN/{PICTURE}.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Let partners learn a bidding system from nothing: look-ahead decides, what it decides becomes rules."""
    given: dict[str, Any] = {
        "networks": networks, "seed": seed, "samples": samples, "thinking": thinking,
        "opponents": opponents, "control": control, "practice": practice, "lessons": lessons,
        "leaves": leaves, "calls": calls, "trial": trial, "gain": gain, "error": error, "tries": tries,
        "measured": measured, "set_aside": set_aside,
    }  # fmt: skip
    asked = {name: value for name, value in given.items() if value is not None}
    if resume is not None:
        if out is not None or asked:
            first = f" ({next(iter(asked))} was given)" if asked else ""
            raise BidlabError(
                f"--resume {resume} goes on with what was asked for then: no --out or settings beside "
                f"it{first}"
            )
        training = CoTraining.resumed(resume, workers)
        for note in training.state.notes:
            print(f"bidlab: {note}: going on from the one before", file=sys.stderr)
    elif out is not None:
        training = CoTraining.begun(out, replace(Settings(), **asked), workers)
    else:
        raise BidlabError("no folder: --out RUN for a new run, or --resume RUN to go on, is wanted")
    run = _run(training, minutes, checkpoint, plot)
    _print_run(run, as_json)


# --- running ----------------------------------------------------------------------------------------------


def _run(training: CoTraining, minutes: float | None, checkpoint: float, plot: bool) -> CoTrainingRun:
    """Run it until its end, its minutes or an interruption, which exits with status 130."""
    stop, folder = Event(), training.state.folder
    with told_share("co-training") as tell, stopped_by_signals(stop):
        run = training.run(stop=stop, tell=_told(tell), minutes=minutes, checkpoint_seconds=checkpoint)
    if plot and run.points:
        draw_curve(run, folder / PICTURE)
    if stop.is_set() and not run.is_finished:
        print(
            f"bidlab: interrupted: {folder} has a checkpoint after {len(run.networks)} networks; "
            f"bidlab cotrain --resume {folder} goes on from there",
            file=sys.stderr,
        )
        raise typer.Exit(130)
    return run


_IN_A_ROUND = {"measuring": 0.0, "practising": 0.0, "lessons": 0.2, "trying": 0.5}  # of a network's work


def _told(tell: Callable[[float, Callable[[], str]], None]) -> Callable[[Tick], None]:
    """A function that shows how far the run is, on a terminal."""

    def told(tick: Tick) -> None:
        begins = _IN_A_ROUND.get(tick.doing.split()[0], 0.0)
        share = (tick.networks + begins + 0.3 * tick.share) / tick.total
        words = f"{tick.networks} of {tick.total} networks, {tick.doing} {100 * tick.share:.0f}%"
        tell(min(1.0, share), lambda: words)

    return told


# --- what came out ----------------------------------------------------------------------------------------


def _print_run(run: CoTrainingRun, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(run)))
        return
    for line in _lines(run):
        print(line)


def _lines(run: CoTrainingRun) -> Iterator[str]:
    state = f"finished, {run.why_done}" if run.is_finished else f"to be gone on with ({run.stage})"
    yield f"{run.folder}: {state}, {time_text(run.seconds)}"
    many = len(run.networks)
    yield hanging("  plays    ", f"{many} network{'' if many == 1 else 's'}; {_text_file(run)}", 11)
    if run.trials:
        yield "  tried    in                 a board   IMPs  rules  boards of the trial"
    for trial in run.trials:
        yield _trial_line(trial)
    if run.points:
        boards = f"{run.points[0].boards} boards of tune"
        yield f"  IMPs a board against {run.settings.control}, as bid, {boards}"
    for point in run.points:
        what = "network " if point.networks == 1 else "networks"
        yield f"    after {point.networks:>3} {what}  {point.mean:+.2f} ± {point.stderr:.2f}"
    fit = LogFit.of(run.points)
    if fit is not None:
        yield hanging("  curve    ", fit.text(), 11)


def _text_file(run: CoTrainingRun) -> Path:
    return run.folder / "networks" / f"{len(run.networks):02d}.bids"


def _trial_line(trial: Trial) -> str:
    result = f"{trial.mean:+.2f} ± {trial.stderr:.2f} on {trial.boards}: " if trial.boards else ""
    practice = f"{trial.often:7.2f} {trial.gain:+6.2f} {trial.rules:>6}"
    return f"  {trial.number:>5}    {trial.situation:<18} {practice}  {result}{trial.verdict}"


def _as_json(run: CoTrainingRun) -> dict[str, Any]:
    fit = LogFit.of(run.points)
    return {
        "run": str(run.folder),
        "is_finished": run.is_finished,
        "why": run.why_done,
        "stage": run.stage,
        "networks": len(run.networks),
        "system": str(_text_file(run)),
        "trials": [asdict(one) for one in run.trials],
        "points": [asdict(one) for one in run.points],
        "fit": None if fit is None else asdict(fit),
        "seconds": run.seconds,
        "settings": run.settings.to_json(),
    }
