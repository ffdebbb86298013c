"""The command that boosts a bidder by its random seed: boost."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Annotated, Any

import typer

from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json
from bidlab.cli.layout import hanging
from bidlab.cli.progress import time_text, told_share
from bidlab.cli.stopping import stopped_by_signals
from bidlab.learning.boost import Boosting, BoostRun, Findings, Settings, Tick
from bidlab.learning.boost.players import OnRay, Players
from bidlab.learning.boost.report import report_html
from bidlab.learning.boost.running import CHECKPOINT_SECONDS
from bidlab.learning.boost.settings import DRAWN, WAYS
from bidlab.learning.boost.tables import result_rows

REPORT = "report.html"
_DOING = {"matrix": "matrix", "ucb": "UCB", "halving": "halving", "new": "new boards"}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        epilog="Example: bidlab boost random --seeds 10 --boards 64 --out runs/boost; killed or interrupted, "
        "it goes on with bidlab boost --resume runs/boost"
    )(boost)


def boost(
    bidder: Annotated[
        str | None,
        typer.Argument(
            metavar="BIDDER", help="A bidder with seeds, as random; its own seed is the default one."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="RUN", help="A new folder for the run.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Go on with the run of a folder; nothing else is asked."),
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="How many seeds.", show_default="40")] = None,
    boards: Annotated[
        int | None, typer.Option("--boards", "-n", help="Boards of each pair of seeds.", show_default="64")
    ] = None,
    first_seed: Annotated[int | None, typer.Option(help="The first of the seeds.", show_default="1")] = None,
    robust: Annotated[
        int | None, typer.Option(help="Seeds of the robust choice.", show_default="a tenth of them")
    ] = None,
    new_boards: Annotated[
        int | None,
        typer.Option(help="New boards of each match that confirms the choice.", show_default="1000"),
    ] = None,
    way: Annotated[
        list[str] | None,
        typer.Option(
            metavar="|".join(WAYS),
            help="How seeds are compared, each way with as many boards; once or more often.",
            show_default="matrix",
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(
            metavar=f"NAME|FILE|{DRAWN}",
            help="Deals to choose by; drawn: from the seed.",
            show_default="train",
        ),
    ] = None,
    judged_on: Annotated[
        str | None,
        typer.Option(metavar=f"NAME|FILE|{DRAWN}", help="Deals to confirm by.", show_default=DRAWN),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same run.", show_default="1")
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, help="How many processes bid; 0: one a core. Changes no result.")
    ] = 0,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play the cells on a ray cluster; local starts one here."),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.0, help="Stop after so long, to go on with --resume.")
    ] = None,
    checkpoint: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", help="How often a checkpoint is written at most.")
    ] = CHECKPOINT_SECONDS,
    report: Annotated[
        bool, typer.Option("--report", help=f"Write RUN/{REPORT}, a page with figures.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Boost a bidder: choose the best of its random seeds, a robust few, or a mixture, and confirm it."""
    asked: dict[str, Any] = {
        "seeds": seeds, "boards": boards, "first_seed": first_seed, "robust": robust,
        "new_boards": new_boards, "ways": tuple(way) if way else None, "deals": deals,
        "judged_on": judged_on, "seed": seed,
    }  # fmt: skip
    given = {name: value for name, value in asked.items() if value is not None}
    if resume is not None:
        if out is not None or given:
            named = f" ({next(iter(given)).replace('_', ' ')} was given)" if given else ""
            raise BidlabError(
                f"--resume {resume} goes on with what was asked for then: no --out or settings beside "
                f"it{named}"
            )
    elif bidder is None:
        raise BidlabError("no bidder: bidlab boost BIDDER --out RUN, or --resume RUN to go on, is wanted")
    elif out is None:
        raise BidlabError("no folder: --out RUN for a new run, or --resume RUN to go on, is wanted")
    with _players(ray) as players:  # before the folder is made: there may be none
        if resume is not None:
            boosting = Boosting.resumed(resume, workers, bidder)
            for note in boosting.state.notes:
                print(f"bidlab: {note}: going on from the one before", file=sys.stderr)
        else:
            assert out is not None and bidder is not None
            boosting = Boosting.begun(out, Settings(bidder.strip(), **given), workers)
        run = _run(boosting, players, minutes, checkpoint)
    found = Findings(run)
    if report:
        (run.folder / REPORT).write_text(report_html(found), encoding="utf-8")
    _print_run(found, report, as_json)


