"""The report of a run: one HTML page with its figures in it, which needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from bidlab.learning.boost.figures import figures
from bidlab.learning.boost.findings import Findings
from bidlab.learning.boost.tables import decider_table, deciders_text, result_rows, situation_table

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #12263f; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
th { font-weight: 600 } tr + tr td, tr + tr th { border-top: 1px solid #ddd }
svg { max-width: 100%; height: auto } .verdict { font-size: 1.1rem }
"""


def report_html(found: Findings) -> str:
    """The page of a run, as far as it is played."""
    settings, run = found.run.settings, found.run
    title = f"Seeds of {settings.bidder}"
    state = "" if run.is_finished else " The run is not finished."
    asked = (
        f"Seeds {settings.seed_numbers[0]} to {settings.seed_numbers[-1]}, {settings.boards} boards a pair "
        f"of {settings.deals}, {run.boards:,} boards in all, seed {settings.seed}.{state}"
    )
    parts = [f"<h1>{escape(title)}</h1>", f"<p>{escape(asked)}</p>"]
    if found.matrix is not None:
        parts.append(f'<p class="verdict">{escape(found.verdict())}</p>')
    parts.append(_rows(result_rows(found)))
    for name, picture in figures(found).items():
        parts += [f"<h2>{escape(name)}</h2>", picture]
    if found.matrix is not None:
        parts += [
            "<h2>By situation</h2>",
            "<p>By the highest contract of either table, and by the last bid before the auctions parted: "
            "below 3♣, 3♣ to 3♠, 3NT and above. Chance: how often luck alone spreads the scores as much.</p>",
            _table(situation_table(found)),
            "<h2>Boards that decided</h2>",
            f"<p>{escape(deciders_text(found))}</p>",
            _table(decider_table(found)),
        ]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _rows(rows: Sequence[tuple[str, str]]) -> str:
    lines = [f"<tr><th>{escape(head)}</th><td>{escape(text)}</td></tr>" for head, text in rows]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _table(rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in rows[0])
    lines = ["<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:]]
    return f"<table>\n<tr>{heads}</tr>\n" + "\n".join(lines) + "\n</table>"
