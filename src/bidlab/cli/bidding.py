"""The command bid: boards bid to the end and every call explained, or one call for one hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.bridge.calls import Auction
from bidlab.bridge.cards import SUITS
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Hand
from bidlab.cli.boards import Json, Problems
from bidlab.cli.layout import hanging
from bidlab.cli.progress import counted
from bidlab.cli.solving import placed, records_of, whole_deal
from bidlab.cli.telling import call_text, explained_json, rule_json
from bidlab.doubledummy import Par, par, trick_table
from bidlab.formats.diagram import auction_grid, board_diagram, result_text
from bidlab.formats.records import Record
from bidlab.meaning.features import HCP, feature_table
from bidlab.meaning.meaning import Meaning
from bidlab.systems.explaining import Explained, Reasoned, explained_call, lesson, reasoned_call
from bidlab.systems.samples import Sample
from bidlab.table import Bidder, Candidate, Decision, SeatView
from bidlab.table.one_board import BidBoard, bid_out, scored

_DEALS = 5_000  # behind the explanation of a call: gist and denials need no more


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    deal = '"N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3"'
    hand = 'bidlab bid --hand AKQ2.T83.KQ9.A76 --auction "1N P"'
    app.command(epilog=f"Example: bidlab bid {deal} --explain; or one call: {hand}")(bid)


def bid(
    source: Annotated[
        str | None,
        typer.Argument(metavar="DEAL|FILE", help="A deal as PBN writes it, a file of boards, or -."),
    ] = None,
    ns: Annotated[str, typer.Option(help="Who bids for North-South; bidlab bidders lists them.")] = "natural",
    ew: Annotated[str, typer.Option(help="Who bids for East-West.")] = "natural",
    explain: Annotated[bool, typer.Option("--explain", help="Explain every call.")] = False,
    hand: Annotated[str | None, typer.Option(help="One hand, for one call.")] = None,
    auction: Annotated[
        str | None, typer.Option(help="The calls before it from the dealer on, for --hand.")
    ] = None,
    dealer: Annotated[str | None, typer.Option(help="Who deals: N, E, S or W.")] = None,
    vul: Annotated[str | None, typer.Option(help="Who is vulnerable: none, NS, EW or both.")] = None,
    board: Annotated[int | None, typer.Option(min=1, help="Bid only the board of this number.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="For bidders that draw.")] = 0,
    as_json: Json = False,
) -> None:
    """Bid boards to the end, with contract, double-dummy result and par; or make one call for one hand."""
    if (source is None) == (hand is None):
        raise BidlabError("a deal, a file of boards, or --hand with --auction is wanted, and one of them")
    if hand is not None and (board is not None or explain):
        raise BidlabError("--hand asks for one call, always explained: no --board or --explain goes with it")
    if hand is None and auction is not None:
        raise BidlabError("--auction goes with --hand")
    with _bidders(ns, ew, seed) as players:
        if hand is not None:
            _one_call(
                Hand.parse(hand), Auction(dealer or "N", vul or "none", auction or ""), players, as_json
            )
        else:
            assert source is not None
            _boards(source, players, explain, board, dealer, vul, as_json)


@contextmanager
def _bidders(ns: str, ew: str, seed: int) -> Iterator[tuple[Bidder, Bidder]]:
    """The bidders of North-South and of East-West, closed at the end."""
    first = bidder(ns, seed)
    try:
        second = first if ew == ns else bidder(ew, seed)
        try:
            yield first, second
        finally:
            second.close()
    finally:
        first.close()


# --- boards ---------------------------------------------------------------------------------------------


def _boards(
    source: str,
    players: tuple[Bidder, Bidder],
    explain: bool,
    number: int | None,
    dealer: str | None,
    vul: str | None,
    as_json: bool,
) -> None:
    problems = Problems()
    records = (placed(record, dealer, vul) for record in records_of(source, problems))
    found = 0
    for record in counted(records, "bidding"):
        if number is not None and record.board.number != number:
            continue
        whole_deal(record)
        _print_board(record, players, explain, as_json, is_first=found == 0)
        found += 1
    if number is not None and not found and not problems.errors:
        raise BidlabError(f"no board {number} in {source}")
    problems.conclude(source)


def _print_board(
    record: Record, players: tuple[Bidder, Bidder], explain: bool, as_json: bool, is_first: bool
) -> None:
    board = record.board
    table = trick_table(board.deal)
    found = scored(board, *bid_out(board, *players), table)
    best = par(table, board.dealer, board.vulnerable)
    told = tuple(explained_calls_of(found, players)) if explain else ()
    if as_json:
        print(json.dumps(_board_json(found, best, told, players)))
        return
    if not is_first:
        print("\n" + "-" * 60 + "\n")
    parts = [board_diagram(board, record.names), auction_grid(found.auction)]
    if told:
        parts.append("\n".join(one.text() for one in told))
    parts.append(f"{result_text(found.result)}\nPar {best}")
    print("\n\n".join(parts))


@dataclass(frozen=True, slots=True)
class ToldCall:
    """A call of a board that was bid: explained by its maker's book, or by what the bidder said itself."""

    explained: Explained
    decision: Decision
    reasoned: Reasoned | None  # None: the bidder has no book

    def text(self) -> str:
        """The call, what it shows, and why it was made."""
        return call_text(self.explained, self.sentences())

    def sentences(self) -> tuple[str, ...]:
        """What the call shows and why it was made."""
        if self.reasoned is not None:
            return lesson(self.explained, self.reasoned)
        marked = (
            f"{self.explained.shows} (estimated)" if self.explained.is_estimated else self.explained.shows
        )
        shows = (f"Shows {marked}.",) if self.explained.meaning is not None else ()
        return *shows, *(f"{reason[:1].upper()}{reason[1:]}." for reason in self.decision.reasons)

    def as_json(self) -> dict[str, object]:
        """Everything, for programs."""
        shown = explained_json(self.explained) | {"reasons": list(self.decision.reasons)}
        if self.reasoned is not None:
            shown["rule"] = rule_json(self.reasoned.rule)
            shown["reasons"] = list(self.reasoned.reasons())
            shown["not"] = [
                {"call": str(one.rule.call), "why": one.why, "rule": rule_json(one.rule)}
                for one in self.reasoned.rejected
            ]
        return shown


