"""One call explained, as a text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence

from bidlab.cli.layout import hanging
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import Explained
from bidlab.systems.rules import Judged, Programmed, Rule

_LABEL = 14  # columns for a seat and its call


def call_text(one: Explained, sentences: Sequence[str]) -> str:
    """A call with its maker, and sentences about it to the right."""
    return hanging(f"{one.seat.word:<5}  {one.call.symbol}", " ".join(sentences), _LABEL)


def explained_json(one: Explained) -> dict[str, object]:
    """A call explained, its meaning in the language of meanings too."""
    return {
        "seat": str(one.seat),
        "call": str(one.call),
        "shows": one.shows if one.meaning is not None else None,
        "meaning": None if one.meaning is None else str(one.meaning),
        "estimated": one.is_estimated,
        "denies": [
            {"call": str(denial.call), "shows": denial.shows, "share": denial.share} for denial in one.denies
        ],
        "does": list(one.does),
        "rules": [rule_json(rule) for rule in one.rules],
    }


def rule_json(rule: Rule) -> dict[str, object]:
    """Where a rule comes from."""
    if isinstance(rule.source, Judged):
        return {
            "judgement": rule.source.kind,
            "estimate": rule.source.estimate,
            "condition": str(Meaning(rule.condition)),
        }
    if isinstance(rule.source, Programmed):
        return {
            "system": rule.source.system,
            "state": rule.source.state,
            "condition": str(Meaning(rule.condition)),
        }
    return {
        "file": rule.source.file,
        "line": rule.source.line,
        "context": rule.source.context,
        "condition": str(Meaning(rule.condition)),
        "text": rule.text,
    }
