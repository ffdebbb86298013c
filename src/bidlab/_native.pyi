from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_EffectsRow = tuple[int, int, int, int, bool, bool, bool, bool, bool]

class Book:
    def __init__(self, most_nodes: int) -> None: ...
    def add_rule(
        self,
        call: int,
        condition: Condition | None,
        effects: _EffectsRow,
        order: int,
        forecast: tuple[int, int, float] = ...,
    ) -> int: ...
    def forecast_at(self, node: int, rule: int) -> list[list[tuple[int, int, int]]]: ...
    def number_of_said(self, cells: NDArray[np.uint64]) -> int: ...
    def set_rules(self, part: int, looked_at: Sequence[tuple[int, int]], rules: Sequence[int]) -> None: ...
    def set_parts(self, cursor: int, parts: Sequence[int]) -> None: ...
    def is_known(self, node: int, part: int) -> bool: ...
    def list_rules(self, list: int) -> Sequence[int]: ...
    def set_cursor(self, cursor: int, list: int, call: int, next: int) -> None: ...
    def take_wanted(self) -> Sequence[tuple[int, int]]: ...
    def bid(
        self,
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        nodes: NDArray[np.int32],
    ) -> int: ...
    def calls_to(self, nodes: NDArray[np.int32]) -> NDArray[np.uint8]: ...
    def locate(
        self, roots: NDArray[np.uint8], calls: NDArray[np.uint8], said: NDArray[np.int32]
    ) -> NDArray[np.int32]: ...
    def decide(
        self, nodes: NDArray[np.int32], hands: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int32], NDArray[np.uint8]]: ...
    def call_misfits(
        self,
        node: int,
        call: int,
        hands: NDArray[np.uint64],
        spreads: NDArray[np.float64],
        only_whether: bool,
    ) -> NDArray[np.float64]: ...
    def rule_misfits(self, node: int, hand: int, spreads: NDArray[np.float64]) -> list[tuple[int, float]]: ...
    def rules(self, node: int) -> Sequence[tuple[Any, ...]]: ...
    def fields(self, node: int) -> Sequence[int]: ...
    def expected(self, node: int) -> Sequence[tuple[float, ...]]: ...
    def review(
        self,
        weights: NDArray[np.float32],
        written_calls: float,
        judged_calls: float,
        written_passes: float,
        judged_passes: float,
    ) -> None: ...
    def questions(self, nodes: NDArray[np.int32], calls: NDArray[np.uint8]) -> NDArray[np.float32]: ...
    def known(self, node: int, seat: int) -> NDArray[np.uint64]: ...
    def cursor(self, node: int) -> int: ...
    def list(self, node: int) -> int: ...
    def parent(self, node: int) -> int: ...
    def said_by(self, node: int, call: int) -> NDArray[np.uint64]: ...
    def trim(self) -> bool: ...
    @property
    def size(self) -> int: ...
    @property
    def sets(self) -> int: ...

class Pairing:
    def __init__(self, one: Book, other: Book) -> None: ...
    def bid(
        self,
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        swapped: NDArray[np.uint8],
        nodes: NDArray[np.int32],
    ) -> int: ...

class Condition:
    def __init__(
        self,
        nodes: NDArray[np.int32],
        scales: NDArray[np.float64],
        sets: NDArray[np.uint64],
        misfits: NDArray[np.float32],
        possible: NDArray[np.uint64],
        certain: NDArray[np.uint64],
    ) -> None: ...
    def admits(self, bits: NDArray[np.uint64]) -> NDArray[np.bool_]: ...
    def misfit(self, bits: NDArray[np.uint64]) -> NDArray[np.float64]: ...

def deal(seed: int, first: int, count: int) -> NDArray[np.uint64]: ...
def features(bits: NDArray[np.uint64]) -> NDArray[np.int32]: ...
def cell_counts(available: int) -> NDArray[np.uint64]: ...

