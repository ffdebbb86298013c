"""The thinker: a mind proposes calls, simulation decides between them (Emmons 2009; Ventos and others 2017).

For each call that the mind proposes, the rest of the auction is bid on imagined deals that fit the auction
so far, by the mind at all four seats, so that nobody sees a hidden card. What the contracts come to double
dummy is compared in IMPs. The mind's own choice stands unless another beats it by a margin and by more than
noise.

A thinker draws by its seed and by what it sees, nothing else: with the seed fixed it always calls the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bidlab.bidders.expert import Expert
from bidlab.bidders.kinds import Asked
from bidlab.bidders.network import NetworkBidder
from bidlab.bidders.own import EXPERT, NETWORK, THINKER
from bidlab.bidders.thinking.budget import Budget
from bidlab.bidders.thinking.by_network import LIKELY, NetworkMind
from bidlab.bidders.thinking.by_rules import NEAR, RuleMind
from bidlab.bidders.thinking.comparing import Race, mean_and_error, portions
from bidlab.bidders.thinking.contracts import Bench, Contracts
from bidlab.bidders.thinking.looking import ByRules, InTheOpen, Resampled
from bidlab.bidders.thinking.minds import Imagined, Mind, Proposal
from bidlab.bidders.thinking.telling import told_decision
from bidlab.bidders.thinking.thoughts import Example, Settings, Thought, Valued
from bidlab.bridge.calls import Auction, Call
from bidlab.bridge.errors import BidlabError, quoted
from bidlab.meaning.meaning import Meaning
from bidlab.runs.seeds import seed_at
from bidlab.table.bidder import Bidder, Decisions
from bidlab.table.decision import Decision
from bidlab.table.seatview import SeatView
from bidlab.table.views import ViewBatch

_EXAMPLES = 6  # deals on either side that are kept to be told: guessed tricks may not be those


class Thinker(Bidder):
    """Thinks about the calls that a mind proposes before it makes one."""

    def __init__(
        self, mind: Mind, name: str, settings: Settings | None = None, bench: Bench | None = None
    ) -> None:
        self.mind = mind
        self.name = name
        self.settings = settings or Settings()
        self.bench = bench or Bench.made(
            repeatable=self.settings.nodes is not None, guesses=self.settings.tricks == "guessed"
        )
        self.ahead = self._looking()

    def decide(self, view: SeatView) -> Decision:
        """The call, what every candidate was worth, and deals that speak for it and against it."""
        thought = self.consider(view)
        meaning = self.mind.allowed(view, thought.call)
        return told_decision(thought, meaning, self.mind.decide(view), self.bench, view)

    def decide_many(self, views: ViewBatch) -> Decisions:
        """The calls of a batch, one thought after the other."""
        thoughts = [self.consider(view) for view in views]
        return Decisions(
            np.array([thought.call for thought in thoughts], dtype=np.uint8),
            [self.mind.allowed(view, thought.call) for view, thought in zip(views, thoughts, strict=True)],
            np.array([thought.is_simulated for thought in thoughts]),
        )

    def proposed(self, view: SeatView) -> tuple[Call, ...]:
        """The calls that would be thought about, the mind's own choice first."""
        return tuple(one.call for one in self.mind.proposals(view, self.settings.most))

    def shown(self, view: SeatView, call: Call) -> Meaning | None:
        """What the others are told that a call may be made with."""
        return self.mind.allowed(view, call)

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says by the mind's system."""
        return self.mind.meaning(auction)

    def consider(self, view: SeatView) -> Thought:
        """What the thinker thinks before it calls."""
        proposals = self.mind.proposals(view, self.settings.most)
        first = proposals[0].call
        if len(proposals) == 1:
            return Thought(first, first)
        imagined = self.mind.imagined(view, self.settings.samples, self.settings.pool, self._seed(view))
        return _Thinking(self, view, proposals, imagined).thought()

    def _looking(self) -> ByRules | InTheOpen | Resampled:
        """How this thinker looks ahead."""
        if self.settings.ahead == "open":
            return InTheOpen(self.mind, self.bench)
        if self.settings.ahead == "resampled":
            fewer = replace(self.settings, samples=max(2, self.settings.samples // 10), ahead="rules")
            inner = Thinker(self.mind, self.name, fewer, self.bench)
            return Resampled(self.mind, lambda view: inner.consider(view).call)
        return ByRules(self.mind)

    def _seed(self, view: SeatView) -> int:
        """A seed of its own for what is seen: the hand and the auction, not what was disclosed."""
        auction = view.auction
        place = (view.hand.bits, int(auction.dealer), int(auction.vulnerable), *map(int, auction.calls))
        return seed_at(self.settings.seed, *place) >> 1  # seeds of deals have 63 bits


class _Thinking:
    """One thought on its way."""

    def __init__(
        self, thinker: Thinker, view: SeatView, proposals: tuple[Proposal, ...], imagined: Imagined
    ) -> None:
        self.ahead, self.settings, self.bench = thinker.ahead, thinker.settings, thinker.bench
        self.view, self.proposals, self.imagined = view, proposals, imagined
        self.sign = 1 if view.seat % 2 == 0 else -1  # points are North-South's
        self.live = list(range(len(proposals)))
        self.race = Race.begun(len(proposals), self.settings.doubled, self.settings.margin)
        self.valued: dict[int, Valued] = {}
        self.contracts: Contracts = np.zeros((len(proposals), 0, 3), dtype=np.uint8)
        self.kept = np.zeros(0, dtype=np.intp)  # deals that were scored
        self.budget = Budget.begun(self.bench, self.settings)

    def thought(self) -> Thought:
        """What the comparison comes to."""
        for begin, end in portions(len(self.imagined.bits)):
            self._look_at(np.arange(begin, end))
            out = self.race.out_of_race()
            self._drop([place for place, is_out in enumerate(out) if is_out])
            if len(self.live) == 1 or (len(self.live) == 2 and self.race.is_won(1)) or self.budget.is_spent():
                break
        self._value(range(len(self.live)))
        return self._concluded(self.race.winner(self.settings.noise))

    def _look_at(self, rows: NDArray[np.intp]) -> None:
        """Bid on and score all calls that are still in the race on some deals."""
        deals = self.imagined.bits[rows]
        calls = np.array([self.proposals[i].call for i in self.live], dtype=np.uint8)
        many = np.tile(deals, (len(calls), 1))
        ends = self.ahead.ends(self.view, many, np.repeat(calls, len(deals)))
        ends = ends.reshape(len(calls), len(deals), 3)
        vulnerable = int(self.view.vulnerable)
        plain, perfect, is_known = self.bench.scores(deals, vulnerable, ends, self.budget.left())
        self.race.add(self.sign * plain[:, is_known], self.sign * perfect[:, is_known])
        self.contracts = np.hstack([self.contracts, ends[:, is_known]])
        self.kept = np.concatenate([self.kept, rows[is_known]])

    def _drop(self, places: list[int]) -> None:
        """Leave calls out of the race; what they were worth so far is kept."""
        if places:
            self._value(places)
            rest = [place for place in range(len(self.live)) if place not in places]
            self.live = [self.live[place] for place in rest]
            self.contracts = self.contracts[rest]
            self.race.keep(rest)

    def _value(self, places: list[int] | range) -> None:
        field = self.race.field()
        best = field.max(axis=0, initial=-np.inf)
        for place in places:
            number = self.live[place]
            mean, error = mean_and_error(field[place])
            wins = float((field[place] == best).mean()) if self.race.deals else 0.0
            proposal = self.proposals[number]
            over = float(self.race.against(place, 0).mean()) if self.race.deals else 0.0
            self.valued[number] = Valued(proposal.call, mean, error, wins, proposal.note, over)

    def _concluded(self, winner: int) -> Thought:
        rival = self._rival(winner)
        lead, error = mean_and_error(self.race.against(winner, rival)) if rival is not None else (0.0, 0.0)
        return Thought(
            self.proposals[self.live[winner]].call,
            self.proposals[0].call,
            float(self.race.against(winner, 0).mean()) if winner else 0.0,
            tuple(self.valued[number] for number in sorted(self.valued)),
            self.imagined,
            self.race.deals,
            None if rival is None else self.proposals[self.live[rival]].call,
            lead,
            error,
            self._examples(winner, rival, 1),
            self._examples(winner, rival, -1),
        )

    def _rival(self, winner: int) -> int | None:
        """The own choice if it was overruled, else the best of the rest; None where no other is left."""
        if winner or len(self.live) == 1 or not self.race.deals:
            return 0 if winner else None
        return max(range(1, len(self.live)), key=lambda place: float(self.race.against(place, 0).mean()))

    def _examples(self, winner: int, rival: int | None, sign: int) -> tuple[Example, ...]:
        """Deals on which the winner does better than its rival, the best first, or worse."""
        if rival is None:
            return ()
        won = sign * self.race.against(winner, rival)
        best = np.argsort(-won, kind="stable")[:_EXAMPLES]
        return tuple(
            Example(self.imagined.bits[self.kept[at]], self.contracts[[winner, rival], at])
            for at in best.tolist()
            if won[at] > 0
        )


# --- by name -----------------------------------------------------------------------------------------------

_SAMPLINGS = ("hard", "soft")
_TRICKS = ("guessed", "solved")
_AHEADS = ("rules", "open", "resampled")


def thinker(asked: Asked) -> Thinker:
    """The thinker of a text; what is no parameter of its own belongs to the bidder that it thinks with."""
    rest = {key: text for key, text in asked.parameters.items() if key not in THINKER.parameters}
    return Thinker(_mind(asked, rest), asked.text, _settings(asked))


def _settings(asked: Asked) -> Settings:
    usual = Settings()
    return Settings(
        samples=asked.whole("samples", usual.samples, 1),
        pool=asked.whole("pool", usual.pool, 1),
        most=asked.whole("most", usual.most, 2),
        ahead=asked.one_of("ahead", _AHEADS),
        tricks=asked.one_of("tricks", _TRICKS),
        margin=asked.share("margin", usual.margin, 24.0),
        noise=asked.share("noise", usual.noise, 10.0),
        doubled=asked.share("doubled", usual.doubled, 1.0),
        nodes=asked.whole("nodes", 0, 1) if "nodes" in asked.parameters else None,
        seconds=asked.number("seconds", 1.0) if "seconds" in asked.parameters else None,
        seed=asked.seed,
    )


def _mind(asked: Asked, rest: dict[str, str]) -> Mind:
    assert asked.argument is not None
    inner = _thinks_with(asked, rest)
    if isinstance(inner, Expert):
        return RuleMind(inner, asked.one_of("sampling", _SAMPLINGS), asked.share("near", NEAR, 10.0))
    if isinstance(inner, NetworkBidder):
        return NetworkMind(inner, asked.share("likely", LIKELY, 1.0))
    raise BidlabError(f"{quoted(asked.text)}: a thinker thinks with a written system or a network")


def _thinks_with(asked: Asked, rest: dict[str, str]) -> Bidder:
    """The bidder that a thinker thinks with: a network, or else a written system by its name or file."""
    argument = asked.argument or ""
    kind, colon, name = argument.partition(":")
    if kind == NETWORK.name or argument.endswith(NETWORK.bare_suffix):
        named = (name if colon else "experts") if kind == NETWORK.name else argument
        return NETWORK.bidder(Asked(asked.text, NETWORK.name, named, rest, asked.default_seed))
    named = name if colon and kind == EXPERT.name else argument
    return EXPERT.bidder(Asked(asked.text, EXPERT.name, named, rest, asked.default_seed))
