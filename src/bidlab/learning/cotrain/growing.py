"""A decision network grown from lessons: a small tree over few calls, each leaf with its best call.

Look-ahead on a few deals is noisy: of two calls that are worth the same, now the one and now the other wins.
So the network chooses between a few calls that together lose least, the tree is grown on which of these was
best, weighted by what the choice is worth, and the call of a leaf is the one that is worth most on all of its
hands together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.calls import CALLS
from bidlab.learning.cotrain.lessons import Lessons, Values
from bidlab.learning.cotrain.networks import Network
from bidlab.learning.cotrain.questions import Question, answers, questions_of
from bidlab.learning.cotrain.wording import Leaf, worded
from bidlab.meaning.conditions import Condition, all_of
from bidlab.systems.situations import Situation

_LEAST_WEIGHT = 0.05  # IMPs: of a lesson whose calls are all worth the same
_LEAF_SHARE = 100  # a leaf has one in so many lessons at least
_FEWEST = 10  # and so many
_TOO_MANY = 4  # times the leaves that are wanted grow first: which of them matter is seen by their worth
_WORTHWHILE = 0.01  # IMPs a lesson that a fork of the tree is worth at least


def grown(situation: Situation, lessons: Lessons, leaves: int, calls: int, known: Condition) -> Network:
    """The network of a situation; `known` is what its hands have shown already."""
    return worded(situation, leaves_of(situation, lessons, leaves, calls), known)


def leaves_of(situation: Situation, lessons: Lessons, leaves: int, calls: int) -> list[Leaf]:
    """The leaves of the tree that lessons grow to."""
    values = lessons.filled()
    short = shortlist(values, calls)
    best = values[:, short]
    target = best.argmax(axis=1)
    weights = _LEAST_WEIGHT + best.max(axis=1) - best.mean(axis=1)
    questions = questions_of(situation)
    asked = answers(questions, lessons.hands)
    root = _Branch(asked, best)
    if len(set(target.tolist())) > 1 and len(lessons) >= 2 * _FEWEST:
        root = _branch(_tree(asked, target, weights, _TOO_MANY * leaves), 0, asked, best)
    _prune(root, leaves, _WORTHWHILE * len(lessons))
    return list(_leaves(root, questions, short))


def shortlist(values: Values, most: int) -> list[int]:
    """Up to so many calls that together lose least: one after the other, the one that adds most."""
    found: list[int] = []
    best = np.full(len(values), -np.inf, dtype=np.float32)
    while len(found) < most:
        gains = np.maximum(values, best[:, None]).sum(axis=0)
        call = int(gains.argmax())
        if found and gains[call] <= best.sum() + 1e-6:
            break
        found.append(call)
        best = np.maximum(best, values[:, call])
    return sorted(found)


def _tree(
    asked: NDArray[np.float32], target: NDArray[np.intp], weights: NDArray[np.float32], leaves: int
) -> Any:
    from sklearn.tree import DecisionTreeClassifier  # takes a second: only who learns waits for it

    tree = DecisionTreeClassifier(
        max_leaf_nodes=max(2, leaves),
        min_samples_leaf=max(_FEWEST, len(target) // _LEAF_SHARE),
        random_state=0,
    )
    return tree.fit(asked, target, sample_weight=weights).tree_


@dataclass(slots=True, eq=False)
class _Branch:
    """A node of the tree, with the lessons that come to it."""

    asked: NDArray[np.float32]
    values: Values  # of the calls of the shortlist
    question: int = 0
    bound: float = 0.0
    below: tuple[_Branch, _Branch] | None = None  # at most the bound, above it; None: a leaf

    @property
    def worth(self) -> float:
        """IMPs of all lessons with the one call that is worth most."""
        return float(self.values.sum(axis=0, dtype=np.float64).max())

    @property
    def lost(self) -> float:
        """IMPs that would be lost if the leaves below had one call together."""
        assert self.below is not None
        return self.below[0].worth + self.below[1].worth - self.worth


def _branch(tree: Any, node: int, asked: NDArray[np.float32], values: Values) -> _Branch:
    found = _Branch(asked, values)
    if tree.children_left[node] >= 0:
        found.question, found.bound = int(tree.feature[node]), float(tree.threshold[node])
        is_low = asked[:, found.question] <= found.bound
        low, high = int(tree.children_left[node]), int(tree.children_right[node])
        found.below = (
            _branch(tree, low, asked[is_low], values[is_low]),
            _branch(tree, high, asked[~is_low], values[~is_low]),
        )
    return found


def _prune(root: _Branch, leaves: int, worthwhile: float) -> None:
    """Cut off, one after the other, the two leaves that matter least: too many of them, or not worth it."""
    while (forks := list(_forks(root))) and (
        sum(1 for _ in _ends(root, ())) > leaves or min(fork.lost for fork in forks) < worthwhile
    ):
        min(forks, key=lambda fork: fork.lost).below = None


def _forks(branch: _Branch) -> Iterator[_Branch]:
    """The branches that have two leaves below them."""
    if branch.below is None:
        return
    if all(one.below is None for one in branch.below):
        yield branch
    for one in branch.below:
        yield from _forks(one)


Way = tuple[tuple[int, float, bool], ...]  # question, bound, whether above it


def _ends(branch: _Branch, way: Way) -> Iterator[tuple[_Branch, Way]]:
    """The leaves from the left, each with the way to it."""
    if branch.below is None:
        yield branch, way
        return
    for is_above, one in enumerate(branch.below):
        yield from _ends(one, (*way, (branch.question, branch.bound, bool(is_above))))


def _leaves(root: _Branch, questions: tuple[Question, ...], short: list[int]) -> Iterator[Leaf]:
    for end, way in _ends(root, ()):
        held = (
            questions[number].above(bound) if is_above else questions[number].at_most(bound)
            for number, bound, is_above in way
        )
        call = CALLS[short[int(end.values.sum(axis=0, dtype=np.float64).argmax())]]
        yield Leaf(all_of(held), call, len(end.values), end.worth / len(end.values))
