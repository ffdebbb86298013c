"""All that a run has found so far, worked out from its boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bidlab.bidders.boosted import SITUATION, ChosenSeeds
from bidlab.learning.boost.bandits import Bandit
from bidlab.learning.boost.cells import PlayedBoards
from bidlab.learning.boost.choices import Choice, choices
from bidlab.learning.boost.folds import Fold, crossvalidated
from bidlab.learning.boost.luck import Luck, Shrunken, luck_alone, shrunken
from bidlab.learning.boost.matrix import SeedMatrix
from bidlab.learning.boost.records import NEW, BoostRun
from bidlab.learning.boost.settings import PLACE_FOLDS, PLACE_LUCK
from bidlab.learning.boost.situations import Situation, by_contract, by_height, portfolio
from bidlab.learning.boost.swings import Decider, Swings, deciders, swings_of, without_deciders
from bidlab.learning.boost.validating import Confirmation, Planned, confirmations, planned
from bidlab.runs import seed_at

DECIDERS = 10
_Kind = Callable[[SeedMatrix, PlayedBoards, int], tuple[Situation, ...]]


@dataclass(frozen=True)
class Findings:
    """What a run shows; of the matrix nothing before it is complete, of bandits nothing before they are."""

    run: BoostRun

    @cached_property
    def matrix(self) -> SeedMatrix | None:
        """The matrix, once it is complete."""
        return self.run.matrix

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The best seed, the robust few and the Nash mixture."""
        return () if self.matrix is None else choices(self.matrix, self.run.settings.robust_count)

    @cached_property
    def luck(self) -> Luck | None:
        """What luck alone would have shown."""
        if self.matrix is None:
            return None
        return luck_alone(self.matrix, seed_at(self.run.settings.seed, PLACE_LUCK))

    @cached_property
    def shrunken(self) -> Shrunken | None:
        """The strengths of the seeds, their luck taken off."""
        return None if self.matrix is None else shrunken(self.matrix)

    @cached_property
    def folds(self) -> tuple[Fold, ...]:
        """Cross-validation on submatrices."""
        if self.matrix is None:
            return ()
        return crossvalidated(self.matrix, seed_at(self.run.settings.seed, PLACE_FOLDS))

    @cached_property
    def swings(self) -> Swings | None:
        """On how many boards of the matrix the seed made a difference."""
        return None if self.matrix is None else swings_of(self.run.played["matrix"])

    @cached_property
    def deciders(self) -> tuple[Decider, ...]:
        """The boards that decided the best seed's matches."""
        if self.matrix is None:
            return ()
        return deciders(self.matrix, self.run.played["matrix"], int(self.matrix.order[0]), DECIDERS)

    @property
    def without_deciders(self) -> int:
        """The best seed's cumulative score without the boards that it won most by."""
        assert self.matrix is not None
        return without_deciders(self.matrix, int(self.matrix.order[0]), DECIDERS)

    @cached_property
    def by_contract(self) -> tuple[Situation, ...]:
        """Part-scores, games and slams."""
        return self._situations(by_contract)

    @cached_property
    def by_height(self) -> tuple[Situation, ...]:
        """How high the bidding was when the seeds parted."""
        return self._situations(by_height)

    def _situations(self, kind: _Kind) -> tuple[Situation, ...]:
        if self.matrix is None:
            return ()
        return kind(self.matrix, self.run.played["matrix"], seed_at(self.run.settings.seed, PLACE_LUCK, 1))

    @cached_property
    def portfolio(self) -> Mapping[str, int] | None:
        """Seeds by the height of the bidding, where the boards support others than the best."""
        if self.matrix is None:
            return None
        return portfolio(self.by_height, self.matrix.seeds, self.matrix.seeds[self.matrix.order[0]])

    @cached_property
    def picks(self) -> dict[str, int]:
        """The seeds that the bandits took, by their names; those that are not at their end are left out."""
        settings, played = self.run.settings, self.run.played
        bandits = {way: Bandit(way, settings) for way in settings.ways if way != "matrix"}
        return {
            way: bandit.chosen(played[way])
            for way, bandit in bandits.items()
            if not bandit.cells(played[way])
        }

    @cached_property
    def planned(self) -> tuple[Planned, ...]:
        """The matches on new boards; none before all ways are at their end."""
        if not self.run.settings.new_boards or len(self.picks) + (self.matrix is not None) < len(
            self.run.settings.ways
        ):
            return ()
        by_situation = None
        if self.portfolio is not None:
            by_situation = f"boosted:{self.run.folder.resolve()},choice={SITUATION}"
        return planned(self.run.settings, self.matrix, self.picks, by_situation)

    @cached_property
    def confirmations(self) -> tuple[Confirmation, ...]:
        """What came of the matches on new boards."""
        if NEW not in self.run.played:
            return ()
        return confirmations(
            self.run.settings, self.planned, self.run.played[NEW], self.matrix, self.shrunken
        )

    @property
    def chosen(self) -> ChosenSeeds:
        """What `boosted` bids with."""
        weights = {one.name: dict(one.weights) for one in self.choices}
        weights |= {way: {seed: 1.0} for way, seed in self.picks.items()}
        return ChosenSeeds(self.run.settings.bidder, weights, self.portfolio)

    def verdict(self) -> str:
        """In a sentence: whether the seeds differ by more than luck."""
        luck = self.luck
        if luck is None:
            return "The matrix is not complete."
        if self.swings is not None and not self.swings.swings:
            return "No board brought a swing: the seed makes no difference."
        if luck.is_beyond_luck:
            return (
                f"The seeds differ by more than luck: luck alone spreads the scores of equal seeds as much "
                f"in {percent(luck.spread_chance)} of matrices."
            )
        return (
            f"No gain is shown: luck alone spreads the scores of equal seeds as much in "
            f"{percent(luck.spread_chance)} of matrices."
        )


def percent(chance: float) -> str:
    """A chance in words; what no draw or hardly one has shown is told as a bound."""
    return "under 0.1%" if chance < 0.001 else f"{100 * chance:.1f}%"
