"""Double-dummy results in records: PBN's OptimumResultTable, OptimumScore and ParContract.

The table and the score are of the standard (2.1); ParContract is what BridgeComposer and those who read its
files use. Tables of every order of rows and columns are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bidlab.bridge.cards import SEATS, STRAINS, Seat, Strain
from bidlab.bridge.contracts import Result
from bidlab.bridge.errors import FormatError, NotationError, quoted
from bidlab.formats.records import Record, Table

TABLE = "OptimumResultTable"
SCORE = "OptimumScore"
CONTRACT = "ParContract"
_COLUMNS = r"Declarer;Denomination\2R;Result\2R"

Tricks = Sequence[Sequence[int]]  # [strain C D H S NT, declarer N E S W]


def with_optimum(record: Record, tricks: Tricks, par: Sequence[Result]) -> Record:
    """The record with its trick table and par written into it, in place of what was there.

    `par` holds the results that give the par score, none when that is to pass the board out.
    """
    rows = tuple(
        f"{seat} {_name(strain):>2} {tricks[strain][seat]:>2}" for seat in SEATS for strain in STRAINS
    )
    tags = {tag: value for tag, value in record.tags if tag not in (SCORE, CONTRACT)}
    tags[SCORE] = f"NS {par[0].score if par else 0}"
    if par:
        tags[CONTRACT] = par_contract(par)
    others = [table for table in record.tables if table.tag != TABLE]
    tables = sorted([*others, Table(TABLE, _COLUMNS, rows)], key=lambda table: table.tag)
    return replace(record, tags=tuple(sorted(tags.items())), tables=tuple(tables))


def par_contract(par: Sequence[Result]) -> str:
    """Results as BridgeComposer writes them: the lowest level of each strain, with the side or the player.

    >>> par_contract([Result("3N by N", 9), Result("3N by S", 9), Result("5C by S", 11)])
    'NS 3N=; S 5C='
    """
    players: dict[str, list[Seat]] = {}
    lowest: dict[tuple[Strain | None, Seat | None], int] = {}
    for result in par:
        contract = result.contract
        place = contract.strain, contract.declarer
        if lowest.setdefault(place, contract.level) == contract.level and contract.declarer is not None:
            players.setdefault(contract.name + result.balance, []).append(contract.declarer)
    return "; ".join(f"{_side(seats)} {contract}" for contract, seats in players.items())


def _side(seats: Sequence[Seat]) -> str:
    return str(seats[0]) if len(seats) == 1 else ("NS", "EW")[seats[0] & 1]


def _name(strain: Strain) -> str:
    return "NT" if strain == Strain.NOTRUMP else str(strain)


def optimum_tricks(record: Record) -> list[list[int]] | None:
    """The trick table [strain C D H S NT, declarer N E S W] that a record holds; None if it holds none."""
    for table in record.tables:
        if table.tag == TABLE:
            return _read(table)
    return None


def _read(table: Table) -> list[list[int]]:
    names = [column.partition("\\")[0].lstrip("+-").strip() for column in table.columns.split(";")]
    found: dict[tuple[Strain, Seat], int] = {}
    for row in table.rows:
        cells = dict(zip(names, row.split(), strict=False))
        try:
            place = Strain(cells["Denomination"]), Seat(cells["Declarer"])
            count = int(cells["Result"])
        except (KeyError, NotationError, ValueError):
            raise FormatError(f"{TABLE}: no result {quoted(row)}: one as in 'N NT 9' is wanted") from None
        if not 0 <= count <= 13:
            raise FormatError(f"{TABLE}: {count} tricks in {quoted(row)}: 0 to 13 are wanted")
        found[place] = count
    if len(found) != 20:
        raise FormatError(f"{TABLE}: {len(found)} results: 20 are wanted, five strains and four declarers")
    return [[found[strain, seat] for seat in SEATS] for strain in STRAINS]


def trick_table_text(tricks: Tricks) -> str:
    """The table drawn for people, a row for each declarer.

    >>> print(trick_table_text([[7, 5, 7, 5], [5, 7, 5, 7], [6, 6, 6, 6], [5, 8, 5, 8], [6, 6, 6, 10]]))
             ♣   ♦   ♥   ♠  NT
    North    7   5   6   5   6
    South    7   5   6   5   6
    East     5   7   6   8   6
    West     5   7   6   8  10
    """
    rows = ["      " + "".join(f"{strain.symbol:>4}" for strain in STRAINS)]
    rows += [
        f"{seat.word:<6}" + "".join(f"{tricks[strain][seat]:>4}" for strain in STRAINS)
        for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
    ]
    return "\n".join(rows)
