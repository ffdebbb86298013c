"""What a co-training is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from bidlab.bridge.errors import BidlabError
from bidlab.runs.folder import check_settings

POINTS = (0, 1, 2, 4, 8, 16, 25)  # networks after which a pair is measured, those of the curve


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the result of a co-training depends on."""

    networks: int = 25  # to learn
    seed: int = 1
    samples: int = 64  # deals of a thought
    thinking: str = "tricks=guessed,margin=1.5,noise=3"  # of the thinkers; solving takes far longer
    opponents: str = "natural"  # who sits at the other side when the pair practises and networks are tried
    control: str = "natural"  # the pair that it is measured against
    practice: int = 200  # boards bid to find the situation where most is to be gained
    lessons: int = 500  # hands that a network is learned from
    leaves: int = 12
    calls: int = 10  # that a network chooses from
    trial: int = 1000  # boards with the situation that a network is tried on, at most
    gain: float = 0.6  # IMPs a board of these that the sequential test is for
    error: float = 0.2  # its chance of either wrong answer
    tries: int = 60_000  # boards that are looked through for those with a situation
    measured: int = 600  # boards against the control pair; 0: the pair is not measured
    set_aside: int = 20  # situations in a row whose networks were dropped, before the run gives up

    def __post_init__(self) -> None:
        for name, least, most in _RANGES:
            given = getattr(self, name)
            if not least <= given <= most:
                raise BidlabError(f"{name} {given}: {least:g} to {most:,} are possible")

    def thinker(self, file: str) -> str:
        """The text that makes a player of the pair with a system's file."""
        more = f",{self.thinking}" if self.thinking else ""
        return f"thinker:{file},samples={self.samples},seed={self.seed}{more}"

    @property
    def points(self) -> tuple[int, ...]:
        """After how many networks the pair is measured."""
        if not self.measured:
            return ()
        return tuple(sorted({*(one for one in POINTS if one < self.networks), self.networks}))

    def to_json(self) -> dict[str, Any]:
        """The settings as a run's folder has them."""
        return asdict(self)

    @classmethod
    def from_json(cls, given: Mapping[str, Any], source: str) -> Self:
        """The settings of a run's folder."""
        check_settings(cls, given, source)
        return cls(**given)


_RANGES: tuple[tuple[str, float, float], ...] = (
    ("networks", 1, 1000),
    ("seed", 0, (1 << 63) - 1),
    ("samples", 1, 100_000),
    ("practice", 1, 1_000_000),
    ("lessons", 20, 1_000_000),
    ("leaves", 2, 100),
    ("calls", 2, 38),
    ("trial", 32, 1_000_000),
    ("gain", 0.01, 24),
    ("error", 0.001, 0.4),
    ("tries", 100, 1_000_000_000),
    ("measured", 0, 10_000),
    ("set_aside", 1, 1000),
)
