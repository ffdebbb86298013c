"""Descriptions of calls in BML notes, understood as conditions and effects as far as they go.

A description is free text: "5+ suit, forcing to game (8+ hcp)". Words for what a call does are taken out
first; of the rest each clause is read as a condition, or the longest part of it that can be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidlab.bridge.errors import BidlabError
from bidlab.meaning.conditions import ANYTHING
from bidlab.meaning.relative import NoSuchSuitError, read_relative
from bidlab.systems.relations import IMAGINED, Answers
from bidlab.systems.variables import Bindings

_WRITTEN = (  # as people write, as the language writes; in this order
    (r"[–−—]", "-"),
    (r"-{2,}", "-"),
    (r"!c", " clubs "),
    (r"!d", " diamonds "),
    (r"!h", " hearts "),
    (r"!s", " spades "),
    (r"[/*=](?=\S)|(?<=\S)[/*=](?=\s|$)", " ; "),
    (r"\s/\s", " ; "),
    (r"\b(?:ca|about|approx)\b\.?|~", " "),
    (r"\bhcps?\b", "hcp"),
    (r"\b(?:un-?bal)\b\.?", "unbalanced"),
    (r"\bbal\b\.?", "balanced"),
    (r"(\d)\s*(?:NT|notrump)\b", r"\1, balanced"),
    (r"(\d-\d) (?:in )?(?:the )?(majors|minors)", r"\1+ in the \2"),
    (r"\bno (?:4[- ]?card )?major\b", "no 4-card major"),
    (r"(\d\+?)[- ]card(?:s)? (clubs|diamonds|hearts|spades)", r"\1 \2"),
    (r"(\d\+?) (?:card )?(major|minor)\b", r"\1 in a \2"),
    (r"\bany hand with\b", " "),
)
_EFFECTS = (  # taken out of the text wherever they stand
    (r"non-?forcing|\bNF\b|not forcing", ""),
    (r"(?:artificial |natural )?(?:game[- ]forc(?:ing|e)|forcing to game)|\bGF\b", "forcing to game"),
    (r"(?:mildly |strongly )?invit(?:ational|es?|ing)?\b|\bINV\b\+?", "invites"),
    (r"(?:suggestion )?to play|sign[- ]?off|signs off", "signs off"),
    (r"\bforcing\b|\bF1\b", "forcing"),
    (r"puppet(?: to \S+\s*\w*)?", "puppet"),
    (r"transfer to (?P<suit>clubs|diamonds|hearts|spades)", "transfers to {suit}"),
    (r"\bstayman\b", "asks majors"),
    (r"ask(?:s|ing)?(?: for)? (?P<what>[a-z]+(?: [a-z]+)?)", "asks {what}"),
    (r"\bartificial\b", "artificial"),
    (r"\brelay\b", "relay"),
    (r"\bsplinter\b", "splinter"),
    (r"\bcue[- ]?bid\b", "cue-bid"),
    (r"pre-?empt(?:ive)?", "preempt"),
    (r"take-?out", "takeout"),
    (r"penalt(?:y|ies)", "penalty"),
    (r"\bnegative\b(?: double)?", "negative"),
)
_FILLERS = frozenset(
    "a an the with and or hand hands suit natural any shows showing has have may only exactly of but".split()
)


@dataclass(frozen=True, slots=True)
class Understood:
    """What a description says, in the system language, and what of it was not understood."""

    condition: str  # empty where no condition was understood
    effects: tuple[str, ...]
    rest: tuple[str, ...]


def understood(description: str, suit: str = "", letters: Bindings = ()) -> Understood:
    """A description as far as it goes.

    The suit is that of the call, its letter or its word; the letters are those that stand for a suit there.
    """
    text = f" {description} "
    for pattern, better in _WRITTEN:
        text = re.sub(pattern, better, text, flags=re.IGNORECASE)
    text = f" {' '.join(text.split())} "
    if suit:
        text = re.sub(r"\b(?:card )?suit\b", suit, text)
        text = re.sub(r"^\s*(\d+\+?)\s*(?=,|$|\.)", rf"\1 {suit}" if _is_length(text) else r"\1", text)
    text, effects = _without_effects(text)
    conditions: list[str] = []
    rest: list[str] = []
    for clause in re.split(r"[,()]|\.(?:\s|$)", text):
        found, left = _longest(clause.split(), letters)
        if found:
            conditions.append(found)
        rest += [piece for piece in left if not set(piece.lower().split()) <= _FILLERS]
    return Understood(", ".join(conditions), tuple(dict.fromkeys(effects)), tuple(rest))


def _is_length(text: str) -> bool:
    number = re.match(r"\s*(\d+)", text)
    return number is not None and int(number[1][:3]) <= 9


def _without_effects(text: str) -> tuple[str, list[str]]:
    effects: list[str] = []
    for pattern, effect in _EFFECTS:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            named = {name: value.lower() for name, value in match.groupdict().items() if value}
            effects.append(effect.format(**named))
        text = re.sub(pattern, " , ", text, flags=re.IGNORECASE)
    if "forcing to game" in effects or "signs off" in effects:
        effects = [effect for effect in effects if effect not in ("forcing", "invites")]
    return text, [effect for effect in effects if effect]


def _longest(words: list[str], letters: Bindings) -> tuple[str, list[str]]:
    """The longest run of words that is a condition, and what stands before and after it."""
    words = words[:40]  # no clause of sense is longer, and all runs of it are tried
    for count in range(len(words), 0, -1):
        for start in range(len(words) - count + 1):
            run = " ".join(words[start : start + count]).strip(";: ")
            if run and _is_condition(run, letters):
                left = (" ".join(words[:start]), " ".join(words[start + count :]))
                return run, [piece for piece in left if piece.strip(" ;:")]
    return "", [" ".join(words)] if words else []


def _is_condition(text: str, letters: Bindings) -> bool:
    """Whether a text reads as a condition that says something."""
    try:
        return read_relative(text, Answers(letters, IMAGINED)) != ANYTHING
    except (BidlabError, NoSuchSuitError):
        return False
