"""The command check: what is wrong with a system's text, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import typer

from bidlab.cli.boards import Json
from bidlab.cli.progress import measured
from bidlab.systems.checking import Finding, Report, check_system


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog="Example: bidlab check natural")(check)


def check(
    system: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A system's file, or its name.")],
    as_json: Json = False,
) -> None:
    """Check a system for rules that never fire, hands without a call, illegal calls and contradictions.

    Each finding says where it is, what is wrong and what would mend it. A line that is meant as it stands is
    excused by a comment at its end: # check: ok REASON. The exit status is 1 where something is left, 0 where
    nothing is.
    """
    with measured("checking", "rules") as tell:
        report = check_system(system, tell)
    if as_json:
        print(json.dumps(_as_json(report)))
    else:
        print("\n".join(_lines(report)))
    if not report.is_clean:
        raise typer.Exit(1)


def _lines(report: Report) -> Iterator[str]:
    for finding in report.findings:
        yield from _finding_lines(finding)
    if report.excused:
        if report.findings:
            yield ""
        yield "Meant so:"
        for one in report.excused:
            yield f"{one.finding.place}: {one.finding.kind.value}: {one.reason}"
    if report.findings or report.excused:
        yield ""
    yield _counts(report)


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield str(finding)
    after = f"after {finding.auction}" if finding.auction.strip() else ""
    hand = f"with {finding.hand}" if finding.hand is not None else ""
    if after or hand:
        yield f"    for example {' '.join(part for part in (after, hand) if part)}"


def _counts(report: Report) -> str:
    found, excused = len(report.findings), len(report.excused)
    said = f"{report.name}: {found or 'no'} finding{'' if found == 1 else 's'}"
    if excused:
        said += f", {excused} excused with a reason"
    if report.rules:
        said += f", in {report.rules:,} rules at {report.places:,} places of auctions"
    return f"{said}."


def _as_json(report: Report) -> dict[str, object]:
    return {
        "system": report.name,
        "rules": report.rules,
        "places": report.places,
        "findings": [_finding_json(one) for one in report.findings],
        "excused": [_finding_json(one.finding) | {"reason": one.reason} for one in report.excused],
    }


def _finding_json(finding: Finding) -> dict[str, object]:
    return {
        "file": finding.place.file,
        "line": finding.place.line,
        "column": finding.place.column,
        "kind": finding.kind.value,
        "what": finding.what,
        "mend": finding.mend,
        "auction": finding.auction.strip(),
        "hand": None if finding.hand is None else str(finding.hand),
    }
