"""What many hands are like: how often each count of a feature comes up, in text and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SUITS, Seat
from bidlab.bridge.errors import BidlabError
from bidlab.meaning.features import CONTROLS, HCP, LOSERS, feature_table, length

_SHOWN = {
    "points": HCP,
    **{suit.word: length(suit) for suit in reversed(SUITS)},
    "controls": CONTROLS,
    "losers": LOSERS,
}
_SUFFIXES = (".png", ".svg", ".pdf")
_BAR = 40  # characters of the longest


class Histogram(NamedTuple):
    """The values of a feature that come up, and the share of each."""

    values: list[int]
    shares: list[float]

    @property
    def mean(self) -> float:
        """The mean value."""
        return sum(value * share for value, share in zip(self.values, self.shares, strict=True))


Histograms = dict[str, Histogram]  # by the name that people read


def histograms(hands: NDArray[np.uint64]) -> Histograms:
    """How often each count comes up among hands, for points, suits, controls and losers."""
    table = feature_table(hands)
    found = {}
    for name, feature in _SHOWN.items():
        values, counts = np.unique(table[:, feature.number], return_counts=True)
        found[name] = Histogram(values.tolist(), (counts / len(hands)).tolist())
    return found


def histogram_lines(found: Histograms) -> Iterator[str]:
    """The points as bars, the rest a line each."""
    points = found["points"]
    most = max(points.shares)
    for i, (value, share) in enumerate(zip(points.values, points.shares, strict=True)):
        head = "points" if i == 0 else ""
        yield f"{head:<9}{value:>2}  {_bar(share / most):<{_BAR}} {_percent(share)}".rstrip()
    for name, one in found.items():
        if name != "points":
            values = zip(one.values, one.shares, strict=True)
            listed = "  ".join(f"{value}: {_percent(share)}" for value, share in values if share >= 0.0005)
            yield f"{name:<9}mean {one.mean:<5.3g} {listed}"


def _bar(part: float) -> str:
    """A bar of blocks, to an eighth of a character."""
    eighths = round(8 * _BAR * part)
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def plot_histograms(
    shown: Mapping[Seat, Histograms], titles: Mapping[Seat, str], source: str, file: str
) -> None:
    """Draw points, lengths and losers of each seat, one row a seat, into a picture file."""
    path = Path(file)
    if path.suffix.lower() not in _SUFFIXES:
        raise BidlabError(f"no picture {file}: one of the suffixes {' '.join(_SUFFIXES)} is wanted")
    from matplotlib.figure import Figure  # takes half a second: only who draws waits for it

    figure = Figure(figsize=(11, 0.6 + 2.6 * len(shown)), layout="constrained")
    rows = figure.subplots(len(shown), 3, squeeze=False)
    for (seat, found), (left, middle, right) in zip(shown.items(), rows, strict=True):
        left.set_title(titles[seat], loc="left", fontsize=11)
        left.bar(found["points"].values, found["points"].shares, color="#34618d")
        left.set_xlabel("high-card points")
        for i, (suit, colour) in enumerate(zip(reversed(SUITS), _COLOURS, strict=True)):
            one = found[suit.word]
            places = np.array(one.values) + (i - 1.5) * 0.2
            middle.bar(places, one.shares, width=0.2, color=colour, label=suit.word)
        middle.set_xlabel("cards of a suit")
        middle.legend(frameon=False, fontsize=8)
        right.bar(found["losers"].values, found["losers"].shares, color="#5b8c5a")
        right.set_xlabel("losers")
        for axes in (left, middle, right):
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
            axes.spines[["top", "right"]].set_visible(False)
    figure.supxlabel(source, fontsize=9, color="#555555")
    figure.savefig(path, dpi=120)


_COLOURS = ("#2b3a67", "#c8553d", "#e6a23c", "#4f9d69")  # spades, hearts, diamonds, clubs
