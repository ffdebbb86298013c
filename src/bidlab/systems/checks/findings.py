"""What the linter finds: a place in a file, what is wrong there, what would mend it, an example."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bidlab.bridge.hands import Hand
from bidlab.systems.syntax import Place


class Kind(Enum):
    """What is wrong; the value is the word that a report shows."""

    TEXT = "text"  # cannot be read
    IMPOSSIBLE = "impossible"  # no hand fulfils the condition
    COVERED = "covered"  # the rules above take every hand
    HIDDEN = "hidden"  # the same, by a rule for any hand
    DUPLICATE = "duplicate"  # the same line twice
    ILLEGAL = "illegal"  # the laws forbid the call wherever it stands
    UNREACHED = "unreached"  # no auction of the system comes there
    HOLE = "hole"  # hands without a call where the list ought to be complete
    PASSED = "passed"  # a rule passes what is forcing
    CONTRADICTION = "contradiction"  # two things that cannot both be meant
    STRAIN = "strain"  # a suit is bid that need not be held
    DISTURBED = "disturbed"  # nothing is written for a double of an artificial call
    TWICE = "twice"  # a convention used twice over the same call
    UNUSED = "unused"  # a parameter that nothing uses
    CONTEXT = "context"  # a state that nothing brings about
    EXCEPTION = "exception"  # `# check: ok` where there is nothing to excuse


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a system's text."""

    place: Place
    kind: Kind
    what: str
    mend: str = ""
    auction: str = ""  # where an auction explains it
    hand: Hand | None = None  # where a hand does

    def __str__(self) -> str:
        return f"{self.place}: {self.kind.value}: {self.what}" + (f"; {self.mend}" if self.mend else "")


@dataclass(frozen=True, slots=True)
class Excused:
    """A finding that the text itself lists as meant, with the reason."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found in a system."""

    name: str
    rules: int  # lines of rules that were looked at
    places: int  # points of auctions that were looked at
    findings: tuple[Finding, ...]
    excused: tuple[Excused, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing is wrong that is not listed with a reason."""
        return not self.findings
