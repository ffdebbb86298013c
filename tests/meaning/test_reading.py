"""Reading meanings from text: what is understood, and what is said about the rest."""

import pytest

from bidlab.bridge.errors import NotationError
from bidlab.meaning.meaning import Meaning


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ("15-17 balanced", "15-17, balanced"),
        ("15-17 HCP and balanced", "15-17, balanced"),
        ("15-17 high-card points with balanced", "15-17, balanced"),
        ("5+ hearts", "at least five hearts"),
        ("5+ hearts", "5+ H"),
        ("5+ hearts", "5+ ♥"),
        ("5+ hearts", "5+ cards in hearts"),
        ("2- clubs", "at most 2 clubs"),
        ("0-2 clubs", "2- clubs"),
        ("no clubs", "void in clubs"),
        ("singleton club", "1 club"),
        ("doubleton in clubs", "two clubs"),
        ("longer hearts than spades", "hearts longer than spades"),
        ("longer hearts than spades", "spades shorter than hearts"),
        ("hearts not longer than spades", "spades not shorter than hearts"),
        ("5+ in a major", "a 5-card major"),
        ("no 4-card major", "0-3 spades, 0-3 hearts"),
        ("5+ in a major", "5+ spades or 5+ hearts"),
        ("two of the top three in spades", "2 of top 3 in S"),
        ("0 or 3 key cards in hearts", "0 key cards for hearts or 3 key cards in hearts"),
        ("3-4-3-3", "4-3-3-3"),
        ("4=3=3=3", "4 spades, 3 hearts, 3 diamonds, 3 clubs"),
        ("no stopper in hearts", "not stopper in hearts"),
        ("2.5+ quick tricks", "2½+ quick tricks"),
        ("SA, ♥K", "SA and HK"),
        ("queen of hearts, no ace of spades", "HQ, no SA"),
        ("3+ in hearts, 2-4 in clubs", "3+ hearts, 2-4 clubs"),
        ("12+; or 6+ spades", "12+ or 6+ spades"),
        ("5+ spades or 5+ hearts, 8-11", "(5+ spades or 5+ hearts), 8-11"),
        ("5+ spades or 5+ hearts 8-11", "5+ spades; or (5+ hearts, 8-11)"),
        ("not 5+ spades, 8-11", "0-4 spades, 8-11"),
        ("20-40", "20+"),
        (
            "5-2 in hearts and clubs, clubs longer than diamonds",
            "(5-2 in hearts and clubs), (clubs longer than diamonds)",
        ),
        ("15 - 17", "15-17"),
        ("15–17", "15-17"),
        ("5 + hearts", "5+ hearts"),
    ],
)
def test_two_ways_to_say_the_same(given: str, same: str) -> None:
    assert str(Meaning.parse(given)) == str(Meaning.parse(same))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("15-17 hpc", "unknown word 'hpc' (did you mean 'hcp'?), at column 7 of '15-17 hpc'"),
        ("5+ harts", "unknown word 'harts' (did you mean 'hearts'?), at column 4 of '5+ harts'"),
        (
            "15-17, balnced",
            "unknown word 'balnced' (did you mean 'balanced'?), at column 8 of '15-17, balnced'",
        ),
        ("17-15", "range 17-15 is turned round: 15-17 is wanted, at column 1 of '17-15'"),
        ("12+, 6-5 hearts", "range 6-5 is turned round: 5-6 is wanted, at column 6 of '12+, 6-5 hearts'"),
        ("38+", "no hand has 38+ points: a hand has at most 37, at column 1 of '38+'"),
        ("5 aces", "no hand has 5 aces: a hand has at most 4, at column 1 of '5 aces'"),
        ("14 spades", "no hand has 14 spades: a suit has 13 cards, at column 1 of '14 spades'"),
        ("5-4-3-3", "5-4-3-3 are 15 cards: a hand has 13, at column 1 of '5-4-3-3'"),
        ("4=4=3=3", "4=4=3=3 are 14 cards: 13 are wanted, at column 1 of '4=4=3=3'"),
        ("", "no words: a meaning is wanted, as in '15-17, balanced' or 'any hand', at column 1"),
        ("12-14,", "the text ends where a condition is wanted, at column 7 of '12-14,'"),
        ("(12-14", "the end where ')' is wanted, at column 7 of '(12-14'"),
        ("12-14)", "')' has no meaning here, at column 6 of '12-14)'"),
        ("١٥-١٧", "'١' has no meaning, at column 1 of '١٥-١٧'"),
        ("12-14 $", "'$' has no meaning, at column 7 of '12-14 $'"),
        ("2.3 losers", "2.3 losers: a whole number is wanted, at column 1 of '2.3 losers'"),
        ("longer hearts than hearts", "hearts compared with themselves, at column 20"),
        ("longer hearts than 5", "'5' where a suit is wanted, at column 20"),
        ("hearts", "hearts without a number or a comparison: '5+ hearts' or 'longer hearts than ...'"),
        ("class strong", "'strong' is no class: one of preemptive, weak two"),
        ("5-5 in hearts", "2 lengths for 1 suit, at column 8"),
        ("15-17 (200% outside)", "'200' where a percentage between 0 and 100 is wanted, at column 8"),
        ("stopper", "the end where 'in' is wanted, at column 8 of 'stopper'"),
        ("no foo", "unknown word 'foo'"),
        ("not", "the text ends where a condition is wanted, at column 4 of 'not'"),
    ],
)
def test_bad_text_is_said_with_its_place(text: str, error: str) -> None:
    with pytest.raises(NotationError) as raised:
        Meaning.parse(text)
    assert str(raised.value).startswith(error)
    assert "\n" not in str(raised.value)


def test_deep_nesting_is_refused_in_a_line() -> None:
    with pytest.raises(NotationError, match="too deep"):
        Meaning.parse("(" * 5000 + "12+" + ")" * 5000)
