"""What tests of the package's own modules need: those that import torch are left out where it is absent."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["src/bidlab/learning/selfplay/*"]
