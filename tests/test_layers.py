"""Rules of the house that the import linter cannot see."""

import ast
from collections.abc import Iterator
from pathlib import Path

import bidlab

SOURCE = Path(bidlab.__file__).parent


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_only_the_command_line_imports_the_public_face() -> None:
    for path in SOURCE.rglob("*.py"):
        if "cli" not in path.parts and path.parent != SOURCE:
            assert "bidlab" not in list(imports(path)), path


def test_bridge_and_formats_use_the_standard_library_alone() -> None:
    for package in ("bridge", "formats"):
        for path in (SOURCE / package).rglob("*.py"):
            used = set(imports(path))
            assert "bidlab._native" not in used and not any(name.startswith("numpy") for name in used), path


def test_only_the_command_line_prints() -> None:
    for path in SOURCE.rglob("*.py"):
        if "cli" in path.parts:
            continue
        calls = [
            node.func.id
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        assert "print" not in calls, path
