"""The linter for systems: what is surely, or very likely, a slip in a system's text.

A text is read with all its errors; its lines are compared with each other; then the auctions that it speaks
of are walked through, and at every place the rules are held against the hands that can come there: exactly,
where shape and points decide, and by drawn hands where they do not. What an author means to be so is excused
by a comment `# check: ok REASON` at the end of its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bidlab.systems.bml import load_bml
from bidlab.systems.checks.findings import Excused, Finding, Kind, Report
from bidlab.systems.checks.firing import Firing
from bidlab.systems.checks.lines import line_findings
from bidlab.systems.checks.promises import Promises
from bidlab.systems.checks.reading import Read, Sources, read_system
from bidlab.systems.checks.sequences import Sequences
from bidlab.systems.loading import system_file
from bidlab.systems.named import is_bml
from bidlab.systems.syntax import Place
from bidlab.systems.system import System
from bidlab.systems.walking import Walk

__all__ = ["Excused", "Finding", "Kind", "Report", "check_system"]


# A convention or a part by itself does not make the calls before it, so that nothing is known of their hands.
_OF_WHOLE_SYSTEMS = (Kind.UNREACHED, Kind.CONTEXT, Kind.STRAIN, Kind.IMPOSSIBLE)


def check_system(name: str | Path, tell: Callable[[int, int], None] = lambda done, total: None) -> Report:
    """All findings in a system, by its name or its file; `tell` hears how many rules are done."""
    if is_bml(name):
        return _check_notes(Path(name), tell)
    path = system_file(str(name))
    read = read_system(path)
    if read.errors or read.system is None:
        return Report(path.stem, 0, 0, tuple(sorted(read.errors, key=lambda one: one.place)))
    walked, places = _walked(read.system, tell)
    findings = [*line_findings(read.system), *walked]
    if read.system.texts[0].kind != "system":
        findings = [one for one in findings if one.kind not in _OF_WHOLE_SYSTEMS]
    return _report(read, read.system, findings, places)


def _check_notes(path: Path, tell: Callable[[int, int], None]) -> Report:
    """The findings in notes in BML: first of all what was not understood."""
    notes = load_bml(path)
    system = notes.system()
    findings = [Finding(note.place, Kind.TEXT, note.text) for note in notes.notes]
    walked, places = _walked(system, tell)
    everything = sorted((*findings, *line_findings(system), *walked), key=lambda one: one.place)
    return Report(path.stem, len(_line_places(system)), places, tuple(_without_echoes(everything)))


def _walked(system: System, tell: Callable[[int, int], None]) -> tuple[list[Finding], int]:
    """What the places of auctions show, and how many were looked at."""
    lines = len(_line_places(system))
    walk = Walk(system)
    firing, promises, sequences = Firing(), Promises(walk), Sequences(system)
    places = 0
    for visit in walk.visits():
        places += 1
        tell(len(firing.lines), lines)
        for check in (firing, promises, sequences):
            check.add(visit)
    return [*firing.findings(), *promises.findings(), *sequences.findings()], places


def _report(read: Read, system: System, findings: Iterable[Finding], places: int) -> Report:
    kept: list[Finding] = []
    excused: list[Excused] = []
    for finding in sorted(_without_echoes(findings), key=lambda one: (one.place, one.kind.value)):
        reason = read.sources.reason(finding.place)
        if reason:
            excused.append(Excused(finding, reason))
        else:
            kept.append(finding)
    if system.texts[0].kind == "system":
        kept += _needless(read.sources, excused)
    rules = len(_line_places(system))
    return Report(system.name, rules, places, tuple(sorted(kept, key=lambda one: one.place)), tuple(excused))


def _line_places(system: System) -> set[Place]:
    return {rule.line.place for rule in system.tree.rules}


def _without_echoes(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without those that only repeat another: a line that stands twice is also covered."""
    found = list(dict.fromkeys(findings))
    twice = {one.place.line for one in found if one.kind is Kind.DUPLICATE}
    echoes = (Kind.COVERED, Kind.HIDDEN)
    return [one for one in found if one.kind not in echoes or one.place.line not in twice]


def _needless(sources: Sources, excused: list[Excused]) -> Iterator[Finding]:
    """Exceptions without a reason, and those that excuse nothing."""
    used = {
        (one.finding.place.file, line)
        for one in excused
        for line in sources.whole(one.finding.place.file, one.finding.place.line)
    }
    for place, reason in sources.exceptions():
        if not reason:
            yield Finding(place, Kind.EXCEPTION, "an exception without a reason", "say why it is right so")
        elif (place.file, place.line) not in used:
            yield Finding(place, Kind.EXCEPTION, "nothing is wrong with this line", "leave the comment out")
