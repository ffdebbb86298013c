"""Situations: where in an auction a player stands, as the own side sees it.

A situation is the calls from the first bid on; passes before it do not matter. It is written as headers of
the system language are: `opening`, `1S`, `(1H)`, `1S (2H)`, our calls plain and theirs in parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.errors import BidlabError, quoted

OPENING = "opening"
_STEP = re.compile(r"-|\([A-Z0-9]+\)|[A-Z0-9]+")


@dataclass(frozen=True, slots=True, order=True)
class Situation:
    """The calls from the first bid on, before a player's turn; none where nobody has bid.

    >>> print(Situation.of(Auction("N", "none", "P P 1S P 2S 3H P P")))
    1S 2S (3H) -
    >>> Situation.parse("1S").calls
    (<Call.ONE_SPADE: 6>, <Call.PASS: 0>)
    """

    calls: tuple[Call, ...] = ()

    @classmethod
    def of(cls, auction: Auction) -> Situation:
        """The situation of the player to call."""
        first = next((place for place, call in enumerate(auction.calls) if call.is_bid), len(auction))
        return cls(auction.calls[first:])

    @classmethod
    def parse(cls, text: str) -> Situation:
        """The situation of a header without letters for suits; passes that must have been there go in."""
        if text.strip() == OPENING:
            return cls()
        calls: list[Call] = []
        is_ours = True  # whose turn it is; the first step tells
        for number, step in enumerate(text.split()):
            if not _STEP.fullmatch(step) or (step == "-" and not number):
                raise _unreadable(text)
            if step == "-":
                calls.append(Call.PASS)
                is_ours = not is_ours
                continue
            if number and (step[0] != "(") != is_ours:
                calls.append(Call.PASS)
            calls.append(Call(step.strip("()")))
            is_ours = step[0] == "("
        if not is_ours:
            calls.append(Call.PASS)
        if not calls or Auction(calls=calls).is_ended:
            raise _unreadable(text)
        return cls(tuple(calls))

    def __str__(self) -> str:
        return sequence_text(self.calls) if self.calls else OPENING


def _unreadable(text: str) -> BidlabError:
    return BidlabError(f"no situation {quoted(text)}: one such as opening, 1S, (1H) or 1S (2H) is wanted")


def sequence_text(sequence: Sequence[int]) -> str:
    """A sequence as headers have it: our calls, (theirs), and the passes that do not go without saying.

    >>> sequence_text([int(Call(call)) for call in "1S P 2S 3H P P".split()])
    '1S 2S (3H) -'
    >>> sequence_text([int(Call(call)) for call in "1S P".split()])
    '1S'
    """
    words: list[str] = []
    for place, call in enumerate(sequence):
        is_ours = (len(sequence) - place) % 2 == 0
        if call == Call.PASS:
            words.append("-")
            continue
        if words and words[-1] == "-":  # a call out of turn implies one pass
            words.pop()
        words.append(str(CALLS[call]) if is_ours else f"({CALLS[call]})")
    if words and words[-1] == "-":
        words.pop()
    return " ".join(words)
