"""What judgement says of its own rules: which evaluation made them, and on what estimate."""

from __future__ import annotations

from bidlab.bridge.cards import STRAINS
from bidlab.systems.rules import Judged

# The kinds of native/bidding/judgement.hpp, in their order.
KINDS = (
    "pass",
    "slam",
    "game",
    "invitation",
    "part-score",
    "competition",
    "preempt",
    "save",
    "penalty",
    "takeout",
    "answer",
    "escape",
    "second thoughts",
)
SECOND_THOUGHT = KINDS.index("second thoughts")


def judged_source(kind: int, strain: int, tricks: float, hcp: float, cards: float) -> Judged:
    """The source of a rule of judgement, with its estimate in words."""
    return Judged(KINDS[kind], _estimate(kind, strain, tricks, hcp, cards))


def _estimate(kind: int, strain: int, tricks: float, hcp: float, cards: float) -> str:
    if strain < 0 or tricks <= 0:
        return ""
    word = STRAINS[strain].word
    partner = f"partner is taken for {hcp:.0f} points"
    if strain < 4 and KINDS[kind] != "penalty":
        partner += f" and {cards:.1f} {word}"
    if KINDS[kind] == "penalty":
        return f"{partner}: they are expected to make {tricks:.1f} tricks in {word} at most"
    return f"{partner}: {tricks:.1f} tricks in {word} are expected"
