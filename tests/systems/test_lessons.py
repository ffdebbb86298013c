"""Twenty auctions explained, as the golden file has them."""

from pathlib import Path

import pytest
from tests.systems.lessons import AUCTIONS, lesson_text

GOLDEN = Path(__file__).parent / "files" / "lessons.txt"
LESSONS = GOLDEN.read_text(encoding="utf-8").rstrip().split("\n\n")


def test_every_auction_has_its_lesson() -> None:
    assert [lesson.splitlines()[0] for lesson in LESSONS] == list(AUCTIONS)


@pytest.mark.parametrize("lesson", LESSONS, ids=AUCTIONS)
def test_auction_is_explained_as_before(lesson: str) -> None:
    assert lesson_text(lesson.splitlines()[0]) == lesson
