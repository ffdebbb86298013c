"""The book of a system: the position of the player to call, for any auction, made when it is first asked for.

Choosing runs natively (`native/bidding`): a position once made answers for any number of hands, and whole
auctions of a batch of boards run from position to position, returning here only with questions that the
system's text must answer. Which rules a part of the text gives depends on what it looked at in the state;
that is noted, so that the same question never comes twice.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bidlab._native import Book as _NativeBook
from bidlab._native import Condition as _NativeCondition
from bidlab._native import Pairing as _NativePairing
from bidlab.bridge.calls import CALLS, Auction, Call
from bidlab.bridge.cards import SUITS, Seat, Suit
from bidlab.meaning.conditions import ANYTHING, Condition, Range, all_of, any_of
from bidlab.meaning.features import FEATURES
from bidlab.meaning.meaning import Meaning
from bidlab.meaning.spreads import SPREADS
from bidlab.systems.judging import SECOND_THOUGHT, judged_source
from bidlab.systems.position import Position, SystemMeaning
from bidlab.systems.rules import OTHERWISE, Ask, Effects, Forcing, Rule, Written
from bidlab.systems.second_thoughts import (
    JUDGED_CALLS,
    JUDGED_PASSES,
    WRITTEN_CALLS,
    WRITTEN_PASSES,
    SecondThoughts,
    reviewer_weights,
)
from bidlab.systems.state import Memory, Shown, State

_MOST_NODES = 1_500_000  # about 0.85 kilobytes each; a set of hands counts as three
_PORTION = 20_000  # boards bid between two looks at the memory

_N = TypeVar("_N")
Nodes = NDArray[np.int32]
Bits = NDArray[np.uint64]

# What rules may look at, in the order of native/bidding/book.hpp.
FIELDS = (
    *(
        f"{who}.{what}.{number}"
        for who in ("me", "partner", "left", "right")
        for what, count in (("hcp", 2), ("least", 4), ("most", 4))
        for number in range(count)
    ),
    *"seat we_vulnerable they_vulnerable last_bid agreed asked transferred my_suit".split(),
    *"partner_suit our_suits".split(),
    *"their_suits unbid_suits their_suit".split(),
    *"is_game_forced is_forced is_invited is_signed_off is_artificial is_contested".split(),
    *"is_doubled is_overcalled we_opened they_opened i_passed partner_passed partner_has_bid".split(),
    *"i_have_bid is_below_game partner.mean.0".split(),
    *(f"partner.{what}.{number}" for what in ("worth", "likely") for number in range(4)),
)
_COUNTS = {"hcp": 2, "least": 4, "most": 4, "worth": 4, "likely": 4}  # numbers of a player
_OF_A_PLAYER = 10  # the first fields, of each of four players; the last are partner's expected ones
_EXPECTED = 9
_NUMBER = {name: number for number, name in enumerate(FIELDS)}


class CursorLike(Protocol):
    """Which sequences of a system have been followed so far."""

    @property
    def number(self) -> int:
        """Its number within the system."""

    def after(self, call: Call, rules: Sequence[Rule] = ()) -> CursorLike:
        """The cursor after a call that these rules make."""


class SystemLike(Protocol):
    """What a book needs of a system."""

    @property
    def fingerprint(self) -> str:
        """The name of its text and switches, different for different texts."""

    @property
    def second_thoughts(self) -> SecondThoughts | None:
        """The line by which its calls in competition are weighed against a pass; None: they are not."""

    @property
    def start(self) -> Any:
        """The cursor before the first call."""

    def parts(self, cursor: Any) -> Sequence[int]:
        """The numbers of the parts of its text that speak at a cursor."""

    def part_rules(self, part: int, state: Any, remembered: Memory) -> Sequence[tuple[int, Rule]]:
        """The written rules of a part, each after the number by which it is tried among all of them."""


@dataclass(frozen=True, slots=True)
class CallRead:
    """A call of an auction as the system reads it."""

    call: Call
    seat: Seat
    meaning: Meaning | None
    rules: tuple[Rule, ...]  # of the position, those that make the call
    state: State  # before the call


class Book:
    """Positions of one system."""

    def __init__(self, system: SystemLike, most_nodes: int = _MOST_NODES) -> None:
        self.system = system
        self._native = _NativeBook(most_nodes)
        self._cursors: dict[int, CursorLike] = {}
        self._written: list[Rule] = []  # every rule that came up, by its number
        self._numbers: dict[int, int] = {}  # by the id of a rule: systems make one object of each
        self._lists: dict[int, tuple[Rule, ...]] = {}
        self._kept: list[_NativeCondition] = []  # the native rules point to them
        self._asks: list[Ask] = []
        self._lines: dict[Hashable, _Memo] = {}
        self._said_objects: dict[int, tuple[Meaning, int]] = {}  # held, so that no other gets its id
        self._meanings: dict[tuple[int, Call], Meaning | None] = {}
        self._allowed: dict[tuple[int, Call], Meaning] = {}
        if system.second_thoughts is not None:
            weights = reviewer_weights(system.second_thoughts.weights)
            self._native.review(weights, WRITTEN_CALLS, JUDGED_CALLS, WRITTEN_PASSES, JUDGED_PASSES)
        if system.start.number != 0:
            raise ValueError("the first cursor has number 0")
        self._add_cursor(system.start)

    # Boards.

    def bid(
        self,
        bits: Bits,
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        begun: NDArray[np.uint8] | None = None,
        said: NDArray[np.int32] | None = None,
    ) -> NDArray[np.uint8]:
        """The auctions [board, call] of boards, this system at all four seats; 255 after the end.

        With `begun`, calls [board, call] that were made already, they go on from there; `said` as in `nodes`.
        """
        parts = []
        for begin in range(0, len(bits), _PORTION):
            cut = slice(begin, begin + _PORTION)
            self.trim()
            nodes: Nodes = np.full(len(bits[cut]), -1, dtype=np.int32)
            if begun is not None:
                told = None if said is None else said[cut]
                nodes = self.nodes(dealers[cut], vulnerable[cut], begun[cut], told)
            hands = np.ascontiguousarray(bits[cut])
            while self._native.bid(hands, dealers[cut], vulnerable[cut], nodes):
                self._answer()
            parts.append(self._native.calls_to(nodes))
        return _joined(parts)

    def bid_against(
        self,
        other: Book,
        bits: Bits,
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        is_first_north_south: NDArray[np.bool_],
    ) -> NDArray[np.uint8]:
        """The auctions [table, call] of tables where this system meets another, each told what calls mean."""
        if other.system.fingerprint == self.system.fingerprint:
            return self.bid(bits, dealers, vulnerable)
        parts = []
        for begin in range(0, len(bits), _PORTION):
            cut = slice(begin, begin + _PORTION)
            nodes = self.ends_against(
                other, bits[cut], dealers[cut], vulnerable[cut], is_first_north_south[cut]
            )
            parts.append(self.calls_to(nodes))
        return _joined(parts)

    def ends_against(
        self,
        other: Book,
        bits: Bits,
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        is_first_north_south: NDArray[np.bool_],
    ) -> Nodes:
        """The nodes at which the auctions of such tables end, in this book; void when it bids again."""
        self.trim()
        other.trim()
        pairing = _NativePairing(self._native, other._native)
        nodes = np.full((len(bits), 2), -1, dtype=np.int32)
        hands, swapped = np.ascontiguousarray(bits), (~is_first_north_south).astype(np.uint8)
        while pairing.bid(hands, dealers, vulnerable, swapped, nodes):
            self._answer()
            other._answer()
        return np.ascontiguousarray(nodes[:, 0])

    def _answer(self) -> None:
        """Answer the questions that stopped the native book."""
        answered = set()
        is_collecting = gc.isenabled()
        gc.disable()  # what is made here is kept: looking for garbage among it took a twentieth of the time
        try:
            for node, call in self._native.take_wanted():
                if call < 0:
                    self._answer_rules(node, -1 - call)
                    continue
                asked = (self._native.cursor(node), self._native.list(node), call)
                if asked not in answered:  # many boards wait for the same
                    answered.add(asked)
                    self._answer_cursor(*asked)
        finally:
            if is_collecting:
                gc.enable()

    def _answer_rules(self, node: int, part: int) -> None:
        if self._native.is_known(node, part):  # another node asked the same
            return
        looked = _Looking(self._native.fields(node), self._asks, self._lines)
        rules = self.system.part_rules(part, looked, looked.remembered)
        self._native.set_rules(part, looked.path, [self._number_of(order, rule) for order, rule in rules])

    def _answer_cursor(self, cursor: int, number: int, call: int) -> None:
        made = [rule for rule in self._list(number) if rule.call == call]
        after = self._cursors[cursor].after(CALLS[call], made)
        self._add_cursor(after)
        self._native.set_cursor(cursor, number, call, after.number)

    def _add_cursor(self, cursor: CursorLike) -> None:
        if cursor.number not in self._cursors:
            self._cursors[cursor.number] = cursor
            self._native.set_parts(cursor.number, self.system.parts(cursor))

    def _list(self, number: int) -> tuple[Rule, ...]:
        """The rules of a list of the native book."""
        if number not in self._lists:
            self._lists[number] = tuple(self._written[rule] for rule in self._native.list_rules(number))
        return self._lists[number]

    def _number_of(self, order: int, rule: Rule) -> int:
        known = self._numbers.get(id(rule))
        if known is None:
            native = None if rule.condition == ANYTHING else Meaning(rule.condition).native
            if native is not None:
                self._kept.append(native)
            effects = self._effects_row(rule.effects)
            forecast = (0, 0, 0.0) if rule.forecast is None else rule.forecast.row
            known = self._native.add_rule(int(rule.call), native, effects, order, forecast)
            self._numbers[id(rule)] = known
            self._written.append(rule)
        return known

    def _effects_row(self, effects: Effects) -> tuple[int, int, int, int, bool, bool, bool, bool, bool]:
        asks = -1
        if effects.asks is not None:
            if effects.asks not in self._asks:
                self._asks.append(effects.asks)
            asks = self._asks.index(effects.asks)
        return (
            int(effects.forcing),
            -1 if effects.agrees is None else int(effects.agrees),
            asks,
            -1 if effects.transfers is None else int(effects.transfers),
            effects.invites,
            effects.signs_off,
            effects.artificial,
            "takeout" in effects.words,
            "penalty" in effects.words,
        )

    # Auctions.

    def nodes(
        self,
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        calls: NDArray[np.uint8],
        said: NDArray[np.int32] | None = None,
    ) -> Nodes:
        """The nodes of auctions in step [auction, call]; `said` are numbers of `said_number`, 0 for none."""
        if not calls.shape[1]:
            self.trim()  # between boards nobody holds a node
        sides = np.where(dealers % 2 == 1, vulnerable >> 1 | (vulnerable & 1) << 1, vulnerable)
        if said is None:
            said = np.zeros(calls.shape, dtype=np.int32)
        while True:
            found: Nodes = self._native.locate(sides.astype(np.uint8), np.ascontiguousarray(calls), said)
            if (found >= 0).all():
                return found
            self._answer()

    def said_number(self, meaning: Meaning) -> int:
        """The number of a meaning that the other side gave to a call."""
        # Most come again and again as the same object.
        known = self._said_objects.get(id(meaning))
        if known is None:
            number = self._native.number_of_said(meaning.cells)
            known = self._said_objects[id(meaning)] = (meaning, number)
        return known[1]

    def meaning_at(self, node: int, call: Call) -> Meaning | None:
        """What a call at a node says, the same object each time."""
        key = (node, call)
        if key not in self._meanings:
            meaning = Position(self._rules_at(node)).meaning(call)
            if meaning is not None:
                meaning = SystemMeaning(meaning.condition, meaning.outside, self.system.fingerprint)
            self._meanings[key] = meaning
        return self._meanings[key]

    def allowed_at(self, node: int, call: Call, strayed: float) -> Meaning:
        """What a call at a node may show: any hand of its rules, though one before them would take it.

        A share of the hands has strayed from them; a call that no rule makes may show anything.
        """
        key = (node, call)
        if key not in self._allowed:
            ways = [rule.condition for rule in self._rules_at(node) if rule.call == call]
            anything = not ways or ANYTHING in ways
            self._allowed[key] = Meaning() if anything else Meaning(any_of(ways), strayed)
        return self._allowed[key]

    def is_own(self, meaning: Meaning | None) -> bool:
        """Whether a meaning came from this book: its maker plays the same system."""
        return isinstance(meaning, SystemMeaning) and meaning.system == self.system.fingerprint

    def trim(self) -> None:
        """Forget positions where they have become too many; numbers of nodes are void then."""
        if self._native.trim():
            self._meanings.clear()
            self._allowed.clear()

    def choose(self, nodes: Nodes, hands: Bits) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """For players at some nodes: the numbers of the rules that choose, and the calls."""
        return self._native.decide(nodes, hands)

    def rule_misfits(self, node: int, hand: int) -> list[tuple[int, float]]:
        """The call of each rule of a node, and how far a hand is from it, as `Meaning.misfit` measures."""
        return self._native.rule_misfits(node, hand, _feature_spreads())

    def call_misfits(
        self, node: int, call: Call, hands: Bits, *, only_whether: bool = False
    ) -> NDArray[np.float64]:
        """How far hands are from making a call at a node, 0 where they make it.

        A hand that fits but is taken by an earlier rule is a little way off. A call that no rule makes is
        taken by the length of its suit. With `only_whether` a number says no more than whether it is 0.
        """
        return self._native.call_misfits(node, int(call), hands, _feature_spreads(), only_whether)

    def calls_to(self, nodes: Nodes) -> NDArray[np.uint8]:
        """The calls [node, place] that led to nodes; 255 after the end."""
        return self._native.calls_to(nodes)

    def path(self, node: int) -> list[int]:
        """The nodes from the first call on that led to a node, without it."""
        found: list[int] = []
        while (node := self._native.parent(node)) >= 0:
            found.append(node)
        return found[::-1]

    def is_otherwise(self, node: int, rule: int) -> bool:
        """Whether a rule of a node stands under `otherwise`: the text has nothing for this auction."""
        source = self._rule(self._native.rules(node)[rule]).source
        return isinstance(source, Written) and source.context == OTHERWISE

    def node(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> int:
        """The node of one auction; what the other side disclosed of its calls is believed."""
        calls = np.array([auction.calls], dtype=np.uint8).reshape(1, len(auction))
        said = np.zeros(calls.shape, dtype=np.int32)
        for place, meaning in enumerate(disclosed):
            if meaning is not None and (len(auction) - place) % 2 == 1:
                said[0, place] = self.said_number(meaning)
        one = (
            np.array([int(auction.dealer)], dtype=np.uint8),
            np.array([int(auction.vulnerable)], dtype=np.uint8),
        )
        return int(self.nodes(*one, calls, said)[0])

    def position(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> Position:
        """The position of the player to call."""
        return self.position_at(self.node(auction, disclosed))

    def position_at(self, node: int) -> Position:
        """The position of a node."""
        return Position(self._rules_at(node), self.state_at(node))

    def _rules_at(self, node: int) -> tuple[Rule, ...]:
        return tuple(self._rule(row) for row in self._native.rules(node))

    def state_at(self, node: int) -> State:
        """The state of a node, for the player to call."""
        return _state(self._native.fields(node), self._native.expected(node), self._asks)

    def read(self, auction: Auction, disclosed: Sequence[Meaning | None] = ()) -> tuple[CallRead, ...]:
        """Each call of an auction as this system reads it, or as it was disclosed."""
        found = []
        for place, call in enumerate(auction.calls):
            before = Auction(auction.dealer, auction.vulnerable, auction.calls[:place])
            position = self.position(before, disclosed[:place])
            meaning = disclosed[place] if place < len(disclosed) else None
            found.append(
                CallRead(
                    call,
                    before.turn,
                    meaning or position.meaning(call),
                    position.rules_of(call),
                    position.state,
                )
            )
        return tuple(found)

    def cursor_at(self, node: int) -> CursorLike:
        """How far the auction of a node has followed the system's sequences."""
        return self._cursors[self._native.cursor(node)]

    def written_at(self, node: int) -> tuple[Rule, ...]:
        """The rules of the system's text at a node, in order; calls that are illegal there among them."""
        return tuple(
            rule
            if rule.forecast is None
            else _foreseen(rule, self._native.forecast_at(node, self._numbers[id(rule)]))
            for rule in self.text_at(node)
        )

    def text_at(self, node: int) -> tuple[Rule, ...]:
        """The same rules as they are written, forecasts open; one object for all nodes that have them."""
        number = self._native.list(node)
        return self._list(number) if number >= 0 else ()

    def known(self, node: int, seat: int) -> NDArray[np.uint64]:
        """The cells of the hands that a player can hold; seats from the dealer on."""
        return self._native.known(node, seat)

    @property
    def size(self) -> int:
        """How many positions are kept."""
        return self._native.size

    def _rule(self, row: tuple[Any, ...]) -> Rule:
        call, number, kind, strain, tricks, hcp, cards, clauses, effects = row
        if kind == SECOND_THOUGHT:
            return self._second_thought(call, number, clauses)
        if number >= 0:
            written: Rule = self._written[number]
            return written if clauses is None else _foreseen(written, clauses)
        condition = _judged_condition(clauses)
        done = Effects(
            Forcing(effects[0]),
            invites=effects[4],
            words=tuple(word for word, is_on in (("takeout", effects[7]), ("penalty", effects[8])) if is_on),
        )
        return Rule(CALLS[call], condition, done, judged_source(kind, strain, tricks, hcp, cards))

    def _second_thought(self, call: int, number: int, clauses: list[list[tuple[int, int, int]]]) -> Rule:
        """A call in place of a rule's, for some of the hands that it takes."""
        condition = _judged_condition(clauses)
        if number >= 0 and self._written[number].condition != ANYTHING:
            condition = all_of((self._written[number].condition, condition))
        assert self.system.second_thoughts is not None
        words = "worth more than a pass" if call else "a pass is worth more"
        return Rule(CALLS[call], condition, source=self.system.second_thoughts.source, text=words)


