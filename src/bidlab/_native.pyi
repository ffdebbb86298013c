import numpy as np
from numpy.typing import NDArray

def deal(seed: int, first: int, count: int) -> NDArray[np.uint64]: ...
