"""From the lines of a PBN file to games: tags, sections and comments, whatever their layout.

A game that is written as the standard's export format has it is taken apart at once, and any other one
line by line; both ways give the same game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bidlab.bridge.errors import quoted
from bidlab.formats.records import Reporter, one_line

# What a game in export format does not have, or not outside of values: such games are read line by line.
_ODD = ("{", ";", "}", "\\", "\n%", "\n ", "\n\t")
_TAG = re.compile(r'^\[(\w+) "([^"\\\n]*)"\]\n((?:[^\[%{};\s][^{};\n]*\n)*)', re.MULTILINE)
_TAG = re.compile(r'\s*\[\s*([A-Za-z]\w*)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*(.*)', re.DOTALL)
# A value with quotes inside it, with none around it, or with its last quote or bracket missing.
_LOOSE_TAG = re.compile(
    r'\s*\[\s*([A-Za-z]\w*)\s*(?:"(.*)"\s*\]|([^"\[\]]*)\]|"([^"]*)\]|"((?:[^"\\]|\\.)*)")\s*'
)
_ESCAPED = re.compile(r'\\(["\\])')
_TAG_START = re.compile(r"\s*\[\s*([A-Za-z]\w*)")
_NEW_GAME_TAG = re.compile(r'\s*\[\s*(?:Event|Site|Date|Board|Dealer|Deal)\s*"')
TOKEN = re.compile(r"\{[^}]*\}?|;[^\n]*|[^\s{;]+")

# The tags that a record has fields for; all others are kept as they are.
FIELD_TAGS = frozenset(
    "Board West North East South Dealer Vulnerable Deal Declarer Contract Result Room Auction Play"
    " Note".split()
)
_NOT_INHERITED = frozenset(
    ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note")
)
_KNOWN_TAGS = {
    tag.lower(): tag
    for tag in (*FIELD_TAGS, "Event", "Site", "Date", "Scoring", "HomeTeam", "VisitTeam", "Round")
} | {"play_order": "Play"}
_EXACT_TAGS = frozenset(_KNOWN_TAGS.values())
# After an empty line one of these begins a new game, if the game so far is more than a heading.
_FIRST_TAGS = frozenset(("Event", "Site", "Date", "Board", "Deal"))
_BOARD_TAGS = frozenset(("Deal", "Auction", "Contract"))
# What a game without a deal of its own, the second table of a board, shares with the game before it.
_SHARED_TAGS = ("Board", "Dealer", "Vulnerable", "Deal")
_LONGEST_COMMENT = 1 << 20
_LONGEST_PARAGRAPH = 1 << 22


class Game:
    """The parts of one game as they stand in the file."""

    __slots__ = (
        "_is_tidy",
        "_lines",
        "_text",
        "comments",
        "has_junk",
        "line",
        "notes",
        "section",
        "sections",
        "tags",
    )

    def __init__(self, line: int, text: str = "") -> None:
        self.line = line  # the number of its first line
        self.tags: dict[str, str] = {}
        # Runs of lines, each with the number of its first; 0 for the line below the tag.
        self.sections: dict[str, list[tuple[int, str]]] = {}
        self.notes: dict[tuple[str, str], str] = {}
        self.comments: list[str] = []
        self.has_junk = False  # whether text that stands in no section was reported
        self.section = ""  # the tag whose section the next lines belong to
        self._text = text  # if given, all of it
        self._lines: dict[str, int] = {}
        # Whether no value has blanks too many, which is cheaper to see at once.
        self._is_tidy = text != "" and not ("  " in text or "\t" in text or '" ' in text or ' "]' in text)

    def add(self, tag: str, value: str, number: int) -> None:
        """Add a tag that stands on that line."""
        if tag == "Note":
            key, _, text = value.partition(":")
            self.notes.setdefault((self.section, key.strip()), one_line(text))
        elif tag not in self.tags:  # of two tags with one name the first counts, says the standard
            self.tags[tag] = value
            self._lines[tag] = number
            self.section = tag

    def add_notes(self, pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Add the notes among tags and what follows them, each to the section before it; the other tags."""
        others = []
        for tag, rest in pairs:
            if tag == "Note" and rest[-2:] == '"]':
                self.add(tag, rest[:-2], 0)
            else:
                others.append((tag, rest))
                self.section = tag
        return others

    def value(self, tag: str) -> str:
        """A tag's value on one line, "" where it is missing or unknown."""
        value = self.tags.get(tag, "")
        if value == "?":
            return ""
        return value if self._is_tidy else one_line(value)

    @property
    def may_inherit(self) -> bool:
        """Whether a value may stand for that of an earlier game."""
        return not self._text or '"#' in self._text

    def take(self, tag: str, value: str) -> None:
        """Take a value from another game."""
        self.tags[tag] = value
        self._is_tidy = False

    def line_of(self, tag: str) -> int:
        """The number of a tag's line; the game's first where it is inherited."""
        if self._text:
            for number, line in enumerate(self._text.split("\n"), self.line):
                if line.startswith(f"[{tag} "):
                    return number
        return self._lines.get(tag, self.line)

    def rows(self, section: str) -> Iterator[tuple[int, str]]:
        """The lines of a section, each with its number."""
        for number, text in self.sections.get(section, ()):
            number = number or self.line_of(section) + 1
            if "{" in text:  # a comment over several lines stays in one piece
                yield number, text
            else:
                yield from enumerate(text.split("\n"), number)


