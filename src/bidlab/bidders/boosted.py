"""The boosted bidder: another bidder with the seeds that `bidlab boost` chose for it.

A run's folder has them in `choices.json`: the bidder's text, and for each choice the seeds with their shares.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.kinds import Asked
from bidlab.bidders.registry import bidder, meant
from bidlab.bridge.calls import Auction
from bidlab.bridge.errors import BidlabError, FormatError, did_you_mean, quoted
from bidlab.meaning.meaning import Meaning
from bidlab.runs import seed_at
from bidlab.table.auctions import FIRST_BID
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import ViewBatch

CHOICES_FILE, _FORMAT, _VERSION = "choices.json", "bidlab chosen seeds", 1
SITUATION = "situation"
HEIGHTS = ("low", "middle", "high")  # of the bidding when a call is to be made
_THREE_CLUBS, _THREE_NOTRUMP = FIRST_BID + 10, FIRST_BID + 14


def height_of(last_bid: int) -> int:
    """How high the bidding is by its last bid, 0 where there is none: below 3C, 3C to 3S, 3NT and above.

    >>> [HEIGHTS[height_of(bid)] for bid in (0, 12, 13, 16, 17, 37)]
    ['low', 'low', 'middle', 'middle', 'high', 'high']
    """
    return 0 if last_bid < _THREE_CLUBS else 1 if last_bid < _THREE_NOTRUMP else 2


@dataclass(frozen=True)
class ChosenSeeds:
    """What a run chose: the bidder, seeds with their shares by the name of a choice, seeds by height."""

    bidder: str
    weights: Mapping[str, Mapping[int, float]]
    by_height: Mapping[str, int] | None = None

    def to_json(self) -> str:
        """The text of the file."""
        held: dict[str, Any] = {"format": _FORMAT, "version": _VERSION, "bidder": self.bidder}
        held["choices"] = {
            name: {str(seed): share for seed, share in seeds.items()} for name, seeds in self.weights.items()
        }
        if self.by_height is not None:
            held[SITUATION] = dict(self.by_height)
        return json.dumps(held, indent=1) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The choices of a run's folder; an error of one line where there are none."""
        path = folder / CHOICES_FILE
        if not path.is_file():
            hint = f"; bidlab boost --resume {folder} goes on" if (folder / "run.json").is_file() else ""
            raise BidlabError(f"{folder} has no chosen seeds: there is no {CHOICES_FILE} in it{hint}")
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            if held["format"] != _FORMAT or held["version"] != _VERSION:
                raise ValueError(f'"format": "{_FORMAT}" in version {_VERSION} is wanted')
            weights = {
                name: {int(seed): float(share) for seed, share in seeds.items()}
                for name, seeds in held["choices"].items()
            }
            by_height = held.get(SITUATION)
            if by_height is not None and set(by_height) != set(HEIGHTS):
                raise ValueError(f"seeds for {', '.join(HEIGHTS)} are wanted in {SITUATION}")
            if any(
                not seeds or min(seeds.values()) < 0 or not sum(seeds.values()) for seeds in weights.values()
            ):
                raise ValueError("shares of seeds that are positive are wanted")
            return cls(str(held["bidder"]), weights, by_height)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            said = f"no {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
            raise FormatError(f"{path} cannot be read: {said}") from None

    @property
    def names(self) -> tuple[str, ...]:
        """The choices that there are."""
        return (*self.weights, *((SITUATION,) if self.by_height is not None else ()))


class Boosted(Bidder):
    """Bids as one of several bidders that differ in their seed alone.

    Of a mixture every player draws a member from the bidder's own seed, the dealer, the vulnerability and his
    own hand, which is all that he knows before the first call. So he keeps it through the auction, over many
    boards members come up by their shares, and it repeats. Partners draw apart: no player's view has anything
    that names the board for both of them, so that on a board of a mixture a pair may bid with two seeds.

    A choice by situation takes the seed of the height of the bidding when the call is made: see `height_of`.
    """

    def __init__(
        self, name: str, members: list[Bidder], shares: list[float], seed: int, by_height: list[int] | None
    ) -> None:
        self.name, self._members, self._seed = name, members, seed
        self._bounds = np.cumsum(shares) / sum(shares)
        self._by_height = by_height  # the member for each height

    def decide(self, view: SeatView) -> Decision:
        """The call of the member that is drawn for this player."""
        member = int(self._drawn(ViewBatch.of([view]))[0])
        return self._members[member].decide(view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The calls of the members that are drawn, each asked once."""
        drawn = self._drawn(views)
        calls = np.zeros(len(views), dtype=np.uint8)
        meanings: list[Meaning | None] = [None] * len(views)
        simulated = np.zeros(len(views), dtype=bool)
        tells = len(views) > 0
        for number in np.unique(drawn).tolist():
            which = np.flatnonzero(drawn == number)
            decided = self._members[number].decide_many(views.rows(which))
            calls[which] = decided.calls
            for place, meaning in zip(which.tolist(), decided.meanings or (), strict=False):
                meanings[place] = meaning
            if decided.simulated is None:
                tells = False
            else:
                simulated[which] = decided.simulated
        shown = meanings if any(meaning is not None for meaning in meanings) else None
        return Decisions(calls, shown, simulated if tells else None)

    def _drawn(self, views: ViewBatch) -> NDArray[np.intp]:
        """The member for each view."""
        if self._by_height is not None:
            bids = np.where(views.calls >= FIRST_BID, views.calls, 0).max(axis=1, initial=0)
            return np.array([self._by_height[height_of(bid)] for bid in bids.tolist()], dtype=np.intp)
        if len(self._members) == 1:
            return np.zeros(len(views), dtype=np.intp)
        seen = zip(views.hands.tolist(), views.dealers.tolist(), views.vulnerable.tolist(), strict=True)
        # The upper 53 bits as a fraction below one.
        drawn = [(seed_at(self._seed, *one) >> 11) / (1 << 53) for one in seen]
        return np.searchsorted(self._bounds[:-1], drawn, side="right").astype(np.intp)

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says by the first member; seeds change calls, not the system."""
        return self._members[0].meaning(auction)

    def close(self) -> None:
        """Close all members."""
        for member in self._members:
            member.close()


def boosted(asked: Asked) -> Boosted:
    """The bidder of a run with the seeds of one of its choices."""
    assert asked.argument is not None
    chosen = ChosenSeeds.read(Path(asked.argument))
    name = asked.parameters.get("choice", "best")
    if name not in chosen.names:
        raise BidlabError(
            f"no choice {quoted(name)}{did_you_mean(name, chosen.names)} in {asked.argument}: "
            f"it has {', '.join(chosen.names)}"
        )
    seeds: dict[int, float]
    by_height = None
    if name == SITUATION:
        assert chosen.by_height is not None
        seeds = dict.fromkeys(chosen.by_height.values(), 1.0)
        by_height = [list(seeds).index(chosen.by_height[height]) for height in HEIGHTS]
    else:
        seeds = {seed: share for seed, share in chosen.weights[name].items() if share > 0}
    inner = meant(chosen.bidder)[1]
    members = [bidder(inner.with_seed(seed)) for seed in seeds]
    text = asked.text if "seed" in asked.parameters or not asked.seed else f"{asked.text},seed={asked.seed}"
    return Boosted(text, members, list(seeds.values()), asked.seed, by_height)
