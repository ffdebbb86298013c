"""WEBB's systems as frozen values, written and read as JSON.

    {"format": "bidlab webb", "version": 1, "inheritance": 3,
     "states": [{"program": ["81403680", ...], "transitions": [0, 2, ...], "inherits": 1}, ...]}

Words are eight hexadecimal digits, so that a file is the system bit for bit; transitions are in the order
of the calls, pass 0 .. 7NT 37. A system with options names them: "options": ["bidding", ...].
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bidlab.bridge.calls import CALLS, Call
from bidlab.bridge.errors import BidlabError, FormatError, quoted
from bidlab.systems.webb.entries import MOST_ENTRIES, Entry, entry_of, word_of
from bidlab.systems.webb.options import options_of

FORMAT, VERSION = "bidlab webb", 1
MOST_STATES, MOST_INHERITANCE = 64, 15


@dataclass(frozen=True, slots=True)
class WebbState:
    """A program, where each call leads, and whose program follows when it has ended."""

    program: tuple[int, ...]  # words
    transitions: tuple[int, ...]  # a state for each call
    inherits: int = 0

    @classmethod
    def of(cls, entries: Sequence[Entry], transitions: dict[str, int], inherits: int = 0) -> WebbState:
        """A state from entries; calls that are not named lead to state 0."""
        leads = {int(Call(call)): state for call, state in transitions.items()}
        return cls(tuple(map(word_of, entries)), tuple(leads.get(i, 0) for i in range(len(CALLS))), inherits)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The program, decoded."""
        return tuple(entry_of(word, len(self.program)) for word in self.program)


@dataclass(frozen=True, slots=True)
class WebbSystem:
    """A finite-state machine that bids for a partnership, from state 0 on."""

    states: tuple[WebbState, ...]
    inheritance: int = 3  # programs that are run after the own one, before a pass is assumed
    options: tuple[str, ...] = ()  # what it asks and bids beyond the thesis

    def __post_init__(self) -> None:
        if self.options != options_of(self.options):
            raise BidlabError(f"options {', '.join(self.options)}: each once and in the order of OPTIONS")
        if not 1 <= len(self.states) <= MOST_STATES:
            raise BidlabError(f"no system of {len(self.states)} states: 1 to {MOST_STATES} are possible")
        if not 0 <= self.inheritance <= MOST_INHERITANCE:
            raise BidlabError(f"no inheritance of {self.inheritance} programs: 0 to {MOST_INHERITANCE}")
        length = len(self.states[0].program)
        for number, state in enumerate(self.states):
            self._check(number, state, length)

    def _check(self, number: int, state: WebbState, length: int) -> None:
        if len(state.program) != length or not 1 <= length <= MOST_ENTRIES:
            raise BidlabError(
                f"state {number} has a program of {len(state.program)} entries: 1 to {MOST_ENTRIES} are "
                "possible, in all states the same"
            )
        if any(not 0 <= word < 1 << 32 for word in state.program):
            raise BidlabError(f"state {number} has an entry that is no word of 32 bits")
        if len(state.transitions) != len(CALLS):
            raise BidlabError(
                f"state {number} has {len(state.transitions)} transitions: {len(CALLS)} are wanted"
            )
        for to in (*state.transitions, state.inherits):
            if not 0 <= to < len(self.states):
                raise BidlabError(
                    f"state {number} leads to state {to}: there are 0 to {len(self.states) - 1}"
                )

    def to_json(self) -> str:
        """The system as a JSON text of one line a state."""
        states = [
            json.dumps(
                {
                    "program": [f"{word:08x}" for word in state.program],
                    "transitions": state.transitions,
                    "inherits": state.inherits,
                }
            )
            for state in self.states
        ]
        head = f'"format": "{FORMAT}", "version": {VERSION}, "inheritance": {self.inheritance}'
        if self.options:
            head += f', "options": {json.dumps(self.options)}'
        return "{" + head + ', "states": [\n' + ",\n".join(states) + "\n]}\n"

    @classmethod
    def from_json(cls, text: str, source: str = "the text") -> WebbSystem:
        """The system of a JSON text; `source` names it in errors."""
        try:
            given = json.loads(text)
        except json.JSONDecodeError as error:
            raise FormatError(f"{source} is no JSON: {error}") from None
        if not isinstance(given, dict) or given.get("format") != FORMAT:
            raise FormatError(f'{source} is no WEBB system: it has not "format": "{FORMAT}"')
        if given.get("version") != VERSION:
            raise FormatError(f"{source} is of version {quoted(given.get('version'))}: {VERSION} is read")
        try:
            states = tuple(map(_state, given["states"]))
            return cls(states, int(given["inheritance"]), options_of(given.get("options", ())))
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, BidlabError):
                raise FormatError(f"{source}: {error}") from None
            raise FormatError(
                f"{source}: {type(error).__name__} {error}: see bidlab.systems.webb.system"
            ) from None


def _state(given: dict[str, Any]) -> WebbState:
    words = tuple(int(word, 16) for word in given["program"])
    return WebbState(words, tuple(map(int, given["transitions"])), int(given["inherits"]))
