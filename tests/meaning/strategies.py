"""Random meanings for hypothesis, and a plain judge of them."""

from functools import cache

import numpy as np
from hypothesis import strategies as st

from bidlab.bridge.cards import SUITS
from bidlab.dealing import deal_bits
from bidlab.meaning.conditions import (
    SHAPE_WORDS,
    All,
    Any,
    Condition,
    Longer,
    Not,
    Pattern,
    Range,
    ShapeWord,
)
from bidlab.meaning.features import FEATURES, HCP, feature_table, length


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """A range of any feature; of points and lengths more often than chance has it."""
    feature = draw(
        st.one_of(st.just(HCP), st.sampled_from([length(suit) for suit in SUITS]), st.sampled_from(FEATURES))
    )
    ends = sorted(draw(st.tuples(*[st.integers(feature.least, feature.most)] * 2)))
    open_end = draw(st.integers(0, 3))
    least = feature.least if open_end == 1 else ends[0]
    most = feature.most if open_end == 2 else ends[1]
    return Range(feature, least, most)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    count = draw(st.integers(2, 4))
    suits = SUITS if draw(st.booleans()) else tuple(sorted(draw(st.permutations(SUITS))[:count]))
    lengths = sorted(draw(st.lists(st.integers(0, 8), min_size=count, max_size=count)), reverse=True)
    if sum(lengths) > 13:
        lengths = [4, 3, 3, 3][:count]
    or_longer = draw(st.booleans())
    if count == 4 and not or_longer:
        lengths[0] += 13 - sum(lengths)
    return Pattern(tuple(lengths), suits, or_longer)


def atoms() -> st.SearchStrategy[Condition]:
    suits = st.permutations(SUITS)
    return st.one_of(
        ranges(),
        ranges(),
        patterns(),
        st.builds(lambda two, by: Longer(two[0], two[1], by), suits, st.integers(-4, 5)),
        st.sampled_from(sorted(SHAPE_WORDS)).map(ShapeWord),
    )


def conditions() -> st.SearchStrategy[Condition]:
    """Any condition that can be built."""
    return st.recursive(
        st.one_of(atoms(), st.sampled_from([All(), Any()])),
        lambda inner: st.one_of(
            inner.map(Not),
            st.lists(inner, min_size=1, max_size=4).map(lambda parts: All(tuple(parts))),
            st.lists(inner, min_size=1, max_size=4).map(lambda parts: Any(tuple(parts))),
        ),
        max_leaves=8,
    )


@cache
def random_hands(count: int, seed: int = 20261116) -> np.ndarray:
    """Hands of random deals; every second one of hands with long suits, which chance deals rarely."""
    hands = deal_bits(count, seed)[:, 0].copy()
    rng = np.random.default_rng(seed)
    for i in range(0, count, 2):
        weights = np.repeat(rng.choice([0.05, 1, 6], size=4), 13)
        cards = rng.choice(52, size=13, replace=False, p=weights / weights.sum())
        hands[i] = np.bitwise_or.reduce(np.uint64(1) << cards.astype(np.uint64))
    return hands


@cache
def features_of(count: int) -> np.ndarray:
    return feature_table(random_hands(count)).astype(np.int64)


def plainly(condition: Condition, table: np.ndarray) -> np.ndarray:
    """Which hands fulfil a condition, by its words: one feature at a time, no cells and no kernel."""
    lengths = table[:, [length(suit).number for suit in SUITS]]
    match condition:
        case Range(feature, least, most):
            values = table[:, feature.number]
            return (least <= values) & (values <= most)
        case Longer(longer, shorter, by):
            return lengths[:, longer] - lengths[:, shorter] >= by
        case Pattern(wanted, suits, or_longer):
            held = -np.sort(-lengths[:, list(suits)], axis=1)[:, : len(wanted)]
            return (held >= wanted if or_longer else held == wanted).all(axis=1)
        case ShapeWord(word):
            held = (-np.sort(-lengths, axis=1)).tolist()
            return np.array([SHAPE_WORDS[word](row) for row in held])
        case Not(part):
            return ~plainly(part, table)
        case All(parts):
            found = np.ones(len(table), dtype=bool)
            for part in parts:
                found &= plainly(part, table)
            return found
        case Any(parts):
            found = np.zeros(len(table), dtype=bool)
            for part in parts:
                found |= plainly(part, table)
            return found
