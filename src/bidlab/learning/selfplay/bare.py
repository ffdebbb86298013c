"""Starts the training where bidlab is not installed: python src/bidlab/learning/selfplay/bare.py imitate ...

`import bidlab` needs the extension and more; this lets the training's modules be found without it.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType

_PACKAGE = Path(__file__).resolve().parents[2]


def stand_in() -> None:
    """Put empty packages in the places of `bidlab` and `bidlab.learning`."""
    for name, folder in (("bidlab", _PACKAGE), ("bidlab.learning", _PACKAGE / "learning")):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package


if __name__ == "__main__":
    # Python puts this folder first, where `selfplay.py` and others would be found under bare names.
    sys.path = [place for place in sys.path if Path(place or ".").resolve() != _PACKAGE / "learning/selfplay"]
    stand_in()
    runpy.run_module("bidlab.learning.selfplay", run_name="__main__", alter_sys=True)
