"""The command practise: you bid one hand at the terminal, the expert the others, as in Silveira's program."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

import typer

from bidlab.bidders.expert import Expert
from bidlab.bridge.boards import Board
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import SUITS, Seat
from bidlab.bridge.comparison import imps
from bidlab.bridge.contracts import Result
from bidlab.bridge.errors import BidlabError
from bidlab.cli.boards import Json, boards_text
from bidlab.cli.explaining import expert_of, told_text
from bidlab.cli.layout import hanging
from bidlab.dealing import random_boards
from bidlab.doubledummy import Par, par, trick_table
from bidlab.formats.diagram import auction_grid, board_diagram, result_text
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import explained_call, explained_calls, lesson, reasoned_call
from bidlab.table import Decision, SeatView
from bidlab.table.one_board import scored

_DEALS = 5_000
_HELP = "Type a call (P X XX 1C .. 7N), ? for what the calls so far mean, h for a hint, q to quit."
Say = Callable[[str], None]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog="Example: bidlab practise --seat S --boards 4 --seed 7")(practise)


def practise(
    system: Annotated[str, typer.Option(help="The system that all four players bid.")] = "natural",
    seat: Annotated[str, typer.Option(help="Your seat: N, E, S or W.")] = "S",
    boards: Annotated[int, typer.Option("--boards", "-n", min=1, help="How many boards.")] = 1,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Deals the same boards every time; by default a new one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Practise bidding: you sit in one seat, the expert in the others.

    At your turn you see your hand and the auction. At the end of a board you see all hands, the
    double-dummy result, par, and what the expert would have called where you called something else.
    """
    chair = Seat(seat)
    expert = expert_of(system)
    if seed is None:
        seed = secrets.randbelow(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
    # With --json the results alone go to standard output, for a program that reads them.
    session = _Session(expert, chair, _say_aside if as_json else _say)
    session.say(f"You are {chair.word}; everybody bids {expert.name}. {_HELP}")
    try:
        for board in random_boards(boards, seed):
            played = session.play(board)
            if as_json:
                print(json.dumps(played.as_json()), flush=True)
    except _QuitError:
        session.say("")
    session.conclude()


def _say(text: str) -> None:
    print(text, flush=True)


def _say_aside(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class _QuitError(Exception):
    """The player wants to stop."""


@dataclass(frozen=True, slots=True)
class _Different:
    """A call that the expert would not have made, and what it would have called, with reasons."""

    auction: Auction
    yours: Call
    experts: Call
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Played:
    """A board that was bid to the end."""

    board: Board
    auction: Auction
    result: Result
    par: Par
    calls: int  # of the player
    different: tuple[_Different, ...]
    against_par: int  # IMPs, from the player's side

    def as_json(self) -> dict[str, object]:
        return {
            "board": self.board.number,
            "deal": str(self.board.deal),
            "auction": str(self.auction),
            "contract": str(self.result.contract),
            "score": self.result.score,
            "par": self.par.score,
            "imps_against_par": self.against_par,
            "calls": self.calls,
            "different": [
                {"auction": str(one.auction), "call": str(one.yours), "expert": str(one.experts)}
                for one in self.different
            ],
        }


@dataclass(slots=True)
class _Session:
    """One player's evening: the expert, the seat, where text goes, and the boards so far."""

    expert: Expert
    seat: Seat
    say: Say
    played: list[_Played] = field(default_factory=list)

    def play(self, board: Board) -> _Played:
        """A board bid to the end, with the player's calls read from standard input."""
        self.say(f"\nBoard {board.number}: {board.dealer.word} deals, {board.vulnerable.word}.")
        auction = Auction(board.dealer, board.vulnerable)
        told: list[Meaning | None] = []
        different: list[_Different] = []
        calls = 0
        while not auction.is_ended:
            view = SeatView(board.deal.hand(auction.turn), auction, tuple(told))
            decision = self.expert.decide(view)
            call = decision.call
            if view.seat == self.seat:
                call = self._asked(view, decision)
                calls += 1
                if call != decision.call:
                    different.append(_Different(auction, call, decision.call, self._reasons(view)))
            told.append(self.expert.book.position(auction, tuple(told)).meaning(call))
            auction = auction.after(call)
        self.played.append(self._result(board, auction, calls, tuple(different)))
        self._tell(self.played[-1])
        return self.played[-1]

    def _asked(self, view: SeatView, decision: Decision) -> Call:
        """The player's call, asked for until it is a legal one."""
        self.say(f"\n{_hand_text(view)}\n\n{auction_grid(view.auction)}")
        while True:
            match self._word():
                case "":
                    self.say(_HELP)
                case "?":
                    self._explain(view)
                case "h" | "H":
                    self.say(f"The expert calls {decision.call.symbol}.")
                    for reason in self._reasons(view):
                        self.say(hanging("  ", reason, 2))
                case "q" | "Q":
                    raise _QuitError
                case word:
                    try:
                        call = Call(word)
                        view.auction.after(call)
                        return call
                    except BidlabError as error:
                        self.say(f"{error}. {_HELP}")

    def _word(self) -> str:
        print("Your call: ", end="", flush=True, file=sys.stderr if self.say is _say_aside else sys.stdout)
        line = sys.stdin.readline()
        if not line:
            raise _QuitError
        return line.strip()

    def _reasons(self, view: SeatView) -> tuple[str, ...]:
        """What the expert's call shows, and why it is made."""
        book = self.expert.book
        position = self.expert.position(view)
        found = reasoned_call(position, view.hand)
        _, sample = explained_calls(book, view.auction, view.disclosed, deals=_DEALS)
        told = explained_call(position, view.seat, found.rule.call, sample.hands(view.seat))
        return lesson(told, found)

    def _explain(self, view: SeatView) -> None:
        if not view.auction.calls:
            self.say("Nobody has called yet.")
            return
        calls, _ = explained_calls(self.expert.book, view.auction, view.disclosed, deals=_DEALS)
        for one in calls:
            self.say(told_text(one))

    def _result(
        self, board: Board, auction: Auction, calls: int, different: tuple[_Different, ...]
    ) -> _Played:
        table = trick_table(board.deal)
        result = scored(board, auction, (), table).result
        best = par(table, board.dealer, board.vulnerable)
        swing = imps(result.score - best.score)
        ours = swing if self.seat.is_north_south else -swing
        return _Played(board, auction, result, best, calls, different, ours)

    def _tell(self, played: _Played) -> None:
        board = played.board
        self.say(f"\n{board_diagram(board)}\n\n{auction_grid(played.auction)}\n")
        self.say(f"{result_text(played.result)}\nPar {played.par}: {_imps(played.against_par)} for you")
        for one in played.different:
            before = f' after "{one.auction}"' if one.auction.calls else ""
            self.say(f"\nYou called {one.yours.symbol}{before}; the expert calls {one.experts.symbol}.")
            for reason in one.reasons:
                self.say(hanging("  ", reason, 2))

    def conclude(self) -> None:
        """Say how it went."""
        if not self.played:
            return
        total = sum(one.against_par for one in self.played)
        calls = sum(one.calls for one in self.played)
        same = calls - sum(len(one.different) for one in self.played)
        boards = boards_text(len(self.played))
        self.say(f"\n{boards}: {_imps(total)} against par, {same} of {calls} calls as the expert's.")


def _hand_text(view: SeatView) -> str:
    return "\n".join(f"{suit.symbol} {view.hand.suit_text(suit) or '-'}" for suit in reversed(SUITS))


def _imps(points: int) -> str:
    return f"{points:+d} IMP{'' if abs(points) == 1 else 's'}" if points else "no IMPs"
