"""Pictures of a boosting as SVG: the matrix, scores, cross-validation, Nash weights, new boards."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from bidlab.learning.boost.findings import Findings
from bidlab.learning.boost.folds import SHARES

_DARK, _RED, _BLUE, _GOLD, _GREEN, _GREY = "#12263f", "#b5442e", "#3f7f9f", "#c9982f", "#6b8f3a", "#888888"
_WIDTH = 8.4  # inches


def figures(found: Findings) -> dict[str, str]:
    """Each picture that the run has something for, as SVG by its title."""
    made: dict[str, str] = {}
    if found.matrix is not None:
        made["Cumulative scores"] = _drawn(found, _draw_scores, 3.4)
        made["The matrix"] = _drawn(found, _draw_matrix, 6.6)
        made["Best seed of a submatrix (figure 5)"] = _drawn(found, _draw_best_folds, 3.2)
        made["Best share of a submatrix (figure 6)"] = _drawn(found, _draw_robust_folds, 3.2)
        made["Nash weights"] = _drawn(found, _draw_weights, 2.8)
    if found.confirmations:
        made["Matches on new boards"] = _drawn(found, _draw_matches, 0.8 + 0.45 * len(found.confirmations))
    return made


def _drawn(found: Findings, draw: Any, height: float) -> str:
    """One picture, the same bytes for the same run."""
    from matplotlib import rc_context  # takes half a second: only who draws waits for it
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "bidlab", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(_WIDTH, height))
        figure.set_layout_engine("constrained")
        axes = figure.subplots()
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_axisbelow(True)
        draw(found, figure, axes)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def _draw_scores(found: Findings, figure: Any, axes: Any) -> None:
    """The seeds from the best to the worst, beside the ranks that equal seeds would have by luck."""
    matrix, luck = found.matrix, found.luck
    assert matrix is not None and luck is not None
    order = matrix.order
    places = np.arange(matrix.size)
    axes.bar(places, matrix.scores[order], color=_BLUE, width=0.7)
    axes.axhline(luck.lucky_best, color=_RED, linewidth=1, linestyle="--")
    axes.axhline(-luck.lucky_best, color=_RED, linewidth=1, linestyle="--")
    axes.axhline(0, color=_DARK, linewidth=0.8)
    axes.annotate(
        "best of equal seeds, by luck alone", (1, luck.lucky_best), xycoords=("axes fraction", "data"),
        xytext=(-2, 3), textcoords="offset points", ha="right", fontsize=8.5, color=_RED,
    )  # fmt: skip
    axes.set_xticks(places, [str(matrix.seeds[row]) for row in order], fontsize=_small(matrix.size))
    axes.set_xlabel("seed")
    axes.set_ylabel("IMPs in all")


def _draw_matrix(found: Findings, figure: Any, axes: Any) -> None:
    """R(i, j), rows and columns from the best seed to the worst."""
    matrix = found.matrix
    assert matrix is not None
    order = matrix.order
    sorted_imps = matrix.imps[order][:, order]
    most = max(1.0, float(np.abs(sorted_imps).max()))
    image = axes.imshow(sorted_imps, cmap="RdBu", vmin=-most, vmax=most, interpolation="nearest")
    names = [str(matrix.seeds[row]) for row in order]
    axes.set_xticks(range(matrix.size), names, fontsize=_small(matrix.size), rotation=90)
    axes.set_yticks(range(matrix.size), names, fontsize=_small(matrix.size))
    axes.set_xlabel("against seed")
    axes.set_ylabel("seed")
    figure.colorbar(image, ax=axes, label=f"IMPs of {matrix.boards} boards", shrink=0.8)


def _draw_best_folds(found: Findings, figure: Any, axes: Any) -> None:
    sizes = [fold.size for fold in found.folds]
    lucky = np.array([fold.lucky for fold in found.folds])
    axes.fill_between(sizes, -2 * lucky, 2 * lucky, color=_GREY, alpha=0.2, label="luck alone, 95%")
    axes.plot(sizes, [fold.best for fold in found.folds], color=_DARK, marker=".", label="best seed")
    _finish_folds(axes)


def _draw_robust_folds(found: Findings, figure: Any, axes: Any) -> None:
    sizes = [fold.size for fold in found.folds]
    for place, (share, colour) in enumerate(zip(SHARES, (_RED, _BLUE, _GOLD, _GREEN), strict=True)):
        values = [fold.robust[place] for fold in found.folds]
        axes.plot(sizes, values, color=colour, marker=".", label=f"best {100 * share:.0f}%")
    _finish_folds(axes)


def _finish_folds(axes: Any) -> None:
    axes.axhline(0, color=_DARK, linewidth=0.8)
    axes.grid(axis="y", color="#dddddd", linewidth=0.7)
    axes.set_xlabel("seeds of the submatrix")
    axes.set_ylabel("IMPs a match against the rest")
    axes.legend(frameon=False, fontsize=8.5, ncols=4)


def _draw_weights(found: Findings, figure: Any, axes: Any) -> None:
    nash = found.choices[2].weights
    axes.bar(range(len(nash)), [100 * share for _, share in nash], color=_GOLD, width=0.7)
    axes.set_xticks(range(len(nash)), [str(seed) for seed, _ in nash], fontsize=_small(len(nash)))
    axes.set_xlabel("seed")
    axes.set_ylabel("share, %")


def _draw_matches(found: Findings, figure: Any, axes: Any) -> None:
    """Means with two standard errors; a mark where the matrix, its luck taken off, expects them."""
    shown = found.confirmations[::-1]
    for place, one in enumerate(shown):
        axes.errorbar(
            one.plain.mean, place, xerr=2 * one.plain.stderr, color=_DARK, marker="o", capsize=3, markersize=4
        )
        if one.expected is not None:
            axes.plot(one.expected, place, color=_RED, marker="|", markersize=14, linestyle="")
    axes.axvline(0, color=_GREY, linewidth=0.8)
    axes.set_yticks(range(len(shown)), [one.what for one in shown], fontsize=9)
    axes.set_ylim(-0.6, len(shown) - 0.4)
    axes.set_xlabel("IMPs a board, with two standard errors; | expected from the matrix")


def _small(names: int) -> float:
    return 9.0 if names <= 20 else 7.0 if names <= 45 else 4.5
