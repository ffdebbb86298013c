"""bidlab hand, as a user types it."""

import json
from pathlib import Path

import pytest
from tests.cli.saying import fails

from bidlab.meaning.features import FEATURES, SUIT_KINDS

HAND = "AKQ2.T83.KQ9.A76"
PAGE = Path(__file__).parents[2] / "docs" / "meaning.md"


@pytest.fixture
def said(said):
    """The same, for this command."""
    return lambda *words: said("hand", *words)


def test_a_hand_is_counted_suit_by_suit_and_classed(said) -> None:
    status, out, err = said(HAND)
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == ["♠ AKQ2  ♥ T83  ♦ KQ9  ♣ A76", ""]
    assert "18 high-card, 18 with length, 18 adjusted, 17.741 by WEBB's weights" in out
    assert "4 quick, 6½ playing; 6 losers" in out and "6: 2 aces and 2 kings" in out
    assert "♦ KQ9       3    5      2      2       +1       1     full   second     3       18  -\n" in out
    assert out.splitlines()[-5:] == [
        "Strong opener:",
        "  18 high-card points",
        "  4-3-3-3 shape -½",
        "  -½ in all, the half dropped: 18 adjusted points",
        "  18 adjusted points, 18 or 19: a strong opening",
    ]


def test_the_page_shows_what_the_command_prints(said) -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("    $ bidlab hand "))
    shown = []
    for line in lines[start + 1 :]:
        if line and not line.startswith("    "):
            break
        shown.append(line[4:])
    assert said(lines[start].split()[-1])[1].splitlines() == "\n".join(shown).rstrip().splitlines()


def test_columns_of_the_table_stand_below_their_heads_in_freak_hands(said) -> None:
    table = said("-.AKQJT98765432.-.-")[1].split("\n\n")[2].splitlines()
    heads, spades, hearts = table[:3]
    for head in heads.split()[:-1]:
        end = heads.index(head) + len(head)
        assert spades[end] == hearts[end] == " " and spades[end - 1] != " " and hearts[end - 1] != " "
    assert hearts.endswith("  solid") and spades.startswith("♠ - ")


def test_json_holds_everything(said) -> None:
    shown = json.loads(said("KQT964.K.QJ3.752", "--json")[1])
    assert (shown["hand"], shown["class"], shown["hcp"], shown["webb"]) == (
        "KQT964.K.QJ3.752",
        "invitational",
        11,
        9.934,
    )
    assert (shown["quick tricks"], shown["playing tricks"]) == (1.0, 5.0)
    assert shown["suits"]["S"]["quality"] == 3 and list(shown["suits"]) == ["S", "H", "D", "C"]
    assert len(shown["cards"]) == 13 and "SK" in shown["cards"]
    assert "king alone in hearts -1" in shown["reasons"]
    totals = [feature.kind for feature in FEATURES if feature.suit is None and feature.card is None]
    assert set(totals) < set(shown)
    assert all(list(suit) == list(SUIT_KINDS) for suit in shown["suits"].values())


def test_help_shows_an_example(said) -> None:
    status, out, _ = said("--help")
    assert status == 0 and 'bidlab hand "AKQ2.T83.KQ9.A76"' in out


def test_what_is_wrong_is_said_in_one_line(said) -> None:
    fails(said("AKQ2.T83.KQ9"), "four suits", "AKQ2.T83.KQ9.A76")
    fails(said("AKQ2.T83.KQ9.A7"), "12 cards", "13 are wanted")
    fails(said("AKQ2.T83.KQ9.A7x"), "spot cards must be named")
    fails(said("AKQ1.T83.KQ9.A76"), "'1'")
    fails(said("AKA2.T83.KQ9.A76"), "SA twice")
    fails(said(), "--help")
