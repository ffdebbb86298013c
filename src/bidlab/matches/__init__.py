"""Matches: who bids better, by how much, and how sure we are."""

from bidlab.matches.by_name import bid_board, match
from bidlab.matches.distance import Distance, distance_from_par, distance_of_records
from bidlab.matches.match import BidBoards, MatchResult, play_match
from bidlab.matches.report import match_records, swing_boards
from bidlab.matches.sources import LibraryBoards, SeededBoards, Source
from bidlab.matches.statistics import SequentialTest, Summary
from bidlab.matches.tournament import (
    Comparison,
    RoundRobin,
    compare_variants,
    match_victory_points,
    round_robin,
)
from bidlab.table.one_board import BidBoard

__all__ = [
    "BidBoard",
    "BidBoards",
    "Comparison",
    "Distance",
    "LibraryBoards",
    "MatchResult",
    "RoundRobin",
    "SeededBoards",
    "SequentialTest",
    "Source",
    "Summary",
    "bid_board",
    "compare_variants",
    "distance_from_par",
    "distance_of_records",
    "match",
    "match_records",
    "match_victory_points",
    "play_match",
    "round_robin",
    "swing_boards",
]
