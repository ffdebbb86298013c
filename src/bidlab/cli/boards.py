"""The commands about boards: show, convert, score."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import typer

from bidlab import formats  # most commands bid or solve what they are given, and read no file
from bidlab.bridge.boards import Vulnerability
from bidlab.bridge.cards import Seat
from bidlab.bridge.contracts import Contract, trick_balance
from bidlab.bridge.errors import BidlabError, FormatError, quoted
from bidlab.cli.progress import counted
from bidlab.formats.diagram import record_diagram
from bidlab.formats.records import Problem, Record

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    examples: dict[Callable[..., None], str] = {
        show: "bidlab show match.lin",
        convert: "bidlab convert match.lin match.pbn",
        score: "bidlab score 4SX 9 nv",
    }
    for command, example in examples.items():
        app.command(
            epilog=f"Example: {example}",
            context_settings={"ignore_unknown_options": True} if command is score else None,
        )(command)


def show(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of boards, a link to BBO's hand viewer, or -.")
    ],
    board: Annotated[int | None, typer.Option(min=1, help="Show only the board of this number.")] = None,
    as_json: Json = False,
) -> None:
    """Show the boards of a file as diagrams, with auction and result."""
    problems = Problems()
    records = problems.read(file)
    if board is not None:
        records = _numbered(records, board, file)
    if as_json:
        print_json(records)
    else:
        print_diagrams(records)
    problems.conclude(file)


def _numbered(records: Iterator[Record], number: int, file: str) -> Iterator[Record]:
    """The records of one board; an error where there are none."""
    found = 0
    for record in records:
        if record.board.number == number:
            found += 1
            yield record
    if not found:
        raise BidlabError(f"no board {number} in {file}")


def convert(
    source: Annotated[str, typer.Argument(metavar="IN", help="The file to read; - for standard input.")],
    target: Annotated[str, typer.Argument(metavar="OUT", help="The file to write; - for standard output.")],
    to: Annotated[
        str | None, typer.Option(help="The format to write: pbn, lin, json or url; by default by suffix.")
    ] = None,
) -> None:
    """Convert boards from one format to another: PBN, LIN, JSON, or links to BBO's hand viewer (.url)."""
    problems = Problems()
    records = _some(problems.read(source), source, problems)
    count = formats.write_boards(counted(records, "converting"), target, to, problems.add)
    if target != "-":
        print(f"{boards_text(count)} written to {target}", file=sys.stderr)
    problems.conclude(source)


def score(
    contract: Annotated[str, typer.Argument(metavar="CONTRACT", help="As in 4S, 3NTX, 6CXX.")],
    tricks: Annotated[
        str, typer.Argument(metavar="TRICKS", help="Declarer's tricks, 0 to 13; or =, +1, -2.")
    ],
    vul: Annotated[
        str,
        typer.Argument(metavar="VUL", help="v or nv; or none NS EW both with a declarer, as in '4S by N'."),
    ],
    as_json: Json = False,
) -> None:
    """Print the duplicate score of a contract, from declarer's side."""
    played = Contract.parse(contract)
    won = _tricks(tricks, played)
    vulnerable = _is_vulnerable(vul, played)
    points = played.score(won, vulnerable)
    if as_json:
        shown = {"contract": str(played), "tricks": won, "vulnerable": vulnerable, "score": points}
        print(json.dumps(shown))
    elif played.is_passed_out:
        print("passed out: 0")
    else:
        side = "vulnerable" if vulnerable else "not vulnerable"
        balance = trick_balance(played, won)
        print(f"{played.symbol}{balance}, {won} tricks, {side}: {points:+d}")


def _tricks(text: str, contract: Contract) -> int:
    """Declarer's tricks, given as their number or by the balance."""
    word = text.strip().replace("−", "-")
    if word.isascii() and word.isdigit() and len(word) < 3:
        won = int(word)
    elif word == "=":
        won = contract.tricks_needed
    elif word[:1] in ("+", "-") and word[1:].isascii() and word[1:].isdigit() and len(word) < 4:
        won = contract.tricks_needed + int(word)
    else:
        raise BidlabError(f"no result {quoted(text)}: tricks 0 to 13, or =, +1, -2 are wanted")
    if not 0 <= won <= 13:
        raise BidlabError(f"no result of {won} tricks from {quoted(text)}: 0 to 13 are wanted")
    return won


_SIDES = {"V": True, "VUL": True, "VULNERABLE": True, "NV": False, "NOT": False, "NONVUL": False}


def _is_vulnerable(text: str, contract: Contract) -> bool:
    side = _SIDES.get(text.strip().upper())
    if side is not None:
        return side
    try:
        vulnerability = Vulnerability(text)
    except BidlabError:
        raise BidlabError(f"no vulnerability {quoted(text)}: v or nv is wanted") from None
    if vulnerability in (Vulnerability.NONE, Vulnerability.BOTH):
        return vulnerability == Vulnerability.BOTH
    if contract.declarer is None:
        raise BidlabError(
            f"vulnerable {vulnerability}, but nobody declares {contract}: v or nv is wanted, "
            f"or a declarer, as in '{contract} by {Seat.NORTH}'"
        )
    return vulnerability.includes(contract.declarer)


class Problems:
    """Prints what could not be read as it comes up, and turns it into the exit status at the end."""

    def __init__(self) -> None:
        self.errors = 0
        self.shown = 0  # records that were read

    def add(self, problem: Problem) -> None:
        """Print a problem on a line of its own."""
        self.errors += problem.is_error
        text = " ".join(str(problem).splitlines())
        print(f"{'bidlab' if problem.is_error else 'bidlab: note'}: {text}", file=sys.stderr)

    def read(self, source: str) -> Iterator[Record]:
        """The records of a file or of a link, counted."""
        records: Iterable[Record]
        if source.lower().startswith(("http://", "https://")):
            from bidlab.formats.links import read_links

            records = read_links([source], self._add_of_link)
        else:
            records = formats.read_boards(source, on_problem=self.add)
        for record in records:
            self.shown += 1
            yield record

    def _add_of_link(self, line: int, text: str, is_error: bool) -> None:
        self.add(Problem("link", 0, text, is_error))

    def conclude(self, source: str) -> None:
        """Exit with status 2 where something could not be read."""
        if self.errors:
            raise typer.Exit(2)
        if not self.shown:
            raise FormatError(f"no boards in {source}")


def _some(records: Iterator[Record], source: str, problems: Problems) -> Iterator[Record]:
    """The records; an error instead of an empty file where there are none."""
    yield from records
    if not problems.shown:
        if problems.errors:
            raise typer.Exit(2)
        raise FormatError(f"no boards in {source}")


def boards_text(count: int) -> str:
    """A number of boards: "1 board", "3 boards"."""
    return f"{count} board{'s' if count != 1 else ''}"


def print_json(records: Iterable[Record]) -> None:
    """Print records as JSON, one on a line."""
    from bidlab.formats.boards_json import json_lines

    for line in json_lines(records):
        print(line)


def print_diagrams(records: Iterable[Record]) -> None:
    """Print records as diagrams with lines between them."""
    for i, record in enumerate(records):
        if i:
            print("\n" + "-" * 60 + "\n")
        print(record_diagram(record))
