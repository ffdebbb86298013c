"""The command explain: every call of an auction, the state it has led to, and all that may follow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from bidlab.bidders.estimated import estimates_of
from bidlab.bidders.evolved import Evolved
from bidlab.bidders.expert import Expert
from bidlab.bidders.registry import bidder
from bidlab.bidders.robots import Robot
from bidlab.bidders.watching import watched
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Seat
from bidlab.bridge.errors import BidlabError, quoted
from bidlab.cli.boards import Json
from bidlab.cli.layout import hanging, table_text
from bidlab.cli.progress import measured
from bidlab.cli.telling import call_text, explained_json
from bidlab.formats.diagram import auction_grid
from bidlab.systems.explaining import Continuation, Explained, Explanation, Reader, explanation
from bidlab.systems.rules import Judged
from bidlab.table import Bidder

_DEALS, _DEALS_OF_A_ROBOT = 20_000, 2_000


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog='Example: bidlab explain natural "1N P 2C P 2H"')(explain)


def explain(
    system: Annotated[
        str,
        typer.Argument(
            metavar="SYSTEM",
            help="A system by name or file, as in natural,stayman=off; or any bidder, as in exec:./mybot.",
        ),
    ],
    auction: Annotated[
        str, typer.Argument(metavar="AUCTION", help="The calls from the dealer on; by default none.")
    ] = "",
    dealer: Annotated[str, typer.Option(help="Who deals: N, E, S or W.")] = "N",
    vul: Annotated[str, typer.Option(help="Who is vulnerable: none, NS, EW or both.")] = "none",
    deals: Annotated[
        int | None, typer.Option(min=100, help="How many deals to count calls in: 20,000; of a robot 2,000.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The deals that are counted, and the example hands.")] = 1,
    as_json: Json = False,
) -> None:
    """Explain an auction by a system: every call so far, what is known, and all calls that may follow.

    Both sides bid the system. How often a call comes up is its share of the hands that agree with the
    auction, with its standard error. What a bidder shows that has no rules, a network or a robot, is
    estimated from the hands with which it makes its calls.
    """
    calls = Auction(dealer, vul, auction)
    made = bidder(system)
    try:
        if isinstance(made, Expert | Evolved):
            explainer = _by_rules(made.book, seed)
        else:
            explainer = _by_watching(made, seed)
        count = deals or (_DEALS_OF_A_ROBOT if isinstance(made, Robot) else _DEALS)
        with measured("explaining", "calls") as tell:
            found = explainer(calls, count, None, tell)
            passed = _passed(found.auction)
            later = None if passed is None else explainer(passed, count, found, tell)
    finally:
        made.close()
    if as_json:
        shown = _as_json(found) | {"system": system, "after_pass": _as_json(later) if later else None}
        print(json.dumps(shown))
        return
    print("\n\n".join(_parts(found, later)))


Tell = Callable[[int, int], None]
Explainer = Callable[
    [Auction, int, Explanation | None, Tell], Explanation
]  # the deals, what was found before


def _by_rules(book: Reader, seed: int) -> Explainer:
    """Explanations by the rules of a written system, or of one that evolved."""

    def explained(auction: Auction, deals: int, before: Explanation | None, tell: Tell) -> Explanation:
        return explanation(book, auction, deals=deals, seed=seed, before=before)

    return explained


def _by_watching(made: Bidder, seed: int) -> Explainer:
    """Explanations of a bidder without rules, by what it does."""
    estimates = estimates_of(made, seed)

    def explained(auction: Auction, deals: int, before: Explanation | None, tell: Tell) -> Explanation:
        return watched(estimates, auction, deals=deals, seed=seed, before=before, progress=tell)

    return explained


def expert_of(text: str) -> Expert:
    """The expert of a system by its name; an error where the name is of another kind of bidder."""
    made = bidder(text)
    if not isinstance(made, Expert):
        made.close()
        raise BidlabError(f"{quoted(text)} bids by no written system: one such as natural is wanted")
    return made


def _passed(auction: Auction) -> Auction | None:
    """The auction once the opponent to call has passed; None where that was asked already.

    Who writes "1N P 2C" mostly wants to know the answers to 2C, not what an opponent may say in between.
    """
    if auction.is_ended or not auction.calls or auction.calls[-1] == Call.PASS:
        return None
    passed = auction.after(Call.PASS)
    return None if passed.is_ended else passed


# --- as text --------------------------------------------------------------------------------------------


def _parts(found: Explanation, later: Explanation | None) -> Iterator[str]:
    if found.auction.calls:
        yield auction_grid(found.auction)
        yield "\n".join(map(told_text, found.calls))
    yield from _what_follows(found, "")
    if later is not None:
        passing = found.auction.turn.word
        yield from _what_follows(later, f"If {passing} passes: ")


def _what_follows(found: Explanation, condition: str) -> Iterator[str]:
    if found.auction.is_ended:
        contract = found.auction.contract
        yield f"The auction has ended: {contract.symbol if contract else ''}."
        return
    turn = found.auction.turn
    known = [f"{whose(seat, turn)} {text}." for seat, text in found.shown]
    lines = [hanging("  ", line, 2) for line in (*known, *found.state)]
    yield "\n".join([f"{condition}{turn.word} to call.", *lines])
    yield _table(found)


def whose(seat: Seat, turn: Seat) -> str:
    """A player as the player to call sees him, before what he has shown."""
    return f"Partner, {seat.word}, has shown" if seat == turn.partner else f"{seat.word} has shown"


def told_text(one: Explained) -> str:
    """A call explained, with the places of its rules, or that it was estimated."""
    return call_text(one, [*one.sentences(), *_in_brackets(one, "estimated, ")])


def _in_brackets(one: Explained, before: str = "") -> list[str]:
    """Where a call's rules stand; of an estimate, how many hands lie outside."""
    if one.rules:
        return [f"[{one.sources}]"]
    return [f"[{before}{100 * one.meaning.outside:.2g}% outside]"] if one.is_estimated and one.meaning else []


