"""A system's notes as Markdown, and as a web page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from bidlab.systems.notes import Convention, Entry, Notes, Passage

_MOST_ALIKE = 6
_READING = (
    "Points are high-card points unless the words say otherwise. The calls of a place are tried from the top:"
    " the first that fits is made, so that a call also denies whatever stands above it. Opponents' calls are"
    " in parentheses; where the notes end, judgement goes on."
)


def _doing(entry: Entry) -> str:
    """What a call does, as the end of a sentence."""
    return "; ".join(entry.does)


def _alike(passage: Passage) -> str:
    """The other auctions of a passage, in words."""
    names = list(passage.alike[:_MOST_ALIKE])
    more = len(passage.alike) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _over(convention: Convention) -> str:
    return f", over {' and '.join(convention.overs)}" if convention.overs else ""


# Markdown.


def notes_markdown(notes: Notes) -> str:
    """The notes as Markdown."""
    return "\n".join(_markdown(notes)) + "\n"


def _markdown(notes: Notes) -> Iterator[str]:
    yield f"# {notes.name}"
    yield from ("", f"*{notes.title}*") if notes.title else ()
    yield from ("", _READING)
    for chapter in notes.chapters:
        yield from ("", f"## {chapter.title}")
        for passage in chapter.passages:
            yield from ("", f"{'####' if passage.level else '###'} {_heading(passage)}")
            yield from ("", f"The same after {_alike(passage)}.") if passage.alike else ()
            yield ""
            yield from _markdown_entries(passage.entries, 0)
    if notes.conventions:
        yield from ("", "## Conventions", "")
        for one in notes.conventions:
            yield f"- **{one.name}**{_over(one)}" + (f": {one.title}" if one.title else "")


def _heading(passage: Passage) -> str:
    is_auction = any(sign in passage.title for sign in "♣♦♥♠") or "NT" in passage.title
    return f"Also after {passage.title}" if passage.level and is_auction else passage.title


def _markdown_entries(entries: Sequence[Entry], depth: int) -> Iterator[str]:
    for entry in entries:
        said = [f"**{entry.call}**"]
        if entry.shows:
            said.append(entry.shows)
        text = " ".join(said)
        if entry.does:
            text += f" — *{_doing(entry)}*"
        text += "".join(f' "{words}"' for words in entry.words)
        yield f"{'  ' * depth}- {text}"
        yield from _markdown_entries(entry.following, depth + 1)


# A web page.

_STYLE = """
:root { --ink: #1d2430; --soft: #667085; --line: #e3e6ec; --back: #fbfaf7; --red: #c4281c; --orange: #c9660a;
        --green: #1c7a43; --blue: #27408b; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 2.5rem 1.5rem 5rem;
       color: var(--ink); background: var(--back);
       font: 16px/1.5 Georgia, "Times New Roman", serif; }
h1 { font-size: 2.4rem; margin: 0; }
h2 { margin: 3rem 0 0.5rem; padding-bottom: 0.3rem; border-bottom: 2px solid var(--ink); font-size: 1.6rem; }
h3 { margin: 2rem 0 0.2rem; font-size: 1.2rem; }
h4 { margin: 1.1rem 0 0.2rem; font-size: 1rem; color: var(--soft); font-weight: 600; }
p.title { font-style: italic; font-size: 1.15rem; margin: 0.2rem 0 1.2rem; color: var(--soft); }
p.alike { margin: 0 0 0.3rem; color: var(--soft); font-size: 0.9rem; }
nav { columns: 2; font-size: 0.95rem; margin: 1.5rem 0; }
nav a { color: inherit; text-decoration: none; display: block; }
nav a:hover { text-decoration: underline; }
ul { list-style: none; margin: 0.2rem 0; padding: 0; }
ul ul { margin-left: 1.1rem; padding-left: 1.1rem; border-left: 2px solid var(--line); }
li.call { display: grid; grid-template-columns: 4.2rem 1fr; gap: 0 0.8rem; padding: 0.18rem 0; }
li.call > b { white-space: nowrap; }
li.call + li.call { border-top: 1px solid var(--line); }
li.theirs { padding-top: 0.3rem; }
li.theirs > b { color: var(--soft); }
.does { color: var(--soft); font-style: italic; }
.words { color: var(--soft); }
.c { color: var(--green); } .d { color: var(--orange); } .h { color: var(--red); } .s { color: var(--blue); }
@media (max-width: 40rem) {
  body { padding: 1rem; }
  li.call { grid-template-columns: 3rem 1fr; gap: 0 0.4rem; }
  ul ul { margin-left: 0; padding-left: 0.5rem; } }
@media print { body { background: white; font-size: 11px; } h2 { break-before: page; } }
"""
_SIGNS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


def notes_html(notes: Notes) -> str:
    """The notes as a page that needs no other file."""
    return "\n".join(_html(notes)) + "\n"


def _html(notes: Notes) -> Iterator[str]:
    name = escape(notes.name)
    yield f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{name}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>"
    if notes.title:
        yield f'<p class="title">{escape(notes.title)}</p>'
    yield f"<p>{escape(_READING)}</p>\n<nav>"
    for number, chapter in enumerate(notes.chapters):
        yield f'<a href="#chapter-{number}">{escape(chapter.title)}</a>'
    yield "</nav>"
    for number, chapter in enumerate(notes.chapters):
        yield f'<h2 id="chapter-{number}">{escape(chapter.title)}</h2>'
        for passage in chapter.passages:
            yield from _html_passage(passage)
    if notes.conventions:
        yield "<h2>Conventions</h2>\n<ul>"
        for one in notes.conventions:
            said = f": {_coloured(one.title)}" if one.title else ""
            yield f"<li><b>{escape(one.name)}</b>{_coloured(_over(one))}{said}</li>"
        yield "</ul>"
    yield "</body>\n</html>"


def _html_passage(passage: Passage) -> Iterator[str]:
    tag = "h4" if passage.level else "h3"
    yield f"<{tag}>{_coloured(_heading(passage))}</{tag}>"
    if passage.alike:
        yield f'<p class="alike">The same after {_coloured(_alike(passage))}.</p>'
    yield from _html_entries(passage.entries)


def _html_entries(entries: Sequence[Entry]) -> Iterator[str]:
    yield "<ul>"
    for entry in entries:
        if not entry.shows:
            yield f'<li class="theirs"><b>{_coloured(entry.call)}</b>'
            yield from _html_entries(entry.following)
            yield "</li>"
            continue
        does = f' <span class="does">{_coloured(_doing(entry))}</span>' if entry.does else ""
        words = "".join(f' <span class="words">“{_coloured(words)}”</span>' for words in entry.words)
        text = f"{_coloured(entry.shows)}{';' if does else ''}{does}{words}"
        yield f'<li class="call"><b>{_coloured(entry.call)}</b><div>{text}'
        if entry.following:
            yield from _html_entries(entry.following)
        yield "</div></li>"
    yield "</ul>"


def _coloured(text: str) -> str:
    """A text for the page, each sign of a suit in its colour."""
    text = escape(text)
    for sign, colour in _SIGNS.items():
        text = text.replace(sign, f'<span class="{colour}">{sign}</span>')
    return text
