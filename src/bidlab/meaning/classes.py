"""The eleven classes of hands of Silveira's thesis, and why a hand falls into one.

The thesis names the classes and their ranges of adjusted points, and what else decides where they overlap.
How points are adjusted and in which order the classes are tried is bidlab's choice (docs/meaning.md). The
kernels class hands by the same rules, millions at a time; here the walk through the rules says what it sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bidlab.bridge.cards import SUITS, Named, Suit, name_values
from bidlab.bridge.hands import Hand
from bidlab.meaning.features import (
    HCP,
    LONGEST,
    PLAYING_TRICKS,
    QUICK_TRICKS,
    SHORTEST,
    TEXTURE,
    Feature,
    feature_table,
    of_suit,
)
from bidlab.meaning.words import HOW_MANY

_WORDS = (
    "preemptive",
    "weak two",
    "very weak",
    "weak",
    "minimum",
    "invitational",
    "minimum opener",
    "intermediate opener",
    "strong opener",
    "very strong opener",
    "forcing opener",
)


class HandClass(Named):
    """A class of hands by strength, numbered as the thesis does less one.

    >>> HandClass("weak two"), str(HandClass.STRONG_OPENER)
    (<HandClass.WEAK_TWO: 1>, 'strong opener')
    """

    PREEMPTIVE = 0
    WEAK_TWO = 1
    VERY_WEAK = 2
    WEAK = 3
    MINIMUM = 4
    INVITATIONAL = 5
    MINIMUM_OPENER = 6
    INTERMEDIATE_OPENER = 7
    STRONG_OPENER = 8
    VERY_STRONG_OPENER = 9
    FORCING_OPENER = 10


name_values(HandClass, _WORDS, {word.upper(): i for i, word in enumerate(_WORDS)}, ", ".join(_WORDS))


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of a hand, its points before and after correction, and how both came about, step by step."""

    hand_class: HandClass
    hcp: int
    adjusted: int
    reasons: tuple[str, ...]


def classification(hand: Hand) -> Classification:
    """The class of a hand of 13 cards, with reasons.

    >>> found = classification(Hand.parse("AK3.764.AT952.98"))
    >>> str(found.hand_class), found.hcp, found.adjusted
    ('minimum opener', 11, 12)
    >>> for reason in found.reasons:
    ...     print(reason)
    11 high-card points
    3 quick tricks, many for 11 points +1
    corrected by +1: 12 adjusted points
    12 adjusted points and 3 quick tricks: opened
    """
    facts = _Facts.of(hand)
    reasons = [_counted(facts.hcp, "high-card point"), *(str(one) for one in facts.corrections)]
    reasons.append(_sum_of(facts))
    hand_class, why = _walk(facts)
    return Classification(hand_class, facts.hcp, facts.adjusted, (*reasons, *why))


def _walk(facts: _Facts) -> tuple[HandClass, list[str]]:
    """The first class that a hand belongs to, and what was seen on the way there."""
    seen: list[str] = []
    for hand_class, verdict in _VERDICTS:
        holds, why = verdict(facts)
        if why:
            seen.append(why)
        if holds:
            return hand_class, seen
    raise AssertionError("every hand is very weak at least")


@dataclass(frozen=True, slots=True)
class _Correction:
    """One reason to count a hand up or down, in half points."""

    why: str
    halves: int
    is_length: bool = False

    def __str__(self) -> str:
        return f"{self.why} {signed_text(self.halves)}"


