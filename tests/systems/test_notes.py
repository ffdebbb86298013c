"""Systems as notes: what is told, in which order, and as Markdown and HTML."""

import pytest

from bidlab.systems.notes import Entry, Notes, system_notes
from bidlab.systems.notes_text import notes_html, notes_markdown
from bidlab.systems.system import System

TEXT = """
system Test  "two openings & what follows"
use stayman over 1N
opening, third seat
  1M  10-11, 5+ M, good M
opening
  1N  15-17, balanced
  1M  5+ M, 12-20, longest suit M
  P
1M
  2N  4+ M, 13+ in support of M       agrees M, asks shortness, forcing to game   "how are you?"
    3X  0-1 X                         artificial
    4M                                signs off
    (X)
      P
  3M  4+ M, 6-9 in support of M       agrees M
  2M  3+ M, 6-9 in support of M       agrees M
1M (X)
  2M  3+ M, 0-9                       agrees M
(1X)
  1N  15-17, balanced, stopper in X
when agreed M, below game
  4N  24+ combined in support of M    asks key cards of M
"""


@pytest.fixture(scope="module")
def notes() -> Notes:
    return system_notes(System.parse(TEXT))


def entries(notes: Notes, title: str) -> dict[str, Entry]:
    """The calls of a passage."""
    passages = [one for chapter in notes.chapters for one in chapter.passages if one.title == title]
    return {entry.call: entry for one in passages for entry in one.entries}


def test_chapters_follow_the_auction(notes: Notes):
    titles = [chapter.title for chapter in notes.chapters]
    assert titles == ["Openings", "Responses", "When they come in", "When they open", "Whatever the road"]


def test_a_major_is_told_once_and_the_other_is_alike(notes: Notes):
    responses = notes.chapters[1].passages
    assert [(one.title, one.alike) for one in responses] == [("1♥", ("1♠",)), ("1NT", ())]


def test_a_call_denies_what_stands_above_it(notes: Notes):
    assert entries(notes, "1♥")["2♥"].shows == "6-9 in support of hearts, 3 hearts"


def test_answers_are_told_beneath_their_question(notes: Notes):
    raise_ = entries(notes, "1♥")["2NT"]
    assert raise_.words == ("how are you?",)
    assert raise_.does == ("asks for shortness", "agrees hearts", "forcing to game")
    assert [one.call for one in raise_.following] == ["3♣", "3♦", "3♠", "4♥", "(Dbl)"]
    assert [one.call for one in raise_.following[-1].following] == ["Pass"]


def test_what_is_different_in_third_seat_is_told_apart(notes: Notes):
    assert set(entries(notes, "In third seat")) == {"1♥", "1♠"}


def test_conventions_are_named_with_their_place(notes: Notes):
    assert [(one.name, one.title, one.overs) for one in notes.conventions] == [
        ("stayman", "asks for a four-card major", ("1N",))
    ]
    assert "2♣" in entries(notes, "1NT")


def test_states_are_told_by_an_example(notes: Notes):
    assert notes.chapters[-1].passages[0].title.startswith("Agreed M, below game: for example 1♥ – 2")


def test_markdown_indents_what_follows(notes: Notes):
    text = notes_markdown(notes)
    assert text.startswith("# Test\n\n*two openings & what follows*\n")
    assert "\n## Responses\n\n### 1♥\n\nThe same after 1♠.\n\n- **2NT** " in text
    assert "\n  - **3♣** short clubs — *artificial*" in text


def test_html_needs_no_other_file(notes: Notes):
    page = notes_html(notes)
    assert page.startswith("<!doctype html>")
    assert "two openings &amp; what follows" in page
    assert '1<span class="h">♥</span>' in page
    assert "<script" not in page
    assert "http" not in page
    assert page.count("<ul>") == page.count("</ul>")
    assert page.count("<li") == page.count("</li>")
