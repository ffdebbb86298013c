"""What all tests need, those of the package's own modules and of the documents too."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

# Modules that import torch are left out where it is absent.
collect_ignore_glob = [] if find_spec("torch") else ["src/bidlab/learning/selfplay/*"]


@pytest.fixture(scope="session", autouse=True)
def _caches_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Systems that were read are kept in a folder of the tests, not in the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
        yield