def _table(found: Explanation) -> str:
    rows = [["Call", "How often", "Example", "Shows"]]
    # Judgement has a rule for whatever might happen; those that never came up would fill the page.
    unseen = [one for one in found.continuations if not one.share and _is_judged(one.explained)]
    rows += [_row(one) for one in found.continuations if one not in unseen]
    if unseen:
        names = ", ".join(one.explained.call.symbol for one in unseen)
        rows.append(["", "hardly ever", "", f"{names} [judgement]"])
    count = len(found.sample)
    note = f"Of {count:,} deals that agree with the auction."
    if not found.sample.is_exact:
        note = f"Of the {count:,} deals that come nearest: none was found that agrees with every call."
    if any(one.explained.is_estimated for one in found.continuations):
        note = f"{note} What calls show is estimated; so many of their hands lie outside."
    return f"{table_text(rows)}\n{note}"


def _is_judged(told: Explained) -> bool:
    return bool(told.rules) and all(isinstance(rule.source, Judged) for rule in told.rules)


def _row(one: Continuation) -> list[str]:
    told = one.explained
    # That a call does not force is what a reader expects of a table; in an explanation it is said.
    does = [phrase for phrase in told.does if phrase != "not forcing"]
    words = [f'"{text}"' for text in dict.fromkeys(rule.text for rule in told.rules if rule.text)]
    return [
        told.call.symbol,
        share_text(one.share, one.standard_error),
        str(one.example) if one.example is not None else "-",
        " ".join(["; ".join([told.shows or "-", *does, *words]), *_in_brackets(told)]),
    ]


def share_text(share: float, error: float) -> str:
    """A share with its standard error, in percent."""
    if share in (0, 1):
        return "always" if share else "hardly ever"
    digits = 1 if error >= 0.0005 else 2
    return f"{100 * share:.{digits}f}% ± {100 * error:.{digits}f}"


# --- as JSON --------------------------------------------------------------------------------------------


def _as_json(found: Explanation) -> dict[str, object]:
    return {
        "auction": str(found.auction),
        "dealer": str(found.auction.dealer),
        "vulnerable": str(found.auction.vulnerable),
        "calls": [explained_json(one) for one in found.calls],
        "to_call": None if found.auction.is_ended else str(found.auction.turn),
        "shown": {str(seat): text for seat, text in found.shown},
        "state": list(found.state),
        "continuations": [
            explained_json(one.explained)
            | {
                "share": one.share,
                "standard_error": one.standard_error,
                "example": None if one.example is None else str(one.example),
            }
            for one in found.continuations
        ],
        "deals": len(found.sample),
        "exact": found.sample.is_exact,
    }
