"""A book of a few positions, written by hand, so that explanations are tested without a system's text."""

from collections.abc import Sequence

from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.cards import Suit
from bidlab.meaning.conditions import ANYTHING, Condition
from bidlab.meaning.meaning import Meaning
from bidlab.systems.position import Position
from bidlab.systems.rules import Ask, Effects, Forcing, Judged, Rule, Written
from bidlab.systems.state import Shown, State

_ASKS = {"asks": Ask("a four-card major"), "forcing": Forcing.ROUND, "artificial": True}
_TRANSFER = {"transfers": Suit.HEARTS, "forcing": Forcing.ROUND, "artificial": True}

_OPENING = (
    ("2C", "22+; or 9+ playing tricks, 16+", {"forcing": Forcing.ROUND, "artificial": True}, "strong"),
    ("2N", "20-21, balanced"),
    ("1N", "15-17, balanced"),
    ("1S", "5+ spades, 12-21 points, spades not shorter than hearts"),
    ("1H", "5+ hearts, 12-21 points"),
    ("1D", "12-21 points, longer diamonds than clubs"),
    ("1D", "12-21 points, 4 diamonds, 4 clubs"),
    ("1C", "12-21 points"),
    ("2H", "6 hearts, 5-10, two of the top three in hearts", {"words": ("preempt",)}),
    ("P", ""),
)
_TO_NOTRUMP = (
    ("2C", "8+, 4 hearts or 4 spades, 3-4 hearts", _ASKS, "Stayman"),
    ("2D", "5+ hearts", _TRANSFER),
    ("3N", "10-15", {"signs_off": True}),
    ("2N", "8-9", {"invites": True}),
    ("P", ""),
)
_TO_STAYMAN = (("2H", "4+ hearts"), ("2S", "4+ spades"), ("2D", ""))
_AFTER_HEARTS = (
    ("3H", "4+ hearts, 8-9", {"agrees": Suit.HEARTS, "invites": True}),
    ("4H", "4+ hearts", {"agrees": Suit.HEARTS, "signs_off": True}),
    ("3N", "10+", {"signs_off": True}),
    ("2N", "", {"invites": True}),
)
_RULES = {
    "": ("opening", _OPENING),
    "1N P": ("1N -", _TO_NOTRUMP),
    "1N P 2C P": ("1N 2C", _TO_STAYMAN),
    "1N P 2C P 2H P": ("1N 2C 2H", _AFTER_HEARTS),
}
_NOTRUMP = Shown(hcp=(15, 17), least=(2, 2, 2, 2), most=(5, 5, 5, 5))
_STATES = {
    "1N P": State(partner=_NOTRUMP, partner_has_bid=True),
    "1N P 2C P": State(me=_NOTRUMP, asked=Ask("a four-card major"), is_forced=True),
    "1N P 2C P 2H P": State(partner=_NOTRUMP, partner_suit=Suit.HEARTS),
}
_PASS = Rule(Call.PASS, ANYTHING, source=Judged("pass", "nothing is known of this auction"))


def position(lines: Sequence[Sequence[object]], context: str, state: State | None = None) -> Position:
    """A position of rules as they are written here: call, condition, effects, text."""
    rules = []
    for number, line in enumerate(lines, 1):
        call, condition, effects, text = (*line, *("", "", {}, "")[len(line) :])
        source = Written("small.bids", number, context)
        rules.append(Rule(Call(call), _read(condition), Effects(**effects), source, text))
    return Position(tuple(rules), state or State())


def _read(text: str) -> Condition:
    return Meaning.parse(text).condition if text else ANYTHING


class SmallBook:
    """Knows openings, answers to one notrump and Stayman; passes everywhere else."""

    def position(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> Position:
        known = str(auction).removeprefix("P ").removeprefix("P ").removeprefix("P ")
        if known in ("P", "P P", "P P P"):
            known = ""
        if known not in _RULES:
            return Position((_PASS,))
        context, lines = _RULES[known]
        return position(lines, context, _STATES.get(known))

    # What an expert asks of a book besides; a node is an auction here.

    def node(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> Auction:
        return auction

    def position_at(self, node: Auction) -> Position:
        return self.position(node)

    def meaning_at(self, node: Auction, call: Call) -> Meaning | None:
        return self.position(node).meaning(call)

    def is_own(self, meaning: Meaning | None) -> bool:
        return True
