"""The command solve: trick tables, par, and the value of every card."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from bidlab import formats
from bidlab.bridge.boards import Board, Vulnerability
from bidlab.bridge.cards import SEATS, STRAINS, SUITS, Card, Seat
from bidlab.bridge.contracts import Contract
from bidlab.bridge.errors import BidlabError, FormatError
from bidlab.bridge.hands import Deal
from bidlab.bridge.play import Play
from bidlab.cli.boards import Json, Problems
from bidlab.cli.progress import measured
from bidlab.doubledummy import Par, Solver, Tables, par
from bidlab.formats.diagram import board_diagram
from bidlab.formats.optimum import trick_table_text, with_optimum
from bidlab.formats.records import Record

_AT_ONCE = 256  # boards held in memory while they are solved


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    example = '"N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"'
    app.command(epilog=f"Example: bidlab solve {example}")(solve)


def solve(
    source: Annotated[
        str, typer.Argument(metavar="DEAL|FILE", help="A deal as PBN writes it, a file of boards, or -.")
    ],
    dealer: Annotated[str | None, typer.Option(help="The dealer, for par: N, E, S or W.")] = None,
    vul: Annotated[str | None, typer.Option(help="Who is vulnerable, for par: none, NS, EW or both.")] = None,
    card_values: Annotated[
        bool, typer.Option("--card-values", help="Show the value of every card that may be played.")
    ] = False,
    contract: Annotated[
        str | None, typer.Option(help="The contract for --card-values, as in '4S by N'.")
    ] = None,
    play: Annotated[
        str | None, typer.Option(help="The cards played so far for --card-values, as in 'C4 CA C2'.")
    ] = None,
    out: Annotated[
        str | None, typer.Option(help="A file to write the boards to, with their tables and par.")
    ] = None,
    threads: Annotated[int, typer.Option(min=0, help="How many threads solve; 0: one a core.")] = 0,
    as_json: Json = False,
) -> None:
    """Solve boards double dummy: all 20 results and par, or the value of every card of a position."""
    if (contract is not None or play is not None) and not card_values:
        raise BidlabError("--contract and --play go with --card-values")
    if card_values and out is not None:
        raise BidlabError("--out writes tables and par; it does not go with --card-values")
    problems = Problems()
    records = (placed(record, dealer, vul) for record in records_of(source, problems))
    solver = Solver(threads, warm=card_values)
    if card_values:
        for i, record in enumerate(records):
            _print_values(_position(record, contract, play), solver, as_json, is_first=i == 0)
    elif out is not None:
        count = formats.write_boards(
            (_solved(one) for one in _tables(records, solver)), out, on_problem=problems.add
        )
        print(f"{count} board{'s' if count != 1 else ''} solved and written to {out}", file=sys.stderr)
    else:
        for i, (record, table) in enumerate(_tables(records, solver)):
            _print_table(record, table, as_json, is_first=i == 0)
    problems.conclude(source)


def records_of(source: str, problems: Problems) -> Iterator[Record]:
    """The boards of a file, or the one that the text itself is."""
    if Path(source).exists() or len(source.split()) != 4:
        if ":" in source and not source.lower().startswith("http") and not Path(source).exists():
            Deal.parse(source)  # says what is wrong with it
        return problems.read(source)
    problems.shown = 1
    return iter([Record(Board(Deal.parse(source), dealer=Seat.NORTH, vulnerable=Vulnerability.NONE))])


def placed(record: Record, dealer: str | None, vul: str | None) -> Record:
    """The record with dealer and vulnerability as asked for."""
    board = record.board
    if dealer is not None:
        board = replace(board, dealer=Seat(dealer))
    if vul is not None:
        board = replace(board, vulnerable=Vulnerability(vul))
    return record if board is record.board else replace(record, board=board)


def _tables(records: Iterator[Record], solver: Solver) -> Iterator[tuple[Record, Tables]]:
    """The records with their trick tables, solved many at a time."""
    with measured("solving", "boards") as tell:
        done = 0
        while batch := list(islice(records, _AT_ONCE)):
            deals = [whole_deal(record) for record in batch]
            total = done + len(batch)
            tables = solver.solve(deals, progress=partial(_tell, tell, done, total))
            yield from zip(batch, tables, strict=True)
            done += len(batch)


def _tell(tell: Callable[[int, int], None], before: int, total: int, solved: int) -> None:
    tell(before + solved, total)


def whole_deal(record: Record) -> Deal:
    """The deal of a record; an error where cards are missing."""
    deal = record.board.deal
    if not deal.is_complete:
        number = record.board.number
        which = "the deal" if number is None else f"board {number}"
        raise FormatError(f"{which} is not complete: all 52 cards are wanted to solve it")
    return deal


def _par(record: Record, table: Tables) -> Par:
    return par(table, record.board.dealer, record.board.vulnerable)


def _solved(one: tuple[Record, Tables]) -> Record:
    record, table = one
    return with_optimum(record, table.tolist(), _par(record, table).results)


def _print_table(record: Record, table: Tables, as_json: bool, is_first: bool) -> None:
    best = _par(record, table)
    if as_json:
        print(json.dumps(_as_json(record.board, table, best)))
        return
    if not is_first:
        print("\n" + "-" * 60 + "\n")
    print(board_diagram(record.board))
    print(f"\n{trick_table_text(table.tolist())}\n\nPar {best}")


def _as_json(board: Board, table: Tables, best: Par) -> dict[str, object]:
    return {
        "board": board.number,
        "deal": str(board.deal),
        "dealer": str(board.dealer),
        "vulnerable": str(board.vulnerable),
        "tricks": {
            str(strain): {str(seat): int(table[strain, seat]) for seat in SEATS} for strain in STRAINS
        },
        "par": {"score": best.score, "contracts": [str(contract) for contract in best.contracts]},
    }


def _position(record: Record, contract: str | None, play: str | None) -> Play:
    """The position that is asked about: of the contract given, or of the one that was played."""
    played = record.contract if contract is None else Contract.parse(contract)
    if played is None:
        raise BidlabError(
            "which contract? --contract is wanted with --card-values, as in --contract '4S by N'"
        )
    start = Play.of_contract(record.board.deal, played)
    return start if play is None else Play(start.deal, start.strain, start.leader, play)


def _print_values(position: Play, solver: Solver, as_json: bool, is_first: bool) -> None:
    values = solver.card_values(position)
    player = position.to_play
    if as_json:
        shown = {"to_play": None if player is None else str(player), "values": _by_name(values)}
        print(json.dumps(shown))
        return
    if not is_first:
        print()
    if player is None:
        print("all cards are played")
        return
    ours, theirs = position.won if not player & 1 else position.won[::-1]
    print(f"{player.word} to play; {player.word}'s side has {ours}, the other side {theirs}. Tricks to come:")
    for line in _value_lines(values):
        print(line)


def _by_name(values: dict[Card, int]) -> dict[str, int]:
    return {str(card): value for card, value in values.items()}


def _value_lines(values: dict[Card, int]) -> Iterator[str]:
    """A line for each number of tricks, the most first, with the cards that take so many."""
    for value in sorted(set(values.values()), reverse=True):
        cards = [card for card in values if values[card] == value]
        suits = [_suit_text([card for card in cards if card.suit == suit]) for suit in reversed(SUITS)]
        yield f"{value:>3}  " + "  ".join(text for text in suits if text)


def _suit_text(cards: Sequence[Card]) -> str:
    """Cards of one suit, highest first, as in ♠AK5."""
    ranks = "".join(str(card.rank) for card in sorted(cards, reverse=True))
    return cards[0].suit.symbol + ranks if cards else ""
