"""Tournaments of WEBB's systems, slow and obvious: one board after the other, in plain numbers.

Written from docs/evolution.md and Woolever 2001, chapter 4. Auctions are the plain twin's, scores those of
`bridge`; the native code shares nothing but the operators, which have tests of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd

import numpy as np
from tests.systems.webb import twin

from bidlab._native import webb_offspring
from bidlab.bridge.boards import dealer_of, vulnerability_of
from bidlab.bridge.comparison import imps
from bidlab.bridge.contracts import Result
from bidlab.systems.webb import Population, Rules

WORD = (1 << 64) - 1


class SplitMix:
    def __init__(self, state: int) -> None:
        self.state = state

    def next(self) -> int:
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & WORD
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & WORD
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & WORD
        return z ^ z >> 31


class Generator:
    """xoshiro256++, filled from a seed and a number."""

    def __init__(self, seed: int, number: int) -> None:
        by_seed = SplitMix(seed)
        by_number = SplitMix(by_seed.next() ^ number)
        self.state = [by_number.next() ^ by_seed.next() for _ in range(4)]

    def next(self) -> int:
        def turned(word: int, places: int) -> int:
            return (word << places | word >> 64 - places) & WORD

        s = self.state
        result = (turned((s[0] + s[3]) & WORD, 23) + s[0]) & WORD
        shifted = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = turned(s[3], 45)
        return result

    def below(self, bound: int, bits: int = 32) -> int:
        while True:
            product = (self.next() >> 64 - bits) * bound
            if product % (1 << bits) >= (1 << bits) % bound:
                return product >> bits


@dataclass
class Member:
    words: np.ndarray
    transitions: np.ndarray
    fitness: Fraction = Fraction(0)  # IMPs
    pushes: int = 0
    age: int = 0


@dataclass
class Tournament:
    members: list[Member]
    inheritance: int
    hands: np.ndarray  # [deal, seat]
    tables: np.ndarray
    rules: Rules
    seed: int
    migrants: list[Member] = field(default_factory=list)
    migration: float = 0.0
    turn: int = 0
    replaced: int = 0
    falling: int = -1  # the place of the member that is being replaced

    @classmethod
    def of(cls, population: Population, *rest: object, **more: object) -> Tournament:
        members = [Member(*pair) for pair in zip(population.words, population.transitions, strict=True)]
        return cls(members, population.inheritance, *rest, **more)  # type: ignore[arg-type]

    def seeds(self) -> tuple[int, int, int]:
        """Of the order of the deals, of the choices of a replacement, of the child."""
        stirred = SplitMix(self.seed)
        return stirred.next(), stirred.next(), stirred.next()

    def board(self, number: int) -> tuple[int, int]:
        """Deal, from 0, and number of the board, from 1."""
        count = len(self.hands)
        turn, place = divmod(number, count)
        random = Generator(self.seeds()[0], turn)
        factor = 1 + random.below(count, 64)
        while gcd(factor, count) != 1:
            factor = 1 + random.below(count, 64)
        deal = (place * factor + random.below(count, 64)) % count
        return deal, deal + turn + 1

    def pairs(self) -> list[tuple[int, int]]:
        """The members who meet in this turn, by the circle method."""
        seats = list(range(len(self.members)))
        if len(seats) % 2:
            seats.append(-1)
        fixed, circle = seats[-1], seats[:-1]
        at = self.turn % len(circle)
        met = [(fixed, circle[at])]
        met += [
            (circle[(at + i) % len(circle)], circle[(at - i) % len(circle)])
            for i in range(1, len(seats) // 2)
        ]
        return [pair for pair in met if -1 not in pair]

    def score(self, north_south: Member, east_west: Member, deal: int, number: int) -> int:
        """North-South's points for a board."""
        sides = [
            twin.System(one.words.tolist(), one.transitions.tolist(), self.inheritance)
            for one in (north_south, east_west)
        ]
        table = twin.started(sides[0], sides[1], int(dealer_of(number)))
        while not table.auction.is_ended:
            table.make(table.choose(int(self.hands[deal, int(table.auction.turn)])))
        contract = table.auction.contract
        assert contract is not None
        if contract.strain is None:
            return 0
        tricks = int(self.tables[deal, contract.strain, contract.declarer])
        return Result(contract, tricks, vulnerability_of(number)).score

    def play(self, turns: int) -> None:
        for _ in range(turns):
            self.play_turn()

    def play_turn(self) -> None:
        met = self.pairs()
        penalties = Fraction(0)
        for i, pair in enumerate(met):
            one, other = (self.members[place] for place in pair)
            board = self.board(self.turn * len(met) + i)
            won = imps(self.score(one, other, *board) - self.score(other, one, *board))
            one.fitness += won
            other.fitness -= won
            for member in (one, other):
                member.age += 1
                if won:
                    member.pushes = 0
                else:
                    penalty = Fraction(self.rules.push_penalty * member.pushes, 256)
                    member.fitness -= penalty
                    penalties += penalty
                    member.pushes += 1
        for member in self.members:
            member.fitness += penalties / len(self.members)
        for place, member in enumerate(self.members):
            if member.fitness < self.rules.threshold:
                self.replace(place)
        self.turn += 1
        count = len(self.members)
        if self.turn % (count - 1 + count % 2) == 0:
            self.members.sort(key=lambda member: -member.fitness)

    def replace(self, place: int) -> None:
        count = len(self.members)
        # Whole units of 1/(256 N) IMPs are spread evenly; what is left starts the newcomer.
        share, rest = divmod(int(self.members[place].fitness * 256 * count), count)
        newcomer = self.newcomer(place)
        newcomer.fitness = Fraction(rest, 256 * count)
        self.members[place] = newcomer
        for member in self.members:
            member.fitness += Fraction(share, 256 * count)
        self.replaced += 1

    def newcomer(self, place: int) -> Member:
        _, choice_seed, child_seed = self.seeds()
        self.falling = place
        number = self.turn * len(self.members) + place
        random = Generator(choice_seed, number)
        if random.next() >> 32 < round(self.migration * 2**32) and self.migrants:
            migrant = self.migrants[random.below(len(self.migrants))]
            return Member(migrant.words, migrant.transitions)
        drawn = random.below(sum(self.rules.weights))
        by_weight = [how for how, weight in enumerate(self.rules.weights) for _ in range(weight)]
        parent = self.parent(random, {place})
        other = self.parent(random, {place, parent})
        one, two = self.members[parent], self.members[other]
        child = webb_offspring(
            by_weight[drawn],
            one.words,
            one.transitions,
            two.words,
            two.transitions,
            child_seed,
            number,
            self.rules.low,
            self.rules.medium,
        )
        return Member(*child)

    def parent(self, random: Generator, barred: set[int]) -> int:
        """The fittest of those drawn from all who are not barred; of two members always the other."""
        places = range(len(self.members))
        allowed = [place for place in places if place not in barred] or [max(barred - {self.falling})]
        drawn = [allowed[random.below(len(allowed))] for _ in range(self.rules.contest)]
        return max(drawn, key=lambda place: self.members[place].fitness)
