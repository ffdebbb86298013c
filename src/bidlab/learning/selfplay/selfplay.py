"""Self-play: the network bids against itself and against earlier versions, and is held near the imitation.

All four seats learn. The reward is what an auction came to, in IMPs between its score and par (or, with
`replays`, the scores of other tables that had the same deal), from the caller's side; a share of it is scored
as perfect defenders would have it, with failing contracts doubled, since plain double-dummy scores teach no
fear of going down. Proximal policy optimisation, with a cost on the
divergence from the imitation: without it a network drifts into a private language, and a weaker one.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from bidlab.learning.selfplay.deals import Dealer, Deals, Growing, Pool, read_records
from bidlab.learning.selfplay.game import Outcome
from bidlab.learning.selfplay.imitate import agreement, read_auctions
from bidlab.learning.selfplay.net import (
    BiddingNet,
    Critic,
    Shape,
    compute_type,
    load_weights,
    log_policy,
    playing_copy,
    save_weights,
)
from bidlab.learning.selfplay.playing import Decisions, Rival, critic_inputs, critic_tables, play
from bidlab.learning.selfplay.runs import Budget, Run, synchronize, versions
from bidlab.learning.selfplay.scoring import cross_imps, imps
from bidlab.learning.selfplay.steps import FIGURES, Columns, Learner


@dataclass(frozen=True)
class SelfPlaySettings:
    """What self-play is made with. Shares of the run are of its budget, 0 to 1."""

    seed: int = 1
    tables: int = 65536
    batch: int = 16384
    passes: int = 2
    clip: float = 0.2
    rate: float = 1e-4  # falling, in a straight line
    rate_end: float = 0.0  # the share of it that is left at the end
    critic_rate: float = 5e-4  # the same for a critic of its own, which starts from nothing
    entropy: float = 0.002
    anchor: float = 0.03  # cost of a nat of divergence from the imitation
    anchor_end: float = -1.0  # what that comes to at the end; below 0: it stays
    value_weight: float = 0.5
    warm_up: float = 0.08  # share of the run in which the value alone learns
    rivals: float = 0.25  # share of the tables at which an earlier version sits
    league: int = 8  # earlier versions kept, the imitation among them
    league_every: float = 0.1  # share of the run after which a version joins the league
    perfect: float = 0.25  # share of the reward scored with failing contracts doubled
    replays: int = 1  # tables that get the same deal and are scored against each other; 1: against par
    scale: float = 8.0  # IMPs that make a reward of 1
    average: float = 0.99  # of the averaged weights kept in a round; 0: no averaging
    critic: str = "own"  # what the value sees: the player's "own" view, or the whole "table"
    width: int = 1024  # of a network from nothing, and of the critic
    depth: int = 4
    residual: bool = False
    validate_every: float = 0.05  # share of the run
    validation_boards: int = 10_000
    graph: bool = True  # on a GPU: record a step of learning once and replay it
    ahead: bool = False  # play the next round while this one is learned from, with the weights of before it

    def __post_init__(self) -> None:
        if self.critic not in ("own", "table"):
            raise ValueError(f"critic {self.critic!r}: own or table is wanted")
        if self.replays < 1 or self.tables % self.replays:
            raise ValueError(f"replays {self.replays}: a divisor of the {self.tables} tables is wanted")
        if self.ahead and self.critic == "table":
            raise ValueError(
                "ahead with critic table: the critic would learn while it is asked; critic=own is wanted"
            )


@dataclass(frozen=True)
class Sources:
    """The files that self-play reads."""

    deals: tuple[Path, ...]
    validation: Path
    start: Path | None = None  # weights to start from; without them from nothing
    anchor: Path | None = None  # weights of the imitation to stay near; those of the start by default
    growing: Path | None = None  # records that a solver is still writing
    auctions: Path | None = None  # recorded auctions, to measure agreement with


def self_play(sources: Sources, run_folder: Path, budget: Budget, settings: SelfPlaySettings,
              device: torch.device, *, quiet: bool = False) -> BiddingNet:  # fmt: skip
    """The network that validation found best; the folder has it as weights.npz."""
    named = {
        "deals": [str(path) for path in sources.deals],
        "start": str(sources.start),
        "anchor_file": str(sources.anchor or sources.start),
    }
    config = {"command": "selfplay", **named, **asdict(settings), **asdict(budget)}
    run = Run(run_folder, {**config, "versions": versions(device)}, quiet=quiet)
    training = _SelfPlay(run, budget, settings, sources, device)
    training.train()
    best = load_weights(run_folder / "weights.npz", device)
    if sources.auctions is not None:
        _say_agreement(
            run, sources.auctions, {"before": training.anchor, "after": playing_copy(best)}, device
        )
    return best


def _say_agreement(run: Run, auctions: Path, nets: dict[str, BiddingNet], device: torch.device) -> None:
    _, apart, _ = read_auctions(auctions, 0.02, device)
    found = {when: agreement(net, apart) for when, net in nets.items()}
    (run.folder / "agreement.json").write_text(json.dumps(found, indent=1) + "\n")
    for when, figures in found.items():
        run.say(f"agreement {when} self-play: " + "  ".join(f"{key} {figures[key]:.4f}" for key in figures))


# --- validation -------------------------------------------------------------------------------------------


def distances(deals: Deals, outcome: Outcome) -> dict[str, float]:
    """Mean distance from par, in IMPs: plain, and with failing contracts doubled."""
    plain, perfect = (outcome.against_par(deals, perfect=value).abs().float() for value in (False, True))
    return {"distance": float(plain.mean()), "distance_perfect": float(perfect.mean())}


def duel(deals: Deals, net: BiddingNet, other: BiddingNet) -> dict[str, float]:
    """IMPs a board by which a network beats another over two tables, plain (with its error) and perfect."""
    outcomes = []
    for others_side in (1, 0):
        side = torch.full((len(deals),), others_side, device=deals.hands.device)
        outcomes.append(play(deals, net, rival=Rival(other, side))[0])
    found = {}
    for name, perfect in (("duel", False), ("duel_perfect", True)):
        first, second = (outcome.points(deals, perfect=perfect) for outcome in outcomes)
        won = imps(first - second).float()
        found[name] = float(won.mean())
        if not perfect:
            found["duel_error"] = float(won.std() / len(deals) ** 0.5)
    return found


# --- training ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Round:
    """A round's decisions with all that learning needs of them."""

    decisions: Decisions
    seen: Tensor | None  # what the critic sees
    reward: Tensor
    advantage: Tensor
    anchored: Tensor  # the imitation's log-probabilities

    def columns(self) -> Columns:
        """What a step of learning takes rows of."""
        made = self.decisions
        own = (made.observed, made.legal, made.call, made.log_chance)
        columns = (*own, self.advantage, self.reward, self.anchored)
        return columns if self.seen is None else (*columns, self.seen)


