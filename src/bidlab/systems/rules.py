"""One rule of a position: a condition on the hand, a call, what the call does, and where it was written.

Rules are absolute: suits, points and lengths are those of one hand. What a system's text says of partner, of
their suit or of the agreed one has been resolved when the position was made.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import IntEnum

from bidlab.bridge.calls import Call
from bidlab.bridge.cards import Strain, Suit
from bidlab.meaning.conditions import Condition

OTHERWISE = "otherwise"  # the header of what is done where nothing else is said
SECOND_THOUGHTS = "second thoughts"  # the context of rules that a network wrote (docs/judgement.md)


class Forcing(IntEnum):
    """How long partner may not pass."""

    NO = 0
    ROUND = 1  # partner calls once more
    GAME = 2  # both go on until game is reached


@dataclass(frozen=True, slots=True)
class Ask:
    """What a call asks partner: the key cards of hearts, the majors, shortness ..."""

    what: str
    suit: Suit | None = None

    def __str__(self) -> str:
        return f"{self.what} of {self.suit.word}" if self.suit is not None else self.what


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call does to the state of the auction, beside what it says of the hand."""

    forcing: Forcing = Forcing.NO
    agrees: Suit | None = None
    asks: Ask | None = None
    invites: bool = False
    signs_off: bool = False
    artificial: bool = False  # the strain that is named is not shown
    transfers: Suit | None = None  # partner is to bid this suit
    words: tuple[str, ...] = ()  # for people: preempt, takeout, splinter ...


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a rule leaves to a forecast of both hands (docs/judgement.md): which hands, each point tells."""

    strain: Strain | None  # None: enough to double their contract
    tricks: float | None = None  # None: enough to bid on over their contract

    @property
    def row(self) -> tuple[int, int, float]:
        """Kind, strain and tricks as the native book has them."""
        if self.strain is None:
            return 3, 0, 0.0
        return (2, int(self.strain), 0.0) if self.tricks is None else (1, int(self.strain), self.tricks)


@dataclass(frozen=True, slots=True)
class Written:
    """A rule of a system's text."""

    file: str
    line: int
    context: str = ""  # the header and the calls that it stands under

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A rule that judgement wrote from what is known of the four hands."""

    kind: str  # game, slam, contract, compete, save, preempt, penalty, escape, pass ...
    estimate: str = ""  # in words: "partner is worth about 9 points and 3.1 spades: ten tricks"

    def __str__(self) -> str:
        return f"judgement ({self.kind})"


@dataclass(frozen=True, slots=True)
class Programmed:
    """A rule that was read off a program which evolved, in the state that its side is in."""

    system: str
    state: int

    def __str__(self) -> str:
        return f"{self.system}, state {self.state}"


@dataclass(frozen=True, slots=True)
class Rule:
    """With a hand that fulfils the condition, this call."""

    call: Call
    condition: Condition
    effects: Effects = field(default_factory=Effects)
    source: Written | Judged | Programmed = Judged("pass")
    text: str = ""  # the words beside the rule
    # The line of a system's text and its suits, by which the system finds partner's answers; None: judged.
    # It is compared: one line stands for other answers where its letters stand for other suits.
    origin: Hashable | None = field(default=None, repr=False)
    forecast: Forecast | None = None  # besides the condition; at a position it has become part of that
