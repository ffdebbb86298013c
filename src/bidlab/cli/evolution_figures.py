"""Pictures of evolutions, as figures 5-1, 5-3 and 5-5 of Woolever 2001 have them.

One population: objective, ages and pushes over the boards that a member has played. Several runs, or islands:
the objectives over each other, and below them what else is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bidlab.bridge.errors import BidlabError
from bidlab.learning.evolve import EvolutionRun, Row

_SUFFIXES = (".png", ".svg", ".pdf")
_COLOURS = ("#12263f", "#b5442e", "#3f7f9f", "#c9982f", "#6b8f3a", "#9a7fb0")
_FEW = 30  # points of a line that are marked
_MANY = 8  # names of lines that have smaller letters
_GREY = "#888888"


def draw_evolution(runs: Sequence[EvolutionRun], path: Path) -> None:
    """Draw runs into a picture file, which is whole or as it was before."""
    if path.suffix.lower() not in _SUFFIXES:
        raise BidlabError(f"no picture {path}: one of the suffixes {' '.join(_SUFFIXES)} is wanted")
    for run in runs:
        if not run.rows:
            raise BidlabError(f"no progress in {run.folder}: nothing was measured there yet")
    from matplotlib.figure import Figure  # takes half a second: only who draws waits for it

    figure = Figure(figsize=(9.5, 9.0))
    figure.set_layout_engine("constrained", h_pad=0.08)
    objective, ages, pushes = figure.subplots(3, 1, sharex=True, height_ratios=(2.2, 1.3, 1.0))
    lines = [(run, island) for run in runs for island in range(run.settings.islands)]
    unit, factor = _unit(runs)
    for number, (run, island) in enumerate(lines):
        rows = [row for row in run.rows if row.island == island]
        across = [row.boards * factor for row in rows]
        style = {
            "color": _COLOURS[number % len(_COLOURS)],
            "linewidth": 1.1 if len(lines) > 3 else 1.4,
            "alpha": 0.75 if len(lines) > 3 else 1.0,
            "marker": "." if len(rows) < _FEW else "",
        }
        label = _label(runs, run, island) if len(lines) > 1 else ""
        objective.plot(across, [row.objective for row in rows], label=label, **style)
        _draw_ages(ages, across, rows, style, is_alone=len(lines) == 1)
        pushes.plot(across[1:], [100 * row.push_rate for row in rows[1:]], **style)
    _finish(objective, ages, pushes, runs, unit, is_alone=len(lines) == 1)
    partial = path.with_name(f"{path.stem}.partial{path.suffix}")
    figure.savefig(partial, dpi=120)
    partial.replace(path)


def _draw_ages(
    axes: Any, across: list[float], rows: list[Row], style: dict[str, Any], is_alone: bool
) -> None:
    """The oldest and the mean; of many populations the lifetime alone."""
    if is_alone:
        axes.plot(across[1:], [row.highest_age for row in rows[1:]], label="oldest member", **style)
        axes.plot(
            across[1:], [row.mean_age for row in rows[1:]], label="mean", **{**style, "color": _COLOURS[1]}
        )
    lifetime = {**style, "color": _COLOURS[2]} if is_alone else style
    axes.plot(
        across[1:],
        [row.lifetime for row in rows[1:]],
        label="boards a replacement" if is_alone else "",
        **lifetime,
    )


def _finish(
    objective: Any, ages: Any, pushes: Any, runs: Sequence[EvolutionRun], unit: str, is_alone: bool
) -> None:
    from matplotlib.ticker import LogLocator, NullLocator

    # Random systems, and a lucky one that is first for a round, are so far from par that what is learned
    # could not be seen beside them: their peaks leave the picture.
    usual = [median(row.objective for row in run.rows) for run in runs] + [run.passing for run in runs]
    objective.set_ylim(top=min(objective.get_ylim()[1], 1.08 * max(usual)))
    passing = runs[0].passing
    if passing and all(run.passing == passing for run in runs):
        objective.axhline(passing, color=_GREY, linewidth=0.9, linestyle="--")
        objective.annotate(
            "passing always", (1, passing), xycoords=("axes fraction", "data"), xytext=(-2, 3),
            textcoords="offset points", ha="right", fontsize=8.5, color=_GREY,
        )  # fmt: skip
    objective.set_title(_title(runs), loc="left", fontsize=11)
    objective.set_ylabel("IMPs from par, best member")
    ages.set_ylabel("age, boards" if is_alone else "boards a replacement")
    ages.set_yscale("log")
    ages.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ages.yaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
    ages.yaxis.set_minor_locator(NullLocator())
    pushes.set_ylabel("pushes, %")
    pushes.set_ylim(0, 100)
    pushes.set_xlabel(f"boards a member{unit}")
    for axes in (objective, ages, pushes):
        axes.grid(axis="y", color="#dddddd", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlim(left=0)
        if axes.get_legend_handles_labels()[1]:
            many = len(axes.get_legend_handles_labels()[1]) > _MANY
            axes.legend(frameon=False, fontsize=7.5 if many else 8.5, ncols=7 if many else 4)


def _title(runs: Sequence[EvolutionRun]) -> str:
    if len(runs) > 1:
        return "Evolution"
    settings = runs[0].settings
    many = f"{settings.islands} populations" if settings.islands > 1 else "a population"
    return (
        f"{runs[0].folder.resolve().name}: {many} of {settings.population}, "
        f"{settings.states} states of {settings.entries} entries, seed {settings.seed}"
    )


def _label(runs: Sequence[EvolutionRun], run: EvolutionRun, island: int) -> str:
    name = run.folder.resolve().name if len(runs) > 1 else "island"
    return f"{name} {island + 1}" if run.settings.islands > 1 else name


def _unit(runs: Sequence[EvolutionRun]) -> tuple[str, float]:
    """What the boards are counted in, and what they are multiplied by."""
    most = max(run.rows[-1].boards for run in runs)
    if most >= 3_000_000:
        return ", millions", 1e-6
    return (", thousands", 1e-3) if most >= 10_000 else ("", 1.0)