class _SelfPlay:
    """One training, with what its rounds share."""

    def __init__(self, run: Run, budget: Budget, settings: SelfPlaySettings, sources: Sources,
                 device: torch.device) -> None:  # fmt: skip
        self.run, self.budget, self.settings, self.device = run, budget, settings, device
        torch.manual_seed(settings.seed)
        self.generator = torch.Generator(device).manual_seed(settings.seed)
        shape = Shape(settings.width, settings.depth, settings.residual)
        anchor = sources.anchor or sources.start
        self.anchored = anchor is not None
        self.net = load_weights(sources.start, device) if sources.start else BiddingNet(shape).to(device)
        self.anchor = playing_copy(load_weights(anchor, device) if anchor else self.net)
        self.averaged = copy.deepcopy(self.net).requires_grad_(False)
        self.critic = Critic(shape).to(device) if settings.critic == "table" else None
        rates = (settings.rate, settings.critic_rate)
        self.learner = Learner(self.net, self.critic, rates, settings.batch, records=settings.graph)
        self.league = [self.anchor]
        self.growing = Growing(sources.growing) if sources.growing else None
        self.pool = self._pool(sources.deals)
        self.dealer = Dealer(self.pool, settings.tables // settings.replays, self.generator)
        validation = Pool(device)
        validation.add(read_records(sources.validation))
        self.validation = validation.in_order(settings.validation_boards)
        self.round, self.decisions, self.best = 0, 0, float("-inf")
        self.validated = self.joined = 0.0  # shares of the budget used up when that was done last
        self.timing = _Timing()
        self.ahead = _Ahead(self._played, device)

    def _pool(self, paths: tuple[Path, ...]) -> Pool:
        pool = Pool(self.device)
        for path in paths:
            pool.add(read_records(path))
        return pool

    def train(self) -> None:
        """Rounds of playing and learning until the budget is used up."""
        self._resume()
        self._take_in_solved()
        self.run.say(f"{len(self.pool):,} solved deals, {len(self.validation):,} boards kept apart")
        if not self.round:
            self._validate({})
            self.validated = self.joined = self._used()
        while self._share() < 1:
            self.timing.add(*self._one_round())
            self.round += 1
            share = self._used()
            if share - self.joined >= self.settings.league_every and share < 1:
                self.joined = share
                self._join_league()
            if share - self.validated >= self.settings.validate_every or share >= 1:
                self.validated = share
                self._validate(self.timing.figures())
                self.timing = _Timing()
        self.ahead.drop()
        self._save()

    def _join_league(self) -> None:
        """Let the network as it is now be a rival; the imitation stays, the oldest of the others may go."""
        self.league.append(playing_copy(self.averaged))
        if len(self.league) > self.settings.league:
            del self.league[1]

    def _share(self) -> float:
        return self.budget.share(self.round, self.run.elapsed)

    def _used(self) -> float:
        return self.budget.used(self.round, self.run.elapsed)

    def _modules(self) -> dict[str, nn.Module]:
        named: dict[str, nn.Module] = {"net": self.net, "averaged": self.averaged}
        named |= {f"rival {number}": net for number, net in enumerate(self.league[1:], 1)}
        return named if self.critic is None else {**named, "critic": self.critic}

    def _resume(self) -> None:
        if not self.run.resumes:
            return
        rivals = int(self.run.facts().get("league", 1)) - 1
        self.league += [playing_copy(self.averaged) for _ in range(rivals)]
        facts: dict[str, Any] = self.run.restore(
            self._modules(), {"adam": self.learner.optimizer}, self.generator
        )
        self.round, self.decisions, self.best = facts["round"], facts["decisions"], facts["best"]
        self.validated, self.joined = facts["validated"], facts["joined"]
        self.dealer.recall(*facts["dealt"])
        self.timing.recall(facts["losses"], self.device)

    def _save(self) -> None:
        self.run.save(
            self._modules(), {"adam": self.learner.optimizer}, self.generator, round=self.round,
            decisions=self.decisions, best=self.best, league=len(self.league), validated=self.validated,
            joined=self.joined, dealt=self.dealer.memory(), losses=self.timing.memory(),
        )  # fmt: skip

    def _take_in_solved(self) -> None:
        if self.growing is not None:
            fresh = self.growing.new_records()
            if len(fresh):
                self.pool.add(fresh)

    # --- one round ------------------------------------------------------------------------------------

    def _one_round(self) -> tuple[int, float, float, Tensor]:
        """Decisions, seconds of playing and of learning, and the means of the losses."""
        start = time.monotonic()
        played = self.ahead.round() or self._played(playing_copy(self.net), self.league)
        synchronize(self.device)
        between = time.monotonic()
        if self.settings.ahead and self.learner.is_ready and self._share() < 1:
            self.ahead.begin(playing_copy(self.net), list(self.league))
        losses = self._learned(played)
        self._average()
        synchronize(self.device)
        self.decisions += len(played.decisions)
        return len(played.decisions), between - start, time.monotonic() - between, losses

    @torch.no_grad()
    def _played(self, player: BiddingNet, league: list[BiddingNet]) -> _Round:
        self._take_in_solved()
        deals = self.dealer.deal().repeated(self.settings.replays)
        outcome, decisions = play(deals, player, self.generator, self._rival(len(deals), league), keep=True)
        assert decisions is not None
        mixed = sum(
            share * self._won(deals, outcome, perfect=perfect)
            for perfect, share in ((False, 1 - self.settings.perfect), (True, self.settings.perfect))
        )
        signs = 1 - 2 * (decisions.place % 2)
        reward = mixed[decisions.table] / self.settings.scale * signs  # type: ignore[index]
        seen, value = None, decisions.value
        if self.critic is not None:
            facts = critic_tables(deals, compute_type(self.device))
            seen = critic_inputs(deals, decisions, decisions.observed, facts)
            value = torch.cat([self.critic(part) for part in seen.split(65536)])
        advantage = reward - value
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        return _Round(decisions, seen, reward, advantage, self._anchor_logs(decisions))

    def _won(self, deals: Deals, outcome: Outcome, *, perfect: bool) -> Tensor:
        """IMPs of each table, from its dealer's side."""
        if self.settings.replays == 1:
            return outcome.against_par(deals, perfect=perfect).float()
        points = outcome.points(deals, perfect=perfect)
        return cross_imps(points.view(self.settings.replays, -1)).flatten()

    def _rival(self, tables: int, league: list[BiddingNet]) -> Rival | None:
        """One of the league for a side of some of the tables, drawn anew each round."""
        if self.settings.rivals <= 0:
            return None
        which = int(torch.randint(len(league), (1,), generator=self.generator, device=self.device))
        side = torch.randint(2, (tables,), generator=self.generator, device=self.device)
        count = round(tables * self.settings.rivals)
        side[count:] = -1
        return Rival(league[which], side)

    def _anchor_logs(self, decisions: Decisions) -> Tensor:
        parts = zip(decisions.observed.split(65536), decisions.legal.split(65536))
        return torch.cat([log_policy(self.anchor(observed)[0], legal) for observed, legal in parts])

    def _learned(self, played: _Round) -> Tensor:
        """Some passes over a round's decisions; the means of the losses."""
        settings, share = self.settings, self._share()
        rate = 1 - (1 - settings.rate_end) * share
        self.learner.begin(rate, self._weights(share, share < settings.warm_up))
        columns = played.columns()
        count, found = len(played.decisions), []
        batch = min(settings.batch, count)
        # Of its own, since the next round may be drawing from the run's generator meanwhile.
        shuffle = torch.Generator(self.device).manual_seed(settings.seed * 1_000_003 + self.round)
        for _ in range(settings.passes):
            order = torch.randperm(count, generator=shuffle, device=self.device)
            starts = range(0, count - batch + 1, batch)
            found += [self.learner.learn(columns, order[start : start + batch]) for start in starts]
        return torch.stack(found).mean(dim=0)

    def _weights(self, share: float, warm: bool) -> tuple[float, float, float, float, float]:
        """Weights of policy, value, entropy and anchor, and the clip.

        While the value warms up it shares its layers with the policy, which is held fast by the anchor.
        """
        settings = self.settings
        if warm:
            return 0.0, settings.value_weight, 0.0, 1.0 if self.anchored else 0.0, settings.clip
        anchor = settings.anchor
        if settings.anchor_end >= 0:
            anchor += (settings.anchor_end - anchor) * share
        return 1.0, settings.value_weight, settings.entropy, anchor if self.anchored else 0.0, settings.clip

    @torch.no_grad()
    def _average(self) -> None:
        averaged: list[Tensor] = list(self.averaged.parameters())
        torch._foreach_lerp_(averaged, list(self.net.parameters()), 1 - self.settings.average)

    # --- validation -----------------------------------------------------------------------------------

    def _validate(self, figures: dict[str, float]) -> None:
        """Measure the averaged network on the boards kept apart, and keep it if it is the best so far."""
        player = playing_copy(self.averaged)
        outcome, _ = play(self.validation, player)
        found = {**distances(self.validation, outcome), **duel(self.validation, player, self.anchor)}
        names = (*FIGURES, "playing", "decisions_a_second")
        self.run.note(
            round=self.round, decisions=self.decisions, deals=len(self.pool), **found,
            **{name: figures.get(name, 0.0) for name in names},
        )  # fmt: skip
        facts = {"stage": "self-play", "round": self.round, "decisions": self.decisions, **found}
        save_weights(self.averaged, self.run.folder / "last.npz", **facts)
        score = self._score(found)
        if score > self.best:
            self.best = score
            save_weights(self.averaged, self.run.folder / "weights.npz", **facts)

    def _score(self, found: dict[str, float]) -> float:
        """IMPs won from the imitation less the distance from par, plain and perfect as in the reward."""
        share = self.settings.perfect
        plain = found["duel"] - found["distance"]
        return (1 - share) * plain + share * (found["duel_perfect"] - found["distance_perfect"])


class _Ahead:
    """Plays a round on a thread of its own, and on a GPU on a stream of its own.

    Auctions keep the processor busy and a GPU mostly idle, learning the other way round. What is played
    depends on what was given when it began alone, so that a run repeats itself; but a run that is
    interrupted plays its next round anew, and ends otherwise than it would have.
    """

    def __init__(
        self, played: Callable[[BiddingNet, list[BiddingNet]], _Round], device: torch.device
    ) -> None:
        self._played = played
        self._stream = torch.cuda.Stream(device) if device.type == "cuda" else None
        self._thread = ThreadPoolExecutor(1)
        self._going: Future[_Round] | None = None

    def begin(self, player: BiddingNet, league: list[BiddingNet]) -> None:
        """Begin a round."""
        ready = torch.cuda.current_stream().record_event() if self._stream is not None else None
        self._going = self._thread.submit(self._beside, player, league, ready)

    def round(self) -> _Round | None:
        """The round that was begun, once it is played; None where none was."""
        going, self._going = self._going, None
        return going.result() if going is not None else None

    def drop(self) -> None:
        """Wait for a round that is not wanted any more."""
        self.round()
        self._thread.shutdown()

    def _beside(self, player: BiddingNet, league: list[BiddingNet], ready: torch.cuda.Event | None) -> _Round:
        if self._stream is None:
            return self._played(player, league)
        with torch.cuda.stream(self._stream):
            assert ready is not None
            self._stream.wait_event(ready)
            played = self._played(player, league)
            self._stream.synchronize()
        return played


class _Timing:
    """Sums over the rounds between two validations."""

    def __init__(self) -> None:
        self._decisions, self._playing, self._learning = 0, 0.0, 0.0
        self._losses: list[Tensor] = []

    def add(self, decisions: int, playing: float, learning: float, losses: Tensor) -> None:
        self._decisions += decisions
        self._playing += playing
        self._learning += learning
        self._losses.append(losses)

    def memory(self) -> list[list[float]]:
        """The losses so far, to be given to `recall`; what the clock said is not worth keeping."""
        return [losses.tolist() for losses in self._losses]

    def recall(self, losses: list[list[float]], device: torch.device) -> None:
        """Take the losses of before an interruption."""
        self._losses = [torch.tensor(one, device=device) for one in losses]

    def figures(self) -> dict[str, float]:
        """Means of the losses, the share of the time that was playing, decisions a second."""
        means = torch.stack(self._losses).mean(dim=0).tolist()
        seconds = max(self._playing + self._learning, 1e-9)
        return {
            **dict(zip(FIGURES, means)),
            "playing": self._playing / seconds,
            "decisions_a_second": self._decisions / seconds,
        }
