"""Programs in a system's text: they call where no rule speaks, so that few lines cover every auction.

    programs inherit 3 with bidding vulnerability
      state inherits 1 to 0 0 0 2 2 2 ...
        81403680                          # if bidder at least 6 spades: 2 ahead
        00000004                          # bid 1N

One `state` for each, its transitions in the order of the calls, pass first; one line for each entry, its 32
bits in hexadecimal digits; what an entry asks stands beside it as a comment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bidlab._native import webb_position
from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.errors import BidlabError, quoted
from bidlab.systems.errors import SystemTextError
from bidlab.systems.rules import Effects, Programmed, Rule
from bidlab.systems.state import State
from bidlab.systems.webb.entries import entry_of
from bidlab.systems.webb.options import options_of
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.reading import bounds_of, is_artificial, plain_rules
from bidlab.systems.webb.system import WebbState, WebbSystem

if TYPE_CHECKING:
    from bidlab.systems.syntax import Phrase

_WANTED = "'programs inherit 3', with options after 'with'"
_NOTHING_SAID = np.zeros((0, 8, 2), dtype=np.int16)


def programs_text(system: WebbSystem) -> list[str]:
    """The lines of a system's programs."""
    options = f" with {' '.join(system.options)}" if system.options else ""
    lines = [f"programs inherit {system.inheritance}{options}"]
    for number, state in enumerate(system.states):
        links = " ".join(map(str, state.transitions))
        lines.append(f"  state inherits {state.inherits} to {links}  # state {number}")
        for word in state.program:
            # What entries are with options is not said in words yet.
            said = "" if system.options else f"  # {entry_of(word, len(state.program))}"
            lines.append(f"    {word:08x}{said}")
    return lines


def read_programs(head: Phrase, states: Sequence[tuple[Phrase, Sequence[Phrase]]]) -> WebbSystem:
    """The system of a block of programs."""
    words = head.text.split()
    if len(words) < 3 or words[1] != "inherit" or not words[2].isdigit() or words[3:4] not in ([], ["with"]):
        raise SystemTextError(head.place, f"{quoted(head.text)} where {_WANTED} is wanted")
    found = []
    for line, entries in states:
        given = line.text.split()
        if given[:2] != ["state", "inherits"] or given[3:4] != ["to"] or not all(map(str.isdigit, given[4:])):
            raise SystemTextError(line.place, "a state is wanted: 'state inherits 0 to 0 0 ...'")
        program = tuple(_word(entry) for entry in entries)
        inherits = int(given[2]) if given[2].isdigit() else -1  # which no system has
        found.append(WebbState(program, tuple(map(int, given[4:])), inherits))
    try:
        return WebbSystem(tuple(found), int(words[2]), options_of(words[4:]))
    except BidlabError as error:
        raise SystemTextError(head.place, str(error)) from None


def _word(entry: Phrase) -> int:
    try:
        return int(entry.text, 16)
    except ValueError:
        raise SystemTextError(
            entry.place, f"{quoted(entry.text)} where an entry of eight hexadecimal digits is wanted"
        ) from None


class ProgramRules:
    """What programs say at every point of an auction, as plain rules."""

    def __init__(self, system: WebbSystem, name: str) -> None:
        self.system = system
        self.name = name
        self._native = Population.of([system]).native
        self._asks_vulnerability = "vulnerability" in system.options
        self._found: dict[tuple[tuple[Call, ...], int], tuple[Rule, ...]] = {}

    def rules(self, calls: tuple[Call, ...], state: State) -> tuple[Rule, ...]:
        """The rules of the player to call, for hands that made his calls so far."""
        sides = 0  # bit 0: the dealer's side
        if self._asks_vulnerability:
            both = state.we_vulnerable, state.they_vulnerable
            dealers, others = both if len(calls) % 2 == 0 else both[::-1]
            sides = dealers | others << 1
        key = (calls, sides)
        if key not in self._found:
            self._found[key] = self._read(*key)
        return self._found[key]

    def _read(self, calls: tuple[Call, ...], sides: int) -> tuple[Rule, ...]:
        row = np.array([calls], dtype=np.uint8).reshape(1, len(calls))
        nobody = np.full(row.shape, -1, dtype=np.int32)
        vulnerable = np.array([sides], dtype=np.uint8)
        steps, known, state = webb_position(self._native, 0, vulnerable, row, nobody, _NOTHING_SAID, False)
        own = known[len(calls) % 4].tolist()
        rules, source = plain_rules(steps.tolist(), own), Programmed(self.name, state)
        return tuple(
            Rule(
                CALLS[rule.call],
                rule.condition(),
                Effects(artificial=is_artificial(rules, rule.call, bounds_of(own))),
                source,
            )
            for rule in rules
        )