class ConditionalDealer:
    def __init__(
        self,
        known: NDArray[np.uint64],
        conditions: Sequence[Condition | None],
        wants_tables: bool = False,
    ) -> None: ...
    @property
    def is_impossible(self) -> bool: ...
    @property
    def method(self) -> str: ...
    @property
    def count(self) -> int: ...
    @property
    def is_exact_count(self) -> bool: ...
    @property
    def completions(self) -> int: ...
    @property
    def tries(self) -> int: ...
    @property
    def dealt(self) -> int: ...
    def deal(
        self,
        seed: int,
        first: int,
        count: int,
        threads: int = 1,
        progress: Callable[[int], object] | None = None,
    ) -> NDArray[np.uint64]: ...

def processor_kind() -> str: ...

class Solver:
    def __init__(self, threads: int, memory: int, warm: bool) -> None: ...
    @property
    def threads(self) -> int: ...
    def effort(self) -> dict[str, int]: ...
    def solve(
        self,
        bits: NDArray[np.uint64],
        strains: int,
        declarers: int,
        nodes: int,
        progress: Callable[[int], object] | None,
    ) -> NDArray[np.uint8]: ...
    def answer(
        self,
        bits: NDArray[np.uint64],
        strains: NDArray[np.uint8],
        declarers: NDArray[np.uint8],
        needed: NDArray[np.uint8],
        nodes: int,
        progress: Callable[[int], object] | None,
    ) -> NDArray[np.uint8]: ...
    def card_values(
        self,
        bits: NDArray[np.uint64],
        strains: NDArray[np.uint8],
        leaders: NDArray[np.uint8],
        played: NDArray[np.int8],
        nodes: int,
        progress: Callable[[int], object] | None,
    ) -> NDArray[np.uint8]: ...

def trick_model() -> dict[str, float]: ...
def observations(
    hands: NDArray[np.uint64],
    calls: NDArray[np.uint8],
    dealers: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
) -> NDArray[np.uint8]: ...

class Network:
    def __init__(
        self,
        first: NDArray[np.int16],
        first_bias: NDArray[np.int32],
        first_shift: NDArray[np.int32],
        head: NDArray[np.int16],
        head_bias: NDArray[np.int32],
        head_shift: NDArray[np.int32],
        plain: bool = False,
    ) -> None: ...
    def add_layer(
        self,
        weights: NDArray[np.int16],
        bias: NDArray[np.int32],
        shift: NDArray[np.int32],
        carry: int,
    ) -> None: ...
    def evaluate(
        self,
        hands: NDArray[np.uint64],
        calls: NDArray[np.uint8],
        dealers: NDArray[np.uint8],
        vulnerable: NDArray[np.uint8],
        threads: int = 1,
    ) -> NDArray[np.int64]: ...
    def guess(
        self, deals: NDArray[np.uint64], strains: NDArray[np.uint8], declarers: NDArray[np.uint8]
    ) -> NDArray[np.int64]: ...

class WebbPopulation:
    def __init__(
        self, words: NDArray[np.uint32], transitions: NDArray[np.uint8], inheritance: int, options: int = 0
    ) -> None: ...
    def __len__(self) -> int: ...
    def replace(self, number: int, words: NDArray[np.uint32], transitions: NDArray[np.uint8]) -> None: ...
    def bid(
        self,
        ns: NDArray[np.int32],
        ew: NDArray[np.int32],
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        threads: int = 1,
        vulnerable: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]: ...
    def auctions(
        self,
        ns: NDArray[np.int32],
        ew: NDArray[np.int32],
        hands: NDArray[np.uint64],
        dealers: NDArray[np.uint8],
        threads: int = 1,
        vulnerable: NDArray[np.uint8] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8]]: ...
    def follow(
        self, ns: int, ew: int, dealer: int, calls: NDArray[np.uint8], vulnerable: int = 0
    ) -> tuple[NDArray[np.int16], NDArray[np.bool_], NDArray[np.uint8]]: ...
    def decide(
        self,
        ns: int,
        ew: int,
        dealer: int,
        calls: NDArray[np.uint8],
        hands: NDArray[np.uint64],
        vulnerable: int = 0,
    ) -> NDArray[np.uint8]: ...