def explained_calls_of(found: BidBoard, players: Sequence[Bidder]) -> Iterator[ToldCall]:
    """The calls of a board, each explained in view of the hand that made it."""
    sample = Sample.start(_DEALS)
    so_far = Auction(found.board.dealer, found.board.vulnerable)
    told = tuple(decision.meaning for decision in found.decisions)
    for place, decision in enumerate(found.decisions):
        seat = so_far.turn
        view = SeatView(found.board.deal.hand(seat), so_far, _disclosed(told[:place]))
        yield told_call(view, decision, players[0 if seat.is_north_south else 1], sample)
        sample = sample.after(seat, decision.meaning)
        so_far = so_far.after(decision.call)


def _disclosed(told: tuple[Meaning | None, ...]) -> tuple[Meaning | None, ...]:
    return told if any(meaning is not None for meaning in told) else ()


def told_call(view: SeatView, decision: Decision, player: Bidder, sample: Sample) -> ToldCall:
    """A decision explained."""
    hands = sample.hands(view.seat)
    if isinstance(player, Expert):
        position = player.position(view)
        explained = explained_call(position, view.seat, decision.call, hands)
        return ToldCall(explained, decision, reasoned_call(position, view.hand, decision.call))
    meaning = decision.meaning or player.meaning(view.auction.after(decision.call))
    shows = meaning.short() if meaning is not None else ""
    return ToldCall(Explained(view.seat, decision.call, meaning, shows), decision, None)


def _board_json(
    found: BidBoard, best: Par, told: Sequence[ToldCall], players: Sequence[Bidder]
) -> dict[str, object]:
    board = found.board
    shown: dict[str, object] = {
        "board": board.number,
        "deal": str(board.deal),
        "dealer": str(board.dealer),
        "vulnerable": str(board.vulnerable),
        "ns": players[0].name,
        "ew": players[1].name,
        "auction": [str(call) for call in found.auction.calls],
        "contract": str(found.contract),
        "tricks": found.result.tricks,
        "score": found.score,
        "par": {"score": best.score, "contracts": [str(contract) for contract in best.contracts]},
    }
    if told:
        shown["calls"] = [one.as_json() for one in told]
    return shown


# --- one call -------------------------------------------------------------------------------------------


def _one_call(hand: Hand, auction: Auction, players: tuple[Bidder, Bidder], as_json: bool) -> None:
    view = SeatView(hand, auction, _read(auction, players))
    player = players[0 if view.seat.is_north_south else 1]
    decision = player.decide(view)
    sample = Sample.start(_DEALS)
    for place, (seat, _) in enumerate(auction.seats()):
        told = view.disclosed[place] if view.disclosed else None
        sample = sample.after(seat, told)
    one = told_call(view, decision, player, sample)
    if as_json:
        print(json.dumps(_call_json(view, player, one)))
        return
    print(f"{auction_grid(auction)}\n\n{_hand_line(view)}\n")
    print(f"{decision.call.symbol}")
    for sentence in one.sentences():
        print(hanging("  ", sentence, 2))
    others = [candidate for candidate in decision.candidates if candidate.call != decision.call]
    if others and one.reasoned is None:
        print("\nAlso considered:")
        for candidate in others:
            print(f"  {candidate.call.symbol}{_worth(candidate)}  {candidate.note}".rstrip())


def _worth(candidate: Candidate) -> str:
    """What a candidate was valued at, where its note does not say so: a chance is told by its percentage."""
    if candidate.value is None or candidate.note.endswith("%"):
        return ""
    return f" {candidate.value:+.2f}"


def _read(auction: Auction, players: tuple[Bidder, Bidder]) -> tuple[Meaning | None, ...]:
    """What each call so far means by its maker's own system."""
    told = []
    so_far = Auction(auction.dealer, auction.vulnerable)
    for seat, call in auction.seats():
        so_far = so_far.after(call)
        told.append(players[0 if seat.is_north_south else 1].meaning(so_far))
    return _disclosed(tuple(told))


def _hand_line(view: SeatView) -> str:
    suits = "  ".join(f"{suit.symbol} {view.hand.suit_text(suit) or '-'}" for suit in reversed(SUITS))
    points = int(feature_table([view.hand])[0, HCP.number])
    side = "vulnerable" if view.is_vulnerable else "not vulnerable"
    return f"{view.seat.word} holds {suits}, {points} points, {side}"


def _call_json(view: SeatView, player: Bidder, one: ToldCall) -> dict[str, object]:
    candidates = [
        {"call": str(candidate.call), "value": candidate.value, "note": candidate.note}
        for candidate in one.decision.candidates
    ]
    return {
        "bidder": player.name,
        "hand": str(view.hand),
        "auction": str(view.auction),
        "dealer": str(view.auction.dealer),
        "vulnerable": str(view.vulnerable),
        **one.as_json(),
        "candidates": candidates,
    }
