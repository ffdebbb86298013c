"""What a call does, from the words of its rule: suits put in, and what one word implies added."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bidlab.bridge.cards import Suit
from bidlab.systems.rules import Ask, Effects, Forcing
from bidlab.systems.syntax import EffectWord

# Words for people, and whether the strain that is named is then not shown, and whether partner must answer.
_WORDS = {
    "relay": (True, True),
    "puppet": (True, True),
    "splinter": (True, True),
    "cue_bid": (True, True),
    "preempt": (False, False),
    "takeout": (False, False),
    "penalty": (False, False),
    "competitive": (False, False),
    "negative": (False, False),
    "responsive": (False, False),
    "balancing": (False, False),
    "support_double": (False, False),
    "lead_directing": (False, False),
    "game_try": (False, True),
    "slam_try": (False, False),
    "to_play": (False, False),
}


def priority_of(words: Sequence[EffectWord]) -> int:
    """How early a rule is tried: 0 where it does not say."""
    return next((word.number for word in words if word.kind == "priority"), 0)


def effects_of(words: Sequence[EffectWord], suit_of: Callable[[str], Suit | None]) -> Effects | None:
    """The effects with their suits; None where a suit that they name does not exist."""
    suits = {word.kind: suit_of(word.suit) for word in words if word.suit}
    if None in suits.values():
        return None
    kinds = {word.kind for word in words}
    asks = next((Ask(word.what, suits.get("asks")) for word in words if word.kind == "asks"), None)
    artificial, answered = (any(_WORDS[kind][i] for kind in kinds if kind in _WORDS) for i in (0, 1))
    leads = bool(kinds & {"asks", "transfers"})
    signs_off = bool(kinds & {"signs_off", "to_play"})
    forcing = Forcing.NO
    if "game" in kinds:
        forcing = Forcing.GAME
    elif "forcing" in kinds or ((leads or answered) and not signs_off):
        forcing = Forcing.ROUND
    return Effects(
        forcing=forcing,
        agrees=suits.get("agrees"),
        asks=asks,
        invites="invites" in kinds,
        signs_off=signs_off,
        artificial="natural" not in kinds and ("artificial" in kinds or artificial or leads),
        transfers=suits.get("transfers"),
        words=tuple(word.text for word in words if word.kind in _WORDS),
    )
