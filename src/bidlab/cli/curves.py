"""The curves of runs that trained a network, drawn: a panel a measure, a colour, dash and marker a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bidlab.bridge.errors import BidlabError
from bidlab.learning.trained import IMITATION, SELF_PLAY, TrainedRun

_SUFFIXES = (".png", ".svg", ".pdf")
# From dark to light, so that they differ without colour too; each run has its marker besides.
_COLOURS = ("#12263f", "#b5442e", "#3f7f9f", "#c9982f", "#6b8f3a", "#9a7fb0")
_MARKERS = "os^Dv*"
_MARKS = 12  # markers on a line, about


@dataclass(frozen=True, slots=True)
class _Line:
    """One measure in a panel: its column, how it is called, and what is done to its figures."""

    column: str
    label: str = ""
    is_dashed: bool = False
    error: str = ""  # the column of its standard error, drawn as a band of two on each side


@dataclass(frozen=True, slots=True)
class _Panel:
    """Some measures over how far the run was."""

    title: str
    unit: str
    lines: tuple[_Line, ...]
    over: str  # a column
    factor: float = 1.0
    is_measured_at_once: bool = True  # False: the first row, before any learning, has no figure


_IMITATION = (
    _Panel(
        "Loss", "cross-entropy, nats a call",
        (_Line("held_out_loss", "held out"), _Line("loss", "learned from", is_dashed=True)), "step",
    ),
    _Panel(
        "Agreement on held-out calls", "equal calls, %",
        (
            _Line("held_out_equal", "all calls"),
            _Line("held_out_equal_but_passes", "all but passes", is_dashed=True),
        ),
        "step", 100.0,
    ),
)  # fmt: skip
_SELF_PLAY = (
    _Panel(
        "Distance from par", "IMPs a board",
        (_Line("distance", "as bid"), _Line("distance_perfect", "perfect defence", is_dashed=True)),
        "decisions",
    ),
    _Panel(
        "Won from its anchor", "IMPs a board",
        (
            _Line("duel", "as bid, ± 2 standard errors", error="duel_error"),
            _Line("duel_perfect", "perfect defence", is_dashed=True),
        ),
        "decisions",
    ),
    _Panel(
        "Divergence from its anchor", "nats a call", (_Line("divergence"),), "decisions",
        is_measured_at_once=False,
    ),
    _Panel(
        "Loss of the value", "mean squared error, rewards²", (_Line("value"),), "decisions",
        is_measured_at_once=False,
    ),
    _Panel("Decisions", "millions", (_Line("decisions"),), "seconds", 1e-6),
)  # fmt: skip
_OVER: dict[str, tuple[str, float]] = {
    "step": ("steps, thousands", 1e-3),
    "decisions": ("decisions, millions", 1e-6),
    "seconds": ("minutes", 1 / 60),
}


def draw_runs(runs: Sequence[TrainedRun], path: Path) -> None:
    """Draw the curves of runs into a picture file: imitations first, then self-play."""
    if path.suffix.lower() not in _SUFFIXES:
        raise BidlabError(f"no picture {path}: one of the suffixes {' '.join(_SUFFIXES)} is wanted")
    if not path.parent.is_dir():
        raise BidlabError(f"no directory {path.parent} to write {path.name} in")
    for run in runs:
        if not run.curves:
            raise BidlabError(f"no curves in {run.folder}: nothing was measured there yet")
    from matplotlib.figure import Figure  # takes half a second: only who draws waits for it

    parts = [
        (title, chosen, panels)
        for title, kind, panels in (
            ("Imitation", IMITATION, _IMITATION),
            ("Self-play", SELF_PLAY, _SELF_PLAY),
        )
        if (chosen := [run for run in runs if run.kind == kind])
    ]
    rows = [-(-len(panels) // 3) for _, _, panels in parts]
    figure = Figure(figsize=(12.5, 0.4 + 3.5 * sum(rows)))
    figure.set_layout_engine("constrained", w_pad=0.12, h_pad=0.06)
    folders = figure.subfigures(len(parts), 1, height_ratios=rows, squeeze=False, hspace=0.04)[:, 0]
    for (title, chosen, panels), place, count in zip(parts, folders, rows, strict=True):
        _draw_part(place, title, chosen, panels, count)
    figure.savefig(path, dpi=120)


def _draw_part(
    place: Any, title: str, runs: Sequence[TrainedRun], panels: Sequence[_Panel], rows: int
) -> None:
    """The panels of one kind of run; the free place at the end has the names of the runs."""
    place.suptitle(title, x=0.008, ha="left", fontsize=13, fontweight="bold")
    axes = place.subplots(rows, 3, squeeze=False).flatten()
    styles = [
        {"color": _COLOURS[i % len(_COLOURS)], "marker": _MARKERS[i % len(_MARKERS)]}
        for i in range(len(runs))
    ]
    for panel, one in zip(panels, axes, strict=False):
        _draw_panel(one, panel, runs, styles)
    for one in axes[len(panels) :]:
        one.set_axis_off()
    handles = [_sample(style["color"], style["marker"]) for style in styles]
    free = axes[len(panels)]
    names = [_name(run, runs) for run in runs]
    free.legend(handles, names, loc="upper left", frameon=False, title="Runs", alignment="left", fontsize=10)


def _draw_panel(
    axes: Any, panel: _Panel, runs: Sequence[TrainedRun], styles: Sequence[dict[str, str]]
) -> None:
    over, scale = _over(panel.over, runs)
    for run, style in zip(runs, styles, strict=True):
        rows = run.curves if panel.is_measured_at_once else [row for row in run.curves if row[run.counter]]
        for line in panel.lines:
            shown = [row for row in rows if line.column in row]
            if shown:
                _draw_line(axes, panel, line, shown, style, scale)
    axes.set_title(panel.title, loc="left", fontsize=11)
    axes.set_xlabel(over)
    axes.set_ylabel(panel.unit)
    axes.set_xlim(left=0)
    axes.grid(axis="y", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if len(panel.lines) > 1:
        dashes = [_sample(color="#444444", dashed=line.is_dashed) for line in panel.lines]
        axes.legend(dashes, [line.label for line in panel.lines], frameon=False, fontsize=8.5, loc="best")


def _draw_line(
    axes: Any, panel: _Panel, line: _Line, rows: Sequence[Any], style: dict[str, str], scale: float
) -> None:
    across = [row[panel.over] * scale for row in rows]
    up = [row[line.column] * panel.factor for row in rows]
    axes.plot(
        across, up, linestyle="--" if line.is_dashed else "-", linewidth=1.3 if line.is_dashed else 1.8,
        markersize=4.5, markevery=max(1, -(-len(rows) // _MARKS)),
        markerfacecolor="white" if line.is_dashed else style["color"], **style,
    )  # fmt: skip
    if line.error and all(line.error in row for row in rows):
        low, high = (
            [y + sign * 2 * row[line.error] for y, row in zip(up, rows, strict=True)] for sign in (-1, 1)
        )
        axes.fill_between(across, low, high, color=style["color"], alpha=0.15, linewidth=0)


def _over(column: str, runs: Sequence[TrainedRun]) -> tuple[str, float]:
    """How an axis is called, and what its figures are multiplied by: small runs are counted one by one."""
    most = max(run.curves[-1].get(column, 0.0) for run in runs)
    name, scale = _OVER[column]
    if column == "seconds" or most >= max(1e4, 1 / scale):
        return name, scale
    unit = 1e-3 if most >= 1e4 else 1.0
    return name.partition(",")[0] + (", thousands" if unit < 1 else ""), unit


def _sample(color: str, marker: str = "", dashed: bool = False) -> Any:
    """A piece of line for a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=color, marker=marker, linestyle="--" if dashed else "-", linewidth=1.6, markersize=5
    )


def _name(run: TrainedRun, runs: Sequence[TrainedRun]) -> str:
    """The name of a run's folder, with as much before it as tells it from the others."""
    names: list[Callable[[TrainedRun], str]] = [
        lambda one: one.folder.resolve().name,
        lambda one: str(one.folder),
    ]
    for name in names:
        if sum(name(other) == name(run) for other in runs) == 1:
            return name(run)
    return str(run.folder)
