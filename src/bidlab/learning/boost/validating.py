"""Matches on new boards: whether what was chosen wins where nothing was chosen.

The best seed meets the worst, the second, the default one, and a fresh seed on every board, each on boards
that no other match has. What the bandits chose meets it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bidlab.learning.boost.cells import Cell, PlayedBoards
from bidlab.learning.boost.luck import Shrunken
from bidlab.learning.boost.matrix import SeedMatrix
from bidlab.learning.boost.settings import PLACE_FRESH, Settings
from bidlab.matches.statistics import Summary
from bidlab.runs import seed_at

_MATCHES = 8  # as many as there may be at most: their boards are set apart in advance
_PORTION = 50  # boards of a cell: enough to be fast, few enough for all workers to get some


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A match on new boards: who plays whom, IMPs a board, and how many would be expected."""

    first: int
    second: int | None  # None: a fresh seed on every board
    what: str  # as in "best against worst"
    plain: Summary
    perfect: Summary
    expected: float | None  # by the shrunken strengths of the matrix; None: it does not know both

    @property
    def won_rate(self) -> float:
        """The share of the boards with a swing that were won."""
        decided = self.plain.wins + self.plain.losses
        return self.plain.wins / decided if decided else 0.5


@dataclass(frozen=True, slots=True)
class Planned:
    """A match that is to be played: two seeds, or the text of a portfolio in place of the first."""

    what: str
    first: int
    second: int | None
    portfolio: str | None = None


def planned(
    settings: Settings, matrix: SeedMatrix | None, picks: Mapping[str, int], portfolio: str | None = None
) -> tuple[Planned, ...]:
    """The matches that confirm the choice of a matrix, or where there is none those of the bandits' seeds."""
    found: list[Planned] = []
    if matrix is not None:
        best, second, worst = (matrix.seeds[matrix.order[place]] for place in (0, 1, -1))
        found.append(Planned("best against worst", best, worst))
        if second != worst:
            found.append(Planned("best against second", best, second))
        found += _against_outsiders("best", best, settings)
        found += [Planned(f"best against {name}", best, pick) for name, pick in picks.items() if pick != best]
        if portfolio is not None:
            found.append(Planned("by situation against best", best, best, portfolio))
    else:
        for name, pick in picks.items():
            found += _against_outsiders(name, pick, settings)
    return tuple(found)


def _against_outsiders(name: str, seed: int, settings: Settings) -> list[Planned]:
    default = settings.default_seed
    against = [Planned(f"{name} against default", seed, default)] if default != seed else []
    return [*against, Planned(f"{name} against fresh", seed, None)]


def most_new_boards(settings: Settings) -> int:
    """As many new boards as a run can need."""
    return _MATCHES * settings.new_boards


def match_cells(settings: Settings, matches: Sequence[Planned]) -> tuple[Cell, ...]:
    """The cells of all matches, one match after the other."""
    cells = []
    for number, match in enumerate(matches):
        first = 1 + number * settings.new_boards
        size = 1 if match.second is None else _PORTION
        for at in range(first, first + settings.new_boards, size):
            second = match.second if match.second is not None else fresh_seed(settings, at)
            boards = min(size, first + settings.new_boards - at)
            one = match.portfolio or settings.bidder_with(match.first)
            cells.append(Cell(one, settings.bidder_with(second), settings.deal_sets[1], at, boards))
    return tuple(cells)


def fresh_seed(settings: Settings, board: int) -> int:
    """The seed of a player who takes a new one on every board; none of those that are compared."""
    drawn = seed_at(settings.seed, PLACE_FRESH, board) % (1 << 31)
    return drawn + settings.first_seed + settings.seeds


def confirmations(
    settings: Settings,
    matches: Sequence[Planned],
    played: PlayedBoards,
    matrix: SeedMatrix | None,
    shrunk: Shrunken | None,
) -> tuple[Confirmation, ...]:
    """What came of the matches that are played to their ends."""
    found = []
    for number, match in enumerate(matches):
        boards = slice(number * settings.new_boards, (number + 1) * settings.new_boards)
        part = played.part(boards)
        if not settings.new_boards or len(part) < settings.new_boards:
            break
        found.append(
            Confirmation(
                match.first,
                match.second,
                match.what,
                Summary.of(part.swings),
                Summary.of(part.perfect_swings),
                _expected(match, matrix, shrunk),
            )
        )
    return tuple(found)


def _expected(match: Planned, matrix: SeedMatrix | None, shrunk: Shrunken | None) -> float | None:
    """The difference of two strengths; an unknown seed has that of an average one."""
    if matrix is None or shrunk is None or match.portfolio is not None:
        return None
    strengths = dict(zip(matrix.seeds, shrunk.strengths, strict=True))
    return strengths[match.first] - (strengths.get(match.second, 0.0) if match.second is not None else 0.0)
