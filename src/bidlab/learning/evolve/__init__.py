"""Evolution of bidding systems in tournaments (Woolever 2001): settings, seeding, islands, runs.

docs/evolution.md has the rules and what a run's folder holds.
"""

from bidlab.learning.evolve.records import EvolutionRun, Row, read_run
from bidlab.learning.evolve.running import Evolution, Tick
from bidlab.learning.evolve.settings import PRESETS, Settings, changed, preset

__all__ = [
    "PRESETS",
    "Evolution",
    "EvolutionRun",
    "Row",
    "Settings",
    "Tick",
    "changed",
    "preset",
    "read_run",
]