@dataclass(frozen=True, slots=True)
class _Facts:
    """What the classes ask of a hand; tricks in halves."""

    hand: Hand
    values: tuple[int, ...]  # by number of the feature
    corrections: tuple[_Correction, ...]

    @classmethod
    def of(cls, hand: Hand) -> _Facts:
        values = tuple(feature_table([hand])[0].tolist())
        bare = cls(hand, values, ())
        return cls(hand, values, tuple(_corrections(bare)))

    def __getitem__(self, feature: Feature) -> int:
        return self.values[feature.number]

    def suit(self, kind: str, suit: Suit) -> int:
        """A feature of one suit."""
        return self.values[of_suit(kind, suit).number]

    @property
    def hcp(self) -> int:
        return self[HCP]

    @property
    def adjusted(self) -> int:
        """High-card points with all corrections."""
        return _corrected(self.hcp, sum(one.halves for one in self.corrections))

    @property
    def honour_adjusted(self) -> int:
        """The same without length, which is already what makes a hand preemptive or a weak two."""
        return _corrected(self.hcp, sum(one.halves for one in self.corrections if not one.is_length))

    @property
    def long_suit(self) -> Suit:
        """The longest suit, of equal ones the lowest."""
        return max(SUITS, key=self.hand.length)

    def good_suits(self) -> list[Suit]:
        """The good suits, spades first."""
        return [suit for suit in reversed(SUITS) if self.suit("quality", suit) >= 3]


