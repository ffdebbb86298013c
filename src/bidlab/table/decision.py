"""What a bidder answers: the call, what it says, why, and what else was considered."""

from __future__ import annotations

from dataclasses import dataclass

from bidlab.bridge.calls import Call
from bidlab.meaning.meaning import Meaning


@dataclass(frozen=True, slots=True)
class Candidate:
    """A call that was considered, what it was valued at (in IMPs, in points or by its chance), and a note.

    The note says which: one that ends in a percent sign tells the chance itself.
    """

    call: Call
    value: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """A call with its meaning, where the bidder gives one, and the reasons in the order they were found."""

    call: Call
    meaning: Meaning | None = None
    reasons: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    is_simulated: bool | None = None  # whether hidden hands were dealt to find the call; None: not told
