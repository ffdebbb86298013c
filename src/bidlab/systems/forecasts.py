"""Forecasts among the conditions of a rule: `9.2+ tricks in M`, `enough to compete in M`, `enough to double`.

Which hands fulfil one depends on all that is known of the four hands, so that the native book tells it at
each point of an auction; here its words are taken out of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bidlab.bridge.cards import Strain
from bidlab.systems.errors import SystemTextError
from bidlab.systems.relations import suit_named
from bidlab.systems.rules import Forecast
from bidlab.systems.state import State
from bidlab.systems.syntax import Phrase, Place
from bidlab.systems.variables import Bindings, bound_suit, is_variable

_WORDS = re.compile(
    r"(?:(?:(?P<tricks>\d+(?:\.\d+)?)\+ tricks in|enough to compete in) (?P<where>\w+)|enough to double)"
    r"(?P<after>\s*(?:,\s*|$))"
)
_LIKE = re.compile(r"\btricks in\b|\benough to (?:compete|double)\b")


@dataclass(frozen=True, slots=True)
class ForecastWords:
    """A forecast as it is written."""

    where: str | None  # a letter, a suit or `notrump`; None: their contract, to double it
    tricks: float | None
    place: Place


def split_forecast(phrase: Phrase | None) -> tuple[Phrase | None, ForecastWords | None]:
    """What a condition asks of the hand, each word where it stood; and what it asks of a forecast."""
    if phrase is None or not _LIKE.search(phrase.text):
        return phrase, None
    found = list(_WORDS.finditer(phrase.text))
    if len(found) != 1 or ";" in phrase.text:
        like = _LIKE.search(phrase.text)
        assert like is not None
        raise SystemTextError(
            phrase.at(like.start()),
            "a forecast stands once, between commas and outside of alternatives: 9.2+ tricks in M, 3+ M",
        )
    one = found[0]
    rest = phrase.text[: one.start()] + " " * (one.end() - one.start()) + phrase.text[one.end() :]
    rest = re.sub(r",(\s*)$", r" \1", rest)
    tricks = one["tricks"] and float(one["tricks"])
    at = one.start("where") if one["where"] else one.start()
    words = ForecastWords(one["where"], tricks or None, phrase.at(at))
    return (replace(phrase, text=rest) if rest.strip() else None), words


def check_forecast(words: ForecastWords, bindings: Bindings) -> None:
    """Raise SystemTextError where a forecast is of no strain."""
    name = words.where
    if name is None or name == "notrump" or (is_variable(name) and bound_suit(name, bindings) is not None):
        return
    if name not in ("clubs", "diamonds", "hearts", "spades"):
        raise SystemTextError(
            words.place, f"tricks in '{name}': name a suit, a letter that stands for one, or notrump"
        )


def forecast_of(words: ForecastWords, bindings: Bindings, state: State) -> Forecast | None:
    """The forecast where its suit has become one; None where there is no such suit."""
    if words.where is None:
        return Forecast(None)
    if words.where == "notrump":
        return Forecast(Strain.NOTRUMP, words.tricks)
    suit = suit_named(words.where, bindings, state)
    return None if suit is None else Forecast(Strain(int(suit)), words.tricks)
