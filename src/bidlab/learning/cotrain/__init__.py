"""Co-training: partners learn decision networks from their own look-ahead and hand them to each other."""

from bidlab.learning.cotrain.curve import LogFit, Point
from bidlab.learning.cotrain.networks import Network, NetworkRule
from bidlab.learning.cotrain.records import CoTrainingRun, Trial, read_run
from bidlab.learning.cotrain.running import CoTraining, Tick
from bidlab.learning.cotrain.settings import Settings

__all__ = [
    "CoTraining",
    "CoTrainingRun",
    "LogFit",
    "Network",
    "NetworkRule",
    "Point",
    "Settings",
    "Tick",
    "Trial",
    "read_run",
]
