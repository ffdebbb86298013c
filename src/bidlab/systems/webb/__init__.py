"""WEBB's systems (Woolever 2001): programs of 32-bit entries in states, and what their calls mean.

docs/evolution.md has the definitions; `native/webb` runs them.
"""

from bidlab.systems.webb.breeding import Operator, offspring
from bidlab.systems.webb.entries import Bid, Decision, Kind, Players, entry_of, word_of
from bidlab.systems.webb.inference import box_meaning, call_meanings
from bidlab.systems.webb.options import OPTIONS, options_of
from bidlab.systems.webb.population import Population, random_population
from bidlab.systems.webb.system import WebbState, WebbSystem
from bidlab.systems.webb.tournament import Rules, Standing, WebbDeals, played, turns_a_round

__all__ = [
    "OPTIONS",
    "Bid",
    "Decision",
    "Kind",
    "Operator",
    "Players",
    "Population",
    "Rules",
    "Standing",
    "WebbDeals",
    "WebbState",
    "WebbSystem",
    "box_meaning",
    "call_meanings",
    "entry_of",
    "offspring",
    "options_of",
    "played",
    "random_population",
    "turns_a_round",
    "word_of",
]