def webb_values(hands: NDArray[np.uint64], all: bool = False) -> NDArray[np.int16]: ...
def webb_variants(
    words: NDArray[np.uint32],
    transitions: NDArray[np.uint8],
    options: int,
    parents: NDArray[np.int32],
    others: NDArray[np.int32],
    used_words: NDArray[np.uint32],
    used_transitions: NDArray[np.uint32],
    seed: int,
    number: int,
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]: ...
def webb_usage(
    systems: WebbPopulation,
    count: int,
    hands: NDArray[np.uint64],
    dealers: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]: ...
def webb_par(
    tricks: NDArray[np.uint8], dealers: NDArray[np.uint8], vulnerable: NDArray[np.uint8]
) -> NDArray[np.int32]: ...
def webb_measured(
    systems: WebbPopulation,
    opponents: WebbPopulation,
    who: NDArray[np.int32],
    hands: NDArray[np.uint64],
    tricks: NDArray[np.uint8],
    par: NDArray[np.int32],
    dealers: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
    threads: int = 1,
    skips: NDArray[np.bool_] | None = None,
    wants_touched: bool = False,
) -> Any: ...
def webb_offspring(
    how: int,
    words: NDArray[np.uint32],
    transitions: NDArray[np.uint8],
    other_words: NDArray[np.uint32],
    other_transitions: NDArray[np.uint8],
    seed: int,
    number: int,
    low: int = ...,
    medium: int = ...,
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]: ...
def webb_decide(
    population: WebbPopulation,
    number: int,
    vulnerable: NDArray[np.uint8],
    calls: NDArray[np.uint8],
    said: NDArray[np.int32],
    told: NDArray[np.int16],
    hands: NDArray[np.uint64],
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]: ...
def webb_position(
    population: WebbPopulation,
    number: int,
    vulnerable: NDArray[np.uint8],
    calls: NDArray[np.uint8],
    said: NDArray[np.int32],
    told: NDArray[np.int16],
    any_hand: bool,
) -> tuple[NDArray[np.int16], NDArray[np.int16], int]: ...
def webb_auctions(
    one: WebbPopulation,
    number: int,
    other: WebbPopulation,
    other_number: int,
    hands: NDArray[np.uint64],
    dealers: NDArray[np.uint8],
    vulnerable: NDArray[np.uint8],
    is_first_north_south: NDArray[np.bool_],
    threads: int = 1,
) -> NDArray[np.uint8]: ...
def webb_sequences(
    population: WebbPopulation, number: int, most: int, vulnerable: int = 0
) -> (
    tuple[
        NDArray[np.int32],
        NDArray[np.uint8],
        NDArray[np.uint8],
        NDArray[np.int16],
        NDArray[np.int64],
        NDArray[np.int16],
    ]
    | None
): ...

class WebbDeals:
    def __init__(self, hands: NDArray[np.uint64], tables: NDArray[np.uint8]) -> None: ...
    def __len__(self) -> int: ...

def webb_play(
    deals: WebbDeals,
    words: NDArray[np.uint32],
    transitions: NDArray[np.uint8],
    inheritance: int,
    fitness: NDArray[np.int64],
    pushes: NDArray[np.int32],
    ages: NDArray[np.int64],
    tally: NDArray[np.uint64],
    turn: int,
    turns: int,
    seed: int,
    threshold: int,
    push_penalty: int,
    weights: NDArray[np.uint32],
    contest: int,
    low: int,
    medium: int,
    migrant_words: NDArray[np.uint32],
    migrant_transitions: NDArray[np.uint8],
    migration: int,
    threads: int = 1,
    options: int = 0,
) -> tuple[
    NDArray[np.uint32],
    NDArray[np.uint8],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.uint64],
]: ...
def webb_boards(seed: int, deals: int, first: int, count: int) -> NDArray[np.uint32]: ...
def webb_scores() -> NDArray[np.int32]: ...
def webb_imps(points: int) -> int: ...
