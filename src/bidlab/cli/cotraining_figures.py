"""The picture of a co-training: how strong the pair is after so many networks, and Emmons' logarithm."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bidlab.bridge.errors import BidlabError
from bidlab.learning.cotrain import CoTrainingRun, LogFit

_SUFFIXES = (".png", ".svg", ".pdf")
_DARK, _RED, _GREY = "#12263f", "#b5442e", "#888888"


def draw_curve(run: CoTrainingRun, path: Path) -> None:
    """Draw a run's points into a picture file, which is whole or as it was before."""
    if path.suffix.lower() not in _SUFFIXES:
        raise BidlabError(f"no picture {path}: one of the suffixes {' '.join(_SUFFIXES)} is wanted")
    if not run.points:
        raise BidlabError(f"no points in {run.folder}: the pair was not measured there yet")
    from matplotlib.figure import Figure  # takes half a second: only who draws waits for it
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7.5, 4.8))
    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    axes.errorbar(
        [point.networks for point in run.points],
        [point.mean for point in run.points],
        yerr=[point.stderr for point in run.points],
        fmt="o", color=_DARK, capsize=3, markersize=5, label="measured, ± one standard error",
    )  # fmt: skip
    fit = LogFit.of(run.points)
    if fit is not None:
        across = np.linspace(0, max(1, run.points[-1].networks), 200)
        sign = "-" if fit.b < 0 else "+"
        label = f"{fit.a:.2f} {sign} {abs(fit.b):.2f} ln(1 + n), chi² {fit.chi2:.1f} for {fit.freedom}"
        axes.plot(across, [fit.at(n) for n in across], color=_RED, linewidth=1.2, label=label)
    axes.axhline(0, color=_GREY, linewidth=0.8, linestyle="--")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("networks learned")
    axes.set_ylabel(f"IMPs a board against {run.settings.control}")
    axes.set_title(f"{run.folder.resolve().name}: seed {run.settings.seed}", loc="left", fontsize=11)
    axes.grid(axis="y", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9)
    partial = path.with_name(f"{path.stem}.partial{path.suffix}")
    figure.savefig(partial, dpi=120)
    partial.replace(path)
