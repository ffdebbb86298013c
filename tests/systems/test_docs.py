"""The page about the system language: its examples load, and every word of its tables is read."""

import re
from pathlib import Path

import pytest
from tests.systems.auctions import calls_at, meaning_at, rule_at, shown

from bidlab.bridge.cards import Suit
from bidlab.systems.checking import check_system
from bidlab.systems.system import System

PAGE = (Path(__file__).parents[2] / "docs" / "system-language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```bids\n(.*?)```", PAGE, re.DOTALL)


def words_of(title: str) -> list[str]:
    """What stands in backquotes in the first column of the table under a title."""
    section = PAGE.partition(f"{title}\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row)]


def test_the_small_system_bids() -> None:
    small = System.parse(EXAMPLES[0])
    assert small.title == "four lines of openings and what follows"
    assert calls_at(small, "") == ["1N", "1H", "1S", "1D", "1C", "2H", "2S", "P"]
    assert meaning_at(small, "1N P", "3N", partner=shown(hcp=(15, 17))) == "10+"
    assert calls_at(small, "1N P 2C X") == ["XX", "2H", "2S", "P"]
    assert rule_at(small, "1H P", "2N").effects.agrees == Suit.HEARTS
    assert meaning_at(small, "1H P 2N P", "4H", me=shown(hcp=(12, 21))) == "0-16"
    assert calls_at(small, "1D P 1S P") == ["2S", "3S", "1N"]


def test_the_small_system_checks_clean(tmp_path: Path) -> None:
    file = tmp_path / "small-club.bids"
    file.write_text(EXAMPLES[0], encoding="utf-8")
    assert not check_system(str(file)).findings


def test_the_convention_stands_over_one_notrump() -> None:
    assert calls_at(System.parse(EXAMPLES[1]), "1N P") == ["2C"]
    assert calls_at(System.parse(EXAMPLES[1]), "1N X") == ["XX"]


@pytest.mark.parametrize("header", words_of("## Headers: where rules apply"))
def test_every_header_is_read(header: str) -> None:
    if header not in ("M", "oM", "m", "om", "X", "Y", "Z", "W"):
        System.parse(f"{header}\n  7N  30+")


@pytest.mark.parametrize("qualifier", words_of("### Qualifiers"))
def test_every_qualifier_is_read(qualifier: str) -> None:
    System.parse(f"1M 2X 3Y, {qualifier}\n  7N  30+")


@pytest.mark.parametrize("condition", words_of("## Conditions: which hand"))
def test_every_relative_condition_is_read(condition: str) -> None:
    is_suit = condition.endswith(" suit") and not condition[0].isdigit()
    System.parse(f"1M 2X\n  7N  {'3+ in ' if is_suit else ''}{condition}")


@pytest.mark.parametrize("effect", words_of("## Effects: what a call does"))
def test_every_effect_is_read(effect: str) -> None:
    System.parse(f"1M\n  7N  30+  {effect}")
