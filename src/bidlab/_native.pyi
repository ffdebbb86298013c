from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

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
