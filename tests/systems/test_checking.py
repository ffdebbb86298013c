"""The check of systems: every seeded fault is found at its line, and natural has none."""

from pathlib import Path

import pytest
from tests.systems.faults import FAULTS, Fault, broken_copy, lines_of_fault

from bidlab.systems.checking import Kind, Report, check_system

UNREADABLE = tuple(fault for fault in FAULTS if fault.kind is Kind.TEXT)
READABLE = tuple(fault for fault in FAULTS if fault.kind is not Kind.TEXT)


def is_found(report: Report, fault: Fault, folder: Path) -> bool:
    lines = lines_of_fault(folder, fault)
    assert lines, f"{fault}: no line is like {fault.line!r}"
    return any(
        finding.kind is fault.kind
        and Path(finding.place.file).stem == fault.file
        and finding.place.line in lines
        for finding in report.findings
    )


def shown(report: Report) -> str:
    return "\n".join(map(str, report.findings))


def test_natural_has_nothing_that_is_not_listed_with_a_reason():
    report = check_system("natural")
    assert not report.findings, shown(report)
    assert all(one.reason for one in report.excused)


def test_the_empty_hierarchy_has_nothing_to_find():
    report = check_system("empty")
    assert (report.findings, report.excused) == ((), ())


def test_there_are_at_least_25_faults_of_all_kinds():
    assert len(FAULTS) >= 25
    assert {fault.kind for fault in FAULTS} == set(Kind)


def test_all_lines_that_cannot_be_read_are_found_at_once(tmp_path: Path):
    faults = [fault for fault in UNREADABLE if fault.name != "unknown file"]  # it hides other files
    report = check_system(broken_copy(tmp_path, *faults))
    missed = [str(fault) for fault in faults if not is_found(report, fault, tmp_path)]
    assert not missed, shown(report)
    assert len(report.findings) == len(faults), shown(report)


def test_all_seeded_faults_are_found_in_one_broken_copy(tmp_path: Path):
    report = check_system(broken_copy(tmp_path, *READABLE))
    missed = [str(fault) for fault in READABLE if not is_found(report, fault, tmp_path)]
    assert not missed, f"{missed}\n{shown(report)}"


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_seeded_fault_is_found_at_its_line(fault: Fault, tmp_path: Path):
    report = check_system(broken_copy(tmp_path, fault))
    assert is_found(report, fault, tmp_path), shown(report)
