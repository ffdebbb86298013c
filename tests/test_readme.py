"""The commands that the README and other pages show do what they say."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BROKEN = """[Board "1"]
[Dealer "N"]
[Deal "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"]
[Auction "N"]
1S Pass 2S Pass
2H Pass Pass Pass
"""


def commands(page: str) -> list[tuple[str, list[str]]]:
    """Each command line of a page and the lines that follow it."""
    found: list[tuple[str, list[str]]] = []
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ bidlab "):
            found.append((re.sub(r"\s+#.*", "", line[6:]), []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
        elif line.strip() and found and not line.startswith("    "):
            found.append(("", []))  # text ends what belongs to a command
    return [(command, shown) for command, shown in found if command]


@pytest.mark.parametrize("page", ["README.md", "docs/matches.md", "docs/evolution.md", "docs/boosting.md"])
def test_commands_of_a_page_print_what_it_shows(page: str, tmp_path: Path) -> None:
    (tmp_path / "match.lin").write_bytes((ROOT / "tests/formats/files/vugraph.lin").read_bytes())
    (tmp_path / "broken.pbn").write_text(BROKEN)
    (tmp_path / "best.json").write_bytes((ROOT / "tests/bidders/files/evolved.json").read_bytes())
    environment = {**os.environ, "COLUMNS": "100"}  # as where there is no terminal
    shown_commands = commands(page)
    assert len(shown_commands) >= 3
    for command, shown in shown_commands:
        words = [sys.executable, "-m", "bidlab", *shlex.split(command)[1:]]
        result = subprocess.run(
            words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        if shown:
            printed = [line for line in (result.stdout + result.stderr).splitlines() if line]
            assert printed == shown, command
        assert result.returncode == (2 if "broken" in command else 0), (command, result.stderr)


def test_every_make_target_of_the_readme_exists() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for target in re.findall(
        r"`make ([\w-]+)`|^    make ([\w-]+)", (ROOT / "README.md").read_text(), re.MULTILINE
    ):
        assert "".join(target) in targets


@pytest.mark.parametrize(
    "page",
    "architecture boosting double-dummy explaining formats matches meaning network robots".split()
    + "system-language table-manager".split(),
)
def test_pages_that_the_readme_links_to_exist(page: str) -> None:
    path = f"docs/{page}.md"
    assert path in (ROOT / "README.md").read_text() and (ROOT / path).is_file()
