"""Students that think by a formula: quick, and it is known what they ought to learn."""

from __future__ import annotations

from dataclasses import dataclass

from bidlab.bidders.expert import Expert, shared_book
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.hands import Hand
from bidlab.meaning.meaning import Meaning
from bidlab.table import Decision, SeatView
from bidlab.table.bidder import Bidder

_OPENING = Meaning.parse("5+ spades, 11+")
ONE_SPADE, GRAND = Call("1S"), Call("7N")


@dataclass(frozen=True)
class Valued:
    call: Call
    over: float


@dataclass(frozen=True)
class Thought:
    call: Call
    first: Call
    valued: tuple[Valued, ...] = ()

    @property
    def gain(self) -> float:
        return max((one.over for one in self.valued), default=0.0)


def has_opening(hand: Hand) -> bool:
    return _OPENING.admits(hand)


class Student(Bidder):
    """Bids by its text alone. Where nobody has bid and nothing is written, it knows what would be better."""

    def __init__(self, file: str) -> None:
        self.expert = Expert(shared_book(file), file)
        self.name = file

    def worth(self, hand: Hand) -> tuple[Valued, ...]:
        good = 3.0 if has_opening(hand) else -3.0
        return (Valued(Call.PASS, 0.0), Valued(ONE_SPADE, good), Valued(GRAND, -9.0))

    def consider(self, view: SeatView) -> Thought:
        call = self.expert.decide(view).call
        is_silent = not any(one.is_bid for one in view.auction.calls) and "otherwise" in self.source(view)
        return Thought(call, call, self.worth(view.hand) if is_silent else ())

    def source(self, view: SeatView) -> str:
        position = self.expert.position(view)
        return getattr(position.rules[position.choice(view.hand)].source, "context", "")

    def proposed(self, view: SeatView) -> tuple[Call, ...]:
        if "otherwise" in self.source(view):
            return view.legal_calls
        return (self.expert.decide(view).call,)

    def shown(self, view: SeatView, call: Call) -> Meaning | None:
        return self.expert.meaning(view.auction.after(call))

    def decide(self, view: SeatView) -> Decision:
        return self.expert.decide(view)

    def meaning(self, auction: Auction) -> Meaning | None:
        return self.expert.meaning(auction)


class Gambler(Student):
    """Thinks that seven notrump is always best."""

    def worth(self, hand: Hand) -> tuple[Valued, ...]:
        return (Valued(Call.PASS, 0.0), Valued(GRAND, 5.0))
