"""The book of a system that evolved: the position of the player to call, for any auction, as plain rules.

A position depends on the calls and on what they showed. Calls of one's own side are read by one's own
program; those of the other side as they were disclosed, else by the same program. What was disclosed becomes
a box, the least and most of strength and lengths: programs can ask for no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidlab._native import webb_decide, webb_position
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import SUITS
from bidlab.bridge.errors import FormatError
from bidlab.meaning.features import CONTROLS, LOSERS, POINTS, WEBB, length
from bidlab.meaning.meaning import Meaning
from bidlab.systems.position import Position
from bidlab.systems.rules import Effects, Programmed, Rule
from bidlab.systems.webb.hands import DOMAINS, Bounds
from bidlab.systems.webb.population import Population
from bidlab.systems.webb.reading import PlainRule, bounds_of, is_artificial, plain_rules
from bidlab.systems.webb.system import WebbSystem

Box = tuple[
    tuple[int, int], ...
]  # least and most: strength in steps, clubs .. spades, points, controls, losers
ANY_HAND: Box = tuple(DOMAINS[feature] for feature in range(8))
_TOLD = (*(length(suit) for suit in SUITS), POINTS, CONTROLS, LOSERS)
_MOST_KEPT = 100_000


@dataclass(frozen=True, slots=True)
class WebbMeaning(Meaning):
    """What a call means by a program, and the box of its maker after it, which other programs look at."""

    box: Box = ANY_HAND


def told_box(meaning: Meaning) -> Box:
    """The box of a meaning: the least and most that its hands have."""
    if isinstance(meaning, WebbMeaning):
        return meaning.box
    ranges = meaning.ranges()
    if not ranges:  # no hand has it: nothing to go by
        return ANY_HAND
    least, most = ranges[WEBB]
    return (_steps(least), _steps(most)), *(ranges[feature] for feature in _TOLD)


def _steps(thousandths: int) -> int:
    return (16 * thousandths + 625) // 1250


def webb_rules(rules: Sequence[PlainRule], own: Bounds, name: str, state: int) -> Position:
    """The position of plain rules, for hands within a box."""
    source, artificial = Programmed(name, state), Effects(artificial=True)
    found = [
        Rule(
            CALLS[rule.call],
            rule.condition(),
            artificial if is_artificial(rules, rule.call, own) else Effects(),
            source,
        )
        for rule in rules
    ]
    return Position(tuple(found))


class WebbBook:
    """Positions of one system."""

    def __init__(self, system: WebbSystem, name: str) -> None:
        self.system = system
        self.name = name
        self.population = Population.of([system])
        self.fingerprint = f"{name}-{sha256(system.to_json().encode()).hexdigest()[:16]}"
        self._boxes: list[Box] = []
        self._numbers: dict[Box, int] = {}
        self._objects: dict[int, tuple[Meaning, int]] = {}  # by id, held so that no other gets it
        self._meanings: dict[tuple[int, bytes, bytes, int], WebbMeaning] = {}

    # Positions.

    def position(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> Position:
        """The rules of the player to call, for hands that make his calls so far."""
        calls, said = self._rows(auction, disclosed)
        rules, own, state = self._read(_sides(auction), calls, said, any_hand=False)
        return webb_rules(rules, bounds_of(own), self.name, state)

    def any_position(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> Position:
        """The rules of the player to call, for any hand."""
        calls, said = self._rows(auction, disclosed)
        rules, own, state = self._read(_sides(auction), calls, said, any_hand=True)
        return webb_rules(rules, bounds_of(own), self.name, state)

    def read(self, sides: int, calls: Sequence[int]) -> tuple[tuple[PlainRule, ...], Box, int]:
        """The plain rules at one auction for hands that made their calls, their box, and the state."""
        row = np.array([calls], dtype=np.uint8).reshape(1, len(calls))
        return self._read(sides, row, np.full(row.shape, -1, dtype=np.int32), any_hand=False)

    def _read(
        self, sides: int, calls: NDArray[np.uint8], said: NDArray[np.int32], *, any_hand: bool
    ) -> tuple[tuple[PlainRule, ...], Box, int]:
        """The plain rules at one auction, the box of their hands, and the state of the side."""
        vulnerable = np.array([sides], dtype=np.uint8)
        steps, known, state = webb_position(
            self.population.native, 0, vulnerable, calls, said, self._told, any_hand
        )
        own = ANY_HAND if any_hand else tuple(map(tuple, known[calls.shape[1] % 4].tolist()))
        return plain_rules(steps.tolist(), own), own, state

    def _rows(
        self, auction: Auction, disclosed: Sequence[Meaning | None]
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        calls = np.array([auction.calls], dtype=np.uint8).reshape(1, len(auction))
        said = np.full(calls.shape, -1, dtype=np.int32)
        for place, meaning in enumerate(disclosed):
            if meaning is not None and (len(auction) - place) % 2 == 1:
                said[0, place] = self.told_number(meaning)
        return calls, said

    # Batches.

    def told_number(self, meaning: Meaning) -> int:
        """The number of what the other side disclosed."""
        known = self._objects.get(id(meaning))
        if known is None:
            box = told_box(meaning)
            number = self._numbers.setdefault(box, len(self._boxes))
            if number == len(self._boxes):
                self._boxes.append(box)
            known = self._objects[id(meaning)] = (meaning, number)
        return known[1]

    @property
    def _told(self) -> NDArray[np.int16]:
        return np.array(self._boxes, dtype=np.int16).reshape(len(self._boxes), len(ANY_HAND), 2)

    def decide(
        self,
        sides: NDArray[np.uint8],
        calls: NDArray[np.uint8],
        said: NDArray[np.int32],
        hands: NDArray[np.uint64],
    ) -> tuple[NDArray[np.uint8], list[WebbMeaning]]:
        """The calls of hands after auctions in step, and what they mean.

        `sides` are who is vulnerable, bit 0 the dealer's side; `said` has numbers told, or -1.
        """
        calls, said = np.ascontiguousarray(calls), np.ascontiguousarray(said)
        made, boxes = webb_decide(
            self.population.native, 0, sides, calls, said, self._told, np.ascontiguousarray(hands)
        )
        if len(self._meanings) > _MOST_KEPT:
            self._meanings.clear()
        shown = [
            self._meaning(int(sides[i]), calls[i], said[i], int(call), boxes[i])
            for i, call in enumerate(made)
        ]
        return made, shown

    def _meaning(
        self,
        sides: int,
        calls: NDArray[np.uint8],
        said: NDArray[np.int32],
        call: int,
        box: NDArray[np.int16],
    ) -> WebbMeaning:
        key = (sides, calls.tobytes(), said.tobytes(), call)
        found = self._meanings.get(key)
        if found is None:
            row = calls.reshape(1, -1), said.reshape(1, -1)
            rules, own, state = self._read(sides, *row, any_hand=True)
            meaning = webb_rules(rules, bounds_of(own), self.name, state).meaning(CALLS[call])
            assert meaning is not None  # some hand made it
            after: Box = tuple((int(least), int(most)) for least, most in box.tolist())
            found = self._meanings[key] = WebbMeaning(meaning.condition, 0.0, after)
        return found

    def meaning(self, auction: Auction) -> Meaning | None:
        """What the last call of an auction says, both sides bidding this system; None: no hand makes it."""
        before = Auction(auction.dealer, auction.vulnerable, auction.calls[:-1])
        return self.any_position(before).meaning(Call(auction.calls[-1]))


def _sides(auction: Auction) -> int:
    """Who is vulnerable, bit 0 the dealer's side."""
    return int(sides_of(np.array([auction.dealer]), np.array([auction.vulnerable]))[0])


def sides_of(dealers: NDArray[Any], vulnerable: NDArray[Any]) -> NDArray[np.uint8]:
    """Who is vulnerable at some tables, bit 0 the dealer's side."""
    swapped = vulnerable >> 1 | (vulnerable & 1) << 1
    return np.where(dealers % 2 == 1, swapped, vulnerable).astype(np.uint8)


@lru_cache(maxsize=8)
def _shared(path: Path, written: tuple[int, int], name: str) -> WebbBook:
    return WebbBook(load_webb(path), name)


def shared_webb_book(path: Path) -> WebbBook:
    """The book of a file, one for all bidders of a process until the file is written anew."""
    try:
        written = path.stat()
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror}") from None
    return _shared(path.resolve(), (written.st_mtime_ns, written.st_size), path.name)


def load_webb(path: Path) -> WebbSystem:
    """The system of a file that evolution wrote."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FormatError(
            f"{path} is no text: a system's JSON, such as runs/a/best.json, is wanted"
        ) from None
    return WebbSystem.from_json(text, str(path))