def games(blocks: Iterable[str], report: Reporter) -> Iterator[Game]:
    """The games of a file, given as blocks of whole lines, with what they inherit from earlier ones."""
    inheritance = _Inheritance()
    for game in _split_games(blocks, report):
        inheritance.apply(game)
        yield game


class _Inheritance:
    """Values that a game takes from earlier ones: "#" from the last, "##text" for all that follow."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}
        self._lasting: dict[str, str] = {}
        self._board: dict[str, str] = {}

    def apply(self, game: Game) -> None:
        """Fill in what the game inherits, and remember what later games may."""
        tags = game.tags
        if game.may_inherit:
            for tag, value in list(tags.items()):
                if value[:2] == "##" and tag not in _NOT_INHERITED:
                    self._lasting[tag] = value[2:]
                    game.take(tag, value[2:])
                elif value == "#" and tag not in _NOT_INHERITED:
                    game.take(tag, self._last.get(tag, ""))
        for tag, lasting in self._lasting.items():
            if tag not in tags:
                game.take(tag, lasting)
            self._lasting[tag] = tags[tag]
        self._last.update(tags)
        if "Deal" in tags:
            self._board = tags
        elif "Board" not in tags and ("Auction" in tags or "Contract" in tags):
            for tag in _SHARED_TAGS:
                if tag in self._board and tag not in tags:
                    game.take(tag, self._board[tag])


def _split_games(blocks: Iterable[str], report: Reporter) -> Iterator[Game]:
    """The games of a file, which comes in blocks of whole lines."""
    splitter = _Splitter(report)
    rest = ""
    for block in blocks:
        paragraphs = f"{rest}{block}\n".split("\n\n")
        rest = paragraphs.pop()
        for paragraph in paragraphs:
            yield from splitter.add(paragraph)
        if len(rest) > _LONGEST_PARAGRAPH:
            cut = rest.rfind("\n") + 1
            yield from splitter.add(rest[:cut], is_whole=False)
            rest = rest[cut:]
    yield from splitter.add(rest.removesuffix("\n"))
    yield from splitter.end()


class _Splitter:
    """Splits a file into games: one begins where a tag comes again, or a first tag after an empty line."""

    def __init__(self, report: Reporter) -> None:
        self._report = report
        self._number = 1  # of the next line
        self._game = Game(1)
        self._after_blank = True
        self._pending, self._pending_line = "", 0  # a tag or a comment whose end has not come yet

    def add(self, paragraph: str, is_whole: bool = True) -> Iterator[Game]:
        """The games that end with the lines of a paragraph, which an empty line follows if it is whole."""
        if is_whole and not self._pending:
            plain = _plain_game(paragraph, self._number)
            if plain is not None and _begins_game(self._game, next(iter(plain.tags)), True):
                yield self._game
                self._game = plain
                self._after_blank = True
                self._number += paragraph.count("\n") + 2
                return
        for line in paragraph.removesuffix("\n").split("\n") if paragraph else ():
            ended = self._add_line(line)
            if ended is not None:
                yield from ended
            self._number += 1
        if is_whole:
            self._after_blank = True
            if self._pending[:1] == "{" or (self._pending and self._pending[0] != "["):
                self._pending += "\n"
            self._number += 1

    def end(self) -> Iterator[Game]:
        """The last game of the file."""
        pending = self._pending
        if pending[:1] == "[":
            _report_bad_tag(pending, self._pending_line, self._report)
        elif pending:
            self._report(self._pending_line, "comment { without its } at the end of the file", True)
            _add_text(self._game, pending + "}", self._pending_line, False, self._report)
        yield self._game

    def _add_line(self, line: str) -> list[Game] | None:
        """Add one line; the games that end with it, if any."""
        if self._pending:
            line = self._joined(line)
        stripped = line.strip()
        if not stripped:
            self._after_blank = True
            return None
        if line[0] == "%":
            return None
        if self._pending:
            return None
        ended: list[Game] = []
        while stripped[:1] == "[" or stripped[:2] == "}[":
            tag, value, rest = _tag_of(stripped.removeprefix("}"))
            if not tag:
                break
            if _begins_game(self._game, tag, self._after_blank):
                ended.append(self._game)
                self._game = Game(self._number)
            self._after_blank = False
            self._game.add(tag, value, self._number)
            stripped = rest.strip()
        if not stripped or stripped == "}":
            return ended
        if stripped[0] == "[":
            if stripped.count('"') == 1 or "]" not in stripped:
                self._pending, self._pending_line = stripped, self._number
            else:
                _report_bad_tag(stripped, self._number, self._report)
        elif _is_open_comment(stripped):
            self._pending, self._pending_line = stripped, self._number
        else:
            _add_text(self._game, stripped, self._number, self._after_blank, self._report)
        return ended

    def _joined(self, line: str) -> str:
        """A line joined to the tag or comment that waits for its end; it waits on where it has none."""
        pending, self._pending = self._pending, ""
        if pending[0] == "[":
            joined = f"{pending} {line.strip()}"
            if _TAG.match(joined):
                return joined
            if line.strip() and "[" not in line and len(joined) < 2000:
                self._pending = joined
                return line
            _report_bad_tag(pending, self._pending_line, self._report)
            return line
        if _NEW_GAME_TAG.match(line) or len(pending) > _LONGEST_COMMENT:
            why = "comment { without its }: it is taken to end before the next game"
            self._report(self._pending_line, why, True)
            _add_text(self._game, pending + "}", self._pending_line, False, self._report)
            return line
        joined = f"{pending}\n{line}"
        if _is_open_comment(joined):
            self._pending = joined
        return joined


def _plain_game(text: str, number: int) -> Game | None:
    """The game of a paragraph that is written just as the standard has it; None if anything is odd."""
    # Searching for what is odd and counting quotes is several times as fast as matching what is plain.
    parts = text[1:].split("\n[")
    if (
        text[:1] != "["
        or text.count('"') != 2 * len(parts)
        or f"{text}\n".count('"]\n') != len(parts)
        or any(odd in text for odd in _ODD)
    ):
        return None
    try:
        pairs = [(tag, rest) for tag, rest in [part.split(' "', 1) for part in parts]]
    except ValueError:
        return None
    game = Game(number, text)
    if "[Note " in text:
        pairs = game.add_notes(pairs)
    tags = game.tags = {tag: rest[:-2] for tag, rest in pairs}
    for tag, rest in [(tag, rest) for tag, rest in pairs if rest[-2:] != '"]']:
        tags[tag], end, body = rest.partition('"]\n')
        if not end or not (tag == "Auction" or tag == "Play" or is_table(tag)):
            return None
        game.sections[tag] = [(0, body)]
    if not tags or len(tags) != len(pairs):
        return None
    for tag in tags.keys() - _EXACT_TAGS:
        if tag.lower() in _KNOWN_TAGS or not tag.isidentifier():
            return None
    game.section = pairs[-1][0]
    return game


def is_table(tag: str) -> bool:
    """Whether a tag begins a supplemental table; the tag Table itself is a table's number."""
    return tag.endswith("Table") and tag != "Table"


