"""From the lines of a PBN file to games: tags, sections and comments, whatever their layout.

A game that is written as the standard's export format has it is taken apart at once, and any other one
line by line; both ways give the same game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from bidlab.bridge.errors import quoted
from bidlab.formats.records import Reporter, one_line

_TAG = re.compile(r'\[\s*([A-Za-z]\w*)\s*"((?:[^"\\]|\\.)*)"\s*\]')
# A value with quotes inside it, with none around it, or with its last quote or bracket missing.
_LOOSE_TAG = re.compile(
    r'\s*\[\s*([A-Za-z]\w*)\s*(?:"(.*)"\s*\]|([^"\[\]]*)\]|"([^"]*)\]|"((?:[^"\\]|\\.)*)")\s*'
)
_ESCAPED = re.compile(r'\\(["\\])')
_TAG_START = re.compile(r"\s*\[\s*([A-Za-z]\w*)")
_NEW_GAME_TAG = re.compile(r'\s*\[\s*(?:Event|Site|Date|Board|Dealer|Deal)\s*"')
TOKEN = re.compile(r"\{[^}]*\}?|;[^\n]*|[^\s{;]+")

_NOTHING = re.compile(r"(?!)")
_MORE = {
    "Auction": re.compile(
        r"(?:(?:P|PASS|AP|XX?|D|DBL|R|RDBL|[1-7](?:NT?|[CDHS])|=\d+=|\$\d+|[!?]{1,2}|[*+-])(?:\s+|$))+", re.I
    ),
    "Play": re.compile(r"(?:(?:[CDHS](?:10|[2-9TJQKA])|=\d+=|\$\d+|[*+-])(?:\s+|$))+", re.I),
}

# The tags that a record has fields for; all others are kept as they are.
FIELD_TAGS = frozenset(
    "Board West North East South Dealer Vulnerable Deal Declarer Contract Result Room Auction Play"
    " Note".split()
)
_NOT_INHERITED = frozenset(("Declarer", "Contract", "Auction", "Play", "Note"))
_KNOWN_TAGS = {
    tag.lower(): tag
    for tag in (*FIELD_TAGS, "Event", "Site", "Date", "Scoring", "HomeTeam", "VisitTeam", "Round")
} | {"play_order": "Play"}
_EXACT_TAGS = frozenset(_KNOWN_TAGS.values())
# What stands between the values of two tags without a section, and the name of the second tag.
_BETWEEN = {before % tag: tag for tag in _EXACT_TAGS for before in ("[%s ", "]\n[%s ")}
_MOST_REMEMBERED = 4096
# After an empty line one of these begins a new game, if the game so far is more than a heading.
_FIRST_TAGS = frozenset(("Event", "Site", "Date", "Board", "Deal"))
_BOARD_TAGS = frozenset(("Deal", "Auction", "Contract"))
# What a game without a deal of its own, the second table of a board, shares with the game before it.
_SHARED_TAGS = ("Board", "Dealer", "Vulnerable", "Deal")
_LONGEST_COMMENT = 1 << 16  # lines
_MOST_DOUBTFUL = 1000  # lines of a comment in which a game seems to begin
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

    def __init__(self, line: int, text: str = "", is_tidy: bool = False) -> None:
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
        self._is_tidy = is_tidy  # whether no value has blanks too many

    def add(self, tag: str, value: str, number: int) -> None:
        """Add a tag that stands on that line."""
        if tag == "Note":
            key, _, text = value.partition(":")
            self.notes.setdefault((self.section, key.strip()), one_line(text))
        elif tag not in self.tags:  # of two tags with one name the first counts, says the standard
            self.tags[tag] = value
            self._lines[tag] = number
            self.section = tag

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
        if "Deal" in tags or "Board" in tags:
            self._board = tags
        elif "Auction" in tags or "Contract" in tags:
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
        self._number = 1  # of the line at hand
        self._game = Game(1)
        self._after_blank = True
        self._open_tag = ""  # a tag whose end has not come yet
        self._open_comment: list[str] = []  # the lines of a comment whose end has not come yet
        self._doubtful = 0  # how many of them came before one that looks like the beginning of a game
        self._open_line = 0  # the number of the line where either began
        self._waiting: list[str] = []  # comments after an empty line: of the next game if one begins

    def add(self, paragraph: str, is_whole: bool = True) -> Iterator[Game]:
        """The games that end with the lines of a paragraph, which an empty line follows if it is whole."""
        if is_whole and not (self._open_tag or self._open_comment):
            plain = _plain_game(paragraph, self._number)
            if plain is not None and _begins_game(self._game, next(iter(plain.tags)), True):
                yield self._game
                self._game = plain
                self._settle_comments()
                self._after_blank = True
                self._number += paragraph.count("\n") + 2
                return
        for line in paragraph.removesuffix("\n").split("\n") if paragraph else ():
            yield from self._add_line(line)
            self._number += 1
        if is_whole:
            yield from self._add_line("")
            self._number += 1

    def end(self) -> Iterator[Game]:
        """The last game of the file."""
        if self._open_tag:
            _report_bad_tag(self._open_tag, self._open_line, self._report)
            self._open_tag = ""
        while self._open_comment:
            if self._doubtful:
                yield from self._reopened()
            else:
                self._report(self._open_line, "comment { without its } at the end of the file", True)
                self._close_comment("}")
        self._settle_comments()
        yield self._game

    def _add_line(self, line: str) -> Sequence[Game]:
        """Add one line; the games that end with it, if any."""
        if self._open_comment:
            return self._continue_comment(line)
        if self._open_tag:
            joined = f"{self._open_tag} {line.strip()}"
            if _TAG.match(joined):
                line = joined
            elif line.strip() and "[" not in line and len(joined) < 2000:
                self._open_tag = joined
                return ()
            else:
                _report_bad_tag(self._open_tag, self._open_line, self._report)
            self._open_tag = ""
        return self._read(line)

    def _continue_comment(self, line: str) -> Sequence[Game]:
        """Add a line to an open comment; if the comment turns out to have no end, read it anew from there.

        It has none if a game seems to begin in it and the next brace opens another comment.
        """
        before, brace, rest = line.partition("}")
        if self._doubtful and ("{" in before or len(self._open_comment) - self._doubtful > _MOST_DOUBTFUL):
            return [*self._reopened(), *self._add_line(line)]
        if not brace:
            if not self._doubtful and _NEW_GAME_TAG.match(line):
                self._doubtful = len(self._open_comment)
            if len(self._open_comment) < _LONGEST_COMMENT:
                self._open_comment.append(line)
            return ()
        self._close_comment(before + brace)
        return self._read(rest) if rest.strip() else ()

    def _reopened(self) -> list[Game]:
        """Read the lines of an open comment again from where a game seems to begin."""
        lines, self._open_comment = self._open_comment, self._open_comment[: self._doubtful or None]
        why = "comment { without its }: it is taken to end before the next game"
        self._report(self._open_line, why, True)
        here, self._number = self._number, self._open_line + len(self._open_comment)
        lines = lines[len(self._open_comment) :]
        self._close_comment("}")
        ended: list[Game] = []
        for line in lines:
            ended += self._add_line(line)
            self._number += 1
        self._number = here
        return ended

    def _close_comment(self, end: str) -> None:
        text = "\n".join([*self._open_comment, end])
        self._open_comment, self._doubtful = [], 0
        self._add_text(text, self._open_line)

    def _read(self, line: str) -> Sequence[Game]:
        """Read a line that stands by itself: tags, then text or a comment."""
        if not line or line.isspace():
            self._after_blank = True
            return ()
        if line[0] == "%":
            return ()
        ended: list[Game] = []
        place = 0
        while True:
            while line[place : place + 1] in ("}", " ", "\t") and place < len(line):
                place += 1
            if line[place : place + 1] != "[":
                break
            tag, value, end = _tag_at(line, place)
            if not tag:
                break
            if _begins_game(self._game, tag, self._after_blank):
                ended.append(self._game)
                self._game = Game(self._number)
            self._settle_comments()
            self._after_blank = False
            self._game.add(tag, value, self._number)
            place = end
        rest = line[place:].strip()
        if not rest:
            return ended
        if rest[0] == "[":
            if rest.count('"') == 1 or "]" not in rest:
                self._open_tag, self._open_line = rest, self._number
            else:
                _report_bad_tag(rest, self._number, self._report)
        elif _is_open_comment(rest):
            self._open_comment, self._open_line = [rest], self._number
        else:
            self._add_text(rest, self._number)
        return ended

    def _settle_comments(self) -> None:
        """Give the comments that wait to the game at hand."""
        if self._waiting:
            self._game.comments += self._waiting
            self._waiting = []

    def _add_text(self, text: str, number: int) -> None:
        """Add what is no tag to the section it stands in, or to the comments."""
        game = self._game
        section = game.section
        if section in ("Auction", "Play") or is_table(section):
            rows = game.sections.setdefault(section, [])
            # An empty line ends a section, unless what follows is just more of the same.
            if not self._after_blank or not rows or _MORE.get(section, _NOTHING).fullmatch(text):
                rows.append((number, text))
                self._after_blank = False
                return
        comments = self._waiting if self._after_blank else game.comments
        for token in TOKEN.findall(text):
            if token[0] == "{":
                comments.append(one_line(token[1:].removesuffix("}")))
            elif token[0] == ";":
                comments.append(one_line(token[1:]))
            else:
                if not game.has_junk:
                    why = f"text {quoted(text)} ignored: it stands in no section"
                    self._report(number, why, False)
                    game.has_junk = True
                return


def _plain_game(text: str, number: int) -> Game | None:
    """The game of a paragraph that is written just as the standard has it; None if anything is odd."""
    # Cutting at quotes and looking up what stands between values is many times as fast as matching tags.
    if "{" in text or ";" in text or "}" in text or "\\" in text:
        return None
    pieces = text.split('"')
    between, values = pieces[0::2], pieces[1::2]
    last = between.pop()
    joined = '"'.join(("", *values, ""))
    # A value with a blank at its end or two in a row is rare, and so is one that is not printable.
    is_tidy = joined.isprintable() and not ("  " in joined or '" ' in joined or ' "' in joined)
    if len(between) != len(values) or (not is_tidy and "\n" in joined):
        return None
    game = Game(number, text, is_tidy)
    names = [_BETWEEN.get(piece) for piece in between]
    for i in [i for i, name in enumerate(names) if name is None]:
        names[i] = _name_after_section(game, between[i], names[i - 1] if i else None)
    tags = cast(list[str], names)
    if None in names or not _is_end(game, last, tags[-1] if tags else ""):
        return None
    if "Note" in tags:
        for tag, value in zip(tags, values, strict=True):
            if tag == "Note":
                game.add(tag, value, 0)
            else:
                game.section = tag
        values = [value for tag, value in zip(tags, values, strict=True) if tag != "Note"]
        tags = [tag for tag in tags if tag != "Note"]
    game.tags = dict(zip(tags, values, strict=True))
    if len(game.tags) != len(tags) or not tags:
        return None
    game.section = tags[-1]
    return game


def _name_after_section(game: Game, piece: str, tag: str | None) -> str | None:
    """The tag's name at the end of what stands between two values, after the lines of the tag before it."""
    body, bracket, name = piece.rpartition("\n[" if tag else "[")
    name = name.removesuffix(" ")
    if not bracket or len(name) + len(body) + len(bracket) + 1 != len(piece) or not name.isidentifier():
        return None
    if tag is None or body == "]":
        if body not in ("", "]") or (name not in _EXACT_TAGS and name.lower() in _KNOWN_TAGS):
            return None
        if len(_BETWEEN) < _MOST_REMEMBERED:
            _BETWEEN[piece] = name
        return name
    return name if _is_end(game, body, tag) and _BETWEEN.get(f"]\n[{name} ") else None