def _corrected(hcp: int, halves: int) -> int:
    """Points with a correction of at most two, a half dropped towards none."""
    halves = max(-4, min(4, halves))
    return max(0, hcp + (halves // 2 if halves > 0 else -(-halves // 2)))


# How the correction comes about.


def _corrections(facts: _Facts) -> Iterator[_Correction]:
    for suit in reversed(SUITS):
        yield from _short_honours(facts.hand.suit_text(suit), suit)
    yield from _quick_trick_correction(facts)
    if facts[TEXTURE] >= 3:
        yield _Correction("rich in tens, nines and eights", 1)
    elif facts[TEXTURE] <= -3:
        yield _Correction("full of twos, threes and fours", -1)
    if facts[SHORTEST] == 3:
        yield _Correction("4-3-3-3 shape", -1)
    for suit in facts.good_suits():
        length = facts.hand.length(suit)
        yield _Correction(f"{_number(length)} good {suit.word}", length - 4, is_length=True)


def _short_honours(cards: str, suit: Suit) -> Iterator[_Correction]:
    if cards in ("K", "Q", "J"):
        yield _Correction(f"{_HONOURS[cards]} alone in {suit.word}", -2)
    elif len(cards) == 2 and cards != "AQ" and ("Q" in cards or "J" in cards):
        yield _Correction(f"{cards} doubleton in {suit.word}", -2 if cards == "QJ" else -1)


def _quick_trick_correction(facts: _Facts) -> Iterator[_Correction]:
    """Hands have (points - 3) / 4 quick tricks on average: what half a trick and a trick more or less add."""
    quick, points = _tricks(facts[QUICK_TRICKS], "quick trick"), _counted(facts.hcp, "point")
    surplus = 2 * facts[QUICK_TRICKS] - (facts.hcp - 3)
    if surplus >= 2 and not facts[QUICK_TRICKS]:  # the average would be below none
        yield _Correction("too weak to miss quick tricks", 1)
    elif surplus >= 2:
        yield _Correction(f"{quick}, many for {points}", 2 if surplus >= 4 else 1)
    elif surplus <= -2:
        yield _Correction(f"{quick}, few for {points}", -2 if surplus <= -4 else -1)


def _sum_of(facts: _Facts) -> str:
    """How the corrections make the adjusted count."""
    adjusted = _counted(facts.adjusted, "adjusted point")
    halves = sum(one.halves for one in facts.corrections)
    if not facts.corrections:
        return f"nothing to correct: {adjusted}"
    if not halves:
        return f"this cancels out: {adjusted}"
    if abs(halves) > 4:
        return f"{signed_text(halves)} in all, but two points is the most: {adjusted}"
    if halves % 2:
        return f"{signed_text(halves)} in all, the half dropped: {adjusted}"
    return f"corrected by {signed_text(halves)}: {adjusted}"


# The classes in the order in which they are tried: whether the hand belongs there, and a sentence for a hand
# that does or nearly does.
_Verdict = tuple[bool, str]


def _preemptive(facts: _Facts) -> _Verdict:
    suit = facts.long_suit
    length, points = facts.hand.length(suit), facts.honour_adjusted
    if length < 7:
        return False, ""
    held = f"{_number(length)} {suit.word}"
    inside = facts.suit("suit hcp", suit)
    if points > 10:
        return False, f"{held}, but {points} adjusted points before length: too strong for a preempt"
    if facts.hcp and 2 * inside <= facts.hcp:
        return False, f"{held}, but only {inside} of {facts.hcp} points in them: no preempt"
    if facts[PLAYING_TRICKS] >= 20:
        tricks = _tricks(facts[PLAYING_TRICKS], "playing trick")
        return False, f"{held} and {tricks}: game in hand, no preempt"
    where = f"{inside} of {_counted(facts.hcp, 'point')} in them" if facts.hcp else "no points at all"
    return True, f"{held}, {where}, no more than 10 adjusted before length: a preempt"


def _weak_two(facts: _Facts) -> _Verdict:
    suit = facts.long_suit
    points, outside = facts.honour_adjusted, facts.hcp - facts.suit("suit hcp", suit)
    if facts[LONGEST] != 6 or points > 12:
        return False, ""
    held = f"six {suit.word}"
    honours = facts.suit("top five", suit)
    if suit == Suit.CLUBS:
        return False, f"{held}: clubs are no weak two"
    if not 3 <= points <= 10:
        return False, f"{held}, but {points} adjusted before length, not 3 to 10: no weak two"
    if any(facts.hand.length(other) >= 5 for other in SUITS if other != suit):
        return False, f"{held}, but a second long suit: no weak two"
    if honours < 3:
        return False, f"{held} with {_few(honours)} of the five honours: too thin for a weak two"
    if outside > 4:
        return False, f"{held}, but {outside} points outside: no weak two"
    shown = f"{_number(honours)} of the five honours, {_counted(outside, 'point')} outside"
    return True, f"{held} with {shown}: a weak two"


def _forcing(facts: _Facts) -> _Verdict:
    if facts.adjusted >= 22:
        return True, f"{facts.adjusted} adjusted points, 22 or more: forcing"
    playing = _tricks(facts[PLAYING_TRICKS], "playing trick")
    if facts[PLAYING_TRICKS] >= 18:
        return True, f"{playing}: forcing, though {facts.adjusted} adjusted points are fewer than 22"
    if facts.adjusted >= 20 or facts[PLAYING_TRICKS] >= 16:
        return False, f"{playing}, not nine: not forcing"
    return False, ""


def _by_points(least: int, most: int, words: str) -> Callable[[_Facts], _Verdict]:
    def verdict(facts: _Facts) -> _Verdict:
        holds = facts.adjusted >= least
        return holds, f"{facts.adjusted} adjusted points, {_range(least, most)}: {words}" if holds else ""

    return verdict


def _minimum_opener(facts: _Facts) -> _Verdict:
    points, quick = facts.adjusted, facts[QUICK_TRICKS]
    counted = f"{points} adjusted points"
    if points >= 13:
        return True, f"{counted}, 13 or 14: opened"
    if facts.hcp >= 13:
        return True, f"{facts.hcp} high-card points are always opened, even when they count as {points}"
    if points < 11:
        return False, ""
    if quick >= (5 if points == 12 else 6):
        return True, f"{counted} and {_tricks(quick, 'quick trick')}: opened"
    majors = [suit for suit in facts.good_suits() if suit in (Suit.HEARTS, Suit.SPADES)]
    if majors:
        return True, f"{counted} and good {majors[0].word}: opened"
    return False, f"{counted}, but {_only(quick)} and no good major: not opened"


def _invitational(facts: _Facts) -> _Verdict:
    points, quick = facts.adjusted, facts[QUICK_TRICKS]
    if points >= 10:
        short = ", short of an opening" if points == 10 else ""
        return True, f"{points} adjusted points{short}: invitational"
    if points < 9:
        return False, ""
    if quick >= 3:
        return True, f"9 adjusted points and {_tricks(quick, 'quick trick')}: invitational"
    good = facts.good_suits()
    if good:
        return True, f"9 adjusted points and good {good[0].word}: invitational"
    return False, f"9 adjusted points, but {_only(quick)} and no good suit: not invitational"


def _minimum(facts: _Facts) -> _Verdict:
    return _asking_at_least(facts, 6, (7, 9), "worth a response", "not sure of a response")


def _weak(facts: _Facts) -> _Verdict:
    return _asking_at_least(facts, 4, (5, 6), "weak, but not very weak", "very weak")


def _asking_at_least(facts: _Facts, shared: int, own: tuple[int, int], yes: str, no: str) -> _Verdict:
    """The verdict of a class whose least count, the shared one, asks for a quick trick or a suit of five."""
    points, quick, length = facts.adjusted, facts[QUICK_TRICKS], facts[LONGEST]
    counted = _counted(points, "adjusted point")
    if points >= own[0]:
        return True, f"{counted}, {_range(*own)}: {yes}"
    if points < shared:
        return False, ""
    if quick >= 2:
        return True, f"{counted} and {_tricks(quick, 'quick trick')}: {yes}"
    if length >= 5:
        return True, f"{counted} and {_number(length)} {facts.long_suit.word}: {yes}"
    return False, f"{counted}, but {_only(quick)} and no suit of five: {no}"


def _very_weak(facts: _Facts) -> _Verdict:
    points = facts.adjusted
    return True, "" if points == 4 else f"{_counted(points, 'adjusted point')}, fewer than 4: very weak"


_VERDICTS: tuple[tuple[HandClass, Callable[[_Facts], _Verdict]], ...] = (
    (HandClass.PREEMPTIVE, _preemptive),
    (HandClass.WEAK_TWO, _weak_two),
    (HandClass.FORCING_OPENER, _forcing),
    (HandClass.VERY_STRONG_OPENER, _by_points(20, 21, "a very strong opening")),
    (HandClass.STRONG_OPENER, _by_points(18, 19, "a strong opening")),
    (HandClass.INTERMEDIATE_OPENER, _by_points(15, 17, "an intermediate opening")),
    (HandClass.MINIMUM_OPENER, _minimum_opener),
    (HandClass.INVITATIONAL, _invitational),
    (HandClass.MINIMUM, _minimum),
    (HandClass.WEAK, _weak),
    (HandClass.VERY_WEAK, _very_weak),
)

# Numbers as people say them.

_HONOURS = {"K": "king", "Q": "queen", "J": "jack"}


def _number(count: int) -> str:
    return HOW_MANY[count]


def _range(least: int, most: int) -> str:
    return f"{least} {'or' if most == least + 1 else 'to'} {most}"


def _few(count: int) -> str:
    return f"only {_number(count)}" if count else "none"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'' if count == 1 else 's'}"


def halves_text(count: int) -> str:
    """A number of halves as people write it.

    >>> halves_text(1), halves_text(5), halves_text(8)
    ('½', '2½', '4')
    """
    return f"{count // 2 or ''}½" if count % 2 else str(count // 2)


def signed_text(count: int) -> str:
    """A number of halves with its sign, as in "-½"."""
    return f"{'-' if count < 0 else '+'}{halves_text(abs(count))}"


def _tricks(count: int, unit: str) -> str:
    """Tricks from their number of halves, as in "1½ quick tricks"."""
    return f"{halves_text(count) if count else 'no'} {unit}{'' if count in (1, 2) else 's'}"


def _only(count: int) -> str:
    return f"{'only ' if count else ''}{_tricks(count, 'quick trick')}"