def _is_open_comment(line: str) -> bool:
    """Whether a line begins a comment in braces that it does not end."""
    brace = line.rfind("{")
    return brace >= 0 and "}" not in line[brace:] and ";" not in line[:brace]


def _tag_of(line: str) -> tuple[str, str, str]:
    """The name and value of the tag that a line begins with, and the rest; "" for no tag."""
    match = _TAG.match(line)
    if match is not None:
        tag, value, rest = match.groups()
    else:
        loose = _LOOSE_TAG.fullmatch(line)
        if loose is None:
            return "", "", line
        tag, value, rest = loose[1], next((v for v in loose.groups()[1:] if v is not None), ""), ""
    if "\\" in value:
        value = _ESCAPED.sub(r"\1", value)
    if tag not in FIELD_TAGS:
        tag = _KNOWN_TAGS.get(tag.lower(), tag)
    return tag, value, rest


def _report_bad_tag(line: str, number: int, report: Reporter) -> None:
    start = _TAG_START.match(line)
    name = f"tag {start[1]}" if start else "tag"
    report(number, f'{name} left out: {quoted(line)} is not [Name "value"]', True)


def _begins_game(game: Game, tag: str, after_blank: bool) -> bool:
    if tag in game.tags:
        return after_blank or tag in _FIRST_TAGS
    return after_blank and tag in _FIRST_TAGS and not game.tags.keys().isdisjoint(_BOARD_TAGS)


def _add_text(game: Game, line: str, number: int, after_blank: bool, report: Reporter) -> None:
    """Add a line that is no tag to the section it stands in, or to the comments."""
    section = game.section
    if section in ("Auction", "Play") or is_table(section):
        rows = game.sections.setdefault(section, [])
        if not after_blank or not rows:  # an empty line ends a section
            rows.append((number, line))
            return
    for token in TOKEN.findall(line):
        if token[0] == "{":
            game.comments.append(one_line(token[1:].removesuffix("}")))
        elif token[0] == ";":
            game.comments.append(one_line(token[1:]))
        else:
            if not game.has_junk:
                report(number, f"text {quoted(line)} ignored: it stands in no section", False)
                game.has_junk = True
            return
