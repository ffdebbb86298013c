"""A thought in words: why this call, what the others were worth, and a deal on either side."""

from __future__ import annotations

import numpy as np

from bidlab.bidders.thinking.contracts import Bench
from bidlab.bidders.thinking.thoughts import Example, Thought, Valued
from bidlab.bridge.calls import CALLS
from bidlab.bridge.cards import SEATS
from bidlab.bridge.hands import Deal
from bidlab.meaning.meaning import Meaning
from bidlab.table.decision import Candidate, Decision
from bidlab.table.seatview import SeatView

_FITS_BADLY = 0.25  # of the deals that explain the auction: fewer, and the samples are said to be poor


def told_decision(
    thought: Thought, meaning: Meaning | None, rules: Decision, bench: Bench, view: SeatView
) -> Decision:
    """The decision of a thought, with the reasons that the rules gave for their own choice."""
    if not thought.is_simulated:
        return Decision(thought.call, meaning, _reasons_of(rules), rules.candidates)
    reasons = [_verdict(thought)]
    if not thought.is_overruled:
        reasons += _reasons_of(rules)
    assert thought.imagined is not None
    if thought.imagined.perfect < _FITS_BADLY:
        reasons.append(
            f"nothing fits well: of {len(thought.imagined.bits)} deals that come nearest to the auction "
            f"{100 * thought.imagined.perfect:.0f}% explain it"
        )
    sign = 1 if view.seat % 2 == 0 else -1
    for word, examples, side in (
        ("for", thought.speaks_for, sign),
        ("against", thought.speaks_against, -sign),
    ):
        deal = _told_deal(examples, bench, int(view.vulnerable), side)
        if deal:
            reasons.append(f"{word} it speaks {deal}")
    order = sorted(thought.valued, key=lambda one: (one.call != thought.call, -one.mean))
    return Decision(thought.call, meaning, tuple(reasons), tuple(_candidate(one) for one in order))


def _reasons_of(rules: Decision) -> tuple[str, ...]:
    """Why the mind chose, to stand among other reasons."""
    return tuple(reason.rstrip(".") for reason in rules.reasons)


def _verdict(thought: Thought) -> str:
    """The first reason: what the comparison came to."""
    deals = f"on {thought.deals} deals"
    if thought.is_overruled:
        return (
            f"{deals} {thought.call.symbol} wins {thought.lead:.1f} ± {thought.error:.1f} IMPs more than "
            f"{thought.first.symbol}, the first choice"
        )
    if thought.rival is None:
        return f"{deals} nothing else comes near {thought.call.symbol}"
    won = f"{-thought.lead:+.1f} ± {thought.error:.1f} IMPs"
    return f"{deals} {thought.rival.symbol} does not beat {thought.call.symbol} by enough: {won}"


def _candidate(one: Valued) -> Candidate:
    note = f"{one.mean:+.1f} ± {one.error:.1f} IMPs against the others, best on {100 * one.wins:.0f}%"
    return Candidate(one.call, one.mean, f"{note}; {one.note}" if one.note else note)


def _told_deal(examples: tuple[Example, ...], bench: Bench, vulnerable: int, sign: int) -> str:
    """The first deal on which the call comes to more double dummy, with both contracts; empty: on none.

    As in "N:... (4♠ by South +420, not 3♠ by South +170)"; with the other sign, to less.
    """
    for example in examples:
        deals = np.repeat(example.bits[None, :], 2, axis=0)
        points = bench.points(deals, vulnerable, example.contracts, exact=True)
        if sign * (points[0] - points[1]) > 0:
            ends = [
                _contract(row) + (f" {score if row[2] % 2 == 0 else -score:+d}" if row[0] else "")
                for row, score in zip(example.contracts.tolist(), points.tolist(), strict=True)
            ]
            return f"{Deal.of_bits(example.bits.tolist())} ({ends[0]}, not {ends[1]})"
    return ""


def _contract(row: list[int]) -> str:
    last, doubled, declarer = row
    if not last:
        return "passed out"
    return f"{CALLS[last].symbol}{'×' * doubled} by {SEATS[declarer].word}"
