"""Boosting a bidder by its random seed (Ventos and others 2017): the best one, a robust few, a Nash mixture.

docs/boosting.md shows how, and says what a run's folder holds.
"""

from bidlab.learning.boost.findings import Findings
from bidlab.learning.boost.matrix import SeedMatrix
from bidlab.learning.boost.records import BoostRun, read_run
from bidlab.learning.boost.running import Boosting, Tick
from bidlab.learning.boost.settings import Settings

__all__ = ["BoostRun", "Boosting", "Findings", "SeedMatrix", "Settings", "Tick", "read_run"]
