"""What all tests share."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# `make test` tries the same examples every time, `make test-full` many new ones.
settings.register_profile(
    "bidlab", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "full", deadline=None, max_examples=1000, suppress_health_check=list(HealthCheck), print_blob=True
)
settings.load_profile("bidlab")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of files from outside, beside the checkout; tests that need it skip where it is absent."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no files from outside: {folder} is absent")
    return folder
