"""The words of the language of meanings: what is read, and what is printed first where there are several."""

from __future__ import annotations

from bidlab.bridge.cards import SUITS, Suit
from bidlab.meaning import features as f
from bidlab.meaning.conditions import SHAPE_WORDS
from bidlab.meaning.features import Feature

QUALITIES = ("biddable", "rebiddable", "good", "semi-solid", "solid")  # 1 to 5
STOPPERS = {"stopper": (2, 2), "half-stopper": (1, 2)}
CONTROLS = {"control": (1, 2), "first-round": (2, 2), "second-round": (1, 1)}
HONOURS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}
SHORT = {"void": 0, "singleton": 1, "doubleton": 2}
MAJORS, MINORS = (Suit.HEARTS, Suit.SPADES), (Suit.CLUBS, Suit.DIAMONDS)

COUNTS = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split()
HOW_MANY = ("no", *COUNTS[1:])  # before what is counted
PLAIN = {  # words after a number, as they are printed first, and the feature
    ("hcp",): f.HCP,
    ("high-card", "points"): f.HCP,
    ("points",): f.POINTS,
    ("webb", "points"): f.WEBB,
    ("webb",): f.WEBB,
    ("adjusted", "points"): f.ADJUSTED,
    ("adjusted",): f.ADJUSTED,
    ("controls",): f.CONTROLS,
    ("aces",): f.ACES,
    ("ace",): f.ACES,
    ("kings",): f.KINGS,
    ("king",): f.KINGS,
    ("quick", "tricks"): f.QUICK_TRICKS,
    ("losers",): f.LOSERS,
    ("loser",): f.LOSERS,
    ("playing", "tricks"): f.PLAYING_TRICKS,
    ("in", "longest", "suit"): f.LONGEST,
    ("card", "suit"): f.LONGEST,
    ("in", "shortest", "suit"): f.SHORTEST,
    ("in", "major"): f.MAJOR,
    ("card", "major"): f.MAJOR,
    ("in", "minor"): f.MINOR,
    ("in", "each", "major"): f.MAJOR,
    ("in", "each", "minor"): f.MINOR,
    ("card", "minor"): f.MINOR,
}
BEFORE_SUIT = {  # words between a number and a suit
    (): "length",
    ("cards", "in"): "length",
    ("hcp", "in"): "suit hcp",
    ("of", "top", "three", "in"): "top three",
    ("of", "top", "five", "in"): "top five",
    ("key", "cards", "in"): "key cards",
    ("key", "cards", "for"): "key cards",
    ("in", "support", "of"): "support",
    ("losers", "in"): "suit losers",
}
_OTHERS = "not no or and with but longer shorter than at least most as long in any hand class texture to"
WORDS = sorted(
    {word for words in (*PLAIN, *BEFORE_SUIT) for word in words}
    | {*_OTHERS.split(), *SHAPE_WORDS, *QUALITIES, *STOPPERS, *CONTROLS, *SHORT, *COUNTS, *HONOURS}
    | {suit.word for suit in SUITS}
    | {"majors", "minors", "only", "outside", "longest", "suit"}
)


def feature_words(feature: Feature) -> str:
    """A feature as the language writes it after a number."""
    if feature.suit is not None and feature.kind in BEFORE_SUIT.values():
        words = next(words for words, kind in BEFORE_SUIT.items() if kind == feature.kind)
        text = " ".join((*words, feature.suit.word))
        return text.replace("of top", "of the top")
    for words, other in PLAIN.items():
        if other == feature:
            text = " ".join(words)
            return (
                text.replace("in longest", "in the longest")
                .replace("in shortest", "in the shortest")
                .replace("in m", "in a m")
            )
    return str(feature)
