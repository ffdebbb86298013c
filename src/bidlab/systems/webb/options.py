"""What systems may ask and bid beyond the thesis (its chapter 6), each by a name.

An option gives a meaning to numbers of types or to bits that mean something else, or nothing, without it;
`native/webb/program.hpp` has the layout, docs/evolution.md says what each is.
"""

from __future__ import annotations

from collections.abc import Iterable

from bidlab.bridge.errors import BidlabError, did_you_mean, quoted

# In the order of their bits in native/webb/program.hpp.
OPTIONS = (
    "bidding",
    "vulnerability",
    "controls",
    "points",
    "losers",
    "shape",
    "holdings",
    "fit",
    "named-suits",
    "suit-bids",
)


def options_of(names: Iterable[str]) -> tuple[str, ...]:
    """The options of these names, each once and in order; "all" stands for all of them.

    >>> options_of(["shape", "bidding"])
    ('bidding', 'shape')
    """
    asked = set(names)
    for name in asked - {*OPTIONS, "all"}:
        raise BidlabError(
            f"no option {quoted(name)}{did_you_mean(name, OPTIONS)}: {', '.join(OPTIONS)} or all are wanted"
        )
    return OPTIONS if "all" in asked else tuple(name for name in OPTIONS if name in asked)


def options_mask(options: Iterable[str]) -> int:
    """The options as the kernel has them, a bit each.

    >>> options_mask(("bidding", "shape"))
    33
    """
    return sum(1 << OPTIONS.index(name) for name in options)
