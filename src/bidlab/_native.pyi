from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

def deal(seed: int, first: int, count: int) -> NDArray[np.uint64]: ...
def features(bits: NDArray[np.uint64]) -> NDArray[np.int32]: ...
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
