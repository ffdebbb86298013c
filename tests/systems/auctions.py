"""Rules of a system at given auctions, for tests."""

from __future__ import annotations

from dataclasses import replace

from bidlab.bridge.calls import Call
from bidlab.meaning.meaning import Meaning
from bidlab.systems.cursor import Cursor
from bidlab.systems.rules import Rule
from bidlab.systems.state import Shown, State
from bidlab.systems.system import System


def cursor_at(system: System, auction: str) -> Cursor:
    cursor = system.start
    for word in auction.split():
        cursor = cursor.after(Call(word))
    return cursor


def rules_at(system: System, auction: str, state: State | None = None, **known: object) -> list[Rule]:
    return system.rules(cursor_at(system, auction), state or state_of(**known))


def state_of(**known: object) -> State:
    return replace(State(), **known)


def table_at(system: System, auction: str, **known: object) -> list[tuple[str, str]]:
    """Calls and conditions in order."""
    return [(str(rule.call), str(Meaning(rule.condition))) for rule in rules_at(system, auction, **known)]


def calls_at(system: System, auction: str, **known: object) -> list[str]:
    return [call for call, _ in table_at(system, auction, **known)]


def rule_at(system: System, auction: str, call: str, **known: object) -> Rule:
    """The first rule that makes a call."""
    return next(rule for rule in rules_at(system, auction, **known) if rule.call == Call(call))


def meaning_at(system: System, auction: str, call: str, **known: object) -> str:
    return str(Meaning(rule_at(system, auction, call, **known).condition))


def shown(**known: object) -> Shown:
    return replace(Shown(), **known)
