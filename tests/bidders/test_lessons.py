"""Thirty boards of the network with what each call shows, as they are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bidders.lessons import lessons

KEPT = Path(__file__).parent / "files" / "network.txt"


def test_calls_and_the_meanings_of_the_book_are_as_kept() -> None:
    """Calls that are not in the book are looked at with the seat and the call alone: estimates take long."""
    kept, found = KEPT.read_text().splitlines(), lessons(estimates=False).splitlines()
    assert len(kept) == len(found) > 400
    for wanted, line in zip(kept, found, strict=True):
        assert wanted == line if not line.endswith("?") else wanted.startswith(line[:-1])
    said = [line for line in kept if line.startswith("   ")]
    assert sum(line.endswith("?") for line in found) < 0.3 * len(said)
    # Few hands are outside what their calls show, and the file says which.
    assert sum("(not this hand)" in line for line in said) < 0.05 * len(said)


@pytest.mark.full
def test_everything_that_is_said_is_as_kept() -> None:
    assert KEPT.read_text() == lessons() + "\n"
