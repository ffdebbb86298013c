"""The commands about runs that trained a network: train show, train plot."""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from bidlab.cli.boards import Json
from bidlab.cli.curves import draw_runs
from bidlab.cli.layout import hanging
from bidlab.cli.progress import time_text
from bidlab.learning.trained import IMITATION, TrainedRun, read_run


def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run's folder.")],
    as_json: Json = False,
) -> None:
    """Show what a run is: its settings, how long it took, what it learned from, and how good it got."""
    print_run(read_run(run), as_json)


def plot(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture: .svg, .png or .pdf.")],
) -> None:
    """Draw the curves of one or several runs into a picture."""
    draw_runs([read_run(folder) for folder in runs], out)
    print(f"{len(runs)} run{'s' if len(runs) != 1 else ''} drawn in {out}", file=sys.stderr)


def settings_of(kind: str) -> Any:
    """The type of a command's settings; torch must be there."""
    if kind == IMITATION:
        from bidlab.learning.selfplay.imitate import ImitationSettings

        return ImitationSettings
    from bidlab.learning.selfplay.selfplay import SelfPlaySettings

    return SelfPlaySettings


def _changed(run: TrainedRun) -> dict[str, Any] | None:
    """The settings that are not as they are by default; None where that is unknown, without torch."""
    try:
        settings = settings_of(run.kind)
    except ImportError:
        return None
    return run.changed({field.name: field.default for field in fields(settings)})


# --- show -------------------------------------------------------------------------------------------------


def print_run(run: TrainedRun, as_json: bool) -> None:
    """Print what a run is, for people or for programs."""
    if as_json:
        print(json.dumps(_as_json(run)))
        return
    name = "imitation" if run.kind == IMITATION else "self-play"
    device = run.config.get("versions", {}).get("device", "an unknown device")
    print(f"{run.folder}: {name}, {run.state}, {time_text(run.seconds)} on {_device_text(device)}")
    for head, text in _lines(run):
        print(hanging(f"  {head:<10} ", text, 13))


def _device_text(device: str) -> str:
    return "a processor" if device == "processor" else device


def _lines(run: TrainedRun) -> list[tuple[str, str]]:
    lines = [("from", _sources_text(run)), ("budget", _budget_text(run)), ("settings", _settings_text(run))]
    rate = run.curves[-1].get("decisions_a_second", 0.0) if run.curves else 0.0
    speed = f", {rate:,.0f} a second at the end" if rate else ""
    lines.append(("learned", f"from {run.decisions:,} decisions{speed}"))
    if run.best is None:
        return [*lines, ("best", "nothing was measured yet")]
    measured = _imitation_text if run.kind == IMITATION else _self_play_text
    lines.append(("best", measured(run.best)))
    if run.agreement is not None:
        lines.append(("agreement", _agreement_text(run.agreement)))
    return [*lines, ("weights", str(run.folder / "weights.npz"))]


def _sources_text(run: TrainedRun) -> str:
    given = run.sources
    if run.kind == IMITATION:
        parts = [_near(path) for path in given.get("auctions", [])]
        if not given:
            parts.append(str(run.config.get("auctions", "unknown auctions")))
        if given.get("bidder"):
            parts.append(f"{given['bidder']} on {given['boards']:,} boards of seed {given['seed']}")
        return ", ".join(parts)
    start = given.get("start") if given else run.config.get("start")
    deals = ", ".join(map(_near, given.get("deals") or run.config.get("deals", [])))
    count = f"{run.curves[-1]['deals']:,.0f} solved deals" if run.curves else "solved deals"
    begun = f"weights {_near(str(start))}" if start not in (None, "None") else "nothing"
    return f"{begun}; {count} of {deals}"


def _near(path: str) -> str:
    """A path as it is seen from here."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def _budget_text(run: TrainedRun) -> str:
    steps, seconds = run.config.get("steps"), run.config.get("seconds")
    word = f"{run.counter}s"
    parts = [f"{steps:,} {word}" if steps else "", time_text(seconds) if seconds else ""]
    asked = " or ".join(part for part in parts if part)
    return f"{asked}; {run.steps:,} {word} made" + (
        "" if run.share >= 1 else f", {100 * run.share:.0f}% of it"
    )


def _settings_text(run: TrainedRun) -> str:
    changed = _changed(run)
    shown = run.settings if changed is None else changed
    words = ", ".join(f"{name} {value}" for name, value in shown.items())
    if changed is None:
        return f"{words} (without torch it is unknown which are the usual ones)"
    return f"{words}; the others as usual" if words else "all as usual"


def _imitation_text(best: Any) -> str:
    return (
        f"step {best['step']:,}: {100 * best['held_out_equal']:.1f}% of held-out calls equal, "
        f"{100 * best['held_out_equal_but_passes']:.1f}% without passes; "
        f"cross-entropy {best['held_out_loss']:.3f} nats"
    )


def _self_play_text(best: Any) -> str:
    return (
        f"round {best['round']:,}: {best['distance']:.3f} IMPs from par as bid, "
        f"{best['distance_perfect']:.3f} with perfect defence; against its anchor "
        f"{best['duel']:+.3f} ± {best['duel_error']:.3f} IMPs a board as bid, "
        f"{best['duel_perfect']:+.3f} with perfect defence"
    )


def _agreement_text(agreement: Any) -> str:
    before, after = agreement["before"], agreement["after"]
    return (
        f"{100 * before['held_out_equal']:.1f}% of recorded calls before, "
        f"{100 * after['held_out_equal']:.1f}% after; without passes "
        f"{100 * before['held_out_equal_but_passes']:.1f}% and "
        f"{100 * after['held_out_equal_but_passes']:.1f}%"
    )


def _as_json(run: TrainedRun) -> dict[str, Any]:
    return {
        "run": str(run.folder),
        "command": run.kind,
        "state": run.state,
        "share": run.share,
        "seconds": run.seconds,
        f"{run.counter}s": run.steps,
        "decisions": run.decisions,
        "settings": run.settings,
        "changed": _changed(run),
        "budget": {"steps": run.config.get("steps"), "seconds": run.config.get("seconds")},
        "versions": run.config.get("versions"),
        "sources": dict(run.sources),
        "best": run.best,
        "agreement": run.agreement,
        "last": run.curves[-1] if run.curves else None,
    }