def _is_end(game: Game, piece: str, tag: str) -> bool:
    """Whether a piece ends a tag and has at most the lines of its section, which are added to the game."""
    if piece == "]":
        return True
    if piece[:2] != "]\n" or not (tag == "Auction" or tag == "Play" or is_table(tag)):
        return False
    if "\n[" in piece or "\n%" in piece or "\n " in piece or "\n\t" in piece:
        return False
    game.sections[tag] = [(0, piece[2:])]
    return True


def is_table(tag: str) -> bool:
    """Whether a tag begins a supplemental table; the tag Table itself is a table's number."""
    return tag.endswith("Table") and tag != "Table"


def _is_open_comment(line: str) -> bool:
    """Whether a line begins a comment in braces that it does not end."""
    place = 0
    while True:
        brace = line.find("{", place)
        if brace < 0 or 0 <= line.find(";", place) < brace:
            return False
        place = line.find("}", brace) + 1
        if not place:
            return True


def _tag_at(line: str, place: int) -> tuple[str, str, int]:
    """The name and value of the tag at that place of a line, and where it ends; "" for no tag."""
    match = _TAG.match(line, place)
    if match is not None:
        tag, value = match.groups()
        end = match.end()
    else:
        loose = _LOOSE_TAG.fullmatch(line, place)
        if loose is None:
            return "", "", place
        tag, value = loose[1], next((v for v in loose.groups()[1:] if v is not None), "")
        end = len(line)
    if "\\" in value:
        value = _ESCAPED.sub(r"\1", value)
    if tag not in FIELD_TAGS:
        tag = _KNOWN_TAGS.get(tag.lower(), tag)
    return tag, value, end


def _report_bad_tag(line: str, number: int, report: Reporter) -> None:
    start = _TAG_START.match(line)
    name = f"tag {start[1][:30]}" if start else "tag"
    report(number, f'{name} left out: {quoted(line)} is not [Name "value"]', True)


def _begins_game(game: Game, tag: str, after_blank: bool) -> bool:
    if tag in game.tags:
        return after_blank or tag in ("Event", "Board", "Deal")
    if tag in ("West", "North", "East", "South"):
        return after_blank and ("Auction" in game.tags or "Contract" in game.tags)
    return after_blank and tag in _FIRST_TAGS and not game.tags.keys().isdisjoint(_BOARD_TAGS)
