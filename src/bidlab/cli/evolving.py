"""The command that evolves bidding systems: evolve."""

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

from bidlab.bridge.errors import BidlabError, did_you_mean
from bidlab.cli.boards import Json
from bidlab.cli.evolution_figures import draw_evolution
from bidlab.cli.layout import hanging
from bidlab.cli.progress import time_text, told_share
from bidlab.cli.stopping import stopped_by_signals
from bidlab.learning.evolve import (
    PRESETS,
    Evolution,
    EvolutionRun,
    Row,
    Settings,
    Tick,
    changed,
    preset,
)
from bidlab.learning.evolve.islands import OnRay, Players
from bidlab.learning.evolve.settings import SEARCHES, SEEDINGS
from bidlab.systems.webb import OPTIONS, Rules, options_of
from bidlab.systems.webb.climbing import Steps

PICTURE = "progress.png"
_DRAWN_EVERY = 60.0  # seconds: drawing takes one itself


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        epilog="Example: bidlab evolve --out runs/a --preset run-a --seed 1; killed or interrupted, it goes "
        "on with bidlab evolve --resume runs/a"
    )(evolve)


def _count(text: str) -> int:
    """A whole number, also as in 173e6."""
    try:
        value = float(text)
    except ValueError:
        value = 0.5
    if value != int(value) or value < 1:
        raise BidlabError(f"no number of boards {text!r}: a whole number is wanted, as in 2000000 or 173e6")
    return int(value)


