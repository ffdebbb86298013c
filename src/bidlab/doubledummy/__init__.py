"""Double dummy: tricks with all cards in view, exactly, for one deal or for millions; and par."""

from bidlab.doubledummy.par import Par, par, par_scores
from bidlab.doubledummy.solving import (
    UNKNOWN,
    Effort,
    Solver,
    Tables,
    card_values,
    makes,
    solve,
    trick_table,
)

__all__ = [
    "UNKNOWN",
    "Effort",
    "Par",
    "Solver",
    "Tables",
    "card_values",
    "makes",
    "par",
    "par_scores",
    "solve",
    "trick_table",
]