def _joined(parts: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """Portions of auctions as one array, all as long as the longest."""
    longest = max((part.shape[1] for part in parts), default=0)
    return np.concatenate(
        [np.pad(part, ((0, 0), (0, longest - part.shape[1])), constant_values=255) for part in parts]
        or [np.zeros((0, 0), dtype=np.uint8)]
    )


def _judged_condition(clauses: list[list[tuple[int, int, int]]] | None) -> Condition:
    if clauses is None:
        return ANYTHING
    return _condition_of(tuple(tuple(clause) for clause in clauses))


def _foreseen(rule: Rule, clauses: list[list[tuple[int, int, int]]]) -> Rule:
    """A written rule where its forecast has become a condition."""
    condition = _judged_condition(clauses)
    if rule.condition != ANYTHING:
        condition = all_of((rule.condition, condition))
    return replace(rule, condition=condition, forecast=None)


@lru_cache(maxsize=1 << 16)
def _condition_of(clauses: tuple[tuple[tuple[int, int, int], ...], ...]) -> Condition:
    return any_of(
        all_of(
            Range(FEATURES[feature], max(least, FEATURES[feature].least), min(most, FEATURES[feature].most))
            for feature, least, most in clause
        )
        for clause in clauses
    )


@cache
def _feature_spreads() -> NDArray[np.float64]:
    """The usual difference of each feature, by which misfits are measured."""
    return np.array([1.0 if one.card is not None else SPREADS[one.kind] for one in FEATURES])


# The state in numbers, and as rules see it.


def _suit(value: int) -> Suit | None:
    return SUITS[value] if value >= 0 else None


def _decoded(name: str, value: int, asks: list[Ask]) -> Any:
    """A field's value as State has it."""
    if name == "last_bid":
        return CALLS[value] if value else None
    if name == "asked":
        return asks[value] if value >= 0 else None
    if name in ("agreed", "transferred", "my_suit", "partner_suit", "their_suit"):
        return _suit(value)
    if name.endswith("_suits"):
        return tuple(suit for suit in SUITS if value >> suit & 1)
    return value if name == "seat" else bool(value)


@dataclass(slots=True)
class _Memo:
    """What was made, by what its makers looked at: a field and what comes after each value, or the end."""

    looks_at: int = -1  # a field; -1: the end
    after: dict[int, _Memo] = field(default_factory=dict)
    made: Any = ()


class _Looking:
    """A state that notes what is looked at, in order."""

    def __init__(self, values: Sequence[int], asks: list[Ask], lines: dict[Hashable, _Memo]) -> None:
        self._values, self._asks, self._lines = values, asks, lines
        self._seen: dict[int, None] = {}

    def remembered(self, key: Hashable, make: Callable[[], Sequence[_N]]) -> Sequence[_N]:
        """What `make` gives, which looks at nothing but this state: made once for the same values.

        A part is asked for again whenever one of its lines sees something new; the others need not be made.
        """
        memo = self._lines.get(key)
        while memo is not None and memo.looks_at >= 0:
            memo = memo.after.get(self.look_at(memo.looks_at))
        if memo is None:
            before, self._seen = self._seen, {}
            made = make()
            self._keep(key, made)
            self._seen = before | self._seen
            return made
        return cast("Sequence[_N]", memo.made)

    def _keep(self, key: Hashable, made: Sequence[_N]) -> None:
        memo = self._lines.setdefault(key, _Memo())
        for number, value in self.path:
            memo.looks_at = number
            memo = memo.after.setdefault(value, _Memo())
        memo.made = made

    @property
    def path(self) -> list[tuple[int, int]]:
        """The numbers and values of the fields in the order they were first looked at."""
        return [(field, self._values[field]) for field in self._seen]

    def _look(self, name: str) -> Any:
        number = _NUMBER.get(name)
        if number is None:
            raise AttributeError(f"rules cannot look at {name!r} of a state")
        return _decoded(name, self.look_at(number), self._asks)

    def look_at(self, number: int) -> int:
        """The value of a field, noted."""
        self._seen.setdefault(number)
        return self._values[number]

    def __getattr__(self, name: str) -> Any:
        if name in ("me", "partner", "left", "right"):
            return _LookingAt(self, name)
        return self._look(name)


class _LookingAt:
    """One player's part of such a state."""

    def __init__(self, whole: _Looking, who: str) -> None:
        self._whole, self._who = whole, who

    def __getattr__(self, name: str) -> Any:
        first = _NUMBER[f"{self._who}.{name}.0"]
        if name == "mean":
            return self._whole.look_at(first)
        return _LookingAtNumbers(self._whole, first, _COUNTS[name])


class _LookingAtNumbers(Sequence[int]):
    """Points or lengths of one player, each looked at by itself."""

    def __init__(self, whole: _Looking, first: int, count: int) -> None:
        self._whole, self._first, self._count = whole, first, count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if not 0 <= place < self._count:
            raise IndexError(place)
        return self._whole.look_at(self._first + place)


def _state(values: Sequence[int], expected: Sequence[tuple[float, ...]], asks: list[Ask]) -> State:
    shown: dict[str, Any] = {}
    mean, *rounded = values[-_EXPECTED:]
    for number, (who, place) in enumerate((("me", 0), ("partner", 2), ("left", 1), ("right", 3))):
        hcp, *lengths = expected[place]
        low, high, *cards = values[_OF_A_PLAYER * number : _OF_A_PLAYER * (number + 1)]
        shown[who] = Shown((low, high), _four(cards), _four(cards[4:]), hcp, _four(lengths))
    shown["partner"] = replace(shown["partner"], mean=mean, worth=_four(rounded), likely=_four(rounded[4:]))
    rest = slice(4 * _OF_A_PLAYER, -_EXPECTED)
    more = {name: _decoded(name, value, asks) for name, value in zip(FIELDS[rest], values[rest], strict=True)}
    last, _ = more.pop("their_suit"), more.pop("unbid_suits")
    more["their_suits"] = tuple(sorted(more["their_suits"], key=lambda suit: (suit == last, suit)))
    return State(**shown, **more)


def _four(numbers: Sequence[_N]) -> tuple[_N, _N, _N, _N]:
    return (numbers[0], numbers[1], numbers[2], numbers[3])