def evolve(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="RUN", help="A new folder for the run.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Go on with the run of a folder; nothing else is asked."),
    ] = None,
    preset_name: Annotated[
        str | None,
        typer.Option("--preset", metavar="NAME", help=f"Settings by name: {', '.join(PRESETS)}."),
    ] = None,
    boards: Annotated[
        str | None,
        typer.Option(metavar="N", help="Boards of all members together, as in 173e6.", show_default="173e6"),
    ] = None,
    population: Annotated[
        int | None, typer.Option(help="Members of a population.", show_default="128")
    ] = None,
    states: Annotated[int | None, typer.Option(help="States of a system.", show_default="4")] = None,
    entries: Annotated[int | None, typer.Option(help="Entries of a program.", show_default="8")] = None,
    inheritance: Annotated[
        int | None, typer.Option(help="Programs that are inherited, one after the other.", show_default="3")
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A rule of the tournament or climb, as in threshold=-20; --rule help lists all.",
        ),
    ] = None,
    islands: Annotated[int | None, typer.Option(help="Populations side by side.", show_default="1")] = None,
    migration: Annotated[
        float | None,
        typer.Option(help="Share of the replacements that come from another island.", show_default="0"),
    ] = None,
    seeding: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(SEEDINGS),
            help="Where the first members come from: random bits, or the "
            "winners of small tournaments of such.",
            show_default="random",
        ),
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--from", metavar="FILE|RUN", help="Systems that are the first members, or all of a run."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same run.", show_default="1")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME", help=f"Beyond the thesis: {', '.join(OPTIONS)}, or all."),
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(SEARCHES),
            help="Tournaments, or small steps of a few parents that are tested on common boards.",
            show_default="tournament",
        ),
    ] = None,
    deals: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Solved deals to play.", show_default="train")
    ] = None,
    measured: Annotated[
        int | None,
        typer.Option(help="Boards of tune that the best are measured on.", show_default="10000"),
    ] = None,
    reports: Annotated[
        int | None, typer.Option(help="How often they are measured.", show_default="20 to 300, by boards")
    ] = None,
    threads: Annotated[int, typer.Option(min=0, help="Threads; 0 takes all cores. Changes no result.")] = 0,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Play the islands on a ray cluster; local starts one here."),
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.0, help="Stop after so long, to go on with --resume.")
    ] = None,
    checkpoint: Annotated[
        float, typer.Option(min=0.0, metavar="SECONDS", help="How often a checkpoint is written.")
    ] = 15.0,
    plot: Annotated[
        bool, typer.Option("--plot", help=f"Draw the run into RUN/{PICTURE}, as it goes on and at its end.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Evolve bidding systems: populations play each other, and those that lose are replaced."""
    if rule == ["help"]:
        for name, value in (asdict(Rules()) | asdict(Steps())).items():
            print(f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}")
        return
    changes: dict[str, Any] = {
        "boards": None if boards is None else _count(boards),
        "population": population, "states": states, "entries": entries, "inheritance": inheritance,
        "islands": islands, "migration": migration, "seeding": seeding, "seed": seed, "deals": deals,
        "start": tuple(_whole_path(name) for name in start) if start else None,
        "measured": measured, "reports": reports, "search": search,
        "options": options_of(option) if option else None,
    }  # fmt: skip
    if resume is not None:
        given = changes | {"rule": rule}
        asked = [name for name, value in given.items() if value is not None]
        if out is not None or preset_name is not None or asked:
            raise BidlabError(
                f"--resume {resume} goes on with what was asked for then: no --out, --preset or settings "
                f"beside it{f' ({asked[0]} was given)' if asked else ''}"
            )
    elif out is None:
        raise BidlabError("no folder: --out RUN for a new run, or --resume RUN to go on, is wanted")
    with _players(ray) as players:  # before the folder is made: there may be none
        if resume is not None:
            evolution = Evolution.resumed(resume, threads)
            for note in evolution.state.notes:
                print(f"bidlab: {note}: going on from the one before", file=sys.stderr)
        else:
            assert out is not None
            base = Settings() if preset_name is None else preset(preset_name)
            settings = _with_rules(changed(base, **changes), rule or [])
            evolution = Evolution.begun(out, settings, threads)
        run = _run(evolution, players, minutes, checkpoint, plot)
    _print_run(run, as_json)


@contextmanager
def _players(address: str | None) -> Iterator[Players | None]:
    """Workers on ray where an address is given; None for threads of this process."""
    players = OnRay(address) if address is not None else None
    try:
        yield players
    finally:
        if players is not None:
            players.close()


def _with_rules(settings: Settings, texts: list[str]) -> Settings:
    """Settings with some rules of the tournament, or of the climb, changed; each given as NAME=VALUE."""
    field = "steps" if settings.is_climb else "rules"
    now = getattr(settings, field)
    known = asdict(now)
    values: dict[str, Any] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if name not in known:
            near = did_you_mean(name, tuple(known))
            raise BidlabError(f"no rule {name!r}{near}: one of {', '.join(known)} is wanted")
        values[name] = _like(known[name], value, text)
    return changed(settings, **{field: changed(now, **values)})


def _like(example: Any, value: str, text: str) -> Any:
    """A value of a rule, as an example has it: a number, or several with commas."""
    kind = type(example[0] if isinstance(example, tuple) else example)
    try:
        numbers = tuple(map(kind, value.split(",")))
    except ValueError:
        what = "numbers" if kind is float else "whole numbers"
        raise BidlabError(f"no value of a rule in {text!r}: {what} are wanted") from None
    return numbers if isinstance(example, tuple) else numbers[0]


def _whole_path(name: str) -> str:
    return str(Path(name).resolve())


# --- running ----------------------------------------------------------------------------------------------


def _run(
    evolution: Evolution, players: Players | None, minutes: float | None, checkpoint: float, plot: bool
) -> EvolutionRun:
    """Run it until its end, its minutes or an interruption, which exits with status 130."""
    stop, folder = Event(), evolution.state.folder
    with told_share("evolving") as tell, stopped_by_signals(stop):
        drawing = _drawing(evolution) if plot else lambda: None
        told = _told(evolution, tell)

        def tick(now: Tick) -> None:
            told(now)
            drawing()

        run = evolution.run(
            players=players, stop=stop, tell=tick, minutes=minutes, checkpoint_seconds=checkpoint
        )
    if plot:
        draw_evolution([run], folder / PICTURE)
    if stop.is_set() and not run.is_finished:
        print(
            f"bidlab: interrupted: {folder} has a checkpoint after {run.boards:,} boards; "
            f"bidlab evolve --resume {folder} goes on from there",
            file=sys.stderr,
        )
        raise typer.Exit(130)
    return run


def _told(evolution: Evolution, tell: Callable[[float, Callable[[], str]], None]) -> Callable[[Tick], None]:
    """A function that shows how far the run is, on a terminal."""
    begun, earlier = time.monotonic(), evolution.state.boards

    def told(tick: Tick) -> None:
        rate = (tick.boards - earlier) / max(1e-9, time.monotonic() - begun)
        tell(tick.boards / tick.total, lambda: f"{_row_text(tick.row)}{rate:,.0f} boards a second")

    return told


def _row_text(row: Row | None) -> str:
    if row is None:
        return ""
    return (
        f"{row.objective:.3f} from par, best {row.best_fitness:+.0f}, age {row.mean_age:.0f} "
        f"(oldest {row.highest_age:,}), {100 * row.push_rate:.0f}% pushes, "
    )


def _drawing(evolution: Evolution) -> Callable[[], None]:
    """A function that draws the run again now and then, where there is something new."""
    drawn_at, drawn = time.monotonic(), 0

    def draw() -> None:
        nonlocal drawn_at, drawn
        rows = len(evolution.state.rows)
        if rows > drawn and time.monotonic() - drawn_at > _DRAWN_EVERY:
            draw_evolution([evolution.state], evolution.state.folder / PICTURE)
            drawn_at, drawn = time.monotonic(), rows

    return draw


# --- what came out ----------------------------------------------------------------------------------------


def _print_run(run: EvolutionRun, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(run)))
        return
    settings = run.settings
    state = "finished" if run.is_finished else f"{100 * run.turn / settings.turns:.1f}% played"
    print(f"{run.folder}: {state}, {time_text(run.seconds)}")
    islands = f"{settings.islands} islands of " if settings.islands > 1 else ""
    form = f"{islands}{settings.population} systems, {settings.states} states of {settings.entries} entries"
    rate = run.boards / run.seconds if run.seconds else 0.0
    lines = [("played", f"{run.boards:,} boards, {rate:,.0f} a second; {form}; seed {settings.seed}")]
    if run.rows:
        last = min(run.rows[-settings.islands :], key=lambda row: row.objective)
        lines.append(("best", f"{_distance(run, last.objective)}; {run.folder / 'best.json'}"))
        lines.append(
            ("", f"{_row_text(last).partition(', ')[2].rstrip(', ')}; {last.lifetime:.0f} boards a life")
        )
    if run.closest is not None:
        lines.append(
            ("closest", f"{_distance(run, run.closest.objective)}, after {run.closest.boards:,} boards a "
             f"member; {run.folder / 'closest.json'}")
        )  # fmt: skip
    for head, text in lines:
        print(hanging(f"  {head:<8} ", text, 11))


def _distance(run: EvolutionRun, objective: float) -> str:
    share = f", {objective / run.passing:.3f} of passing always" if run.passing else ""
    return f"{objective:.3f} IMPs from par{share}"


def _as_json(run: EvolutionRun) -> dict[str, Any]:
    closest = run.closest
    return {
        "run": str(run.folder),
        "is_finished": run.is_finished,
        "boards": run.boards,
        "turns": run.turn,
        "seconds": run.seconds,
        "passing": run.passing,
        "rows": [
            {name: getattr(row, name) for name in Row.__slots__} for row in run.rows[-run.settings.islands :]
        ],
        "closest": None
        if closest is None
        else {"objective": closest.objective, "boards": closest.boards, "island": closest.island},
        "settings": run.settings.to_json(),
    }
