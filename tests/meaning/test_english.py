"""Meanings in English, pinned in a file to be read: english.txt."""

from pathlib import Path

import pytest
from hypothesis import given
from tests.meaning.strategies import conditions

from bidlab.meaning.conditions import Condition
from bidlab.meaning.meaning import Meaning

GOLDEN = Path(__file__).parent / "english.txt"


def golden() -> list[list[str]]:
    """The meanings of the file, each as given, as printed, short and long."""
    blocks = GOLDEN.read_text(encoding="utf-8").split("\n\n")[1:]  # the first one explains
    return [[line.strip() for line in block.strip().splitlines()] for block in blocks]


@pytest.mark.parametrize("block", golden(), ids=lambda block: block[0])
def test_english_of_representative_meanings(block: list[str]) -> None:
    given_text, printed, short, long = block
    meaning = Meaning.parse(given_text)
    assert (str(meaning), meaning.short(), meaning.long()) == (printed, short, long)


def test_the_file_has_thirty_meanings() -> None:
    assert len(golden()) >= 30


@given(conditions())
def test_every_meaning_can_be_said(condition: Condition) -> None:
    meaning = Meaning(condition)
    for text in (meaning.short(), meaning.long()):
        assert text and "None" not in text and "{" not in text and "  " not in text
    assert meaning.long().endswith(".")
