"""Runs: folders that a long computation leaves, and goes on from after it was killed at any moment."""

from bidlab.runs.folder import Checkpoint, RunFolder
from bidlab.runs.seeds import seed_at

__all__ = ["Checkpoint", "RunFolder", "seed_at"]
