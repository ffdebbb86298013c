"""What a boosting is asked for: whose seeds, how many, how many boards, and from where they come.

Ventos and others (2017) took 40 seeds and 64 boards a pair, so that the matrix has 49,920 boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property, lru_cache
from math import ceil
from typing import Any, Self

from bidlab.bidders.registry import meant
from bidlab.bridge.errors import BidlabError, FormatError, did_you_mean, quoted
from bidlab.library import library
from bidlab.matches import LibraryBoards, SeededBoards, Source
from bidlab.matches.sources import check_boards
from bidlab.runs import seed_at

WAYS = ("matrix", "ucb", "halving")
DRAWN = "drawn"  # deals of no library, but drawn from the run's seed and solved
_ROBUST_SHARE = 0.1  # of the seeds, where no number of them is asked for

# What a run's seed is for, by the first number of its place.
PLACE_BOARDS, PLACE_NEW, PLACE_FRESH, PLACE_OPPONENT, PLACE_FOLDS, PLACE_LUCK = range(6)


@dataclass(frozen=True)
class Settings:
    """Everything that the result of a boosting depends on."""

    bidder: str
    seeds: int = 40
    boards: int = 64  # that each pair of seeds plays
    first_seed: int = 1
    seed: int = 1  # of the run: boards that are drawn, opponents, folds
    deals: str = "train"
    new_boards: int = 1000  # of each match that confirms the choice
    judged_on: str = DRAWN
    robust: int = 0  # seeds of the robust choice; 0: a tenth of all
    ways: tuple[str, ...] = ("matrix",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "ways", tuple(self.ways))
        kind, _ = meant(self.bidder)
        if "seed" not in kind.parameters:
            raise BidlabError(
                f"{quoted(self.bidder)} has no seeds to choose from: a bidder with a parameter seed is "
                "wanted, as random; bidlab bidders lists them"
            )
        if self.seeds < 2:
            raise BidlabError(f"seeds {self.seeds}: one seed has nobody to play; 2 to 1,000 are possible")
        if self.seeds < 3 and self.ways != ("matrix",):
            raise BidlabError(f"a bandit over {self.seeds} seeds: 3 or more are wanted, or the matrix alone")
        self._check_range("seeds", 2, 1000)
        self._check_range("boards", 1, 100_000)
        self._check_range("new_boards", 0, 10_000_000)
        self._check_range("first_seed", 0, (1 << 62))
        self._check_range("seed", 0, (1 << 63) - 1)
        self._check_range("robust", 0, self.seeds)
        for way in self.ways:
            if way not in WAYS:
                raise BidlabError(
                    f"no way {way!r} to find a seed{did_you_mean(way, WAYS)}: {', '.join(WAYS)} are known"
                )
        if not self.ways or len(set(self.ways)) < len(self.ways):
            raise BidlabError(
                f"ways {', '.join(self.ways) or 'none'}: each once, and at least one, is wanted"
            )

    def _check_range(self, name: str, least: int, most: int) -> None:
        given = getattr(self, name)
        if not least <= given <= most:
            raise BidlabError(f"{name.replace('_', ' ')} {given}: {least} to {most:,} are possible")

    # --- seeds and boards ---------------------------------------------------------------------------------

    @property
    def seed_numbers(self) -> range:
        """The seeds that are compared."""
        return range(self.first_seed, self.first_seed + self.seeds)

    @property
    def pairs(self) -> int:
        """How many pairs of seeds there are."""
        return self.seeds * (self.seeds - 1) // 2

    @property
    def matrix_boards(self) -> int:
        """The boards of the whole matrix, none twice."""
        return self.pairs * self.boards

    @property
    def default_seed(self) -> int:
        """The seed that the bidder has where nobody chooses one: that of its text, else 0."""
        return meant(self.bidder)[1].seed

    @property
    def robust_count(self) -> int:
        """The seeds of the robust choice."""
        return self.robust or min(self.seeds, max(2, ceil(_ROBUST_SHARE * self.seeds)))

    def bidder_with(self, seed: int) -> str:
        """The text of the bidder with a seed."""
        return meant(self.bidder)[1].with_seed(seed)

    @cached_property
    def deal_sets(self) -> tuple[str, str]:
        """The boards to choose by and those to confirm by, as texts that any process reads."""
        return (
            _deal_set(self.deals, seed_at(self.seed, PLACE_BOARDS)),
            _deal_set(self.judged_on, seed_at(self.seed, PLACE_NEW)),
        )

    def check_deals(self, new_boards: int) -> None:
        """Raise where there are too few boards, or boards that may not be learned from or judged by."""
        chosen_by, judged_by = (source_of(one) for one in self.deal_sets)
        if isinstance(chosen_by, LibraryBoards):
            chosen_by.library.for_learning()
            self._check_enough(chosen_by, self.matrix_boards, "--deals")
        if isinstance(judged_by, LibraryBoards):
            judged_by.library.for_judging()
            self._check_enough(judged_by, new_boards, "--judged-on")

    def _check_enough(self, source: LibraryBoards, boards: int, option: str) -> None:
        try:
            check_boards(source, 1, max(1, boards))
        except BidlabError as error:
            raise BidlabError(f"{error}; {option} {DRAWN} draws and solves as many as it takes") from None

    # --- as JSON ------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, held: Mapping[str, Any], where: str) -> Self:
        """Settings that were written; an error where they are not whole."""
        known = {one.name for one in fields(cls)}
        try:
            if set(held) != known:
                raise KeyError(", ".join(sorted(known ^ set(held))))
            return cls(**held)
        except (TypeError, KeyError) as error:
            raise FormatError(f"{where}: settings that cannot be read: {error}") from None


def _deal_set(name: str, seed: int) -> str:
    return f"seed {seed % (1 << 62)}" if name == DRAWN else f"library {name}"


@lru_cache(maxsize=8)
def source_of(deal_set: str) -> Source:
    """The boards of a deal set: "library train", or "seed 7"; one for all of a process."""
    kind, _, name = deal_set.partition(" ")
    return SeededBoards(int(name)) if kind == "seed" else LibraryBoards(library(name))
