"""Text laid out for a terminal: paragraphs that hang from a label, tables whose last column is wrapped."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from textwrap import wrap

_NARROWEST, _USUAL, _WIDEST = 60, 100, 120


def text_width() -> int:
    """The columns of the terminal, within what reads well."""
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((_USUAL, 24)).columns))


def hanging(label: str, text: str, indent: int) -> str:
    """A text wrapped to the right of its label, every line as far in."""
    lines = wrap(text, max(20, text_width() - indent), break_on_hyphens=False) or [""]
    first = f"{label:<{indent}}{lines[0]}"
    return "\n".join([first.rstrip(), *(" " * indent + line for line in lines[1:])])


def table_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows in columns, the first row their heads; the last column is wrapped."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in rows), strict=True)]
    indent = sum(widths) + 2 * len(widths)
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)]
        lines.append(hanging("".join(f"{cell}  " for cell in cells), row[-1], indent))
    return "\n".join(lines)
