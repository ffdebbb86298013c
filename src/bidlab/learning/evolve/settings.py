"""What an evolution is asked for: Woolever's parameters (2001, chapter 4 and table 5.1), and presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self, TypeVar

from bidlab.bridge.errors import BidlabError, FormatError, did_you_mean
from bidlab.runs.folder import check_settings
from bidlab.systems.webb import OPTIONS, Rules, options_of, turns_a_round
from bidlab.systems.webb.climbing import TURN_BOARDS, Steps
from bidlab.systems.webb.entries import MOST_ENTRIES
from bidlab.systems.webb.system import MOST_INHERITANCE, MOST_STATES

SEEDINGS = ("random", "micro", "skeleton")
SEARCHES = ("tournament", "climb")
_MEASURED_SHARE = 50  # of the boards one in so many is bid to measure, where that is enough for some reports
_FEWEST_REPORTS, _MOST_REPORTS = 20, 300


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the result of an evolution depends on."""

    boards: int = 173_000_000  # of members: a table is one for each of two
    population: int = 128
    islands: int = 1
    states: int = 4
    entries: int = 8
    inheritance: int = 3
    rules: Rules = field(default_factory=Rules)
    migration: float = 0.0  # share of the replacements that come from another island
    later_migration: float | None = None  # the share from `later_from` of the boards on
    later_from: float = 1.0
    seeding: str = "random"
    start: tuple[str, ...] = ()  # files and runs whose systems are the first members
    seed: int = 1
    deals: str = "train"
    exchange: int = 10  # rounds between two looks at the bests of other islands
    measured: int = 10_000  # boards of `tune` that a best system is measured on
    reports: int = 0  # how often; 0: by the number of boards
    options: tuple[str, ...] = ()  # what systems ask and bid beyond the thesis
    search: str = "tournament"  # or "climb": by small steps, the members are the parents
    steps: Steps = field(default_factory=Steps)  # of a climb

    def __post_init__(self) -> None:
        self._check_range("population", 1 if self.is_climb else 2, 100_000, "members")
        self._check_range("islands", 1, 10_000, "islands")
        self._check_range("states", 1, MOST_STATES, "states")
        self._check_range("entries", 1, MOST_ENTRIES, "entries")
        self._check_range("inheritance", 0, MOST_INHERITANCE, "inherited programs")
        self._check_range("boards", 1, 10**15, "boards")
        self._check_range("seed", 0, (1 << 63) - 1, "as a seed")
        self._check_range("exchange", 1, 10**6, "rounds")
        self._check_range("measured", 1, 10_000, "measured boards")
        for name in ("migration", "later_migration", "later_from"):
            share = getattr(self, name)
            if share is not None and not 0 <= share <= 1:
                raise BidlabError(f"{name} {share}: a share from 0 to 1 is wanted")
        if self.migration and self.islands == 1:
            raise BidlabError(f"migration {self.migration} with one island: --islands 2 or more are wanted")
        for name, known in (("seeding", SEEDINGS), ("search", SEARCHES)):
            if (given := getattr(self, name)) not in known:
                raise BidlabError(
                    f"no {name} {given!r}{did_you_mean(given, known)}: {' or '.join(known)} is wanted"
                )
        if self.options != options_of(self.options):
            raise BidlabError(f"options {', '.join(self.options)}: each once, in the order {OPTIONS}")
        if self.is_climb and self.migration:
            raise BidlabError(f"migration {self.migration} in a climb: its islands are apart")

    def _check_range(self, name: str, least: int, most: int, what: str) -> None:
        given = getattr(self, name)
        if not least <= given <= most:
            hint = ", so that they can play each other" if name == "population" and given < least else ""
            raise BidlabError(f"{name} {given}: {least} to {most:,} {what} are possible{hint}")

    # --- when things happen -------------------------------------------------------------------------------

    @property
    def is_climb(self) -> bool:
        """Whether systems are improved by small steps, not in tournaments."""
        return self.search == "climb"

    @property
    def boards_a_turn(self) -> int:
        """The boards that members of an island play in a turn."""
        return TURN_BOARDS if self.is_climb else self.population - self.population % 2

    @property
    def _turns_a_round(self) -> int:
        return 1 if self.is_climb else turns_a_round(self.population)

    @property
    def turns(self) -> int:
        """The turns of each island, whole rounds: enough for the boards that were asked for."""
        a_round = self.islands * self.boards_a_turn * self._turns_a_round
        return -(-self.boards // a_round) * self._turns_a_round

    @property
    def turns_an_epoch(self) -> int:
        """The turns between two looks at other islands; each island plays them by itself.

        An island without others looks up as often as it is to be measured.
        """
        a_round = self._turns_a_round
        rounds = self.exchange
        if self.islands == 1:
            rounds = max(1, min(rounds, self.turns // a_round // self.report_count))
        return rounds * a_round

    @property
    def epochs(self) -> int:
        """How many there are; the last may be shorter."""
        return -(-self.turns // self.turns_an_epoch)

    def is_reported(self, epoch: int, times: int = 0) -> bool:
        """Whether something that is done so many times, by default the reports, is due after an epoch."""
        times = min(times or self.report_count, self.epochs)
        return epoch * times // self.epochs > (epoch - 1) * times // self.epochs

    @property
    def report_count(self) -> int:
        """How often the run is measured."""
        if self.reports:
            return self.reports
        affordable = self.boards // _MEASURED_SHARE // (self.measured * self.islands)
        return max(_FEWEST_REPORTS, min(_MOST_REPORTS, affordable))

    def migration_at(self, turn: int) -> float:
        """The share of migrants among the replacements from a turn on."""
        if self.later_migration is not None and turn >= self.later_from * self.turns:
            return self.later_migration
        return self.migration

    # --- as JSON ------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """The settings for a run's folder."""
        return asdict(self)

    @classmethod
    def from_json(cls, given: Mapping[str, Any], source: str) -> Self:
        """The settings of a run's folder."""
        check_settings(cls, given, source)
        try:
            rules = Rules(**{**given["rules"], "weights": tuple(given["rules"]["weights"])})
            steps = Steps(**{name: _frozen(value) for name, value in given["steps"].items()})
            lists = {name: tuple(given[name]) for name in ("start", "options")}
            return cls(**{**given, **lists, "rules": rules, "steps": steps})
        except (TypeError, KeyError) as error:
            raise FormatError(f"{source}: {type(error).__name__} {error}") from None


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# Table 5.1. Of run C's boards the last 1.79 of 4.99 thousand million were played with ten times the migrants.
PRESETS: dict[str, Settings] = {
    "run-a": Settings(boards=173_000_000),
    "run-b": Settings(boards=175_000_000, population=256),
    "run-c": Settings(
        boards=4_990_000_000,
        islands=13,
        states=8,
        entries=16,
        migration=1 / 1000,
        later_migration=1 / 100,
        later_from=3.20 / 4.99,
    ),
    # As many boards as run A, with all that goes beyond the thesis.
    "modern": Settings(
        boards=173_000_000,
        population=4,
        states=16,
        entries=24,
        seeding="skeleton",
        options=OPTIONS,
        search="climb",
    ),
}


def preset(name: str) -> Settings:
    """The settings of a preset by name."""
    if name not in PRESETS:
        raise BidlabError(
            f"no preset {name!r}{did_you_mean(name, PRESETS)}: one of {', '.join(PRESETS)} is wanted"
        )
    return PRESETS[name]


T = TypeVar("T", Settings, Rules, Steps)


def changed(settings: T, **changes: Any) -> T:
    """Settings or rules with those changes that are not None."""
    return replace(settings, **{name: value for name, value in changes.items() if value is not None})
