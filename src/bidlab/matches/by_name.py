"""The same by the names of bidders, as people type them: one board, or a match."""

from __future__ import annotations

from functools import partial

from bidlab.bidders.registry import bidder
from bidlab.bridge.boards import Board
from bidlab.bridge.errors import BidlabError
from bidlab.doubledummy import trick_table
from bidlab.library import Purpose
from bidlab.library import library as library_of
from bidlab.matches.match import MakeBidder, MatchResult, play_match
from bidlab.matches.sources import LibraryBoards, SeededBoards, Source
from bidlab.table import Bidder
from bidlab.table.one_board import BidBoard, bid_out, scored


def bid_board(board: Board, ns: Bidder | str, ew: Bidder | str) -> BidBoard:
    """A board bid by two bidders, with the reasons of every call; each discloses what its calls mean.

    >>> from bidlab.dealing import random_deal
    >>> found = bid_board(Board(random_deal(1), number=1), "pass", "pass")
    >>> str(found.auction), found.score, found.decisions[0].reasons
    ('P P P P', 0, ('always passes',))
    """
    players = [bidder(one) if isinstance(one, str) else one for one in (ns, ew)]
    try:
        return scored(board, *bid_out(board, players[0], players[1]), trick_table(board.deal))
    finally:
        for player, given in zip(players, (ns, ew), strict=True):
            if player is not given:
                player.close()


def match(
    first: str,
    second: str,
    boards: int = 1000,
    seed: int | None = None,
    library: str | None = None,
    workers: int = 1,
) -> MatchResult:
    """A team match of two bidders by name, over boards of a library or of a seed (1 if neither is given).

    >>> found = match("pass", "pass", boards=100, library="tune")
    >>> found.plain.mean, found.plain.stderr, found.boards
    (0.0, 0.0, 100)
    """
    return play_match(maker(first), maker(second), board_source(seed, library), boards, workers=workers)


def maker(name: str) -> MakeBidder:
    """What makes a bidder of a name in any process; an error at once where there is none."""
    bidder(name).close()
    return partial(bidder, name)


def board_source(seed: int | None, library: str | None) -> Source:
    """Boards of a library by its name, or of a seed."""
    if seed is not None and library is not None:
        raise BidlabError(f"boards of library {library} and of seed {seed}: they come from one of them")
    if library is not None:
        opened = library_of(library)
        if opened.purpose == Purpose.TRAIN:
            raise BidlabError(f"library {opened.name} is for learning: results on its boards prove nothing")
        return LibraryBoards(opened)
    return SeededBoards(1 if seed is None else seed)