@contextmanager
def _players(address: str | None) -> Iterator[Players | None]:
    """Workers on ray where an address is given; None for processes here."""
    players = OnRay(address) if address is not None else None
    try:
        yield players
    finally:
        if players is not None:
            players.close()


def _run(boosting: Boosting, players: Players | None, minutes: float | None, checkpoint: float) -> BoostRun:
    """Run it until its end, its minutes or an interruption, which exits with status 130."""
    stop, folder = Event(), boosting.state.folder
    with told_share("boosting") as tell, stopped_by_signals(stop):
        run = boosting.run(
            players=players, stop=stop, tell=_told(tell), minutes=minutes, checkpoint_seconds=checkpoint
        )
    if stop.is_set() and not run.is_finished:
        print(
            f"bidlab: interrupted: {folder} has a checkpoint after {run.boards:,} boards; "
            f"bidlab boost --resume {folder} goes on from there",
            file=sys.stderr,
        )
        raise typer.Exit(130)
    return run


def _told(tell: Callable[[float, Callable[[], str]], None]) -> Callable[[Tick], None]:
    """A function that shows how far a stage is, on a terminal."""
    begun, earlier, stage = time.monotonic(), -1, ""

    def told(tick: Tick) -> None:
        nonlocal begun, earlier, stage
        if tick.stage != stage:
            begun, earlier, stage = time.monotonic(), tick.boards, tick.stage
        rate = 3600 * (tick.boards - earlier) / max(1e-9, time.monotonic() - begun)
        tell(
            tick.share,
            lambda: f"{_DOING[tick.stage]}: {tick.boards:,} of {tick.total:,} boards, {rate:,.0f} an hour",
        )

    return told


# --- what came out ----------------------------------------------------------------------------------------


def _print_run(found: Findings, report: bool, as_json: bool) -> None:
    if as_json:
        print(json.dumps(findings_json(found)))
        return
    run, settings = found.run, found.run.settings
    state = "finished" if run.is_finished else "not finished"
    print(f"{run.folder}: {state}, {time_text(run.seconds)}")
    seeds = f"seeds {settings.seed_numbers[0]} to {settings.seed_numbers[-1]}"
    rows = [
        (
            "played",
            f"{settings.bidder}, {seeds}, {settings.boards} boards of {settings.deals} a pair; "
            f"{run.boards:,} boards so far in all; seed {settings.seed}",
        ),
        *result_rows(found),
    ]
    if found.choices or found.picks:
        rows.append(("bid with", f"boosted:{run.folder},choice={'|'.join(found.chosen.names)}"))
    if report:
        rows.append(("report", str(run.folder / REPORT)))
    for head, text in rows:
        print(hanging(f"  {head}", text, 14))


def findings_json(found: Findings) -> dict[str, Any]:
    """What was found, for programs."""
    run, matrix = found.run, found.matrix
    shown: dict[str, Any] = {
        "run": str(run.folder),
        "is_finished": run.is_finished,
        "boards": run.boards,
        "seconds": run.seconds,
        "settings": run.settings.to_json(),
        "picks": found.picks,
        "new_boards": [asdict(one) | {"won_rate": one.won_rate} for one in found.confirmations],
    }
    if matrix is None or found.luck is None or found.shrunken is None or found.swings is None:
        return shown
    return shown | {
        "verdict": found.verdict(),
        "seeds": list(matrix.seeds),
        "matrix": matrix.imps.astype(int).tolist(),
        "scores": matrix.scores.astype(int).tolist(),
        "won_matches": matrix.won_matches().tolist(),
        "choices": [asdict(one) for one in found.choices],
        "luck": asdict(found.luck),
        "shrunken": asdict(found.shrunken),
        "folds": [asdict(one) for one in found.folds],
        "swings": asdict(found.swings),
        "by_contract": [asdict(one) for one in found.by_contract],
        "by_height": [asdict(one) for one in found.by_height],
        "portfolio": found.portfolio,
        "deciders": [asdict(one) for one in found.deciders],
    }
